//! Families of incremental queries, as engines ask them.

use super::floats;
use trellis_ivl::{Term, TermPool, Type};
use trellis_solver_api::Answer;
use trellis_solver_api::smt::SmtSession;
use trellis_solver_api::testing::Rng;

/// A family: its name, what it is like, and what it does to a session.
pub type Family = (&'static str, &'static str, fn(&mut dyn SmtSession));

/// Every family.
pub const FAMILIES: [Family; 18] = [
    (
        "multiply-add",
        "x = x * m + c + input, m symbolic; 30 unrollings, can x be a given number?",
        |s| multiply_add(s, true, 30),
    ),
    (
        "multiply-add-varied",
        "the same with random constants in 16, 24 and 32 bits, and a second product; 15 unrollings each",
        |s| multiply_add_varied(s, 15),
    ),
    (
        "multiply-add-constant",
        "the same with a constant m and three inputs; 10 unrollings, it cannot",
        |s| multiply_add(s, false, 10),
    ),
    (
        "multiply-odd",
        "products of odd numbers stay odd; 200 unrollings",
        |s| odd_products(s, 200),
    ),
    (
        "multiply-lockstep",
        "two ways to compute x * (i + 1) agree; 6 unrollings",
        |s| lockstep(s, 6),
    ),
    (
        "ic3-words",
        "relative induction of 20,000 random cubes, words of 16 bits, cores and models read",
        |s| small_queries(s, 20_000),
    ),
    (
        "ic3-counters",
        "the same on eight counters of 32 bits, 5,000 cubes, frames asserted by level",
        |s| counter_queries(s, 5_000),
    ),
    (
        "array-writes",
        "memory written at symbolic addresses; 200 unrollings, two queries each",
        |s| array_writes(s, 200),
    ),
    (
        "array-reversal",
        "a window of memory reversed twice, 1 to 24 elements, is what it was",
        |s| array_reversal(s, 24),
    ),
    (
        "array-sort",
        "bubble sort in memory, 2 to 5 elements: sorted, and a wrong claim",
        |s| array_sort(s, 5),
    ),
    (
        "float-increment",
        "x + 1 > x in single, x below 2^4 to 2^28",
        floats::increment,
    ),
    (
        "float-associativity",
        "(a + b) + c = a + (b + c) in double, on integers and between 1 and 2",
        floats::associativity,
    ),
    (
        "float-newton",
        "bounds of a step of Newton's square root, in half and single",
        floats::newton,
    ),
    (
        "float-lerp",
        "bounds of a + t * (b - a), in half and single",
        floats::lerp,
    ),
    (
        "float-mean",
        "bounds of a running mean in single; 3 inputs",
        |s| floats::running_mean(s, 3),
    ),
    (
        "float-sum",
        "bounds of a weighted sum in single; 4 products",
        floats::weighted_sum,
    ),
    (
        "float-filter",
        "bounds of 0.9 * y + 0.1 * x in double; 2 steps",
        |s| floats::filter(s, 2),
    ),
    (
        "float-round-trips",
        "integers through floats and back, floats through other formats and back",
        floats::round_trips,
    ),
];

pub(super) fn var(pool: &mut TermPool, name: String, width: u32) -> Term {
    let v = pool.fresh(name, Type::Bv(width));
    pool.var(v)
}

fn words(pool: &mut TermPool, name: &str, count: usize, width: u32) -> Vec<Term> {
    (0..count)
        .map(|i| var(pool, format!("{name}{i}"), width))
        .collect()
}

pub(super) fn assert(s: &mut dyn SmtSession, pool: &TermPool, t: Term) {
    s.assert(pool, t).expect("a boolean term");
}

pub(super) fn check(s: &mut dyn SmtSession, pool: &TermPool, assumptions: &[Term]) -> Answer {
    s.check(pool, assumptions).expect("no failure")
}

/// A fresh variable that is asserted to be `value`: engines name the state after each step.
pub(super) fn named(s: &mut dyn SmtSession, p: &mut TermPool, name: String, value: Term) -> Term {
    let v = p.fresh(name, p.ty(value));
    let next = p.var(v);
    let step = p.eq(next, value);
    assert(s, p, step);
    next
}

/// The least significant bit of a word is one.
fn is_odd(p: &mut TermPool, x: Term) -> Term {
    let low = p.extract(0, 0, x);
    p.bv_to_bool(low)
}

fn multiply_add(s: &mut dyn SmtSession, multiplier_is_symbolic: bool, rounds: usize) {
    let mut p = TermPool::new();
    let mut x = var(&mut p, "x0".into(), 32);
    let m = if multiplier_is_symbolic {
        var(&mut p, "m".into(), 32)
    } else {
        p.num(32, 1_664_525)
    };
    let c = p.num(32, 1_013_904_223);
    let three = p.num(32, 3);
    let start = p.num(32, 1);
    let init = p.eq(x, start);
    assert(s, &p, init);
    for k in 1..=rounds {
        let input = var(&mut p, format!("i{k}"), 32);
        let small = p.bvult(input, three);
        assert(s, &p, small);
        let product = p.bvmul(x, m);
        let sum = p.bvadd(product, c);
        let sum = p.bvadd(sum, input);
        x = named(s, &mut p, format!("x{k}"), sum);
        let target = p.num(32, 0xdead_beef ^ k as u64);
        let bad = p.eq(x, target);
        check(s, &p, &[bad]);
    }
}

/// Several loops one after the other, the numbers asked for on levels of their own.
fn multiply_add_varied(s: &mut dyn SmtSession, rounds: usize) {
    let mut p = TermPool::new();
    let mut rng = Rng::new(3);
    for (number, width) in [16, 24, 32].into_iter().enumerate() {
        let name = |what: &str, k: usize| format!("{what}{number}-{k}");
        let [m, n] = ["m", "n"].map(|what| var(&mut p, name(what, 0), width));
        let [mut x, c] = [(); 2].map(|()| p.num(width, rng.bits()));
        let limit = p.num(width, 1 + rng.below(1000) as u64);
        for k in 1..=rounds {
            let input = var(&mut p, name("i", k), width);
            let small = p.bvult(input, limit);
            assert(s, &p, small);
            let (product, second) = (p.bvmul(x, m), p.bvmul(input, n));
            let sum = p.bvadd(product, c);
            let sum = p.bvadd(sum, if k % 2 == 0 { second } else { input });
            x = named(s, &mut p, name("x", k), sum);
            let target = p.num(width, rng.bits());
            let bad = p.eq(x, target);
            s.push().expect("push");
            assert(s, &p, bad);
            check(s, &p, &[]);
            s.pop(1).expect("a level");
        }
    }
}

fn odd_products(s: &mut dyn SmtSession, rounds: usize) {
    let mut p = TermPool::new();
    let two = p.num(32, 2);
    let mut x = var(&mut p, "x0".into(), 32);
    let y = var(&mut p, "y".into(), 32);
    for t in [x, y] {
        let odd = is_odd(&mut p, t);
        assert(s, &p, odd);
    }
    for k in 1..=rounds {
        let product = p.bvmul(x, y);
        let sum = p.bvadd(product, two);
        x = named(s, &mut p, format!("x{k}"), sum);
        let odd = is_odd(&mut p, x);
        let bad = p.not(odd);
        check(s, &p, &[bad]);
    }
}

fn lockstep(s: &mut dyn SmtSession, rounds: usize) {
    let mut p = TermPool::new();
    let [mut x, mut y] = ["x0", "y0"].map(|n| var(&mut p, n.into(), 16));
    for k in 1..=rounds {
        let same = p.eq(x, y);
        assert(s, &p, same);
        let input = var(&mut p, format!("i{k}"), 16);
        let one = p.num(16, 1);
        let sum = p.bvadd(input, one);
        let (x1, xy) = (p.bvmul(x, sum), p.bvmul(y, input));
        let y1 = p.bvadd(xy, y);
        x = named(s, &mut p, format!("x{k}"), x1);
        y = named(s, &mut p, format!("y{k}"), y1);
        let low = [x, y].map(|t| p.extract(7, 0, t));
        let bad = p.ne(low[0], low[1]);
        check(s, &p, &[bad]);
    }
}

/// A literal of a cube: word, bit, sign.
type Literal = (usize, u32, bool);

fn literal(p: &mut TermPool, words: &[Term], (w, bit, positive): Literal) -> Term {
    let b = p.extract(bit, bit, words[w]);
    let b = p.bv_to_bool(b);
    if positive { b } else { p.not(b) }
}

fn not_in_cube(p: &mut TermPool, words: &[Term], cube: &[Literal]) -> Term {
    let literals: Vec<Term> = cube.iter().map(|&l| literal(p, words, l)).collect();
    let inside = p.and_all(literals);
    p.not(inside)
}

/// Asks whether a cube is inductive relative to what is asserted, and reads what IC3 would read.
fn relative_induction(
    s: &mut dyn SmtSession,
    p: &mut TermPool,
    now: &[Term],
    next: &[Term],
    cube: &[Literal],
) -> Answer {
    let primed: Vec<Term> = cube.iter().map(|&l| literal(p, next, l)).collect();
    let outside = not_in_cube(p, now, cube);
    s.push().expect("push");
    assert(s, p, outside);
    let answer = check(s, p, &primed);
    match answer {
        Answer::Unsat => drop(s.unsat_core().expect("state UNSAT")),
        _ => {
            for &x in now {
                s.value(p, x).expect("state SAT");
            }
        }
    }
    s.pop(1).expect("a level");
    answer
}

fn small_queries(s: &mut dyn SmtSession, count: usize) {
    let mut p = TermPool::new();
    let mut rng = Rng::new(1);
    let [now, next] = ["x", "y"].map(|name| words(&mut p, name, 8, 16));
    for i in 0..8 {
        let (a, b) = (now[(i + 1) % 8], now[(i + 3) % 8]);
        let k = p.num(16, 17 * i as u64 + 3);
        let (sum, both) = (p.bvadd(now[i], k), p.bvand(a, b));
        let (less, mixed) = (p.bvult(a, b), p.bvxor(now[i], both));
        let value = p.ite(less, sum, mixed);
        let step = p.eq(next[i], value);
        assert(s, &p, step);
    }
    for _ in 0..count {
        let literals = rng.range(3, 12);
        let cube: Vec<Literal> = (0..literals)
            .map(|_| (rng.below(8), rng.below(16) as u32, rng.one_in(2)))
            .collect();
        relative_induction(s, &mut p, &now, &next, &cube);
    }
}

/// Counters with enables and limits; blocked cubes become lemmas, as in IC3.
fn counter_queries(s: &mut dyn SmtSession, count: usize) {
    let mut p = TermPool::new();
    let mut rng = Rng::new(2);
    let [now, next] = ["c", "d"].map(|name| words(&mut p, name, 8, 32));
    let (zero, one) = (p.num(32, 0), p.num(32, 1));
    for i in 0..8 {
        let limit = p.num(32, 1000 + 77 * i as u64);
        let enable = var(&mut p, format!("e{i}"), 1);
        let enable = p.bv_to_bool(enable);
        let (full, more) = (p.bvule(limit, now[i]), p.bvadd(now[i], one));
        let wrapped = p.ite(full, zero, more);
        let before = if i == 0 {
            enable
        } else {
            p.eq(now[i - 1], zero)
        };
        let step = p.and(enable, before);
        let value = p.ite(step, wrapped, now[i]);
        let relation = p.eq(next[i], value);
        assert(s, &p, relation);
    }
    for _ in 0..count {
        // High bits are never set: such cubes are inductive and become lemmas.
        let high = rng.one_in(2);
        let cube: Vec<Literal> = (0..rng.range(2, 6))
            .map(|_| {
                let bit = if high {
                    rng.range(11, 31)
                } else {
                    rng.below(11)
                };
                (rng.below(8), bit as u32, high || rng.one_in(2))
            })
            .collect();
        if relative_induction(s, &mut p, &now, &next, &cube).is_unsat() {
            let lemma = not_in_cube(&mut p, &now, &cube);
            assert(s, &p, lemma);
        }
    }
}

const MEMORY: Type = Type::Array {
    index: 32,
    elem: 32,
};

fn array_reversal(s: &mut dyn SmtSession, longest: u64) {
    let mut p = TermPool::new();
    for n in 1..=longest {
        let v = p.fresh(format!("a{n}"), MEMORY);
        let a = p.var(v);
        let base = var(&mut p, format!("base{n}"), 32);
        let mut b = a;
        for _ in 0..2 {
            for i in 0..n / 2 {
                let (l, r) = (p.num(32, i), p.num(32, n - 1 - i));
                let (l, r) = (p.bvadd(base, l), p.bvadd(base, r));
                let (x, y) = (p.select(b, l), p.select(b, r));
                b = p.store(b, l, y);
                b = p.store(b, r, x);
            }
        }
        let probe = var(&mut p, format!("probe{n}"), 32);
        let (x, y) = (p.select(a, probe), p.select(b, probe));
        let bad = p.ne(x, y);
        s.push().expect("push");
        assert(s, &p, bad);
        check(s, &p, &[]);
        s.pop(1).expect("a level");
    }
}

fn array_writes(s: &mut dyn SmtSession, rounds: usize) {
    let mut p = TermPool::new();
    let ty = Type::Array { index: 32, elem: 8 };
    let v = p.fresh("m0", ty);
    let mut m = p.var(v);
    let first = m;
    let limit = p.num(32, 1000);
    let probe = var(&mut p, "probe".into(), 32);
    let beyond = p.bvult(limit, probe);
    assert(s, &p, beyond);
    for k in 1..=rounds {
        let i = var(&mut p, format!("i{k}"), 32);
        let e = var(&mut p, format!("e{k}"), 8);
        let inside = p.bvult(i, limit);
        assert(s, &p, inside);
        let written = p.store(m, i, e);
        m = named(s, &mut p, format!("m{k}"), written);
        for at in [probe, i] {
            let (x, y) = (p.select(first, at), p.select(m, at));
            let changed = p.ne(x, y);
            check(s, &p, &[changed]);
        }
    }
}

fn array_sort(s: &mut dyn SmtSession, longest: u64) {
    let mut p = TermPool::new();
    for n in 2..=longest {
        let v = p.fresh(format!("a{n}"), MEMORY);
        let mut m = p.var(v);
        let base = var(&mut p, format!("base{n}"), 32);
        let at = |p: &mut TermPool, i: u64| {
            let i = p.num(32, 4 * i);
            p.bvadd(base, i)
        };
        s.push().expect("push");
        for pass in 0..n {
            for i in 0..n - 1 - pass.min(n - 1) {
                let (l, r) = (at(&mut p, i), at(&mut p, i + 1));
                let (x, y) = (p.select(m, l), p.select(m, r));
                let swap = p.bvult(y, x);
                let (low, high) = (p.ite(swap, y, x), p.ite(swap, x, y));
                m = p.store(m, l, low);
                m = p.store(m, r, high);
                m = named(s, &mut p, format!("a{n}-{pass}-{i}"), m);
            }
        }
        let elements: Vec<Term> = (0..n)
            .map(|i| {
                let i = at(&mut p, i);
                p.select(m, i)
            })
            .collect();
        for pair in elements.windows(2) {
            let unsorted = p.bvult(pair[1], pair[0]);
            check(s, &p, &[unsorted]);
            let equal = p.eq(pair[0], pair[1]);
            check(s, &p, &[equal]);
        }
        s.pop(1).expect("a level");
    }
}
