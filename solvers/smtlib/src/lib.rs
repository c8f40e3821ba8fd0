//! SMT-LIB 2 in both directions, and any program that speaks it as a backend.
//!
//! - [`sexpr`]: s-expressions in an arena, and finding the end of one in a stream;
//! - [`print`](mod@print): terms, values and definitions as text;
//! - [`read`]: terms and scripts from text (what we print, and QF_ABV as others write it);
//! - [`value`]: values, models and cores as solvers print them;
//! - [`dialect`]: what solvers do differently, as data;
//! - [`SmtLib`] (backend), `session`, `mirror` and `process`: a solver at the other end of a pipe.
//!
//! Open first: `session`. Deliberately absent: sorts beyond bool, bit-vectors and arrays between
//! bit-vectors, quantifiers (except `lambda` in values), proofs.

#![allow(unsafe_code)]

mod backend;
pub mod dialect;
mod mirror;
pub mod print;
mod process;
pub mod read;
mod session;
pub mod sexpr;
pub mod value;

pub use backend::SmtLib;
pub use dialect::Dialect;
