//! AIGER 1.9: and-inverter graphs with latches, bad states and constraints, the format of the
//! hardware model checking competition.
//!
//! [`parse`] reads both encodings (`aag` ASCII, `aig` binary) into one [`Model`]; [`write_ascii`]
//! and [`write_binary`] write it. [`Simulator`] is the executable meaning, one run at a time or 64
//! in parallel. [`witness`] writes, reads and checks stimuli. [`lower`] makes a program of the IVL.
//!
//! Deliberately absent: AIG rewriting and solving.
//!
//! Open `model.rs` first, then `read.rs`.
//!
//! The format: Biere, Heljanko, Wieringa, "AIGER 1.9 and beyond", 2011; reset functions as in the
//! AIGER library 1.9.23.

mod cursor;
mod error;
mod header;
mod lower;
mod model;
mod read;
mod reset;
mod sim;
mod topo;
pub mod witness;
mod write;

#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use error::{Error, Place};
pub use lower::{Lowered, lower};
pub use model::{And, Format, Item, Latch, Lit, Model, Origin, Reset, Symbols};
pub use read::parse;
pub use sim::{Simulator, Word};
pub use write::{write_ascii, write_binary};

#[cfg(test)]
mod tests;
