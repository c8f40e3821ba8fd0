//! Verdicts on programs whose every execution ends within the unrolling.
//!
//! That an unrolling is complete and free of errors is a proof, which the checker repeats by an unwinding of its own.
//! Invariants say more to a reader and are checked without unwinding, so one kind of them is tried first where anything
//! was left to a solver: at each head the disjunction over all visits of what is constant there (a loop counter is). A
//! program that is merely executed is executed by the checker too.

use crate::ask::go_on;
use crate::cfa::Cfa;
use crate::induction::{Induction, instantiate};
use crate::outcome::Invariants;
use crate::unroll::Unrolling;
use std::collections::BTreeMap;
use trellis_ivl::{Loc, Term};
use trellis_plugin_sdk::{Certificate, EngineError, Host, Verdict};
use trellis_solver_api::Limits;
use trellis_solver_api::smt::SmtSession;

/// What finding out whether invariants are inductive may cost: the unwinding is there already.
const CONFLICTS: u64 = 20_000;

/// The verdict on a program of which `base` covers all executions, none of them reaching a target.
///
/// # Errors
/// When the solver fails, or somebody asks to stop.
pub fn verdict(
    cfa: &mut Cfa,
    session: &mut dyn SmtSession,
    host: &mut dyn Host,
    base: &Unrolling,
    induction: &mut Induction,
) -> Result<Verdict, EngineError> {
    // Where no state had to be named, all conditions are constants.
    let is_executed = base.stats().definitions == 0 && !cfa.heads().is_empty();
    let invariants = match is_executed {
        true => Ok(None),
        false => certificate(cfa, session, host, base, induction),
    };
    match invariants {
        Ok(Some(proof)) => Ok(Verdict::Safe(proof)),
        Ok(None) | Err(EngineError::GaveUp(_)) => {
            go_on(host)?;
            // Nothing arrives at the last layer.
            let visits = base.segments().saturating_sub(1);
            let visits = u32::try_from(visits).unwrap_or(u32::MAX);
            Ok(Verdict::Unwound { visits })
        }
        Err(e) => Err(e),
    }
}

/// Invariants for a program of which `base` covers all executions, none of them reaching a target.
/// `None` where no certificate is found.
fn certificate(
    cfa: &mut Cfa,
    session: &mut dyn SmtSession,
    host: &mut dyn Host,
    base: &Unrolling,
    induction: &mut Induction,
) -> Result<Option<Certificate>, EngineError> {
    session.set_kind("certificate");
    if cfa.heads().is_empty() {
        return Ok(Some(Certificate::inductive(1, Invariants::new())));
    }
    let invariants = layer_constants(cfa, base);
    session.set_limits(Limits::conflicts(CONFLICTS));
    let holds = induction.step_holds(cfa, session, host, 1, &invariants);
    session.set_limits(Limits::NONE);
    Ok(holds?.then(|| Certificate::inductive(1, invariants)))
}

/// Per head the disjunction over its visits of the constants there.
fn layer_constants(cfa: &mut Cfa, base: &Unrolling) -> Invariants {
    let mut cases: BTreeMap<Loc, Vec<Term>> =
        cfa.heads().iter().map(|&h| (h, Vec::new())).collect();
    for layer in 0..=base.segments() {
        for (&head, state) in base.front(layer) {
            let Some(list) = cases.get_mut(&head) else {
                continue;
            };
            let mut parts = Vec::new();
            for v in cfa.live(head).to_vec() {
                let value = state.env[&v];
                let pool = &mut cfa.program.pool;
                if pool.is_const(value) {
                    let own = pool.var(v);
                    parts.push(pool.eq(own, value));
                }
            }
            list.push(cfa.program.pool.and_all(parts));
        }
    }
    cases
        .into_iter()
        .map(|(h, list)| (h, cfa.program.pool.or_all(list)))
        .collect()
}

/// Whether the invariants hold at every visit in `base`.
pub fn holds_in(
    cfa: &mut Cfa,
    session: &mut dyn SmtSession,
    base: &Unrolling,
    invariants: &Invariants,
) -> Result<bool, EngineError> {
    let mut broken = Vec::new();
    for layer in 0..=base.segments() {
        for (head, state) in base.front(layer) {
            if let Some(&fact) = invariants.get(head) {
                let pool = &mut cfa.program.pool;
                let here = instantiate(pool, &state.env, fact);
                let not_here = pool.not(here);
                broken.push(pool.and(state.guard, not_here));
            }
        }
    }
    let any = cfa.program.pool.or_all(broken);
    Ok(!crate::ask::ask(session, &cfa.program.pool, &[any])?)
}
