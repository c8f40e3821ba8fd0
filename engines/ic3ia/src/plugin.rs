//! The engine as a plugin.

use trellis_engine_common::decide;
use trellis_engine_common::refinement::{Faults, Source};
use trellis_plugin_sdk::{
    Engine, EngineError, Host, Info, Task, Verdict, export_engine, option_enum, options,
};

option_enum! {
    /// Where new predicates come from.
    pub enum Mode {
        /// Interpolants of spurious counterexamples: implicit abstraction.
        Implicit = "implicit",
        /// Single obligations, as soon as one is too coarse: CTIGAR.
        CtigarEager = "ctigar-eager",
        /// Single obligations, when a spurious counterexample goes through them: CTIGAR.
        CtigarLazy = "ctigar-lazy",
    }
}

options! {
    /// How to refine.
    pub struct Options {
        /// Where new predicates come from.
        mode: Mode = Mode::Implicit,
        /// Who makes interpolants.
        interpolants: Source = Source::Predicates,
        /// Whether interpolants are made of guards of the program and constants of its variables.
        guards: bool = true,
        /// Whether they are made of weakest preconditions along the path.
        wp: bool = true,
        /// Whether they are made of comparisons of variables with each other and with values.
        templates: bool = true,
        /// Predicates of a location beyond which single obligations give no more, but only counterexamples.
        max_predicates: Option<u32> where 1..=4_294_967_295 = Some(32),
        /// How many failed attempts to drop a literal are made per cube.
        drop_limit: u32 = 12,
        /// The last iteration, if there is one.
        iterations: Option<u32> where 1..=4_294_967_295 = None,
        /// The last refinement, if there is one.
        refinements: Option<u32> where 1..=4_294_967_295 = None,
    }
}

/// The engine.
pub struct Ic3Ia;

impl Engine for Ic3Ia {
    const INFO: Info = Info {
        id: "ic3ia",
        description: "IC3 with implicit predicate abstraction, refined by interpolants or single obligations",
        licence: "MIT OR Apache-2.0",
        version: env!("CARGO_PKG_VERSION"),
    };
    type Options = Options;

    fn run(options: Options, task: &mut Task, host: &mut dyn Host) -> Result<Verdict, EngineError> {
        decide(task, host, |program, session, host| {
            crate::run(program, session, &options, Faults::default(), host)
        })
    }
}

export_engine!(Ic3Ia);
