//! The domain of the program's own comparisons: what a program tests is often what it keeps.
//!
//! Each comparison of a guard or an assigned value gives candidate facts for every head at which its
//! variables live: itself, its negation, and both with the border moved by one (a loop that runs while
//! `i < n` keeps `i ≤ n`, one that runs while `i ≤ n` keeps `i ≤ n + 1`). Houdini's way of guessing, with the values found as for any other row.

use crate::domain::Domain;
use crate::related::Related;
use crate::row::{Kind, Row};
use std::collections::BTreeSet;
use trellis_engine_common::Cfa;
use trellis_ivl::{Loc, Op, Scope, Term, TermPool};

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

/// The comparisons between terms over the program's variables.
fn atoms(cfa: &Cfa) -> Vec<Term> {
    let pool = &cfa.program.pool;
    let mut seen = BTreeSet::new();
    let mut atoms = Vec::new();
    for e in cfa.edges() {
        let t = cfa.transfer(e);
        for u in pool.post_order(t.updates.values().copied().chain([t.guard])) {
            let compares = matches!(
                pool.op(u),
                Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle
            );
            if compares && pool.ty(pool.arg(u, 0)).width().is_some() && seen.insert(u) {
                let size = pool.post_order([u]).len();
                let vars = pool.free_vars([u]);
                let own = |v| pool.var_data(v).scope != Scope::Auxiliary;
                if size <= MAX_SIZE && !vars.is_empty() && vars.into_iter().all(own) {
                    atoms.push(u);
                }
            }
        }
    }
    atoms.truncate(MAX_ATOMS);
    atoms
}

fn variants(pool: &mut TermPool, atom: Term) -> Vec<Term> {
    let (a, b) = (pool.arg(atom, 0), pool.arg(atom, 1));
    let one = pool.num(pool.width(a), 1);
    let after_b = pool.bvadd(b, one);
    let before_a = pool.bvsub(a, one);
    match pool.op(atom) {
        Op::Eq => vec![
            atom,
            pool.not(atom),
            pool.bvsle(a, b),
            pool.bvsle(b, a),
            pool.bvule(a, b),
            pool.bvule(b, a),
        ],
        Op::BvUlt | Op::BvUle => vec![
            pool.bvult(a, b),
            pool.bvule(a, b),
            pool.bvule(a, after_b),
            pool.bvult(b, a),
            pool.bvule(b, a),
            pool.bvule(before_a, b),
        ],
        _ => vec![
            pool.bvslt(a, b),
            pool.bvsle(a, b),
            pool.bvsle(a, after_b),
            pool.bvslt(b, a),
            pool.bvsle(b, a),
            pool.bvsle(before_a, b),
        ],
    }
}
