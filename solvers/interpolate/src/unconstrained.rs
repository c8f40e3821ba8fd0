//! Variables that occur once.
//!
//! A variable that is to be eliminated and has a single occurrence makes its surroundings any value as far up
//! as these are bijective in it (Brummayer, Biere, "Effective bit-width and under-approximation", 2009, call it
//! unconstrained). Where that ends in a conjunct, the conjunct becomes a condition on the rest of it, or
//! goes.

use rustc_hash::{FxHashMap, FxHashSet};
use trellis_ivl::{Bv, Op, Term, TermPool, Var};

/// Simplifies the conjuncts that an unconstrained variable reaches; whether there were any.
pub(crate) fn drop_unconstrained(
    pool: &mut TermPool,
    all: &mut [Term],
    kept: &impl Fn(Var) -> bool,
) -> bool {
    let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
    let order = pool.post_order(all.iter().copied());
    for &t in &order {
        for a in pool.args(t) {
            *uses.entry(a).or_default() += 1;
        }
    }
    for &t in all.iter() {
        *uses.entry(t).or_default() += 1;
    }
    let once = |t: Term| uses.get(&t) == Some(&1);
    let mut free: FxHashSet<Term> = FxHashSet::default();
    for &t in &order {
        let is_free = once(t)
            && match pool.op(t) {
                Op::Var => !kept(pool.as_var(t).expect("a variable node")),
                Op::Not | Op::BvNot | Op::BvNeg => free.contains(&pool.arg(t, 0)),
                Op::BvAdd | Op::BvSub | Op::BvXor => pool.args(t).any(|a| free.contains(&a)),
                // Any element of an array that is free is free, whatever the index.
                Op::Select => free.contains(&pool.arg(t, 0)),
                Op::Eq => pool.args(t).any(|a| free.contains(&a)),
                _ => false,
            };
        if is_free {
            free.insert(t);
        }
    }
    let mut changed = false;
    for t in all.iter_mut() {
        // An atom that occurs elsewhere too is constrained there.
        let atom = match pool.op(*t) {
            Op::Not => pool.arg(*t, 0),
            _ => *t,
        };
        if once(*t)
            && once(atom)
            && let Some(condition) = condition(pool, *t, &free)
        {
            *t = condition;
            changed = true;
        }
    }
    changed
}

/// When values of the free terms make a conjunct true; `None` where there is no free term on its top.
fn condition(pool: &mut TermPool, t: Term, free: &FxHashSet<Term>) -> Option<Term> {
    let negated = pool.op(t) == Op::Not;
    let atom = if negated { pool.arg(t, 0) } else { t };
    if free.contains(&atom) {
        return Some(pool.tru());
    }
    let op = pool.op(atom);
    if !matches!(op, Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle) {
        return None;
    }
    let (a, b) = (pool.arg(atom, 0), pool.arg(atom, 1));
    let first = free.contains(&a);
    if !first && !free.contains(&b) {
        return None;
    }
    let strict = matches!(op, Op::BvUlt | Op::BvSlt);
    if strict == negated {
        // The comparison allows equality: some value will do.
        return Some(pool.tru());
    }
    // A strict comparison fails only where the other side is at the end of its range. `a < b` looks for a
    // smaller value when `a` is free; so does `not (a <= b)`, which is `b < a`, when `b` is free.
    let (other, looks_below) = match (negated, first) {
        (false, true) => (b, true),
        (false, false) => (a, false),
        (true, true) => (b, false),
        (true, false) => (a, true),
    };
    let width = pool.width(other);
    let signed = matches!(op, Op::BvSlt | Op::BvSle);
    let lowest = if signed {
        Bv::min_signed(width)
    } else {
        Bv::zero(width)
    };
    let end = if looks_below { lowest } else { lowest.not() };
    let end = pool.bv(end);
    Some(pool.ne(other, end))
}
