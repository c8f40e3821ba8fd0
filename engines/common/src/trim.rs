//! The part of a set of facts that a proof needs.
//!
//! Engines find many facts at loop heads and use few. Whoever checks the certificate has to show each of them
//! again, so it is worth finding the few: those in an unsatisfiable core of the step, those in a core of the
//! step that keeps these, and so on until nothing is added. What is left is k-inductive by itself.

use crate::ask::try_ask;
use crate::cfa::Cfa;
use crate::induction::{Induction, Targets, conjunctions, reached};
use crate::outcome::Invariants;
use std::collections::{BTreeMap, BTreeSet};
use trellis_ivl::{Loc, Term, TermPool, Type};
use trellis_plugin_sdk::{Certificate, EngineError, Host};
use trellis_solver_api::smt::SmtSession;

/// A fact and the symbol that makes it a hypothesis.
struct Candidate {
    head: Loc,
    fact: Term,
    assumed: Term,
}

/// A proof with as few of `facts` as are found to be enough, if they exclude every target k-inductively. They have
/// to hold at the first `k` visits of every execution already. `None` where the step fails or the solver gives up, or
/// where what `session` was told before has no model (an engine that has shown that no head is reached, and said so):
/// everything follows from that, so its cores tell nothing.
pub fn proof(
    cfa: &mut Cfa,
    session: &mut dyn SmtSession,
    host: &mut dyn Host,
    facts: &BTreeMap<Loc, Vec<Term>>,
    k: usize,
) -> Result<Option<Certificate>, EngineError> {
    if try_ask(session, &cfa.program.pool, &[])? != Some(true) {
        return Ok(None);
    }
    let mut step = Induction::new(cfa);
    step.extend_to(cfa, session, host, k)?;
    let candidates = assume(cfa, session, &mut step, facts, k)?;
    let assumed: Vec<Term> = candidates.iter().map(|c| c.assumed).collect();
    let goal = reached(cfa, &step.unrolling, k, Targets::All);
    let together = |cfa: &mut Cfa, which: &[usize]| -> Invariants {
        let mut by_head: BTreeMap<Loc, Vec<Term>> = BTreeMap::new();
        for c in which.iter().map(|&i| &candidates[i]) {
            by_head.entry(c.head).or_default().push(c.fact);
        }
        conjunctions(cfa, &by_head)
    };
    let needed = needed(cfa, session, &assumed, goal, |cfa, new| {
        let kept = together(cfa, new);
        Ok(step.broken(cfa, k, &kept))
    })?;
    Ok(needed.map(|needed| Certificate::inductive(k as u32, together(cfa, &needed))))
}

/// Which of the `hypotheses` a proof needs, in their order: those that put `goal` out of reach, those that do so with what
/// breaks these, as `broken` says it, and so on. `None` where the solver does not show it.
///
/// # Errors
/// When the solver fails, and what `broken` returns.
pub fn needed(
    cfa: &mut Cfa,
    session: &mut dyn SmtSession,
    hypotheses: &[Term],
    mut goal: Term,
    mut broken: impl FnMut(&mut Cfa, &[usize]) -> Result<Term, EngineError>,
) -> Result<Option<Vec<usize>>, EngineError> {
    let mut needed: BTreeSet<usize> = BTreeSet::new();
    loop {
        let Some(core) = core(&cfa.program.pool, session, hypotheses, goal)? else {
            return Ok(None);
        };
        let new: Vec<usize> = core.into_iter().filter(|&i| needed.insert(i)).collect();
        if new.is_empty() {
            return Ok(Some(needed.into_iter().collect()));
        }
        goal = broken(cfa, &new)?;
    }
}

/// Makes every fact a hypothesis of the visits below `k`, under a symbol of its own.
fn assume(
    cfa: &mut Cfa,
    session: &mut dyn SmtSession,
    step: &mut Induction,
    facts: &BTreeMap<Loc, Vec<Term>>,
    k: usize,
) -> Result<Vec<Candidate>, EngineError> {
    let mut candidates = Vec::new();
    for (&head, list) in facts {
        for &fact in list {
            let symbol = cfa.program.pool.fresh("needed", Type::Bool);
            let assumed = cfa.program.pool.var(symbol);
            let alone = Invariants::from([(head, fact)]);
            for here in step.hypothesis(cfa, k, &alone) {
                let pool = &mut cfa.program.pool;
                let clause = pool.implies(assumed, here);
                session.assert(pool, clause)?;
            }
            candidates.push(Candidate {
                head,
                fact,
                assumed,
            });
        }
    }
    Ok(candidates)
}

/// Which of the `hypotheses` are enough to put `goal` out of reach; `None` where it is not, or not known to be.
fn core(
    pool: &TermPool,
    session: &mut dyn SmtSession,
    hypotheses: &[Term],
    goal: Term,
) -> Result<Option<Vec<usize>>, EngineError> {
    if pool.as_bool(goal) == Some(false) {
        return Ok(Some(Vec::new()));
    }
    let mut query = vec![goal];
    query.extend(hypotheses);
    if try_ask(session, pool, &query)? != Some(false) {
        return Ok(None);
    }
    let core: BTreeSet<Term> = session.unsat_core()?.into_iter().collect();
    let in_core = |i: &usize| core.contains(&hypotheses[*i]);
    Ok(Some((0..hypotheses.len()).filter(in_core).collect()))
}
