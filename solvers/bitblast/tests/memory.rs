//! What gates cost in memory: all that a formula needs before the SAT solver sees its first clause.
//!
//! One test, because the peak of a process is what is measured: `cargo test --release -p
//! trellis-solver-bitblast --test memory -- --nocapture` shows the figures.

use trellis_ivl::{Term, TermPool, Type};
use trellis_solver_api::smt::SmtBackend;
use trellis_solver_api::testing::Rng;
use trellis_solver_api::{Answer, SessionConfig};
use trellis_solver_bitblast::Bitblast;
use trellis_solver_cadical::Cadical;

/// The peak of this process in MB, where the system tells it.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024)
}

/// Translates `count` operations on words made by earlier ones, each compared with a variable.
fn blast(width: u32, count: usize, operation: fn(&mut TermPool, Term, Term) -> Term) -> u64 {
    let mut pool = TermPool::new();
    let mut rng = Rng::new(3);
    let mut words: Vec<Term> = (0..64)
        .map(|i| {
            let v = pool.fresh(format!("x{i}"), Type::Bv(width));
            pool.var(v)
        })
        .collect();
    // No comparison with it is decided by rewriting, which would end the query early.
    let bound = pool.fresh("bound", Type::Bv(width));
    let bound = pool.var(bound);
    let mut assumptions = Vec::new();
    for i in 0..count {
        let (a, b) = (*rng.pick(&words), *rng.pick(&words));
        let word = operation(&mut pool, a, b);
        assumptions.push(pool.bvult(word, bound));
        // Without new variables all words soon come from few, and become equal.
        let place = rng.below(words.len());
        words[place] = match i % 4 {
            0 => {
                let v = pool.fresh(format!("y{i}"), Type::Bv(width));
                pool.var(v)
            }
            _ => word,
        };
    }
    // The last one ends the query when all others are gates and none has clauses.
    assumptions.push(pool.fls());
    let backend = Bitblast::new(Cadical);
    let mut session = backend
        .session(&SessionConfig::default())
        .expect("a session");
    assert_eq!(session.check(&pool, &assumptions), Ok(Answer::Unsat));
    session.stats().counters["gates"]
}

#[test]
fn gates_fit_into_memory() {
    let check = |what: &str, gates: u64, least_gates: u64, limit: u64| {
        assert!(gates > least_gates, "{what}: only {gates} gates");
        let Some(peak) = peak() else { return };
        println!("{what}: {gates} gates, peak {peak} MB");
        assert!(peak < limit, "{what}: {peak} MB");
    };
    let sums = blast(32, 100_000, TermPool::bvadd);
    check(
        "100,000 sums and comparisons of 32 bits",
        sums,
        6_000_000,
        500,
    );
    let products = blast(64, 1_000, TermPool::bvmul);
    check("1,000 products of 64 bits", products, 3_000_000, 1000);
}
