//! Z3 where it cannot be loaded.

use trellis_solver_api::smt::{SmtBackend, SmtSession};
use trellis_solver_api::{Capabilities, SessionConfig, SolverError};

/// The backend, which is never there.
#[derive(Clone)]
pub enum Z3 {}

impl Z3 {
    /// Says why it is not there.
    pub fn find() -> Result<Z3, SolverError> {
        Err(SolverError::Unavailable {
            solver: "z3".to_string(),
            reason: "its library is loaded on Linux on x86-64 only; use the program z3 over a pipe"
                .to_string(),
        })
    }
}

impl SmtBackend for Z3 {
    fn name(&self) -> &str {
        match *self {}
    }

    fn capabilities(&self) -> Capabilities {
        match *self {}
    }

    fn session(&self, _: &SessionConfig) -> Result<Box<dyn SmtSession>, SolverError> {
        match *self {}
    }
}
