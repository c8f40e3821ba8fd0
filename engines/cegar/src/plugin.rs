//! The engine as a plugin.

use crate as cegar;
use trellis_engine_common::plugin::decide;
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

option_enum! {
    /// Who makes interpolants.
    pub enum Source {
        /// Predicates, models and cores; the solver where they do not suffice.
        Predicates = "predicates",
        /// The solver: its own, or those that the host adds to any solver.
        Solver = "solver",
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
        max_cubes: u32 = cegar::Options::default().max_cubes,
        /// The last refinement; 0 goes on for ever.
        refinements: u32 = 0,
    }
}

impl Options {
    /// As the algorithm takes them.
    pub fn algorithm(&self) -> cegar::Options {
        cegar::Options {
            mode: match self.mode {
                Mode::Predicates => cegar::Mode::Predicates,
                Mode::Impact => cegar::Mode::Impact,
            },
            abstraction: match self.abstraction {
                Abstraction::Boolean => cegar::Abstraction::Boolean,
                Abstraction::Cartesian => cegar::Abstraction::Cartesian,
            },
            order: match self.order {
                Order::Breadth => cegar::Order::Breadth,
                Order::Depth => cegar::Order::Depth,
                Order::Topological => cegar::Order::Topological,
            },
            interpolants: match self.interpolants {
                Source::Predicates => cegar::Source::Predicates,
                Source::Solver => cegar::Source::Solver,
            },
            sources: cegar::Sources {
                guards: self.guards,
                wp: self.wp,
                templates: self.templates,
            },
            max_cubes: self.max_cubes,
            refinements: self.refinements,
        }
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
        let options = options.algorithm();
        decide(task, host, |program, session, hooks| {
            cegar::run(program, session, &options, hooks)
        })
    }
}

export_engine!(Cegar);
