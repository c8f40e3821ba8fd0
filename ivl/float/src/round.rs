//! The rounder: an exact result, of which the bits beyond the precision are known as far as rounding can see them, to
//! the magnitude of a float.

use crate::words::unsigned_bits;
use crate::{Floats, Format, Mode, Rounding};
use trellis_ivl::{Bv, Term};

/// An exact result that is not zero: `kept * 2^(exponent - bias - precision)`, and a little more where `sticky` holds.
#[derive(Clone, Copy)]
pub(crate) struct Exact {
    /// Boolean.
    pub sign: Term,
    /// The biased exponent of the highest bit of `kept`, signed.
    pub exponent: Term,
    /// One bit more than the precision. The highest bit is one; it may be zero only where the result is below the smallest
    /// normal number whatever its highest bit is.
    pub kept: Term,
    /// Boolean: something follows after the bits that are kept.
    pub sticky: Term,
}

/// Which ends of the range an operation can leave.
#[derive(Clone, Copy)]
pub(crate) struct Ends {
    /// Results may be smaller than the smallest normal number.
    pub small: bool,
    /// Results may be larger than the largest number.
    pub large: bool,
}

/// What a mode means for a result with a known sign; booleans.
#[derive(Clone, Copy)]
pub(crate) struct Direction {
    /// To nearest.
    nearest: Term,
    /// Ties go away from zero.
    away: Term,
    /// Every inexact result goes away from zero.
    outward: Term,
}

impl Floats<'_> {
    /// Whether `mode` is `rounding`, which is not nearest even.
    fn is_mode(&mut self, mode: Mode, rounding: Rounding) -> Term {
        match mode {
            Mode::Fixed(fixed) => self.pool.bool(fixed == rounding),
            Mode::Term(t) => {
                let number = self.pool.num(Rounding::WIDTH, rounding.number());
                self.pool.eq(t, number)
            }
        }
    }

    /// Whether the sign of a sum that cancels is negative.
    pub(crate) fn is_downward(&mut self, mode: Mode) -> Term {
        self.is_mode(mode, Rounding::Downward)
    }

    pub(crate) fn direction(&mut self, mode: Mode, sign: Term) -> Direction {
        let up = self.is_mode(mode, Rounding::Upward);
        let down = self.is_mode(mode, Rounding::Downward);
        let zero = self.is_mode(mode, Rounding::TowardZero);
        let directed = self.pool.or_all([up, down, zero]);
        Direction {
            nearest: self.pool.not(directed),
            away: self.is_mode(mode, Rounding::NearestAway),
            outward: self.pool.ite(sign, down, up),
        }
    }

    /// Whether a magnitude is rounded up, given its lowest bit, the bit after it, and whether more follows.
    pub(crate) fn increments(
        &mut self,
        to: Direction,
        lowest: Term,
        guard: Term,
        sticky: Term,
    ) -> Term {
        let above_half = self.pool.or_all([sticky, lowest, to.away]);
        let nearest = self.pool.and(guard, above_half);
        let inexact = self.pool.or(guard, sticky);
        let directed = self.pool.and(to.outward, inexact);
        self.pool.ite(to.nearest, nearest, directed)
    }

    /// The magnitude of a result, rounded.
    pub(crate) fn round(&mut self, format: Format, mode: Mode, exact: Exact, ends: Ends) -> Term {
        let to = self.direction(mode, exact.sign);
        let exponent = exact.exponent;
        let (mut kept, mut sticky) = (exact.kept, exact.sticky);
        if ends.small {
            let lost;
            (kept, lost) = self.denormalise(format, exponent, kept);
            sticky = self.pool.or(sticky, lost);
        }
        let low = self.pool.extract(format.exponent_bits() - 1, 0, exponent);
        let magnitude = self.rounded(to, low, kept, sticky);
        if !ends.large {
            return magnitude;
        }
        let width = self.pool.width(exponent);
        let limit = self.int(width, 2 * format.bias() + 1);
        let overflows = self.pool.bvsle(limit, exponent);
        self.overflowing(format, to, overflows, magnitude)
    }

    /// Shifts a significand right as far as its exponent is below that of the smallest normal numbers.
    fn denormalise(&mut self, format: Format, exponent: Term, kept: Term) -> (Term, Term) {
        let stages = unsigned_bits(format.precision() + 1);
        let width = self.pool.width(exponent).max(stages + 2);
        let exponent = self.pool.sext(width, exponent);
        let one = self.int(width, 1);
        let below = self.pool.bvsub(one, exponent);
        let normal = self.top(below);
        let subnormal = self.pool.not(normal);
        let amount = self.pool.extract(width - 2, 0, below);
        let amount = self.masked(subnormal, amount);
        self.shift_right_sticky(kept, amount)
    }

    /// Exponent and significand as one magnitude, rounded. An exponent counts only where the significand's highest bit is one;
    /// a carry out of the fraction goes into it, up to infinity.
    pub(crate) fn rounded(
        &mut self,
        to: Direction,
        exponent: Term,
        kept: Term,
        sticky: Term,
    ) -> Term {
        let precision = self.pool.width(kept) - 1;
        let integer = self.bit(kept, precision);
        let fraction = self.pool.extract(precision - 1, 1, kept);
        let (lowest, guard) = (self.bit(kept, 1), self.bit(kept, 0));
        let increments = self.increments(to, lowest, guard, sticky);
        let exponent = self.masked(integer, exponent);
        let magnitude = self.pool.concat(exponent, fraction);
        let increment = self.bool_to(self.pool.width(magnitude), increments);
        self.pool.bvadd(magnitude, increment)
    }

    /// The magnitude, or what stands for a number that is too large.
    pub(crate) fn overflowing(
        &mut self,
        format: Format,
        to: Direction,
        overflows: Term,
        magnitude: Term,
    ) -> Term {
        let infinity = self.infinite_magnitude(format);
        let largest = self.plus(infinity, -1);
        let infinite = self.pool.or(to.nearest, to.outward);
        let large = self.pool.ite(infinite, infinity, largest);
        self.pool.ite(overflows, large, magnitude)
    }

    /// Whether a biased exponent that fits is too large for a number.
    pub(crate) fn is_beyond(&mut self, exponent: Term) -> Term {
        let ones = self.pool.bv(Bv::ones(self.pool.width(exponent)));
        self.pool.eq(exponent, ones)
    }
}
