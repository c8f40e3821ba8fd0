//! Tests of solvers that need not be installed.

use crate::SolverError;
use std::io::Write;

/// What was found, or nothing and a message past the capture of the test harness: a test that is skipped in
/// silence is a test that nobody misses. Where `CI` is `true` everything has to be there.
pub fn installed<T>(found: Result<T, SolverError>) -> Option<T> {
    match found {
        Ok(found) => Some(found),
        Err(e) if std::env::var("CI").is_ok_and(|ci| ci == "true") => panic!("{e}"),
        Err(e) => {
            let _ = writeln!(std::io::stderr(), "SKIPPED: {e}");
            None
        }
    }
}
