//! Every mode against exhaustive exploration and the corpus, and progress of refinement.

#[path = "../../common/tests/support/mod.rs"]
mod support;

use std::path::{Path, PathBuf};
use support::{certified, compare, session};
use trellis_engine_cegar::{
    Abstraction, Faults, Mode, Options, Order, Source, Sources, run, run_with,
};
use trellis_engine_common::{Hooks, NoHooks, Outcome, Verdict};
use trellis_ivl::{Program, text};
use trellis_ivl_testing::Shape;
use trellis_solver_api::smt::{SmtBackend, SmtSession};
use trellis_solver_api::{Limits, SessionConfig};
use trellis_solver_bitblast::Bitblast;
use trellis_solver_cadical::Cadical;
use trellis_solver_interpolate::Interpolating;

/// Steps of one run, as the engine asks whether to go on.
const STEPS: u32 = 1_500;
/// Conflicts of one query; what needs more is left unknown.
const CONFLICTS: Limits = Limits {
    wall: None,
    conflicts: Some(2_000),
};

/// A session as the host lends it: interpolants by unsatisfiable cores, without any other solver.
fn interpolating() -> Box<dyn SmtSession> {
    let backend = Interpolating::new(Box::new(Bitblast::new(Cadical)));
    let session = backend.session(&SessionConfig::default());
    let mut session = session.expect("the embedded solver needs nothing");
    session.set_limits(CONFLICTS);
    session
}

/// Ends a run after so many steps, whatever the time.
struct Steps(u32);

impl Hooks for Steps {
    fn cancelled(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 == 0
    }
}

/// Runs the engine; a refuted counterexample never comes back.
fn decide(program: &Program, options: &Options) -> Outcome {
    let outcome = run(program, &mut *interpolating(), options, &mut Steps(STEPS))
        .unwrap_or_else(|e| panic!("{e}\n{options:?}\n{program}"));
    if let Verdict::Unknown(why) = &outcome.verdict {
        assert!(
            !why.contains("no progress"),
            "{why}\n{options:?}\n{program}"
        );
    }
    outcome
}

/// Every mode and every option once at least.
fn configurations() -> Vec<(&'static str, Options)> {
    let base = Options::default;
    vec![
        ("boolean", base()),
        (
            "cartesian",
            Options {
                abstraction: Abstraction::Cartesian,
                order: Order::Depth,
                ..base()
            },
        ),
        (
            "joined",
            Options {
                max_cubes: 1,
                order: Order::Breadth,
                ..base()
            },
        ),
        (
            "impact",
            Options {
                mode: Mode::Impact,
                ..base()
            },
        ),
        (
            "impact-depth",
            Options {
                mode: Mode::Impact,
                order: Order::Depth,
                interpolants: Source::Solver,
                ..base()
            },
        ),
        (
            "solver",
            Options {
                interpolants: Source::Solver,
                ..base()
            },
        ),
        (
            "wp",
            Options {
                sources: Sources {
                    guards: false,
                    wp: true,
                    templates: false,
                },
                ..base()
            },
        ),
    ]
}

/// On random programs every configuration is right, certified, and finds every error; most of what is safe is proved.
#[test]
fn every_configuration_agrees_with_exploration() {
    for (name, options) in configurations() {
        let options = Options {
            refinements: 60,
            ..options
        };
        let tally = compare(200, Shape::TINY, |p| decide(p, &options));
        assert_eq!(tally.unsafe_, tally.unsafe_found, "{name}");
        assert!(
            tally.safe_found * 10 > tally.safe * 9,
            "{name}: {} of {} proved",
            tally.safe_found,
            tally.safe
        );
    }
}

/// The corpus but for `matrix-fixed`, which no configuration decides within the limits of these tests.
fn corpus() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/ivl");
    let mut found = Vec::new();
    for dir in ["loops", "2ls", "pdr"] {
        let files = std::fs::read_dir(root.join(dir)).expect("a folder of the corpus");
        for file in files {
            let path = file.expect("a file").path();
            if path.ends_with("matrix-fixed.ivl") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a text");
            let verdict = text.lines().find_map(|l| l.strip_prefix("// verdict: "));
            if let Some(verdict) = verdict {
                found.push((path, verdict.trim().to_string()));
            }
        }
    }
    found.sort();
    found
}

fn parse(path: &Path) -> Program {
    let source = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
    text::parse(&source).unwrap_or_else(|e| panic!("{path:?}: {e}"))
}

/// The corpus in every mode: nothing is contradicted, and what is decided stays decided.
#[test]
fn corpus_is_decided() {
    let mut table = String::new();
    for (name, options) in configurations() {
        let options = Options {
            refinements: 25,
            ..options
        };
        let mut unknown = Vec::new();
        for (path, expected) in corpus() {
            let program = parse(&path);
            let outcome = decide(&program, &options);
            let file = path.file_stem().unwrap_or_default().to_string_lossy();
            let verdict =
                certified(&program, &outcome).unwrap_or_else(|e| panic!("{name}: {file}: {e}"));
            match (verdict, expected.as_str()) {
                ("safe", "true") | ("unsafe", "false") => {}
                ("unknown", _) => unknown.push(file.to_string()),
                _ => panic!("{name}: {file} is {expected}, not {verdict}"),
            }
        }
        table += &format!("{name}: {}\n", unknown.join(" "));
    }
    insta::assert_snapshot!(table);
}

const LOCK: &str = r#"ivl 1;
    proc main() {
      var state: bv8; var lock: bv1; var in: bv8;
      loc start entry; loc head; loc bad error "double lock";
      start -> head { state := 0bv8; lock := 0bv1 };
      head -> head { assume state == 0bv8; lock := 1bv1; state := 1bv8 };
      head -> head { assume state == 1bv8; havoc in; state := in & 1bv8; lock := 0bv1 };
      head -> bad { assume state == 0bv8 && lock == 1bv1 };
    }"#;

/// A refinement that has no effect is noticed, and ends the run with that reason.
#[test]
fn no_progress_is_unknown() {
    let program = text::parse(LOCK).unwrap_or_else(|e| panic!("{e}"));
    let outcome = run_with(
        &program,
        &mut *interpolating(),
        &Options::default(),
        Faults { forget: true },
        &mut NoHooks,
    )
    .unwrap_or_else(|e| panic!("{e}"));
    let Verdict::Unknown(why) = &outcome.verdict else {
        panic!("{:?}", outcome.verdict);
    };
    assert!(why.contains("came back"), "{why}");
}

/// Where the state decides a choice by variables that no error depends on, the counterexample has it right.
#[test]
fn choices_follow_the_whole_state() {
    let source = r#"ivl 1;
        proc main() {
          var n: bv8; var y: bv8; var z: bv8;
          loc start entry; loc head; loc bad error "third";
          start -> head { n := 0bv8; havoc y; y := y | 1bv8 };
          head -> head {
            n := n + 1bv8;
            { assume y == 0bv8; z := 1bv8 } [] { assume y != 0bv8; z := 2bv8 }
          };
          head -> bad { assume n == 3bv8 };
        }"#;
    let program = text::parse(source).unwrap_or_else(|e| panic!("{e}"));
    for (name, options) in configurations() {
        let outcome = decide(&program, &options);
        assert_eq!(certified(&program, &outcome), Ok("unsafe"), "{name}");
    }
}

/// Counts what the engine tells.
#[derive(Default)]
struct Told(Vec<String>);

impl Hooks for Told {
    fn progress(&mut self, message: &str) {
        self.0.push(message.to_string());
    }
}

/// The figures of a small run, so that a change of the algorithm is seen.
#[test]
fn a_small_run() {
    let program = text::parse(LOCK).unwrap_or_else(|e| panic!("{e}"));
    let mut log = String::new();
    for (name, options) in configurations() {
        let mut told = Told::default();
        let outcome = run(&program, &mut *interpolating(), &options, &mut told)
            .unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(certified(&program, &outcome), Ok("safe"), "{name}");
        let Verdict::Safe(proof) = &outcome.verdict else {
            panic!("{:?}", outcome.verdict);
        };
        log += &format!("{name}\n");
        for line in told.0 {
            log += &format!("  {line}\n");
        }
        let mut printer = trellis_ivl::text::TermPrinter::new(&outcome.pool);
        for invariant in proof.invariants.values() {
            log += &format!("  {}\n", printer.print(*invariant));
        }
    }
    insta::assert_snapshot!(log);
}

/// Without any interpolation in the solver, predicates do.
#[test]
fn plain_sessions_do() {
    let mut decided = 0;
    for (path, expected) in corpus() {
        let program = parse(&path);
        let options = Options {
            refinements: 25,
            ..Options::default()
        };
        let mut session = session();
        session.set_limits(CONFLICTS);
        let outcome = run(&program, &mut *session, &options, &mut Steps(STEPS))
            .unwrap_or_else(|e| panic!("{e}"));
        match (certified(&program, &outcome), expected.as_str()) {
            (Ok("safe"), "true") | (Ok("unsafe"), "false") => decided += 1,
            (Ok("unknown"), _) => {}
            (other, _) => panic!("{path:?}: {other:?}"),
        }
    }
    assert!(decided >= 10, "{decided}");
}
