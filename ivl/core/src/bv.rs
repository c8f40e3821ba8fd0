//! Bit-vector values of any width with SMT-LIB's operations.
//!
//! Up to 64 bits a value is one machine word; wider ones go through `num-bigint`. Binary
//! operations expect equal widths (debug-asserted: the term layer has checked the types).

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;

/// A bit-vector value: a width and an unsigned number below `2^width`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bv {
    width: u32,
    bits: Bits,
}

/// Invariant: `Small` exactly when the width is at most 64, and no bit above the width is set.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Bits {
    Small(u64),
    Wide(BigUint),
}

fn mask(width: u32) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

fn sext64(v: u64, width: u32) -> i64 {
    let s = 64 - width;
    ((v << s) as i64) >> s
}

impl Bv {
    /// The value `v` modulo `2^width`.
    ///
    /// # Panics
    /// When the width is 0: such a value would have no type.
    pub fn new(width: u32, v: u64) -> Bv {
        assert!(width >= 1, "a bit-vector has at least one bit");
        let bits = if width <= 64 {
            Bits::Small(v & mask(width))
        } else {
            Bits::Wide(BigUint::from(v))
        };
        Bv { width, bits }
    }

    /// The value `v` modulo `2^width` in two's complement.
    pub fn from_i64(width: u32, v: i64) -> Bv {
        if width <= 64 {
            Bv::new(width, v as u64)
        } else {
            Bv::from_bigint(width, &BigInt::from(v))
        }
    }

    /// The value `v` modulo `2^width`.
    pub fn from_biguint(width: u32, v: BigUint) -> Bv {
        if width <= 64 {
            let low = v.iter_u64_digits().next().unwrap_or(0);
            Bv::new(width, low)
        } else {
            let v = if v.bits() > u64::from(width) {
                v & ((BigUint::one() << width) - 1u32)
            } else {
                v
            };
            Bv {
                width,
                bits: Bits::Wide(v),
            }
        }
    }

    /// The value `v` modulo `2^width` in two's complement.
    pub fn from_bigint(width: u32, v: &BigInt) -> Bv {
        let modulus = BigInt::one() << width;
        let v = v.mod_floor(&modulus);
        let (_, magnitude) = v.into_parts();
        Bv::from_biguint(width, magnitude)
    }

    /// From bits, least significant first; the slice's length is the width.
    pub fn from_bits(bits: &[bool]) -> Bv {
        let width = bits.len() as u32;
        if width <= 64 {
            let v = bits
                .iter()
                .enumerate()
                .fold(0, |acc, (i, &b)| acc | (u64::from(b) << i));
            Bv::new(width, v)
        } else {
            let mut v = BigUint::zero();
            for (i, &b) in bits.iter().enumerate() {
                v.set_bit(i as u64, b);
            }
            Bv::from_biguint(width, v)
        }
    }

    /// Zero.
    pub fn zero(width: u32) -> Bv {
        Bv::new(width, 0)
    }

    /// One.
    pub fn one(width: u32) -> Bv {
        Bv::new(width, 1)
    }

    /// All bits set.
    pub fn ones(width: u32) -> Bv {
        if width <= 64 {
            Bv::new(width, u64::MAX)
        } else {
            Bv::from_biguint(width, (BigUint::one() << width) - 1u32)
        }
    }

    /// The smallest signed number: only the top bit set.
    pub fn min_signed(width: u32) -> Bv {
        if width <= 64 {
            Bv::new(width, 1 << (width - 1))
        } else {
            Bv::from_biguint(width, BigUint::one() << (width - 1))
        }
    }

    /// The width in bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The value as a machine word, if the *value* (not the width) fits.
    pub fn to_u64(&self) -> Option<u64> {
        match &self.bits {
            Bits::Small(v) => Some(*v),
            Bits::Wide(v) => v.to_u64(),
        }
    }

    /// The signed value as a machine word, if it fits.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.bits {
            Bits::Small(v) => Some(sext64(*v, self.width)),
            Bits::Wide(_) => self.to_bigint().to_i64(),
        }
    }

    /// The unsigned value.
    pub fn to_biguint(&self) -> BigUint {
        match &self.bits {
            Bits::Small(v) => BigUint::from(*v),
            Bits::Wide(v) => v.clone(),
        }
    }

    /// The signed value.
    pub fn to_bigint(&self) -> BigInt {
        match &self.bits {
            Bits::Small(v) => BigInt::from(sext64(*v, self.width)),
            Bits::Wide(v) => {
                let v = BigInt::from_biguint(Sign::Plus, v.clone());
                if self.is_negative() {
                    v - (BigInt::one() << self.width)
                } else {
                    v
                }
            }
        }
    }

    /// Bit `i`, counted from the least significant.
    pub fn bit(&self, i: u32) -> bool {
        match &self.bits {
            Bits::Small(v) => i < 64 && (v >> i) & 1 == 1,
            Bits::Wide(v) => v.bit(u64::from(i)),
        }
    }

    /// Whether the top bit is set.
    pub fn is_negative(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// Whether the value is zero.
    pub fn is_zero(&self) -> bool {
        match &self.bits {
            Bits::Small(v) => *v == 0,
            Bits::Wide(v) => v.is_zero(),
        }
    }

    /// Whether the value is one.
    pub fn is_one(&self) -> bool {
        match &self.bits {
            Bits::Small(v) => *v == 1,
            Bits::Wide(v) => v.is_one(),
        }
    }

    /// Whether all bits are set.
    pub fn is_ones(&self) -> bool {
        match &self.bits {
            Bits::Small(v) => *v == mask(self.width),
            Bits::Wide(v) => v.count_ones() == u64::from(self.width),
        }
    }

    fn zip(
        &self,
        other: &Bv,
        small: impl FnOnce(u64, u64) -> u64,
        wide: impl FnOnce(&BigUint, &BigUint) -> BigUint,
    ) -> Bv {
        debug_assert_eq!(self.width, other.width);
        match (&self.bits, &other.bits) {
            (Bits::Small(a), Bits::Small(b)) => Bv::new(self.width, small(*a, *b)),
            (Bits::Wide(a), Bits::Wide(b)) => Bv::from_biguint(self.width, wide(a, b)),
            _ => unreachable!("equal widths have equal representations"),
        }
    }

    /// `bvnot`.
    pub fn not(&self) -> Bv {
        self.zip(&Bv::ones(self.width), |a, b| a ^ b, |a, b| a ^ b)
    }

    /// `bvneg`.
    pub fn neg(&self) -> Bv {
        Bv::zero(self.width).sub(self)
    }

    /// `bvand`.
    pub fn and(&self, other: &Bv) -> Bv {
        self.zip(other, |a, b| a & b, |a, b| a & b)
    }

    /// `bvor`.
    pub fn or(&self, other: &Bv) -> Bv {
        self.zip(other, |a, b| a | b, |a, b| a | b)
    }

    /// `bvxor`.
    pub fn xor(&self, other: &Bv) -> Bv {
        self.zip(other, |a, b| a ^ b, |a, b| a ^ b)
    }

    /// `bvadd`.
    pub fn add(&self, other: &Bv) -> Bv {
        self.zip(other, u64::wrapping_add, |a, b| a + b)
    }

    /// `bvsub`.
    pub fn sub(&self, other: &Bv) -> Bv {
        let width = self.width;
        self.zip(other, u64::wrapping_sub, |a, b| {
            a + ((BigUint::one() << width) - b)
        })
    }

    /// `bvmul`.
    pub fn mul(&self, other: &Bv) -> Bv {
        self.zip(other, u64::wrapping_mul, |a, b| a * b)
    }

    /// `bvudiv`; all ones when the divisor is zero.
    pub fn udiv(&self, other: &Bv) -> Bv {
        if other.is_zero() {
            return Bv::ones(self.width);
        }
        self.zip(other, |a, b| a / b, |a, b| a / b)
    }

    /// `bvurem`; the dividend when the divisor is zero.
    pub fn urem(&self, other: &Bv) -> Bv {
        if other.is_zero() {
            return self.clone();
        }
        self.zip(other, |a, b| a % b, |a, b| a % b)
    }

    fn abs(&self) -> Bv {
        if self.is_negative() {
            self.neg()
        } else {
            self.clone()
        }
    }

    /// `bvsdiv`: truncated towards zero, by SMT-LIB's definition through `bvudiv`.
    pub fn sdiv(&self, other: &Bv) -> Bv {
        let q = self.abs().udiv(&other.abs());
        if self.is_negative() != other.is_negative() {
            q.neg()
        } else {
            q
        }
    }

    /// `bvsrem`: the sign follows the dividend.
    pub fn srem(&self, other: &Bv) -> Bv {
        let r = self.abs().urem(&other.abs());
        if self.is_negative() { r.neg() } else { r }
    }

    /// `bvsmod`: the sign follows the divisor.
    pub fn smod(&self, other: &Bv) -> Bv {
        let r = self.abs().urem(&other.abs());
        if r.is_zero() {
            return r;
        }
        match (self.is_negative(), other.is_negative()) {
            (false, false) => r,
            (true, false) => r.neg().add(other),
            (false, true) => r.add(other),
            (true, true) => r.neg(),
        }
    }

    /// The shift distance, capped at the width (every larger distance acts the same).
    fn distance(&self, other: &Bv) -> u32 {
        match other.to_u64() {
            Some(d) if d < u64::from(self.width) => d as u32,
            _ => self.width,
        }
    }

    /// `bvshl`.
    pub fn shl(&self, other: &Bv) -> Bv {
        let d = self.distance(other);
        if d >= self.width {
            return Bv::zero(self.width);
        }
        match &self.bits {
            Bits::Small(v) => Bv::new(self.width, v << d),
            Bits::Wide(v) => Bv::from_biguint(self.width, v << d),
        }
    }

    /// `bvlshr`.
    pub fn lshr(&self, other: &Bv) -> Bv {
        let d = self.distance(other);
        if d >= self.width {
            return Bv::zero(self.width);
        }
        match &self.bits {
            Bits::Small(v) => Bv::new(self.width, v >> d),
            Bits::Wide(v) => Bv::from_biguint(self.width, v >> d),
        }
    }

    /// `bvashr`.
    pub fn ashr(&self, other: &Bv) -> Bv {
        if self.is_negative() {
            self.not().lshr(other).not()
        } else {
            self.lshr(other)
        }
    }

    /// Unsigned comparison.
    pub fn ucmp(&self, other: &Bv) -> Ordering {
        debug_assert_eq!(self.width, other.width);
        self.bits.cmp(&other.bits)
    }

    /// Signed comparison.
    pub fn scmp(&self, other: &Bv) -> Ordering {
        match (self.is_negative(), other.is_negative()) {
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            _ => self.ucmp(other),
        }
    }

    /// `concat`: `self` becomes the high part.
    pub fn concat(&self, low: &Bv) -> Bv {
        let width = self.width + low.width;
        match (&self.bits, &low.bits) {
            (Bits::Small(h), Bits::Small(l)) if width <= 64 => Bv::new(width, (h << low.width) | l),
            _ => Bv::from_biguint(width, (self.to_biguint() << low.width) | low.to_biguint()),
        }
    }

    /// `(_ extract hi lo)`, both ends included.
    pub fn extract(&self, hi: u32, lo: u32) -> Bv {
        debug_assert!(lo <= hi && hi < self.width);
        let width = hi - lo + 1;
        match &self.bits {
            Bits::Small(v) => Bv::new(width, v >> lo),
            Bits::Wide(v) => Bv::from_biguint(width, v >> lo),
        }
    }

    /// Zero extension to `width`.
    pub fn zext(&self, width: u32) -> Bv {
        debug_assert!(width >= self.width);
        match &self.bits {
            Bits::Small(v) => Bv::new(width, *v),
            Bits::Wide(v) => Bv::from_biguint(width, v.clone()),
        }
    }

    /// Sign extension to `width`.
    pub fn sext(&self, width: u32) -> Bv {
        debug_assert!(width >= self.width);
        match &self.bits {
            Bits::Small(v) if width <= 64 => Bv::new(width, sext64(*v, self.width) as u64),
            _ => Bv::from_bigint(width, &self.to_bigint()),
        }
    }

    /// Whether the unsigned sum exceeds the width.
    pub fn uadd_overflows(&self, other: &Bv) -> bool {
        self.add(other).ucmp(self) == Ordering::Less
    }

    /// Whether the unsigned difference is negative.
    pub fn usub_overflows(&self, other: &Bv) -> bool {
        self.ucmp(other) == Ordering::Less
    }

    /// Whether the unsigned product exceeds the width.
    pub fn umul_overflows(&self, other: &Bv) -> bool {
        (self.to_biguint() * other.to_biguint()).bits() > u64::from(self.width)
    }

    fn out_of_signed_range(&self, exact: &BigInt) -> bool {
        Bv::from_bigint(self.width, exact).to_bigint() != *exact
    }

    /// Whether the signed sum leaves the range.
    pub fn sadd_overflows(&self, other: &Bv) -> bool {
        self.out_of_signed_range(&(self.to_bigint() + other.to_bigint()))
    }

    /// Whether the signed difference leaves the range.
    pub fn ssub_overflows(&self, other: &Bv) -> bool {
        self.out_of_signed_range(&(self.to_bigint() - other.to_bigint()))
    }

    /// Whether the signed product leaves the range.
    pub fn smul_overflows(&self, other: &Bv) -> bool {
        self.out_of_signed_range(&(self.to_bigint() * other.to_bigint()))
    }
}

/// Decimal and unsigned, with the width: `5bv32`.
impl fmt::Display for Bv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.bits {
            Bits::Small(v) => write!(f, "{v}bv{}", self.width),
            Bits::Wide(v) => write!(f, "{v}bv{}", self.width),
        }
    }
}

impl fmt::Debug for Bv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
