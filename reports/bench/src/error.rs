//! Why a benchmark cannot be run or reported.

use std::path::PathBuf;

/// All but [`BenchError::Changed`] and the last are malformed input.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// A file cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// A file that is not what it should be.
    #[error("{path}: {what}")]
    Malformed {
        /// The file, perhaps with a line.
        path: String,
        /// What is wrong.
        what: String,
    },
    /// A set without tasks.
    #[error("{0}")]
    Nothing(String),
    /// Results of another configuration.
    #[error(
        "{path} holds results of another run ({what}); choose another file, or --fresh to begin again"
    )]
    Changed {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: String,
    },
    /// Runs could not be handed to other machines, or did not come back from them.
    #[error("--on {0}")]
    Cluster(String),
    /// The keeper of a job failed: our bug, or the machine's.
    #[error("a job could not be watched: {0}")]
    Keeper(std::io::Error),
}

impl BenchError {
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> BenchError {
        let path = path.into();
        move |error| BenchError::Io { path, error }
    }

    pub(crate) fn malformed(
        path: impl std::fmt::Display,
        what: impl std::fmt::Display,
    ) -> BenchError {
        BenchError::Malformed {
            path: path.to_string(),
            what: what.to_string(),
        }
    }
}
