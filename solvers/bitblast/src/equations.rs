//! What of a query defines variables, for a session in which it holds for ever.
//!
//! That `f(x) = f(t)` follows from `x = t` is nothing for a SAT solver where `f` multiplies or divides. A variable that
//! is asserted for ever to be equal to a term takes its word ([`Blaster::note_definitions`]), and both sides
//! become the same gates. What is assumed or asserted on a level may be gone in the next query, so a query that turns
//! out to be hard is asked once more in a session of its own, in which all of it is asserted for ever.
//!
//! [`Blaster::note_definitions`]: crate::blast::Blaster::note_definitions

use rustc_hash::FxHashSet;
use trellis_ivl::{Op, Term, TermPool};

/// Terms that are looked at before a query counts as too large for this.
const MAX_VISITED: usize = 1 << 16;

/// The conjuncts of the formulas that define a variable, and those that all cases of a disjunction have in common;
/// none where the formulas are too large.
pub(crate) fn definitions(pool: &TermPool, formulas: &[Term]) -> Vec<Term> {
    let mut budget = MAX_VISITED;
    let mut found = Vec::new();
    let Some(all) = parts(pool, Op::And, formulas, &mut budget) else {
        return Vec::new();
    };
    for t in all {
        if pool.op(t) == Op::Or {
            let Some(common) = common(pool, t, &mut budget) else {
                return Vec::new();
            };
            found.extend(common);
        } else {
            found.push(t);
        }
    }
    found.retain(|&t| defines(pool, t));
    found
}

fn defines(pool: &TermPool, t: Term) -> bool {
    pool.op(t) == Op::Eq && pool.args(t).any(|a| pool.as_var(a).is_some())
}

/// The conjuncts that the cases of a disjunction share.
fn common(pool: &TermPool, disjunction: Term, budget: &mut usize) -> Option<Vec<Term>> {
    let cases = parts(pool, Op::Or, &[disjunction], budget)?;
    let mut cases = cases.into_iter();
    let mut common = parts(pool, Op::And, &[cases.next()?], budget)?;
    for case in cases {
        let conjuncts = parts(pool, Op::And, &[case], budget)?;
        let conjuncts: FxHashSet<Term> = conjuncts.into_iter().collect();
        common.retain(|t| conjuncts.contains(t));
    }
    Some(common)
}

/// The operands of nested `op`s, each once; `None` where the budget does not suffice.
fn parts(pool: &TermPool, op: Op, terms: &[Term], budget: &mut usize) -> Option<Vec<Term>> {
    let mut seen = FxHashSet::default();
    let mut parts = Vec::new();
    let mut open: Vec<Term> = terms.iter().rev().copied().collect();
    while let Some(t) = open.pop() {
        if !seen.insert(t) {
            continue;
        }
        *budget = budget.checked_sub(1)?;
        if pool.op(t) == op {
            open.extend([pool.arg(t, 1), pool.arg(t, 0)]);
        } else {
            parts.push(t);
        }
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use trellis_ivl::Type;

    /// Equations of conjunctions and of all cases, not those of one case.
    #[test]
    fn definitions_hold_in_every_case() {
        let mut pool = TermPool::new();
        let [x, y, z, p, q] = ["x", "y", "z", "p", "q"].map(|name| {
            let v = pool.fresh(name, Type::Bv(8));
            pool.var(v)
        });
        let product = pool.bvmul(p, q);
        let [always, shared, first, second] =
            [(x, product), (y, product), (z, p), (z, q)].map(|(a, b)| pool.eq(a, b));
        let below = pool.bvult(p, q);
        let [one, other] = [first, second].map(|t| {
            let case = pool.and(shared, t);
            pool.and(below, case)
        });
        let cases = pool.or(one, other);
        let formula = pool.and(always, cases);
        let mut found = definitions(&pool, &[formula]);
        found.sort_unstable();
        assert_eq!(found, [always, shared]);
    }
}
