//! The domain of the program's own comparisons: what a program tests is often what it keeps.
//!
//! Each comparison of a guard or an assigned value gives candidate facts for every head at which its
//! variables live: itself, its negation, and both with the border moved by one (a loop that runs while
//! `i < n` keeps `i ≤ n`, one that runs while `i ≤ n` keeps `i ≤ n + 1`). Houdini's way of guessing, with the values found as for any other row.

use crate::domain::Domain;
use crate::related::Related;
use crate::row::{Kind, Row};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use trellis_engine_common::{Cfa, terms::replace};
use trellis_ivl::{Loc, Op, Scope, Term, TermPool, Transfer, Var};

/// Comparisons of larger terms are no candidates.
const MAX_SIZE: usize = 24;
/// Comparisons at most.
const MAX_ATOMS: usize = 48;

/// The domain.
pub struct Guards;

impl Domain for Guards {
    fn name(&self) -> &'static str {
        "guards"
    }

    fn rows(&self, cfa: &mut Cfa, _: &Related, head: Loc) -> Vec<Row> {
        let kind = Kind::Fact;
        let mut rows = Vec::new();
        for atom in atoms(cfa) {
            if cfa.can_say(head, atom) {
                let facts = variants(&mut cfa.program.pool, atom);
                rows.extend(facts.into_iter().map(|expr| Row { head, expr, kind }));
            }
        }
        rows
    }
}

/// The comparisons between terms over the program's variables. An input that a variable holds after the edge stands
/// for that variable: what is assumed about `n := input()` is assumed about `n`. So does any other term that a variable holds: where `n := b - a`, what is
/// assumed about `b - a` is assumed about `n`.
fn atoms(cfa: &mut Cfa) -> Vec<Term> {
    let mut seen = BTreeSet::new();
    let mut atoms = Vec::new();
    for e in cfa.edges().collect::<Vec<_>>() {
        let t = cfa.transfer(e).clone();
        let pool = &mut cfa.program.pool;
        let held = held(pool, &t);
        let inputs: FxHashMap<Var, Term> = held
            .iter()
            .filter_map(|(&value, &own)| Some((pool.as_var(value)?, own)))
            .collect();
        for u in pool.post_order(t.updates.values().copied().chain([t.guard])) {
            if compares(pool, u) {
                let plain = pool.substitute(u, &inputs);
                for atom in [plain, replace(pool, u, &held)] {
                    if is_candidate(pool, atom) && seen.insert(atom) {
                        atoms.push(atom);
                    }
                }
            }
        }
    }
    atoms.truncate(MAX_ATOMS);
    atoms
}

/// What stands for terms after an edge: the variables that hold them.
pub(crate) fn held(pool: &mut TermPool, t: &Transfer) -> FxHashMap<Term, Term> {
    let mut held = FxHashMap::default();
    for (&v, &value) in &t.updates {
        let input = pool.as_var(value);
        let stands = input.map_or(!pool.is_const(value), |i| t.inputs.contains(&i));
        if stands {
            let own = pool.var(v);
            held.entry(value).or_insert(own);
        }
    }
    held
}

pub(crate) fn compares(pool: &TermPool, t: Term) -> bool {
    let op = pool.op(t);
    matches!(op, Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle)
        && pool.ty(pool.arg(t, 0)).width().is_some()
}

/// Whether `t` is a comparison that is small enough, and of the program's variables alone.
pub(crate) fn is_candidate(pool: &TermPool, t: Term) -> bool {
    compares(pool, t)
        && !pool.free_vars([t]).is_empty()
        && is_of_program(pool, &[t])
        && pool.post_order([t]).len() <= MAX_SIZE
}

/// Whether terms are of the program's variables alone.
pub(crate) fn is_of_program(pool: &TermPool, terms: &[Term]) -> bool {
    let vars = pool.free_vars(terms.iter().copied());
    let own = |&v: &Var| pool.var_data(v).scope != Scope::Auxiliary;
    vars.iter().all(own)
}

fn variants(pool: &mut TermPool, atom: Term) -> Vec<Term> {
    let (a, b) = (pool.arg(atom, 0), pool.arg(atom, 1));
    match pool.op(atom) {
        Op::Eq => vec![
            atom,
            pool.not(atom),
            pool.bvsle(a, b),
            pool.bvsle(b, a),
            pool.bvule(a, b),
            pool.bvule(b, a),
        ],
        Op::BvUlt | Op::BvUle => around(pool, TermPool::bvult, TermPool::bvule, a, b),
        _ => around(pool, TermPool::bvslt, TermPool::bvsle, a, b),
    }
}

type Comparison = fn(&mut TermPool, Term, Term) -> Term;

/// A comparison, its converse, and their neighbours.
fn around(
    pool: &mut TermPool,
    less: Comparison,
    at_most: Comparison,
    a: Term,
    b: Term,
) -> Vec<Term> {
    let one = pool.num(pool.width(a), 1);
    let after_b = pool.bvadd(b, one);
    let before_a = pool.bvsub(a, one);
    vec![
        less(pool, a, b),
        at_most(pool, a, b),
        at_most(pool, a, after_b),
        less(pool, b, a),
        at_most(pool, b, a),
        at_most(pool, before_a, b),
    ]
}
