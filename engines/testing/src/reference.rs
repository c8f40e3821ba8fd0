//! Reference answers for engines: exhaustive exploration, the checker, replay.

use std::collections::BTreeMap;
use std::path::Path;
use trellis_engine_common::Outcome;
use trellis_ivl::{FlattenOptions, Program, TermPool, text};
use trellis_ivl_certify::region::Cut;
use trellis_ivl_certify::{
    ContractCertificate, Ghosts, SafetyCertificate, Unwinding, at_heads, check_contracts,
    check_safe, check_script, check_unsafe, check_unwinding,
};
use trellis_ivl_testing::{Rng, Shape, explore, generate};
use trellis_plugin_sdk::Verdict;
use trellis_solver_api::SessionConfig;
use trellis_solver_api::smt::{SmtBackend, SmtSession};
use trellis_solver_bitblast::Bitblast;
use trellis_solver_cadical::Cadical;

/// A session of the embedded solver.
pub fn session() -> Box<dyn SmtSession> {
    let backend = Bitblast::new(Cadical);
    backend
        .session(&SessionConfig::default())
        .expect("the embedded solver needs nothing")
}

/// The program of a file.
///
/// # Panics
/// When there is none.
pub fn parse(path: &Path) -> Program {
    let source = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
    text::parse(&source).unwrap_or_else(|e| panic!("{path:?}: {e}"))
}

/// A program of the corpus by its name, such as `pdr/eq1`.
///
/// # Panics
/// When there is none.
pub fn corpus(name: &str) -> Program {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/ivl");
    parse(&root.join(format!("{name}.ivl")))
}

/// What is true of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truth {
    /// Whether an error location is reachable.
    pub error: bool,
    /// Whether an incomplete location is.
    pub incomplete: bool,
}

impl Truth {
    /// Whether the program is safe.
    pub fn is_safe(self) -> bool {
        !self.error && !self.incomplete
    }
}

/// What is true of `program`, where it has few enough states to explore.
pub fn truth(program: &Program) -> Option<Truth> {
    let targets = explore(program, 4_000)?.targets(program);
    Some(Truth {
        error: targets.keys().any(|n| n.starts_with("error")),
        incomplete: targets.keys().any(|n| n.starts_with("incomplete")),
    })
}

/// The verdict in one word, after its certificate, whose terms are of `pool`, has been checked.
///
/// # Errors
/// Why the certificate was rejected.
pub fn certified(
    program: &Program,
    pool: &TermPool,
    verdict: &Verdict,
) -> Result<&'static str, String> {
    match verdict {
        Verdict::Safe(certificate) => {
            let certificate = SafetyCertificate {
                k: certificate.k.unwrap_or(1),
                ghosts: Ghosts {
                    vars: certificate.ghosts.clone(),
                    hints: certificate.hints.clone(),
                },
                ..SafetyCertificate::inductive(at_heads(program, certificate.invariants.clone()))
            };
            check_safe(program, pool, &certificate, &mut *session())
                .map_err(|e| format!("the checker says: {e}"))?;
            Ok("safe")
        }
        Verdict::Unwound { visits } => {
            let certificate = Unwinding {
                heads: Cut::heads(program),
                lemmas: BTreeMap::new(),
                visits: *visits,
                expansion: FlattenOptions::default(),
            };
            check_unwinding(program, pool, &certificate, &mut *session(), &|| false)
                .map_err(|e| format!("the checker says: {e}"))?;
            Ok("safe")
        }
        Verdict::Contracts(proof) => {
            let certificate = ContractCertificate {
                contracts: proof.contracts.clone(),
                invariants: proof.invariants.clone(),
                k: 1,
            };
            check_contracts(program, pool, &certificate, &mut *session())
                .map_err(|e| format!("the checker says: {e}"))?;
            Ok("safe")
        }
        Verdict::Unsafe(trace) => {
            check_unsafe(program, trace).map_err(|e| e.to_string())?;
            Ok("unsafe")
        }
        Verdict::Scripted(script) => {
            check_script(program, script, &|| false).map_err(|e| e.to_string())?;
            Ok("unsafe")
        }
        Verdict::Unknown(_) => Ok("unknown"),
        other => Err(format!("nobody asked: {other:?}")),
    }
}

/// What a run got right on random programs.
#[derive(Debug, Default)]
pub struct Tally {
    /// How many there were.
    pub programs: usize,
    /// How many are safe.
    pub safe: usize,
    /// How many of these were proved.
    pub safe_found: usize,
    /// How many have an error.
    pub unsafe_: usize,
    /// In how many of these it was found.
    pub unsafe_found: usize,
    /// How many reach an incomplete location and no error.
    pub incomplete: usize,
}

/// Runs `engine` on `count` random programs and compares with exhaustive exploration.
///
/// # Panics
/// With the seed when a verdict is wrong or its certificate is rejected.
pub fn compare(count: usize, shape: Shape, mut engine: impl FnMut(&Program) -> Outcome) -> Tally {
    let mut tally = Tally::default();
    let mut seed = 0;
    while tally.programs < count {
        seed += 1;
        let program = generate::program(&mut Rng::new(seed), shape);
        let Some(truth) = truth(&program) else {
            continue;
        };
        tally.programs += 1;
        let outcome = engine(&program);
        let verdict = match certified(&program, &outcome.pool, &outcome.verdict) {
            Ok(verdict) => verdict,
            Err(why) => panic!("seed {seed}: {why}\n{:?}\n{program}", outcome.verdict),
        };
        match (verdict, truth.error, truth.incomplete) {
            ("safe", false, false) => tally.safe_found += 1,
            ("unsafe", true, _) => tally.unsafe_found += 1,
            ("unknown", ..) => {}
            _ => panic!("seed {seed}: {verdict}, but {truth:?}\n{program}"),
        }
        tally.unsafe_ += usize::from(truth.error);
        tally.safe += usize::from(truth.is_safe());
        tally.incomplete += usize::from(!truth.error && truth.incomplete);
    }
    println!("{tally:?}");
    tally
}

/// An error after three rounds, on the way to which the state decides a choice by variables that no error depends on.
pub const CHOICES: &str = r#"ivl 1;
    proc main() {
      var n: bv8; var y: bv8; var z: bv8;
      loc start entry; loc head; loc bad error "third";
      start -> head { n := 0bv8; havoc y; y := y | 1bv8 };
      head -> head {
        n := n + 1bv8;
        { assume y == 0bv8; z := 1bv8 } [] { assume y != 0bv8; z := 2bv8 }
      };
      head -> bad { assume n == 3bv8 };
    }"#;
