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

/// Conjuncts and cases beyond which a query is too large for this.
const MAX_PARTS: usize = 1 << 12;

/// The conjuncts of the formulas that define a variable, and those that all cases of a disjunction have in common.
pub(crate) fn definitions(pool: &TermPool, formulas: &[Term]) -> Vec<Term> {
    let mut found = Vec::new();
    for t in pool
        .operands(Op::And, formulas.iter().copied())
        .take(MAX_PARTS)
    {
        match pool.op(t) {
            Op::Or => found.extend(common(pool, t)),
            _ => found.push(t),
        }
    }
    found.retain(|&t| defines(pool, t));
    found
}

fn defines(pool: &TermPool, t: Term) -> bool {
    pool.op(t) == Op::Eq && pool.args(t).any(|a| pool.as_var(a).is_some())
}

/// The conjuncts that the cases of a disjunction share; none where there are too many of either.
fn common(pool: &TermPool, disjunction: Term) -> Vec<Term> {
    let mut common: Option<Vec<Term>> = None;
    for (seen, case) in pool.operands(Op::Or, [disjunction]).enumerate() {
        if seen == MAX_PARTS {
            return Vec::new();
        }
        let conjuncts = pool.conjuncts(case).take(MAX_PARTS);
        match &mut common {
            None => common = Some(conjuncts.collect()),
            Some(common) => {
                let conjuncts: FxHashSet<Term> = conjuncts.collect();
                common.retain(|t| conjuncts.contains(t));
                if common.is_empty() {
                    break;
                }
            }
        }
    }
    common.unwrap_or_default()
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
