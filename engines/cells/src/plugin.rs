//! The engine as a plugin.

use trellis_engine_common::engine;
use trellis_plugin_sdk::options;

options! {
    /// How to prove.
    pub struct Options {
        /// Candidate facts per loop head at most.
        max_rows: u32 = 3_000,
        /// Values at which facts are used, per loop head, at most.
        max_values: u32 = 16,
        /// Conflicts per query.
        conflicts: u64 = 100_000,
    }
}

engine!(
    Cells,
    "cells",
    "facts about all cells of arrays and heaps, by templates and Houdini",
    |program, session, options, host| crate::run(program, session, options, host)
);
