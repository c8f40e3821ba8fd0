//! The engine as a plugin.

use trellis_engine_common::decide;
use trellis_plugin_sdk::{Engine, EngineError, Host, Info, Task, Verdict, export_engine, options};

options! {
    /// How to prove.
    pub struct Options {
        /// Candidate facts per loop head at most.
        max_rows: u32 = 600,
        /// Values at which facts are used, per loop head, at most.
        max_values: u32 = 12,
        /// Conflicts per query.
        conflicts: u64 = 100_000,
    }
}

/// The engine.
pub struct Cells;

impl Engine for Cells {
    const INFO: Info = Info {
        id: "cells",
        description: "facts about all cells of arrays and heaps, by templates and Houdini",
        licence: "MIT OR Apache-2.0",
        version: env!("CARGO_PKG_VERSION"),
    };
    type Options = Options;

    fn run(options: Options, task: &mut Task, host: &mut dyn Host) -> Result<Verdict, EngineError> {
        decide(task, host, |program, session, host| {
            crate::run(program, session, &options, host)
        })
    }
}

export_engine!(Cells);
