//! The checker of justice: no run meets all conditions again and again, or this one does.
//!
//! # What is checked
//! The program that watches the property ([`trellis_ivl::justice`], where it is said why that is enough) is made here, of
//! the program of the front end, the property and the claimant's measure. That it has no reachable error is a question of safety,
//! and any proof of safety will do.
//!
//! The opposite is shown by a lasso of the program whose steps say what they meet. That it is an execution and can go round for ever, [`check_lasso`]
//! says; that every condition is met on the way round is read off its choices. The conditions that a step says to meet are
//! assumptions on its way, so what they read is among what must come back.

use crate::check::Rejection;
use crate::lasso::{Repeat, check_lasso};
use crate::termination::{SafetyProof, check_proof, check_snapshot};
use trellis_ivl::justice::{Justice, Measure, observed, watch};
use trellis_ivl::one_loop::OneLoop;
use trellis_ivl::termination::Lasso;
use trellis_ivl::{FlattenOptions, Program, TermPool};
use trellis_solver_api::smt::SmtSession;

/// Why no run meets all conditions again and again.
#[derive(Clone)]
pub struct JusticeProof {
    /// By what it would be seen.
    pub measure: Measure,
    /// The claimant's terms, whose variables are the watching program's.
    pub pool: TermPool,
    /// Why that program is safe.
    pub proof: SafetyProof,
}

/// Accepts the proof, or says what is wrong with it. The session must be fresh; once `stopped` holds, the answer is undecided.
pub fn check_justice(
    program: &Program,
    graph: &OneLoop,
    justice: &Justice,
    proof: &JusticeProof,
    session: &mut dyn SmtSession,
    stopped: &dyn Fn() -> bool,
) -> Result<(), Rejection> {
    match &proof.measure {
        Measure::Count(0) => return Err(Rejection::Malformed("it counts to nothing".into())),
        Measure::Count(_) => {}
        Measure::Snapshot(vars) => check_snapshot(program, vars)?,
    }
    let watched = watch(program, graph, justice, &proof.measure);
    check_proof(
        &watched.program,
        &proof.pool,
        &proof.proof,
        session,
        stopped,
    )
}

/// Accepts a lasso of the observed program whose loop meets every condition, and says what comes back.
pub fn check_just_lasso(
    program: &Program,
    graph: &OneLoop,
    justice: &Justice,
    lasso: &Lasso,
) -> Result<Repeat, Rejection> {
    let observed = observed(program, graph, justice);
    let repeat = check_lasso(&observed.program, lasso, &FlattenOptions::default())?;
    let around = &lasso.trace.steps[lasso.start..];
    let conditions = justice.conditions.len();
    if around
        .iter()
        .any(|s| s.edge != observed.step || s.choices.len() != conditions)
    {
        let why = "the loop has other choices than which conditions are met";
        return Err(Rejection::Malformed(why.into()));
    }
    let never = (0..conditions).find(|&i| around.iter().all(|s| s.choices[i] != 0));
    match never {
        Some(i) => Err(Rejection::Refuted(format!(
            "the loop does not say where it meets condition {i}"
        ))),
        None => Ok(repeat),
    }
}
