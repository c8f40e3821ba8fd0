//! Errors of the command line and the exit codes they become.

use std::process::ExitCode;
pub use trellis::Error as CliError;

/// The process ends with this code when an error location was reached.
pub const EXIT_FALSE: u8 = 10;
/// The process ends with this code when nothing was decided.
pub const EXIT_UNKNOWN: u8 = 20;

/// The exit code of the process.
pub fn exit_code(e: &CliError) -> ExitCode {
    match e {
        CliError::Io { .. } | CliError::Input(_) | CliError::Usage(_) | CliError::Limit(_) => {
            ExitCode::from(2)
        }
        CliError::Stopped(_) => ExitCode::from(EXIT_UNKNOWN),
        CliError::Internal(_) => ExitCode::from(1),
    }
}
