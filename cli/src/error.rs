//! Errors of the command line and the exit codes they become.

use std::path::PathBuf;
use std::process::ExitCode;

/// The process ends with this code when an error location was reached.
pub const EXIT_FALSE: u8 = 10;
/// The process ends with this code when nothing was decided.
pub const EXIT_UNKNOWN: u8 = 20;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
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
    /// Our bug.
    #[error("internal error: {0}")]
    Internal(String),
}

impl CliError {
    /// The exit code of the process.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            CliError::Io { .. } | CliError::Input(_) | CliError::Usage(_) | CliError::Limit(_) => {
                ExitCode::from(2)
            }
            CliError::Internal(_) => ExitCode::from(1),
        }
    }
}
