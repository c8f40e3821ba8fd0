//! Single and double: nearest even against the processor, every direction against rustc_apfloat, square roots in every
//! direction against integers.

use crate::circuit::{Case, Circuit, Direction};
use crate::operands::Operands;
use rustc_apfloat::ieee::{Double, Single};
use rustc_apfloat::{Float, FloatConvert, Round};
use trellis_ivl::Term;
use trellis_ivl_float::testing::Operation;
use trellis_ivl_float::{Floats, Format, Mode, Rounding};

fn cases() -> usize {
    let asked = std::env::var("TRELLIS_FLOAT_CASES").ok();
    asked.map_or(20_000, |n| {
        n.parse().expect("TRELLIS_FLOAT_CASES is a number")
    })
}

/// The direction that the processor starts with.
const NEAREST: usize = 1;

fn round(case: &Case) -> Round {
    match case.rounding() {
        Rounding::TowardZero => Round::TowardZero,
        Rounding::NearestEven => Round::NearestTiesToEven,
        Rounding::Upward => Round::TowardPositive,
        Rounding::Downward => Round::TowardNegative,
        Rounding::NearestAway => Round::NearestTiesToAway,
    }
}

/// A format that the processor has, its values as patterns.
trait Machine {
    const FORMAT: Format;
    type Apfloat: Float;

    fn by_processor(op: Operation, x: [u128; 3]) -> u128;
    /// Whether `a < b`, `a <= b`, `a == b`, and one of both is a NaN.
    fn compare(x: [u128; 3]) -> u128;
    fn is_nan(x: u128) -> bool;
}

macro_rules! machine {
    ($name:ident, $float:ident, $bits:ident, $format:ident, $apfloat:ident) => {
        struct $name;

        impl Machine for $name {
            const FORMAT: Format = Format::$format;
            type Apfloat = $apfloat;

            fn by_processor(op: Operation, x: [u128; 3]) -> u128 {
                let [a, b, c] = x.map(|x| $float::from_bits(x as $bits));
                let result = match op {
                    Operation::Add => a + b,
                    Operation::Sub => a - b,
                    Operation::Mul => a * b,
                    Operation::Div => a / b,
                    Operation::Fma => a.mul_add(b, c),
                    Operation::Sqrt => a.sqrt(),
                    Operation::RoundToIntegral => a.round_ties_even(),
                    Operation::Min | Operation::Max => unreachable!("zeros are another matter"),
                };
                u128::from(result.to_bits())
            }

            fn compare(x: [u128; 3]) -> u128 {
                let [a, b, _] = x.map(|x| $float::from_bits(x as $bits));
                [a < b, a <= b, a == b, a.is_nan() || b.is_nan()]
                    .into_iter()
                    .fold(0, |all, holds| all << 1 | u128::from(holds))
            }

            fn is_nan(x: u128) -> bool {
                $float::from_bits(x as $bits).is_nan()
            }
        }
    };
}

machine!(SingleMachine, f32, u32, SINGLE, Single);
machine!(DoubleMachine, f64, u64, DOUBLE, Double);

/// The pattern, or that of all NaNs.
fn canonical<M: Machine>(pattern: u128) -> u128 {
    let (e, f) = (M::FORMAT.exponent_bits(), M::FORMAT.fraction_bits());
    if M::is_nan(pattern) {
        ((1 << (e + 1)) - 1) << (f - 1)
    } else {
        pattern
    }
}

fn by_apfloat<M: Machine>(op: Operation, case: &Case) -> Option<u128> {
    let [a, b, c] = case.operands.map(M::Apfloat::from_bits);
    let round = round(case);
    let result = match op {
        Operation::Add => a.add_r(b, round),
        Operation::Sub => a.sub_r(b, round),
        Operation::Mul => a.mul_r(b, round),
        Operation::Div => a.div_r(b, round),
        Operation::Fma => a.mul_add_r(b, c, round),
        Operation::RoundToIntegral => a.round_to_integral(round),
        Operation::Sqrt | Operation::Min | Operation::Max => return None,
    };
    Some(result.value.to_bits())
}

/// The square root by that of an integer with enough digits.
fn by_integers(format: Format, case: &Case) -> u128 {
    let (e, f) = (format.exponent_bits(), format.fraction_bits());
    let x = case.operands[0];
    let (stored, fraction) = (x >> f & ((1 << e) - 1), x & ((1 << f) - 1));
    let negative = x >> (e + f) == 1;
    let infinity = ((1u128 << e) - 1) << f;
    if stored == 0 && fraction == 0 || x == infinity {
        return x;
    }
    if negative || stored == (1 << e) - 1 {
        return infinity | 1 << (f - 1);
    }
    let mut exponent = (stored as i64).max(1) - format.bias() - i64::from(f);
    let mut significand = if stored == 0 {
        fraction
    } else {
        fraction | 1 << f
    };
    // So many digits that the root has one more than the precision, and an even exponent.
    let digits = 2 * (f + 2);
    while significand >> (digits - 2) == 0 || exponent % 2 != 0 {
        (significand, exponent) = (significand << 1, exponent - 1);
    }
    let root = significand.isqrt();
    let exact = root * root == significand;
    let excess = 128 - root.leading_zeros() - (f + 1);
    let low = root & ((1 << excess) - 1);
    let half = 1 << (excess - 1);
    let up = match case.rounding() {
        Rounding::TowardZero | Rounding::Downward => false,
        Rounding::Upward => low != 0 || !exact,
        Rounding::NearestAway => low >= half,
        Rounding::NearestEven => low > half || low == half && (!exact || root >> excess & 1 == 1),
    };
    let stored = exponent / 2 + i64::from(excess) + i64::from(f) + format.bias();
    // The integer bit adds one to the exponent.
    (((stored - 1) as u128) << f) + (root >> excess) + u128::from(up)
}

fn operations<M: Machine>(seed: u64) {
    let format = M::FORMAT;
    for op in Operation::ALL {
        if matches!(op, Operation::Min | Operation::Max) {
            continue;
        }
        let widths = vec![format.width(); op.arity()];
        let build = |direction| {
            Circuit::new(&widths, direction, |floats, mode, args| {
                op.term(floats, format, mode, args)
            })
        };
        let mut operands = Operands::new(format, seed);
        let mut fixed = build(Direction::Fixed(Rounding::NearestEven));
        let nearest = (0..cases()).map(|_| Case {
            direction: NEAREST,
            ..operands.case()
        });
        fixed.run_all(nearest, |case, result| {
            let expected = canonical::<M>(M::by_processor(op, case.operands));
            assert_eq!(result, expected, "{op:?} of {case:x?} on the processor");
        });
        let mut operands = Operands::new(format, seed + 1);
        let mut given = build(Direction::Given);
        let all = (0..cases()).map(|_| operands.case());
        given.run_all(all, |case, result| {
            let expected = match by_apfloat::<M>(op, case) {
                Some(pattern) => canonical::<M>(pattern),
                None => by_integers(format, case),
            };
            assert_eq!(
                result,
                expected,
                "{op:?} {:?} of {case:x?}",
                case.rounding()
            );
        });
        println!("{op:?} in {} bits: {} cases twice", format.width(), cases());
    }
}

fn comparisons<M: Machine>(seed: u64) {
    let format = M::FORMAT;
    let widths = [format.width(); 2];
    let fixed = Direction::Fixed(Rounding::NearestEven);
    let mut circuit = Circuit::new(&widths, fixed, |floats, _, x| {
        let relations = [
            floats.lt(format, x[0], x[1]),
            floats.le(format, x[0], x[1]),
            floats.eq(format, x[0], x[1]),
            floats.unordered(format, x[0], x[1]),
        ];
        let pool = floats.pool();
        let bits = relations.map(|r| pool.bool_to_bv(r));
        bits.into_iter()
            .reduce(|all, bit| pool.concat(all, bit))
            .expect("four")
    });
    let mut operands = Operands::new(format, seed);
    let all = (0..cases()).map(|_| operands.case());
    circuit.run_all(all, |case, result| {
        assert_eq!(result, M::compare(case.operands), "{case:x?}");
    });
}

/// A conversion: the width of its operand, and the term.
type Conversion = fn(&mut Floats<'_>, Mode, Term) -> Term;

fn conversion(
    name: &str,
    operands: impl FnMut() -> (u128, usize),
    width: u32,
    make: Conversion,
    expected: impl Fn(u128, &Case) -> u128,
) {
    let mut operands = operands;
    let mut circuit = Circuit::new(&[width], Direction::Given, |f, mode, x| make(f, mode, x[0]));
    let all = (0..cases()).map(|_| {
        let (x, direction) = operands();
        Case {
            operands: [x, 0, 0],
            direction,
        }
    });
    circuit.run_all(all, |case, result| {
        let expected = expected(case.operands[0], case);
        assert_eq!(result, expected, "{name} {:?} {case:x?}", case.rounding());
    });
    println!("{name}: {} cases", cases());
}

/// Random patterns of a format, with directions.
fn patterns(format: Format, seed: u64) -> impl FnMut() -> (u128, usize) {
    let mut operands = Operands::new(format, seed);
    move || {
        let case = operands.case();
        (case.operands[0], case.direction)
    }
}

fn integers(width: u32, seed: u64) -> impl FnMut() -> (u128, usize) {
    let mut operands = Operands::new(Format::HALF, seed);
    move || {
        let direction = operands.case().direction;
        (operands.integer(width), direction)
    }
}

/// The value where it is in range, with a one before it.
fn in_range(floats: &mut Floats<'_>, (value, fits): (Term, Term)) -> Term {
    let pool = floats.pool();
    let nothing = pool.num(pool.width(value), 0);
    let value = pool.ite(fits, value, nothing);
    let fits = pool.bool_to_bv(fits);
    pool.concat(fits, value)
}

fn to_signed<F: Float>(x: u128, case: &Case, width: usize) -> u128 {
    let mut exact = false;
    let result = F::from_bits(x).to_i128_r(width, round(case), &mut exact);
    let mask = (1 << width) - 1;
    match result.status.contains(rustc_apfloat::Status::INVALID_OP) {
        true => 0,
        false => result.value as u128 & mask | 1 << width,
    }
}

fn to_unsigned<F: Float>(x: u128, case: &Case, width: usize) -> u128 {
    let mut exact = false;
    let result = F::from_bits(x).to_u128_r(width, round(case), &mut exact);
    match result.status.contains(rustc_apfloat::Status::INVALID_OP) {
        true => 0,
        false => result.value | 1 << width,
    }
}

fn signed(x: u128, width: u32) -> i128 {
    (x << (128 - width)) as i128 >> (128 - width)
}

#[test]
fn conversions() {
    conversion(
        "double to single",
        patterns(Format::DOUBLE, 20),
        64,
        |f, mode, x| f.convert(Format::DOUBLE, Format::SINGLE, mode, x),
        |x, case| {
            let mut lost = false;
            let result: Single = Double::from_bits(x).convert_r(round(case), &mut lost).value;
            let result = canonical::<SingleMachine>(result.to_bits());
            if case.direction == NEAREST {
                let cast = (f64::from_bits(x as u64) as f32).to_bits();
                assert_eq!(result, canonical::<SingleMachine>(cast.into()));
            }
            result
        },
    );
    conversion(
        "single to double",
        patterns(Format::SINGLE, 21),
        32,
        |f, mode, x| f.convert(Format::SINGLE, Format::DOUBLE, mode, x),
        |x, _| {
            let wide = f64::from(f32::from_bits(x as u32));
            canonical::<DoubleMachine>(wide.to_bits().into())
        },
    );
    conversion(
        "double to int64",
        patterns(Format::DOUBLE, 22),
        64,
        |f, mode, x| {
            let pair = f.to_signed(Format::DOUBLE, mode, x, 64);
            in_range(f, pair)
        },
        |x, case| to_signed::<Double>(x, case, 64),
    );
    conversion(
        "double to int32",
        patterns(Format::DOUBLE, 23),
        64,
        |f, mode, x| {
            let pair = f.to_signed(Format::DOUBLE, mode, x, 32);
            in_range(f, pair)
        },
        |x, case| to_signed::<Double>(x, case, 32),
    );
    conversion(
        "double to uint64",
        patterns(Format::DOUBLE, 24),
        64,
        |f, mode, x| {
            let pair = f.to_unsigned(Format::DOUBLE, mode, x, 64);
            in_range(f, pair)
        },
        |x, case| to_unsigned::<Double>(x, case, 64),
    );
    conversion(
        "single to uint32",
        patterns(Format::SINGLE, 25),
        32,
        |f, mode, x| {
            let pair = f.to_unsigned(Format::SINGLE, mode, x, 32);
            in_range(f, pair)
        },
        |x, case| to_unsigned::<Single>(x, case, 32),
    );
    conversion(
        "single to int32",
        patterns(Format::SINGLE, 26),
        32,
        |f, mode, x| {
            let pair = f.to_signed(Format::SINGLE, mode, x, 32);
            in_range(f, pair)
        },
        |x, case| to_signed::<Single>(x, case, 32),
    );
    conversion(
        "int64 to double",
        integers(64, 27),
        64,
        |f, mode, x| f.from_signed(Format::DOUBLE, mode, x),
        |x, case| {
            Double::from_i128_r(signed(x, 64), round(case))
                .value
                .to_bits()
        },
    );
    conversion(
        "uint64 to single",
        integers(64, 28),
        64,
        |f, mode, x| f.from_unsigned(Format::SINGLE, mode, x),
        |x, case| Single::from_u128_r(x, round(case)).value.to_bits(),
    );
    conversion(
        "int32 to single",
        integers(32, 29),
        32,
        |f, mode, x| f.from_signed(Format::SINGLE, mode, x),
        |x, case| {
            Single::from_i128_r(signed(x, 32), round(case))
                .value
                .to_bits()
        },
    );
    conversion(
        "int32 to double",
        integers(32, 30),
        32,
        |f, mode, x| f.from_signed(Format::DOUBLE, mode, x),
        |x, _| f64::from(signed(x, 32) as i32).to_bits().into(),
    );
}

#[test]
fn single() {
    operations::<SingleMachine>(1);
    comparisons::<SingleMachine>(3);
}

#[test]
fn double() {
    operations::<DoubleMachine>(4);
    comparisons::<DoubleMachine>(6);
}
