//! The engine as a plugin.

use trellis_engine_common::decide;
use trellis_plugin_sdk::{
    Engine, EngineError, Host, Info, Task, Verdict, export_engine, info, options,
};

options! {
    /// What to look for.
    pub struct Options {
        /// Keep everything that is inductive, not only what excludes the errors: for questions that are asked afterwards.
        all: bool = false,
        /// Look for contracts where calls are few and could be expanded, too.
        always: bool = false,
    }
}

/// The engine.
pub struct ContractsEngine;

impl Engine for ContractsEngine {
    const INFO: Info = info!("contracts" => "contracts of procedures from executions, selected by induction: proofs of recursive programs");
    type Options = Options;

    fn run(options: Options, task: &mut Task, host: &mut dyn Host) -> Result<Verdict, EngineError> {
        let seed = task.seed;
        decide(task, host, |program, session, host| {
            crate::run(program, &options, session, seed, host)
        })
    }
}

export_engine!(ContractsEngine);
