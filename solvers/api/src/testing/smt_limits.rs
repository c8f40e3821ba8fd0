//! Conflict limits, wall time and interrupts of [`SmtSession`](crate::smt::SmtSession).

use super::promptness::{assert_prompt, interrupt_delay};
use super::smt_suite::{is_misuse, session, var};
use crate::smt::SmtBackend;
use crate::{Answer, Capabilities, Limits, UnknownReason};
use std::time::{Duration, Instant};
use trellis_ivl::{Term, TermPool, Type};

/// A product of two primes of 32 bits, to be factored.
fn hard(pool: &mut TermPool) -> Vec<Term> {
    let [x, y] = ["x", "y"].map(|n| var(pool, n, Type::Bv(32)));
    let product = {
        let (x, y) = (pool.zext(64, x), pool.zext(64, y));
        pool.bvmul(x, y)
    };
    let k = pool.num(64, 2_845_318_549 * 3_715_926_547);
    let one = pool.num(32, 1);
    vec![pool.eq(product, k), pool.bvult(one, x), pool.bvult(x, y)]
}

pub(super) fn conflict_limit(backend: &dyn SmtBackend) {
    if !backend
        .capabilities()
        .contains(Capabilities::CONFLICT_LIMIT)
    {
        return;
    }
    let mut pool = TermPool::new();
    let query = hard(&mut pool);
    let mut s = session(backend);
    s.set_limits(Limits::conflicts(10));
    assert_eq!(
        s.check(&pool, &query),
        Ok(Answer::Unknown(UnknownReason::Conflicts))
    );
    assert!(is_misuse(s.value(&pool, query[0])) && is_misuse(s.unsat_core()));
    s.set_limits(Limits::NONE);
    assert_eq!(s.check(&pool, &query[1..]), Ok(Answer::Sat));
}

pub(super) fn time_limit(backend: &dyn SmtBackend) {
    if !backend.capabilities().contains(Capabilities::TIME_LIMIT) {
        return;
    }
    let mut pool = TermPool::new();
    let query = hard(&mut pool);
    let mut s = session(backend);
    s.set_limits(Limits::wall(Duration::ZERO));
    assert_eq!(
        s.check(&pool, &query),
        Ok(Answer::Unknown(UnknownReason::Time))
    );
    let limit = Duration::from_millis(100);
    s.set_limits(Limits::wall(limit));
    assert_prompt(Duration::from_millis(150), || {
        let start = Instant::now();
        assert_eq!(
            s.check(&pool, &query),
            Ok(Answer::Unknown(UnknownReason::Time))
        );
        start.elapsed().saturating_sub(limit)
    });
    s.set_limits(Limits::NONE);
    assert_eq!(s.check(&pool, &query[1..]), Ok(Answer::Sat));
}

pub(super) fn interrupts(backend: &dyn SmtBackend) {
    if !backend.capabilities().contains(Capabilities::INTERRUPT) {
        return;
    }
    let mut pool = TermPool::new();
    let query = hard(&mut pool);
    let mut s = session(backend);
    s.interrupter().interrupt();
    assert_eq!(
        s.check(&pool, &[]),
        Ok(Answer::Unknown(UnknownReason::Interrupted))
    );
    assert_prompt(Duration::from_millis(100), || {
        interrupt_delay(s.interrupter(), Duration::from_millis(100), || {
            let answer = s.check(&pool, &query);
            assert_eq!(answer, Ok(Answer::Unknown(UnknownReason::Interrupted)));
        })
    });
    s.interrupter().clear();
    assert_eq!(s.check(&pool, &query[1..]), Ok(Answer::Sat));
}

/// A number reached by a long chain of products: large, so that a solver is met while it translates and simplifies.
fn large(pool: &mut TermPool) -> Term {
    let half = pool.num(32, 16);
    let [mut x, m, last] = ["x", "m", "last"].map(|n| var(pool, n, Type::Bv(32)));
    for _ in 0..150 {
        let product = pool.bvmul(x, m);
        let high = pool.bvlshr(x, half);
        x = pool.bvxor(product, high);
    }
    let number = pool.num(32, 0x1234_5678);
    // By way of a variable: solvers that eliminate it are met while they do so.
    let (defined, reached) = (pool.eq(last, x), pool.eq(last, number));
    pool.and(defined, reached)
}

/// Whatever the solver does at the moment of the interrupt, and it can be used afterwards.
pub(super) fn interrupts_of_large_queries(backend: &dyn SmtBackend) {
    if !backend.capabilities().contains(Capabilities::INTERRUPT) {
        return;
    }
    let mut pool = TermPool::new();
    let mut query = hard(&mut pool);
    query.push(large(&mut pool));
    for moment in [20, 150, 500].map(Duration::from_millis) {
        assert_prompt(Duration::from_millis(100), || {
            let mut s = session(backend);
            let delay = interrupt_delay(s.interrupter(), moment, || {
                let answer = s.check(&pool, &query);
                assert_eq!(answer, Ok(Answer::Unknown(UnknownReason::Interrupted)));
            });
            s.interrupter().clear();
            assert_eq!(s.check(&pool, &query[1..3]), Ok(Answer::Sat));
            delay
        });
    }
}
