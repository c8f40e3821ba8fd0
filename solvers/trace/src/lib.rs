//! Sessions written down, run again, and held to what they say.
//!
//! - [`Recorded`] writes every call of an SMT session as SMT-LIB 2, [`RecordedSat`] every call of a SAT session
//!   as DIMACS clauses and lines of assumptions (the `inccnf` format). Both are read by other solvers too.
//! - [`Script`] and [`Clauses`] read them back and replay them on any session, answer by answer.
//! - [`Validated`] evaluates all that is asserted and assumed in every model, by the evaluator of the
//!   language, and turns a wrong model into an error.
//! - [`Traced`] wraps a backend: the option `trace` names a folder that gets a file per session, the option
//!   `validate` (on in debug builds) holds the models to what they say.
//!
//! Open first: `record`. Deliberately absent: minimising a trace, and any check of unsatisfiable answers; that is
//! what replaying on another backend is for.

mod backend;
mod record;
mod replay;
mod sat_record;
mod sat_replay;
mod validate;

pub use backend::{OPTIONS, Traced};
pub use record::Recorded;
pub use replay::{Replay, Script};
pub use sat_record::RecordedSat;
pub use sat_replay::{Clauses, SatReplay};
pub use validate::Validated;

use trellis_solver_api::SolverError;

/// What can go wrong with a trace.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// User's input: the text is no trace.
    #[error("line {line}: {message}")]
    Syntax {
        /// Where, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// User's input: the text is no SMT-LIB 2 that we understand.
    #[error(transparent)]
    SmtLib(#[from] trellis_solver_smtlib::read::ReadError),
    /// The solver failed on a command of the trace.
    #[error("command {command}: {error}")]
    Solver {
        /// Which command, from 1.
        command: usize,
        /// How.
        error: SolverError,
    },
}

/// A trace that could not be written, as an error of the session.
fn write_error(e: &std::io::Error) -> SolverError {
    SolverError::Backend {
        solver: "trace".into(),
        message: format!("the trace cannot be written: {e}"),
    }
}
