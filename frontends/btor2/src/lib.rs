//! BTOR2: word-level hardware models of bit-vectors and arrays, the second format of the hardware
//! model checking competition.
//!
//! [`parse`] reads and type-checks a [`Model`], [`write()`](write()) writes it. [`Simulator`] is the
//! executable meaning. [`witness`] writes, reads and checks error traces. [`lower`] makes a program of
//! the IVL.
//!
//! Values and sorts are those of the IVL ([`Value`](trellis_ivl::Value), [`Type`](trellis_ivl::Type)):
//! both follow SMT-LIB. Deliberately absent: rewriting, solving, liveness checking (justice and fairness are
//! read, written and reported as not checkable), arrays of arrays.
//!
//! Open `model.rs` first, then `op.rs` and `read.rs`.
//!
//! The format: Niemetz, Preiner, Wolf, Biere, "Btor2, BtorMC and Boolector 3.0", CAV 2018, and
//! where that is silent its reference parser.

mod error;
mod eval;
mod line;
mod literal;
mod lower;
mod model;
mod op;
mod read;
mod sim;
pub mod witness;
mod write;

#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use error::{Error, Place};
pub use lower::{Lowered, lower};
pub use model::{Justice, Model, Node, Origin, Property, Ref, State};
pub use op::Op;
pub use read::parse;
pub use sim::Simulator;
pub use write::write;

#[cfg(test)]
mod tests;
