//! Conditions of any boolean structure, for domains that understand atoms.
//!
//! A condition is taken apart into conjuncts without recursion along chains. A conjunct that is a disjunction
//! splits the state, each case is restricted by its own disjunct, and what is left is joined: on
//! the product of all domains, so that one domain may refute a case for the others. Guards of large
//! blocks are deep, so splits nest only [`DEPTH`] levels.

use crate::state::AbstractState;
use rustc_hash::FxHashSet;
use trellis_ivl::{Op, Term, TermPool};

/// How deeply cases are split within cases.
const DEPTH: u32 = 3;
/// A disjunction of more cases than this is left to the domains' evaluation.
const MAX_CASES: usize = 12;

/// A condition and the value it is to have.
type Literal = (Term, bool);

/// Restricts `state` to states in which `cond` is `value`; false where there are none.
pub fn assume<S: AbstractState>(
    state: &mut S,
    pool: &mut TermPool,
    cond: Term,
    value: bool,
) -> bool {
    restrict(state, pool, &[(cond, value)], DEPTH)
}

fn restrict<S: AbstractState>(
    state: &mut S,
    pool: &mut TermPool,
    all: &[Literal],
    depth: u32,
) -> bool {
    let conjuncts = parts(pool, all, true);
    // Twice, so that later conjuncts help earlier ones.
    for _ in 0..2 {
        for &(t, value) in &conjuncts {
            if !state.assume_atom(pool, t, value) {
                return false;
            }
        }
        if depth == 0 {
            return true;
        }
        for &(t, value) in &conjuncts {
            if !split(state, pool, (t, value), depth) {
                return false;
            }
        }
    }
    true
}

/// Splits at a conjunct that is a disjunction; leaves others alone.
fn split<S: AbstractState>(
    state: &mut S,
    pool: &mut TermPool,
    literal: Literal,
    depth: u32,
) -> bool {
    let Some(cases) = cases(pool, literal) else {
        return true;
    };
    let mut joined: Option<S> = None;
    for case in cases {
        let mut here = state.clone();
        if restrict(&mut here, pool, &case, depth - 1) {
            match &mut joined {
                Some(s) => s.join(pool, &here),
                None => joined = Some(here),
            }
        }
    }
    match joined {
        Some(s) => {
            *state = s;
            true
        }
        None => false,
    }
}

/// The cases of a disjunction, each a conjunction; `None` for anything else and for too many.
fn cases(pool: &TermPool, (t, value): Literal) -> Option<Vec<Vec<Literal>>> {
    match (pool.op(t), value) {
        (Op::And, false) | (Op::Or, true) => {
            let cases = parts(pool, &[(t, value)], false);
            (cases.len() <= MAX_CASES).then(|| cases.into_iter().map(|c| vec![c]).collect())
        }
        (Op::Ite, _) => {
            let (c, a, b) = (pool.arg(t, 0), pool.arg(t, 1), pool.arg(t, 2));
            Some(vec![
                vec![(c, true), (a, value)],
                vec![(c, false), (b, value)],
            ])
        }
        _ => None,
    }
}

/// The conjuncts of `all` together (or the disjuncts of each), negations pushed inwards, each once, in order.
fn parts(pool: &TermPool, all: &[Literal], conjunction: bool) -> Vec<Literal> {
    let mut found = Vec::new();
    let mut seen: FxHashSet<Literal> = FxHashSet::default();
    let mut todo: Vec<Literal> = all.iter().rev().copied().collect();
    while let Some((t, value)) = todo.pop() {
        if !seen.insert((t, value)) {
            continue;
        }
        match pool.op(t) {
            Op::Not => todo.push((pool.arg(t, 0), !value)),
            op @ (Op::And | Op::Or) if (op == Op::And) == (value == conjunction) => {
                todo.extend(pool.args(t).rev().map(|a| (a, value)));
            }
            _ => found.push((t, value)),
        }
    }
    found
}
