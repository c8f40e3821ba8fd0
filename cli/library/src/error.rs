//! Why there is no verdict at all.

use std::path::PathBuf;

/// Why something could not be done.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file cannot be read or written. (User input.)
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// An input is malformed; the message has its places. (User input.)
    #[error("{0}")]
    Input(String),
    /// Options that do not fit together or name what does not exist. (User input.)
    #[error("{0}")]
    Usage(String),
    /// The system does not give what is needed. (A limit.)
    #[error("{0}")]
    Limit(String),
    /// The time was over, or somebody wanted an end, before the program was read. (A limit.)
    #[error("{0}")]
    Stopped(String),
    /// Our bug.
    #[error("internal error: {0}")]
    Internal(String),
}
