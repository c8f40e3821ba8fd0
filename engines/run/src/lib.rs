//! Execution as an engine: the program runs, fast and often, until it meets an error.
//!
//! It is compiled to instructions ([`trellis_ivl::compiled`]) and executed from many inputs: extremes first, then constants of the
//! program, what inputs were compared with, and changes of inputs that reached something new. Beside many short executions goes
//! a long one, a slice at a time, so that an error behind a hundred million rounds of a loop is met as well. Nothing of
//! the way is kept: an error is claimed by what its execution was given, and the host repeats that.
//!
//! It takes programs with calls and recursion (`original = true` in a pipeline), which it executes on a stack.
//!
//! Open first: [`search`]; [`guide`] leads an execution, [`dictionary`] has the values, [`texts`] those of several characters, [`corpus`] what was reached, [`concolic`] asks
//! a solver for what nobody has guessed, with [`symbols`] for what was given, [`files`] keeps inputs for the next time.
//!
//! Deliberately absent: proofs of any kind.

pub mod concolic;
pub mod corpus;
pub mod dictionary;
pub mod files;
pub mod guide;
pub mod places;
pub mod search;
pub mod symbols;
pub mod texts;

use files::Folder;
use search::{Found, Search};
use std::time::Duration;
use trellis_ivl::Compiled;
use trellis_plugin_sdk::{
    Engine, EngineError, Host, Info, Level, Task, Verdict, export_engine, info, options,
};

options! {
    /// How long to try.
    pub struct Options {
        /// Milliseconds without anything new after which it gives up.
        patience: Option<u64> where 1..=9_223_372_036_854_775_807 = Some(1_500),
        /// The same for an execution that reads nothing, and so is the only one.
        alone: Option<u64> where 1..=9_223_372_036_854_775_807 = Some(10_000),
        /// Executions after which it gives up.
        executions: Option<u64> where 1..=9_223_372_036_854_775_807 = None,
        /// A folder of inputs to begin with, and to keep those that reach something new.
        corpus: Option<String> = None,
    }
}

/// The engine.
pub struct Run;

impl Engine for Run {
    const INFO: Info =
        info!("run" => "fast executions steered by coverage; finds errors, proves nothing");
    type Options = Options;

    fn run(options: Options, task: &mut Task, host: &mut dyn Host) -> Result<Verdict, EngineError> {
        let compiled = match Compiled::new(&task.program) {
            Ok(compiled) => compiled,
            Err(e) => return Ok(Verdict::Unknown(e.to_string())),
        };
        let limits = search::Limits {
            patience: options.patience.map(Duration::from_millis),
            alone: options.alone.map(Duration::from_millis),
            executions: options.executions,
        };
        let mut search = Search::new(&task.program, &compiled, task.seed, limits);
        if let Some(path) = &options.corpus {
            let (folder, files) = Folder::open(path).map_err(EngineError::Options)?;
            search.keep_in(folder, files);
        }
        let found = search.run(host);
        if let Some(why) = search.not_kept() {
            host.log(Level::Warn, why);
        }
        Ok(match found {
            Found::Error(script) => Verdict::Scripted(script),
            Found::Nothing(why) => Verdict::Unknown(why),
        })
    }
}

export_engine!(Run);
