//! The engine as a plugin.

use crate as bmc;
use trellis_engine_common::plugin::decide;
use trellis_plugin_sdk::{Engine, EngineError, Host, Info, Task, Verdict, export_engine, options};

options! {
    /// How to search.
    pub struct Options {
        /// How many visits of loop heads to unroll at most; 0 goes on for ever.
        bound: u32 = 0,
        /// Whether to ask after each segment if the unrolling is complete.
        forward_condition: bool = true,
    }
}

/// The engine.
pub struct Bmc;

impl Engine for Bmc {
    const INFO: Info = Info {
        id: "bmc",
        description: "incremental bounded model checking with a forward condition",
        licence: "MIT OR Apache-2.0",
        version: env!("CARGO_PKG_VERSION"),
    };
    type Options = Options;

    fn run(options: Options, task: &mut Task, host: &mut dyn Host) -> Result<Verdict, EngineError> {
        let options = bmc::Options {
            bound: (options.bound > 0).then_some(options.bound),
            forward_condition: options.forward_condition,
        };
        decide(task, host, |program, session, hooks| {
            bmc::run(program, session, &options, hooks)
        })
    }
}

export_engine!(Bmc);
