//! IC3 on bits: proves transition systems safe by inductive invariants made of clauses, or finds
//! the way to an error.
//!
//! The program must be a transition system (one loop location: what hardware front ends make and the
//! pass `monolithic` establishes). It becomes a circuit once ([`system`]), is shrunk
//! ([`constants`], [`equivalent`]), and the algorithm ([`ic3`]) works on cubes of its latches. What it
//! finds is told in terms of the program again: an invariant at the loop location, or a trace.
//!
//! Open first: [`ic3`], then [`block`], [`mic`], [`lift`], [`propagate`]; [`sat`] is the solver.
//!
//! Arrays become words of all their elements, or are abstracted by the cells that matter ([`memory`]).
//!
//! Deliberately absent: unrolling (that is `bmc`), words and arrays inside of the algorithm, and use of
//! the host's solver sessions, see [`sat`].

pub mod activity;
pub mod aig;
pub mod blast;
pub mod block;
pub mod certificate;
pub mod cnf;
pub mod constants;
pub mod cube;
pub mod equivalent;
pub mod frames;
pub mod ic3;
pub mod lift;
pub mod lit;
pub mod memory;
pub mod mic;
pub mod model;
pub mod obligation;
pub mod predict;
pub mod propagate;
pub mod sat;
pub mod shrink;
pub mod signals;
pub mod simulate;
pub mod stats;
pub mod stuck;
pub mod sweep;
pub mod system;
pub mod words;

use aig::Aig;
use certificate::Facts;
use ic3::{Ic3, Outcome};
use model::Model;
use std::collections::BTreeMap;
use system::{NoSystem, System};
use trellis_ivl_passes::transition::check_shape;
use trellis_plugin_sdk::ivl::{LocKind, Program, Term, Trace};
use trellis_plugin_sdk::{
    Certificate, Engine, EngineError, Host, Info, Level, Task, Verdict, export_engine, info,
    option_enum, options,
};

option_enum! {
    /// What becomes of arrays.
    pub enum Memories {
        /// Words of all their elements where these are few enough, and cells otherwise.
        Auto = "auto",
        /// Words of all their elements.
        Words = "words",
        /// The cells that matter, found by counterexamples.
        Cells = "cells",
    }
}

options! {
    /// How to search.
    pub struct Options {
        /// What becomes of arrays.
        memories: Memories = Memories::Auto,
        /// Whether to remove latches that are constant.
        constants: bool = true,
        /// Whether to merge latches that are always equal or always opposite.
        equivalent: bool = true,
        /// Whether to merge gates that are equal or opposite in all states.
        sweep: bool = true,
        /// Whether to eliminate gates from the clauses of the step relation.
        eliminate: bool = true,
        /// How often to shrink a lifted predecessor with the order of its literals reversed.
        lift_rounds: u32 = 2,
        /// Whether to guess lemmas from those that almost hold.
        predict: bool = true,
        /// Queries of a first run that drops literals without regard to counterexamples to generalisation; a run by the options
        /// below follows where that does not decide.
        plain: u32 = 1 << 16,
        /// Whether the effort of generalisation follows how often obligations come back.
        dynamic: bool = false,
        /// Without `dynamic`: depth of blocking counterexamples to generalisation; 0 is none.
        ctg_depth: u32 = 1,
        /// Without `dynamic`: how many of them to block in a row.
        ctgs: u32 = 3,
    }
}

/// Gates of the reduced model at most: every level has a solver with all of their clauses, some 200 bytes for each.
const MAX_NODES: usize = 1 << 21;

/// The host wants its answer now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop;

/// How hard to generalise.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Nesting of counterexamples to generalisation.
    pub depth: u32,
    /// How many of them to block in a row.
    pub ctgs: u32,
}

/// The engine.
pub struct Ic3Engine;

impl Engine for Ic3Engine {
    const INFO: Info = info!("ic3" => "bit-level IC3 for transition systems: hardware, and programs after `monolithic`");
    type Options = Options;

    fn run(options: Options, task: &mut Task, host: &mut dyn Host) -> Result<Verdict, EngineError> {
        let unsafe_or_open = |kind: &LocKind| *kind != LocKind::Plain;
        match decide(&options, &mut task.program, host, unsafe_or_open)? {
            Decided::Reached(LocKind::Incomplete(reason), _) => {
                // Errors elsewhere may still be found, but nothing be proved.
                let errors = |kind: &LocKind| matches!(kind, LocKind::Error(_));
                match decide(&options, &mut task.program, host, errors)? {
                    Decided::Reached(_, trace) => Ok(Verdict::Unsafe(trace)),
                    Decided::Stopped(why) => Ok(Verdict::Unknown(why)),
                    Decided::Safe(_) => Ok(Verdict::Unknown(format!("incomplete: {reason}"))),
                }
            }
            Decided::Reached(_, trace) => Ok(Verdict::Unsafe(trace)),
            Decided::Safe(certificate) => Ok(Verdict::Safe(certificate)),
            Decided::Stopped(why) => Ok(Verdict::Unknown(why)),
        }
    }
}

export_engine!(Ic3Engine);

enum Decided {
    Safe(Certificate),
    Reached(LocKind, Trace),
    Stopped(String),
}

fn decide(
    options: &Options,
    program: &mut Program,
    host: &mut dyn Host,
    wanted: impl Fn(&LocKind) -> bool,
) -> Result<Decided, EngineError> {
    let as_cells = memory::has_arrays(program)
        && match options.memories {
            Memories::Words => false,
            Memories::Cells => true,
            Memories::Auto => !memory::are_small(program),
        };
    match as_cells {
        true => memory::decide(options, program, host, &wanted),
        false => bits(options, program, host, &wanted, &[]),
    }
}

/// Decides a program whose arrays, if it has any, are small enough to be words.
fn bits(
    options: &Options,
    program: &mut Program,
    host: &mut dyn Host,
    wanted: &dyn Fn(&LocKind) -> bool,
    hints: &[Term],
) -> Result<Decided, EngineError> {
    let mut system = match System::new(program, wanted, hints, &mut || host.cancelled()) {
        Ok(system) => system,
        Err(NoSystem::Shape(e)) => return Err(EngineError::Program(e.to_string())),
        Err(NoSystem::Size(e)) => return Ok(Decided::Stopped(e.0)),
    };
    let mut facts = Facts::default();
    let mut model = prepare(options, &system.model, &mut facts, host);
    // What is told of a run or a proof needs the latches, and not the gates.
    system.model.aig = Aig::default();
    if host.cancelled() {
        return Ok(Decided::Stopped("cancelled".into()));
    }
    if model.aig.len() > MAX_NODES {
        let n = model.aig.len();
        let why = format!("{n} gates that matter: at most {MAX_NODES} can be worked on");
        return Ok(Decided::Stopped(why));
    }
    signals::add(&mut model);
    let outcome = search(options, &model, host);
    match outcome {
        Err(Stop) => Ok(Decided::Stopped("cancelled".into())),
        Ok(Outcome::Safe(cubes)) => {
            facts.exclude(&model, &cubes);
            let head = check_shape(program)
                .map_err(|e| EngineError::Internal(e.to_string()))?
                .head;
            let invariant = facts.invariant(&system, &model, &mut program.pool);
            Ok(Decided::Safe(Certificate {
                invariants: BTreeMap::from([(head, invariant)]),
                ..Certificate::default()
            }))
        }
        Ok(Outcome::Unsafe(cube, inputs)) => {
            let (state, steps) = simulate::run(&system, &model, &cube, &inputs);
            match system.trace(program, &state, &steps) {
                Some((loc, trace)) => Ok(Decided::Reached(program.locs[loc].kind.clone(), trace)),
                None => Err(EngineError::Internal(
                    "the counterexample does not replay".into(),
                )),
            }
        }
    }
}

/// Decides the model: by a plain run of so many queries at first, since which generalisation suits a model shows only on the way.
fn search(options: &Options, model: &Model, host: &mut dyn Host) -> Result<Outcome, Stop> {
    if options.plain > 0 {
        let plain = Options {
            ctg_depth: 0,
            dynamic: false,
            ..options.clone()
        };
        let outcome = attempt(&plain, model, u64::from(options.plain), host);
        if outcome.is_ok() || host.cancelled() {
            return outcome;
        }
    }
    attempt(options, model, u64::MAX, host)
}

/// One run with at most so many queries.
fn attempt(
    options: &Options,
    model: &Model,
    queries: u64,
    host: &mut dyn Host,
) -> Result<Outcome, Stop> {
    let mut stop = || host.cancelled();
    let mut ic3 = Ic3::new(model, options, queries, &mut stop);
    let outcome = ic3.run().map(|outcome| match outcome {
        Outcome::Safe(cubes) => Outcome::Safe(ic3.shrink(cubes)),
        found => found,
    });
    let report = report(&mut ic3);
    host.log(Level::Info, &report);
    outcome
}

/// Shrinks the model, and notes why that is right.
fn prepare(options: &Options, model: &Model, facts: &mut Facts, host: &mut dyn Host) -> Model {
    let mut model = model.reduced(&vec![None; model.latches.len()]);
    let size = |m: &Model| format!("{} latches, {} nodes", m.latches.len(), m.aig.len());
    let before = size(&model);
    if options.constants {
        let found = constants::constants(&model);
        facts.note(&model, &found);
        model = model.reduced(&found);
    }
    if options.equivalent && model.aig.len() <= MAX_NODES {
        let found = equivalent::equivalent(&model, &mut || host.cancelled());
        facts.note(&model, &found);
        model = model.reduced(&found);
    }
    if options.sweep {
        model = sweep::swept(&model, &mut || host.cancelled());
    }
    let after = size(&model);
    host.log(Level::Info, &format!("cone: {before}; reduced: {after}"));
    model
}

fn report(ic3: &mut Ic3<'_>) -> String {
    let stats = ic3.stats();
    let times = ic3.timer.report();
    format!(
        "level {}, {} lemmas guessed, lemmas {:?}, {stats:?}, {times}",
        ic3.level(),
        ic3.predicted,
        ic3.frames.sizes()
    )
}
