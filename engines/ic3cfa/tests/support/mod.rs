//! Runs of the engine with reference answers: exhaustive exploration, the checker, replay.

pub mod rows;

use trellis_engine_ic3cfa::{Faults, Options, run_with};
use trellis_engine_testing::{Truth, truth};
use trellis_ivl_testing::{Rng, Shape, generate};
use trellis_plugin_sdk::ivl::Program;
use trellis_plugin_sdk::{Level, LocalHost, Task, Verdict};
use trellis_solver_bitblast::Bitblast;
use trellis_solver_cadical::Cadical;

pub struct Outcome {
    pub verdict: Verdict,
    pub program: Program,
    pub log: Vec<String>,
}

/// Runs the engine on a copy of `program`.
pub fn decide(program: &Program, options: &Options, faults: Faults) -> Outcome {
    let mut task = Task::new(program.clone());
    let mut host = LocalHost::new(Bitblast::new(Cadical));
    let verdict = run_with(options.clone(), faults, &mut task, &mut host)
        .unwrap_or_else(|e| panic!("{e}\n{options:?}\n{program}"));
    let log = host.messages.into_iter();
    Outcome {
        verdict,
        program: task.program,
        log: log
            .filter(|(level, _)| *level <= Level::Info)
            .map(|(_, m)| m)
            .collect(),
    }
}

/// The verdict in one word, or why its certificate was rejected.
pub fn certified(program: &Program, outcome: &Outcome) -> Result<&'static str, String> {
    trellis_engine_testing::certified(program, &outcome.program.pool, &outcome.verdict)
}

/// A flat random program that exploration can decide, with what it found.
pub fn random(seed: u64, shape: Shape) -> Option<(Program, Truth)> {
    let program = generate::program(&mut Rng::new(seed), shape);
    let truth = program.is_flat().then(|| truth(&program))??;
    Some((program, truth))
}
