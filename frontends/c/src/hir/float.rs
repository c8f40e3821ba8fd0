//! Floating constants of every format, with the operations that constant expressions have.
//!
//! Operations round to nearest, ties to even, in the type they are written in, as gcc folds them.

use crate::ast::BinOp;
use crate::types::FloatKind;
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float as _, FloatConvert, Round, Status};
use std::cmp::Ordering;
use std::fmt;

/// A floating constant: the bits of a format. Those of `long double` are x87's 80.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Float {
    /// The format.
    pub kind: FloatKind,
    /// Its bits.
    pub bits: u128,
}

/// Runs an expression with `$F` as the type that computes in a format.
macro_rules! in_format {
    ($kind:expr, $F:ident => $work:expr) => {
        match $kind {
            FloatKind::Half => {
                type $F = Half;
                $work
            }
            FloatKind::Float => {
                type $F = Single;
                $work
            }
            FloatKind::Double => {
                type $F = Double;
                $work
            }
            FloatKind::LongDouble => {
                type $F = X87DoubleExtended;
                $work
            }
            FloatKind::Float128 => {
                type $F = Quad;
                $work
            }
        }
    };
}

impl Float {
    /// Of bits, of which those above the format's are padding.
    pub fn new(kind: FloatKind, bits: u128) -> Float {
        let width = in_format!(kind, F => F::BITS);
        let bits = bits & (u128::MAX >> (128 - width));
        Float { kind, bits }
    }

    /// A decimal or hexadecimal constant without suffix, rounded once.
    pub fn parse(text: &str, kind: FloatKind) -> Option<Float> {
        let text = text.to_ascii_lowercase();
        let digits = text.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        let bits = in_format!(kind, F => F::from_str_r(&text, Round::NearestTiesToEven).ok()?.value.to_bits());
        digits.then_some(Float::new(kind, bits))
    }

    /// An integer as a floating number; `unsigned` where 128 bits are all its value.
    pub fn from_integer(value: i128, unsigned: bool, kind: FloatKind) -> Float {
        let bits = in_format!(kind, F => match unsigned {
            true => F::from_u128(value as u128).value.to_bits(),
            false => F::from_i128(value).value.to_bits(),
        });
        Float::new(kind, bits)
    }

    /// Infinity.
    pub fn infinity(kind: FloatKind) -> Float {
        Float::new(kind, in_format!(kind, F => F::INFINITY.to_bits()))
    }

    /// A NaN with a payload, quiet or signalling.
    pub fn nan(kind: FloatKind, payload: u128, quiet: bool) -> Float {
        let bits = in_format!(kind, F => match quiet {
            true => F::qnan(Some(payload)).to_bits(),
            false => F::snan((payload != 0).then_some(payload)).to_bits(),
        });
        Float::new(kind, bits)
    }

    /// The same number in another format.
    pub fn convert(self, to: FloatKind) -> Float {
        if self.kind == to {
            return self;
        }
        let bits = in_format!(self.kind, A => in_format!(to, B => {
            let mut inexact = false;
            let converted: B = A::from_bits(self.bits).convert(&mut inexact).value;
            converted.to_bits()
        }));
        Float::new(to, bits)
    }

    /// The integer towards zero, where so many bits hold it.
    pub fn to_integer(self, bits: u32, signed: bool) -> Option<i128> {
        let mut exact = false;
        let width = bits as usize;
        let result = in_format!(self.kind, F => {
            let value = F::from_bits(self.bits);
            match signed {
                true => value.to_i128_r(width, Round::TowardZero, &mut exact),
                false => value
                    .to_u128_r(width, Round::TowardZero, &mut exact)
                    .map(|v| v as i128),
            }
        });
        (!result.status.contains(Status::INVALID_OP)).then_some(result.value)
    }

    /// With the other sign.
    pub fn negate(self) -> Float {
        let bits = in_format!(self.kind, F => (-F::from_bits(self.bits)).to_bits());
        Float::new(self.kind, bits)
    }

    /// With the sign of another.
    pub fn copy_sign(self, from: Float) -> Float {
        match self.is_negative() == from.is_negative() {
            true => self,
            false => self.negate(),
        }
    }

    /// `+ - * /` of numbers in one format.
    pub fn apply(self, op: BinOp, other: Float) -> Option<Float> {
        if self.kind != other.kind {
            return None;
        }
        let bits = in_format!(self.kind, F => {
            let (x, y) = (F::from_bits(self.bits), F::from_bits(other.bits));
            let result = match op {
                BinOp::Add => x + y,
                BinOp::Sub => x - y,
                BinOp::Mul => x * y,
                BinOp::Div => x / y,
                _ => return None,
            };
            result.value.to_bits()
        });
        Some(Float::new(self.kind, bits))
    }

    /// The order of two numbers in one format; none where one is a NaN.
    pub fn order(self, other: Float) -> Option<Ordering> {
        in_format!(self.kind, F => F::from_bits(self.bits).partial_cmp(&F::from_bits(other.bits)))
    }

    /// Whether it is one of the zeros.
    pub fn is_zero(self) -> bool {
        in_format!(self.kind, F => F::from_bits(self.bits).is_zero())
    }

    /// Whether it is a NaN.
    pub fn is_nan(self) -> bool {
        in_format!(self.kind, F => F::from_bits(self.bits).is_nan())
    }

    /// Whether it is an infinity.
    pub fn is_infinite(self) -> bool {
        in_format!(self.kind, F => F::from_bits(self.bits).is_infinite())
    }

    /// Whether it is neither zero, subnormal, infinite nor a NaN.
    pub fn is_normal(self) -> bool {
        in_format!(self.kind, F => F::from_bits(self.bits).is_normal())
    }

    /// Whether the sign bit is set.
    pub fn is_negative(self) -> bool {
        in_format!(self.kind, F => F::from_bits(self.bits).is_negative())
    }
}

impl Float {
    /// The first so many digits that give the number back.
    fn shortest(self) -> String {
        let magnitude = if self.is_negative() {
            self.negate()
        } else {
            self
        };
        let digits =
            |n: usize| in_format!(self.kind, F => format!("{:.n$}", F::from_bits(magnitude.bits)));
        let gives_back = |text: &String| Float::parse(text, self.kind) == Some(magnitude);
        let text = (1..40).map(digits).find(gives_back);
        let text = text.unwrap_or_else(|| digits(40));
        let sign = if self.is_negative() { "-" } else { "" };
        format!("{sign}{text}")
    }
}

/// As people write it: `0.1f`, `1e300`, `-INFINITY`; as few digits as give the number back.
impl fmt::Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negative() { "-" } else { "" };
        if self.is_nan() {
            return write!(f, "{sign}NAN");
        }
        if self.is_infinite() {
            return write!(f, "{sign}INFINITY");
        }
        match self.kind {
            FloatKind::Float => write!(f, "{:?}f", f32::from_bits(self.bits as u32)),
            FloatKind::Double => write!(f, "{:?}", f64::from_bits(self.bits as u64)),
            FloatKind::Half => write!(f, "{}f16", self.shortest()),
            FloatKind::LongDouble => write!(f, "{}L", self.shortest()),
            FloatKind::Float128 => write!(f, "{}f128", self.shortest()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_rounded_once_in_every_format() {
        use FloatKind::{Double, Float as Single, Float128, Half, LongDouble};
        let bits = |text: &str, kind| Float::parse(text, kind).map(|f| f.bits);
        assert_eq!(bits("0.1", Single), Some(0x3dcc_cccd));
        assert_eq!(bits("0.1", Double), Some(0x3fb9_9999_9999_999a));
        assert_eq!(bits("0.1", LongDouble), Some(0x3ffb_cccc_cccc_cccc_cccd));
        assert_eq!(
            bits("0.1", Float128),
            Some(0x3ffb_9999_9999_9999_9999_9999_9999_999a)
        );
        assert_eq!(bits("65504.", Half), Some(0x7bff));
        assert_eq!(bits("0X1.8P3", Double), Some(0x4028 << 48));
        // Halfway between two singles in double, and not in decimal.
        assert_eq!(
            bits("1.00000017881393432617187499", Single),
            Some(0x3f80_0001)
        );
        assert_eq!(
            bits("1.00000017881393432617187501", Single),
            Some(0x3f80_0002)
        );
        assert_eq!(bits("1e999999999", Single), Some(0x7f80_0000));
        assert_eq!(bits("1e-999999999", Double), Some(0));
        for odd in ["inf", "nan", "-1.0", ""] {
            assert_eq!(bits(odd, Double), None, "{odd}");
        }
    }

    #[test]
    fn numbers_are_written_as_people_write_them() {
        let text = |kind, bits| Float::new(kind, bits).to_string();
        assert_eq!(text(FloatKind::Float, 0x3dcc_cccd), "0.1f");
        assert_eq!(text(FloatKind::Float, 0xff80_0000), "-INFINITY");
        assert_eq!(text(FloatKind::Double, 0xbff8 << 48), "-1.5");
        assert_eq!(text(FloatKind::Double, 0x7ff8 << 48), "NAN");
        assert_eq!(text(FloatKind::Half, 0x3e00), "1.5f16");
        let long = Float::parse("0.1", FloatKind::LongDouble).expect("a number");
        assert_eq!(long.to_string(), "0.1L");
        assert_eq!(text(FloatKind::Float128, 0xbfff << 112), "-1f128");
    }

    #[test]
    fn integers_and_back() {
        let half = Float::from_integer(-7, false, FloatKind::Double)
            .apply(BinOp::Div, Float::from_integer(2, false, FloatKind::Double));
        let half = half.expect("one format");
        assert_eq!(half.to_integer(32, true), Some(-3));
        assert_eq!(half.to_integer(32, false), None);
        assert_eq!(Float::infinity(FloatKind::Half).to_integer(64, true), None);
        let most = Float::from_integer(-1, true, FloatKind::Float);
        assert_eq!(most, Float::infinity(FloatKind::Float));
    }
}
