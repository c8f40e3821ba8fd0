//! Houdini: the largest inductive subset of candidate invariants.
//!
//! After Flanagan and Leino ("Houdini, an annotation assistant for ESC/Java", FME'01): assume all
//! candidates, drop those that some segment breaks, repeat. What remains is inductive and may be
//! called proved.

use crate::check::{Rejection, follows, is_arithmetic};
use crate::region::{Arrival, Cut, Env, instantiate};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use trellis_ivl::{Loc, Op, Program, Term, Value};
use trellis_solver_api::smt::SmtSession;
use trellis_solver_api::{Answer, SolverError};

/// One way from a cutpoint to the next.
struct Segment {
    from: Option<Loc>,
    reached: Term,
    to: Loc,
    env: Env,
    /// Candidates that arithmetic alone did not show. It would not later, when less is assumed.
    beyond_arithmetic: FxHashSet<Term>,
}

/// The largest subset of `candidates` that is inductive on the flat `program`; candidates at other
/// locations than loop heads are dropped. A candidate the solver cannot decide is dropped too.
pub fn houdini(
    program: &mut Program,
    candidates: &BTreeMap<Loc, Vec<Term>>,
    session: &mut dyn SmtSession,
) -> Result<BTreeMap<Loc, Vec<Term>>, Rejection> {
    if !program.is_flat() {
        return Err(Rejection::Malformed(
            "candidates need a flat program".into(),
        ));
    }
    let heads = Cut::heads(program);
    let mut kept: BTreeMap<Loc, Vec<Term>> = candidates
        .iter()
        .filter(|(l, _)| heads.contains(l))
        .map(|(&l, terms)| (l, terms.clone()))
        .collect();
    let cutpoints: BTreeSet<Loc> = kept.keys().copied().collect();
    let cut = Cut::new(program, &cutpoints, BTreeMap::new());
    let entry = program.entry();
    let tru = program.pool.tru();
    let mut segments = Vec::new();
    let starts = std::iter::once(None).chain(cutpoints.iter().copied().map(Some));
    for from in starts {
        let start = Arrival {
            loc: from.unwrap_or(entry),
            reached: tru,
            env: Env::new(),
        };
        if from.is_none() && cutpoints.contains(&entry) {
            segments.push(Segment {
                from,
                reached: tru,
                to: entry,
                env: Env::new(),
                beyond_arithmetic: FxHashSet::default(),
            });
            continue;
        }
        for end in cut.follow(program, &start) {
            if cutpoints.contains(&end.loc) {
                segments.push(Segment {
                    from,
                    reached: end.reached,
                    to: end.loc,
                    env: end.env,
                    beyond_arithmetic: FxHashSet::default(),
                });
            }
        }
    }
    session.set_kind("houdini");
    loop {
        let mut changed = false;
        for s in &mut segments {
            changed |= weaken(program, s, &mut kept, session)?;
        }
        if !changed {
            return Ok(kept);
        }
    }
}

/// Drops the candidates at the end of `s` that it breaks; whether there were any.
fn weaken(
    program: &mut Program,
    s: &mut Segment,
    kept: &mut BTreeMap<Loc, Vec<Term>>,
    session: &mut dyn SmtSession,
) -> Result<bool, SolverError> {
    let mut changed = false;
    // A solver that gives up on everything must not be asked for ever.
    while !kept[&s.to].is_empty() {
        let mut assumptions = match s.from {
            Some(l) => kept[&l].clone(),
            None => Vec::new(),
        };
        let after: Vec<Term> = kept[&s.to]
            .clone()
            .into_iter()
            .map(|t| instantiate(program, &s.env, t))
            .collect();
        assumptions.push(s.reached);
        // Equations that follow by arithmetic alone need no solver, which may find them too hard.
        let pool = &mut program.pool;
        let mut open = Vec::new();
        for (&t, &there) in kept[&s.to].iter().zip(&after) {
            let is_shown = !session.interrupter().is_set()
                && !s.beyond_arithmetic.contains(&t)
                && is_arithmetic(pool, t)
                && follows(pool, &assumptions, there);
            if !is_shown {
                s.beyond_arithmetic.insert(t);
                open.push(there);
            }
        }
        let all = program.pool.plain_all(Op::And, open.iter().copied());
        assumptions.push(program.pool.plain(Op::Not, &[all]));
        match session.check(&program.pool, &assumptions)? {
            Answer::Unsat => return Ok(changed),
            Answer::Sat => {
                let mut survivors = Vec::new();
                for (&t, &holds) in kept[&s.to].iter().zip(&after) {
                    if session.value(&program.pool, holds)? == Value::Bool(true) {
                        survivors.push(t);
                    }
                }
                kept.insert(s.to, survivors);
            }
            Answer::Unknown(_) => {
                let survivors = kept[&s.to].iter().zip(&after);
                let survivors = survivors.filter(|(_, holds)| !open.contains(holds));
                let survivors: Vec<Term> = survivors.map(|(&t, _)| t).collect();
                kept.insert(s.to, survivors);
            }
        }
        changed = true;
    }
    Ok(changed)
}
