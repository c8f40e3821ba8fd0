//! Words: what the operations need beyond the pool's own functions.

use crate::Floats;
use trellis_ivl::{Bv, Term};

/// Bits of a signed word that holds all numbers of at most this magnitude.
pub(crate) fn signed_bits(magnitude: i64) -> u32 {
    65 - magnitude.unsigned_abs().leading_zeros()
}

/// Bits of an unsigned word that holds `number`; at least 1.
pub(crate) fn unsigned_bits(number: u32) -> u32 {
    (32 - number.leading_zeros()).max(1)
}

impl Floats<'_> {
    /// A signed constant.
    pub(crate) fn int(&mut self, width: u32, value: i64) -> Term {
        self.pool.bv(Bv::from_i64(width, value))
    }

    /// `x + value`.
    pub(crate) fn plus(&mut self, x: Term, value: i64) -> Term {
        let width = self.pool.width(x);
        let value = self.int(width, value);
        self.pool.bvadd(x, value)
    }

    /// Bit `i` as a boolean.
    pub(crate) fn bit(&mut self, x: Term, i: u32) -> Term {
        let bit = self.pool.extract(i, i, x);
        self.pool.bv_to_bool(bit)
    }

    /// The most significant bit as a boolean.
    pub(crate) fn top(&mut self, x: Term) -> Term {
        self.bit(x, self.pool.width(x) - 1)
    }

    pub(crate) fn is_nothing(&mut self, x: Term) -> Term {
        let zero = self.pool.num(self.pool.width(x), 0);
        self.pool.eq(x, zero)
    }

    /// Some bit is one.
    pub(crate) fn any(&mut self, x: Term) -> Term {
        let nothing = self.is_nothing(x);
        self.pool.not(nothing)
    }

    /// One of the lowest `n` bits is one.
    pub(crate) fn any_below(&mut self, x: Term, n: u32) -> Term {
        if n == 0 {
            return self.pool.fls();
        }
        let low = self.pool.extract(n - 1, 0, x);
        self.any(low)
    }

    /// `x` with `n` zeros to its right.
    pub(crate) fn pad(&mut self, x: Term, n: u32) -> Term {
        if n == 0 {
            return x;
        }
        let zeros = self.pool.num(n, 0);
        self.pool.concat(x, zeros)
    }

    /// `x` with a boolean to its right.
    pub(crate) fn append(&mut self, x: Term, bit: Term) -> Term {
        let bit = self.pool.bool_to_bv(bit);
        self.pool.concat(x, bit)
    }

    /// The boolean as a number of `width` bits.
    pub(crate) fn bool_to(&mut self, width: u32, b: Term) -> Term {
        let bit = self.pool.bool_to_bv(b);
        self.pool.zext(width, bit)
    }

    /// `x` where `keep` holds, else zero.
    pub(crate) fn masked(&mut self, keep: Term, x: Term) -> Term {
        let zero = self.pool.num(self.pool.width(x), 0);
        self.pool.ite(keep, x, zero)
    }

    /// The highest `n` bits, zeros on the right where there are fewer; and whether some other bit is one.
    pub(crate) fn highest(&mut self, x: Term, n: u32) -> (Term, Term) {
        let width = self.pool.width(x);
        if width <= n {
            return (self.pad(x, n - width), self.pool.fls());
        }
        let high = self.pool.extract(width - 1, width - n, x);
        (high, self.any_below(x, width - n))
    }

    /// `x` shifted left until its highest bit is one, and by how much. Where `x` is zero, the number is of no use.
    ///
    /// One stage per bit of the number: the count comes with the shift.
    pub(crate) fn normalise(&mut self, x: Term) -> (Term, Term) {
        let width = self.pool.width(x);
        let mut word = x;
        let mut count: Option<Term> = None;
        for stage in (0..unsigned_bits(width - 1)).rev() {
            let distance = 1 << stage;
            if distance >= width {
                return (word, self.pool.num(1, 0));
            }
            let high = self.pool.extract(width - 1, width - distance, word);
            let shifts = self.is_nothing(high);
            word = self.shift_left_if(shifts, word, distance);
            let bit = self.pool.bool_to_bv(shifts);
            count = Some(match count {
                Some(count) => self.pool.concat(count, bit),
                None => bit,
            });
        }
        (word, count.expect("a stage"))
    }

    /// `x` shifted left by a constant less than its width, where `c` holds.
    pub(crate) fn shift_left_if(&mut self, c: Term, x: Term, distance: u32) -> Term {
        let width = self.pool.width(x);
        let low = self.pool.extract(width - distance - 1, 0, x);
        let shifted = self.pad(low, distance);
        self.pool.ite(c, shifted, x)
    }

    /// `x` shifted right by `amount`, and whether a one was lost. All is lost where `amount` is at least the width.
    pub(crate) fn shift_right_sticky(&mut self, x: Term, amount: Term) -> (Term, Term) {
        let width = self.pool.width(x);
        let stages = unsigned_bits(width).min(self.pool.width(amount));
        let high = self.pool.width(amount) - stages;
        let mut word = x;
        let mut lost = self.pool.fls();
        if high > 0 {
            let beyond = self.pool.extract(stages + high - 1, stages, amount);
            let far = self.any(beyond);
            let some = self.any(word);
            lost = self.pool.and(far, some);
            let near = self.pool.not(far);
            word = self.masked(near, word);
        }
        for stage in 0..stages {
            let distance: u32 = 1 << stage;
            let shifts = self.bit(amount, stage);
            let dropped = self.any_below(word, distance.min(width));
            let dropped = self.pool.and(shifts, dropped);
            lost = self.pool.or(lost, dropped);
            let shifted = if distance < width {
                let rest = self.pool.extract(width - 1, distance, word);
                self.pool.zext(width, rest)
            } else {
                self.pool.num(width, 0)
            };
            word = self.pool.ite(shifts, shifted, word);
        }
        (word, lost)
    }

    /// `a - b` where `subtracts` holds, else `a + b`, in one adder.
    pub(crate) fn add_or_subtract(&mut self, subtracts: Term, a: Term, b: Term) -> Term {
        let width = self.pool.width(a);
        let bit = self.pool.bool_to_bv(subtracts);
        let inverted = self.pool.bvnot(b);
        let b = self.pool.ite(subtracts, inverted, b);
        // The carry into the lowest bit comes from a bit below it.
        let one = self.pool.num(1, 1);
        let (a, b) = (self.pool.concat(a, one), self.pool.concat(b, bit));
        let sum = self.pool.bvadd(a, b);
        self.pool.extract(width, 1, sum)
    }
}
