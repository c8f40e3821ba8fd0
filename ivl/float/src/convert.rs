//! Conversions between formats, and between floats and integers.

use crate::round::{Ends, Exact};
use crate::words::{signed_bits, unsigned_bits};
use crate::{Floats, Format, Mode};
use trellis_ivl::{Bv, Term};

impl Floats<'_> {
    /// `x` in another format. In its own format it stays as it is, whatever its pattern.
    pub fn convert(&mut self, from: Format, to: Format, mode: impl Into<Mode>, x: Term) -> Term {
        if from == to {
            return x;
        }
        let width = signed_bits(2 * (from.bias() + to.bias()) + i64::from(from.precision()) + 4);
        // What is subnormal in both formats is shifted right in any case, and need not be shifted left before.
        let tiny = from.min_exponent() < to.min_exponent();
        let parts = self.split(from, x);
        let (exponent, significand) = self.scaled(&parts);
        let exponent = self.pool.zext(width, exponent);
        let (exponent, significand) = if tiny {
            (exponent, significand)
        } else {
            let (significand, shift) = self.normalise(significand);
            let shift = self.pool.zext(width, shift);
            (self.pool.bvsub(exponent, shift), significand)
        };
        let (kept, sticky) = self.highest(significand, to.precision() + 1);
        let exact = Exact {
            sign: parts.sign,
            exponent: self.plus(exponent, to.bias() - from.bias()),
            kept,
            sticky,
        };
        let smallest = from.min_exponent() - i64::from(from.fraction_bits());
        let ends = Ends {
            small: smallest < to.min_exponent(),
            large: from.max_exponent() > to.max_exponent(),
        };
        let magnitude = self.round(to, mode.into(), exact, ends);
        let special = [parts.nan, parts.infinite, parts.zero];
        self.result(to, special, parts.sign, magnitude)
    }

    /// The float nearest to a signed integer of any width.
    pub fn from_signed(&mut self, format: Format, mode: impl Into<Mode>, x: Term) -> Term {
        let negative = self.top(x);
        let minus_x = self.pool.bvneg(x);
        let magnitude = self.pool.ite(negative, minus_x, x);
        self.rounded_from(format, mode.into(), negative, magnitude)
    }

    /// The float nearest to an unsigned integer of any width.
    pub fn from_unsigned(&mut self, format: Format, mode: impl Into<Mode>, x: Term) -> Term {
        let no = self.pool.fls();
        self.rounded_from(format, mode.into(), no, x)
    }

    fn rounded_from(&mut self, format: Format, mode: Mode, sign: Term, integer: Term) -> Term {
        let bits = i64::from(self.pool.width(integer));
        let width = signed_bits(2 * format.bias() + bits + 2);
        let (significand, shift) = self.normalise(integer);
        let highest = self.int(width, format.bias() + bits - 1);
        let shift = self.pool.zext(width, shift);
        let (kept, sticky) = self.highest(significand, format.precision() + 1);
        let exact = Exact {
            sign,
            exponent: self.pool.bvsub(highest, shift),
            kept,
            sticky,
        };
        let ends = Ends {
            small: false,
            large: bits - 1 > format.max_exponent(),
        };
        let magnitude = self.round(format, mode, exact, ends);
        let no = self.pool.fls();
        let zero = self.is_nothing(integer);
        self.result(format, [no, no, zero], sign, magnitude)
    }

    /// The signed integer of `width` bits that `x` is rounded to, and whether there is one; where there is none,
    /// the integer means nothing.
    pub fn to_signed(
        &mut self,
        format: Format,
        mode: impl Into<Mode>,
        x: Term,
        width: u32,
    ) -> (Term, Term) {
        let integer = self.rounded_to(format, mode.into(), x, width);
        let most = self.pool.bv(Bv::min_signed(width).zext(width + 1));
        let fits = {
            let positive = self.pool.bvult(integer.magnitude, most);
            let negative = self.pool.bvule(integer.magnitude, most);
            self.pool.ite(integer.sign, negative, positive)
        };
        self.signed_integer(integer, fits, width)
    }

    /// The unsigned integer of `width` bits that `x` is rounded to, and whether there is one; where there is none,
    /// the integer means nothing. What is rounded to zero is in range also where it is negative.
    pub fn to_unsigned(
        &mut self,
        format: Format,
        mode: impl Into<Mode>,
        x: Term,
        width: u32,
    ) -> (Term, Term) {
        let integer = self.rounded_to(format, mode.into(), x, width);
        let fits = {
            let carry = self.top(integer.magnitude);
            let positive = self.pool.not(carry);
            let negative = self.is_nothing(integer.magnitude);
            self.pool.ite(integer.sign, negative, positive)
        };
        self.signed_integer(integer, fits, width)
    }

    fn signed_integer(&mut self, integer: Integer, fits: Term, width: u32) -> (Term, Term) {
        let low = self.pool.extract(width - 1, 0, integer.magnitude);
        let negated = self.pool.bvneg(low);
        let value = self.pool.ite(integer.sign, negated, low);
        (value, self.pool.and(integer.exists, fits))
    }

    /// `x` rounded to an integer of at most `width` bits, and one for the carry.
    fn rounded_to(&mut self, format: Format, mode: Mode, x: Term, width: u32) -> Integer {
        let (p, e) = (format.precision(), format.exponent_bits());
        let parts = self.split(format, x);
        let (exponent, significand) = self.scaled(&parts);
        // How many bits of the significand are before the point; below zero if it begins after the first place.
        let amount_bits = unsigned_bits(width);
        let wide = (e + 1).max(amount_bits + 1);
        let before = self.pool.zext(wide, exponent);
        let before = self.plus(before, 1 - format.bias());
        let tiny = self.top(before);
        let limit = self.int(wide, i64::from(width));
        let too_large = self.pool.bvslt(limit, before);
        let not_tiny = self.pool.not(tiny);
        let amount = self.pool.extract(amount_bits - 1, 0, before);
        let amount = self.masked(not_tiny, amount);

        let register = self.pool.zext(width + p, significand);
        let amount = self.pool.zext(width + p, amount);
        let shifted = self.pool.bvshl(register, amount);
        let whole = self.pool.extract(width + p - 1, p, shifted);
        let half = self.bit(shifted, p - 1);
        let guard = self.pool.and(half, not_tiny);
        let below = self.any_below(shifted, p - 1);
        let far = self.pool.and(half, tiny);
        let sticky = self.pool.or(below, far);
        let lowest = self.bit(whole, 0);
        let to = self.direction(mode, parts.sign);
        let increments = self.increments(to, lowest, guard, sticky);
        let whole = self.pool.zext(width + 1, whole);
        let increment = self.bool_to(width + 1, increments);
        let impossible = self.pool.or_all([parts.nan, parts.infinite, too_large]);
        Integer {
            sign: parts.sign,
            magnitude: self.pool.bvadd(whole, increment),
            exists: self.pool.not(impossible),
        }
    }
}

/// A float rounded to an integer.
struct Integer {
    sign: Term,
    /// One bit more than the integer that is asked for.
    magnitude: Term,
    /// Whether the magnitude is right.
    exists: Term,
}
