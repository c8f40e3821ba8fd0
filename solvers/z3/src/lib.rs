//! Z3 as a solver plugin: an SMT backend whose library is loaded at run time.
//!
//! # Finding it
//! [`Z3::find`] looks for `libz3.so` at `TRELLIS_Z3`, beside the executable, in `target/solvers/lib` (filled by
//! `tests/install-solvers.sh`) and on the system. Absence is [`SolverError::Unavailable`](trellis_solver_api::SolverError),
//! which says how to install it; a version that is too old says so.
//!
//! # Why loaded
//! The crates `z3` and `z3-sys` link Z3 when they are built, so a machine without Z3 could not build the
//! workspace; docs/src/dependencies.md has the reasons. A session here has a context of its own: it is
//! deterministic whatever else runs, and freed as a whole.
//!
//! Open first: `session`. Then `library` (loading), `ffi` (the bound functions), `translate` (terms in), `model`
//! (values out), `plugin` (what Trellis loads).
//!
//! Deliberately absent: interpolation (Z3 dropped it), quantifiers, fixed points, tactics.

#![allow(unsafe_code)]

mod ffi;
mod library;
mod model;
mod plugin;
mod session;
mod translate;

pub use library::{OPTIONS, Z3};
