//! What a bit pattern means: its parts, and numbers with a normalised significand.

use crate::words::signed_bits;
use crate::{Floats, Format};
use trellis_ivl::{Bv, Term};

/// The parts of a pattern.
#[derive(Clone, Copy)]
pub(crate) struct Parts {
    /// Boolean: the sign bit.
    pub sign: Term,
    /// The biased exponent; 0 for zero and subnormal numbers.
    pub exponent: Term,
    /// The significand without its integer bit.
    pub fraction: Term,
    pub nan: Term,
    pub infinite: Term,
    pub zero: Term,
}

/// A number as `significand * 2^(exponent - bias - fraction bits)`, its significand normalised.
#[derive(Clone, Copy)]
pub(crate) struct Unpacked {
    pub sign: Term,
    /// Biased, signed; the width is asked for.
    pub exponent: Term,
    /// All bits of the precision, the highest of which is the constant one. Of no meaning for a zero.
    pub significand: Term,
    pub nan: Term,
    pub infinite: Term,
    pub zero: Term,
}

impl Floats<'_> {
    /// The parts of `x`.
    pub(crate) fn split(&mut self, format: Format, x: Term) -> Parts {
        let (e, f) = (format.exponent_bits(), format.fraction_bits());
        let width = format.width();
        assert_eq!(self.pool.width(x), width, "a pattern of {format:?}");
        let sign = self.top(x);
        let stored = self.pool.extract(width - 2, width - 1 - e, x);
        let fraction = self.pool.extract(f - 1, 0, x);
        let highest = self.pool.bv(Bv::ones(e));
        let at_top = self.pool.eq(stored, highest);
        let at_bottom = self.is_nothing(stored);
        let whole = self.is_nothing(fraction);
        let broken = self.pool.not(whole);
        let infinite = self.pool.and(at_top, whole);
        let zero = self.pool.and(at_bottom, whole);
        let nan = self.pool.and(at_top, broken);
        if !format.has_explicit_integer() {
            return Parts {
                sign,
                exponent: stored,
                fraction,
                nan,
                infinite,
                zero,
            };
        }
        let integer = self.bit(x, f);
        let no_integer = self.pool.not(integer);
        let above = self.pool.not(at_bottom);
        let invalid = self.pool.and(above, no_integer);
        let pseudo_denormal = self.pool.and(at_bottom, integer);
        let one = self.pool.num(e, 1);
        Parts {
            sign,
            exponent: self.pool.ite(pseudo_denormal, one, stored),
            fraction,
            nan: self.pool.or(nan, invalid),
            infinite: self.pool.and(infinite, integer),
            zero: self.pool.and(zero, no_integer),
        }
    }

    /// Exponent and fraction as one word, in which larger numbers are larger.
    pub(crate) fn magnitude(&mut self, parts: &Parts) -> Term {
        self.pool.concat(parts.exponent, parts.fraction)
    }

    /// The biased exponent of the significand's highest bit, subnormal numbers having that of the smallest normal ones; and
    /// the significand.
    pub(crate) fn scaled(&mut self, parts: &Parts) -> (Term, Term) {
        let normal = self.any(parts.exponent);
        let e = self.pool.width(parts.exponent);
        let subnormal = self.pool.not(normal);
        let low = self.bit(parts.exponent, 0);
        let low = self.pool.or(low, subnormal);
        let high = self.pool.extract(e - 1, 1, parts.exponent);
        let exponent = self.append(high, low);
        let integer = self.pool.bool_to_bv(normal);
        let significand = self.pool.concat(integer, parts.fraction);
        (exponent, significand)
    }

    /// `x` with a normalised significand and an exponent of `width` bits.
    pub(crate) fn unpack(&mut self, format: Format, x: Term, width: u32) -> Unpacked {
        debug_assert!(width >= exponent_width(format, 0));
        let parts = self.split(format, x);
        let (exponent, significand) = self.scaled(&parts);
        let (normal, shift) = self.normalise(significand);
        let exponent = self.pool.zext(width, exponent);
        let shift = self.pool.zext(width, shift);
        let exponent = self.pool.bvsub(exponent, shift);
        let one = self.pool.num(1, 1);
        let rest = self.pool.extract(format.fraction_bits() - 1, 0, normal);
        Unpacked {
            sign: parts.sign,
            exponent,
            significand: self.pool.concat(one, rest),
            nan: parts.nan,
            infinite: parts.infinite,
            zero: parts.zero,
        }
    }

    /// The pattern with this sign and this magnitude.
    pub(crate) fn assemble(&mut self, format: Format, sign: Term, magnitude: Term) -> Term {
        let (e, f) = (format.exponent_bits(), format.fraction_bits());
        let sign = self.pool.bool_to_bv(sign);
        if !format.has_explicit_integer() {
            return self.pool.concat(sign, magnitude);
        }
        let exponent = self.pool.extract(e + f - 1, f, magnitude);
        let fraction = self.pool.extract(f - 1, 0, magnitude);
        let normal = self.any(exponent);
        let high = self.pool.concat(sign, exponent);
        let high = self.append(high, normal);
        self.pool.concat(high, fraction)
    }

    /// The magnitude of infinity.
    pub(crate) fn infinite_magnitude(&mut self, format: Format) -> Term {
        let ones = self.pool.bv(Bv::ones(format.exponent_bits()));
        self.pad(ones, format.fraction_bits())
    }

    /// The pattern of every result that is not a number: quiet, positive, no payload.
    pub fn nan(&mut self, format: Format) -> Term {
        let infinity = self.infinity(format, false);
        let quiet = self.pool.num(format.width(), 1);
        let quiet = self.pad(quiet, format.fraction_bits() - 1);
        let quiet = self.pool.extract(format.width() - 1, 0, quiet);
        self.pool.bvor(infinity, quiet)
    }

    /// Infinity.
    pub fn infinity(&mut self, format: Format, negative: bool) -> Term {
        let magnitude = self.infinite_magnitude(format);
        let sign = self.pool.bool(negative);
        self.assemble(format, sign, magnitude)
    }

    /// Zero.
    pub fn zero(&mut self, format: Format, negative: bool) -> Term {
        let magnitude = self.pool.num(format.magnitude_bits(), 0);
        let sign = self.pool.bool(negative);
        self.assemble(format, sign, magnitude)
    }

    /// The result of an operation: the first that holds of not a number, infinite, zero, and the magnitude.
    pub(crate) fn result(
        &mut self,
        format: Format,
        special: [Term; 3],
        sign: Term,
        magnitude: Term,
    ) -> Term {
        let [nan, infinite, zero] = special;
        let nonzero = self.pool.not(zero);
        let finite = self.masked(nonzero, magnitude);
        let infinity = self.infinite_magnitude(format);
        let magnitude = self.pool.ite(infinite, infinity, finite);
        let number = self.assemble(format, sign, magnitude);
        let not_a_number = self.nan(format);
        self.pool.ite(nan, not_a_number, number)
    }
}

/// Bits of a signed word for `count` biased exponents of normalised significands and the bias, added or subtracted.
pub(crate) fn exponent_width(format: Format, count: i64) -> u32 {
    let one = (2i64 << (format.exponent_bits() - 1)) + i64::from(format.precision());
    signed_bits(one * count.max(1) + format.bias() * count.min(1) + 2 * count)
}
