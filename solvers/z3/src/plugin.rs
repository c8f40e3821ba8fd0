//! The export: a library of its own, loaded by workers that ask for the solver `z3`.

use crate::Z3;
use trellis_plugin_sdk::{Info, export_solver, info};
use trellis_solver_api::smt::{SmtBackend, SmtSession};
use trellis_solver_api::{Result, SessionConfig, describe};

/// Z3, looked for when a session is wanted.
#[derive(Default)]
pub struct FoundZ3;

impl SmtBackend for FoundZ3 {
    describe!("z3", Z3::CAPABILITIES, crate::OPTIONS);

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SmtSession>> {
        Z3::find()?.session(config)
    }
}

const INFO: Info = info!("z3" => "Z3 by its library, found at run time");

export_solver!(INFO, smt: FoundZ3, Z3::CAPABILITIES, crate::OPTIONS);
