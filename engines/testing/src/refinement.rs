//! What tests of engines that refine share: sessions that interpolate, the corpus, small runs.

use crate::reference::{certified, compare, parse, session};
use std::cell::Cell;
use std::fmt::Debug;
use std::path::PathBuf;
use trellis_e2e::corpus;
use trellis_engine_common::Outcome;
use trellis_engine_common::refinement::Faults;
use trellis_ivl::{Program, text};
use trellis_ivl_testing::Shape;
use trellis_plugin_sdk::{EngineError, Host, NoHost, Verdict};
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

/// Two states and a lock: few predicates prove it safe.
const LOCK: &str = r#"ivl 1;
    proc main() {
      var state: bv8; var lock: bv1; var in: bv8;
      loc start entry; loc head; loc bad error "double lock";
      start -> head { state := 0bv8; lock := 0bv1 };
      head -> head { assume state == 0bv8; lock := 1bv1; state := 1bv8 };
      head -> head { assume state == 1bv8; havoc in; state := in & 1bv8; lock := 0bv1 };
      head -> bad { assume state == 0bv8 && lock == 1bv1 };
    }"#;

/// An engine's `run`.
pub type Run<O> =
    fn(&Program, &mut dyn SmtSession, &O, Faults, &mut dyn Host) -> Result<Outcome, EngineError>;

/// An engine with its configurations, every mode and every option once at least.
pub struct Subject<O: 'static> {
    /// The engine.
    pub run: Run<O>,
    /// Its configurations by name.
    pub configurations: Vec<(&'static str, O)>,
    /// The same options with these limits of refinements and iterations.
    pub limited: fn(&O, Option<u32>, Option<u32>) -> O,
}

/// A session as the host lends it: interpolants by unsatisfiable cores, without any other solver.
fn interpolating() -> Box<dyn SmtSession> {
    let backend = Interpolating::new(Box::new(Bitblast::new(Cadical)));
    let session = backend.session(&SessionConfig::default());
    let mut session = session.expect("the embedded solver needs nothing");
    session.set_limits(CONFLICTS);
    session
}

/// Ends a run after so many steps, whatever the time.
struct Steps(Cell<u32>);

impl Steps {
    fn new() -> Steps {
        Steps(Cell::new(STEPS))
    }
}

impl Host for Steps {
    fn cancelled(&self) -> bool {
        self.0.set(self.0.get().saturating_sub(1));
        self.0.get() == 0
    }
}

/// Keeps what the engine tells.
#[derive(Default)]
struct Told(Vec<String>);

impl Host for Told {
    fn progress(&mut self, stage: &str, at: u64) {
        self.0.push(format!("{stage} {at}"));
    }
}

impl<O: Debug> Subject<O> {
    /// Runs the engine; a refuted counterexample never comes back.
    ///
    /// # Panics
    /// Where that is not so.
    pub fn decide(&self, program: &Program, options: &O) -> Outcome {
        let (mut session, mut host) = (interpolating(), Steps::new());
        let faults = Faults::default();
        let outcome = (self.run)(program, &mut *session, options, faults, &mut host)
            .unwrap_or_else(|e| panic!("{e}\n{options:?}\n{program}"));
        if let Verdict::Unknown(why) = &outcome.verdict {
            assert!(
                !why.contains("no progress"),
                "{why}\n{options:?}\n{program}"
            );
        }
        outcome
    }

    /// On random programs every configuration is right, certified, and finds every error; most of what is safe is proved.
    ///
    /// # Panics
    /// Where that is not so.
    pub fn agrees_with_exploration(&self) {
        for (name, options) in &self.configurations {
            let options = (self.limited)(options, Some(60), Some(60));
            let tally = compare(200, Shape::TINY, |p| self.decide(p, &options));
            assert_eq!(tally.unsafe_, tally.unsafe_found, "{name}");
            assert!(
                tally.safe_found * 10 > tally.safe * 9,
                "{name}: {} of {} proved",
                tally.safe_found,
                tally.safe
            );
        }
    }

    /// What is left undecided of the corpus in each configuration; nothing is contradicted.
    ///
    /// # Panics
    /// Where that is not so.
    pub fn undecided(&self) -> String {
        let mut table = String::new();
        for (name, options) in &self.configurations {
            let options = (self.limited)(options, Some(25), Some(40));
            let mut unknown = Vec::new();
            for (path, expected) in corpus() {
                let program = parse(&path);
                let outcome = self.decide(&program, &options);
                let file = path.file_stem().unwrap_or_default().to_string_lossy();
                let verdict =
                    judged(&program, &outcome).unwrap_or_else(|e| panic!("{name}: {file}: {e}"));
                match (verdict, expected.as_str()) {
                    ("safe", "true") | ("unsafe", "false") => {}
                    ("unknown", _) => unknown.push(file.to_string()),
                    _ => panic!("{name}: {file} is {expected}, not {verdict}"),
                }
            }
            table += &format!("{name}: {}\n", unknown.join(" "));
        }
        table
    }

    /// How many programs of the corpus are decided without any interpolation in the solver.
    ///
    /// # Panics
    /// Where that is not so.
    pub fn decided_without_interpolation(&self) -> usize {
        let options = (self.limited)(&self.configurations[0].1, Some(25), Some(40));
        let mut decided = 0;
        for (path, expected) in corpus() {
            let program = parse(&path);
            let (mut session, mut host) = (session(), Steps::new());
            session.set_limits(CONFLICTS);
            let faults = Faults::default();
            let outcome = (self.run)(&program, &mut *session, &options, faults, &mut host)
                .unwrap_or_else(|e| panic!("{e}"));
            match (judged(&program, &outcome), expected.as_str()) {
                (Ok("safe"), "true") | (Ok("unsafe"), "false") => decided += 1,
                (Ok("unknown"), _) => {}
                (other, _) => panic!("{path:?}: {other:?}"),
            }
        }
        decided
    }

    /// A refinement that has no effect is noticed, and ends the run with that reason.
    ///
    /// # Panics
    /// Where that is not so.
    pub fn notices_no_progress(&self) {
        let program = text::parse(LOCK).unwrap_or_else(|e| panic!("{e}"));
        let options = &self.configurations[0].1;
        let faults = Faults { forget: true };
        let mut session = interpolating();
        let outcome = (self.run)(&program, &mut *session, options, faults, &mut NoHost)
            .unwrap_or_else(|e| panic!("{e}"));
        let Verdict::Unknown(why) = &outcome.verdict else {
            panic!("{:?}", outcome.verdict);
        };
        assert!(why.contains("came back"), "{why}");
    }

    /// What each configuration tells about a small run, and its proof.
    ///
    /// # Panics
    /// Where that is not so.
    pub fn small_run(&self) -> String {
        let program = text::parse(LOCK).unwrap_or_else(|e| panic!("{e}"));
        let mut log = String::new();
        for (name, options) in &self.configurations {
            let (mut session, mut told) = (interpolating(), Told::default());
            let faults = Faults::default();
            let outcome = (self.run)(&program, &mut *session, options, faults, &mut told)
                .unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(judged(&program, &outcome), Ok("safe"), "{name}");
            let Verdict::Safe(proof) = &outcome.verdict else {
                panic!("{:?}", outcome.verdict);
            };
            log += &format!("{name}\n");
            for line in told.0 {
                log += &format!("  {line}\n");
            }
            let mut printer = text::TermPrinter::new(&outcome.pool);
            for invariant in proof.invariants.values() {
                log += &format!("  {}\n", printer.print(*invariant));
            }
        }
        log
    }
}

/// The corpus but for `matrix-fixed`, which no configuration decides within the limits of these tests.
fn corpus() -> Vec<(PathBuf, String)> {
    let mut all = corpus::ivl();
    all.retain(|(path, _)| !path.ends_with("matrix-fixed.ivl"));
    all
}

fn judged(program: &Program, outcome: &Outcome) -> Result<&'static str, String> {
    certified(program, &outcome.pool, &outcome.verdict)
}

/// The tests of a [`Subject`].
#[macro_export]
macro_rules! refinement_tests {
    ($subject:expr) => {
        #[test]
        fn every_configuration_agrees_with_exploration() {
            $subject.agrees_with_exploration();
        }

        /// What is decided stays decided.
        #[test]
        fn corpus_is_decided() {
            $crate::insta::assert_snapshot!($subject.undecided());
        }

        #[test]
        fn no_progress_is_unknown() {
            $subject.notices_no_progress();
        }

        /// The figures of a small run, so that a change of the algorithm is seen.
        #[test]
        fn a_small_run() {
            $crate::insta::assert_snapshot!($subject.small_run());
        }

        #[test]
        fn plain_sessions_do() {
            let decided = $subject.decided_without_interpolation();
            assert!(decided >= 10, "{decided}");
        }
    };
}
