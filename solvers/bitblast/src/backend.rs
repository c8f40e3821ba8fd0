//! Makes bit-blasting sessions on the SAT solver of choice.

use crate::options::Options;
use crate::session::{BitblastSession, NAME};
use std::sync::Arc;
use trellis_solver_api::sat::SatBackend;
use trellis_solver_api::smt::{SmtBackend, SmtSession};
use trellis_solver_api::{Capabilities, OptionSpec, SessionConfig, SolverError};

/// The bit-blaster on a SAT backend.
#[derive(Clone)]
pub struct Bitblast {
    sat: Arc<dyn SatBackend>,
    name: String,
}

impl Bitblast {
    /// Sessions will be on sessions of `sat`.
    pub fn new(sat: impl SatBackend + 'static) -> Bitblast {
        Bitblast {
            name: format!("{NAME}-{}", sat.name()),
            sat: Arc::new(sat),
        }
    }
}

/// What a session can do on a SAT solver that can do `sat`.
pub(crate) fn capabilities(sat: Capabilities) -> Capabilities {
    let inherited = Capabilities::UNSAT_CORE
        | Capabilities::INTERRUPT
        | Capabilities::TIME_LIMIT
        | Capabilities::CONFLICT_LIMIT
        | Capabilities::DETERMINISTIC;
    sat.intersection(inherited)
        | Capabilities::PUSH_POP
        | Capabilities::MODELS
        | Capabilities::ARRAYS
        | Capabilities::ARRAY_EQUALITY
        | Capabilities::MODEL_GENERALIZATION
}

impl SmtBackend for Bitblast {
    fn name(&self) -> &str {
        &self.name
    }

    fn capabilities(&self) -> Capabilities {
        capabilities(self.sat.capabilities())
    }

    fn options(&self) -> Vec<OptionSpec> {
        crate::options::all(self.sat.options())
    }

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SmtSession>, SolverError> {
        let (options, sat) = Options::parse(config)?;
        Ok(Box::new(BitblastSession::new(
            self.sat.clone(),
            sat,
            options,
        )?))
    }
}
