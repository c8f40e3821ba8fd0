//! The one error type of the engines.

use trellis_solver_api::{SolverError, UnknownReason};

/// Why a run stopped without a verdict of its own.
#[derive(Clone, Debug, thiserror::Error)]
pub enum EngineError {
    /// A limit: the solver gave up on a query.
    #[error("the solver gave up: {0}")]
    GaveUp(UnknownReason),
    /// A limit: somebody asked to stop.
    #[error("cancelled")]
    Cancelled,
    /// The caller's bug: engines take one flat automaton.
    #[error("the program is not flat: it has procedures or calls; run the pass `inline` first")]
    NotFlat,
    /// Our bug: a model that describes no execution.
    #[error("a model of the solver describes no execution: no edge is taken at {0}")]
    BrokenModel(trellis_ivl::Loc),
    /// The user's input: an option has a value that it cannot have.
    #[error("option `{option}`: {message}")]
    Option {
        /// The option.
        option: &'static str,
        /// What is wrong.
        message: String,
    },
    /// The solver failed.
    #[error(transparent)]
    Solver(#[from] SolverError),
}

impl EngineError {
    /// Whether this is a limit, and so an unknown verdict rather than a failure.
    pub fn is_limit(&self) -> bool {
        matches!(self, EngineError::GaveUp(_) | EngineError::Cancelled)
    }
}
