//! Operations are recognised in the terms that they become, over variables and over constants, also when a pool has its nodes in another order.

use trellis_ivl::{Bv, Term, TermPool, Type};
use trellis_ivl_float::recognise::{Application, Operand, Operation, Recogniser, apply};
use trellis_ivl_float::shape::{Atom, atom};
use trellis_ivl_float::terms::{FloatTerms, key, pattern};
use trellis_ivl_float::{Floats, Format, Rounding};

const FORMATS: [Format; 3] = [Format::HALF, Format::SINGLE, Format::DOUBLE];

fn var(pool: &mut TermPool, name: &str, width: u32) -> Term {
    let v = pool.fresh(name, Type::Bv(width));
    pool.var(v)
}

/// A number of a format.
fn number(pool: &mut TermPool, format: Format, value: f64) -> Term {
    let bits = pool.num(64, value.to_bits());
    Floats::new(pool).convert(Format::DOUBLE, format, Rounding::NearestEven, bits)
}

fn recognised(pool: &TermPool, t: Term) -> Option<Application> {
    let mut recogniser = Recogniser::default();
    let mut last = None;
    for u in pool.post_order([t]) {
        last = recogniser.recognise(pool, u);
    }
    last
}

/// Whether recognising the operation gives it back, or at least one that makes the same term.
fn comes_back(pool: &mut TermPool, operation: Operation, format: Format, args: &[Term]) {
    let t = apply(pool, operation, format, args);
    let found = recognised(pool, t).unwrap_or_else(|| panic!("{operation:?} of {format:?}"));
    assert_eq!(made(pool, &found), t);
}

/// The term of an application.
fn made(pool: &mut TermPool, a: &Application) -> Term {
    let operands: Vec<Term> = a
        .operands
        .iter()
        .map(|o| match o {
            Operand::Term(t) => *t,
            Operand::Constant(c) => pool.bv(c.clone()),
            Operand::Result(a) => made(pool, a),
        })
        .collect();
    apply(pool, a.operation, a.format, &operands)
}

#[test]
fn every_operation_is_found() {
    for format in FORMATS {
        let mut pool = TermPool::new();
        let w = format.width();
        // The second variable is older in the pool than the first.
        let b = var(&mut pool, "b", w);
        let a = var(&mut pool, "a", w);
        let tenth = number(&mut pool, format, 0.1);
        let minus_seven = number(&mut pool, format, -7.0);
        let half = number(&mut pool, format, 0.5);
        use Operation::*;
        for operation in [Add, Sub, Mul, Div] {
            comes_back(&mut pool, operation, format, &[a, b]);
            comes_back(&mut pool, operation, format, &[b, a]);
            for c in [tenth, minus_seven, half] {
                comes_back(&mut pool, operation, format, &[a, c]);
                comes_back(&mut pool, operation, format, &[c, a]);
            }
            // Results as operands, one of which is never a NaN.
            let sum = apply(&mut pool, Add, format, &[a, b]);
            let integer = var(&mut pool, "i", 32);
            let converted = apply(&mut pool, FromSigned, format, &[integer]);
            comes_back(&mut pool, operation, format, &[sum, a]);
            comes_back(&mut pool, operation, format, &[converted, a]);
        }
        comes_back(&mut pool, Mul, format, &[a, a]);
        comes_back(&mut pool, Sqrt, format, &[a]);
        comes_back(&mut pool, Neg, format, &[a]);
        comes_back(&mut pool, Abs, format, &[a]);
        for to in Rounding::ALL {
            comes_back(&mut pool, Integral(to), format, &[a]);
        }
        for width in [8, 32, 64] {
            let i = var(&mut pool, "i", width);
            comes_back(&mut pool, FromSigned, format, &[i]);
            comes_back(&mut pool, FromUnsigned, format, &[i]);
        }
        for from in FORMATS.into_iter().filter(|&f| f != format) {
            let x = var(&mut pool, "x", from.width());
            comes_back(&mut pool, Convert(from), format, &[x]);
        }
    }
}

#[test]
fn what_only_looks_alike_is_nothing() {
    let mut pool = TermPool::new();
    let format = Format::SINGLE;
    let [a, b] = ["a", "b"].map(|n| var(&mut pool, n, 32));
    let sum = apply(&mut pool, Operation::Add, format, &[a, b]);
    let (c, nan, number) = (pool.arg(sum, 0), pool.arg(sum, 1), pool.arg(sum, 2));
    let one = pool.num(32, 1);
    let off = pool.bvadd(number, one);
    let wrong = pool.ite(c, nan, off);
    assert_eq!(recognised(&pool, wrong), None);
    let other_direction = Floats::new(&mut pool).add(format, Rounding::Upward, a, b);
    assert_eq!(recognised(&pool, other_direction), None);
}

#[test]
fn atoms_of_comparisons() {
    let mut pool = TermPool::new();
    let format = Format::DOUBLE;
    let [a, b] = ["a", "b"].map(|n| var(&mut pool, n, 64));
    let less = Floats::new(&mut pool).lt(format, a, b);
    let atoms: Vec<Atom> = pool
        .post_order([less])
        .into_iter()
        .filter_map(|t| atom(&pool, t).map(|(_, atom)| atom))
        .collect();
    for expected in [Atom::Nan(a), Atom::Nan(b), Atom::Less(a, b)] {
        assert!(atoms.contains(&expected), "{expected:?}: {atoms:?}");
    }
}

#[test]
fn variables_and_constants() {
    let mut pool = TermPool::new();
    let format = Format::SINGLE;
    let names = ["x", "y", "n"].map(|n| pool.fresh(n, Type::Bv(32)));
    let [x, y, n] = names.map(|v| pool.var(v));
    let ten = number(&mut pool, format, 10.0);
    let guard = Floats::new(&mut pool).lt(format, x, ten);
    let one = pool.num(32, 1);
    let next = pool.bvadd(n, one);
    let values = [(names[1], x), (names[2], next), (names[0], y)];
    let terms = FloatTerms::read(&pool, &[guard], &values, true);
    assert_eq!(terms.variables.len(), 2, "{terms:?}");
    let place = key(format, &Bv::new(32, u64::from(10f32.to_bits())));
    assert!(
        terms.constants.iter().any(|(f, c)| key(*f, c) == place),
        "{terms:?}"
    );
}

#[test]
fn places_are_ordered() {
    for x in [-2.5f32, -0.0, 0.0, 1e-40, 3.5, f32::INFINITY] {
        for y in [-2.5f32, -0.0, 0.0, 1e-40, 3.5, f32::INFINITY] {
            let place = |v: f32| key(Format::SINGLE, &Bv::new(32, v.to_bits().into()));
            assert_eq!(place(x) < place(y), x < y);
        }
        let bits = Bv::new(32, x.to_bits().into());
        let back = pattern(
            Format::SINGLE,
            key(Format::SINGLE, &bits).expect("a number"),
        );
        assert!(back == bits || x == 0.0);
    }
    assert_eq!(
        key(Format::SINGLE, &Bv::new(32, f32::NAN.to_bits().into())),
        None
    );
}
