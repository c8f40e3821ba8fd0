//! Any IPASIR shared library as a SAT backend, found by its path at run time.
//!
//! IPASIR (SAT Race 2015) is ten C functions that most SAT solvers export. Open first: `library` (loading,
//! symbols checked once, by name), then `session`. A solver that is linked instead of loaded fills the table
//! [`Functions`] itself and has the same sessions: CaDiCaL does.
//!
//! Deliberately absent: `ipasir_set_learn`, conflict limits, seeds and options: IPASIR has none. A
//! library is code that runs in this process; load only what you trust.

#![allow(unsafe_code)]

mod functions;
mod library;
mod session;

pub use functions::{Functions, Terminate};
pub use library::Ipasir;
pub use session::IpasirSession;
