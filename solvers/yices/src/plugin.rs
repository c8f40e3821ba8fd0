//! The export: a library of its own with the licence of Yices, loaded by workers that ask for the solver `yices`.

use crate::Yices;
use trellis_plugin_sdk::{Info, export_solver, info};
use trellis_solver_api::smt::{SmtBackend, SmtSession};
use trellis_solver_api::{Result, SessionConfig, describe};

/// Yices, looked for when a session is wanted.
#[derive(Default)]
pub struct FoundYices;

impl SmtBackend for FoundYices {
    describe!("yices", Yices::CAPABILITIES, crate::OPTIONS);

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SmtSession>> {
        Yices::find()?.session(config)
    }
}

const INFO: Info = info!("yices" => "Yices 2 by its library, found at run time");

export_solver!(INFO, smt: FoundYices, Yices::CAPABILITIES, crate::OPTIONS);
