//! The engine as a plugin.

use trellis_plugin_sdk::{
    Engine, EngineError, Host, Info, Task, Verdict, export_engine, info, options,
};

options! {
    /// How to search.
    pub struct Options {
        /// Ways round that are tried for each loop, at most.
        ways: u32 = 32,
        /// States from which a set is looked for, of each way, at most.
        seeds: u32 = 6,
        /// Visits of loop heads on the way into a set, at most.
        stem: u32 = 60,
        /// Conflicts of the solver for each query.
        conflicts: u64 = 3_000,
    }
}

/// The engine.
pub struct Lasso;

impl Engine for Lasso {
    const INFO: Info = info!("lasso" => "non-termination by sets of states that are never left");
    type Options = Options;

    fn run(options: Options, task: &mut Task, host: &mut dyn Host) -> Result<Verdict, EngineError> {
        let program = task.program.clone();
        crate::run(&program, &mut task.program.pool, &options, host)
    }
}

export_engine!(Lasso);
