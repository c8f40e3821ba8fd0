//! Verdicts on programs whose every execution ends within the unrolling.
//!
//! That an unrolling is complete and free of errors is a proof, which the checker repeats by an unwinding of its own.
//! Invariants say more to a reader, and are checked without unwinding, so two ways to them are tried first, each
//! checked to be inductive before it is offered:
//!
//! - *layers*: at head h, the disjunction over all visits of what is constant there (a loop counter is);
//! - *remainder*: the state at h is one from which the program ends within the remaining visits without
//!   error, as a formula. It exists where no input is read after the first visit of a head: inputs would
//!   have to be quantified.

use crate::cfa::Cfa;
use crate::error::EngineError;
use crate::induction::{Induction, Targets, instantiate, reached, trivial, visited};
use crate::unroll::Unrolling;
use crate::verdict::{Hooks, Invariants, Proof, Verdict, go_on};
use std::collections::BTreeMap;
use trellis_ivl::{Loc, Term};
use trellis_solver_api::smt::SmtSession;

/// The longest unrolling that is turned into a remainder formula.
const MAX_REMAINDER: usize = 256;

/// The verdict on a program of which `base` covers all executions, none of them reaching a target.
///
/// # Errors
/// When the solver fails, or somebody asks to stop.
pub fn verdict(
    cfa: &mut Cfa,
    session: &mut dyn SmtSession,
    hooks: &mut dyn Hooks,
    base: &Unrolling,
    induction: &mut Induction,
) -> Result<Verdict, EngineError> {
    match certificate(cfa, session, hooks, base, induction) {
        Ok(Some(proof)) => Ok(Verdict::Safe(proof)),
        Ok(None) | Err(EngineError::GaveUp(_)) => {
            go_on(hooks)?;
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
    hooks: &mut dyn Hooks,
    base: &Unrolling,
    induction: &mut Induction,
) -> Result<Option<Proof>, EngineError> {
    session.set_kind("certificate");
    if cfa.heads().is_empty() {
        return Ok(Some(Proof {
            k: 1,
            invariants: Invariants::new(),
        }));
    }
    let layers = layer_constants(cfa, base);
    if induction.step_holds(cfa, session, hooks, 1, &layers)? {
        return Ok(Some(Proof {
            k: 1,
            invariants: layers,
        }));
    }
    let depth = base.segments();
    if depth <= MAX_REMAINDER {
        induction.extend_to(cfa, session, hooks, depth)?;
        if let Some(invariants) = remainder(cfa, induction, depth)
            && induction.step_holds(cfa, session, hooks, 1, &invariants)?
            && holds_in(cfa, session, base, &invariants)?
        {
            return Ok(Some(Proof { k: 1, invariants }));
        }
    }
    Ok(None)
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

/// Per head the states from which every execution ends within `depth` segments, without error; `None` where
/// that depends on inputs.
fn remainder(cfa: &mut Cfa, induction: &Induction, depth: usize) -> Option<Invariants> {
    let unrolling = &induction.unrolling;
    let mut parts = vec![visited(cfa, unrolling, depth)];
    for segment in 1..=depth {
        parts.push(reached(cfa, unrolling, segment, Targets::All));
    }
    let bad = cfa.program.pool.or_all(parts);
    let mut invariants = trivial(cfa);
    for head in cfa.heads().to_vec() {
        let map = unrolling.start_at(&mut cfa.program.pool, head);
        let pool = &mut cfa.program.pool;
        let here = unrolling.unfold(pool, bad, &map);
        if !cfa.can_say(head, here) {
            return None;
        }
        let inv = cfa.program.pool.not(here);
        invariants.insert(head, inv);
    }
    Some(invariants)
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
    Ok(!crate::verdict::ask(session, &cfa.program.pool, &[any])?)
}
