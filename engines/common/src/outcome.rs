//! What a run of an algorithm gives, and how an [`Engine`](trellis_plugin_sdk::Engine) of a few lines is made of one.
//!
//! An engine here is a function `run(program, session, options, host)`: tests give it a session of their own and
//! look at its figures. [`decide`] calls it with a session of the host's, and [`engine!`](crate::engine!) exports that.

use crate::Cfa;
use std::collections::BTreeMap;
use trellis_ivl::{Loc, LocKind, Program, Term, TermPool};
use trellis_plugin_sdk::{EngineError, Host, Level, Task, Verdict};
use trellis_solver_api::smt::SmtSession;

/// The engine of an algorithm, exported:
/// `engine!(Bmc, "bmc", "what it does", |program, session, options, host| crate::run(program, session, options, host));`.
/// `Options` is in scope.
#[macro_export]
macro_rules! engine {
    (
        $Engine:ident, $id:literal, $description:literal,
        |$program:ident, $session:ident, $options:ident, $host:ident| $run:expr
    ) => {
        /// The engine.
        pub struct $Engine;

        impl ::trellis_plugin_sdk::Engine for $Engine {
            const INFO: ::trellis_plugin_sdk::Info =
                ::trellis_plugin_sdk::info!($id => $description);
            type Options = Options;

            fn run(
                options: Options,
                task: &mut ::trellis_plugin_sdk::Task,
                host: &mut dyn ::trellis_plugin_sdk::Host,
            ) -> Result<::trellis_plugin_sdk::Verdict, ::trellis_plugin_sdk::EngineError> {
                let $options = &options;
                $crate::decide(task, host, |$program, $session, $host| $run)
            }
        }

        ::trellis_plugin_sdk::export_engine!($Engine);
    };
}

/// Invariants by location, over the variables of the program.
pub type Invariants = BTreeMap<Loc, Term>;

/// Figures by name, for reports.
pub type Figures = BTreeMap<&'static str, u64>;

/// What reaching a location would mean, for people: the property and the line.
pub fn in_words(program: &Program, loc: Loc) -> String {
    let data = &program.locs[loc];
    let file = data.span.file().and_then(|f| program.files.get(f));
    let place = file.map_or_else(String::new, |f| format!(" at {f}:{}", data.span.line));
    match &data.kind {
        LocKind::Error(property) => format!("an error ({property}{place})"),
        LocKind::Incomplete(reason) => reason.to_string(),
        LocKind::Plain => format!("{loc}{place}"),
    }
}

/// The result of a run.
pub struct Outcome {
    /// What was found.
    pub verdict: Verdict,
    /// The pool of the certificate's terms: the program's, grown.
    pub pool: TermPool,
    /// Figures.
    pub stats: Figures,
}

impl Outcome {
    /// The outcome of a run that ended with `result`: a limit is an unknown verdict, which says as well what the
    /// run found to be incomplete.
    ///
    /// # Errors
    /// Failures that are no limits.
    pub fn new(
        result: Result<Verdict, EngineError>,
        incomplete: Option<&str>,
        cfa: Cfa,
        stats: Figures,
    ) -> Result<Outcome, EngineError> {
        let verdict = match (result, incomplete) {
            (Ok(verdict), _) => verdict,
            (Err(e), Some(reason)) if e.is_limit() => {
                Verdict::Unknown(format!("incomplete: {reason} ({e})"))
            }
            (Err(e), _) => e.into_verdict()?,
        };
        Ok(Outcome {
            verdict,
            pool: cfa.program.pool,
            stats,
        })
    }
}

/// Runs an algorithm that keeps no books of its own on `program`, prepared; `session` must be fresh.
///
/// # Errors
/// When the program is not flat or the algorithm fails; limits are unknown verdicts.
pub fn run(
    program: &Program,
    session: &mut dyn SmtSession,
    host: &mut dyn Host,
    algorithm: impl FnOnce(
        &mut Cfa,
        &mut dyn SmtSession,
        &mut dyn Host,
        &mut Figures,
    ) -> Result<Verdict, EngineError>,
) -> Result<Outcome, EngineError> {
    let mut cfa = Cfa::new(program, session, host)?;
    let mut stats = Figures::new();
    let result = algorithm(&mut cfa, session, host, &mut stats);
    Outcome::new(result, None, cfa, stats)
}

/// Runs an algorithm in a fresh session of the host, tells the figures, and leaves the terms of its certificate in the
/// task's pool.
///
/// # Errors
/// Those of the run.
pub fn decide(
    task: &mut Task,
    host: &mut dyn Host,
    run: impl FnOnce(&Program, &mut dyn SmtSession, &mut dyn Host) -> Result<Outcome, EngineError>,
) -> Result<Verdict, EngineError> {
    let mut session = host.smt_session()?;
    let outcome = run(&task.program, &mut *session, host)?;
    let figures = outcome.stats.iter();
    let figures: Vec<String> = figures.map(|(name, n)| format!("{name}: {n}")).collect();
    if !figures.is_empty() {
        host.log(Level::Info, &figures.join(", "));
    }
    task.program.pool = outcome.pool;
    Ok(outcome.verdict)
}
