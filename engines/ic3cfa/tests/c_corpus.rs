//! The corpus of C programs under a covering set of options: through the passes, the engine and back, certified.

#[allow(dead_code, reason = "other tests use the rest")]
mod support;

use std::collections::BTreeMap;
use support::decide;
use support::rows::{options, pairs};
use trellis_e2e::corpus::{self, Task};
use trellis_engine_ic3cfa::{Faults, Options};
use trellis_engine_testing::session;
use trellis_frontend_c::lower::Properties;
use trellis_frontend_c::program::{self, compile_files};
use trellis_ivl_certify::{Rejection, SafetyCertificate, at_heads, check_safe, check_unsafe};
use trellis_ivl_passes::parse_list;
use trellis_plugin_sdk::Verdict;
use trellis_plugin_sdk::ivl::Program;
use trellis_plugin_sdk::solver::Limits;

/// The passes of the pipeline `ic3cfa`.
const PASSES: &str = "inline, (propagate, slice, dce)*, bisim, lbe(limit=100)";

fn compile(task: &Task) -> Program {
    let mut properties = Properties::NONE;
    assert!(properties.add(&task.property), "{task:?}");
    let options = program::Options {
        properties,
        ..program::Options::default()
    };
    match compile_files(std::slice::from_ref(&task.path), &options) {
        Ok(compiled) => compiled.lowered.program,
        Err(e) => panic!("{}: {e}", task.name()),
    }
}

/// The certified verdict in one word; `unknown` also where the checker gives up.
fn certified(original: &Program, options: &Options) -> Result<&'static str, String> {
    let mut small = original.clone();
    let passes = parse_list(PASSES, &[]).map_err(|e| e.to_string())?;
    let report = passes.run(&mut small).map_err(|e| e.to_string())?;
    let mut back = report.back;
    let mut outcome = decide(&small, options, Faults::default());
    let claim = match outcome.verdict {
        Verdict::Unwound { .. } | Verdict::Scripted(_) => {
            return Err("ic3cfa unwinds and executes nothing".into());
        }
        Verdict::Unknown(_) => return Ok("unknown"),
        Verdict::Unsafe(trace) => {
            let trace = back.trace(&mut outcome.program, trace);
            let trace = trace.map_err(|e| e.to_string())?;
            check_unsafe(original, &trace).map(|_| "false")
        }
        Verdict::Safe(claimed) => {
            let claimed_heads = at_heads(&outcome.program, claimed.invariants);
            let proof = back.proof(&mut outcome.program, claimed_heads);
            let certificate = SafetyCertificate {
                lemmas: proof.lemmas,
                k: claimed.k.unwrap_or(1),
                ..SafetyCertificate::inductive(proof.invariants)
            };
            let mut session = session();
            session.set_limits(Limits::conflicts(20_000));
            check_safe(original, &outcome.program.pool, &certificate, &mut *session)
                .map(|()| "true")
        }
    };
    match claim {
        Err(Rejection::Undecided { .. }) => Ok("unknown"),
        claim => claim.map_err(|e| e.to_string()),
    }
}

/// Runs every task with the rows that `choose` takes for its number; how many runs gave an answer, of how many.
fn sweep(choose: impl Fn(usize, usize) -> Vec<usize>) -> (usize, usize) {
    let rows = pairs();
    let (mut answers, mut runs) = (0, 0);
    let mut by_row: BTreeMap<usize, usize> = BTreeMap::new();
    for (n, task) in corpus::all().iter().enumerate() {
        let original = compile(task);
        for row in choose(n, rows.len()) {
            // Where a run panics, the last line tells which it was.
            println!("{} {} row {row}", task.name(), task.property);
            let options = Options {
                iterations: Some(6),
                effort: Some(100),
                conflicts: Some(500),
                queries: Some(2000),
                ..options(&rows[row])
            };
            let verdict = certified(&original, &options)
                .unwrap_or_else(|e| panic!("{} {}: {e}\n{options:?}", task.name(), task.property));
            let expected = if task.expected { "true" } else { "false" };
            if verdict != "unknown" {
                assert_eq!(verdict, expected, "{} {options:?}", task.name());
                answers += 1;
                *by_row.entry(row).or_default() += 1;
            }
            runs += 1;
        }
    }
    println!("{answers} answers in {runs} runs, by row: {by_row:?}");
    (answers, runs)
}

/// No answer is wrong, and every one is certified. One row on one task in five by default;
/// `TRELLIS_CORPUS=full` takes every row on every task, which takes many minutes.
#[test]
fn every_pair_of_options_agrees_on_the_corpus() {
    let full = std::env::var("TRELLIS_CORPUS").is_ok_and(|v| v == "full");
    let (answers, runs) = sweep(|n, rows| match full {
        true => (0..rows).collect(),
        false if n % 5 == 0 => vec![n / 5 % rows],
        false => Vec::new(),
    });
    assert!(4 * answers > runs, "{answers} of {runs}");
}
