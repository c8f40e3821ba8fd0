//! What can go wrong, and where in the file.

use std::fmt;
use trellis_ivl::{ReplayError, one_loop};

/// A place in an AIGER file or witness: text is counted in lines, binary files in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line, from 1.
    Line(usize),
    /// A byte offset, from 0.
    Byte(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(line) => write!(f, "line {line}"),
            Place::Byte(offset) => write!(f, "byte {offset}"),
        }
    }
}

/// Every failure of this crate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The user's input: not a well-formed AIGER file.
    #[error("{place}: {problem}")]
    Malformed {
        /// Where.
        place: Place,
        /// What was found and what was expected.
        problem: String,
    },
    /// A limit: the header claims more than a file of this size can reasonably hold.
    #[error(
        "{place}: the header claims {claimed} {what}, more than the {limit} accepted for a file \
         of {size} bytes"
    )]
    Limit {
        /// Where.
        place: Place,
        /// What is claimed.
        what: &'static str,
        /// The number in the header.
        claimed: u64,
        /// The largest number accepted.
        limit: u64,
        /// The file's length.
        size: usize,
    },
    /// The user's input: not a well-formed witness.
    #[error("witness, {place}: {problem}")]
    Witness {
        /// Where.
        place: Place,
        /// What was found and what was expected.
        problem: String,
    },
    /// The user's input: the witness does not fit the model or does not show what it claims.
    #[error("the witness is wrong: {0}")]
    Refuted(String),
    /// A limit: the run cannot be written down in the format.
    #[error("the run cannot be written as a witness: {0}")]
    Unwritable(String),
    /// What may fail for every model of hardware.
    #[error(transparent)]
    Loop(#[from] one_loop::Error),
}

impl From<ReplayError> for Error {
    fn from(e: ReplayError) -> Error {
        Error::Loop(e.into())
    }
}
