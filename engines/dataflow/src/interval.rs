//! Intervals of floats: a range of numbers by their places in the order, and whether there may be a NaN.
//!
//! Operations are monotone, and they round to nearest, which is monotone too: an interval of results has its ends at results for ends.
//! These are computed by the operations' own terms over constants, so that both round alike.

use trellis_ivl::{Bv, TermPool};
use trellis_ivl_float::Format;
use trellis_ivl_float::recognise::{Operation, apply};
use trellis_ivl_float::terms::{infinity_key, key, pattern};

/// A set of floats of one format. Without numbers where `low > high`; never empty altogether.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The format.
    pub format: Format,
    /// The place of the least number; zeros of both signs are at 0.
    pub low: i128,
    /// The place of the largest number.
    pub high: i128,
    /// Whether there may be a NaN.
    pub nan: bool,
}

impl Interval {
    /// All floats.
    pub fn top(format: Format) -> Interval {
        let end = infinity_key(format);
        Interval {
            format,
            low: -end,
            high: end,
            nan: true,
        }
    }

    /// One float.
    pub fn constant(format: Format, c: &Bv) -> Interval {
        match key(format, c) {
            Some(k) => Interval::numbers(format, k, k),
            None => Interval {
                low: 1,
                high: 0,
                ..Interval::top(format)
            },
        }
    }

    /// A range of numbers.
    pub fn numbers(format: Format, low: i128, high: i128) -> Interval {
        Interval {
            format,
            low,
            high,
            nan: false,
        }
    }

    /// Whether nothing is known.
    pub fn is_top(&self) -> bool {
        *self == Interval::top(self.format)
    }

    /// Whether there is a number.
    pub fn has_numbers(&self) -> bool {
        self.low <= self.high
    }

    /// `self`, unless it is empty.
    pub fn checked(self) -> Option<Interval> {
        (self.nan || self.has_numbers()).then_some(self)
    }

    /// Numbers between two places, and NaN as before.
    pub fn within(self, low: i128, high: i128) -> Option<Interval> {
        Interval {
            low: self.low.max(low),
            high: self.high.min(high),
            ..self
        }
        .checked()
    }

    /// What is in both.
    pub fn meet(self, other: &Interval) -> Option<Interval> {
        let nan = self.nan && other.nan;
        Interval { nan, ..self }.within(other.low, other.high)
    }

    /// The least interval with both.
    pub fn join(self, other: &Interval) -> Interval {
        let nan = self.nan || other.nan;
        match (self.has_numbers(), other.has_numbers()) {
            (false, _) => Interval { nan, ..*other },
            (_, false) => Interval { nan, ..self },
            _ => Interval {
                low: self.low.min(other.low),
                high: self.high.max(other.high),
                nan,
                ..self
            },
        }
    }

    /// An interval with both in which every end that grew is at the next of `stops`, which ascend.
    pub fn widen(self, newer: &Interval, stops: &[i128]) -> Interval {
        let mut joined = self.join(newer);
        if !self.has_numbers() || !joined.has_numbers() {
            return joined;
        }
        let top = Interval::top(self.format);
        if joined.low < self.low {
            let below = stops.iter().rev().find(|&&s| s <= joined.low);
            joined.low = below.copied().unwrap_or(top.low);
        }
        if joined.high > self.high {
            let above = stops.iter().find(|&&s| s >= joined.high);
            joined.high = above.copied().unwrap_or(top.high);
        }
        joined
    }

    fn has(&self, place: i128) -> bool {
        self.low <= place && place <= self.high
    }

    fn has_infinity(&self) -> bool {
        let end = infinity_key(self.format);
        self.has(end) || self.has(-end)
    }

    /// `-self`.
    pub fn neg(&self) -> Interval {
        Interval {
            low: -self.high,
            high: -self.low,
            ..*self
        }
    }

    /// `|self|`.
    pub fn abs(&self) -> Interval {
        let far = self.low.abs().max(self.high.abs());
        let (low, high) = match (self.has_numbers(), self.has(0)) {
            (false, _) => (self.low, self.high),
            (_, true) => (0, far),
            _ => (self.low.abs().min(self.high.abs()), far),
        };
        Interval { low, high, ..*self }
    }

    /// The result for numbers at ends: its place, unless it is a NaN.
    fn at(
        pool: &mut TermPool,
        op: Operation,
        format: Format,
        ends: &[(Format, i128)],
    ) -> Option<i128> {
        let args: Vec<_> = ends.iter().map(|&(f, k)| pool.bv(pattern(f, k))).collect();
        let result = apply(pool, op, format, &args);
        key(format, &pool.as_bv(result)?)
    }

    /// The hull of results for all ends; of nothing, all numbers.
    fn hull(format: Format, nan: bool, ends: impl IntoIterator<Item = Option<i128>>) -> Interval {
        let top = Interval {
            nan,
            ..Interval::top(format)
        };
        let ends: Option<Vec<i128>> = ends.into_iter().collect();
        let ends = ends.unwrap_or_default();
        match (ends.iter().min(), ends.iter().max()) {
            (Some(&low), Some(&high)) => Interval { low, high, ..top },
            _ => top,
        }
    }

    /// An operation on one interval that is monotone: conversion, rounding to an integer.
    fn monotone(&self, pool: &mut TermPool, op: Operation, format: Format) -> Interval {
        let ends = [self.low, self.high].map(|k| Self::at(pool, op, format, &[(self.format, k)]));
        Self::hull(format, self.nan, ends)
    }

    fn binary(&self, pool: &mut TermPool, op: Operation, other: &Interval, nan: bool) -> Interval {
        let f = self.format;
        let corners = match op {
            Operation::Add => vec![(self.low, other.low), (self.high, other.high)],
            _ => vec![
                (self.low, other.low),
                (self.low, other.high),
                (self.high, other.low),
                (self.high, other.high),
            ],
        };
        let ends: Vec<_> = corners
            .into_iter()
            .map(|(a, b)| Self::at(pool, op, f, &[(f, a), (f, b)]))
            .collect();
        Self::hull(f, nan || self.nan || other.nan, ends)
    }

    /// The results of an operation on floats, with results of `format`.
    pub fn apply(
        pool: &mut TermPool,
        op: Operation,
        format: Format,
        args: &[Interval],
    ) -> Interval {
        if args.iter().any(|a| !a.has_numbers()) {
            return Interval::top(format);
        }
        match (op, args) {
            (Operation::Neg, [a]) => a.neg(),
            (Operation::Abs, [a]) => a.abs(),
            (Operation::Add, [a, b]) => a.sum(pool, b),
            (Operation::Sub, [a, b]) => a.sum(pool, &b.neg()),
            (Operation::Mul, [a, b]) => {
                let nan = (a.has(0) && b.has_infinity()) || (a.has_infinity() && b.has(0));
                a.binary(pool, op, b, nan)
            }
            (Operation::Div, [a, b]) => {
                let nan = (a.has(0) && b.has(0)) || (a.has_infinity() && b.has_infinity());
                match b.has(0) {
                    true => Interval {
                        nan: nan || a.nan || b.nan,
                        ..Interval::top(format)
                    },
                    false => a.binary(pool, op, b, nan),
                }
            }
            (Operation::Sqrt, [a]) => {
                let undefined = a.low < 0;
                match a.within(0, a.high) {
                    Some(defined) if defined.has_numbers() => {
                        let root = defined.monotone(pool, op, format);
                        Interval {
                            nan: root.nan || undefined,
                            ..root
                        }
                    }
                    _ => Interval::top(format),
                }
            }
            (Operation::Convert(_) | Operation::Integral(_), [a]) => a.monotone(pool, op, format),
            _ => Interval::top(format),
        }
    }

    fn sum(&self, pool: &mut TermPool, other: &Interval) -> Interval {
        let end = infinity_key(self.format);
        let nan = (self.has(end) && other.has(-end)) || (self.has(-end) && other.has(end));
        self.binary(pool, Operation::Add, other, nan)
    }

    /// The floats of integers between two, which are constants of one type.
    pub fn of_integers(
        pool: &mut TermPool,
        op: Operation,
        format: Format,
        (low, high): (Bv, Bv),
    ) -> Interval {
        let ends = [low, high].map(|c| {
            let c = pool.bv(c);
            let result = apply(pool, op, format, &[c]);
            key(format, &pool.as_bv(result)?)
        });
        Self::hull(format, false, ends)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trellis_ivl::rng::Rng;

    type Unary = fn(f32) -> f32;
    type Binary = fn(f32, f32) -> f32;

    struct Bits(Rng);

    impl Bits {
        /// A number, often one of the ends of the range or near to one.
        fn number(&mut self) -> f32 {
            let special = [
                0.0,
                1.0,
                -1.0,
                0.1,
                f32::MAX,
                f32::INFINITY,
                f32::MIN_POSITIVE,
            ];
            let n = self.0.bits();
            match n % 3 {
                0 => special[(n >> 8) as usize % special.len()],
                1 => ((n >> 8) as i32 % 1000) as f32 / 8.0,
                _ => Some(f32::from_bits((n >> 8) as u32))
                    .filter(|x| !x.is_nan())
                    .unwrap_or(2.0),
            }
        }

        /// An interval with some numbers in it.
        fn interval(&mut self) -> (Interval, Vec<f32>) {
            let (a, b) = (self.number(), self.number());
            let i = Interval::numbers(Format::SINGLE, place(a.min(b)), place(a.max(b)));
            let mut members = vec![a, b];
            for _ in 0..4 {
                let span = (i.high - i.low + 1) as u128;
                let at = i.low + (u128::from(self.0.bits()) % span) as i128;
                let bits = pattern(Format::SINGLE, at).to_u64().expect("a word");
                members.push(f32::from_bits(bits as u32));
                if i.has(0) {
                    members.extend([0.0, -0.0]);
                }
            }
            (i, members)
        }
    }

    fn place(x: f32) -> i128 {
        key(Format::SINGLE, &Bv::new(32, x.to_bits().into())).expect("a number")
    }

    fn assert_has(i: &Interval, x: f32, what: &str) {
        let inside = if x.is_nan() { i.nan } else { i.has(place(x)) };
        assert!(inside, "{what}: {i:?} lacks {x:e}");
    }

    /// Results of the processor for members are in the interval of results.
    #[test]
    fn operations_cover_what_the_processor_computes() {
        let mut bits = Bits(Rng::new(7));
        let mut pool = TermPool::new();
        let f = Format::SINGLE;
        let binary: [(Operation, Binary); 4] = [
            (Operation::Add, |a, b| a + b),
            (Operation::Sub, |a, b| a - b),
            (Operation::Mul, |a, b| a * b),
            (Operation::Div, |a, b| a / b),
        ];
        let unary: [(Operation, Unary); 4] = [
            (Operation::Neg, |a| -a),
            (Operation::Abs, f32::abs),
            (Operation::Sqrt, f32::sqrt),
            (
                Operation::Integral(trellis_ivl_float::Rounding::TowardZero),
                f32::trunc,
            ),
        ];
        for _ in 0..400 {
            let ((i, xs), (j, ys)) = (bits.interval(), bits.interval());
            for (op, exact) in binary {
                let result = Interval::apply(&mut pool, op, f, &[i, j]);
                for (&x, &y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (x, y))) {
                    assert_has(
                        &result,
                        exact(x, y),
                        &format!("{op:?} {i:?} {j:?} {x:e} {y:e}"),
                    );
                }
            }
            for (op, exact) in unary {
                let result = Interval::apply(&mut pool, op, f, &[i]);
                for &x in &xs {
                    assert_has(&result, exact(x), &format!("{op:?} {i:?} {x:e}"));
                }
            }
            let (joined, widened) = (i.join(&j), i.widen(&j, &[0]));
            for &x in xs.iter().chain(&ys) {
                assert_has(&joined, x, "join");
                assert_has(&widened, x, "widen");
            }
        }
    }
}
