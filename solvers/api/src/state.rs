//! The states of a session of either kind, for backends to check their callers with.

use crate::{Answer, Result, SolverError};

/// Where a session is; the modules [`sat`](crate::sat) and [`smt`](crate::smt) say what leads where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SessionState {
    /// Nothing may be read.
    #[default]
    Input,
    /// A model may be read.
    Sat,
    /// What was refuted may be read.
    Unsat,
}

impl SessionState {
    /// The state after `answer`.
    pub fn after(answer: &Answer) -> SessionState {
        match answer {
            Answer::Sat => SessionState::Sat,
            Answer::Unsat => SessionState::Unsat,
            Answer::Unknown(_) => SessionState::Input,
        }
    }

    /// The guard of calls that read a model.
    #[inline]
    pub fn require_sat(self, call: &'static str) -> Result<()> {
        self.require(SessionState::Sat, call, "state SAT")
    }

    /// The guard of calls that read what was refuted.
    #[inline]
    pub fn require_unsat(self, call: &'static str) -> Result<()> {
        self.require(SessionState::Unsat, call, "state UNSAT")
    }

    #[inline]
    fn require(self, state: SessionState, call: &'static str, needs: &'static str) -> Result<()> {
        if self == state {
            return Ok(());
        }
        let state = match self {
            SessionState::Input => "INPUT",
            SessionState::Sat => "SAT",
            SessionState::Unsat => "UNSAT",
        };
        Err(SolverError::Misuse { call, needs, state })
    }
}
