//! Queries about floating point, as the C front end and the engines would ask them.

use super::families::{assert, check, named, var};
use trellis_ivl::{Term, TermPool};
use trellis_ivl_float::{Floats, Format, Rounding};
use trellis_solver_api::smt::SmtSession;

const NEAREST: Rounding = Rounding::NearestEven;

/// A constant of the format.
fn number(p: &mut TermPool, format: Format, value: f64) -> Term {
    let bits = p.num(64, value.to_bits());
    Floats::new(p).convert(Format::DOUBLE, format, NEAREST, bits)
}

/// A variable between two numbers, which are included.
fn between(
    s: &mut dyn SmtSession,
    p: &mut TermPool,
    format: Format,
    name: String,
    low: f64,
    high: f64,
) -> Term {
    let x = var(p, name, format.width());
    let (low, high) = (number(p, format, low), number(p, format, high));
    for (a, b) in [(low, x), (x, high)] {
        let ordered = Floats::new(p).le(format, a, b);
        assert(s, p, ordered);
    }
    x
}

/// Asks whether `a <= b` can be false.
fn can_exceed(s: &mut dyn SmtSession, p: &mut TermPool, format: Format, a: Term, b: Term) {
    let fine = Floats::new(p).le(format, a, b);
    let bad = p.not(fine);
    check(s, p, &[bad]);
}

/// `x + 1 > x` up to growing bounds: true up to 2^24.
pub fn increment(s: &mut dyn SmtSession) {
    let mut p = TermPool::new();
    let t = Format::SINGLE;
    let x = var(&mut p, "x".into(), t.width());
    let (zero, one) = (number(&mut p, t, 0.0), number(&mut p, t, 1.0));
    let positive = Floats::new(&mut p).le(t, zero, x);
    assert(s, &p, positive);
    let next = Floats::new(&mut p).add(t, NEAREST, x, one);
    let grows = Floats::new(&mut p).lt(t, x, next);
    let bad = p.not(grows);
    for k in (4..=28).step_by(4) {
        let bound = number(&mut p, t, f64::powi(2.0, k));
        let small = Floats::new(&mut p).lt(t, x, bound);
        check(s, &p, &[small, bad]);
    }
}

/// Addition of doubles is associative on integers, and not on numbers between 1 and 2.
pub fn associativity(s: &mut dyn SmtSession) {
    let mut p = TermPool::new();
    let t = Format::DOUBLE;
    let differs = |s: &mut dyn SmtSession, p: &mut TermPool, [a, b, c]: [Term; 3]| {
        let mut f = Floats::new(p);
        let (ab, bc) = (f.add(t, NEAREST, a, b), f.add(t, NEAREST, b, c));
        let (left, right) = (f.add(t, NEAREST, ab, c), f.add(t, NEAREST, a, bc));
        let same = f.eq(t, left, right);
        let bad = p.not(same);
        check(s, p, &[bad]);
    };
    for bits in [3, 5] {
        let integers = [0, 1, 2].map(|i| {
            let x = var(&mut p, format!("i{bits}-{i}"), bits);
            Floats::new(&mut p).from_signed(t, NEAREST, x)
        });
        differs(s, &mut p, integers);
    }
    let numbers = [0, 1, 2].map(|i| between(s, &mut p, t, format!("x{i}"), 1.0, 2.0));
    differs(s, &mut p, numbers);
}

/// A step of Newton's square root stays above and below what it should.
pub fn newton(s: &mut dyn SmtSession) {
    let mut p = TermPool::new();
    for (i, t) in [Format::HALF, Format::SINGLE].into_iter().enumerate() {
        let x = between(s, &mut p, t, format!("x{i}"), 1.0, 4.0);
        let guess = between(s, &mut p, t, format!("g{i}"), 1.0, 2.0);
        let half = number(&mut p, t, 0.5);
        let mut f = Floats::new(&mut p);
        let ratio = f.div(t, NEAREST, x, guess);
        let sum = f.add(t, NEAREST, guess, ratio);
        let next = f.mul(t, NEAREST, half, sum);
        let next = named(s, &mut p, format!("n{i}"), next);
        for bound in [3.0, 2.5, 2.0] {
            let bound = number(&mut p, t, bound);
            can_exceed(s, &mut p, t, next, bound);
        }
        let one = number(&mut p, t, 1.0);
        can_exceed(s, &mut p, t, one, next);
    }
}

/// `a + t * (b - a)`: not below `a`; above `b` by rounding, but not by much.
pub fn lerp(s: &mut dyn SmtSession) {
    let mut p = TermPool::new();
    for (i, t) in [Format::HALF, Format::SINGLE].into_iter().enumerate() {
        let name = |what: &str| format!("{what}{i}");
        let a = between(s, &mut p, t, name("a"), 0.0, 100.0);
        let b = between(s, &mut p, t, name("b"), 0.0, 100.0);
        let at = between(s, &mut p, t, name("t"), 0.0, 1.0);
        let ordered = Floats::new(&mut p).le(t, a, b);
        assert(s, &p, ordered);
        let mut f = Floats::new(&mut p);
        let range = f.sub(t, NEAREST, b, a);
        let part = f.mul(t, NEAREST, at, range);
        let result = f.add(t, NEAREST, a, part);
        let result = named(s, &mut p, name("r"), result);
        can_exceed(s, &mut p, t, a, result);
        can_exceed(s, &mut p, t, result, b);
        for bound in [200.0, 101.0] {
            let bound = number(&mut p, t, bound);
            can_exceed(s, &mut p, t, result, bound);
        }
    }
}

/// `mean += (x - mean) / n`, the inputs between 0 and 10.
pub fn running_mean(s: &mut dyn SmtSession, rounds: usize) {
    let mut p = TermPool::new();
    let t = Format::SINGLE;
    let mut mean = number(&mut p, t, 0.0);
    let (low, high) = (number(&mut p, t, -0.5), number(&mut p, t, 10.5));
    for n in 1..=rounds {
        let x = between(s, &mut p, t, format!("x{n}"), 0.0, 10.0);
        let count = number(&mut p, t, n as f64);
        let mut f = Floats::new(&mut p);
        let distance = f.sub(t, NEAREST, x, mean);
        let step = f.div(t, NEAREST, distance, count);
        let next = f.add(t, NEAREST, mean, step);
        mean = named(s, &mut p, format!("m{n}"), next);
        can_exceed(s, &mut p, t, mean, high);
        can_exceed(s, &mut p, t, low, mean);
    }
}

/// Weighted sums of numbers between -1 and 1.
pub fn weighted_sum(s: &mut dyn SmtSession) {
    let mut p = TermPool::new();
    let t = Format::SINGLE;
    let mut sum = number(&mut p, t, 0.0);
    let mut bound = 0.0;
    for (i, weight) in [0.5, 0.3, 0.15, 0.05].into_iter().enumerate() {
        let x = between(s, &mut p, t, format!("x{i}"), -1.0, 1.0);
        let factor = number(&mut p, t, weight);
        let mut f = Floats::new(&mut p);
        let part = f.mul(t, NEAREST, factor, x);
        let next = f.add(t, NEAREST, sum, part);
        sum = named(s, &mut p, format!("s{i}"), next);
        bound += weight;
        for slack in [0.001, -0.001] {
            let limit = number(&mut p, t, bound + slack);
            can_exceed(s, &mut p, t, sum, limit);
        }
    }
}

/// A filter of the first order: from within its bounds it stays within them.
pub fn filter(s: &mut dyn SmtSession, rounds: usize) {
    let mut p = TermPool::new();
    let t = Format::DOUBLE;
    let (old, new) = (number(&mut p, t, 0.9), number(&mut p, t, 0.1));
    let mut y = between(s, &mut p, t, "y0".into(), -1.0, 1.0);
    for k in 1..=rounds {
        let x = between(s, &mut p, t, format!("x{k}"), -1.0, 1.0);
        let mut f = Floats::new(&mut p);
        let (kept, added) = (f.mul(t, NEAREST, old, y), f.mul(t, NEAREST, new, x));
        let next = f.add(t, NEAREST, kept, added);
        y = named(s, &mut p, format!("y{k}"), next);
        for limit in [1.1, 0.5] {
            let limit = number(&mut p, t, limit);
            can_exceed(s, &mut p, t, y, limit);
        }
    }
}

/// Integers through floats and back, and floats through others.
pub fn round_trips(s: &mut dyn SmtSession) {
    let mut p = TermPool::new();
    for (t, width) in [
        (Format::DOUBLE, 32),
        (Format::SINGLE, 32),
        (Format::SINGLE, 24),
        (Format::DOUBLE, 64),
        (Format::X87, 64),
    ] {
        let x = var(&mut p, format!("i{width}-{}", t.width()), width);
        let mut f = Floats::new(&mut p);
        let there = f.from_signed(t, NEAREST, x);
        let (back, fits) = f.to_signed(t, Rounding::TowardZero, there, width);
        let same = p.eq(back, x);
        let fine = p.and(same, fits);
        let bad = p.not(fine);
        check(s, &p, &[bad]);
    }
    for (from, through) in [
        (Format::SINGLE, Format::DOUBLE),
        (Format::DOUBLE, Format::SINGLE),
        (Format::DOUBLE, Format::X87),
        (Format::DOUBLE, Format::QUAD),
    ] {
        let x = var(
            &mut p,
            format!("f{}-{}", from.width(), through.width()),
            from.width(),
        );
        let mut f = Floats::new(&mut p);
        let there = f.convert(from, through, NEAREST, x);
        let back = f.convert(through, from, NEAREST, there);
        let nan = f.is_nan(from, x);
        let same = p.eq(back, x);
        let fine = p.or(same, nan);
        let bad = p.not(fine);
        check(s, &p, &[bad]);
    }
}
