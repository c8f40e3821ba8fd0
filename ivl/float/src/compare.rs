//! Signs, classes, comparisons and what is chosen by them.

use crate::{Floats, Format};
use trellis_ivl::{Bv, Term};

impl Floats<'_> {
    /// `-x`: the sign bit inverted, also that of a NaN.
    pub fn neg(&mut self, format: Format, x: Term) -> Term {
        let (sign, rest) = self.sign_and_rest(format, x);
        let sign = self.pool.bvnot(sign);
        self.pool.concat(sign, rest)
    }

    /// `|x|`: the sign bit cleared, also that of a NaN.
    pub fn abs(&mut self, format: Format, x: Term) -> Term {
        let (_, rest) = self.sign_and_rest(format, x);
        self.pool.zext(format.width(), rest)
    }

    /// `x` with the sign bit of `y`.
    pub fn copysign(&mut self, format: Format, x: Term, y: Term) -> Term {
        let (_, rest) = self.sign_and_rest(format, x);
        let (sign, _) = self.sign_and_rest(format, y);
        self.pool.concat(sign, rest)
    }

    fn sign_and_rest(&mut self, format: Format, x: Term) -> (Term, Term) {
        let top = format.width() - 1;
        let sign = self.pool.extract(top, top, x);
        (sign, self.pool.extract(top - 1, 0, x))
    }

    /// C's `fmin`: the other operand where one is a NaN; `-0` is less than `+0` here, which C leaves open.
    pub fn min(&mut self, format: Format, a: Term, b: Term) -> Term {
        self.choose(format, a, b, true)
    }

    /// C's `fmax`: the other operand where one is a NaN; `+0` is greater than `-0` here, which C leaves open.
    pub fn max(&mut self, format: Format, a: Term, b: Term) -> Term {
        self.choose(format, a, b, false)
    }

    fn choose(&mut self, format: Format, a: Term, b: Term, least: bool) -> Term {
        let (a_nan, b_nan) = (self.is_nan(format, a), self.is_nan(format, b));
        let (ia, ib) = (self.image(format, a), self.image(format, b));
        let a_below = self.image_less(ia, ib);
        let a_first = if least {
            a_below
        } else {
            self.pool.not(a_below)
        };
        let number = self.pool.ite(a_first, a, b);
        let not_a_number = self.nan(format);
        let b_or_nan = self.pool.ite(b_nan, not_a_number, b);
        let with_a = self.pool.ite(b_nan, a, number);
        self.pool.ite(a_nan, b_or_nan, with_a)
    }

    /// Sign, exponent and fraction as one word: for interchange formats the pattern itself.
    fn image(&mut self, format: Format, x: Term) -> Term {
        if !format.has_explicit_integer() {
            return x;
        }
        let parts = self.split(format, x);
        let magnitude = self.magnitude(&parts);
        let sign = self.pool.bool_to_bv(parts.sign);
        self.pool.concat(sign, magnitude)
    }

    /// `a < b` for images of numbers, `-0` below `+0`.
    fn image_less(&mut self, a: Term, b: Term) -> Term {
        let (sa, sb) = (self.top(a), self.top(b));
        let negative = self.pool.and(sa, sb);
        let forward = self.pool.bvslt(a, b);
        let backward = self.pool.bvslt(b, a);
        self.pool.ite(negative, backward, forward)
    }

    /// `a == b`: false where one is a NaN; zeros are equal.
    pub fn eq(&mut self, format: Format, a: Term, b: Term) -> Term {
        let (ia, ib) = (self.image(format, a), self.image(format, b));
        let same = self.pool.eq(ia, ib);
        let zeros = self.both_zero(format, a, b);
        let equal = self.pool.or(same, zeros);
        let a_nan = self.is_nan(format, a);
        let unordered = if format.has_explicit_integer() {
            let b_nan = self.is_nan(format, b);
            self.pool.or(a_nan, b_nan)
        } else {
            // What equals a number is one.
            a_nan
        };
        let ordered = self.pool.not(unordered);
        self.pool.and(equal, ordered)
    }

    /// `a < b`: false where one is a NaN.
    pub fn lt(&mut self, format: Format, a: Term, b: Term) -> Term {
        let (ia, ib) = (self.image(format, a), self.image(format, b));
        let less = self.image_less(ia, ib);
        let zeros = self.both_zero(format, a, b);
        let differ = self.pool.not(zeros);
        let unordered = self.unordered(format, a, b);
        let ordered = self.pool.not(unordered);
        self.pool.and_all([less, differ, ordered])
    }

    /// `a <= b`: false where one is a NaN.
    pub fn le(&mut self, format: Format, a: Term, b: Term) -> Term {
        let (ia, ib) = (self.image(format, a), self.image(format, b));
        let greater = self.image_less(ib, ia);
        let at_most = self.pool.not(greater);
        let zeros = self.both_zero(format, a, b);
        let at_most = self.pool.or(at_most, zeros);
        let unordered = self.unordered(format, a, b);
        let ordered = self.pool.not(unordered);
        self.pool.and(at_most, ordered)
    }

    /// One of the two is a NaN.
    pub fn unordered(&mut self, format: Format, a: Term, b: Term) -> Term {
        let (a, b) = (self.is_nan(format, a), self.is_nan(format, b));
        self.pool.or(a, b)
    }

    fn both_zero(&mut self, format: Format, a: Term, b: Term) -> Term {
        let (a, b) = (self.is_zero(format, a), self.is_zero(format, b));
        self.pool.and(a, b)
    }

    /// Not a number.
    pub fn is_nan(&mut self, format: Format, x: Term) -> Term {
        self.split(format, x).nan
    }

    /// Plus or minus infinity.
    pub fn is_infinite(&mut self, format: Format, x: Term) -> Term {
        self.split(format, x).infinite
    }

    /// Plus or minus zero.
    pub fn is_zero(&mut self, format: Format, x: Term) -> Term {
        self.split(format, x).zero
    }

    /// A number below the smallest normal one in magnitude, and not zero.
    pub fn is_subnormal(&mut self, format: Format, x: Term) -> Term {
        let parts = self.split(format, x);
        let low = self.is_nothing(parts.exponent);
        let fraction = self.any(parts.fraction);
        self.pool.and(low, fraction)
    }

    /// Finite, and at least the smallest normal number in magnitude.
    pub fn is_normal(&mut self, format: Format, x: Term) -> Term {
        let parts = self.split(format, x);
        let above = self.any(parts.exponent);
        let special = self.pool.or(parts.nan, parts.infinite);
        let finite = self.pool.not(special);
        self.pool.and(above, finite)
    }

    /// Neither infinite nor a NaN.
    pub fn is_finite(&mut self, format: Format, x: Term) -> Term {
        let parts = self.split(format, x);
        let ones = self.pool.bv(Bv::ones(format.exponent_bits()));
        let below = self.pool.ne(parts.exponent, ones);
        let number = self.pool.not(parts.nan);
        self.pool.and(below, number)
    }

    /// The sign bit is one: C's `signbit`, true of `-0` and of some NaNs.
    pub fn is_negative(&mut self, format: Format, x: Term) -> Term {
        self.bit(x, format.width() - 1)
    }

    /// A word as wide as the pattern in which numbers are ordered: `a < b` just if the key of `a` is below that of `b`, unsigned, and both zeros
    /// have one key. NaNs lie beyond the infinities, by their sign.
    pub fn order_key(&mut self, format: Format, x: Term) -> Term {
        let parts = self.split(format, x);
        let width = format.width();
        let magnitude = self.magnitude(&parts);
        let magnitude = self.pool.zext(width, magnitude);
        let middle = self.pool.bv(Bv::min_signed(width));
        let above = self.pool.bvadd(middle, magnitude);
        let below = self.pool.bvsub(middle, magnitude);
        self.pool.ite(parts.sign, below, above)
    }
}
