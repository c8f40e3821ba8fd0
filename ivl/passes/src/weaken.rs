//! Invariants without the variables that mean nothing where the invariant goes.
//!
//! After dead assignments are gone, an invariant may say something about a variable that the
//! program before gives another value. What is wanted is the projection `∃x. I`, and there are no
//! quantifiers. The projection distributes over disjunction; in a conjunction with `x == t`, `x` is
//! `t`; and what remains is weakened: every atom with such a variable becomes true where it helps,
//! false where it is negated. The result is exact unless such a variable ties others together in
//! another way than by an equality.

use cranelift_entity::EntitySet;
use rustc_hash::{FxHashMap, FxHashSet};
use trellis_ivl::{Edge, Loc, Op, Program, Term, TermPool, Type, Var};

/// The variables some of whose assignments a pass drops because nothing reads them there: of `edges`, those after which the
/// variable is not live. Any other variable holds the same before and after the pass, live or not; so do ghosts, which stand
/// for all values.
pub(crate) fn dropped(
    program: &Program,
    edges: impl Fn(Edge) -> bool,
    is_live: impl Fn(Loc, Var) -> bool,
) -> EntitySet<Var> {
    let mut found = EntitySet::new();
    for (e, data) in program.edges.iter().filter(|(e, _)| edges(*e)) {
        let Some(cmd) = program.edge_cmd(e) else {
            continue;
        };
        for v in program.cmds.modified(cmd) {
            if !is_live(data.to, v) {
                found.insert(v);
            }
        }
    }
    found
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
