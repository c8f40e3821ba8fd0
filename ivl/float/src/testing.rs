//! The reference of the tests: numbers as integers times powers of two, exact arithmetic, and one rounding function for
//! everything. Written for being right at sight, not for speed, and without a look at how the terms do it.

use crate::{Floats, Format, Mode, Rounding};
use num_bigint::{BigInt, BigUint, Sign};
use std::cmp::Ordering;
use trellis_ivl::Term;

/// What a pattern means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Number {
    /// Not a number.
    Nan,
    /// Infinity.
    Infinite {
        /// Its sign.
        negative: bool,
    },
    /// `significand * 2^exponent`, zeros with their sign.
    Finite {
        /// Its sign.
        negative: bool,
        /// An integer.
        significand: BigUint,
        /// Of any sign.
        exponent: i64,
    },
}

fn ones(bits: u32) -> BigUint {
    (BigUint::from(1u8) << bits) - 1u8
}

/// What `pattern` means.
pub fn decode(format: Format, pattern: &BigUint) -> Number {
    let (e, f) = (format.exponent_bits(), format.fraction_bits());
    let explicit = u32::from(format.has_explicit_integer());
    let negative = pattern.bit(u64::from(format.width() - 1));
    let fraction = pattern & ones(f);
    let stored = (pattern >> (f + explicit)) & ones(e);
    let stored = i64::try_from(stored).expect("few bits");
    let implied = stored != 0;
    let integer = if explicit == 1 {
        pattern.bit(u64::from(f))
    } else {
        implied
    };
    if implied && !integer {
        return Number::Nan;
    }
    if stored == (1 << e) - 1 {
        return if fraction == BigUint::ZERO {
            Number::Infinite { negative }
        } else {
            Number::Nan
        };
    }
    Number::Finite {
        negative,
        significand: fraction | (BigUint::from(integer) << f),
        exponent: stored.max(1) - format.bias() - i64::from(f),
    }
}

/// The pattern of a number that the format has.
pub fn encode(format: Format, number: &Number) -> BigUint {
    let (e, f) = (format.exponent_bits(), format.fraction_bits());
    let explicit = u32::from(format.has_explicit_integer());
    let assemble = |negative: bool, stored: BigUint, fraction: BigUint| {
        let integer = BigUint::from(stored != BigUint::ZERO) * explicit;
        let high = BigUint::from(negative) << e | stored;
        (high << (f + explicit)) | (integer << f) | fraction
    };
    match number {
        Number::Nan => assemble(false, ones(e), BigUint::from(1u8) << (f - 1)),
        Number::Infinite { negative } => assemble(*negative, ones(e), BigUint::ZERO),
        Number::Finite {
            negative,
            significand,
            exponent,
        } => {
            let (mut m, mut k) = (significand.clone(), *exponent);
            let lowest = format.min_exponent() - i64::from(f);
            let integer = u64::from(f);
            while m != BigUint::ZERO && (k > lowest && m.bits() <= integer || k < lowest) {
                if k > lowest {
                    (m, k) = (m << 1, k - 1);
                } else {
                    assert!(!m.bit(0), "{number:?} is no number of {format:?}");
                    (m, k) = (m >> 1, k + 1);
                }
            }
            while m.bits() > integer + 1 {
                assert!(!m.bit(0), "{number:?} is no number of {format:?}");
                (m, k) = (m >> 1, k + 1);
            }
            let normal = m.bits() == integer + 1;
            let stored = if normal {
                k + i64::from(f) + format.bias()
            } else {
                0
            };
            assert!(stored < (1 << e) - 1, "{number:?} is too large");
            let stored = BigUint::try_from(stored).expect("not negative");
            assemble(*negative, stored, m & ones(f))
        }
    }
}

/// How much of a number is beyond the place it is cut at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rest {
    Nothing,
    Half(Ordering),
}

/// A positive real number, known exactly.
#[derive(Clone, Debug)]
enum Real {
    /// `numerator / denominator * 2^exponent`.
    Ratio(BigUint, BigUint, i64),
    /// The square root of `radicand * 2^exponent`.
    Root(BigUint, i64),
}

/// `x * 2^shift` as a fraction.
fn scaled(x: &BigUint, shift: i64) -> (BigUint, BigUint) {
    let distance = shift.unsigned_abs();
    if shift >= 0 {
        (x << distance, BigUint::from(1u8))
    } else {
        (x.clone(), BigUint::from(1u8) << distance)
    }
}

impl Real {
    /// The number in units of `2^unit`, cut, and what is beyond.
    fn cut(&self, unit: i64) -> (BigUint, Rest) {
        match self {
            Real::Ratio(numerator, denominator, exponent) => {
                let (n, d) = scaled(numerator, exponent - unit);
                let d = d * denominator;
                let (whole, rest) = (&n / &d, &n % &d);
                if rest == BigUint::ZERO {
                    return (whole, Rest::Nothing);
                }
                (whole, Rest::Half((rest * 2u8).cmp(&d)))
            }
            Real::Root(radicand, exponent) => {
                let (n, d) = scaled(radicand, exponent - 2 * unit);
                let whole = (&n / &d).sqrt();
                let square = &whole * &whole;
                if &square * &d == n {
                    return (whole, Rest::Nothing);
                }
                // (whole + 1/2)^2 = whole^2 + whole + 1/4
                let middle = (square + &whole) * 4u8 + 1u8;
                (whole, Rest::Half((n * 4u8).cmp(&(middle * d))))
            }
        }
    }
}

/// Whether a magnitude that is cut becomes the next larger one.
fn goes_up(rounding: Rounding, negative: bool, whole: &BigUint, rest: Rest) -> bool {
    let Rest::Half(beyond) = rest else {
        return false;
    };
    match rounding {
        Rounding::TowardZero => false,
        Rounding::Upward => !negative,
        Rounding::Downward => negative,
        Rounding::NearestAway => beyond != Ordering::Less,
        Rounding::NearestEven => match beyond {
            Ordering::Less => false,
            Ordering::Equal => whole.bit(0),
            Ordering::Greater => true,
        },
    }
}

/// The one rounding function.
fn round(format: Format, rounding: Rounding, negative: bool, real: &Real) -> Number {
    let precision = u64::from(format.precision());
    let mut unit = format.min_exponent() - i64::from(format.fraction_bits());
    let (mut whole, mut rest) = real.cut(unit);
    if whole.bits() > precision {
        unit += (whole.bits() - precision) as i64;
        (whole, rest) = real.cut(unit);
    }
    if goes_up(rounding, negative, &whole, rest) {
        whole += 1u8;
    }
    let largest = (
        ones(format.precision()),
        format.max_exponent() - i64::from(format.fraction_bits()),
    );
    let (limit, _) = scaled(&largest.0, 0);
    let too_large = unit > largest.1 || (unit == largest.1 && whole > limit);
    if !too_large {
        return Number::Finite {
            negative,
            significand: whole,
            exponent: unit,
        };
    }
    let stays = match rounding {
        Rounding::TowardZero => true,
        Rounding::Upward => negative,
        Rounding::Downward => !negative,
        Rounding::NearestEven | Rounding::NearestAway => false,
    };
    if stays {
        let (significand, exponent) = largest;
        Number::Finite {
            negative,
            significand,
            exponent,
        }
    } else {
        Number::Infinite { negative }
    }
}

const fn zero(negative: bool) -> Number {
    Number::Finite {
        negative,
        significand: BigUint::ZERO,
        exponent: 0,
    }
}

impl Number {
    fn is_negative(&self) -> bool {
        match self {
            Number::Nan => false,
            Number::Infinite { negative } | Number::Finite { negative, .. } => *negative,
        }
    }

    fn is_zero(&self) -> bool {
        matches!(self, Number::Finite { significand, .. } if *significand == BigUint::ZERO)
    }

    fn is_infinite(&self) -> bool {
        matches!(self, Number::Infinite { .. })
    }

    fn finite(&self) -> Option<(&BigUint, i64)> {
        match self {
            Number::Finite {
                significand,
                exponent,
                ..
            } => Some((significand, *exponent)),
            _ => None,
        }
    }

    fn negated(&self) -> Number {
        let mut number = self.clone();
        match &mut number {
            Number::Nan => {}
            Number::Infinite { negative } | Number::Finite { negative, .. } => {
                *negative = !*negative;
            }
        }
        number
    }

    /// The order of numbers; none where one is not a number. Zeros are equal.
    pub fn compare(&self, other: &Number) -> Option<Ordering> {
        let sign = |n: &Number| {
            if n.is_zero() {
                0
            } else if n.is_negative() {
                -1
            } else {
                1
            }
        };
        if *self == Number::Nan || *other == Number::Nan {
            return None;
        }
        let (a, b) = (sign(self), sign(other));
        if a != b || a == 0 {
            return Some(a.cmp(&b));
        }
        let magnitudes = match (self.finite(), other.finite()) {
            (None, None) => Ordering::Equal,
            (None, _) => Ordering::Greater,
            (_, None) => Ordering::Less,
            (Some((m, j)), Some((n, k))) => {
                let low = j.min(k);
                (m << (j - low) as u64).cmp(&(n << (k - low) as u64))
            }
        };
        Some(if a < 0 {
            magnitudes.reverse()
        } else {
            magnitudes
        })
    }
}

/// A sum, exactly, as an integer and an exponent.
fn exact_sum(terms: [(bool, BigUint, i64); 2]) -> (BigInt, i64) {
    let low = terms[0].2.min(terms[1].2);
    let sum = terms.into_iter().map(|(negative, m, k)| {
        let m = BigInt::from(m << (k - low) as u64);
        if negative { -m } else { m }
    });
    (sum.sum(), low)
}

/// `a * b + c`, of which the product may be a single number.
fn multiply_add(format: Format, rounding: Rounding, a: &Number, b: &Number, c: &Number) -> Number {
    let negative = a.is_negative() != b.is_negative();
    if [a, b, c].contains(&&Number::Nan) {
        return Number::Nan;
    }
    if a.is_infinite() || b.is_infinite() {
        let opposed = c.is_infinite() && c.is_negative() != negative;
        return if a.is_zero() || b.is_zero() || opposed {
            Number::Nan
        } else {
            Number::Infinite { negative }
        };
    }
    let (Some((m, j)), Some((n, k))) = (a.finite(), b.finite()) else {
        unreachable!("the other cases are done");
    };
    let Some((o, l)) = c.finite() else {
        return c.clone();
    };
    let product = (negative, m * n, j + k);
    let addend = (c.is_negative(), o.clone(), l);
    let both_negative = product.0 && addend.0;
    let same_sign = product.0 == addend.0;
    let (sum, exponent) = exact_sum([product, addend]);
    let (sign, magnitude) = sum.into_parts();
    if sign == Sign::NoSign {
        let negative = if same_sign {
            both_negative
        } else {
            rounding == Rounding::Downward
        };
        return zero(negative);
    }
    let real = Real::Ratio(magnitude, BigUint::from(1u8), exponent);
    round(format, rounding, sign == Sign::Minus, &real)
}

fn add(format: Format, rounding: Rounding, a: &Number, b: &Number) -> Number {
    let one = Number::Finite {
        negative: false,
        significand: BigUint::from(1u8),
        exponent: 0,
    };
    multiply_add(format, rounding, a, &one, b)
}

fn mul(format: Format, rounding: Rounding, a: &Number, b: &Number) -> Number {
    // A zero of the product's sign leaves the sign as it is.
    let negative = a.is_negative() != b.is_negative();
    multiply_add(format, rounding, a, b, &zero(negative))
}

fn div(format: Format, rounding: Rounding, a: &Number, b: &Number) -> Number {
    let negative = a.is_negative() != b.is_negative();
    if [a, b].contains(&&Number::Nan) {
        return Number::Nan;
    }
    if a.is_zero() && b.is_zero() || a.is_infinite() && b.is_infinite() {
        return Number::Nan;
    }
    if a.is_infinite() || b.is_zero() {
        return Number::Infinite { negative };
    }
    if a.is_zero() || b.is_infinite() {
        return zero(negative);
    }
    let (Some((m, j)), Some((n, k))) = (a.finite(), b.finite()) else {
        unreachable!("the other cases are done");
    };
    let real = Real::Ratio(m.clone(), n.clone(), j - k);
    round(format, rounding, negative, &real)
}

fn sqrt(format: Format, rounding: Rounding, x: &Number) -> Number {
    match x {
        Number::Finite {
            negative: false,
            significand,
            exponent,
        } if *significand != BigUint::ZERO => round(
            format,
            rounding,
            false,
            &Real::Root(significand.clone(), *exponent),
        ),
        Number::Infinite { negative: false } => x.clone(),
        x if x.is_zero() => x.clone(),
        _ => Number::Nan,
    }
}

/// `x` rounded to an integer: its magnitude. None where there is none.
fn integer_magnitude(rounding: Rounding, x: &Number) -> Option<BigUint> {
    let (significand, exponent) = x.finite()?;
    let real = Real::Ratio(significand.clone(), BigUint::from(1u8), exponent);
    let (whole, rest) = real.cut(0);
    let up = goes_up(rounding, x.is_negative(), &whole, rest);
    Some(whole + u8::from(up))
}

/// The integer that a pattern is rounded to, if there is one.
pub fn to_integer(format: Format, rounding: Rounding, pattern: &BigUint) -> Option<BigInt> {
    let x = decode(format, pattern);
    let magnitude = BigInt::from(integer_magnitude(rounding, &x)?);
    Some(if x.is_negative() {
        -magnitude
    } else {
        magnitude
    })
}

/// The pattern that an integer is rounded to.
pub fn from_integer(format: Format, rounding: Rounding, integer: &BigInt) -> BigUint {
    let negative = integer.sign() == Sign::Minus;
    let real = Real::Ratio(integer.magnitude().clone(), BigUint::from(1u8), 0);
    encode(format, &round(format, rounding, negative, &real))
}

/// A pattern in another format.
pub fn convert(from: Format, to: Format, rounding: Rounding, pattern: &BigUint) -> BigUint {
    let x = decode(from, pattern);
    let number = match x.finite() {
        Some((significand, exponent)) => {
            let real = Real::Ratio(significand.clone(), BigUint::from(1u8), exponent);
            round(to, rounding, x.is_negative(), &real)
        }
        None => x,
    };
    encode(to, &number)
}

/// The operations whose operands and results have one format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Operation {
    Add,
    Sub,
    Mul,
    Div,
    Fma,
    Sqrt,
    RoundToIntegral,
    Min,
    Max,
}

impl Operation {
    /// All of them.
    pub const ALL: [Operation; 9] = [
        Operation::Add,
        Operation::Sub,
        Operation::Mul,
        Operation::Div,
        Operation::Fma,
        Operation::Sqrt,
        Operation::RoundToIntegral,
        Operation::Min,
        Operation::Max,
    ];

    /// How many operands it has.
    pub fn arity(self) -> usize {
        match self {
            Operation::Fma => 3,
            Operation::Sqrt | Operation::RoundToIntegral => 1,
            _ => 2,
        }
    }

    /// The term over its operands.
    pub fn term(self, floats: &mut Floats<'_>, format: Format, mode: Mode, args: &[Term]) -> Term {
        match (self, args) {
            (Operation::Add, &[a, b]) => floats.add(format, mode, a, b),
            (Operation::Sub, &[a, b]) => floats.sub(format, mode, a, b),
            (Operation::Mul, &[a, b]) => floats.mul(format, mode, a, b),
            (Operation::Div, &[a, b]) => floats.div(format, mode, a, b),
            (Operation::Fma, &[a, b, c]) => floats.fma(format, mode, a, b, c),
            (Operation::Sqrt, &[a]) => floats.sqrt(format, mode, a),
            (Operation::RoundToIntegral, &[a]) => floats.round_to_integral(format, mode, a),
            (Operation::Min, &[a, b]) => floats.min(format, a, b),
            (Operation::Max, &[a, b]) => floats.max(format, a, b),
            _ => unreachable!("the operands of {self:?}"),
        }
    }

    /// The pattern of the result.
    pub fn reference(self, format: Format, rounding: Rounding, args: &[BigUint]) -> BigUint {
        let numbers: Vec<Number> = args.iter().map(|x| decode(format, x)).collect();
        let number = match (self, &numbers[..]) {
            (Operation::Add, [a, b]) => add(format, rounding, a, b),
            (Operation::Sub, [a, b]) => add(format, rounding, a, &b.negated()),
            (Operation::Mul, [a, b]) => mul(format, rounding, a, b),
            (Operation::Div, [a, b]) => div(format, rounding, a, b),
            (Operation::Fma, [a, b, c]) => multiply_add(format, rounding, a, b, c),
            (Operation::Sqrt, [a]) => sqrt(format, rounding, a),
            // Small formats have numbers that are rounded to an integer beyond the largest one.
            (Operation::RoundToIntegral, [a]) => match integer_magnitude(rounding, a) {
                Some(integer) => {
                    let real = Real::Ratio(integer, BigUint::from(1u8), 0);
                    round(format, rounding, a.is_negative(), &real)
                }
                None => a.clone(),
            },
            (Operation::Min | Operation::Max, [a, b]) => {
                let first = match a.compare(b) {
                    None if *a == Number::Nan => &numbers[1],
                    None => &numbers[0],
                    Some(Ordering::Equal) if a.is_negative() == (self == Operation::Min) => a,
                    Some(Ordering::Equal) => b,
                    Some(order) if (order == Ordering::Less) == (self == Operation::Min) => a,
                    Some(_) => b,
                };
                // The operand as it is, where it is a number.
                let which = usize::from(std::ptr::eq(first, b));
                return match first {
                    Number::Nan => encode(format, first),
                    _ => args[which].clone(),
                };
            }
            _ => unreachable!("the operands of {self:?}"),
        };
        encode(format, &number)
    }
}

/// Patterns where mistakes live: zeros, ones, ends of the ranges, ties, infinities, NaNs, and for x87 what is not canonical.
pub fn edges(format: Format) -> Vec<BigUint> {
    let (e, f) = (format.exponent_bits(), format.fraction_bits());
    let explicit = u32::from(format.has_explicit_integer());
    let bias = format.bias() as u64;
    let top = (1u64 << e) - 1;
    let precision = u64::from(f) + 1;
    let mut exponents = vec![0, 1, 2, bias - 1, bias, bias + 1, top - 2, top - 1, top];
    for near in [bias.saturating_sub(precision), bias + precision] {
        exponents.extend([near.saturating_sub(1), near, near + 1]);
    }
    exponents.retain(|&x| x <= top);
    exponents.sort_unstable();
    exponents.dedup();
    let one = BigUint::from(1u8);
    let mut fractions = vec![BigUint::ZERO, one.clone(), ones(f), ones(f) - 1u8];
    fractions.extend([&one << (f - 1), (&one << (f - 1)) - 1u8, &one << (f / 2)]);
    fractions.push((&one << (f - 1)) | &one);
    fractions.sort_unstable();
    fractions.dedup();
    let mut patterns = Vec::new();
    for negative in [false, true] {
        for &exponent in &exponents {
            for fraction in &fractions {
                for integer in 0..=explicit {
                    let high = (BigUint::from(negative) << e) | BigUint::from(exponent);
                    let high = (high << explicit) | BigUint::from(integer);
                    patterns.push((high << f) | (fraction & ones(f)));
                }
            }
        }
    }
    patterns.sort_unstable();
    patterns.dedup();
    patterns
}
