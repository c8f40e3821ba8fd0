//! What is refuted has no model, by enumeration; and what should be refuted is.

use trellis_ivl::rng::Rng;
use trellis_ivl::{Bv, Evaluator, Op, Term, TermPool, Type, Value, Var, text};
use trellis_ivl_ring::refutes;

/// Whether some values of all variables make all formulas true.
fn has_model(pool: &TermPool, vars: &[(Var, u32)], formulas: &[Term]) -> bool {
    let bits: u32 = vars.iter().map(|v| v.1).sum();
    let mut evaluator = Evaluator::new();
    (0..1u64 << bits).any(|n| {
        let value = |v: Var| {
            let mut at = 0;
            for &(w, width) in vars {
                if w == v {
                    let value = n >> at & (u64::MAX >> (64 - width));
                    return match pool.var_ty(v) {
                        Type::Bool => Value::Bool(value == 1),
                        _ => Bv::new(width, value).into(),
                    };
                }
                at += width;
            }
            unreachable!("all variables are listed")
        };
        evaluator.new_round();
        let holds = |t: &Term| evaluator.eval(pool, *t, value) == Value::Bool(true);
        formulas.iter().all(holds)
    })
}

struct Maker {
    random: Rng,
    pool: TermPool,
    words: Vec<Term>,
    bits: Vec<Term>,
    width: u32,
}

impl Maker {
    fn word(&mut self, depth: u32) -> Term {
        if depth == 0 || self.random.below(4) == 0 {
            if self.random.below(3) == 0 {
                let n = self.random.bits() % 8;
                return self.pool.num(self.width, n % (1 << self.width));
            }
            return *self.random.pick(&self.words);
        }
        let a = self.word(depth - 1);
        let b = self.word(depth - 1);
        match self.random.below(9) {
            0 => self.pool.bvsub(a, b),
            1 | 2 => self.pool.bvmul(a, b),
            3 => self.pool.bvneg(a),
            4 => self.pool.bvnot(a),
            5 => {
                let c = self.formula(1);
                self.pool.ite(c, a, b)
            }
            6 => {
                let wide = self.pool.zext(self.width + 2, a);
                let more = self.pool.sext(self.width + 2, b);
                let product = self.pool.bvmul(wide, more);
                self.pool.extract(self.width - 1, 0, product)
            }
            7 => self.pool.bvand(a, b),
            _ => self.pool.bvadd(a, b),
        }
    }

    fn formula(&mut self, depth: u32) -> Term {
        if depth == 0 || self.random.below(3) == 0 {
            if self.random.below(5) == 0 {
                return *self.random.pick(&self.bits);
            }
            let (a, b) = (self.word(2), self.word(2));
            return match self.random.below(8) {
                0 => self.pool.bvult(a, b),
                1 => self.pool.bvule(a, b),
                2 => self.pool.bvslt(a, b),
                3 => self.pool.bvsle(a, b),
                4 => self.pool.ne(a, b),
                _ => self.pool.eq(a, b),
            };
        }
        let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
        match self.random.below(6) {
            0 => self.pool.not(a),
            1 | 2 => self.pool.or(a, b),
            3 => {
                let c = self.formula(0);
                self.pool.ite(c, a, b)
            }
            4 => self.pool.eq(a, b),
            _ => self.pool.and(a, b),
        }
    }
}

/// Random formulas, and such that say of a word what follows of it, or nearly.
#[test]
fn what_is_refuted_has_no_model() {
    let (mut refuted, mut without) = (0, 0);
    for seed in 0..4_000u64 {
        let mut random = Rng::new(seed);
        let width = 1 + random.below(3) as u32;
        let mut pool = TermPool::new();
        let mut vars = Vec::new();
        let mut words = Vec::new();
        for name in ["x", "y", "z"] {
            let v = pool.fresh(name, Type::Bv(width));
            vars.push((v, width));
            words.push(pool.var(v));
        }
        let b = pool.fresh("b", Type::Bool);
        vars.push((b, 1));
        let bits = vec![pool.var(b)];
        let mut maker = Maker {
            random,
            pool,
            words,
            bits,
            width,
        };
        let mut formulas: Vec<Term> = (0..2 + maker.random.below(3))
            .map(|_| maker.formula(2))
            .collect();
        if maker.random.bit() {
            // An equation, a change of both of its sides, and the same with something else now and then.
            let (a, b, c) = (maker.word(2), maker.word(2), maker.word(2));
            let d = if maker.random.below(4) == 0 {
                maker.word(1)
            } else {
                c
            };
            let pool = &mut maker.pool;
            let equation = pool.eq(a, b);
            let (left, right) = (pool.bvmul(a, c), pool.bvmul(b, d));
            let broken = pool.ne(left, right);
            formulas.extend([equation, broken]);
        }
        let model = has_model(&maker.pool, &vars, &formulas);
        let is_refuted = refutes(&maker.pool, &formulas);
        assert!(!(model && is_refuted), "seed {seed}: {:?}", {
            let mut printer = text::TermPrinter::new(&maker.pool);
            formulas
                .iter()
                .map(|&t| printer.print(t))
                .collect::<Vec<_>>()
        });
        refuted += u32::from(is_refuted);
        without += u32::from(!model);
    }
    // Exactly: a rule that is gone or sees less is noticed here, where nothing is wrong for the want of it.
    assert_eq!(
        (refuted, without),
        (1_951, 2_345),
        "refuted, without a model"
    );
}

/// A formula in 32 bits, in the words of the text form.
fn is_refuted(parts: &[&str]) -> bool {
    let mut program = text::parse(
        "ivl 1; var a: bv32; var b: bv32; var i: bv32; var n: bv32; var s: bv32; var q: bv32; var c: bool; var d: bool;
         var v: bv64; var w: bv65; var x: bv65;
         var e: bool; var f: bool; var p: bv32; var u: bv64;
         proc main() { loc l0 entry; }",
    )
    .expect("the text is right");
    let parse = |t: &&str| text::parse_term(&mut program, t).expect("a term");
    let formulas: Vec<Term> = parts.iter().map(parse).collect();
    refutes(&program.pool, &formulas)
}

#[test]
fn identities_in_many_bits() {
    // What a loop keeps, along two ways.
    let ways =
        "(c && q == a + 1bv32 && s == b + 2bv32) || (!c && q == a + 2bv32 && s == b + 1bv32)";
    assert!(is_refuted(&[
        "a + b == i * 3bv32",
        ways,
        "q + s != (i + 1bv32) * 3bv32"
    ]));
    assert!(!is_refuted(&[
        "a + b == i * 3bv32",
        ways,
        "q + s != (i + 2bv32) * 3bv32"
    ]));
    // The same by decisions within terms.
    let (x, y) = (
        "ite(c, a + 1bv32, a + 2bv32)",
        "ite(c, b + 2bv32, b + 1bv32)",
    );
    let broken = format!("{x} + {y} != (i + 1bv32) * 3bv32");
    assert!(is_refuted(&["a + b == i * 3bv32", &broken]));
    // An arithmetic series, and what is known of it where the loop ends.
    let sum = "s * 2bv32 == i * i - i";
    let next = "(s + i) * 2bv32 != (i + 1bv32) * (i + 1bv32) - (i + 1bv32)";
    assert!(is_refuted(&[sum, next]));
    let end = "s * 2bv32 != n * (n + 1bv32)";
    assert!(is_refuted(&[sum, "i <=s n + 1bv32", "!(i <=s n)", end]));
    assert!(is_refuted(&[sum, "i <=u n + 1bv32", "n <u i", end]));
    assert!(!is_refuted(&[sum, "i <=s n + 1bv32", "!(i <=u n)", end]));
    assert!(!is_refuted(&[sum, "i <=s n + 2bv32", "!(i <=s n)", end]));
    assert!(is_refuted(&[sum, "i <s n + 2bv32", "n <s i", end]));
    assert!(is_refuted(&[sum, "i <u n + 2bv32", "n + 1bv32 <=u i", end]));
    // The lowest bits say nothing of the others.
    assert!(!is_refuted(&["a[7:0] == 0bv8", "a != 0bv32"]));
    assert!(is_refuted(&["a == b * 256bv32", "a[7:0] != 0bv8"]));
    // Half of an equation says less than all of it.
    assert!(!is_refuted(&["s * 2bv32 == i * 2bv32", "s != i"]));
    assert!(is_refuted(&[
        "s * 2bv32 == i * 2bv32",
        "s * 6bv32 != i * 6bv32"
    ]));
    assert!(is_refuted(&["s * s == i", "s * s * s != i * s"]));
}

/// Polynomials have coefficients of 64 bits: of wider words nothing is said, and what is known of them otherwise counts.
#[test]
fn words_that_are_too_wide() {
    let high = "18446744073709551616bv65";
    assert!(!is_refuted(&[&format!("w == {high}"), "w != 0bv65"]));
    assert!(!is_refuted(&[&format!("w == x + {high}"), "w != x"]));
    assert!(!is_refuted(&["w <=u x", "x <u w + 1bv65", "w != x"]));
    assert!(!is_refuted(&[
        &format!("w <u {high}"),
        "x == w + 1bv65",
        "x <u w"
    ]));
    assert!(is_refuted(&["w == x", "!(w == x)"]));
    assert!(is_refuted(&["v * 2bv64 == 6bv64", "v * 4bv64 != 12bv64"]));
    assert!(!is_refuted(&["v * 2bv64 == 6bv64", "v != 3bv64"]));
}

/// Of clauses whose parts are all known, without a case more.
#[test]
fn what_is_known_of_truth_values() {
    assert!(is_refuted(&["c", "!d", "c == d"]));
    assert!(is_refuted(&["c", "d", "c != d"]));
    assert!(!is_refuted(&["c", "d", "c == d"]));
    assert!(is_refuted(&["c", "c == d", "d == (a == b)", "a != b"]));
    assert!(is_refuted(&["!c", "!d", "c || d"]));
    assert!(is_refuted(&["c", "ite(c, a == b, d)", "a != b"]));
    assert!(!is_refuted(&["!c", "ite(c, a == b, d)", "a != b"]));
}

/// Words that are one polynomial, and words that must not be taken for one.
#[test]
fn words_as_polynomials() {
    for (left, right) in [
        ("a << 3bv32", "a * 8bv32"),
        ("a << 32bv32", "0bv32"),
        ("a << 70bv32", "0bv32"),
        ("v << 64bv64", "0bv64"),
        ("a[7:0]", "(a + b * 256bv32)[7:0]"),
        ("(a * a * a) * (b * b * b)", "(a * b) * (b * a) * (a * b)"),
    ] {
        let broken = format!("{left} != {right}");
        assert!(is_refuted(&[&broken]), "{broken}");
    }
    for (left, right) in [
        ("a << b", "0bv32"),
        ("a << 3bv32", "a << b"),
        ("a[15:8]", "a[7:0]"),
        // True, but of too high a degree.
        (
            "(a * a * a * a) * (b * b * b)",
            "(a * a * a) * (a * b * b * b)",
        ),
        (
            "(a * a * a * a) * (b * b * b * b)",
            "(a * a * a * b) * (a * b * b * b)",
        ),
    ] {
        let broken = format!("{left} != {right}");
        assert!(!is_refuted(&[&broken]), "{broken}");
    }
    for (formula, refuted) in [
        ("false", true),
        ("true", false),
        ("!true", true),
        ("!false", false),
    ] {
        assert_eq!(is_refuted(&[formula]), refuted, "{formula}");
    }
}

/// What an equation says once what it begins with is multiplied away, whichever part that is.
#[test]
fn multiples_of_equations() {
    for (equations, broken, refuted) in [
        (
            ["a * b * 2bv32 + s * s * 4bv32 == 0bv32", "c"],
            "a * b * 2147483648bv32 != 0bv32",
            true,
        ),
        (
            ["a * b * 2bv32 + s * s * 4bv32 == 0bv32", "c"],
            "a * b * 1073741824bv32 != 0bv32",
            false,
        ),
        (
            ["a * b * 4bv32 + s * s * 2bv32 == 0bv32", "c"],
            "s * s * 2147483648bv32 != 0bv32",
            true,
        ),
        (
            ["v * u + v * v == 0bv64", "v * u * 2bv64 == 0bv64"],
            "v * v * 2bv64 != 0bv64",
            true,
        ),
        (
            ["v * u + v * v == 0bv64", "v * u * 2bv64 == 0bv64"],
            "v * v != 0bv64",
            false,
        ),
        (
            ["v * u + v * v == 0bv64", "c"],
            "v * u * 3bv64 + v * v * 3bv64 != 0bv64",
            true,
        ),
    ] {
        let formulas = [equations[0], equations[1], broken];
        assert_eq!(is_refuted(&formulas), refuted, "{formulas:?}");
    }
}

/// Six words of two values each are the 64 cases that there may be: whatever is asked besides is one too many.
#[test]
fn as_many_cases_as_there_may_be() {
    let refuted = |words: &[&str], besides: &[&str]| {
        let values = words
            .iter()
            .map(|x| format!("{x} == 0bv32 || {x} == 1bv32"));
        let mut formulas: Vec<String> = besides.iter().map(|t| t.to_string()).collect();
        formulas.extend(values);
        formulas.push(format!("{} == 100bv32", words.join(" + ")));
        let formulas: Vec<&str> = formulas.iter().map(String::as_str).collect();
        is_refuted(&formulas)
    };
    let six = ["a", "b", "i", "n", "s", "q"];
    assert!(refuted(&six, &[]));
    assert!(!refuted(&["a", "b", "i", "n", "s", "q", "p"], &[]));
    assert!(!refuted(&six, &["e || f"]));
    // What follows at once, or from the clause after it.
    assert!(refuted(&six, &["!d", "e || f", "!f || d"]));
    for condition in [
        "true", "false", "!(!c)", "!c", "d && e", "e && d", "c && !d", "c || e", "e || c",
        "d || !c",
    ] {
        let known = format!("ite({condition}, c, c)");
        assert!(refuted(&six, &["c", "!d", &known]), "{condition}");
    }
    assert!(!refuted(&six, &["c", "!d", "ite(e, c, f)"]));
    // What is known of a disjunction is not asked first.
    assert!(is_refuted(&[
        "!d",
        "d || (a == 0bv32 || a == 1bv32)",
        "a + b == 9bv32",
        "b == 7bv32"
    ]));
}

/// Whether equations refute 19,999 terms, and some more: a formula that is in itself twice at every level besides.
fn large(more: usize) -> bool {
    let mut pool = TermPool::new();
    let [c, d, e] = ["c", "d", "e"].map(|name| {
        let v = pool.fresh(name, Type::Bool);
        pool.var(v)
    });
    let [x, y] = ["x", "y"].map(|name| {
        let v = pool.fresh(name, Type::Bv(32));
        pool.var(v)
    });
    let mut t = c;
    for _ in 0..6_663 {
        let parts = [d, e].map(|other| pool.intern(Op::And, &[t, other]));
        t = pool.intern(Op::Or, &parts);
    }
    for _ in 0..more {
        t = pool.intern(Op::Not, &[t]);
    }
    let equation = pool.intern(Op::Eq, &[x, y]);
    let (difference, zero) = (pool.intern(Op::BvSub, &[x, y]), pool.num(32, 0));
    let same = pool.intern(Op::Eq, &[difference, zero]);
    let broken = pool.intern(Op::Not, &[same]);
    refutes(&pool, &[t, equation, broken])
}

/// They are not looked into to the bottom, and too large ones are left alone.
#[test]
fn large_formulas() {
    assert!(large(1));
    assert!(!large(2));
}
