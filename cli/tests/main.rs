//! The command line as a user meets it: every command, every kind of input, and what goes wrong.

mod assumptions;
mod bad_input;
mod bench;
mod c;
mod check;
mod contracts;
mod corpus;
mod docs;
mod embed;
mod evidence;
mod faults;
mod hardware;
mod hostile;
mod ivl;
mod modular;
mod proofs;
mod reports;
mod seeded;
mod stop;
mod support;
mod termination;
mod witness;
mod write_a_plugin;
