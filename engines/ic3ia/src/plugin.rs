//! The engine as a plugin.

use trellis_engine_common::plugin::decide;
use trellis_engine_common::refinement::{Source, Sources};
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
        /// Predicates of a location beyond which single obligations give no more, but only counterexamples; 0 is no limit.
        max_predicates: u32 = 32,
        /// How many failed attempts to drop a literal are made per cube.
        drop_limit: u32 = 12,
        /// The last iteration; 0 goes on for ever.
        iterations: u32 = 0,
        /// The last refinement; 0 goes on for ever.
        refinements: u32 = 0,
    }
}

impl Options {
    /// Where predicates of interpolants come from.
    pub fn sources(&self) -> Sources {
        Sources {
            guards: self.guards,
            wp: self.wp,
            templates: self.templates,
        }
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
        decide(task, host, |program, session, hooks| {
            crate::run(program, session, &options, hooks)
        })
    }
}

export_engine!(Ic3Ia);
