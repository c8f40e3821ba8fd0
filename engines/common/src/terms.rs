//! Terms made from other terms.

use rustc_hash::FxHashMap;
use trellis_ivl::{Term, TermPool};

/// `t` with the largest terms that `map` knows replaced, built again from the leaves up.
pub fn replace(pool: &mut TermPool, t: Term, map: &FxHashMap<Term, Term>) -> Term {
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    for u in pool.post_order([t]) {
        let args: Vec<Term> = pool.args(u).map(|a| done[&a]).collect();
        let new = match map.get(&u) {
            Some(&new) => new,
            None if args.is_empty() => u,
            None => pool.rebuild(u, &args),
        };
        done.insert(u, new);
    }
    done[&t]
}
