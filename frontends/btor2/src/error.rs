//! What can go wrong, and where in the file.

use std::fmt;
use trellis_ivl::{ReplayError, one_loop};

/// A place in a text; both count from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column, in bytes.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Every failure of this crate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The user's input: not a well-formed, well-typed BTOR2 file.
    #[error("{place}: {problem}")]
    Malformed {
        /// Where.
        place: Place,
        /// What was found and what was expected.
        problem: String,
    },
    /// A limit: a construct of the format that is not supported.
    #[error("{place}: {what} are not supported")]
    Unsupported {
        /// Where.
        place: Place,
        /// What it is.
        what: &'static str,
    },
    /// A limit: a bit-vector wider than any the tool can handle.
    #[error("{place}: a bit-vector of {width} bits exceeds the limit of {limit}")]
    TooWide {
        /// Where.
        place: Place,
        /// The width asked for.
        width: u64,
        /// The widest accepted.
        limit: u32,
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
    /// A limit: the run depends on more array elements than a witness can list.
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
