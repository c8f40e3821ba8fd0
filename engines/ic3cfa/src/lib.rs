//! IC3 on control-flow automata: frames per location, obligations by existential preconditions, lemmas relative to
//! edges (Lange, Neuhausser, Noll, FMCAD'15), and the reuse of what was learnt (Mertens, "Efficient reuse of learnt
//! information for control-flow oriented IC3 algorithms", RWTH Aachen 2016), each technique as an option.
//!
//! Open first: [`run`], the two loops; then [`frames`] and [`edge_query`]. [`predecessor`] makes obligations,
//! [`generalise`] makes lemmas, which decides what the engine can prove; [`equations`] are there from the start. One file each: [`reuse`], [`skip`], [`prune`],
//! [`push`], [`propagate`], [`termination`]. Algorithm, lemma and figure numbers are the thesis's.
//!
//! Deliberately absent: any solver, which is the host's; unrolling of more than one edge; trust in a hint: what ends a
//! run is an inductive set of frames or an execution.

mod automaton;
mod counts;
mod cycles;
mod edge_query;
mod equations;
mod frames;
mod generalise;
mod memory;
mod model;
mod obligation;
mod options;
mod predecessor;
mod project;
mod propagate;
mod prune;
mod push;
mod reuse;
mod run;
mod scratch;
mod share;
mod skip;
mod split;
mod table;
mod termination;
mod trace;

pub use options::{Generalise, Options, Push, Regions, Sessions, Termination};
#[doc(hidden)]
pub use run::Faults;

use run::Run;
use trellis_plugin_sdk::ivl::{LocKind, Trace};
use trellis_plugin_sdk::{
    Engine, EngineError, Host, Info, Level, Task, Verdict, export_engine, info,
};

/// The engine.
pub struct Ic3Cfa;

impl Engine for Ic3Cfa {
    const INFO: Info = info!("ic3cfa" => "IC3 on control-flow automata, with frames per location");
    type Options = Options;

    fn run(options: Options, task: &mut Task, host: &mut dyn Host) -> Result<Verdict, EngineError> {
        run_with(options, Faults::default(), task, host)
    }
}

export_engine!(Ic3Cfa);

/// Runs the engine with wrong conditions switched on.
#[doc(hidden)]
pub fn run_with(
    options: Options,
    faults: Faults,
    task: &mut Task,
    host: &mut dyn Host,
) -> Result<Verdict, EngineError> {
    if !task.program.is_flat() {
        return Err(EngineError::not_flat());
    }
    match &task.program.locs[task.program.entry()].kind {
        LocKind::Plain => {}
        LocKind::Error(_) => return Ok(Verdict::Unsafe(Trace::default())),
        LocKind::Incomplete(reason) => {
            return Ok(Verdict::Unknown(format!("incomplete: {reason}")));
        }
    }
    let mut run = Run::new(options, faults, &mut task.program, host);
    let verdict = run.prove().or_else(EngineError::into_verdict);
    for line in run.figures() {
        run.host.log(Level::Info, &line);
    }
    verdict
}
