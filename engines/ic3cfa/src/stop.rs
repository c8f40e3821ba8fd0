//! Why a run ends before its verdict.

use trellis_plugin_sdk::solver::{SolverError, UnknownReason};
use trellis_plugin_sdk::{EngineError, Verdict};

/// Why a run ends early.
#[derive(Debug, thiserror::Error)]
pub enum Stop {
    /// The host wants an end. (Limit.)
    #[error("cancelled")]
    Cancelled,
    /// So many queries were asked as the options allow. (Limit.)
    #[error("no answer in {0} queries")]
    Queries(u64),
    /// A query that decides was not answered. (Limit.)
    #[error("the solver gave up: {0}")]
    GaveUp(UnknownReason),
    /// The solver failed. (Its bug, or a capability that is missing.)
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// The engine contradicts itself. (Our bug.)
    #[error("{0}")]
    Internal(String),
}

impl Stop {
    /// The answer of the engine: limits are unknown verdicts, the rest are errors.
    pub fn into_verdict(self) -> Result<Verdict, EngineError> {
        match self {
            Stop::Cancelled | Stop::Queries(_) | Stop::GaveUp(_) => {
                Ok(Verdict::Unknown(self.to_string()))
            }
            Stop::Solver(e) => Err(e.into()),
            Stop::Internal(why) => Err(EngineError::Internal(why)),
        }
    }
}
