//! The conformance suite of [`SmtSession`](crate::smt::SmtSession): the state machine, levels, cores,
//! values, arrays, deep terms, limits and interrupts, and random scripts.

use super::smt_limits::{conflict_limit, interrupts, interrupts_of_large_queries, time_limit};
use super::smt_script::{SmtScript, run_script};
use crate::smt::{SmtBackend, SmtSession};
use crate::{Answer, Capabilities, Limits, SessionConfig, SolverError};
use std::time::Duration;
use trellis_ivl::{Bv, Op, Term, TermPool, Type, Value};

/// A named check of a backend.
pub type SmtCheck = (&'static str, fn(&dyn SmtBackend));

/// Every check, for callers that run them one by one.
pub const SMT_CHECKS: &[SmtCheck] = &[
    ("states", states),
    ("levels", levels),
    ("cores", cores),
    ("unknown variables have a value", unknown_variables),
    ("arrays", arrays),
    ("deep terms", deep_terms),
    ("wide terms", wide_terms),
    ("generalization", generalization),
    ("conflict limit", conflict_limit),
    ("time limit", time_limit),
    ("interrupts", interrupts),
    ("interrupts of large queries", interrupts_of_large_queries),
    ("statistics", statistics),
    ("tiny scripts", |backend| {
        random_scripts(backend, "tiny", SmtScript::tiny, 0..300)
    }),
    ("planted scripts", |backend| {
        random_scripts(backend, "planted", SmtScript::planted, 0..200)
    }),
    ("wide scripts", |backend| {
        random_scripts(backend, "wide", SmtScript::wide, 0..100)
    }),
];

/// Runs every check; panics at the first that fails.
pub fn check_smt_backend(backend: &dyn SmtBackend) {
    for (name, check) in SMT_CHECKS {
        eprintln!("{}: {name}", backend.name());
        check(backend);
    }
}

/// Runs the random scripts of `seeds`; at most a tenth of the answers may be unknown.
pub fn random_scripts(
    backend: &dyn SmtBackend,
    kind: &str,
    script: fn(u64) -> SmtScript,
    seeds: std::ops::Range<u64>,
) {
    let has_arrays = backend.capabilities().contains(Capabilities::ARRAYS);
    let (mut sat, mut unsat, mut unknown) = (0, 0, 0);
    for seed in seeds {
        let script = script(seed);
        let uses_arrays = script
            .vars
            .iter()
            .any(|&v| script.pool.var_ty(v).is_array());
        if uses_arrays && !has_arrays {
            continue;
        }
        let label = format!("{kind} script {seed}");
        let limits = Limits::wall(Duration::from_secs(10));
        for answer in run_script(backend, backend, &script, &label, limits).answers {
            match answer {
                Answer::Sat => sat += 1,
                Answer::Unsat => unsat += 1,
                Answer::Unknown(_) => unknown += 1,
            }
        }
    }
    eprintln!(
        "{}: {kind} scripts: {sat} sat, {unsat} unsat, {unknown} unknown",
        backend.name()
    );
    assert!(
        10 * unknown <= sat + unsat,
        "{}: too many unknown answers",
        backend.name()
    );
}

pub(super) fn session(backend: &dyn SmtBackend) -> Box<dyn SmtSession> {
    backend
        .session(&SessionConfig::default())
        .expect("a session with the default configuration")
}

pub(super) fn var(pool: &mut TermPool, name: &str, ty: Type) -> Term {
    let v = pool.fresh(name, ty);
    pool.var(v)
}

pub(super) fn is_misuse<T>(result: Result<T, SolverError>) -> bool {
    matches!(result, Err(SolverError::Misuse { .. }))
}

fn states(backend: &dyn SmtBackend) {
    let mut pool = TermPool::new();
    let (x, y) = (
        var(&mut pool, "x", Type::Bv(8)),
        var(&mut pool, "y", Type::Bv(8)),
    );
    let lt = pool.bvult(x, y);
    let gt = pool.bvult(y, x);
    let mut s = session(backend);
    assert!(
        is_misuse(s.value(&pool, x)) && is_misuse(s.unsat_core()),
        "nothing to read yet"
    );
    assert!(
        matches!(s.assert(&pool, x), Err(SolverError::Term { .. })),
        "asserting a bv8"
    );
    assert!(s.check(&pool, &[x]).is_err(), "assuming a bv8");
    s.assert(&pool, lt).expect("a boolean term");
    assert_eq!(s.check(&pool, &[]), Ok(Answer::Sat));
    assert!(is_misuse(s.unsat_core()), "no core in state SAT");
    assert_eq!(s.value(&pool, lt), Ok(Value::Bool(true)));
    assert_eq!(s.check(&pool, &[gt]), Ok(Answer::Unsat));
    assert!(is_misuse(s.value(&pool, x)), "no model in state UNSAT");
    s.set_limits(Limits::NONE);
    s.set_kind("other");
    assert_eq!(s.unsat_core(), Ok(vec![gt]));
    s.push().expect("push");
    assert!(is_misuse(s.unsat_core()), "push leaves state UNSAT");
    assert_eq!(s.check(&pool, &[]), Ok(Answer::Sat));
    s.pop(1).expect("one open level");
    assert!(is_misuse(s.value(&pool, x)), "pop leaves state SAT");
    assert!(is_misuse(s.pop(1)), "no open level");
}

fn levels(backend: &dyn SmtBackend) {
    let mut pool = TermPool::new();
    let x = var(&mut pool, "x", Type::Bv(16));
    let bound = |pool: &mut TermPool, n: u64| {
        let k = pool.num(16, n);
        pool.bvult(x, k)
    };
    let below: Vec<Term> = (0..8).map(|i| bound(&mut pool, 1 << (8 - i))).collect();
    let hundred = pool.num(16, 100);
    let at_least = pool.bvule(hundred, x);
    let mut s = session(backend);
    s.assert(&pool, at_least).expect("a boolean term");
    for (i, &t) in below.iter().enumerate() {
        assert_eq!(s.level(), i);
        s.push().expect("push");
        s.assert(&pool, t).expect("a boolean term");
        let expected = if i < 2 { Answer::Sat } else { Answer::Unsat };
        assert_eq!(s.check(&pool, &[]), Ok(expected), "level {i}");
    }
    s.pop(6).expect("open levels");
    assert_eq!((s.level(), s.check(&pool, &[])), (2, Ok(Answer::Sat)));
    assert_eq!(s.check(&pool, &[below[2]]), Ok(Answer::Unsat));
    s.pop(2).expect("open levels");
    s.push().expect("push");
    let fls = pool.fls();
    s.assert(&pool, fls).expect("a boolean term");
    assert_eq!(s.check(&pool, &[]), Ok(Answer::Unsat));
    s.pop(1).expect("an open level");
    assert_eq!(s.check(&pool, &[]), Ok(Answer::Sat));
}

fn cores(backend: &dyn SmtBackend) {
    if !backend.capabilities().contains(Capabilities::UNSAT_CORE) {
        return;
    }
    let mut pool = TermPool::new();
    let bits: Vec<Term> = (0..20)
        .map(|i| var(&mut pool, &format!("b{i}"), Type::Bool))
        .collect();
    let mut s = session(backend);
    let both = pool.and(bits[3], bits[17]);
    let not_both = pool.not(both);
    s.assert(&pool, not_both).expect("a boolean term");
    assert_eq!(s.check(&pool, &bits), Ok(Answer::Unsat));
    assert_eq!(s.unsat_core(), Ok(vec![bits[3], bits[17]]));
    // Assumptions that are constants, repeated or each other's negation.
    let (tru, fls) = (pool.tru(), pool.fls());
    assert_eq!(s.check(&pool, &[tru, bits[0], fls]), Ok(Answer::Unsat));
    assert_eq!(s.unsat_core(), Ok(vec![fls]));
    let not0 = pool.not(bits[0]);
    assert_eq!(
        s.check(&pool, &[bits[1], bits[0], not0, bits[0]]),
        Ok(Answer::Unsat)
    );
    let core = s.unsat_core().expect("state UNSAT");
    assert_eq!(core, [bits[0], not0], "each assumption once");
    // What is unsatisfiable by itself needs no assumption.
    s.push().expect("push");
    s.assert(&pool, fls).expect("a boolean term");
    assert_eq!(s.check(&pool, &bits[5..7]), Ok(Answer::Unsat));
    assert_eq!(s.unsat_core(), Ok(vec![]));
    s.pop(1).expect("an open level");
    assert_eq!(s.check(&pool, &bits[5..7]), Ok(Answer::Sat));
}

fn unknown_variables(backend: &dyn SmtBackend) {
    let mut pool = TermPool::new();
    let x = var(&mut pool, "x", Type::Bv(70));
    let y = var(&mut pool, "y", Type::Bool);
    let sum = pool.bvadd(x, x);
    let mut s = session(backend);
    assert_eq!(s.check(&pool, &[]), Ok(Answer::Sat));
    let value = s.value(&pool, x).expect("any value");
    let double = s.value(&pool, sum).expect("any value");
    let bv = value.as_bv().expect("a bit-vector");
    assert_eq!(double, Value::Bv(bv.add(bv)));
    assert_eq!(s.value(&pool, x), Ok(value), "the same value again");
    assert!(s.value(&pool, y).expect("any value").as_bool().is_some());
}

/// What the theory of arrays says, one fact after the other.
fn arrays(backend: &dyn SmtBackend) {
    if !backend.capabilities().contains(Capabilities::ARRAYS) {
        return;
    }
    let mut pool = TermPool::new();
    let p = &mut pool;
    let ty = Type::Array { index: 8, elem: 8 };
    let (a, b) = (var(p, "a", ty), var(p, "b", ty));
    let [i, j, k, e, f] = ["i", "j", "k", "e", "f"].map(|n| var(p, n, Type::Bv(8)));
    let c = var(p, "c", Type::Bool);
    let (ai, aj, bi, bj) = (
        p.select(a, i),
        p.select(a, j),
        p.select(b, i),
        p.select(b, j),
    );
    let (store_i, store_j) = (p.store(a, i, e), p.store(a, j, f));
    let (i_eq_j, a_eq_b) = (p.eq(i, j), p.eq(a, b));
    let (i_ne_j, a_ne_b) = (p.not(i_eq_j), p.not(a_eq_b));
    let read = p.select(store_i, j);
    let choice = p.ite(c, store_i, b);
    let chosen = p.select(choice, j);
    let constant = p.const_array(8, e);
    let both_orders = {
        let (x, y) = (p.store(store_i, j, f), p.store(store_j, i, e));
        p.ne(x, y)
    };
    let fact = |p: &mut TermPool, s: &mut dyn SmtSession, given: &[Term], goal: Term| {
        let refuted = p.not(goal);
        let query: Vec<Term> = given.iter().copied().chain([refuted]).collect();
        assert_eq!(
            s.check(p, &query),
            Ok(Answer::Unsat),
            "{}: {goal} of {given:?}",
            s.signature()
        );
        assert_eq!(
            s.check(p, given),
            Ok(Answer::Sat),
            "{}: {given:?}",
            s.signature()
        );
    };
    let mut s = session(backend);
    let s = &mut *s;
    // Reads are functions.
    let goal = p.eq(ai, aj);
    fact(p, s, &[i_eq_j], goal);
    // Reads over writes.
    let goal = p.eq(read, e);
    fact(p, s, &[i_eq_j], goal);
    let goal = p.eq(read, aj);
    fact(p, s, &[i_ne_j], goal);
    // If-then-else.
    let goal = p.eq(chosen, e);
    fact(p, s, &[c, i_eq_j], goal);
    let not_c = p.not(c);
    let goal = p.eq(chosen, bj);
    fact(p, s, &[not_c], goal);
    // Constant arrays.
    let written = p.store(constant, i, f);
    let at_k = p.select(written, k);
    let i_ne_k = p.ne(i, k);
    let goal = p.eq(at_k, e);
    fact(p, s, &[i_ne_k], goal);
    if !s.capabilities().contains(Capabilities::ARRAY_EQUALITY) {
        return;
    }
    // Equal arrays have equal elements; different ones differ somewhere.
    let goal = p.eq(ai, bi);
    fact(p, s, &[a_eq_b], goal);
    let (sa, sb) = (p.store(a, i, e), p.store(b, i, e));
    let (stores_equal, reads_equal) = (p.eq(sa, sb), p.eq(ai, bi));
    fact(p, s, &[stores_equal, reads_equal], a_eq_b);
    let goal = p.eq(aj, bj);
    fact(p, s, &[stores_equal, i_ne_j], goal);
    assert_eq!(s.check(p, &[a_ne_b, reads_equal]), Ok(Answer::Sat));
    let sb = p.store(b, i, f);
    let (stores_equal, goal) = (p.eq(sa, sb), p.eq(e, f));
    fact(p, s, &[stores_equal], goal);
    // Writes at different indices commute.
    assert_eq!(s.check(p, &[both_orders, i_ne_j]), Ok(Answer::Unsat));
    assert_eq!(s.check(p, &[both_orders]), Ok(Answer::Sat));
    // Equal constant arrays have equal elements, unless writes cover every index.
    let other = p.const_array(8, f);
    let goal = p.eq(e, f);
    let constants_equal = p.eq(written, other);
    fact(p, s, &[constants_equal], goal);
    // A constant array with one write tells the base everywhere else.
    let base_is_constant = p.eq(store_i, other);
    let goal = p.eq(aj, f);
    let f_ne_0 = {
        let zero = p.num(8, 0);
        p.ne(f, zero)
    };
    fact(p, s, &[base_is_constant, i_ne_j, f_ne_0], goal);
    assert_eq!(
        s.check(p, &[base_is_constant, i_ne_j, f_ne_0]),
        Ok(Answer::Sat)
    );
    assert_eq!(s.value(p, base_is_constant), Ok(Value::Bool(true)));
    let n = var(p, "n", Type::Bv(1));
    let (zero, one) = (p.num(1, 0), p.num(1, 1));
    let (x, y) = (p.const_array(1, e), p.const_array(1, f));
    let covered = p.store(x, n, f);
    let m = p.bvnot(n);
    let covered = p.store(covered, m, f);
    let (covered_equal, half) = (p.eq(covered, y), p.store(x, n, f));
    let half_equal = p.eq(half, y);
    let different = p.ne(e, f);
    assert_eq!(s.check(p, &[covered_equal, different]), Ok(Answer::Sat));
    assert_eq!(s.check(p, &[half_equal, different]), Ok(Answer::Unsat));
    // An array over one bit of index is determined by its two elements.
    let small = Type::Array { index: 1, elem: 8 };
    let (u, v) = (var(p, "u", small), var(p, "v", small));
    let same = |p: &mut TermPool, at: Term| {
        let (x, y) = (p.select(u, at), p.select(v, at));
        p.eq(x, y)
    };
    let (same0, same1) = (same(p, zero), same(p, one));
    let goal = p.eq(u, v);
    fact(p, s, &[same0, same1], goal);
}

fn deep_terms(backend: &dyn SmtBackend) {
    let mut pool = TermPool::new();
    let (x, k) = (
        var(&mut pool, "x", Type::Bv(4)),
        var(&mut pool, "k", Type::Bv(4)),
    );
    let mut t = x;
    for i in 0..100_000 {
        t = pool.intern(if i % 3 == 0 { Op::BvAdd } else { Op::BvXor }, &[t, k]);
    }
    let goal = pool.ne(t, x);
    let mut s = session(backend);
    s.assert(&pool, goal).expect("a boolean term");
    let one = pool.num(4, 1);
    let k_is_one = pool.eq(k, one);
    let answer = s.check(&pool, &[k_is_one]).expect("no failure");
    let expected = (0..16).any(|n| {
        let var = |v| Value::Bv(Bv::new(4, if pool.as_var(x) == Some(v) { n } else { 1 }));
        pool.eval(goal, var) == Value::Bool(true)
    });
    assert_eq!(answer == Answer::Sat, expected);
    if answer == Answer::Sat {
        assert_eq!(s.value(&pool, goal), Ok(Value::Bool(true)));
    }
}

fn wide_terms(backend: &dyn SmtBackend) {
    let mut pool = TermPool::new();
    let (x, y) = (
        var(&mut pool, "x", Type::Bv(1000)),
        var(&mut pool, "y", Type::Bv(1000)),
    );
    let (sum, difference) = (pool.bvadd(x, y), pool.bvsub(x, y));
    let back = pool.bvadd(difference, y);
    let wrong = pool.intern(Op::Eq, &[back, x]);
    let wrong = pool.not(wrong);
    let bound = pool.bv(Bv::one(1000).shl(&Bv::new(1000, 700)));
    let large = pool.bvult(bound, sum);
    let mut s = session(backend);
    assert_eq!(s.check(&pool, &[wrong]), Ok(Answer::Unsat));
    assert_eq!(s.check(&pool, &[large]), Ok(Answer::Sat));
    assert_eq!(s.value(&pool, large), Ok(Value::Bool(true)));
}

fn generalization(backend: &dyn SmtBackend) {
    if !backend
        .capabilities()
        .contains(Capabilities::MODEL_GENERALIZATION)
    {
        return;
    }
    let mut pool = TermPool::new();
    let (x, y) = (
        var(&mut pool, "x", Type::Bv(8)),
        var(&mut pool, "y", Type::Bv(8)),
    );
    let sum = pool.bvadd(x, y);
    let k = pool.num(8, 100);
    let formula = pool.eq(sum, k);
    let mut s = session(backend);
    assert_eq!(s.check(&pool, &[formula]), Ok(Answer::Sat));
    let keep = [pool.as_var(x).expect("a variable")];
    let general = s
        .generalize(&mut pool, &[formula], &keep)
        .expect("state SAT");
    assert!(
        pool.free_vars([general]).iter().all(|v| keep.contains(v)),
        "only kept variables"
    );
    assert_eq!(s.value(&pool, general), Ok(Value::Bool(true)));
}

fn statistics(backend: &dyn SmtBackend) {
    let mut pool = TermPool::new();
    let b = var(&mut pool, "b", Type::Bool);
    let not_b = pool.not(b);
    let mut s = session(backend);
    s.assert(&pool, b).expect("a boolean term");
    s.check(&pool, &[]).expect("no failure");
    s.set_kind("second");
    s.check(&pool, &[not_b]).expect("no failure");
    s.check(&pool, &[b]).expect("no failure");
    let stats = s.stats();
    let figures: Vec<_> = stats
        .kinds
        .iter()
        .map(|(&k, f)| (k, f.sat, f.unsat))
        .collect();
    assert_eq!(figures, [("query", 1, 0), ("second", 1, 1)]);
    assert_eq!(stats.total().queries(), 3);
}
