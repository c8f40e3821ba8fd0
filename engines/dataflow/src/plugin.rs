//! The engine as a plugin.

use crate as dataflow;
use trellis_engine_common::plugin::decide;
use trellis_plugin_sdk::{Engine, EngineError, Host, Info, Task, Verdict, export_engine, options};

options! {
    /// How to analyse.
    pub struct Options {
        /// Descending passes after the fixpoint, at most.
        narrowing: u32 = dataflow::Options::default().narrowing,
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
        let options = dataflow::Options {
            narrowing: options.narrowing,
        };
        decide(task, host, |program, session, hooks| {
            dataflow::run(program, session, &options, hooks)
        })
    }
}

export_engine!(Dataflow);
