//! Every operation at widths 1 to 5 on every pair of operands against integer arithmetic, with both
//! operands symbolic, with each operand constant, and with sign-extended operands.

use super::*;
use crate::aig::Gate;

type Circuit = fn(&mut Aig, &[AigLit], &[AigLit]) -> Word;
type Meaning = fn(u32, i64, i64) -> i64;

fn signed(width: u32, x: i64) -> i64 {
    (x << (64 - width)) >> (64 - width)
}

fn in_range(width: u32, x: i64) -> bool {
    signed(width, x) == x
}

fn both(width: u32, a: i64, b: i64) -> (i64, i64) {
    (signed(width, a), signed(width, b))
}

/// Operands are unsigned numbers below `2^width`; results count modulo `2^width`.
const OPERATIONS: &[(&str, Circuit, Meaning)] = &[
    ("add", add, |_, a, b| a + b),
    ("sub", sub, |_, a, b| a - b),
    ("neg", |g, a, _| neg(g, a), |_, a, _| -a),
    ("mul", mul, |_, a, b| a * b),
    (
        "udiv",
        |g, a, b| udivrem(g, a, b).0,
        |_, a, b| if b == 0 { -1 } else { a / b },
    ),
    (
        "urem",
        |g, a, b| udivrem(g, a, b).1,
        |_, a, b| if b == 0 { a } else { a % b },
    ),
    ("sdiv", sdiv, |w, a, b| match both(w, a, b) {
        (a, 0) => {
            if a < 0 {
                1
            } else {
                -1
            }
        }
        (a, b) => a / b,
    }),
    ("srem", srem, |w, a, b| match both(w, a, b) {
        (a, 0) => a,
        (a, b) => a % b,
    }),
    ("smod", smod, |w, a, b| match both(w, a, b) {
        (a, 0) => a,
        (a, b) => (a % b + b) % b,
    }),
    (
        "shl",
        shl,
        |w, a, b| if b < i64::from(w) { a << b } else { 0 },
    ),
    (
        "lshr",
        lshr,
        |w, a, b| if b < i64::from(w) { a >> b } else { 0 },
    ),
    ("ashr", ashr, |w, a, b| signed(w, a) >> b.min(63)),
    (
        "eq",
        |g, a, b| vec![eq(g, a, b)],
        |_, a, b| i64::from(a == b),
    ),
    (
        "ult",
        |g, a, b| vec![ult(g, a, b)],
        |_, a, b| i64::from(a < b),
    ),
    (
        "slt",
        |g, a, b| vec![slt(g, a, b)],
        |w, a, b| i64::from(signed(w, a) < signed(w, b)),
    ),
    (
        "uaddo",
        |g, a, b| vec![uaddo(g, a, b)],
        |w, a, b| i64::from(a + b >= 1 << w),
    ),
    (
        "usubo",
        |g, a, b| vec![usubo(g, a, b)],
        |_, a, b| i64::from(a < b),
    ),
    (
        "umulo",
        |g, a, b| vec![umulo(g, a, b)],
        |w, a, b| i64::from(a * b >= 1 << w),
    ),
    (
        "saddo",
        |g, a, b| vec![saddo(g, a, b)],
        |w, a, b| i64::from(!in_range(w, signed(w, a) + signed(w, b))),
    ),
    (
        "ssubo",
        |g, a, b| vec![ssubo(g, a, b)],
        |w, a, b| i64::from(!in_range(w, signed(w, a) - signed(w, b))),
    ),
    (
        "smulo",
        |g, a, b| vec![smulo(g, a, b)],
        |w, a, b| i64::from(!in_range(w, signed(w, a) * signed(w, b))),
    ),
    ("and", |g, a, b| bitwise(g, a, b, Aig::and), |_, a, b| a & b),
    (
        "ite",
        |g, a, b| ite(g, a[0], a, b),
        |_, a, b| if a & 1 == 1 { a } else { b },
    ),
];

/// Values of all gates when input gate `i` (from 1) has bit `i - 1` of `inputs`.
fn simulate(g: &Aig, inputs: u64) -> Vec<bool> {
    let mut values: Vec<bool> = Vec::with_capacity(g.len());
    for node in 0..g.len() as u32 {
        let of = |lit: AigLit| values[lit.node() as usize] != lit.is_inverted();
        let value = match g.gate(node) {
            Gate::False => false,
            Gate::Input => inputs >> (node - 1) & 1 == 1,
            Gate::And(a, b) => of(a) && of(b),
            Gate::Xor(a, b) => of(a) != of(b),
            Gate::Xor3(a, b, c) => of(a) ^ of(b) ^ of(c),
            Gate::Maj(a, b, c) => u8::from(of(a)) + u8::from(of(b)) + u8::from(of(c)) >= 2,
            Gate::Ite(c, t, e) => {
                if of(c) {
                    of(t)
                } else {
                    of(e)
                }
            }
        };
        values.push(value);
    }
    values
}

fn read(values: &[bool], word: &[AigLit]) -> i64 {
    word.iter().rev().fold(0, |n, lit| {
        2 * n + i64::from(values[lit.node() as usize] != lit.is_inverted())
    })
}

fn constant(width: usize, value: usize) -> Word {
    (0..width)
        .map(|i| AigLit::constant(value >> i & 1 == 1))
        .collect()
}

/// Compares on every assignment to the `inputs` first gates.
fn check(
    name: &str,
    g: &Aig,
    inputs: usize,
    a: &[AigLit],
    b: &[AigLit],
    out: &[AigLit],
    m: Meaning,
) {
    for assignment in 0..1u64 << inputs {
        let values = simulate(g, assignment);
        let (x, y) = (read(&values, a), read(&values, b));
        let expected = m(a.len() as u32, x, y) & ((1 << out.len()) - 1);
        assert_eq!(
            read(&values, out),
            expected,
            "{name} at width {}: {x}, {y}",
            a.len()
        );
    }
}

#[test]
fn symbolic_operands() {
    for &(name, circuit, meaning) in OPERATIONS {
        for width in 1..=5 {
            let mut g = Aig::default();
            let a: Word = (0..width).map(|_| g.input()).collect();
            let b: Word = (0..width).map(|_| g.input()).collect();
            let out = circuit(&mut g, &a, &b);
            check(name, &g, 2 * width, &a, &b, &out, meaning);
            let twice = circuit(&mut g, &a, &a);
            check(name, &g, 2 * width, &a, &a, &twice, meaning);
        }
    }
}

#[test]
fn constant_operands() {
    for &(name, circuit, meaning) in OPERATIONS {
        for width in 1..=5usize {
            for value in 0..1usize << width {
                let mut g = Aig::default();
                let a: Word = (0..width).map(|_| g.input()).collect();
                let k = constant(width, value);
                let right = circuit(&mut g, &a, &k);
                check(name, &g, width, &a, &k, &right, meaning);
                let left = circuit(&mut g, &k, &a);
                check(name, &g, width, &k, &a, &left, meaning);
            }
        }
    }
}

#[test]
fn extended_operands() {
    for &(name, circuit, meaning) in OPERATIONS {
        for width in 2..=5 {
            for (narrow_a, narrow_b) in [(width - 1, width), (1, width - 1), (width, width - 1)] {
                for fill in [None, Some(AigLit::FALSE)] {
                    let mut g = Aig::default();
                    let mut word = |narrow: usize| {
                        let mut bits: Word = (0..narrow).map(|_| g.input()).collect();
                        bits.resize(width, fill.unwrap_or(bits[narrow - 1]));
                        bits
                    };
                    let (a, b) = (word(narrow_a), word(narrow_b));
                    let out = circuit(&mut g, &a, &b);
                    check(name, &g, narrow_a + narrow_b, &a, &b, &out, meaning);
                }
            }
        }
    }
}

/// Gates per operation stay within the budget that keeps a thousand 64-bit products below 1 GB.
#[test]
fn sizes() {
    let gates = |circuit: Circuit, width: usize| {
        let mut g = Aig::default();
        let a: Word = (0..width).map(|_| g.input()).collect();
        let b: Word = (0..width).map(|_| g.input()).collect();
        let before = g.len();
        circuit(&mut g, &a, &b);
        g.len() - before
    };
    assert_eq!(gates(add, 32), 63);
    assert_eq!(gates(|g, a, b| vec![ult(g, a, b)], 32), 32);
    assert!(gates(mul, 64) < 6_200, "{}", gates(mul, 64));
    assert!(gates(sdiv, 64) < 7_000, "{}", gates(sdiv, 64));
    assert!(gates(shl, 64) < 520, "{}", gates(shl, 64));
}

/// Memory before any solving, measured on a fifth: a thousand 64-bit products below 1 GB, a hundred
/// thousand 32-bit sums with comparisons below 500 MB. The clause encoder adds four bytes per gate.
#[test]
fn memory() {
    let bytes = |g: &Aig| g.bytes() + 4 * g.len();
    let mut g = Aig::default();
    for _ in 0..200 {
        let a: Word = (0..64).map(|_| g.input()).collect();
        let b: Word = (0..64).map(|_| g.input()).collect();
        mul(&mut g, &a, &b);
    }
    assert!(5 * bytes(&g) < 1_000_000_000, "{}", bytes(&g));
    let mut g = Aig::default();
    let mut x: Word = (0..32).map(|_| g.input()).collect();
    for _ in 0..20_000 {
        let step: Word = (0..32).map(|_| g.input()).collect();
        let next = add(&mut g, &x, &step);
        ult(&mut g, &next, &x);
        x = next;
    }
    assert!(5 * bytes(&g) < 500_000_000, "{}", bytes(&g));
}
