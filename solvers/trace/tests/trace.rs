//! What is recorded, that it replays on every backend, and that a lying solver is caught.
//!
//! A binary of its own: Yices allows one thread of a process at a time.

mod backends;

use std::sync::{Arc, Mutex};
use trellis_ivl::{TermPool, Type};
use trellis_solver_api::sat::SatBackend;
use trellis_solver_api::smt::{SmtBackend, SmtSession};
use trellis_solver_api::testing::{
    IdleSession, Rng, SMT_CHECKS, SmtCommand, SmtScript, check_sat_backend, random_clause,
};
use trellis_solver_api::{Answer, Capabilities, SessionConfig, SolverError};
use trellis_solver_batsat::Batsat;
use trellis_solver_bitblast::Bitblast;
use trellis_solver_cadical::Cadical;
use trellis_solver_trace::{Clauses, Recorded, RecordedSat, Script, Traced, Validated};

/// A buffer that can be read while a session holds it.
#[derive(Clone, Default)]
struct Buffer(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic").extend(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Buffer {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("no panic").clone()).expect("text")
    }
}

fn default_session() -> Box<dyn SmtSession> {
    let backend = Bitblast::new(Cadical);
    backend
        .session(&SessionConfig::default())
        .expect("a session")
}

#[test]
fn a_session_as_text() {
    let buffer = Buffer::default();
    let mut s = Recorded::new(default_session(), buffer.clone()).expect("writable");
    let mut pool = TermPool::new();
    let x = pool.fresh("x", Type::Bv(8));
    let x = pool.var(x);
    let (three, five) = (pool.num(8, 3), pool.num(8, 5));
    let (below, sum) = (pool.bvult(x, three), pool.bvadd(x, five));
    let above = pool.bvult(five, x);
    s.assert(&pool, below).expect("a formula");
    s.push().expect("push");
    assert_eq!(s.check(&pool, &[above]), Ok(Answer::Unsat));
    assert_eq!(s.unsat_core(), Ok(vec![above]));
    s.pop(1).expect("pop");
    s.set_kind("second");
    assert_eq!(s.check(&pool, &[]), Ok(Answer::Sat));
    s.value(&pool, sum).expect("state SAT");
    assert!(
        s.assert(&pool, x).is_err(),
        "what is refused is not recorded"
    );
    let text = buffer.text();
    let commands: Vec<&str> = text.lines().skip(5).collect();
    assert_eq!(
        commands,
        [
            "(declare-const x!0 (_ BitVec 8))",
            "(define-fun t3 () Bool (bvult x!0 #x03))",
            "(assert t3)",
            "(push 1)",
            "(define-fun t5 () Bool (bvult #x05 x!0))",
            "(check-sat-assuming (t5))",
            "(set-info :answer unsat)",
            "(get-unsat-assumptions)",
            "(pop 1)",
            "; kind: second",
            "(check-sat)",
            "(set-info :answer sat)",
            "(define-fun t4 () (_ BitVec 8) (bvadd x!0 #x05))",
            "(get-value (t4))",
        ],
        "{text}"
    );
}

/// The script recorded while the commands of `script` run, values and cores included.
fn record(script: &SmtScript) -> String {
    let buffer = Buffer::default();
    let mut s = Recorded::new(default_session(), buffer.clone()).expect("writable");
    for command in &script.commands {
        match command {
            SmtCommand::Assert(t) => s.assert(&script.pool, *t).expect("a formula"),
            SmtCommand::Push => s.push().expect("push"),
            SmtCommand::Pop => s.pop(1).expect("an open level"),
            SmtCommand::Check(assumed) => match s.check(&script.pool, assumed).expect("no failure")
            {
                Answer::Sat => {
                    for &t in &script.probes {
                        s.value(&script.pool, t).expect("state SAT");
                    }
                }
                Answer::Unsat => drop(s.unsat_core().expect("state UNSAT")),
                Answer::Unknown(_) => {}
            },
        }
    }
    buffer.text()
}

/// One test: Yices allows one thread.
#[test]
fn replays_on_every_backend() {
    let config = SessionConfig::default();
    let replay = |backend: &dyn SmtBackend, script: &Script, seed: u64| {
        let session = backend.session(&config).expect("a session");
        let mut session = Validated::new(session);
        let replay = script.replay(&mut session, |_| true);
        let replay = replay.unwrap_or_else(|e| panic!("{}, seed {seed}: {e}", backend.name()));
        assert_eq!(
            replay.differences,
            [0; 0],
            "{}, seed {seed}",
            backend.name()
        );
        assert_eq!(replay.answers.len(), script.queries());
        replay.counts()[1]
    };
    let (in_process, pipes) = (backends::in_process(), backends::pipes());
    let mut unsat = 0;
    for seed in 0..40 {
        for script in [SmtScript::tiny(seed), SmtScript::wide(seed)] {
            let script = Script::read(&record(&script)).expect("what we wrote");
            for backend in &in_process {
                unsat += replay(&**backend, &script, seed);
            }
            for backend in pipes.iter().filter(|_| seed < 2) {
                replay(&**backend, &script, seed);
            }
        }
    }
    assert!(unsat > 50, "too few unsatisfiable queries: {unsat}");
}

#[test]
fn a_changed_answer_is_a_difference() {
    let text = "(declare-const b Bool)(assert b)(check-sat)(set-info :answer unsat)\
                (set-info :status sat)(check-sat-assuming ((not b)))(check-sat)";
    let script = Script::read(text).expect("a script");
    let replay = script.replay(&mut *default_session(), |_| true);
    let replay = replay.expect("no failure");
    assert_eq!(replay.differences, [0, 1]);
    assert_eq!(replay.counts(), [2, 1, 0]);
    assert!(Script::read("(assert x)").is_err());
}

#[test]
fn tracing_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    /// Everything traced and validated.
    struct Everything(Traced<Bitblast>, String);
    impl SmtBackend for Everything {
        fn name(&self) -> &str {
            self.0.name()
        }
        fn capabilities(&self) -> Capabilities {
            self.0.capabilities()
        }
        fn session(&self, config: &SessionConfig) -> Result<Box<dyn SmtSession>, SolverError> {
            let config = config.clone().with("validate", 1).with("trace", &self.1);
            self.0.session(&config)
        }
    }
    let path = folder.path().join("traces");
    let path = path.to_str().expect("a readable path").to_string();
    let backend = Everything(Traced(Bitblast::new(Batsat)), path.clone());
    for (name, check) in SMT_CHECKS {
        if !name.ends_with("scripts") && !name.contains("deep") {
            check(&backend);
        }
    }
    let files = std::fs::read_dir(&path).expect("a folder").count();
    assert!(files > 5, "a file per session, not {files}");
    let wrong = SessionConfig::default().with("validate", "maybe");
    let error = backend.0.session(&wrong).err().expect("no such value");
    assert!(
        error.to_string().contains("`maybe` is not 0 or 1"),
        "{error}"
    );
}

#[test]
fn a_lie_is_caught() {
    let mut pool = TermPool::new();
    let x = pool.fresh("x", Type::Bv(8));
    let x = pool.var(x);
    let (zero, one) = (pool.num(8, 0), pool.num(8, 1));
    let (is_zero, is_one, next) = (pool.eq(x, zero), pool.eq(x, one), pool.bvadd(x, one));
    let mut s = Validated::new(Box::new(IdleSession));
    s.assert(&pool, is_zero).expect("accepted");
    assert_eq!(s.check(&pool, &[]), Ok(Answer::Sat), "this model is one");
    let error = s
        .value(&pool, next)
        .expect_err("0 + 1 is not 0")
        .to_string();
    assert!(error.contains("bvadd") && error.contains("idle"), "{error}");
    let error = s.check(&pool, &[is_one]).expect_err("a lie").to_string();
    assert!(
        error.contains("wrong model") && error.contains("is false"),
        "{error}"
    );
    s.push().expect("push");
    s.assert(&pool, is_one).expect("accepted");
    s.check(&pool, &[]).expect_err("a lie about an assertion");
    s.pop(1).expect("pop");
    assert_eq!(s.check(&pool, &[]), Ok(Answer::Sat), "popped");
}

#[test]
fn sat_sessions_as_text_and_back() {
    let config = SessionConfig::default();
    for seed in 0..30 {
        let buffer = Buffer::default();
        let inner = Cadical.session(&config).expect("a session");
        let mut s = RecordedSat::new(inner, buffer.clone()).expect("writable");
        use trellis_solver_api::sat::SatSession;
        let mut rng = Rng::new(seed);
        let mut answers = Vec::new();
        for _ in 0..5 {
            for _ in 0..12 {
                s.add_clause(&random_clause(&mut rng, 12));
            }
            for lit in random_clause(&mut rng, 12) {
                s.assume(lit);
            }
            answers.push(s.solve().expect("no failure"));
        }
        let clauses = Clauses::read(&buffer.text()).expect("what we wrote");
        let mut other = Batsat.session(&config).expect("a session");
        let replay = clauses.replay(&mut *other).expect("models hold");
        assert_eq!((replay.answers, replay.differences), (answers, vec![]));
    }
    check_sat_backend(&Traced(Batsat));
}

#[test]
fn damaged_clauses() {
    let read = |text: &str| {
        let error = Clauses::read(text).err();
        error.map(|e| e.to_string()).unwrap_or_default()
    };
    assert_eq!(read("p cnf 2 1\n1 -2\n0\n"), "");
    assert_eq!(read("p inccnf\n1 x 0\n"), "line 2: `x` is no literal");
    assert_eq!(read("1 2\n"), "line 1: the last clause does not end with 0");
    assert_eq!(
        read("a 1 2\n"),
        "line 1: assumptions end with 0 on their line"
    );
    assert_eq!(read("p wcnf 1 1\n"), "line 1: `wcnf` is not inccnf or cnf");
    assert_eq!(read("-2147483648 0"), "line 1: `-2147483648` is too large");
    let wrong = Clauses::read("1 0\na -1 0\nc answer sat\n").expect("clauses");
    let mut session = Cadical.session(&SessionConfig::default()).expect("one");
    let replay = wrong.replay(&mut *session).expect("no failure");
    assert_eq!(replay.differences, [0]);
}
