//! The conformance suite on every SMT-LIB program that is installed, and what only processes can do wrong.

use trellis_ivl::{Term, TermPool, Type};
use trellis_solver_api::smt::SmtBackend;
use trellis_solver_api::testing::{SMT_CHECKS, SmtScript, installed, random_scripts};
use trellis_solver_api::{Answer, Limits, SessionConfig, SolverError, UnknownReason};
use trellis_solver_smtlib::SmtLib;
use trellis_solver_smtlib::dialect::{self, Cores, Dialect};

/// Solvers that the test command installs; the others are tested where somebody has them.
const INSTALLED: [&str; 3] = ["z3", "yices", "cvc5"];

/// The backend, or a note that there is none.
fn find(dialect: &Dialect) -> Option<SmtLib> {
    let found = SmtLib::find(dialect);
    if INSTALLED.contains(&dialect.name) {
        installed(found)
    } else {
        found.ok()
    }
}

/// The suite with fewer random scripts: every session starts a process.
fn conforms(dialect: &Dialect) {
    let Some(backend) = find(dialect) else {
        return;
    };
    for (name, check) in SMT_CHECKS {
        if !name.ends_with("scripts") {
            eprintln!("{}: {name}", backend.name());
            check(&backend);
        }
    }
    random_scripts(&backend, "tiny", SmtScript::tiny, 0..20);
    random_scripts(&backend, "planted", SmtScript::planted, 0..10);
    random_scripts(&backend, "wide", SmtScript::wide, 0..8);
}

#[test]
fn z3() {
    conforms(&dialect::Z3);
}

#[test]
fn yices() {
    conforms(&dialect::YICES);
}

#[test]
fn cvc5() {
    conforms(&dialect::CVC5);
}

#[test]
fn bitwuzla() {
    conforms(&dialect::BITWUZLA);
}

#[test]
fn mathsat() {
    conforms(&dialect::MATHSAT);
}

/// The ways of speaking that none of the solvers here needs: declarations that die with their level,
/// named assertions for cores, instantiated constant arrays, overflows spelled out.
#[test]
fn other_dialects() {
    conforms(&Dialect {
        cores: Cores::Named,
        global_declarations: false,
        overflow_predicates: false,
        const_arrays: false,
        ..dialect::Z3
    });
}

/// A program made of a shell script.
fn script(text: &str) -> SmtLib {
    let arguments = vec!["-c".to_string(), text.to_string()];
    SmtLib::new(std::path::Path::new("/bin/sh"), arguments, dialect::GENERIC)
}

const VERSION: &str = "echo '(:version \"1\")'; ";

#[test]
fn absent_and_mute_programs() {
    let missing = SmtLib::command("/nowhere/z3").expect("a command line");
    let error = missing
        .session(&SessionConfig::default())
        .err()
        .expect("no such program");
    assert!(
        matches!(&error, SolverError::Unavailable { reason, .. }
        if reason.contains("/nowhere/z3: the program does not start")),
        "{error}"
    );
    let error = script("echo no solver here >&2; exit 3").session(&SessionConfig::default());
    let error = error.err().expect("it ends at once").to_string();
    assert!(
        error.contains("exit status: 3") && error.contains("no solver here"),
        "{error}"
    );
}

/// Dies, complains or talks nonsense: an error with its words, every time again, and never a hang.
#[test]
fn broken_programs() {
    let cases = [
        ("read a; echo dying >&2; exit 9", "dying"),
        (
            "echo '(error \"no such logic\")'; cat > /dev/null",
            "no such logic",
        ),
        ("echo maybe; cat > /dev/null", "it answered `maybe`"),
        ("exec >&-; cat > /dev/null", "it closed its output"),
    ];
    for (text, expected) in cases {
        let pool = TermPool::new();
        let backend = script(&format!("{VERSION}{text}"));
        let mut s = backend
            .session(&SessionConfig::default())
            .expect("it says its version");
        let error = s.check(&pool, &[]).expect_err("no answer").to_string();
        assert!(error.contains(expected), "{error}");
        s.check(&pool, &[])
            .expect_err("no better answer from the next process");
    }
}

/// A program that reads nothing and says nothing, with more to read than a pipe holds.
#[test]
fn hanging_programs() {
    let mut pool = TermPool::new();
    let terms: Vec<Term> = (0..20_000)
        .map(|i| {
            let v = pool.fresh(format!("a-rather-long-name-{i}"), Type::Bool);
            pool.var(v)
        })
        .collect();
    let backend = script(&format!("{VERSION}sleep 1000"));
    let mut s = backend
        .session(&SessionConfig::default())
        .expect("it says its version");
    s.set_limits(Limits::wall(std::time::Duration::from_millis(50)));
    assert_eq!(
        s.check(&pool, &terms),
        Ok(Answer::Unknown(UnknownReason::Time))
    );
    s.set_limits(Limits::NONE);
    let interrupter = s.interrupter();
    std::thread::scope(|scope| {
        scope.spawn(move || interrupter.interrupt());
        assert_eq!(
            s.check(&pool, &terms),
            Ok(Answer::Unknown(UnknownReason::Interrupted))
        );
    });
}

/// What was asserted survives the process.
#[test]
fn restarts_with_what_was_asserted() {
    let Some(backend) = find(&dialect::Z3) else {
        return;
    };
    let mut pool = TermPool::new();
    let x = pool.fresh("x", Type::Bv(8));
    let x = pool.var(x);
    let (three, four) = (pool.num(8, 3), pool.num(8, 4));
    let (below, above) = (pool.bvult(x, four), pool.bvult(three, x));
    let mut s = backend
        .session(&SessionConfig::default())
        .expect("a session");
    s.assert(&pool, below).expect("a formula");
    s.push().expect("a level");
    s.assert(&pool, above).expect("a formula");
    assert_eq!(s.check(&pool, &[]), Ok(Answer::Unsat));
    for _ in 0..2 {
        // An interrupted query costs the process.
        s.set_limits(Limits::wall(std::time::Duration::from_nanos(1)));
        assert_eq!(
            s.check(&pool, &[]),
            Ok(Answer::Unknown(UnknownReason::Time))
        );
        s.set_limits(Limits::NONE);
    }
    assert_eq!(s.check(&pool, &[]), Ok(Answer::Unsat));
    s.pop(1).expect("a level");
    assert_eq!(s.check(&pool, &[above]), Ok(Answer::Unsat));
    assert_eq!(s.unsat_core(), Ok(vec![above]));
    assert_eq!(s.check(&pool, &[]), Ok(Answer::Sat));
}
