//! Elimination of an edge's inputs from a cube.
//!
//! Some execution takes the edge with the model's inputs; the states that could take it with *some* inputs are an
//! existential. It is eliminated by substituting a term for each input, which is exact for the states it keeps: the input
//! has a value there. A term that the cube compares the input with keeps more states than the model's value; it
//! is taken where the cube still holds in the model. Literals are never dropped.

use crate::model::Eval;
use rustc_hash::FxHashMap;
use trellis_plugin_sdk::ivl::{Bv, Op, Term, TermPool, Type, Value, Var};

/// `literals` without `input`, true in the model of `eval`; `value` is the input's there.
pub fn eliminate(
    pool: &mut TermPool,
    eval: &mut Eval<'_>,
    literals: &mut Vec<Term>,
    input: Var,
    value: &Value,
    by_terms: bool,
) {
    let (with, mut without): (Vec<Term>, Vec<Term>) = literals
        .iter()
        .partition(|&&t| pool.free_vars([t]).contains(&input));
    if with.is_empty() {
        return;
    }
    let fallback = pool.value(value);
    let mut best = replaced(pool, &with, input, fallback);
    if by_terms && let Type::Bv(width) = pool.var_ty(input) {
        let mut fewest = usize::MAX;
        for candidate in candidates(pool, &with, input, width) {
            let new = replaced(pool, &with, input, candidate);
            if new.len() < fewest && new.iter().all(|&t| eval.holds(pool, t)) {
                fewest = new.len();
                best = new;
            }
        }
    }
    without.extend(best);
    *literals = without;
}

/// The literals with `input` replaced, without those that are true now.
fn replaced(pool: &mut TermPool, literals: &[Term], input: Var, by: Term) -> Vec<Term> {
    let map = FxHashMap::from_iter([(input, by)]);
    let mut new: Vec<Term> = literals.iter().map(|&t| pool.substitute(t, &map)).collect();
    new.retain(|&t| pool.as_bool(t) != Some(true));
    new.sort_unstable();
    new.dedup();
    new
}

/// Terms that may stand for the input: what it is compared with, their neighbours, the extreme values.
fn candidates(pool: &mut TermPool, literals: &[Term], input: Var, width: u32) -> Vec<Term> {
    let own = pool.var(input);
    let mut terms = Vec::new();
    for &literal in literals {
        let atom = match pool.op(literal) {
            Op::Not => pool.arg(literal, 0),
            _ => literal,
        };
        let compares = matches!(
            pool.op(atom),
            Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle
        );
        if !compares {
            continue;
        }
        let (a, b) = (pool.arg(atom, 0), pool.arg(atom, 1));
        for (side, other) in [(a, b), (b, a)] {
            if side == own && !pool.free_vars([other]).contains(&input) {
                terms.push(other);
            }
        }
    }
    let one = pool.num(width, 1);
    for t in terms.clone() {
        terms.push(pool.bvadd(t, one));
        terms.push(pool.bvsub(t, one));
    }
    let smallest = Bv::min_signed(width);
    for extreme in [
        Bv::zero(width),
        Bv::ones(width),
        smallest.not(),
        smallest.clone(),
    ] {
        terms.push(pool.bv(extreme));
    }
    terms
}
