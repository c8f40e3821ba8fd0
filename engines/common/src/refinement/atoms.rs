//! Formulas taken apart: literals, and the atoms that a formula is made of.
//!
//! An *atom* is a formula without boolean structure, in one of its two polarities, always the same: no negation, and
//! strict comparisons rather than weak ones. A *literal* is an atom or its negation.

use rustc_hash::{FxHashMap, FxHashSet};
use trellis_ivl::{Op, Term, TermPool, Type};

/// If-then-elses inside one atom that are resolved; beyond, the atom stays as it is.
const MAX_SPLITS: usize = 6;

/// The atom of a literal.
pub fn atom(pool: &mut TermPool, literal: Term) -> Term {
    match pool.op(literal) {
        Op::Not | Op::BvUle | Op::BvSle => pool.not(literal),
        _ => literal,
    }
}

/// The atoms of `formula`, in the order of their first occurrence; those with if-then-elses inside are
/// split into those of the branches.
pub fn atoms(pool: &mut TermPool, formula: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut open = vec![formula];
    while let Some(t) = open.pop() {
        if !seen.insert(t) {
            continue;
        }
        match pool.op(t) {
            Op::BoolConst => {}
            Op::And | Op::Or | Op::Not => open.extend(pool.args(t).rev()),
            Op::Ite => open.extend(pool.args(t).rev()),
            Op::Eq if pool.ty(pool.arg(t, 0)) == Type::Bool => open.extend(pool.args(t).rev()),
            _ => {
                for (part, is_condition) in split(pool, t) {
                    if is_condition {
                        open.push(part);
                    } else if pool.as_bool(part).is_none() {
                        found.push(atom(pool, part));
                    }
                }
            }
        }
    }
    let mut once = FxHashSet::default();
    found.retain(|&t| once.insert(t));
    found
}

/// The atom `t` with its if-then-elses resolved both ways, and the conditions of these.
fn split(pool: &mut TermPool, whole: Term) -> Vec<(Term, bool)> {
    let mut done = Vec::new();
    let mut open = vec![whole];
    let mut splits = 0;
    while let Some(t) = open.pop() {
        let order = pool.post_order([t]);
        let Some(&ite) = order.iter().find(|&&u| pool.op(u) == Op::Ite) else {
            done.push((t, false));
            continue;
        };
        splits += 1;
        if splits > MAX_SPLITS {
            // Its parts alone would not decide it.
            return vec![(whole, false)];
        }
        let (condition, yes, no) = (pool.arg(ite, 0), pool.arg(ite, 1), pool.arg(ite, 2));
        done.push((condition, true));
        for branch in [no, yes] {
            open.push(replace(pool, &order, ite, branch));
        }
    }
    done
}

/// The last term of `order`, a post-order, with one subterm replaced.
fn replace(pool: &mut TermPool, order: &[Term], old: Term, new: Term) -> Term {
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    let mut args = Vec::with_capacity(3);
    for &u in order {
        if u == old {
            done.insert(u, new);
            continue;
        }
        args.clear();
        args.extend(pool.args(u).map(|a| done[&a]));
        let changed = pool.args(u).zip(&args).any(|(a, &b)| a != b);
        let t = if changed { pool.rebuild(u, &args) } else { u };
        done.insert(u, t);
    }
    done[order.last().expect("a term has a post-order")]
}
