//! What a solver may answer, and the limits under which it is asked.

use std::fmt;
use std::time::Duration;

/// The answer to one query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a model; its values may be read.
    Sat,
    /// There is none under the assumptions; the failed assumptions may be read.
    Unsat,
    /// The solver gave up. Nothing may be read, and the query may be repeated.
    Unknown(UnknownReason),
}

impl Answer {
    /// Whether this is [`Answer::Sat`].
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat)
    }

    /// Whether this is [`Answer::Unsat`].
    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat)
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Sat => f.write_str("sat"),
            Answer::Unsat => f.write_str("unsat"),
            Answer::Unknown(reason) => write!(f, "unknown ({reason})"),
        }
    }
}

/// Why a solver gave up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnknownReason {
    /// An [`Interrupter`](crate::Interrupter) of the session is set.
    Interrupted,
    /// The wall time of [`Limits`] is used up.
    Time,
    /// The conflicts of [`Limits`] are used up.
    Conflicts,
    /// A memory or size limit of the backend was reached.
    Memory,
    /// The backend is incomplete for this query; its own words.
    Incomplete(String),
}

impl fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownReason::Interrupted => f.write_str("interrupted"),
            UnknownReason::Time => f.write_str("time limit"),
            UnknownReason::Conflicts => f.write_str("conflict limit"),
            UnknownReason::Memory => f.write_str("memory limit"),
            UnknownReason::Incomplete(why) => write!(f, "incomplete: {why}"),
        }
    }
}

/// Limits of each following query; `None` is unlimited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Wall time per query.
    pub wall: Option<Duration>,
    /// Conflicts of the SAT search per query.
    pub conflicts: Option<u64>,
}

impl Limits {
    /// No limit at all.
    pub const NONE: Limits = Limits {
        wall: None,
        conflicts: None,
    };

    /// Only a wall-time limit.
    pub fn wall(limit: Duration) -> Limits {
        Limits {
            wall: Some(limit),
            ..Limits::NONE
        }
    }

    /// Only a conflict limit.
    pub fn conflicts(limit: u64) -> Limits {
        Limits {
            conflicts: Some(limit),
            ..Limits::NONE
        }
    }
}
