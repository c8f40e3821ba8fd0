//! Rounding to integers that stay floats: `rint`, `floor`, `ceil`, `trunc`, `round`.

use crate::words::unsigned_bits;
use crate::{Floats, Format, Mode};
use trellis_ivl::Term;

impl Floats<'_> {
    /// The integer that `x` is rounded to, as a float with the sign of `x`: C's `trunc`, `rint`, `ceil`, `floor` and `round` by the
    /// numbers of the directions.
    ///
    /// The magnitude stays in place: the bit that weighs one is added or not, and what is below it is cleared. A carry goes
    /// into the exponent.
    pub fn round_to_integral(&mut self, format: Format, mode: impl Into<Mode>, x: Term) -> Term {
        let mode = mode.into();
        let f = format.fraction_bits();
        let (p, bits) = (format.precision(), format.magnitude_bits());
        let parts = self.split(format, x);
        let magnitude = self.magnitude(&parts);
        let to = self.direction(mode, parts.sign);
        let at = |floats: &mut Self, exponent: i64| {
            floats.int(format.exponent_bits(), exponent + format.bias())
        };

        // From 2^f on, and also where there is no number, there is nothing to round.
        let has_point = i64::from(f) <= format.max_exponent();
        let integral = if has_point {
            let first = at(self, i64::from(f));
            self.pool.bvule(first, parts.exponent)
        } else {
            let special = self.pool.or(parts.nan, parts.infinite);
            self.pool.or(special, parts.zero)
        };
        let zero = at(self, 0);
        let below_one = self.pool.bvult(parts.exponent, zero);

        // Below one: zero or one.
        let half_exponent = at(self, -1);
        let at_half = self.pool.eq(parts.exponent, half_exponent);
        // The smallest normal exponent may be 0: then one half is subnormal.
        let (guard, sticky) = if format.min_exponent() <= -1 {
            let fraction = self.any(parts.fraction);
            let below_half = self.pool.not(at_half);
            let some = self.pool.not(parts.zero);
            let small = self.pool.and(below_half, some);
            (at_half, self.pool.or(fraction, small))
        } else {
            let guard = self.top(parts.fraction);
            (guard, self.any_below(parts.fraction, f - 1))
        };
        let no = self.pool.fls();
        let to_one = self.increments(to, no, guard, sticky);
        let one = self.pad(zero, f);
        let small = self.masked(to_one, one);

        // In between: `unit` is the bit that weighs one, as a word.
        let amount = {
            let stages = unsigned_bits(f);
            let width = format.exponent_bits().max(stages);
            let exponent = self.pool.zext(width, parts.exponent);
            let highest = self.int(width, format.bias() + i64::from(f));
            let amount = self.pool.bvsub(highest, exponent);
            let amount = self.pool.extract(stages - 1, 0, amount);
            self.pool.zext(bits, amount)
        };
        let one_bit = self.pool.num(bits, 1);
        let unit = self.pool.bvshl(one_bit, amount);
        let (_, significand) = self.scaled(&parts);
        let low_unit = self.pool.extract(p - 1, 0, unit);
        let low_mask = self.plus(low_unit, -1);
        let half = self.pool.extract(p - 1, 1, low_unit);
        let half = self.pool.zext(p, half);
        let rest = self.plus(half, -1);
        let [lowest, guard, sticky] = [low_unit, half, rest].map(|mask| {
            let chosen = self.pool.bvand(significand, mask);
            self.any(chosen)
        });
        let increments = self.increments(to, lowest, guard, sticky);
        let mask = self.pool.zext(bits, low_mask);
        let kept = self.pool.bvnot(mask);
        let whole = self.pool.bvand(magnitude, kept);
        let increment = self.masked(increments, unit);
        let large = self.pool.bvadd(whole, increment);

        let rounded = self.pool.ite(below_one, small, large);
        let rounded = self.pool.ite(integral, magnitude, rounded);
        self.result(format, [parts.nan, no, no], parts.sign, rounded)
    }
}
