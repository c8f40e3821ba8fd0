//! The engine as a plugin.

use trellis_engine_common::engine;
use trellis_plugin_sdk::options;

options! {
    /// How to analyse.
    pub struct Options {
        /// Descending passes after the fixpoint, at most.
        narrowing: u32 = 4,
    }
}

engine!(
    Dataflow,
    "dataflow",
    "invariants by abstract interpretation: intervals (also of floats), congruences, equalities",
    |program, session, options, host| crate::run(program, session, options, host)
);
