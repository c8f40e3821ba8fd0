//! The engine as a plugin.

use trellis_engine_common::decide;
use trellis_plugin_sdk::{Engine, EngineError, Host, Info, Task, Verdict, export_engine, options};

options! {
    /// How to analyse.
    pub struct Options {
        /// Descending passes after the fixpoint, at most.
        narrowing: u32 = 4,
    }
}

/// The engine.
pub struct Dataflow;

impl Engine for Dataflow {
    const INFO: Info = Info {
        id: "dataflow",
        description: "invariants by abstract interpretation: intervals, congruences, equalities",
        licence: "MIT OR Apache-2.0",
        version: env!("CARGO_PKG_VERSION"),
    };
    type Options = Options;

    fn run(options: Options, task: &mut Task, host: &mut dyn Host) -> Result<Verdict, EngineError> {
        decide(task, host, |program, session, host| {
            crate::run(program, session, &options, host)
        })
    }
}

export_engine!(Dataflow);
