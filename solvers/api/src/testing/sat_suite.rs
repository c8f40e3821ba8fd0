//! The conformance suite of [`SatSession`](crate::sat::SatSession): the state machine, answers against
//! a brute-force reference, cores, limits and interrupts.

use super::Rng;
use super::promptness::{assert_prompt, interrupt_delay};
use super::sat_reference::{Cnf, pigeonhole, random_clause, random_lit};
use crate::sat::{Lit, SatBackend, SatSession};
use crate::{Answer, Capabilities, Limits, SessionConfig, SolverError, UnknownReason};
use std::time::{Duration, Instant};

/// A named check of a backend.
pub type SatCheck = (&'static str, fn(&dyn SatBackend));

/// Every check, for callers that run them one by one.
pub const SAT_CHECKS: &[SatCheck] = &[
    ("states", states),
    (
        "assumptions last for one solve",
        assumptions_last_for_one_solve,
    ),
    ("empty clause", empty_clause),
    ("differential", differential),
    ("determinism", determinism),
    ("conflict limit", conflict_limit),
    ("time limit", time_limit),
    ("sticky interrupt", sticky_interrupt),
    ("interrupt while solving", interrupt_while_solving),
];

/// Runs every check; panics at the first that fails.
pub fn check_sat_backend(backend: &dyn SatBackend) {
    for (name, check) in SAT_CHECKS {
        eprintln!("{}: {name}", backend.name());
        check(backend);
    }
}

fn session(backend: &dyn SatBackend) -> Box<dyn SatSession> {
    backend
        .session(&SessionConfig::default())
        .expect("a session with the default configuration")
}

fn add_all(session: &mut dyn SatSession, clauses: &[Vec<Lit>]) {
    for clause in clauses {
        session.add_clause(clause);
    }
}

fn solve(session: &mut dyn SatSession, assumptions: &[Lit]) -> Answer {
    for &lit in assumptions {
        session.assume(lit);
    }
    session.solve().expect("solve does not fail")
}

fn states(backend: &dyn SatBackend) {
    let misuse = |r: Result<(), SolverError>| matches!(r, Err(SolverError::Misuse { .. }));
    let mut s = session(backend);
    assert_eq!(s.max_var(), 0);
    s.reserve(10);
    assert_eq!(s.max_var(), 0, "reserve creates no variable");
    let (a, b) = (s.new_var(), s.new_var());
    assert_eq!((a.to_dimacs(), b.to_dimacs(), s.max_var()), (1, 2, 2));
    assert!(misuse(s.value(a).map(drop)), "value before solve");
    assert!(misuse(s.failed(a).map(drop)), "failed before solve");

    s.add_clause(&[a, b]);
    assert_eq!(solve(&mut *s, &[!a]), Answer::Sat);
    assert_eq!(
        (s.value(a), s.value(!a), s.value(b)),
        (Ok(Some(false)), Ok(Some(true)), Ok(Some(true)))
    );
    assert!(misuse(s.failed(!a).map(drop)), "failed in state SAT");
    assert_eq!(s.value(b), Ok(Some(true)), "a failed read leaves the state");
    let beyond = Lit::positive(100).expect("small");
    s.value(beyond)
        .expect("a variable that does not exist has no value");

    s.assume(!b);
    assert!(misuse(s.value(a).map(drop)), "assume leaves state SAT");
    assert_eq!(solve(&mut *s, &[!a]), Answer::Unsat);
    assert_eq!(
        (s.failed(!a), s.failed(!b), s.failed(a)),
        (Ok(true), Ok(true), Ok(false))
    );
    assert_eq!(s.failed(beyond), Ok(false));
    assert!(misuse(s.value(a).map(drop)), "value in state UNSAT");

    // Variables come into being by mention, and new ones follow them.
    let far = Lit::positive(7).expect("small");
    s.add_clause(&[far, a]);
    assert!(
        misuse(s.failed(!a).map(drop)),
        "add_clause leaves state UNSAT"
    );
    assert_eq!(s.new_var().to_dimacs(), 8);
    assert_eq!(solve(&mut *s, &[]), Answer::Sat);
    assert!(s.stats().solves >= 3 && s.stats().clauses >= 2 && s.stats().variables >= 8);
}

fn assumptions_last_for_one_solve(backend: &dyn SatBackend) {
    let mut s = session(backend);
    let a = s.new_var();
    assert_eq!(solve(&mut *s, &[a, !a]), Answer::Unsat);
    assert_eq!((s.failed(a), s.failed(!a)), (Ok(true), Ok(true)));
    assert_eq!(solve(&mut *s, &[]), Answer::Sat);
    assert_eq!(solve(&mut *s, &[a, a]), Answer::Sat);
    assert_eq!(s.value(a), Ok(Some(true)));
    assert_eq!(solve(&mut *s, &[!a]), Answer::Sat);
    s.add_clause(&[a]);
    assert_eq!(solve(&mut *s, &[!a]), Answer::Unsat);
    assert_eq!(s.failed(!a), Ok(true));
}

fn empty_clause(backend: &dyn SatBackend) {
    let mut s = session(backend);
    let a = s.new_var();
    assert_eq!(solve(&mut *s, &[a]), Answer::Sat);
    s.add_clause(&[]);
    assert_eq!(solve(&mut *s, &[a]), Answer::Unsat);
    assert_eq!(
        s.failed(a),
        Ok(false),
        "the empty clause needs no assumption"
    );
    let b = s.new_var();
    s.add_clause(&[a, b]);
    assert_eq!(solve(&mut *s, &[]), Answer::Unsat);
}

/// Random clauses and assumptions, clauses added between the queries.
fn differential(backend: &dyn SatBackend) {
    let mut unsatisfiable = 0;
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let vars = rng.range(2, 10) as u32;
        let mut s = session(backend);
        let mut cnf = Cnf::default();
        for _ in 0..rng.range(1, 5) {
            for _ in 0..rng.range(1, 2 * vars as usize) {
                let clause = random_clause(&mut rng, vars);
                s.add_clause(&clause);
                cnf.clauses.push(clause);
            }
            for _ in 0..rng.range(1, 4) {
                let assumed: Vec<Lit> = (0..rng.below(6))
                    .map(|_| random_lit(&mut rng, vars))
                    .collect();
                unsatisfiable += usize::from(one_query(&mut *s, &cnf, vars, &assumed, seed));
            }
        }
    }
    assert!(
        unsatisfiable > 100,
        "the generator makes too few unsatisfiable queries"
    );
}

/// Whether the query is unsatisfiable; panics where the session disagrees with the reference.
fn one_query(s: &mut dyn SatSession, cnf: &Cnf, vars: u32, assumed: &[Lit], seed: u64) -> bool {
    let expected = cnf.satisfiable(vars, assumed);
    let answer = solve(s, assumed);
    assert_eq!(
        answer == Answer::Sat,
        expected,
        "seed {seed}, {assumed:?}, {cnf:?}: {answer}"
    );
    if expected {
        let holds = |lit: Lit| s.value(lit).expect("state SAT") == Some(true);
        assert!(
            assumed.iter().all(|&l| holds(l)),
            "seed {seed}: an assumption is not in the model"
        );
        for clause in &cnf.clauses {
            // A tautology holds even where its variable has no value.
            let tautology = clause.iter().any(|&l| clause.contains(&!l));
            assert!(
                tautology || clause.iter().any(|&l| holds(l)),
                "seed {seed}: no model of {clause:?}"
            );
        }
        return false;
    }
    let core: Vec<Lit> = assumed
        .iter()
        .copied()
        .filter(|&l| s.failed(l).expect("state UNSAT"))
        .collect();
    assert!(
        !cnf.satisfiable(vars, &core),
        "seed {seed}: {core:?} is no core"
    );
    assert_eq!(
        solve(s, &core),
        Answer::Unsat,
        "seed {seed}: the core alone"
    );
    true
}

fn determinism(backend: &dyn SatBackend) {
    if !backend.capabilities().contains(Capabilities::DETERMINISTIC) {
        return;
    }
    let run = || {
        let mut s = session(backend);
        let mut rng = Rng::new(7);
        let clauses: Vec<_> = (0..700).map(|_| random_clause(&mut rng, 200)).collect();
        add_all(&mut *s, &clauses);
        let answer = solve(&mut *s, &[]);
        let model: Vec<_> = (1..=200)
            .map(|v| s.value(Lit::positive(v).expect("small")).ok())
            .collect();
        (answer, model)
    };
    assert_eq!(run(), run());
}

fn conflict_limit(backend: &dyn SatBackend) {
    if !backend
        .capabilities()
        .contains(Capabilities::CONFLICT_LIMIT)
    {
        return;
    }
    let mut s = session(backend);
    add_all(&mut *s, &pigeonhole(6));
    s.set_limits(Limits::conflicts(5));
    for _ in 0..2 {
        // The limit holds for each solve, not for all together.
        let answer = solve(&mut *s, &[]);
        assert_eq!(answer, Answer::Unknown(UnknownReason::Conflicts));
        let one = Lit::positive(1).expect("small");
        assert!(
            s.value(one).is_err() && s.failed(one).is_err(),
            "nothing to read after unknown"
        );
    }
    s.set_limits(Limits::NONE);
    assert_eq!(solve(&mut *s, &[]), Answer::Unsat);
}

fn time_limit(backend: &dyn SatBackend) {
    if !backend.capabilities().contains(Capabilities::TIME_LIMIT) {
        return;
    }
    let mut s = session(backend);
    add_all(&mut *s, &pigeonhole(14));
    s.set_limits(Limits::wall(Duration::ZERO));
    assert_eq!(solve(&mut *s, &[]), Answer::Unknown(UnknownReason::Time));
    let limit = Duration::from_millis(60);
    s.set_limits(Limits::wall(limit));
    assert_prompt(Duration::from_millis(100), || {
        let start = Instant::now();
        assert_eq!(solve(&mut *s, &[]), Answer::Unknown(UnknownReason::Time));
        assert!(start.elapsed() >= limit, "gave up before the limit");
        start.elapsed() - limit
    });
}

fn sticky_interrupt(backend: &dyn SatBackend) {
    if !backend.capabilities().contains(Capabilities::INTERRUPT) {
        return;
    }
    let mut s = session(backend);
    let a = s.new_var();
    let interrupter = s.interrupter();
    interrupter.interrupt();
    for _ in 0..2 {
        assert_eq!(
            solve(&mut *s, &[a]),
            Answer::Unknown(UnknownReason::Interrupted)
        );
    }
    interrupter.clear();
    assert_eq!(solve(&mut *s, &[]), Answer::Sat);
    assert_eq!(
        solve(&mut *s, &[!a]),
        Answer::Sat,
        "assumptions of an interrupted solve are gone"
    );
}

fn interrupt_while_solving(backend: &dyn SatBackend) {
    if !backend.capabilities().contains(Capabilities::INTERRUPT) {
        return;
    }
    let mut s = session(backend);
    add_all(&mut *s, &pigeonhole(14));
    assert_prompt(Duration::from_millis(100), || {
        interrupt_delay(s.interrupter(), Duration::from_millis(40), || {
            assert_eq!(
                solve(&mut *s, &[]),
                Answer::Unknown(UnknownReason::Interrupted)
            );
        })
    });
}
