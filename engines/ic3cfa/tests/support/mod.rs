//! Runs of the engine with reference answers: exhaustive exploration, the checker, replay.

pub mod rows;

use std::path::Path;
use trellis_engine_ic3cfa::{Faults, Options, run_with};
use trellis_ivl_certify::{SafetyCertificate, at_heads, check_safe, check_unsafe};
use trellis_ivl_testing::{Rng, Shape, explore, generate};
use trellis_plugin_sdk::ivl::{Op, Program, text};
use trellis_plugin_sdk::solver::SessionConfig;
use trellis_plugin_sdk::solver::smt::{SmtBackend, SmtSession};
use trellis_plugin_sdk::{Level, LocalHost, Task, Verdict};
use trellis_solver_bitblast::Bitblast;
use trellis_solver_cadical::Cadical;

pub fn session() -> Box<dyn SmtSession> {
    let session = Bitblast::new(Cadical).session(&SessionConfig::default());
    session.expect("the embedded solver needs nothing")
}

pub fn parse(path: &Path) -> Program {
    let source = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
    text::parse(&source).unwrap_or_else(|e| panic!("{path:?}: {e}"))
}

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
    match &outcome.verdict {
        Verdict::Safe(certificate) => {
            let certificate = SafetyCertificate {
                k: certificate.k.unwrap_or(1),
                ..SafetyCertificate::inductive(at_heads(program, certificate.invariants.clone()))
            };
            let pool = &outcome.program.pool;
            check_safe(program, pool, &certificate, &mut *session())
                .map_err(|e| format!("the checker says: {e}"))?;
            Ok("safe")
        }
        Verdict::Unwound { .. } => Err("ic3cfa unwinds nothing".into()),
        Verdict::Unsafe(trace) => {
            check_unsafe(program, trace).map_err(|e| e.to_string())?;
            Ok("unsafe")
        }
        Verdict::Unknown(_) => Ok("unknown"),
    }
}

/// A random program that exploration can decide, with what it found: whether an error and whether an incomplete
/// location is reachable.
pub fn random(seed: u64, shape: Shape) -> Option<(Program, bool, bool)> {
    let program = generate::program(&mut Rng::new(seed), shape);
    let pool = &program.pool;
    // The builder and the evaluator do not agree on these.
    let idle = |t| pool.op(t) == Op::ZeroExt && pool.ty(t) == pool.ty(pool.arg(t, 0));
    if !program.is_flat() || pool.terms().any(idle) {
        return None;
    }
    let reached = explore(&program, 4_000)?;
    let targets = reached.targets(&program);
    let error = targets.keys().any(|n| n.starts_with("error"));
    let incomplete = targets.keys().any(|n| n.starts_with("incomplete"));
    Some((program, error, incomplete))
}
