//! The engine as a plugin.

use crate as dataflow;
use trellis_engine_common::plugin::decide;
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
        let options = dataflow::Options {
            narrowing: options.narrowing,
        };
        decide(task, host, |program, session, hooks| {
            dataflow::run(program, session, &options, hooks)
        })
    }
}

export_engine!(Dataflow);

#[cfg(test)]
mod tests {
    use super::*;

    /// The plugin's are literals, so that its schema tells them.
    #[test]
    fn the_defaults_are_those_of_the_library() {
        let narrowing = dataflow::Options::default().narrowing;
        assert_eq!(Options::default().narrowing, narrowing);
    }
}
