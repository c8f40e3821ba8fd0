//! The engine as a plugin.

use trellis_engine_common::decide;
use trellis_engine_common::refinement::{Faults, Source};
use trellis_plugin_sdk::{
    Engine, EngineError, Host, Info, Task, Verdict, export_engine, option_enum, options,
};

option_enum! {
    /// What the labels of the graph are.
    pub enum Mode {
        /// Valuations of predicates.
        Predicates = "predicates",
        /// Interpolants; nothing is abstracted, covering is by queries.
        Impact = "impact",
    }
}

option_enum! {
    /// How precise successors are in terms of predicates.
    pub enum Abstraction {
        /// All valuations of the predicates, one node each.
        Boolean = "boolean",
        /// The literals that all of them share.
        Cartesian = "cartesian",
    }
}

option_enum! {
    /// Which node is explored next.
    pub enum Order {
        /// The one with the shortest path.
        Breadth = "breadth",
        /// The one with the longest path.
        Depth = "depth",
        /// The one whose location is first in the program.
        Topological = "topological",
    }
}

options! {
    /// How to refine.
    pub struct Options {
        /// What the labels of the graph are.
        mode: Mode = Mode::Predicates,
        /// How precise successors are in terms of predicates.
        abstraction: Abstraction = Abstraction::Boolean,
        /// Which node is explored next.
        order: Order = Order::Topological,
        /// Who makes interpolants.
        interpolants: Source = Source::Predicates,
        /// Whether interpolants are made of guards of the program and constants of its variables.
        guards: bool = true,
        /// Whether they are made of weakest preconditions along the path.
        wp: bool = true,
        /// Whether they are made of comparisons of variables with each other and with values.
        templates: bool = true,
        /// Valuations of one successor beyond which it is a Cartesian one.
        max_cubes: u32 = 64,
        /// The last refinement, if there is one.
        refinements: Option<u32> where 1..=4_294_967_295 = None,
    }
}

/// The engine.
pub struct Cegar;

impl Engine for Cegar {
    const INFO: Info = Info {
        id: "cegar",
        description: "lazy abstraction by predicates or interpolants, refined from counterexamples",
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

export_engine!(Cegar);
