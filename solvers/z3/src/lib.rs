//! Z3 as an SMT backend, loaded at run time.
//!
//! # Finding it
//! [`Z3::find`] looks for `libz3.so` at `TRELLIS_Z3`, beside the executable, in `target/solvers/lib` (filled by
//! `tests/install-solvers.sh`) and on the system. Absence is [`SolverError::Unavailable`](trellis_solver_api::SolverError),
//! which says how to install it.
//!
//! # Why loaded, and how
//! The declarations are those of the crate `z3-sys`, which links Z3 at build time: a machine without Z3 could
//! not build the workspace, one with an old Z3 would build it wrongly, and a cargo feature would leave Z3 out
//! of the usual build. So the build script satisfies the linker with an empty archive and `delay` defines
//! each function as a jump through a table, which is filled when the library is loaded. Z3 is then found
//! like any other solver, and its version is checked before it is used. The jumps are written for Linux on
//! x86-64; elsewhere Z3 is reported as unavailable, and its program is a backend of `solvers/smtlib`.
//!
//! We use `z3-sys` and not `z3`: the latter keeps one context per thread, so that sessions would share it, and
//! panics where Z3 reports an error. A session here has a context of its own: it is deterministic whatever
//! else runs, and freed as a whole.
//!
//! Open first: `session`. Then `delay` (the jumps), `library` (loading), `translate` (terms in), `model` (values
//! out).
//!
//! Deliberately absent: interpolation (Z3 dropped it), quantifiers, fixed points, tactics.

#![allow(unsafe_code)]

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[path = ""]
mod supported {
    mod delay;
    mod ffi;
    mod library;
    mod model;
    mod session;
    mod translate;

    pub use library::Z3;
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
mod unsupported;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub use supported::Z3;
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub use unsupported::Z3;
