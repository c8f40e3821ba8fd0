//! Words as sums of words with coefficients, as far as they are sums: so that an index can be solved for a ghost.

use std::collections::BTreeMap;
use trellis_ivl::{Op, Term, TermPool};

/// Summands at most.
const MAX_PARTS: usize = 12;

/// `constant + sum of coefficient * part`, modulo 2 to the width.
#[derive(Clone, Debug)]
pub struct Linear {
    width: u32,
    constant: u64,
    parts: BTreeMap<Term, u64>,
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

impl Linear {
    /// What `t` is a sum of; `None` where that is too long or too wide.
    pub fn of(pool: &TermPool, t: Term) -> Option<Linear> {
        let width = pool.ty(t).width().filter(|w| *w <= 64)?;
        let mut sum = Linear {
            width,
            constant: 0,
            parts: BTreeMap::new(),
        };
        let mut todo = vec![(t, 1u64)];
        let number = |u: Term| pool.as_bv(u).and_then(|c| c.to_u64());
        while let Some((u, by)) = todo.pop() {
            let arg = |i: usize| pool.arg(u, i);
            match pool.op(u) {
                Op::BvConst => {
                    sum.constant = sum.constant.wrapping_add(number(u)?.wrapping_mul(by))
                }
                Op::BvAdd => todo.extend([(arg(0), by), (arg(1), by)]),
                Op::BvSub => todo.extend([(arg(0), by), (arg(1), by.wrapping_neg())]),
                Op::BvNeg => todo.push((arg(0), by.wrapping_neg())),
                Op::BvMul if number(arg(1)).is_some() => {
                    todo.push((arg(0), by.wrapping_mul(number(arg(1))?)));
                }
                Op::BvMul if number(arg(0)).is_some() => {
                    todo.push((arg(1), by.wrapping_mul(number(arg(0))?)));
                }
                Op::BvShl if number(arg(1)).is_some_and(|n| n < 64) => {
                    todo.push((arg(0), by << number(arg(1))?));
                }
                _ => {
                    let c = sum.parts.entry(u).or_default();
                    *c = c.wrapping_add(by);
                }
            }
            if sum.parts.len() + todo.len() > MAX_PARTS {
                return None;
            }
        }
        sum.tidy();
        Some(sum)
    }

    fn tidy(&mut self) {
        let m = mask(self.width);
        self.constant &= m;
        for c in self.parts.values_mut() {
            *c &= m;
        }
        self.parts.retain(|_, c| *c != 0);
    }

    /// The coefficient of a part.
    pub fn coefficient(&self, part: Term) -> u64 {
        self.parts.get(&part).copied().unwrap_or(0)
    }

    /// The same without a part.
    pub fn without(&self, part: Term) -> Linear {
        let mut rest = self.clone();
        rest.parts.remove(&part);
        rest
    }

    /// The difference of two sums of one width.
    pub fn minus(&self, other: &Linear) -> Linear {
        let mut sum = self.clone();
        sum.constant = sum.constant.wrapping_sub(other.constant);
        for (&t, &c) in &other.parts {
            let own = sum.parts.entry(t).or_default();
            *own = own.wrapping_sub(c);
        }
        sum.tidy();
        sum
    }

    /// The sum as signed numbers, if that is how small they are.
    fn signed(&self, c: u64) -> i64 {
        let free = 64 - self.width;
        ((c << free) as i64) >> free
    }

    /// The sum divided by a positive number: exactly, where everything in it can be, and else rounded down as unsigned words are, after
    /// the common divisor has been taken out.
    pub fn divided(&self, pool: &mut TermPool, by: u64) -> Option<Term> {
        let mut common = by;
        for &c in self.parts.values().chain([&self.constant]) {
            common = gcd(common, self.signed(c).unsigned_abs());
        }
        if common == 0 {
            return None;
        }
        let mut quotient = self.clone();
        let divide = |c: u64| (self.signed(c) / common as i64) as u64;
        quotient.constant = divide(self.constant);
        for c in quotient.parts.values_mut() {
            *c = divide(*c);
        }
        quotient.tidy();
        let t = quotient.term(pool);
        Some(match by / common {
            1 => t,
            left => {
                let left = pool.num(self.width, left);
                pool.make(Op::BvUdiv, &[t, left])
            }
        })
    }

    /// The sum as a term.
    pub fn term(&self, pool: &mut TermPool) -> Term {
        let mut sum = pool.num(self.width, self.constant);
        for (&part, &c) in &self.parts {
            let c = pool.num(self.width, c);
            let product = pool.bvmul(part, c);
            sum = pool.bvadd(sum, product);
        }
        sum
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
