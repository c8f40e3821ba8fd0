//! Abstract numbers of one width, at most 64 bits: an unsigned interval, a signed interval and known low bits
//! (a congruence modulo a power of two, the only moduli that survive wrap-around), each refining the
//! others. A boolean is a number of one bit.

/// A set of numbers, never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Num {
    /// Width in bits.
    pub width: u32,
    /// Least and largest, unsigned.
    pub unsigned: (u64, u64),
    /// Least and largest, signed.
    pub signed: (i64, i64),
    /// How many low bits are known.
    pub bits: u32,
    /// Their value.
    pub low: u64,
}

/// The largest unsigned number of a width.
pub fn max(width: u32) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

/// The least number of ones alone that is not below `v`.
fn ones_up_to(v: u64) -> u64 {
    u64::MAX.checked_shr(v.leading_zeros()).unwrap_or(0)
}

/// The signed reading of an unsigned number.
pub fn to_signed(width: u32, v: u64) -> i64 {
    ((v << (64 - width)) as i64) >> (64 - width)
}

/// The numbers in both intervals; an empty one has its bounds crossed.
fn common<T: Ord>(a: (T, T), b: (T, T)) -> (T, T) {
    (a.0.max(b.0), a.1.min(b.1))
}

/// The least interval with both.
fn hull<T: Ord>(a: (T, T), b: (T, T)) -> (T, T) {
    (a.0.min(b.0), a.1.max(b.1))
}

fn signed_range(width: u32) -> (i64, i64) {
    (i64::MIN >> (64 - width), i64::MAX >> (64 - width))
}

impl Num {
    /// All numbers of a width.
    pub fn top(width: u32) -> Num {
        Num {
            width,
            unsigned: (0, max(width)),
            signed: signed_range(width),
            bits: 0,
            low: 0,
        }
    }

    /// One number.
    pub fn constant(width: u32, v: u64) -> Num {
        let v = v & max(width);
        let s = to_signed(width, v);
        Num {
            width,
            unsigned: (v, v),
            signed: (s, s),
            bits: width,
            low: v,
        }
    }

    /// An unsigned interval.
    pub fn between(width: u32, lo: u64, hi: u64) -> Num {
        let mut n = Num::top(width);
        n.unsigned = (lo, hi);
        n.reduced().unwrap_or(n)
    }

    /// A signed interval.
    pub fn between_signed(width: u32, lo: i64, hi: i64) -> Num {
        let mut n = Num::top(width);
        n.signed = (lo, hi);
        n.reduced().unwrap_or(n)
    }

    /// A truth value that may be both.
    pub fn truth(known: Option<bool>) -> Num {
        match known {
            Some(b) => Num::constant(1, u64::from(b)),
            None => Num::top(1),
        }
    }

    /// The number, if it is the only one.
    pub fn as_constant(&self) -> Option<u64> {
        (self.unsigned.0 == self.unsigned.1).then_some(self.unsigned.0)
    }

    /// Whether nothing is known.
    pub fn is_top(&self) -> bool {
        *self == Num::top(self.width)
    }

    /// With known low bits.
    pub fn with_low(mut self, bits: u32, low: u64) -> Num {
        let bits = bits.min(self.width);
        if bits > self.bits {
            self.bits = bits;
            self.low = if bits == 0 { 0 } else { low & max(bits) };
        }
        self.reduced().unwrap_or(self)
    }

    /// The same set with each part as tight as the others make it; `None` where it is empty.
    pub fn reduced(mut self) -> Option<Num> {
        let w = self.width;
        for _ in 0..2 {
            let (mut lo, mut hi) = self.unsigned;
            if self.bits > 0 {
                // The nearest numbers with the known low bits.
                let m = max(self.bits);
                let up = self.low.wrapping_sub(lo) & m;
                lo = lo.checked_add(up)?;
                let down = hi.wrapping_sub(self.low) & m;
                hi = hi.checked_sub(down)?;
            }
            let (slo, shi) = self.signed;
            if slo > shi || lo > hi || hi > max(w) {
                return None;
            }
            if (slo < 0) == (shi < 0) {
                lo = lo.max(slo as u64 & max(w));
                hi = hi.min(shi as u64 & max(w));
            }
            if lo > hi {
                return None;
            }
            let (a, b) = (to_signed(w, lo), to_signed(w, hi));
            if (a < 0) == (b < 0) {
                self.signed = (slo.max(a), shi.min(b));
            }
            self.unsigned = (lo, hi);
            if self.signed.0 > self.signed.1 {
                return None;
            }
        }
        if let Some(v) = self.as_constant() {
            let s = to_signed(w, v);
            return (self.signed.0 <= s && s <= self.signed.1).then(|| Num::constant(w, v));
        }
        Some(self)
    }

    /// What is in both; `None` where nothing is.
    pub fn meet(&self, other: &Num) -> Option<Num> {
        let bits = self.bits.min(other.bits);
        if bits > 0 && (self.low ^ other.low) & max(bits) != 0 {
            return None;
        }
        let more = if self.bits >= other.bits { self } else { other };
        Num {
            width: self.width,
            unsigned: common(self.unsigned, other.unsigned),
            signed: common(self.signed, other.signed),
            bits: more.bits,
            low: more.low,
        }
        .reduced()
    }

    fn common_low(&self, other: &Num) -> (u32, u64) {
        let same = (self.low ^ other.low).trailing_zeros();
        let bits = same.min(self.bits).min(other.bits);
        (bits, if bits == 0 { 0 } else { self.low & max(bits) })
    }

    /// The least set with both.
    pub fn join(&self, other: &Num) -> Num {
        let (bits, low) = self.common_low(other);
        Num {
            width: self.width,
            unsigned: hull(self.unsigned, other.unsigned),
            signed: hull(self.signed, other.signed),
            bits,
            low,
        }
    }

    /// A set with both in which every bound that grew is at the next threshold or gone.
    pub fn widen(&self, newer: &Num, thresholds: &[u64]) -> Num {
        let joined = self.join(newer);
        let w = self.width;
        let (top, range) = (max(w), signed_range(w));
        let mut n = joined;
        let signed = || {
            thresholds
                .iter()
                .filter(|&&t| t <= top)
                .map(|&t| to_signed(w, t))
        };
        if joined.unsigned.0 < self.unsigned.0 {
            let below = thresholds.iter().rev().find(|&&t| t <= joined.unsigned.0);
            n.unsigned.0 = below.copied().unwrap_or(0);
        }
        if joined.unsigned.1 > self.unsigned.1 {
            let above = thresholds
                .iter()
                .find(|&&t| t >= joined.unsigned.1 && t <= top);
            n.unsigned.1 = above.copied().unwrap_or(top);
        }
        if joined.signed.0 < self.signed.0 {
            n.signed.0 = signed()
                .filter(|&t| t <= joined.signed.0)
                .max()
                .unwrap_or(range.0);
        }
        if joined.signed.1 > self.signed.1 {
            n.signed.1 = signed()
                .filter(|&t| t >= joined.signed.1)
                .min()
                .unwrap_or(range.1);
        }
        n
    }

    /// From the exact range of a result before it is cut to `width`, and its low bits.
    fn from_ranges(
        width: u32,
        unsigned: (i128, i128),
        signed: (i128, i128),
        bits: u32,
        low: u64,
    ) -> Num {
        let mut n = Num::top(width);
        let modulus = 1i128 << width;
        // Both ends wrapped equally often: the interval is one of wrapped numbers too.
        if unsigned.0.div_euclid(modulus) == unsigned.1.div_euclid(modulus) {
            n.unsigned = (
                unsigned.0.rem_euclid(modulus) as u64,
                unsigned.1.rem_euclid(modulus) as u64,
            );
        }
        let (lo, hi) = signed_range(width);
        if signed.0 >= i128::from(lo) && signed.1 <= i128::from(hi) {
            n.signed = (signed.0 as i64, signed.1 as i64);
        }
        n.with_low(bits, low)
    }

    fn wide(&self) -> ((i128, i128), (i128, i128)) {
        let (a, b) = self.unsigned;
        let (c, d) = self.signed;
        ((a.into(), b.into()), (c.into(), d.into()))
    }

    /// `self + other`.
    pub fn add(&self, other: &Num) -> Num {
        let ((a, b), (c, d)) = self.wide();
        let ((e, f), (g, h)) = other.wide();
        let low = self.low.wrapping_add(other.low);
        let bits = self.bits.min(other.bits);
        Num::from_ranges(self.width, (a + e, b + f), (c + g, d + h), bits, low)
    }

    /// `self - other`.
    pub fn sub(&self, other: &Num) -> Num {
        let ((a, b), (c, d)) = self.wide();
        let ((e, f), (g, h)) = other.wide();
        let low = self.low.wrapping_sub(other.low);
        let bits = self.bits.min(other.bits);
        Num::from_ranges(self.width, (a - f, b - e), (c - h, d - g), bits, low)
    }

    /// `self * other`.
    pub fn mul(&self, other: &Num) -> Num {
        if self.width > 62 {
            return Num::top(self.width);
        }
        let ((a, b), (c, d)) = self.wide();
        let ((e, f), (g, h)) = other.wide();
        let ends = [c * g, c * h, d * g, d * h];
        let signed = (
            ends.into_iter().min().expect("four ends"),
            ends.into_iter().max().expect("four ends"),
        );
        // A multiple of 2^i times a multiple of 2^j is one of 2^(i+j).
        let low = self.low.wrapping_mul(other.low);
        let zeros = |n: &Num| n.low.trailing_zeros().min(n.bits);
        let bits = (self.bits + zeros(other))
            .min(other.bits + zeros(self))
            .min(self.width);
        Num::from_ranges(self.width, (a * e, b * f), signed, bits, low)
    }

    /// `self & other`.
    pub fn and(&self, other: &Num) -> Num {
        let hi = self.unsigned.1.min(other.unsigned.1);
        // Below the lowest unknown bit of both; a known zero hides an unknown bit.
        let known = |n: &Num, m: &Num| {
            let mut bits = n.bits.min(m.bits);
            while bits < n.width {
                let zero = |x: &Num| bits < x.bits && x.low >> bits & 1 == 0;
                if !(zero(n) || zero(m)) {
                    break;
                }
                bits += 1;
            }
            bits
        };
        Num::between(self.width, 0, hi).with_low(known(self, other), self.low & other.low)
    }

    /// `self | other`.
    pub fn or(&self, other: &Num) -> Num {
        let lo = self.unsigned.0.max(other.unsigned.0);
        let hi = ones_up_to(self.unsigned.1 | other.unsigned.1);
        Num::between(self.width, lo, hi).with_low(self.bits.min(other.bits), self.low | other.low)
    }

    /// `self ^ other`.
    pub fn xor(&self, other: &Num) -> Num {
        let hi = ones_up_to(self.unsigned.1 | other.unsigned.1);
        Num::between(self.width, 0, hi).with_low(self.bits.min(other.bits), self.low ^ other.low)
    }

    /// The signed quotient, rounded towards zero, by a constant other than zero.
    pub fn signed_quotient(&self, divisor: u64) -> Num {
        let d = i128::from(to_signed(self.width, divisor));
        let (lo, hi) = (i128::from(self.signed.0) / d, i128::from(self.signed.1) / d);
        Num::from_ranges(
            self.width,
            (0, max(self.width).into()),
            (lo.min(hi), lo.max(hi)),
            0,
            0,
        )
    }

    /// The signed remainder, with the sign of `self`, by a constant other than zero.
    pub fn signed_remainder(&self, divisor: u64) -> Num {
        let d = to_signed(self.width, divisor);
        let largest = i64::try_from(d.unsigned_abs() - 1).unwrap_or(i64::MAX);
        let (lo, hi) = self.signed;
        if -largest <= lo && hi <= largest {
            return *self;
        }
        let lo = if lo < 0 { lo.max(-largest) } else { 0 };
        let hi = if hi > 0 { hi.min(largest) } else { 0 };
        let bits = d.trailing_zeros().min(self.bits);
        Num::between_signed(self.width, lo, hi).with_low(bits, self.low)
    }

    /// The signed shift to the right by a constant below the width.
    pub fn signed_shift(&self, by: u64) -> Num {
        Num::between_signed(self.width, self.signed.0 >> by, self.signed.1 >> by)
    }

    /// `self` above `low`, at most 64 bits together.
    pub fn concat(&self, low: &Num) -> Num {
        let shifted = |hi: u64, lo: u64| hi << low.width | lo;
        let n = Num::between(
            self.width + low.width,
            shifted(self.unsigned.0, low.unsigned.0),
            shifted(self.unsigned.1, low.unsigned.1),
        );
        n.with_low(low.bits, low.low)
    }

    /// `self % m` for a constant `m` above zero, unsigned.
    pub fn rem(&self, m: u64) -> Num {
        if self.unsigned.1 < m {
            return *self;
        }
        let bits = m.trailing_zeros().min(self.bits);
        Num::between(self.width, 0, m - 1).with_low(bits, self.low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(n: &Num, v: u64) -> bool {
        let s = to_signed(n.width, v);
        n.unsigned.0 <= v
            && v <= n.unsigned.1
            && n.signed.0 <= s
            && s <= n.signed.1
            && (n.bits == 0 || (v ^ n.low) & max(n.bits) == 0)
    }

    /// Every operation covers every pair of concrete values, for all intervals and congruences of 3 bits.
    #[test]
    fn operations_cover_all_values() {
        let w = 3;
        let mut sets = Vec::new();
        for lo in 0..8 {
            for hi in lo..8 {
                for bits in 0..3 {
                    for low in 0..(1 << bits) {
                        let n = Num::between(w, lo, hi).with_low(bits, low);
                        if n.reduced().is_some() && (0..8).any(|v| has(&n, v)) {
                            sets.push(n);
                        }
                    }
                }
            }
        }
        for a in &sets {
            for b in &sets {
                let results = [
                    a.add(b),
                    a.sub(b),
                    a.mul(b),
                    a.and(b),
                    a.join(b),
                    a.widen(b, &[4]),
                    a.or(b),
                    a.xor(b),
                    a.concat(b),
                ];
                let meet = a.meet(b);
                for x in (0..8).filter(|&x| has(a, x)) {
                    for y in (0..8).filter(|&y| has(b, y)) {
                        let exact = [
                            x.wrapping_add(y) & 7,
                            x.wrapping_sub(y) & 7,
                            x.wrapping_mul(y) & 7,
                            x & y,
                            x,
                            y,
                            x | y,
                            x ^ y,
                            x << 3 | y,
                        ];
                        for (n, v) in results.iter().zip(exact) {
                            assert!(has(n, v), "{a:?} {b:?}: {n:?} lacks {v}");
                        }
                        assert!(has(&results[4], y) && has(&results[5], x));
                        if x == y {
                            assert!(meet.is_some_and(|m| has(&m, x)), "{a:?} {b:?} {meet:?}");
                        }
                    }
                    for by in 0..3 {
                        assert!(has(&a.signed_shift(by), (to_signed(w, x) >> by) as u64 & 7));
                    }
                    for m in 1..8 {
                        assert!(has(&a.rem(m), x % m));
                        let (s, d) = (to_signed(w, x), to_signed(w, m));
                        assert!(
                            has(&a.signed_quotient(m), (s / d) as u64 & 7),
                            "{a:?} / {d}"
                        );
                        assert!(
                            has(&a.signed_remainder(m), (s % d) as u64 & 7),
                            "{a:?} % {d}"
                        );
                    }
                }
            }
        }
    }
}
