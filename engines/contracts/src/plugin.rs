//! The engine as a plugin.

use trellis_plugin_sdk::{
    Engine, EngineError, Host, Info, Level, NoOptions, Task, Verdict, export_engine,
};

/// The engine.
pub struct ContractsEngine;

impl Engine for ContractsEngine {
    const INFO: Info = Info {
        id: "contracts",
        description: "contracts of procedures from executions, selected by induction: proofs of recursive programs",
        licence: "MIT OR Apache-2.0",
        version: env!("CARGO_PKG_VERSION"),
    };
    type Options = NoOptions;

    fn run(_: NoOptions, task: &mut Task, host: &mut dyn Host) -> Result<Verdict, EngineError> {
        let mut session = host.smt_session()?;
        let outcome = crate::run(&task.program, &mut *session, task.seed, host)?;
        for (name, figure) in &outcome.stats {
            host.log(Level::Info, &format!("{name}: {figure}"));
        }
        task.program.pool = outcome.pool;
        Ok(outcome.verdict)
    }
}

export_engine!(ContractsEngine);
