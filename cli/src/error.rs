//! Errors of the command line and the exit codes they become.

use std::process::ExitCode;
use trellis::Error;

/// The process ends with this code when an error location was reached.
pub const EXIT_FALSE: u8 = 10;
/// The process ends with this code when nothing was decided.
pub const EXIT_UNKNOWN: u8 = 20;

/// The exit code of the process.
pub fn exit_code(e: &Error) -> ExitCode {
    match e {
        Error::Io { .. } | Error::Input(_) | Error::Usage(_) | Error::Limit(_) => ExitCode::from(2),
        Error::Stopped(_) => ExitCode::from(EXIT_UNKNOWN),
        Error::Internal(_) => ExitCode::from(1),
    }
}
