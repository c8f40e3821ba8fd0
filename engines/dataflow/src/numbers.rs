//! The numeric domain: an abstract number per variable, terms evaluated forwards, conditions applied backwards to
//! the variables they compare.

use crate::number::{Num, max, to_signed};
use crate::state::{AbstractState, Updates};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use trellis_ivl::{Op, Term, TermPool, Type, Var};

/// What is known of each variable; a variable that is not listed may have any value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers {
    values: BTreeMap<Var, Num>,
}

/// The width of a type that is tracked.
fn width(ty: Type) -> Option<u32> {
    match ty {
        Type::Bool => Some(1),
        Type::Bv(w) if w <= 64 => Some(w),
        _ => None,
    }
}

impl Numbers {
    fn var(&self, v: Var, w: u32) -> Num {
        self.values.get(&v).copied().unwrap_or(Num::top(w))
    }

    /// The values of `t`; `None` for types that are not tracked.
    fn eval(&self, pool: &TermPool, t: Term, done: &mut FxHashMap<Term, Num>) -> Option<Num> {
        let w = width(pool.ty(t))?;
        if let Some(n) = done.get(&t) {
            return Some(*n);
        }
        for u in pool.post_order([t]) {
            if let Some(w) = width(pool.ty(u))
                && !done.contains_key(&u)
            {
                let n = self.node(pool, u, w, done);
                done.insert(u, n);
            }
        }
        Some(done.get(&t).copied().unwrap_or(Num::top(w)))
    }

    /// The values of `t` from those of its arguments.
    fn node(&self, pool: &TermPool, t: Term, w: u32, done: &FxHashMap<Term, Num>) -> Num {
        if let Some(b) = pool.as_bool(t) {
            return Num::truth(Some(b));
        }
        if let Some(c) = pool.as_bv(t) {
            return c.to_u64().map_or(Num::top(w), |c| Num::constant(w, c));
        }
        if let Some(v) = pool.as_var(t) {
            return self.var(v, w);
        }
        let args: Vec<Num> = pool.args(t).filter_map(|a| done.get(&a).copied()).collect();
        if args.len() != pool.op(t).arity() {
            return Num::top(w);
        }
        match (pool.op(t), args.as_slice()) {
            (Op::Not | Op::BvNot, [a]) => Num::constant(w, max(w)).sub(a),
            (Op::BvNeg, [a]) => Num::constant(w, 0).sub(a),
            (Op::And | Op::BvAnd, [a, b]) => a.and(b),
            (Op::Or, [a, b]) => {
                let not = |n: &Num| Num::constant(1, 1).sub(n);
                not(&not(a).and(&not(b)))
            }
            (Op::BvAdd, [a, b]) => a.add(b),
            (Op::BvSub, [a, b]) => a.sub(b),
            (Op::BvMul, [a, b]) => a.mul(b),
            (Op::Ite, [c, a, b]) => match c.as_constant() {
                Some(1) => *a,
                Some(_) => *b,
                None => a.join(b),
            },
            (op, [a, b]) => binary(op, w, a, b),
            (Op::ZeroExt, [a]) => {
                Num::between(w, a.unsigned.0, a.unsigned.1).with_low(a.bits, a.low)
            }
            (Op::SignExt, [a]) => {
                Num::between_signed(w, a.signed.0, a.signed.1).with_low(a.bits, a.low)
            }
            (Op::Extract, [a]) => match pool.extract_bounds(t) {
                Some((_, lo)) if a.unsigned.1 >> lo <= max(w) => {
                    let n = Num::between(w, a.unsigned.0 >> lo, a.unsigned.1 >> lo);
                    n.with_low(a.bits.saturating_sub(lo), a.low >> lo)
                }
                Some((_, lo)) => Num::top(w).with_low(a.bits.saturating_sub(lo), a.low >> lo),
                None => Num::top(w),
            },
            _ => Num::top(w),
        }
    }

    /// Restricts the values of `t` to those in `n`; false where there are none.
    fn refine(&mut self, pool: &TermPool, t: Term, n: &Num) -> bool {
        if let Some(v) = pool.as_var(t) {
            return match self.var(v, n.width).meet(n) {
                Some(met) => {
                    self.values.insert(v, met);
                    true
                }
                None => false,
            };
        }
        let inner = |a: Term| width(pool.ty(a));
        match pool.op(t) {
            Op::ZeroExt => {
                let a = pool.arg(t, 0);
                let Some(w) = inner(a) else { return true };
                if n.unsigned.0 > max(w) {
                    return false;
                }
                let n = Num::between(w, n.unsigned.0, n.unsigned.1.min(max(w)));
                self.refine(pool, a, &n)
            }
            Op::BvAdd => {
                let (a, b) = (pool.arg(t, 0), pool.arg(t, 1));
                for (x, c) in [(a, b), (b, a)] {
                    if let Some(c) = pool.as_bv(c).and_then(|c| c.to_u64()) {
                        let before = n.sub(&Num::constant(n.width, c));
                        return self.refine(pool, x, &before);
                    }
                }
                true
            }
            _ => true,
        }
    }

    /// Restricts to states where `a < b` (or `a <= b`).
    fn less(&mut self, pool: &TermPool, a: Term, b: Term, strict: bool, signed: bool) -> bool {
        let mut done = FxHashMap::default();
        let (Some(x), Some(y)) = (self.eval(pool, a, &mut done), self.eval(pool, b, &mut done))
        else {
            return true;
        };
        let w = x.width;
        let (for_a, for_b) = if signed {
            let step = i64::from(strict);
            let (Some(hi), Some(lo)) = (y.signed.1.checked_sub(step), x.signed.0.checked_add(step))
            else {
                return false;
            };
            let range = Num::top(w).signed;
            if hi < range.0 || lo > range.1 {
                return false;
            }
            (
                Num::between_signed(w, range.0, hi),
                Num::between_signed(w, lo, range.1),
            )
        } else {
            let step = u64::from(strict);
            let (Some(hi), Some(lo)) = (
                y.unsigned.1.checked_sub(step),
                x.unsigned.0.checked_add(step),
            ) else {
                return false;
            };
            if lo > max(w) {
                return false;
            }
            (Num::between(w, 0, hi), Num::between(w, lo, max(w)))
        };
        x.meet(&for_a).is_some()
            && y.meet(&for_b).is_some()
            && self.refine(pool, a, &for_a)
            && self.refine(pool, b, &for_b)
    }

    fn equal(&mut self, pool: &TermPool, a: Term, b: Term, value: bool) -> bool {
        let mut done = FxHashMap::default();
        let (Some(x), Some(y)) = (self.eval(pool, a, &mut done), self.eval(pool, b, &mut done))
        else {
            return true;
        };
        if value {
            let Some(both) = x.meet(&y) else {
                return false;
            };
            return self.refine(pool, a, &both) && self.refine(pool, b, &both);
        }
        if x.as_constant().is_some() && x.as_constant() == y.as_constant() {
            return false;
        }
        for (t, x, y) in [(a, x, y), (b, y, x)] {
            if let Some(c) = y.as_constant()
                && let Some(n) = without(&x, c)
                && !self.refine(pool, t, &n)
            {
                return false;
            }
        }
        true
    }
}

/// `n` without its end `c`, if it is one.
fn without(n: &Num, c: u64) -> Option<Num> {
    let (lo, hi) = n.unsigned;
    let (slo, shi) = n.signed;
    let s = to_signed(n.width, c);
    if lo == hi {
        return None;
    }
    let mut cut = *n;
    match c {
        _ if c == lo => cut.unsigned.0 += 1,
        _ if c == hi => cut.unsigned.1 -= 1,
        _ => {}
    }
    match s {
        _ if s == slo && slo < shi => cut.signed.0 += 1,
        _ if s == shi && slo < shi => cut.signed.1 -= 1,
        _ => {}
    }
    cut.reduced()
}

fn binary(op: Op, w: u32, a: &Num, b: &Num) -> Num {
    let shift = b.as_constant().filter(|&c| c < u64::from(a.width));
    match op {
        Op::Eq => Num::truth(match (a.meet(b), a.as_constant(), b.as_constant()) {
            (None, ..) => Some(false),
            (_, Some(x), Some(y)) => Some(x == y),
            _ => None,
        }),
        Op::BvUlt | Op::BvUle => {
            let strict = op == Op::BvUlt;
            let below = |x: u64, y: u64| if strict { x < y } else { x <= y };
            Num::truth(if below(a.unsigned.1, b.unsigned.0) {
                Some(true)
            } else if !below(a.unsigned.0, b.unsigned.1) {
                Some(false)
            } else {
                None
            })
        }
        Op::BvSlt | Op::BvSle => {
            let strict = op == Op::BvSlt;
            let below = |x: i64, y: i64| if strict { x < y } else { x <= y };
            Num::truth(if below(a.signed.1, b.signed.0) {
                Some(true)
            } else if !below(a.signed.0, b.signed.1) {
                Some(false)
            } else {
                None
            })
        }
        Op::BvOr => a.or(b),
        Op::BvXor => a.xor(b),
        Op::Concat => a.concat(b),
        Op::BvShl => match shift {
            Some(c) => a.mul(&Num::constant(w, 1 << c)),
            None => Num::top(w),
        },
        Op::BvLshr => match shift {
            Some(c) => Num::between(w, a.unsigned.0 >> c, a.unsigned.1 >> c),
            None => Num::between(w, 0, a.unsigned.1),
        },
        Op::BvAshr => match shift {
            Some(c) => a.signed_shift(c),
            None => Num::top(w),
        },
        Op::BvSdiv => match b.as_constant() {
            Some(c) if c > 0 => a.signed_quotient(c),
            _ => Num::top(w),
        },
        Op::BvSrem => match b.as_constant() {
            Some(c) if c > 0 => a.signed_remainder(c),
            _ => Num::top(w),
        },
        Op::BvUdiv => match b.as_constant() {
            Some(c) if c > 0 => Num::between(w, a.unsigned.0 / c, a.unsigned.1 / c),
            _ => Num::top(w),
        },
        Op::BvUrem => match b.as_constant() {
            Some(c) if c > 0 => a.rem(c),
            _ => Num::top(w),
        },
        _ => Num::top(w),
    }
}

impl AbstractState for Numbers {
    fn assume_atom(&mut self, pool: &mut TermPool, cond: Term, value: bool) -> bool {
        let known = self.eval(pool, cond, &mut FxHashMap::default());
        if let Some(c) = known.and_then(|n| n.as_constant()) {
            return (c == 1) == value;
        }
        let arg = |i| pool.arg(cond, i);
        match pool.op(cond) {
            Op::Eq => self.equal(pool, arg(0), arg(1), value),
            op @ (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle) => {
                let (a, b) = (arg(0), arg(1));
                let signed = matches!(op, Op::BvSlt | Op::BvSle);
                let strict = matches!(op, Op::BvUlt | Op::BvSlt);
                if value {
                    self.less(pool, a, b, strict, signed)
                } else {
                    self.less(pool, b, a, !strict, signed)
                }
            }
            Op::Var => {
                let v = pool.as_var(cond).expect("a variable");
                self.values.insert(v, Num::truth(Some(value)));
                true
            }
            _ => true,
        }
    }

    fn update(&self, pool: &mut TermPool, updates: Updates<'_>, live: &[Var]) -> Self {
        let mut next = Numbers::default();
        let mut done = FxHashMap::default();
        for &v in live {
            let value = match updates(v) {
                Some(t) => self.eval(pool, t, &mut done),
                None => self.values.get(&v).copied(),
            };
            if let Some(n) = value.filter(|n| !n.is_top()) {
                next.values.insert(v, n);
            }
        }
        next
    }

    fn join(&mut self, _: &TermPool, other: &Self) {
        self.values.retain(|v, n| {
            let Some(m) = other.values.get(v) else {
                return false;
            };
            *n = n.join(m);
            !n.is_top()
        });
    }

    fn widen(&mut self, _: &TermPool, newer: &Self, thresholds: &[u64]) {
        self.values.retain(|v, n| {
            let Some(m) = newer.values.get(v) else {
                return false;
            };
            *n = n.widen(m, thresholds);
            !n.is_top()
        });
    }

    fn facts(&self, pool: &mut TermPool) -> Vec<Term> {
        let mut facts = Vec::new();
        for (&v, n) in &self.values {
            let (x, w) = (pool.var(v), n.width);
            if pool.var_ty(v) == Type::Bool {
                match n.as_constant() {
                    Some(0) => facts.push(pool.not(x)),
                    Some(_) => facts.push(x),
                    None => {}
                }
                continue;
            }
            if let Some(c) = n.as_constant() {
                let c = pool.num(w, c);
                facts.push(pool.eq(x, c));
                continue;
            }
            let top = Num::top(w);
            let mut bound = |lower: bool, signed: bool, c: u64| {
                let c = pool.num(w, c & max(w));
                let (a, b) = if lower { (c, x) } else { (x, c) };
                facts.push(if signed {
                    pool.bvsle(a, b)
                } else {
                    pool.bvule(a, b)
                });
            };
            if n.unsigned.0 > 0 {
                bound(true, false, n.unsigned.0);
            }
            if n.unsigned.1 < max(w) {
                bound(false, false, n.unsigned.1);
            }
            if n.signed.0 > top.signed.0 {
                bound(true, true, n.signed.0 as u64);
            }
            if n.signed.1 < top.signed.1 {
                bound(false, true, n.signed.1 as u64);
            }
            if n.bits > 0 {
                let low = pool.extract(n.bits - 1, 0, x);
                let value = pool.num(n.bits, n.low);
                facts.push(pool.eq(low, value));
            }
        }
        facts
    }
}
