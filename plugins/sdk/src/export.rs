//! Rust services as tables of C functions.
//!
//! [`smt`] and [`sat`] serve sessions, with [`session`] for what these share; [`host`] serves an engine. Every function here catches
//! panics, because unwinding must not cross the border, and checks what it is given.

pub mod error;
pub mod host;
pub mod sat;
pub mod session;
pub mod smt;

pub use host::{RawHost, RawVerdict, with_table};
