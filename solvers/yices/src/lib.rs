//! Yices 2 as a solver plugin: an SMT backend whose library is loaded at run time.
//!
//! # Finding it
//! [`Yices::find`] looks for `libyices.so` at `TRELLIS_YICES`, beside the executable, in `target/solvers/lib`
//! (filled by `tests/install-solvers.sh`) and on the system. Absence is
//! [`SolverError::Unavailable`](trellis_solver_api::SolverError), which says how to install it. We bind by hand because the
//! crates of the registries compile Yices from source, which fails with current compilers, and because only
//! a library found at run time can be absent.
//!
//! # Licence
//! Yices is under the GPL, version 3 or later, so this crate is too, alone in the workspace. It contains no
//! code of Yices and links none. A distribution without this crate is free of the GPL.
//!
//! # One thread
//! Yices keeps its terms in global tables without locks. All sessions of a process must therefore live on
//! one thread at a time: a session asked for on a second thread is an error, not a race. When the last
//! session of a thread is gone, the tables are cleared and another thread may begin. When memory runs out,
//! Yices ends the process; use it in a worker.
//!
//! Open first: `session`. Then `library` (loading, leases), `ffi` (the bound functions), `translate` (terms in),
//! `export` (terms out, for generalised models and interpolants), `plugin` (what Trellis loads).
//!
//! Deliberately absent: everything of Yices beyond arrays and bit-vectors; conflict limits (it has none).

#![allow(unsafe_code)]

mod export;
mod ffi;
mod generalise;
mod interpolate;
mod library;
mod plugin;
mod session;
mod translate;

pub use library::{OPTIONS, Yices};
