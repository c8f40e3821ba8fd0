//! Values as words.

use super::reader::{Reader, WireError};
use trellis_ivl::{ArrayValue, Bv, Type, Value};

const BOOL: u32 = 0;
const BV: u32 = 1;
const ARRAY: u32 = 2;

/// Appends the digits of a bit-vector.
pub fn write_digits(out: &mut Vec<u32>, v: &Bv) {
    let words = v.width().div_ceil(32) as usize;
    match v.to_u64() {
        Some(bits) if words <= 2 => {
            out.push(bits as u32);
            if words == 2 {
                out.push((bits >> 32) as u32);
            }
        }
        _ => {
            let start = out.len();
            out.extend(v.to_biguint().iter_u32_digits());
            out.resize(start + words, 0);
        }
    }
}

/// Reads the digits of a bit-vector; digits beyond its width are an error.
pub fn read_digits(r: &mut Reader<'_>, width: u32) -> Result<Bv, WireError> {
    if !Type::Bv(width).is_valid() {
        return Err(WireError::Type(Type::Bv(width)));
    }
    let digits = r.take(width.div_ceil(32) as usize, "a bit-vector")?;
    if !width.is_multiple_of(32) && digits[digits.len() - 1] >> (width % 32) != 0 {
        return Err(WireError::Malformed(format!(
            "a bit-vector has digits beyond its {width} bits"
        )));
    }
    Ok(match *digits {
        [lo] => Bv::new(width, u64::from(lo)),
        [lo, hi] => Bv::new(width, u64::from(lo) | (u64::from(hi) << 32)),
        _ => Bv::from_biguint(width, num_bigint(digits)),
    })
}

fn num_bigint(digits: &[u32]) -> num_bigint::BigUint {
    num_bigint::BigUint::from_slice(digits)
}

/// Appends a value.
pub fn write_value(out: &mut Vec<u32>, value: &Value) {
    match value {
        Value::Bool(b) => out.extend([BOOL, u32::from(*b)]),
        Value::Bv(v) => {
            out.extend([BV, v.width()]);
            write_digits(out, v);
        }
        Value::Array(a) => {
            out.extend([ARRAY, a.index_width(), a.default().width()]);
            write_digits(out, a.default());
            let count = out.len();
            out.push(0);
            let mut n = 0;
            for (index, elem) in a.entries() {
                write_digits(out, index);
                write_digits(out, elem);
                n += 1;
            }
            out[count] = n;
        }
    }
}

/// Reads a value.
pub fn read_value(r: &mut Reader<'_>) -> Result<Value, WireError> {
    match r.word("a value")? {
        BOOL => match r.word("a boolean")? {
            b @ (0 | 1) => Ok(Value::Bool(b == 1)),
            number => Err(WireError::NoSuch {
                what: "truth value",
                number,
            }),
        },
        BV => {
            let width = r.word("a bit-vector")?;
            Ok(Value::Bv(read_digits(r, width)?))
        }
        ARRAY => {
            let ty = r.ty()?;
            let Type::Array { index, elem } = ty else {
                return Err(WireError::Type(ty));
            };
            let mut array = ArrayValue::constant(index, read_digits(r, elem)?);
            for _ in 0..r.count("an array")? {
                let i = read_digits(r, index)?;
                array = array.store(i, read_digits(r, elem)?);
            }
            Ok(Value::Array(array))
        }
        number => Err(WireError::NoSuch {
            what: "kind of value",
            number,
        }),
    }
}
