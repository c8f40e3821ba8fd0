//! Existential projection of a conjunction, as far as it can be done without a solver.
//!
//! A variable with an equality is replaced by what it equals, solved for it where addition, subtraction,
//! exclusive or, complements and products with odd constants are in the way; a variable that occurs once, where
//! it can make its surroundings any value, is dropped with them (`unconstrained`). Both are exact. The
//! conjuncts in which something is left are told apart.

use crate::unconstrained::drop_unconstrained;
use rustc_hash::FxHashMap;
use trellis_ivl::{Bv, Op, Term, TermPool, Type, Var};

/// A projected conjunction.
pub(crate) struct Projection {
    /// Conjuncts over kept variables.
    pub clean: Vec<Term>,
    /// Conjuncts with other variables; the projection is exact when there are none.
    pub rest: Vec<Term>,
}

/// Projects a conjunction onto `keep`, which is sorted.
pub(crate) fn project(pool: &mut TermPool, conjunction: Vec<Term>, keep: &[Var]) -> Projection {
    let kept = |v: Var| keep.binary_search(&v).is_ok();
    let mut all = conjunction;
    loop {
        all = split(pool, all);
        let defined = all.iter().enumerate().find_map(|(i, &t)| {
            let vars = pool.free_vars([t]);
            let mut local = vars.into_iter().filter(|&v| !kept(v));
            local.find_map(|v| Some((i, v, definition(pool, t, v)?)))
        });
        if let Some((i, v, value)) = defined {
            all.swap_remove(i);
            let value = value.build(pool);
            let map: FxHashMap<Var, Term> = [(v, value)].into_iter().collect();
            for t in &mut all {
                *t = pool.substitute(*t, &map);
            }
            continue;
        }
        if !drop_unconstrained(pool, &mut all, &kept) {
            break;
        }
    }
    let is_clean = |t: &Term| pool.free_vars([*t]).iter().all(|&v| kept(v));
    let (mut clean, rest): (Vec<Term>, Vec<Term>) = all.into_iter().partition(is_clean);
    clean.sort_unstable();
    clean.dedup();
    Projection { clean, rest }
}

fn split(pool: &mut TermPool, all: Vec<Term>) -> Vec<Term> {
    let mut parts: Vec<Term> = Vec::new();
    for t in all {
        parts.extend(pool.split_conjuncts(t));
    }
    parts
}

/// A value for a variable, to be built: `base` with the inverse operations applied in order.
struct Definition {
    base: Result<Term, bool>,
    steps: Vec<Step>,
}

enum Step {
    Sub(Term),
    Add(Term),
    /// The operand minus what we have.
    SubFrom(Term),
    Xor(Term),
    Not,
    Neg,
    /// A product with the inverse of an odd constant.
    Mul(Bv),
}

impl Definition {
    fn build(self, pool: &mut TermPool) -> Term {
        let base = match self.base {
            Ok(t) => t,
            Err(b) => pool.bool(b),
        };
        self.steps.into_iter().fold(base, |t, step| match step {
            Step::Sub(u) => pool.bvsub(t, u),
            Step::Add(u) => pool.bvadd(t, u),
            Step::SubFrom(u) => pool.bvsub(u, t),
            Step::Xor(u) => pool.bvxor(t, u),
            Step::Not => match pool.ty(t) {
                Type::Bool => pool.not(t),
                _ => pool.bvnot(t),
            },
            Step::Neg => pool.bvneg(t),
            Step::Mul(k) => {
                let k = pool.bv(k);
                pool.bvmul(t, k)
            }
        })
    }
}

/// What a conjunct says `v` is.
fn definition(pool: &TermPool, conjunct: Term, v: Var) -> Option<Definition> {
    let has = |t: Term| pool.free_vars([t]).contains(&v);
    let constant = |b: bool| Definition {
        base: Err(b),
        steps: Vec::new(),
    };
    match pool.op(conjunct) {
        Op::Var => Some(constant(true)),
        Op::Not if pool.as_var(pool.arg(conjunct, 0)) == Some(v) => Some(constant(false)),
        Op::Not if pool.op(pool.arg(conjunct, 0)) == Op::Eq => {
            // Two booleans that differ.
            let equality = pool.arg(conjunct, 0);
            let (a, b) = (pool.arg(equality, 0), pool.arg(equality, 1));
            let (side, other) = if has(a) { (a, b) } else { (b, a) };
            let solvable = pool.ty(a) == Type::Bool && pool.as_var(side) == Some(v) && !has(other);
            solvable.then(|| Definition {
                base: Ok(other),
                steps: vec![Step::Not],
            })
        }
        Op::Eq => {
            let (a, b) = (pool.arg(conjunct, 0), pool.arg(conjunct, 1));
            match (has(a), has(b)) {
                (true, false) => isolate(pool, a, b, v),
                (false, true) => isolate(pool, b, a, v),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Solves `side = other` for `v`, which is in `side` only.
fn isolate(pool: &TermPool, mut side: Term, other: Term, v: Var) -> Option<Definition> {
    let has = |t: Term| pool.free_vars([t]).contains(&v);
    let mut steps = Vec::new();
    loop {
        if pool.as_var(side) == Some(v) {
            return Some(Definition {
                base: Ok(other),
                steps,
            });
        }
        let op = pool.op(side);
        let step = match op {
            Op::Not | Op::BvNot | Op::BvNeg => {
                side = pool.arg(side, 0);
                if op == Op::BvNeg {
                    Step::Neg
                } else {
                    Step::Not
                }
            }
            Op::BvAdd | Op::BvSub | Op::BvXor | Op::BvMul => {
                let (a, b) = (pool.arg(side, 0), pool.arg(side, 1));
                let in_first = has(a);
                if in_first && has(b) {
                    return None;
                }
                let (inner, operand) = if in_first { (a, b) } else { (b, a) };
                side = inner;
                match op {
                    Op::BvAdd => Step::Sub(operand),
                    Op::BvSub if in_first => Step::Add(operand),
                    Op::BvSub => Step::SubFrom(operand),
                    Op::BvXor => Step::Xor(operand),
                    _ => Step::Mul(inverse(&pool.as_bv(operand)?)?),
                }
            }
            _ => return None,
        };
        steps.push(step);
    }
}

/// The inverse of an odd number modulo a power of two, by Newton's iteration, which doubles the number of
/// correct bits.
fn inverse(k: &Bv) -> Option<Bv> {
    if !k.bit(0) {
        return None;
    }
    let two = Bv::one(k.width()).add(&Bv::one(k.width()));
    let mut x = k.clone();
    for _ in 0..u32::BITS {
        x = x.mul(&two.sub(&k.mul(&x)));
    }
    k.mul(&x).is_one().then_some(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The projection of `formula` onto the variables whose names are capital letters.
    fn projected(
        build: impl Fn(&mut TermPool, &[Term]) -> Vec<Term>,
    ) -> (bool, Vec<Term>, TermPool) {
        let mut pool = TermPool::new();
        let vars: Vec<Term> = ["A", "B", "u", "v"]
            .iter()
            .map(|&n| {
                let v = pool.fresh(n, Type::Bv(8));
                pool.var(v)
            })
            .collect();
        let keep: Vec<Var> = vars[..2]
            .iter()
            .map(|&t| pool.as_var(t).expect("a variable"))
            .collect();
        let all = build(&mut pool, &vars);
        let projection = project(&mut pool, all, &keep);
        (projection.rest.is_empty(), projection.clean, pool)
    }

    #[test]
    fn solves_for_what_goes() {
        // B = 3 * (A + u) and u < 5: u is B / 3 - A.
        let (exact, clean, _) = projected(|p, v| {
            let (three, five) = (p.num(8, 3), p.num(8, 5));
            let sum = p.bvadd(v[0], v[2]);
            let product = p.bvmul(sum, three);
            vec![p.eq(v[1], product), p.bvult(v[2], five)]
        });
        assert!(exact && clean.len() == 1, "{clean:?}");
    }

    #[test]
    fn drops_what_can_be_anything() {
        let (exact, clean, _) = projected(|p, v| {
            let sum = p.bvxor(v[3], v[0]);
            vec![p.bvule(sum, v[1])]
        });
        assert!(exact && clean.is_empty(), "{clean:?}");
    }

    #[test]
    fn says_what_is_left() {
        let (exact, clean, _) = projected(|p, v| {
            let product = p.bvmul(v[2], v[2]);
            vec![p.eq(v[0], product), p.bvult(v[0], v[1])]
        });
        assert!(!exact && clean.len() == 1, "{clean:?}");
    }

    #[test]
    fn inverses() {
        for k in [1, 3, 77, 255] {
            let k = Bv::new(8, k);
            assert!(inverse(&k).expect("odd").mul(&k).is_one());
        }
        assert_eq!(inverse(&Bv::new(8, 6)), None);
    }
}
