//! Addition, multiplication, division, square root and fused multiply-add.

use crate::parts::{Unpacked, exponent_width};
use crate::round::{Ends, Exact};
use crate::words::unsigned_bits;
use crate::{Floats, Format, Mode};
use trellis_ivl::Term;

/// Both ends of the range can be left.
const BOTH: Ends = Ends {
    small: true,
    large: true,
};

impl Floats<'_> {
    /// `a + b`.
    pub fn add(&mut self, format: Format, mode: impl Into<Mode>, a: Term, b: Term) -> Term {
        self.sum(format, mode.into(), a, b)
    }

    /// `a - b`.
    pub fn sub(&mut self, format: Format, mode: impl Into<Mode>, a: Term, b: Term) -> Term {
        let minus_b = self.neg(format, b);
        self.sum(format, mode.into(), a, minus_b)
    }

    /// The sum: the operand of smaller magnitude is shifted to the other, with three bits and what is beyond them. Those
    /// are enough: where two or more are lost, at most one bit cancels. Nothing is rounded below the smallest normal
    /// number, because sums of floats there are floats.
    fn sum(&mut self, format: Format, mode: Mode, a: Term, b: Term) -> Term {
        let p = format.precision();
        let (pa, pb) = (self.split(format, a), self.split(format, b));
        let (ma, mb) = (self.magnitude(&pa), self.magnitude(&pb));
        let swaps = self.pool.bvult(ma, mb);
        let ((ea, sa), (eb, sb)) = (self.scaled(&pa), self.scaled(&pb));
        let large = self.pool.ite(swaps, sb, sa);
        let small = self.pool.ite(swaps, sa, sb);
        let exponent = self.pool.ite(swaps, eb, ea);
        let low_exponent = self.pool.ite(swaps, ea, eb);
        let distance = self.pool.bvsub(exponent, low_exponent);
        let subtracts = self.pool.xor(pa.sign, pb.sign);

        let small = self.pad(small, 2);
        let (small, sticky) = self.shift_right_sticky(small, distance);
        let small = self.append(small, sticky);
        let large = self.pad(large, 3);
        let (large, small) = (self.pool.zext(p + 4, large), self.pool.zext(p + 4, small));
        let sum = self.add_or_subtract(subtracts, large, small);

        // The highest bit is the carry: as many shifts as the exponent allows for make it the integer bit.
        let (sum, left) = self.normalise_within(sum, exponent);
        let exponent = self.plus(left, 1);
        let (kept, sticky) = self.highest(sum, p + 1);
        let cancels = {
            let kept = self.is_nothing(kept);
            self.pool.and(subtracts, kept)
        };
        let larger_sign = self.pool.ite(swaps, pb.sign, pa.sign);
        let down = self.is_downward(mode);
        let sign = self.pool.ite(cancels, down, larger_sign);
        let to = self.direction(mode, sign);
        let magnitude = self.rounded(to, exponent, kept, sticky);
        let overflows = {
            let beyond = self.is_beyond(exponent);
            let integer = self.top(kept);
            self.pool.and(beyond, integer)
        };
        let magnitude = self.overflowing(format, to, overflows, magnitude);

        let infinities = self.pool.and_all([pa.infinite, pb.infinite, subtracts]);
        let nan = self.pool.or_all([pa.nan, pb.nan, infinities]);
        let infinite = self.pool.or(pa.infinite, pb.infinite);
        let never = self.pool.fls();
        // An infinite operand is the larger one, so the sign is its.
        self.result(format, [nan, infinite, never], sign, magnitude)
    }

    /// `x` shifted left until its highest bit is one, but at most by `limit`; and what is left of the limit.
    fn normalise_within(&mut self, x: Term, limit: Term) -> (Term, Term) {
        let width = self.pool.width(x);
        let bits = self.pool.width(limit);
        let mut word = x;
        let mut left = limit;
        for stage in (0..unsigned_bits(width - 1)).rev() {
            // A limit of so few bits is never that large.
            if stage >= bits {
                continue;
            }
            let distance = 1 << stage;
            let high = self.pool.extract(width - 1, width - distance, word);
            let zeros = self.is_nothing(high);
            let rest = self.pool.extract(bits - 1, stage, left);
            let allowed = self.any(rest);
            let shifts = self.pool.and(zeros, allowed);
            word = self.shift_left_if(shifts, word, distance);
            let rest = self.plus_if(shifts, rest, -1);
            left = match stage {
                0 => rest,
                _ => {
                    let low = self.pool.extract(stage - 1, 0, left);
                    self.pool.concat(rest, low)
                }
            };
        }
        (word, left)
    }

    /// `x + value` where `c` holds, else `x`.
    fn plus_if(&mut self, c: Term, x: Term, value: i64) -> Term {
        let sum = self.plus(x, value);
        self.pool.ite(c, sum, x)
    }

    /// `a * b`.
    pub fn mul(&mut self, format: Format, mode: impl Into<Mode>, a: Term, b: Term) -> Term {
        let width = exponent_width(format, 2);
        let (a, b) = (self.unpack(format, a, width), self.unpack(format, b, width));
        let p = format.precision();
        let (exponent, product) = self.product(format, &a, &b);
        let (kept, sticky) = self.highest(product, p + 1);
        let sign = self.pool.xor(a.sign, b.sign);
        let exact = Exact {
            sign,
            exponent,
            kept,
            sticky,
        };
        let magnitude = self.round(format, mode.into(), exact, BOTH);
        let special = self.product_special(&a, &b);
        self.result(format, special, sign, magnitude)
    }

    /// The exact product, normalised, and its biased exponent.
    fn product(&mut self, format: Format, a: &Unpacked, b: &Unpacked) -> (Term, Term) {
        let wide = 2 * format.precision();
        let x = self.pool.zext(wide, a.significand);
        let y = self.pool.zext(wide, b.significand);
        let product = self.pool.bvmul(x, y);
        let carries = self.top(product);
        let no_carry = self.pool.not(carries);
        let product = self.shift_left_if(no_carry, product, 1);
        let exponent = self.pool.bvadd(a.exponent, b.exponent);
        let carry = self.bool_to(self.pool.width(exponent), carries);
        let exponent = self.pool.bvadd(exponent, carry);
        (self.plus(exponent, -format.bias()), product)
    }

    /// Whether a product is not a number, infinite, zero.
    fn product_special(&mut self, a: &Unpacked, b: &Unpacked) -> [Term; 3] {
        let infinite = self.pool.or(a.infinite, b.infinite);
        let zero = self.pool.or(a.zero, b.zero);
        let undefined = self.pool.and(infinite, zero);
        let nan = self.pool.or_all([a.nan, b.nan, undefined]);
        [nan, infinite, zero]
    }

    /// `a / b`.
    pub fn div(&mut self, format: Format, mode: impl Into<Mode>, a: Term, b: Term) -> Term {
        let width = exponent_width(format, 2);
        let (a, b) = (self.unpack(format, a, width), self.unpack(format, b, width));
        let p = format.precision();
        // The quotient of the significands is between one half and two.
        let wide = 2 * p + 1;
        let dividend = self.pad(a.significand, p + 1);
        let divisor = self.pool.zext(wide, b.significand);
        let quotient = self.pool.bvudiv(dividend, divisor);
        let remainder = self.pool.bvurem(dividend, divisor);
        let quotient = self.pool.extract(p + 1, 0, quotient);
        let remainder = self.pool.extract(p - 1, 0, remainder);
        let is_one = self.top(quotient);
        let is_half = self.pool.not(is_one);
        let quotient = self.shift_left_if(is_half, quotient, 1);
        let (kept, last) = self.highest(quotient, p + 1);
        let inexact = self.any(remainder);
        let exponent = self.pool.bvsub(a.exponent, b.exponent);
        let carry = self.bool_to(width, is_one);
        let exponent = self.pool.bvadd(exponent, carry);
        let sign = self.pool.xor(a.sign, b.sign);
        let exact = Exact {
            sign,
            exponent: self.plus(exponent, format.bias() - 1),
            kept,
            sticky: self.pool.or(last, inexact),
        };
        let magnitude = self.round(format, mode.into(), exact, BOTH);

        let infinities = self.pool.and(a.infinite, b.infinite);
        let zeros = self.pool.and(a.zero, b.zero);
        let nan = self.pool.or_all([a.nan, b.nan, infinities, zeros]);
        let infinite = self.pool.or(a.infinite, b.zero);
        let zero = self.pool.or(a.zero, b.infinite);
        self.result(format, [nan, infinite, zero], sign, magnitude)
    }

    /// The square root.
    pub fn sqrt(&mut self, format: Format, mode: impl Into<Mode>, x: Term) -> Term {
        let p = format.precision();
        let width = exponent_width(format, 1);
        let x = self.unpack(format, x, width);
        // The bias is odd: an even biased exponent is an odd one, and the significand takes the difference.
        let exponent = self.plus(x.exponent, -format.bias());
        let is_odd = self.bit(exponent, 0);
        let wide = self.pool.zext(p + 1, x.significand);
        let radicand = self.shift_left_if(is_odd, wide, 1);
        let radicand = self.pad(radicand, p + 1);
        let (root, inexact) = self.root(radicand);
        let half = self.pool.extract(width - 1, 1, exponent);
        let half = self.pool.sext(width, half);
        let no = self.pool.fls();
        let exact = Exact {
            sign: no,
            exponent: self.plus(half, format.bias()),
            kept: root,
            sticky: inexact,
        };
        // Only formats with a long fraction for their exponent have numbers whose square root is subnormal.
        let ends = Ends {
            small: format.min_exponent() + i64::from(format.fraction_bits()) > 0,
            large: false,
        };
        let magnitude = self.round(format, mode.into(), exact, ends);
        let positive = self.pool.not(x.sign);
        let fine = self.pool.or(positive, x.zero);
        let undefined = self.pool.not(fine);
        let nan = self.pool.or(x.nan, undefined);
        self.result(format, [nan, x.infinite, x.zero], x.sign, magnitude)
    }

    /// The integer square root of a word of even width, digit by digit, and whether a remainder is left.
    fn root(&mut self, radicand: Term) -> (Term, Term) {
        let digits = self.pool.width(radicand) / 2;
        let one = self.pool.num(2, 1);
        // The first step: a one where the first two bits are not zero.
        let first = self.pool.extract(2 * digits - 1, 2 * digits - 2, radicand);
        let digit = self.any(first);
        let less = self.plus(first, -1);
        let mut rest = self.pool.ite(digit, less, first);
        let mut root = self.pool.bool_to_bv(digit);
        for i in (0..digits - 1).rev() {
            // The rest is at most twice the root, so it has one bit more.
            let next = self.pool.extract(2 * i + 1, 2 * i, radicand);
            let value = self.pool.concat(rest, next);
            let trial = self.pool.concat(root, one);
            let trial = self.pool.zext(self.pool.width(value), trial);
            let digit = self.pool.bvule(trial, value);
            let difference = self.pool.bvsub(value, trial);
            let rest_wide = self.pool.ite(digit, difference, value);
            root = self.append(root, digit);
            rest = self.pool.extract(self.pool.width(root), 0, rest_wide);
        }
        (root, self.any(rest))
    }

    /// `a * b + c`, rounded once.
    pub fn fma(
        &mut self,
        format: Format,
        mode: impl Into<Mode>,
        a: Term,
        b: Term,
        c: Term,
    ) -> Term {
        let mode = mode.into();
        let p = format.precision();
        let width = exponent_width(format, 4);
        let [a, b, c] = [a, b, c].map(|x| self.unpack(format, x, width));
        let (product_exponent, product) = self.product(format, &a, &b);
        let product_sign = self.pool.xor(a.sign, b.sign);
        let [product_nan, product_infinite, product_zero] = self.product_special(&a, &b);

        let has_addend = self.pool.not(c.zero);
        let addend = self.masked(has_addend, c.significand);
        let addend = self.pad(addend, p);
        let left = self.pool.concat(product_exponent, product);
        let right = self.pool.concat(c.exponent, addend);
        let less = self.pool.bvslt(left, right);
        let less = self.pool.or(less, product_zero);
        let swaps = self.pool.and(has_addend, less);
        let large = self.pool.ite(swaps, addend, product);
        let small = {
            let has_product = self.pool.not(product_zero);
            let product = self.masked(has_product, product);
            self.pool.ite(swaps, product, addend)
        };
        let exponent = self.pool.ite(swaps, c.exponent, product_exponent);
        let low_exponent = self.pool.ite(swaps, product_exponent, c.exponent);
        // Of no meaning where the smaller operand is zero.
        let distance = self.pool.bvsub(exponent, low_exponent);
        let subtracts = self.pool.xor(product_sign, c.sign);

        let small = self.pad(small, 2);
        let (small, sticky) = self.shift_right_sticky(small, distance);
        let small = self.append(small, sticky);
        let large = self.pad(large, 3);
        let wide = 2 * p + 4;
        let (large, small) = (self.pool.zext(wide, large), self.pool.zext(wide, small));
        let sum = self.add_or_subtract(subtracts, large, small);
        let (normal, shift) = self.normalise(sum);
        let shift = self.pool.zext(width, shift);
        let sum_exponent = self.pool.bvsub(exponent, shift);
        let (kept, sticky) = self.highest(normal, p + 1);

        let both_zero = self.pool.and(product_zero, c.zero);
        let nothing = self.is_nothing(sum);
        let zero = self.pool.or(both_zero, nothing);
        let cancels = self.pool.and(subtracts, zero);
        let larger_sign = self.pool.ite(swaps, c.sign, product_sign);
        let down = self.is_downward(mode);
        let sign = self.pool.ite(cancels, down, larger_sign);
        let exact = Exact {
            sign,
            exponent: self.plus(sum_exponent, 1),
            kept,
            sticky,
        };
        let magnitude = self.round(format, mode, exact, BOTH);

        let infinities = self.pool.and_all([product_infinite, c.infinite, subtracts]);
        let nan = self.pool.or_all([product_nan, c.nan, infinities]);
        let infinite = self.pool.or(product_infinite, c.infinite);
        let sign_of_infinite = self.pool.ite(product_infinite, product_sign, c.sign);
        let sign = self.pool.ite(infinite, sign_of_infinite, sign);
        self.result(format, [nan, infinite, zero], sign, magnitude)
    }
}
