//! The one error type of the solver layer.

use crate::{Capabilities, UnknownReason};
use thiserror::Error;

/// Who is to act on an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The user: a wrong option, a missing library.
    Input,
    /// Nobody is wrong; a limit was reached.
    Limit,
    /// Us, or the authors of the solver.
    Bug,
}

/// What a call of a session gives.
pub type Result<T, E = SolverError> = std::result::Result<T, E>;

/// What may go wrong between an engine and a solver.
///
/// Giving up on a query is not an error but [`Answer::Unknown`](crate::Answer::Unknown).
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SolverError {
    /// User's input: an option the backend does not have, or a value it does not take.
    #[error("solver {solver}: option `{option}`: {message}")]
    Option {
        /// The backend.
        solver: String,
        /// The option as given.
        option: String,
        /// What is wrong, with the nearest valid name or the valid range.
        message: String,
    },
    /// User's environment: the solver is not there or cannot be loaded.
    #[error("solver {solver} is not available: {reason}")]
    Unavailable {
        /// The backend.
        solver: String,
        /// Why, and what to do.
        reason: String,
    },
    /// User's choice: the backend lacks what the call needs. Look at the capabilities first.
    #[error("solver {solver} does not offer {missing}: {what}")]
    Unsupported {
        /// The backend.
        solver: String,
        /// What is missing.
        missing: Capabilities,
        /// What was asked.
        what: String,
    },
    /// Limit: the query is too large for the backend, before any search.
    #[error("solver {solver}: {what} exceeds the limit of {limit}")]
    TooLarge {
        /// The backend.
        solver: String,
        /// What is too large.
        what: String,
        /// The limit.
        limit: u64,
    },
    /// Limit: a read had to solve again and the solver gave up; it may be repeated.
    #[error("`{call}` had to solve again, which ended as unknown ({reason})")]
    GaveUp {
        /// The method.
        call: &'static str,
        /// Why.
        reason: UnknownReason,
    },
    /// Bug in the caller: a call in a state that does not allow it.
    #[error("`{call}` needs {needs}, but the session is in state {state}")]
    Misuse {
        /// The method.
        call: &'static str,
        /// What the documentation of the method requires.
        needs: &'static str,
        /// The state the session is in.
        state: &'static str,
    },
    /// Bug in the caller: a term that the call does not take (a wrong type, a foreign pool).
    #[error("`{call}`: {message}")]
    Term {
        /// The method.
        call: &'static str,
        /// What is wrong.
        message: String,
    },
    /// Bug in the solver or in our binding: it answered what its interface does not allow, or died.
    #[error("solver {solver} failed: {message}")]
    Backend {
        /// The backend.
        solver: String,
        /// What happened.
        message: String,
    },
}

impl SolverError {
    /// Who is to act.
    pub fn kind(&self) -> ErrorKind {
        match self {
            SolverError::Option { .. }
            | SolverError::Unavailable { .. }
            | SolverError::Unsupported { .. } => ErrorKind::Input,
            SolverError::TooLarge { .. } | SolverError::GaveUp { .. } => ErrorKind::Limit,
            SolverError::Misuse { .. } | SolverError::Term { .. } | SolverError::Backend { .. } => {
                ErrorKind::Bug
            }
        }
    }
}
