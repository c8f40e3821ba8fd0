//! The engine on programs of its own, and on C.

mod c_corpus;
mod ic3cfa;
mod support;
