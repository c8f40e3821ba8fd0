//! Template rows: one parametric statement about the state at a loop head, and its abstract values.
//!
//! Following 2LS (Sect. 5.1, 6.1): an invariant is the conjunction of rows with parameters filled in, each row
//! guarded by the head it belongs to. A row is one of three kinds, each a lattice with a join: `e ≤ d`, a
//! fixed statement that holds or not, and `e` agreeing with a constant on its low bits. Arithmetic in
//! `e` is done by the domains in a width that cannot overflow.

use trellis_engine_common::unroll::Env;
use trellis_ivl::{Bv, Loc, Term, TermPool, Type, Value};

/// What a row says with its parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `e ≤ d`, signed; `e` is never above `max`.
    Bound {
        /// The largest value of `e`, whatever the state.
        max: i128,
    },
    /// The boolean `e` holds.
    Fact,
    /// The low bits of `e`, at most 64 bits wide, are those of a constant.
    LowBits,
}

/// A row.
#[derive(Clone, Debug)]
pub struct Row {
    /// The head it speaks about.
    pub head: Loc,
    /// `e`, over the program's variables.
    pub expr: Term,
    /// What it says.
    pub kind: Kind,
}

/// An abstract value of a row at a head that is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Abstract {
    /// `e ≤ d`.
    Bound(i128),
    /// The fact holds.
    Holds,
    /// The low `bits` bits of `e` are those of `value`.
    Low {
        /// How many bits.
        bits: u32,
        /// Their value.
        value: u64,
    },
    /// Nothing is said.
    Top,
}

/// The signed number in a bit-vector of at most 127 bits.
pub fn number(v: &Bv) -> i128 {
    let w = v.width();
    let magnitude = (0..w).filter(|&i| v.bit(i)).fold(0u128, |n, i| n | 1 << i);
    let sign = if v.is_negative() { u128::MAX << w } else { 0 };
    (magnitude | sign) as i128
}

/// The bit-vector of a signed number.
pub fn vector(width: u32, n: i128) -> Bv {
    let bits: Vec<bool> = (0..width).map(|i| n >> i & 1 == 1).collect();
    Bv::from_bits(&bits)
}

fn low_mask(bits: u32) -> u64 {
    if bits >= 64 {
        u64::MAX
    } else {
        (1 << bits) - 1
    }
}

impl Abstract {
    /// The most precise value for one state in which `e` is `v`.
    pub fn of(row: &Row, v: &Value) -> Abstract {
        match (row.kind, v) {
            (Kind::Bound { max }, Value::Bv(v)) if number(v) < max => Abstract::Bound(number(v)),
            (Kind::Fact, Value::Bool(true)) => Abstract::Holds,
            (Kind::LowBits, Value::Bv(v)) => match v.to_u64() {
                Some(value) => Abstract::Low {
                    bits: v.width(),
                    value,
                },
                None => Abstract::Top,
            },
            _ => Abstract::Top,
        }
    }

    /// The least value above both.
    pub fn join(self, other: Abstract) -> Abstract {
        use Abstract::*;
        match (self, other) {
            (Bound(a), Bound(b)) => Bound(a.max(b)),
            (Holds, Holds) => Holds,
            (
                Low { bits, value },
                Low {
                    bits: more,
                    value: other,
                },
            ) => {
                let common = (value ^ other).trailing_zeros().min(bits).min(more);
                match common {
                    0 => Top,
                    bits => Low {
                        bits,
                        value: value & low_mask(bits),
                    },
                }
            }
            _ => Top,
        }
    }
}

impl Row {
    /// The statement with `value` filled in, over the program's variables.
    pub fn statement(&self, pool: &mut TermPool, value: Abstract) -> Term {
        match value {
            Abstract::Top => pool.tru(),
            Abstract::Holds => self.expr,
            Abstract::Bound(d) => {
                let d = vector(pool.width(self.expr), d);
                let d = pool.bv(d);
                pool.bvsle(self.expr, d)
            }
            Abstract::Low { bits, value } => {
                let low = pool.extract(bits - 1, 0, self.expr);
                let value = pool.num(bits, value);
                pool.eq(low, value)
            }
        }
    }

    /// `e` where the variables hold what `env` says.
    pub fn at(&self, pool: &mut TermPool, env: &Env) -> Term {
        pool.substitute(self.expr, env)
    }
}

/// The parameters of a row as symbols, so that a query chooses their values by assumptions and nothing is
/// encoded again.
#[derive(Clone, Debug)]
pub struct Params {
    /// Holds when the row says something.
    pub active: Term,
    /// The bound, or the value of the low bits.
    pub value: Option<Term>,
    /// Which low bits.
    pub mask: Option<Term>,
}

impl Params {
    /// Fresh symbols for `row`.
    pub fn new(pool: &mut TermPool, row: &Row) -> Params {
        let mut fresh = |name: &str, ty| {
            let v = pool.fresh(name, ty);
            pool.var(v)
        };
        let active = fresh("row", Type::Bool);
        match row.kind {
            Kind::Fact => Params {
                active,
                value: None,
                mask: None,
            },
            kind => {
                let ty = Type::Bv(pool.width(row.expr));
                let mut fresh = |name: &str| {
                    let v = pool.fresh(name, ty);
                    pool.var(v)
                };
                Params {
                    active,
                    value: Some(fresh("value")),
                    mask: (kind == Kind::LowBits).then(|| fresh("mask")),
                }
            }
        }
    }

    /// The statement of the row about `e`, in terms of the parameters.
    pub fn statement(&self, pool: &mut TermPool, e: Term) -> Term {
        match (self.value, self.mask) {
            (Some(d), None) => pool.bvsle(e, d),
            (Some(value), Some(mask)) => {
                let low = pool.bvand(e, mask);
                pool.eq(low, value)
            }
            _ => e,
        }
    }

    /// Appends the assumptions that give the parameters the values of `value`.
    pub fn assume(&self, pool: &mut TermPool, value: Abstract, to: &mut Vec<Term>) {
        if value == Abstract::Top {
            to.push(pool.not(self.active));
            return;
        }
        to.push(self.active);
        match (value, self.value, self.mask) {
            (Abstract::Bound(d), Some(param), _) => {
                let d = vector(pool.width(param), d);
                let d = pool.bv(d);
                to.push(pool.eq(param, d));
            }
            (Abstract::Low { bits, value }, Some(param), Some(mask)) => {
                let width = pool.width(param);
                let value = pool.num(width, value);
                let ones = pool.num(width, low_mask(bits));
                to.push(pool.eq(param, value));
                to.push(pool.eq(mask, ones));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for n in [-4, -1, 0, 1, 3] {
            assert_eq!(number(&vector(3, n)), n);
            assert_eq!(number(&vector(66, n * 1_000_000_007)), n * 1_000_000_007);
        }
    }

    #[test]
    fn low_bits_join_to_what_they_share() {
        let low = |bits, value| Abstract::Low { bits, value };
        assert_eq!(low(8, 4).join(low(8, 12)), low(3, 4));
        assert_eq!(low(3, 4).join(low(8, 20)), low(3, 4));
        assert_eq!(low(8, 4).join(low(8, 5)), Abstract::Top);
        assert_eq!(low(64, u64::MAX).join(low(64, u64::MAX)), low(64, u64::MAX));
    }
}
