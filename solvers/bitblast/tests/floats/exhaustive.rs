//! Small formats and integers, all of them, against exact arithmetic.

use crate::circuit::{Case, Circuit, Direction};
use num_bigint::{BigInt, BigUint};
use trellis_ivl_float::testing::{self, Operation};
use trellis_ivl_float::{Format, Rounding};

fn big(x: u128) -> BigUint {
    BigUint::from(x)
}

/// All operands of `count` words of `width` bits.
fn all(width: u32, count: usize, direction: usize) -> impl Iterator<Item = Case> {
    let mask = (1u128 << width) - 1;
    (0..1u128 << (width * count as u32)).map(move |number| Case {
        operands: [0, 1, 2].map(|i| number >> (width * i) & mask),
        direction,
    })
}

fn small(number: &BigUint) -> u128 {
    u128::try_from(number.clone()).expect("at most 128 bits")
}

fn operations(format: Format, wanted: impl Fn(Operation) -> bool) {
    for op in Operation::ALL.into_iter().filter(|&op| wanted(op)) {
        let widths = vec![format.width(); op.arity()];
        let build = |direction| {
            Circuit::new(&widths, direction, |floats, mode, args| {
                op.term(floats, format, mode, args)
            })
        };
        let mut given = build(Direction::Given);
        for (number, rounding) in Rounding::ALL.into_iter().enumerate() {
            let mut fixed = build(Direction::Fixed(rounding));
            let mut results = Vec::new();
            let cases = || all(format.width(), op.arity(), number);
            given.run_all(cases(), |_, result| results.push(result));
            let mut results = results.into_iter();
            fixed.run_all(cases(), |case, result| {
                let args: Vec<BigUint> = case.operands.map(big)[..op.arity()].to_vec();
                let expected = small(&op.reference(format, rounding, &args));
                let both = [Some(result), results.next()];
                assert_eq!(
                    both,
                    [Some(expected); 2],
                    "{op:?} {rounding:?} {case:x?} {format:?}"
                );
            });
        }
    }
}

#[test]
fn toy_formats() {
    for format in [Format::ieee(3, 4), Format::ieee(4, 3)] {
        operations(format, |op| op != Operation::Fma);
    }
    // Three operands, and an exponent that is short for the fraction.
    operations(Format::ieee(3, 2), |op| op == Operation::Fma);
    operations(Format::ieee(2, 3), |op| op != Operation::Fma);
}

/// Every pattern of half to other formats, in every direction.
#[test]
fn half_to_formats() {
    let from = Format::HALF;
    let toy = Format::ieee(4, 3);
    for to in [
        Format::SINGLE,
        Format::DOUBLE,
        Format::X87,
        Format::QUAD,
        toy,
    ] {
        let mut circuit = Circuit::new(&[16], Direction::Given, |floats, mode, args| {
            floats.convert(from, to, mode, args[0])
        });
        // Only what is narrower is rounded.
        let directions = if to == toy { 0..5 } else { 1..2 };
        for direction in directions {
            circuit.run_all(all(16, 1, direction), |case, result| {
                let rounding = case.rounding();
                let expected = testing::convert(from, to, rounding, &big(case.operands[0]));
                assert_eq!(result, small(&expected), "{case:x?} to {to:?}");
            });
        }
    }
}

/// Every pattern of half to integers, and every integer of 16 bits to half and to a format that cannot hold it, in every direction.
#[test]
fn half_and_integers() {
    let half = Format::HALF;
    for width in [8, 16, 32] {
        for signed in [false, true] {
            let mut circuit = Circuit::new(&[16], Direction::Given, |floats, mode, args| {
                let (value, fits) = if signed {
                    floats.to_signed(half, mode, args[0], width)
                } else {
                    floats.to_unsigned(half, mode, args[0], width)
                };
                let pool = floats.pool();
                let nothing = pool.num(width, 0);
                let value = pool.ite(fits, value, nothing);
                let fits = pool.bool_to_bv(fits);
                pool.concat(fits, value)
            });
            let modulus = BigInt::from(1) << width;
            let lowest: BigInt = if signed {
                -(&modulus >> 1u32)
            } else {
                BigInt::ZERO
            };
            let highest = &lowest + &modulus - 1;
            for direction in 0..5 {
                circuit.run_all(all(16, 1, direction), |case, result| {
                    let rounding = case.rounding();
                    let exact = testing::to_integer(half, rounding, &big(case.operands[0]));
                    let inside = exact.filter(|n| (&lowest..=&highest).contains(&n));
                    let expected = inside.map_or(0, |n| {
                        let low = (n + &modulus) % &modulus;
                        small(&low.to_biguint().expect("not negative")) | 1 << width
                    });
                    assert_eq!(result, expected, "{case:x?} to {width} {signed}");
                });
            }
        }
    }
    for signed in [false, true] {
        for format in [half, Format::SINGLE] {
            let mut circuit = Circuit::new(&[16], Direction::Given, |floats, mode, args| {
                if signed {
                    floats.from_signed(format, mode, args[0])
                } else {
                    floats.from_unsigned(format, mode, args[0])
                }
            });
            let directions = if format == half { 0..5 } else { 1..2 };
            for direction in directions {
                circuit.run_all(all(16, 1, direction), |case, result| {
                    let bits = case.operands[0] as u16;
                    let integer = match signed {
                        true => BigInt::from(bits as i16),
                        false => BigInt::from(bits),
                    };
                    let expected = testing::from_integer(format, case.rounding(), &integer);
                    assert_eq!(result, small(&expected), "{integer} to {format:?}");
                });
            }
        }
    }
}
