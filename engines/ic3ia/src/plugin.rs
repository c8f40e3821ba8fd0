//! The engine as a plugin.

use trellis_engine_common::refinement::Source;
use trellis_engine_common::{refining_engine, refining_options};
use trellis_plugin_sdk::option_enum;

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

refining_options! {
    /// How to refine.
    pub struct Options {
        /// Where new predicates come from.
        mode: Mode = Mode::Implicit,
        /// Predicates of a location beyond which single obligations give no more, but only counterexamples.
        max_predicates: Option<u32> where 1..=4_294_967_295 = Some(32),
        /// How many failed attempts to drop a literal are made per cube.
        drop_limit: u32 = 12,
        /// The last iteration, if there is one.
        iterations: Option<u32> where 1..=4_294_967_295 = None,
    }
}

refining_engine!(
    Ic3Ia,
    "ic3ia",
    "IC3 with implicit predicate abstraction, refined by interpolants or single obligations",
    crate::run
);
