//! Bounds between which nothing but one number is left.

use crate::poly::{Ideal, Poly};
use trellis_ivl::{Op, Term, TermPool};

/// Bounds that are looked at.
const MOST: usize = 200;

/// `low < high`, or `low <= high`.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    low: Term,
    high: Term,
    strict: bool,
    signed: bool,
}

impl Bound {
    /// A comparison of words that holds or does not.
    pub fn new(pool: &TermPool, t: Term, holds: bool) -> Bound {
        let (a, b) = (pool.arg(t, 0), pool.arg(t, 1));
        let op = pool.op(t);
        let strict = matches!(op, Op::BvUlt | Op::BvSlt);
        let (low, high) = if holds { (a, b) } else { (b, a) };
        Bound {
            low,
            high,
            strict: strict == holds,
            signed: matches!(op, Op::BvSlt | Op::BvSle),
        }
    }
}

/// The equations, as polynomials that are 0, that follow from two bounds of one word each: `c < a` and `a <= b` leave `a = c + 1` where `b = c + 1`.
///
/// That holds modulo `2^w` as well: `c < a` says that `c` is not the greatest number, so that `c + 1` is the next one; and `a < b` that
/// `b` is not the least, so that `b - 1` is the one before.
pub fn meeting(
    bounds: &[Bound],
    ideal: &Ideal,
    mut poly: impl FnMut(Term) -> Option<Poly>,
) -> Vec<Poly> {
    let mut found = Vec::new();
    let mut reduced = Vec::new();
    for bound in bounds.iter().take(MOST) {
        let mut side = |t| ideal.reduced(&poly(t)?);
        let (Some(low), Some(high)) = (side(bound.low), side(bound.high)) else {
            continue;
        };
        reduced.push((bound, low, high));
    }
    for (lower, c, a) in &reduced {
        for (upper, also_a, b) in &reduced {
            let same = lower.signed == upper.signed && a.width == also_a.width && a == also_a;
            if !same || a.as_constant().is_some() {
                continue;
            }
            let room = u64::from(lower.strict) + u64::from(upper.strict);
            let distance = b
                .plus(c, u64::MAX)
                .plus(&Poly::constant(b.width, room), u64::MAX);
            if ideal.is_zero(&distance) {
                let step = Poly::constant(c.width, u64::from(lower.strict));
                found.push(a.plus(c, u64::MAX).plus(&step, u64::MAX));
            }
        }
    }
    found
}
