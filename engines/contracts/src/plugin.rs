//! The engine as a plugin.

use trellis_engine_common::decide;
use trellis_plugin_sdk::{
    Engine, EngineError, Host, Info, NoOptions, Task, Verdict, export_engine, info,
};

/// The engine.
pub struct ContractsEngine;

impl Engine for ContractsEngine {
    const INFO: Info = info!("contracts" => "contracts of procedures from executions, selected by induction: proofs of recursive programs");
    type Options = NoOptions;

    fn run(_: NoOptions, task: &mut Task, host: &mut dyn Host) -> Result<Verdict, EngineError> {
        let seed = task.seed;
        decide(task, host, |program, session, host| {
            crate::run(program, session, seed, host)
        })
    }
}

export_engine!(ContractsEngine);
