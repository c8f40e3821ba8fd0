//! How long each backend goes on after an interrupt:
//! `cargo run --release -p trellis-solver-trace --example interrupts [-- COUNT]`. Two queries that none of them
//! answers soon are interrupted `COUNT` times each, after 50, 100, 150 ms and so on, so that all that a backend
//! does is met: one query searches (the factors of a prime), one is large as well (a chain of 200 products).

#[path = "../tests/backends/in_process.rs"]
mod backends;

use std::time::{Duration, Instant};
use trellis_ivl::{Term, TermPool, Type};
use trellis_solver_api::smt::SmtBackend;
use trellis_solver_api::{Answer, SessionConfig};

const STEP: Duration = Duration::from_millis(50);

fn main() {
    let count = std::env::args()
        .nth(1)
        .map_or(20, |n| n.parse().expect("a number"));
    println!("| backend | search: median, longest | large: median, longest |\n|---|---|---|");
    for backend in backends::in_process() {
        let [search, large] = [factors, chain].map(|query| {
            let mut delays: Vec<Duration> = (0..count)
                .map(|i| delay(&*backend, query, STEP * (i as u32 + 1)))
                .collect();
            delays.sort_unstable();
            let [median, longest] = [delays[count / 2], delays[count - 1]].map(|d| d.as_secs_f64());
            format!("{:.1} ms, {:.1} ms", median * 1000.0, longest * 1000.0)
        });
        println!("| {} | {search} | {large} |", backend.name());
    }
}

/// The time from an interrupt to the answer.
fn delay(
    backend: &dyn SmtBackend,
    query: fn(&mut TermPool) -> Term,
    head_start: Duration,
) -> Duration {
    let mut pool = TermPool::new();
    let query = query(&mut pool);
    let mut session = backend
        .session(&SessionConfig::default())
        .expect("a session");
    let interrupter = session.interrupter();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(head_start);
        let now = Instant::now();
        interrupter.interrupt();
        now
    });
    let answer = session.check(&pool, &[query]).expect("no failure");
    let end = Instant::now();
    let interrupted = thread.join().expect("it does not panic");
    assert!(matches!(answer, Answer::Unknown(_)), "answered too soon");
    end.saturating_duration_since(interrupted)
}

fn word(pool: &mut TermPool, name: &str, width: u32) -> Term {
    let v = pool.fresh(name, Type::Bv(width));
    pool.var(v)
}

/// Two numbers beyond 1, of 31 bits, multiply to the prime 2^61 - 1.
fn factors(pool: &mut TermPool) -> Term {
    let one = pool.num(62, 1);
    let prime = pool.num(62, (1 << 61) - 1);
    let [a, b] = ["a", "b"].map(|name| {
        let x = word(pool, name, 31);
        pool.zext(62, x)
    });
    let product = pool.bvmul(a, b);
    let (right, proper) = (pool.eq(product, prime), pool.bvult(one, a));
    pool.and(right, proper)
}

/// The same, and a number reached by a long chain of products.
fn chain(pool: &mut TermPool) -> Term {
    let half = pool.num(32, 16);
    let (mut x, m) = (word(pool, "x", 32), word(pool, "m", 32));
    for _ in 0..200 {
        let product = pool.bvmul(x, m);
        let high = pool.bvlshr(x, half);
        x = pool.bvxor(product, high);
    }
    let number = pool.num(32, 0x1234_5678);
    let (reached, factors) = (pool.eq(x, number), factors(pool));
    pool.and(reached, factors)
}
