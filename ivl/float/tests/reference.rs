//! Terms of float operations, evaluated, against exact arithmetic: small formats exhaustively, the others at their edges and
//! at random. The large numbers of cases are run on gates, in `solvers/bitblast/tests/floats.rs`.

use num_bigint::{BigInt, BigUint};
use trellis_ivl::rng::Rng;
use trellis_ivl::{Bv, Evaluator, Term, TermPool, Type, Value, Var};
use trellis_ivl_float::testing::{self, Number, Operation, decode, edges};
use trellis_ivl_float::{Floats, Format, Mode, Rounding};

const FORMATS: [Format; 5] = [
    Format::HALF,
    Format::SINGLE,
    Format::DOUBLE,
    Format::X87,
    Format::QUAD,
];

/// Bits of the variables, by number; the last is the mode.
struct Bench {
    pool: TermPool,
    evaluator: Evaluator,
    vars: Vec<Var>,
    mode: Var,
}

impl Bench {
    fn new(widths: &[u32]) -> Bench {
        let mut pool = TermPool::new();
        let vars = widths
            .iter()
            .map(|&w| pool.fresh("x", Type::Bv(w)))
            .collect();
        let mode = pool.fresh("mode", Type::Bv(Rounding::WIDTH));
        Bench {
            pool,
            evaluator: Evaluator::new(),
            vars,
            mode,
        }
    }

    fn args(&mut self) -> Vec<Term> {
        let vars = self.vars.clone();
        vars.into_iter().map(|v| self.pool.var(v)).collect()
    }

    fn mode(&mut self) -> Mode {
        Mode::Term(self.pool.var(self.mode))
    }

    /// Operands and direction of what is evaluated next.
    fn value(&mut self, t: Term, args: &[BigUint], rounding: Rounding) -> Value {
        self.evaluator.new_round();
        let (pool, vars, mode) = (&self.pool, &self.vars, self.mode);
        self.evaluator.eval(pool, t, |v| {
            let place = vars.iter().position(|x| *x == v);
            let width = pool.var_ty(v).width().expect("a word");
            match place {
                Some(i) => Bv::from_biguint(width, args[i].clone()).into(),
                None if v == mode => Bv::new(width, rounding.number()).into(),
                None => unreachable!("no other variable"),
            }
        })
    }

    fn word(&mut self, t: Term, args: &[BigUint], rounding: Rounding) -> BigUint {
        let value = self.value(t, args, rounding);
        value.as_bv().expect("a word").to_biguint()
    }

    fn holds(&mut self, t: Term, args: &[BigUint], rounding: Rounding) -> bool {
        self.value(t, args, rounding).as_bool().expect("a boolean")
    }
}

/// Random operands.
struct Random(Rng);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    fn bits(&mut self, width: u32) -> BigUint {
        let words: Vec<u32> = (0..width.div_ceil(32))
            .map(|_| self.0.bits() as u32)
            .collect();
        BigUint::new(words) & ((BigUint::from(1u8) << width) - 1u8)
    }

    fn rounding(&mut self) -> Rounding {
        Rounding::ALL[self.below(5)]
    }

    /// Half of the operands from the edges, sometimes near each other.
    fn operands(&mut self, format: Format, edges: &[BigUint], count: usize) -> Vec<BigUint> {
        let mut operands: Vec<BigUint> = (0..count)
            .map(|_| match self.below(2) {
                0 => edges[self.below(edges.len())].clone(),
                _ => self.bits(format.width()),
            })
            .collect();
        if count > 1 && self.below(4) == 0 {
            let flipped = self.below(format.width() as usize) as u64;
            operands[1] = operands[0].clone();
            let bit = !operands[1].bit(flipped);
            operands[1].set_bit(flipped, bit);
            if self.below(2) == 0 {
                let sign = u64::from(format.width() - 1);
                let bit = !operands[1].bit(sign);
                operands[1].set_bit(sign, bit);
            }
        }
        operands
    }
}

fn agree(format: Format, op: Operation, rounding: Rounding, args: &[BigUint], got: &BigUint) {
    let expected = op.reference(format, rounding, args);
    assert!(
        *got == expected,
        "{op:?} {rounding:?} of {args:x?} in {format:?} is {got:x}, not {expected:x}: {:?}",
        args.iter().map(|x| decode(format, x)).collect::<Vec<_>>()
    );
}

#[test]
fn small_formats_exhaustively() {
    for (format, longest) in [
        (Format::ieee(2, 1), 3),
        (Format::ieee(2, 2), 2),
        (Format::ieee(3, 2), 1),
    ] {
        for op in Operation::ALL {
            if op.arity() > longest {
                continue;
            }
            let mut bench = Bench::new(&vec![format.width(); op.arity()]);
            let (args, mode) = (bench.args(), bench.mode());
            let symbolic = op.term(&mut Floats::new(&mut bench.pool), format, mode, &args);
            for rounding in Rounding::ALL {
                let mode = rounding.into();
                let fixed = op.term(&mut Floats::new(&mut bench.pool), format, mode, &args);
                for case in 0..1u32 << (format.width() * op.arity() as u32) {
                    let mask = (1 << format.width()) - 1;
                    let place = |i: usize| case >> (format.width() * i as u32) & mask;
                    let values: Vec<BigUint> =
                        (0..op.arity()).map(|i| BigUint::from(place(i))).collect();
                    let got = bench.word(fixed, &values, rounding);
                    agree(format, op, rounding, &values, &got);
                    assert_eq!(got, bench.word(symbolic, &values, rounding), "{op:?}");
                }
            }
        }
    }
}

#[test]
fn formats_of_machines_at_their_edges_and_at_random() {
    let mut rng = Random(Rng::new(1));
    for format in FORMATS {
        let edges = edges(format);
        for op in Operation::ALL {
            let mut bench = Bench::new(&vec![format.width(); op.arity()]);
            let (args, mode) = (bench.args(), bench.mode());
            let term = op.term(&mut Floats::new(&mut bench.pool), format, mode, &args);
            for _ in 0..1000 {
                let values = rng.operands(format, &edges, op.arity());
                let rounding = rng.rounding();
                let got = bench.word(term, &values, rounding);
                agree(format, op, rounding, &values, &got);
            }
        }
    }
}

#[test]
fn conversions_between_formats() {
    let mut rng = Random(Rng::new(2));
    let toys = [
        Format::ieee(2, 3),
        Format::ieee(4, 3),
        Format::ieee(5, 2),
        Format::ieee(8, 7),
    ];
    let formats: Vec<Format> = FORMATS.into_iter().chain(toys).collect();
    for &from in &formats {
        let edges = edges(from);
        for &to in formats.iter().filter(|&&to| to != from) {
            let mut bench = Bench::new(&[from.width()]);
            let (args, mode) = (bench.args(), bench.mode());
            let term = Floats::new(&mut bench.pool).convert(from, to, mode, args[0]);
            for case in 0..300 {
                let x = match case % 2 {
                    0 => edges[rng.below(edges.len())].clone(),
                    _ => rng.bits(from.width()),
                };
                let rounding = rng.rounding();
                let expected = testing::convert(from, to, rounding, &x);
                let got = bench.word(term, std::slice::from_ref(&x), rounding);
                assert_eq!(got, expected, "{x:x} {from:?} {to:?} {rounding:?}");
            }
        }
    }
}

#[test]
fn conversions_from_and_to_integers() {
    let mut rng = Random(Rng::new(3));
    let toys = [Format::ieee(2, 3), Format::ieee(4, 3)];
    for format in FORMATS.into_iter().chain(toys) {
        for width in [1, 7, 8, 16, 32, 33, 64, 128] {
            let mut bench = Bench::new(&[width, format.width()]);
            let (args, mode) = (bench.args(), bench.mode());
            let mut floats = Floats::new(&mut bench.pool);
            let unsigned = floats.from_unsigned(format, mode, args[0]);
            let signed = floats.from_signed(format, mode, args[0]);
            let (to_unsigned, fits_unsigned) = floats.to_unsigned(format, mode, args[1], width);
            let (to_signed, fits_signed) = floats.to_signed(format, mode, args[1], width);
            let modulus = BigInt::from(1) << width;
            let half: BigInt = &modulus >> 1;
            let edges = edges(format);
            for case in 0..400 {
                let integer = rng.bits(width) >> rng.below(width as usize);
                let rounding = rng.rounding();
                // Near integers every third time.
                let x = match case % 3 {
                    0 => rng.bits(format.width()),
                    1 => edges[rng.below(edges.len())].clone(),
                    _ => {
                        let near = testing::from_integer(
                            format,
                            rounding,
                            &BigInt::from(rng.bits(width + 1)),
                        );
                        near ^ BigUint::from(rng.below(4))
                    }
                };
                let values = [integer.clone(), x.clone()];
                let as_unsigned = BigInt::from(integer);
                let as_signed = if as_unsigned >= half {
                    &as_unsigned - &modulus
                } else {
                    as_unsigned.clone()
                };
                for (term, integer) in [(unsigned, &as_unsigned), (signed, &as_signed)] {
                    let expected = testing::from_integer(format, rounding, integer);
                    let got = bench.word(term, &values, rounding);
                    assert_eq!(got, expected, "{integer} to {format:?} {rounding:?}");
                }
                let exact = testing::to_integer(format, rounding, &x);
                let ranges = [
                    (to_unsigned, fits_unsigned, BigInt::ZERO),
                    (to_signed, fits_signed, -&half),
                ];
                for (term, fits, lowest) in ranges {
                    let inside = exact
                        .as_ref()
                        .filter(|&n| *n >= lowest && *n < &lowest + &modulus);
                    let what = format!("{x:x} {format:?} {rounding:?} to {width} bits: {exact:?}");
                    assert_eq!(
                        bench.holds(fits, &values, rounding),
                        inside.is_some(),
                        "{what}"
                    );
                    if let Some(n) = inside {
                        let n = Bv::from_bigint(width, n).to_biguint();
                        assert_eq!(bench.word(term, &values, rounding), n, "{what}");
                    }
                }
            }
        }
    }
}

#[test]
fn comparisons_and_classes() {
    let mut rng = Random(Rng::new(4));
    for format in FORMATS.into_iter().chain([Format::ieee(3, 2)]) {
        let edges = edges(format);
        let mut bench = Bench::new(&[format.width(), format.width()]);
        let args = bench.args();
        let (a, b) = (args[0], args[1]);
        let mut floats = Floats::new(&mut bench.pool);
        let relations = [
            floats.eq(format, a, b),
            floats.lt(format, a, b),
            floats.le(format, a, b),
            floats.unordered(format, a, b),
        ];
        let keys = [floats.order_key(format, a), floats.order_key(format, b)];
        let classes = [
            floats.is_nan(format, a),
            floats.is_infinite(format, a),
            floats.is_zero(format, a),
            floats.is_subnormal(format, a),
            floats.is_normal(format, a),
            floats.is_finite(format, a),
            floats.is_negative(format, a),
        ];
        let signs = [
            floats.neg(format, a),
            floats.abs(format, a),
            floats.copysign(format, a, b),
        ];
        let sign = BigUint::from(1u8) << (format.width() - 1);
        let nearest = Rounding::NearestEven;
        for _ in 0..4000 {
            let values = rng.operands(format, &edges, 2);
            let (x, y) = (decode(format, &values[0]), decode(format, &values[1]));
            let order = x.compare(&y);
            let got = relations.map(|t| bench.holds(t, &values, nearest));
            let expected = [
                order.is_some_and(|o| o.is_eq()),
                order.is_some_and(|o| o.is_lt()),
                order.is_some_and(|o| o.is_le()),
                order.is_none(),
            ];
            assert_eq!(got, expected, "{values:x?} {format:?}");
            let [k, l] = keys.map(|t| bench.word(t, &values, nearest));
            if let Some(order) = order {
                assert_eq!(k.cmp(&l), order, "{values:x?} {format:?}");
            }
            let got = classes.map(|t| bench.holds(t, &values, nearest));
            let smallest = u64::from(format.precision());
            let lowest = format.min_exponent() - i64::from(format.fraction_bits());
            let (zero, subnormal, finite) = match &x {
                Number::Finite {
                    significand,
                    exponent,
                    ..
                } => {
                    let zero = *significand == BigUint::ZERO;
                    let low = *exponent == lowest && significand.bits() < smallest;
                    (zero, low && !zero, true)
                }
                _ => (false, false, false),
            };
            let expected = [
                x == Number::Nan,
                matches!(x, Number::Infinite { .. }),
                zero,
                subnormal,
                finite && !zero && !subnormal,
                finite,
                &values[0] & &sign != BigUint::ZERO,
            ];
            assert_eq!(got, expected, "{values:x?} {format:?}");
            let got = signs.map(|t| bench.word(t, &values, nearest));
            let without: Vec<BigUint> = values.iter().map(|v| v & (&sign - 1u8)).collect();
            let expected = [
                &values[0] ^ &sign,
                without[0].clone(),
                &without[0] | (&values[1] & &sign),
            ];
            assert_eq!(got, expected, "{values:x?} {format:?}");
        }
    }
}

#[test]
fn constants_fold() {
    let mut pool = TermPool::new();
    let (x, y) = (
        pool.num(64, 0.1f64.to_bits()),
        pool.num(64, 0.2f64.to_bits()),
    );
    let mut floats = Floats::new(&mut pool);
    let nearest = Rounding::NearestEven;
    let sum = floats.add(Format::DOUBLE, nearest, x, y);
    let ratio = floats.div(Format::DOUBLE, nearest, x, y);
    let root = floats.sqrt(Format::DOUBLE, nearest, y);
    let less = floats.lt(Format::DOUBLE, x, y);
    let numbers = [(sum, 0.1 + 0.2), (ratio, 0.1 / 0.2), (root, 0.2f64.sqrt())];
    for (term, value) in numbers {
        assert_eq!(pool.as_bv(term), Some(Bv::new(64, f64::to_bits(value))));
    }
    assert_eq!(pool.as_bool(less), Some(true));
}
