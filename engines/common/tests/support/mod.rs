//! Reference answers for engines: exhaustive exploration, the checker, replay.

use std::collections::BTreeMap;
use trellis_engine_common::{Outcome, Verdict};
use trellis_ivl::{FlattenOptions, Op, Program};
use trellis_ivl_certify::region::Cut;
use trellis_ivl_certify::{
    SafetyCertificate, Unwinding, at_heads, check_safe, check_unsafe, check_unwinding,
};
use trellis_ivl_testing::{Rng, Shape, explore, generate};
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

/// What is true of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truth {
    pub error: bool,
    pub incomplete: bool,
}

/// The verdict in one word, after its certificate has been checked.
pub fn certified(program: &Program, outcome: &Outcome) -> Result<&'static str, String> {
    match &outcome.verdict {
        Verdict::Safe(proof) => {
            let certificate = SafetyCertificate {
                k: proof.k,
                ..SafetyCertificate::inductive(at_heads(program, proof.invariants.clone()))
            };
            check_safe(program, &outcome.pool, &certificate, &mut *session())
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
            let (pool, go_on) = (&outcome.pool, &|| false);
            check_unwinding(program, pool, &certificate, &mut *session(), go_on)
                .map_err(|e| format!("the checker says: {e}"))?;
            Ok("safe")
        }
        Verdict::Unsafe(trace) => {
            check_unsafe(program, trace).map_err(|e| e.to_string())?;
            Ok("unsafe")
        }
        Verdict::Unknown(_) => Ok("unknown"),
    }
}

/// What a run got right on random programs.
#[derive(Debug, Default)]
pub struct Tally {
    pub programs: usize,
    pub safe: usize,
    pub safe_found: usize,
    pub unsafe_: usize,
    pub unsafe_found: usize,
    pub incomplete: usize,
}

/// Whether some term extends a bit-vector to the width it has. The builder takes every zero extension for
/// one with a zero sign bit, so such programs have no agreed meaning.
fn has_idle_extension(program: &Program) -> bool {
    let pool = &program.pool;
    pool.terms()
        .any(|t| pool.op(t) == Op::ZeroExt && pool.ty(t) == pool.ty(pool.arg(t, 0)))
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
        if has_idle_extension(&program) {
            continue;
        }
        let Some(reachable) = explore(&program, 4_000) else {
            continue;
        };
        tally.programs += 1;
        let targets = reachable.targets(&program);
        let truth = Truth {
            error: targets.keys().any(|n| n.starts_with("error")),
            incomplete: targets.keys().any(|n| n.starts_with("incomplete")),
        };
        let outcome = engine(&program);
        let verdict = match certified(&program, &outcome) {
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
        tally.safe += usize::from(
            truth
                == Truth {
                    error: false,
                    incomplete: false,
                },
        );
        tally.incomplete += usize::from(!truth.error && truth.incomplete);
    }
    println!("{tally:?}");
    tally
}
