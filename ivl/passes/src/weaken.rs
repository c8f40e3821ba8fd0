//! Invariants without the variables that mean nothing where the invariant goes.
//!
//! After dead assignments are gone, an invariant may say something about a variable that the
//! program before gives another value. What is wanted is the projection `∃x. I`, and there are no
//! quantifiers. The projection distributes over disjunction; in a conjunction with `x == t`, `x` is
//! `t`; and what remains is weakened: every atom with such a variable becomes true where it helps,
//! false where it is negated. The result is exact unless such a variable ties others together in
//! another way than by an equality.

use crate::prune::Pruned;
use cranelift_entity::EntitySet;
use rustc_hash::{FxHashMap, FxHashSet};
use trellis_ivl::{Loc, Op, Program, Term, TermPool, Type, Var};

/// Where variables may hold something else than before, because assignments went that nothing reads.
pub(crate) struct Dropped {
    at: FxHashMap<Var, EntitySet<Loc>>,
}

impl Dropped {
    /// For the variables of `terms`, when a pass drops the assignments after which a variable is not live. What is live
    /// is the same before and after the pass, and so is what nobody has assigned since; ghosts, which stand for all values, are too.
    pub fn new(
        program: &Program,
        pruned: &Pruned,
        terms: impl IntoIterator<Item = Term>,
        is_live: impl Fn(Loc, Var) -> bool,
    ) -> Dropped {
        let wanted: FxHashSet<Var> = program.pool.free_vars(terms).into_iter().collect();
        let mut found: FxHashMap<Var, (EntitySet<Loc>, Vec<Loc>)> = FxHashMap::default();
        for (e, data) in program.edges.iter() {
            let cmd = program.edge_cmd(e).filter(|_| pruned.edges.contains(e));
            for v in cmd.map_or_else(Vec::new, |c| program.cmds.modified(c)) {
                if wanted.contains(&v) && !is_live(data.to, v) {
                    let (at, todo) = found.entry(v).or_default();
                    if at.insert(data.to) {
                        todo.push(data.to);
                    }
                }
            }
        }
        for (&v, (at, todo)) in &mut found {
            while let Some(l) = todo.pop() {
                for e in pruned.out(l) {
                    let to = program.edges[e].to;
                    if !is_live(to, v) && at.insert(to) {
                        todo.push(to);
                    }
                }
            }
        }
        let at = found.into_iter().map(|(v, (at, _))| (v, at)).collect();
        Dropped { at }
    }

    /// Whether `v` holds at `l` what it held before the pass.
    pub fn keeps(&self, l: Loc, v: Var) -> bool {
        self.at.get(&v).is_none_or(|at| !at.contains(l))
    }
}

/// How deep conjunctions and disjunctions are taken apart in turn.
const DEPTH: usize = 64;

/// A consequence of `t` without the variables that `keep` rejects.
pub(crate) fn weaken(pool: &mut TermPool, t: Term, keep: &impl Fn(Var) -> bool) -> Term {
    if pool.free_vars([t]).into_iter().all(keep) {
        return t;
    }
    project(pool, t, keep, DEPTH)
}

/// The arguments of a tree of `op`, all the way down.
fn flat(pool: &TermPool, op: Op, t: Term) -> Vec<Term> {
    let (mut todo, mut parts) = (vec![t], Vec::new());
    while let Some(t) = todo.pop() {
        if pool.op(t) == op {
            todo.extend(pool.args(t));
        } else {
            parts.push(t);
        }
    }
    parts
}

fn project(pool: &mut TermPool, t: Term, keep: &impl Fn(Var) -> bool, depth: usize) -> Term {
    if depth == 0 {
        return weaken_atoms(pool, t, keep);
    }
    match pool.op(t) {
        Op::Or => {
            let parts = flat(pool, Op::Or, t);
            let parts: Vec<Term> = parts
                .into_iter()
                .map(|p| project(pool, p, keep, depth - 1))
                .collect();
            pool.or_all(parts)
        }
        Op::And => {
            let mut parts = flat(pool, Op::And, t);
            while let Some((x, s)) = solved(pool, &parts, keep) {
                let map: FxHashMap<Var, Term> = std::iter::once((x, s)).collect();
                for p in &mut parts {
                    *p = pool.substitute(*p, &map);
                }
            }
            let parts: Vec<Term> = parts
                .into_iter()
                .map(|p| project(pool, p, keep, depth - 1))
                .collect();
            pool.and_all(parts)
        }
        _ => weaken_atoms(pool, t, keep),
    }
}

/// A rejected variable that one of the conjuncts equates with a term without it.
fn solved(
    pool: &mut TermPool,
    conjuncts: &[Term],
    keep: &impl Fn(Var) -> bool,
) -> Option<(Var, Term)> {
    for &c in conjuncts {
        if let Some(x) = pool.as_var(c).filter(|&x| !keep(x)) {
            return Some((x, pool.tru()));
        }
        match pool.op(c) {
            Op::Not => {
                if let Some(x) = pool.as_var(pool.arg(c, 0)).filter(|&x| !keep(x)) {
                    return Some((x, pool.fls()));
                }
            }
            Op::Eq => {
                let (a, b) = (pool.arg(c, 0), pool.arg(c, 1));
                for (x, s) in [(a, b), (b, a)] {
                    if let Some(x) = pool.as_var(x).filter(|&x| !keep(x))
                        && !pool.free_vars([s]).contains(&x)
                    {
                        return Some((x, s));
                    }
                }
            }
            _ => {}
        }
    }
    None
}

/// Every atom with a rejected variable becomes true or false by its polarity.
fn weaken_atoms(pool: &mut TermPool, t: Term, keep: &impl Fn(Var) -> bool) -> Term {
    let mut tainted: FxHashSet<Term> = FxHashSet::default();
    for u in pool.post_order([t]) {
        let bad = match pool.as_var(u) {
            Some(v) => !keep(v),
            None => pool.args(u).any(|a| tainted.contains(&a)),
        };
        if bad {
            tainted.insert(u);
        }
    }
    if !tainted.contains(&t) {
        return t;
    }
    // A term with the polarity it occurs in, to what it becomes there.
    let mut done: FxHashMap<(Term, bool), Term> = FxHashMap::default();
    let mut stack = vec![(t, true)];
    while let Some(&(u, positive)) = stack.last() {
        if done.contains_key(&(u, positive)) {
            stack.pop();
            continue;
        }
        let parts = if tainted.contains(&u) {
            boolean_parts(pool, &tainted, u, positive)
        } else {
            None
        };
        let result = match parts {
            None if tainted.contains(&u) => pool.bool(positive),
            None => u,
            Some(parts) => {
                let waiting = stack.len();
                let mut args: Vec<Term> = pool.args(u).collect();
                for (i, part) in parts {
                    match done.get(&part) {
                        Some(&d) => args[i] = d,
                        None => stack.push(part),
                    }
                }
                if stack.len() > waiting {
                    continue;
                }
                pool.rebuild(u, &args)
            }
        };
        stack.pop();
        done.insert((u, positive), result);
    }
    done[&(t, true)]
}

/// The arguments of `u` that may be weakened on their own, with position and polarity; `None` for an atom.
fn boolean_parts(
    pool: &TermPool,
    tainted: &FxHashSet<Term>,
    u: Term,
    positive: bool,
) -> Option<Vec<(usize, (Term, bool))>> {
    let arg = |i: usize| pool.arg(u, i);
    match pool.op(u) {
        Op::Not => Some(vec![(0, (arg(0), !positive))]),
        Op::And | Op::Or => Some(vec![(0, (arg(0), positive)), (1, (arg(1), positive))]),
        Op::Ite if pool.ty(u) == Type::Bool && !tainted.contains(&arg(0)) => {
            Some(vec![(1, (arg(1), positive)), (2, (arg(2), positive))])
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projects() {
        let mut pool = TermPool::new();
        let names = ["a", "b", "x"];
        let vars = names.map(|n| pool.fresh(n, Type::Bool));
        let [a, b, x] = vars.map(|v| pool.var(v));
        let keep = |v: Var| v != vars[2];
        // (a && x) || b  ->  a || b
        let t = pool.and(a, x);
        let t = pool.or(t, b);
        let expected = pool.or(a, b);
        assert_eq!(weaken(&mut pool, t, &keep), expected);
        // !(a || x)  ->  !a
        let t = pool.intern(Op::Or, &[a, x]);
        let t = pool.not(t);
        let expected = pool.not(a);
        assert_eq!(weaken(&mut pool, t, &keep), expected);
        // (a <==> x) && (x || b)  ->  a || b, because x is a
        let (same, t) = (pool.eq(a, x), pool.or(x, b));
        let t = pool.and(same, t);
        let expected = pool.or(a, b);
        assert_eq!(weaken(&mut pool, t, &keep), expected);
        // x <==> a says nothing about a
        let t = pool.eq(a, x);
        let expected = pool.tru();
        assert_eq!(weaken(&mut pool, t, &keep), expected);
    }
}
