//! Bit-vector constants: `5bv32`, `-1bv8`, `0x1f_bv8`, `0b101_bv3`.
//!
//! Printed in decimal; as a negative number where the top bit is set and the magnitude is small
//! beside the width; in hexadecimal beyond 64 bits, because decimal digits of a number of
//! millions of bits take quadratic time.

#![cfg_attr(
    not(feature = "parse"),
    allow(dead_code, reason = "reading uses the rest")
)]

use crate::bv::Bv;
use crate::ty::Type;
use num_bigint::BigUint;
use num_traits::Num;
use std::fmt::Write;

/// The value of a constant token, or what is wrong with it.
pub fn value(text: &str, negative: bool) -> Result<Bv, String> {
    let split = text.rfind("bv").expect("the token ends in a type");
    let (digits, width) = (&text[..split], &text[split + 2..]);
    let width = match width.parse::<u32>() {
        Ok(w) if Type::Bv(w).is_valid() => w,
        _ => {
            let max = Type::MAX_WIDTH;
            return Err(format!("bv{width} is no type: widths run from 1 to {max}"));
        }
    };
    let minus = if negative { "-" } else { "" };
    let misfit = || format!("{minus}{digits} does not fit into {width} bits");
    let (radix, digits) = match digits.get(..2) {
        Some("0x") => (16, &digits[2..]),
        Some("0b") => (2, &digits[2..]),
        _ => (10, digits),
    };
    if radix == 10
        && digits.len() < 20
        && let Ok(n) = digits.parse::<u64>()
    {
        return fit(width, n, negative).ok_or_else(misfit);
    }
    let clean = digits.replace('_', "");
    // One decimal digit carries more than three bits: far too long numbers need no conversion.
    let longest = match radix {
        10 => u64::from(width) / 3 + 2 + leading_zeros(&clean),
        16 => u64::from(width) / 4 + 2 + leading_zeros(&clean),
        _ => u64::from(width) + 2 + leading_zeros(&clean),
    };
    if clean.len() as u64 > longest {
        return Err(misfit());
    }
    let magnitude = BigUint::from_str_radix(&clean, radix).map_err(|_| misfit())?;
    let (fits, v) = if negative {
        let limit = Bv::min_signed(width).to_biguint();
        (magnitude <= limit, Bv::from_biguint(width, magnitude).neg())
    } else {
        let fits = magnitude.bits() <= u64::from(width);
        (fits, Bv::from_biguint(width, magnitude))
    };
    if fits { Ok(v) } else { Err(misfit()) }
}

fn leading_zeros(digits: &str) -> u64 {
    digits.bytes().take_while(|b| *b == b'0').count() as u64
}

/// The common case: a decimal number of one machine word.
fn fit(width: u32, n: u64, negative: bool) -> Option<Bv> {
    let bits = u64::BITS - n.leading_zeros();
    if negative {
        let limit = width > 64 || n <= 1 << (width - 1);
        limit.then(|| Bv::new(width, n).neg())
    } else {
        (bits <= width).then(|| Bv::new(width, n))
    }
}

/// Whether [`print`] writes `v` with a minus sign.
pub fn prints_negative(v: &Bv) -> bool {
    small_magnitude(v).is_some()
}

/// The magnitude of a negative number, where that is below `2^(w/2)` and the width at least 8.
fn small_magnitude(v: &Bv) -> Option<u64> {
    if v.width() < 8 || !v.is_negative() {
        return None;
    }
    let m = v.neg().to_u64()?;
    let half = v.width() / 2;
    (half >= 64 || m < 1 << half).then_some(m)
}

/// Appends the constant.
pub fn print(out: &mut String, v: &Bv) {
    let w = v.width();
    match (small_magnitude(v), v.to_u64()) {
        (Some(m), _) => write!(out, "-{m}bv{w}"),
        (None, Some(n)) => write!(out, "{n}bv{w}"),
        (None, None) => write!(out, "{:#x}_bv{w}", v.to_biguint()),
    }
    .expect("writing to a string");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(token: &str, expect: Result<(u32, u64), &str>) {
        let (text, negative) = match token.strip_prefix('-') {
            Some(rest) => (rest, true),
            None => (token, false),
        };
        let want = expect
            .map(|(w, v)| Bv::new(w, v))
            .map_err(|e| e.to_string());
        assert_eq!(value(text, negative), want, "{token}");
    }

    #[test]
    fn tokens() {
        check("255bv8", Ok((8, 255)));
        check("256bv8", Err("256 does not fit into 8 bits"));
        check("-128bv8", Ok((8, 128)));
        check("-129bv8", Err("-129 does not fit into 8 bits"));
        check("-1bv1", Ok((1, 1)));
        check("-0bv1", Ok((1, 0)));
        check("0x_1F_bv8", Ok((8, 31)));
        check("0b1_01_bv3", Ok((3, 5)));
        check("0b1000bv3", Err("0b1000 does not fit into 3 bits"));
        check("18446744073709551615bv64", Ok((64, u64::MAX)));
        check("-9223372036854775808bv64", Ok((64, 1 << 63)));
        check(
            "-9223372036854775809bv64",
            Err("-9223372036854775809 does not fit into 64 bits"),
        );
        check("000000000000000000000000000000000007bv3", Ok((3, 7)));
        check("5bv0", Err("bv0 is no type: widths run from 1 to 16777216"));
    }

    #[test]
    fn constants_come_back() {
        for w in [1, 2, 7, 8, 9, 31, 32, 63, 64, 65, 127, 128, 129, 300] {
            let min = Bv::min_signed(w);
            let mut values = vec![min.clone(), min.not(), Bv::ones(w), Bv::zero(w)];
            for k in [1, 2, 15, 16, 17, 255, 65535, 65536, u64::MAX] {
                let k = Bv::new(w, k);
                values.extend([k.neg(), min.add(&k), min.sub(&k), k]);
            }
            for v in values {
                let mut text = String::new();
                print(&mut text, &v);
                let (digits, negative) = match text.strip_prefix('-') {
                    Some(rest) => (rest, true),
                    None => (text.as_str(), false),
                };
                assert_eq!(negative, prints_negative(&v));
                assert_eq!(value(digits, negative), Ok(v), "{text}");
            }
        }
    }
}
