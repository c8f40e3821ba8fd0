//! The front end on small programs. What gcc says of many and larger ones is `differential`, a binary of its own: it runs for as long
//! as it is told to.

mod common;
mod floats;
mod language;
mod layout;
mod library;
mod lower;
mod run;
mod syntax;
mod undefined;
