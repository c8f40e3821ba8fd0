//! The engine as a plugin.

use trellis_engine_common::refinement::Source;
use trellis_engine_common::{refining_engine, refining_options};
use trellis_plugin_sdk::option_enum;

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

refining_options! {
    /// How to refine.
    pub struct Options {
        /// What the labels of the graph are.
        mode: Mode = Mode::Predicates,
        /// How precise successors are in terms of predicates.
        abstraction: Abstraction = Abstraction::Boolean,
        /// Which node is explored next.
        order: Order = Order::Topological,
        /// Valuations of one successor beyond which it is a Cartesian one.
        max_cubes: u32 = 64,
    }
}

refining_engine!(
    Cegar,
    "cegar",
    "lazy abstraction by predicates or interpolants, refined from counterexamples",
    crate::run
);
