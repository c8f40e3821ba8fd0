//! The small trusted checker.
//!
//! Every verdict passes through here before it is printed: invariants are checked on the program
//! the front end made, before any pass, and traces are replayed on it by the interpreter. Engines,
//! passes and their translations may be wrong without a wrong verdict.
//!
//! Open first: [`check`], whose documentation says what is checked; [`region`] encodes, and
//! [`houdini`] selects what may be called proved from candidates.
//!
//! Trusted: this crate, `trellis-ivl` (the expansion of calls, substitution, the interpreter) and
//! the solver behind the session. Deliberately absent: any pass, any engine, any backend.

pub mod certificate;
pub mod check;
pub mod houdini;
pub mod region;

pub use certificate::SafetyCertificate;
pub use check::{
    Obligation, Obligations, Rejection, at_heads, check_exhausted, check_safe, check_unsafe,
    obligations,
};
pub use houdini::houdini;
