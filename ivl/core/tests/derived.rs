//! The derived operations of the builder against what they stand for, for all values of 1 to 4 bits.

use trellis_ivl::{Bv, Op, Term, TermPool, Type, Value, Var};

struct Pair {
    pool: TermPool,
    x: Term,
    y: Term,
    vars: [Var; 2],
}

fn pair(ty: Type) -> Pair {
    let mut pool = TermPool::new();
    let vars = ["x", "y"].map(|name| pool.fresh(name, ty));
    let [x, y] = vars.map(|v| pool.var(v));
    Pair { pool, x, y, vars }
}

impl Pair {
    fn eval(&self, t: Term, a: impl Into<Value>, b: impl Into<Value>) -> Value {
        let (a, b) = (a.into(), b.into());
        let value = |v| if v == self.vars[0] { &a } else { &b };
        self.pool.eval(t, |v| value(v).clone())
    }
}

/// Compares a term over two words with a function of their numbers, at all widths.
#[track_caller]
fn words(
    make: impl Fn(&mut TermPool, Term, Term, u32) -> Term,
    meaning: impl Fn(u64, u64, u32) -> u64,
) {
    for w in 1..=4 {
        let mut p = pair(Type::Bv(w));
        let t = make(&mut p.pool, p.x, p.y, w);
        for a in 0..1 << w {
            for b in 0..1 << w {
                let found = match p.eval(t, Bv::new(w, a), Bv::new(w, b)) {
                    Value::Bool(b) => u64::from(b),
                    Value::Bv(v) => v.to_u64().expect("few bits"),
                    Value::Array(_) => unreachable!("no array operation"),
                };
                assert_eq!(found, meaning(a, b, w), "{a} and {b} of {w} bits");
            }
        }
    }
}

fn mask(w: u32) -> u64 {
    (1 << w) - 1
}

#[test]
fn negated_bitwise_operations() {
    words(|p, x, y, _| p.bvnand(x, y), |a, b, w| !(a & b) & mask(w));
    words(|p, x, y, _| p.bvnor(x, y), |a, b, w| !(a | b) & mask(w));
    words(|p, x, y, _| p.bvxnor(x, y), |a, b, w| !(a ^ b) & mask(w));
}

#[test]
fn divisions_and_shifts_by_name() {
    words(
        |p, x, y, _| p.bvudiv(x, y),
        |a, b, w| a.checked_div(b).unwrap_or(mask(w)),
    );
    words(
        |p, x, y, _| p.bvurem(x, y),
        |a, b, _| a.checked_rem(b).unwrap_or(a),
    );
    words(|p, x, y, _| p.bvshl(x, y), |a, b, w| (a << b) & mask(w));
    words(|p, x, y, _| p.bvlshr(x, y), |a, b, _| a >> b);
    let signed = |a: u64, w: u32| ((a as i64) << (64 - w)) >> (64 - w);
    words(
        |p, x, y, _| p.bvashr(x, y),
        move |a, b, w| (signed(a, w) >> b) as u64 & mask(w),
    );
    words(
        |p, x, y, _| p.bvsdiv(x, y),
        move |a, b, w| match (signed(a, w), signed(b, w)) {
            (a, 0) if a < 0 => 1,
            (_, 0) => mask(w),
            (a, b) => (a / b) as u64 & mask(w),
        },
    );
    words(
        |p, x, y, _| p.bvsrem(x, y),
        move |a, b, w| match (signed(a, w), signed(b, w)) {
            (_, 0) => a,
            (a, b) => (a % b) as u64 & mask(w),
        },
    );
    words(
        |p, x, y, _| p.bvsmod(x, y),
        move |a, b, w| match (signed(a, w), signed(b, w)) {
            (_, 0) => a,
            // Towards the sign of the divisor.
            (a, b) => (((a % b) + b) % b) as u64 & mask(w),
        },
    );
}

#[test]
fn overflow_of_negation_and_division() {
    words(
        |p, x, _, _| p.bvnego(x),
        |a, _, w| u64::from(a == 1 << (w - 1)),
    );
    words(
        |p, x, y, _| p.bvsdivo(x, y),
        |a, b, w| u64::from(a == 1 << (w - 1) && b == mask(w)),
    );
}

#[test]
fn rotations_and_repetition() {
    for n in 0..9 {
        let left = move |a: u64, n: u32, w: u32| ((a << (n % w)) | (a >> (w - n % w))) & mask(w);
        words(
            |p, x, _, _| p.rotate_left(n, x),
            move |a, _, w| left(a, n, w),
        );
        words(
            |p, x, _, _| p.rotate_right(n, x),
            move |a, _, w| left(a, w - n % w, w),
        );
    }
    for n in 1..4 {
        words(
            |p, x, _, _| p.repeat(n, x),
            move |a, _, w| (0..n).fold(0, |acc, _| (acc << w) | a),
        );
    }
}

#[test]
fn bits_and_booleans() {
    words(
        |p, x, y, w| {
            let (x, y) = (p.extract(w - 1, w - 1, x), p.bvult(x, y));
            let (x, y) = (p.bv_to_bool(x), p.bool_to_bv(y));
            let one = p.bool_to_bv(x);
            p.concat(one, y)
        },
        |a, b, w| ((a >> (w - 1)) << 1) | u64::from(a < b),
    );
}

#[test]
fn connectives() {
    let mut p = pair(Type::Bool);
    let (x, y) = (p.x, p.y);
    type Meaning = fn(bool, bool) -> bool;
    let cases: [(Term, Meaning); 5] = [
        (p.pool.implies(x, y), |a, b| !a | b),
        (p.pool.xor(x, y), |a, b| a != b),
        (p.pool.ne(x, y), |a, b| a != b),
        (p.pool.and_all([x, y, x]), |a, b| a & b),
        (p.pool.or_all([x, y, y, x, x]), |a, b| a | b),
    ];
    for (t, meaning) in cases {
        for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
            assert_eq!(p.eval(t, a, b), Value::Bool(meaning(a, b)), "{a} {b}");
        }
    }
    let (all, any) = (p.pool.and_all([]), p.pool.or_all([]));
    assert_eq!(
        (p.pool.as_bool(all), p.pool.as_bool(any)),
        (Some(true), Some(false))
    );
    let (all, any) = (p.pool.plain_all(Op::And, []), p.pool.plain_all(Op::Or, []));
    assert_eq!(
        (p.pool.as_bool(all), p.pool.as_bool(any)),
        (Some(true), Some(false))
    );
}

/// Conjunctions and disjunctions of many are balanced, whoever makes them.
#[test]
fn long_connectives_are_balanced() {
    for n in [1_usize, 2, 3, 7, 8, 100] {
        let mut pool = TermPool::new();
        let vars: Vec<Var> = (0..n)
            .map(|i| pool.fresh(format!("b{i}"), Type::Bool))
            .collect();
        let terms: Vec<Term> = vars.iter().map(|&v| pool.var(v)).collect();
        let built = pool.and_all(terms.iter().copied());
        let plain = pool.plain_all(Op::Or, terms.iter().copied());
        for (t, unit) in [(built, true), (plain, false)] {
            assert!(depth(&pool, t) <= n.ilog2() as usize + 2);
            for &other in &vars {
                let value = pool.eval(t, |v| Value::Bool((v == other) ^ unit));
                assert_eq!(value, Value::Bool(!unit), "each of {n} counts");
            }
            assert_eq!(pool.eval(t, |_| Value::Bool(unit)), Value::Bool(unit));
        }
    }
}

fn depth(pool: &TermPool, t: Term) -> usize {
    1 + pool.args(t).map(|a| depth(pool, a)).max().unwrap_or(0)
}

/// The plain constructor computes what constants alone decide, and nothing else.
#[test]
fn plain_terms_fold_constants_only() {
    let mut pool = TermPool::new();
    let (two, three) = (pool.num(8, 2), pool.num(8, 3));
    let five = pool.plain(Op::BvAdd, &[two, three]);
    assert_eq!(pool.as_bv(five), Some(Bv::new(8, 5)));
    let x = pool.fresh("x", Type::Bv(8));
    let x = pool.var(x);
    let difference = pool.plain(Op::BvSub, &[x, x]);
    assert_eq!(pool.op(difference), Op::BvSub);
}

/// Reads look through writes at indices that differ by constants alone, on whichever side the constants are.
#[test]
fn reads_look_through_other_writes() {
    let mut pool = TermPool::new();
    let ty = Type::Array { index: 8, elem: 8 };
    let [a, x, e] = [("a", ty), ("x", Type::Bv(8)), ("e", Type::Bv(8))].map(|(name, ty)| {
        let v = pool.fresh(name, ty);
        pool.var(v)
    });
    let (two, three) = (pool.num(8, 2), pool.num(8, 3));
    let (x2, x3) = (pool.bvadd(x, two), pool.bvadd(x, three));
    for (written, read) in [(x, x2), (x2, x), (x2, x3), (two, three)] {
        let stored = pool.store(a, written, e);
        let (through, plain) = (pool.select(stored, read), pool.select(a, read));
        assert_eq!(through, plain);
    }
    for (written, read) in [(x, two), (two, x), (x2, two)] {
        let stored = pool.store(a, written, e);
        let (through, plain) = (pool.select(stored, read), pool.select(a, read));
        assert_ne!(through, plain);
    }
}
