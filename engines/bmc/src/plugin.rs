//! The engine as a plugin.

use trellis_engine_common::engine;
use trellis_plugin_sdk::options;

options! {
    /// How to search.
    pub struct Options {
        /// How many visits of loop heads to unroll at most, if there is a limit.
        bound: Option<u32> where 1..=4_294_967_295 = None,
        /// Whether to ask after each segment if the unrolling is complete.
        forward_condition: bool = true,
        /// Whether to unwind loop by loop first, each to its end, as long as none goes on for more than this many
        /// rounds by input; 0 never does. An error found so need not be a shortest.
        unwind: u32 where 0..=1_000_000 = 0,
    }
}

engine!(
    Bmc,
    "bmc",
    "incremental bounded model checking with a forward condition",
    |program, session, options, host| crate::run(program, session, options, host)
);
