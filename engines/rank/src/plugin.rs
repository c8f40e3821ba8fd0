//! The engine as a plugin.

use trellis_plugin_sdk::{
    Engine, EngineError, Host, Info, Task, Verdict, export_engine, info, options,
};

options! {
    /// How to search.
    pub struct Options {
        /// Components of a rank, at most.
        components: u32 = 10,
        /// Conflicts of the solver for each query.
        conflicts: u64 = 20_000,
        /// Candidates for components of each loop, at most.
        candidates: u32 = 320,
    }
}

/// The engine.
pub struct Rank;

impl Engine for Rank {
    const INFO: Info = info!("rank" => "termination by lexicographic ranking functions");
    type Options = Options;

    fn run(options: Options, task: &mut Task, host: &mut dyn Host) -> Result<Verdict, EngineError> {
        let mut session = host.smt_session()?;
        crate::run(&task.program, session.as_mut(), &options, host)
    }
}

export_engine!(Rank);
