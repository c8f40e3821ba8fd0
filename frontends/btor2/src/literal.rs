//! The numbers of constants.

use num_bigint::BigUint;

/// The number of a `const`, `constd` or `consth`, and whether its complement is meant.
pub(crate) fn literal(name: &str, text: &[u8], width: u32) -> Result<(BigUint, bool), String> {
    let bits = u64::from(width);
    let (radix, digits) = match name {
        "const" => (2, text),
        "constd" => (10, text.strip_prefix(b"-").unwrap_or(text)),
        _ => (16, text),
    };
    let negative = digits.len() < text.len();
    let is_digit = |byte: &u8| (*byte as char).is_digit(radix);
    if digits.is_empty() || !digits.iter().all(is_digit) {
        return Err(match radix {
            2 => format!("expected {width} binary digits"),
            10 => "expected a decimal number".into(),
            _ => "expected hexadecimal digits".into(),
        });
    }
    if radix == 2 && digits.len() != width as usize {
        return Err(format!("expected {width} binary digits"));
    }
    let unfit = || format!("expected a number of at most {width} bits");
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    // Each further digit has at least three bits; this spares the conversion of endless numbers.
    if radix != 2 && (digits.len() - zeros) as u64 > bits / 3 + 1 {
        return Err(unfit());
    }
    let value = BigUint::parse_bytes(digits, radix).unwrap_or_default();
    if !negative {
        return match value.bits() <= bits {
            true => Ok((value, false)),
            false => Err(unfit()),
        };
    }
    // -v is the complement of v - 1, and fits if that does with a bit to spare for the sign.
    if value == BigUint::ZERO {
        return Ok((value, false));
    }
    let below: BigUint = value - 1u32;
    match below.bits() < bits {
        true => Ok((below, true)),
        false => Err(unfit()),
    }
}
