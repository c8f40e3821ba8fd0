//! What an engine implements, and what it is given.

use crate::local::no_solver;
use crate::options::EngineOptions;
use crate::verdict::{Lemma, Verdict};
use trellis_ivl::{Program, TermPool};
use trellis_solver_api::sat::SatSession;
use trellis_solver_api::smt::SmtSession;
use trellis_solver_api::{SolverError, UnknownReason};

/// What a plugin says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Info {
    /// Its name in pipelines: lower-case letters, digits and dashes.
    pub id: &'static str,
    /// One line for people.
    pub description: &'static str,
    /// SPDX expression.
    pub licence: &'static str,
    /// Its own version; usually `env!("CARGO_PKG_VERSION")`.
    pub version: &'static str,
}

/// The [`Info`] of a plugin, `info!("id" => "what it does")`; licence and version are those of its package.
#[macro_export]
macro_rules! info {
    ($id:expr => $description:expr) => {
        $crate::Info {
            id: $id,
            description: $description,
            licence: env!("CARGO_PKG_LICENSE"),
            version: env!("CARGO_PKG_VERSION"),
        }
    };
}

/// An algorithm that decides programs.
pub trait Engine {
    /// Its name and description.
    const INFO: Info;

    /// Its options; [`options!`](crate::options!) makes such a type.
    type Options: EngineOptions;

    /// Decides `task`, with the help of `host`.
    ///
    /// Terms of the verdict live in `task.program.pool`, whose variables, locations, edges and
    /// inputs are those of the program given. An engine looks at [`Host::cancelled`] about ten
    /// times a second and answers unknown when it is set. A panic is an error result.
    fn run(
        options: Self::Options,
        task: &mut Task,
        host: &mut dyn Host,
    ) -> Result<Verdict, EngineError>;
}

/// What is to be decided.
#[derive(Clone)]
pub struct Task {
    /// The program: one flat automaton.
    pub program: Program,
    /// Seed of every random choice.
    pub seed: u64,
    /// Wall time the engine is given, where limited.
    pub time_limit: Option<std::time::Duration>,
}

impl Task {
    /// A task without time limit and with seed 0.
    pub fn new(program: Program) -> Task {
        Task {
            program,
            seed: 0,
            time_limit: None,
        }
    }
}

/// How serious a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Something is wrong.
    Error,
    /// Something deserves attention.
    Warn,
    /// Normal progress.
    Info,
    /// For the engine's author.
    Debug,
}

/// The services an engine may ask for.
///
/// [`LocalHost`](crate::LocalHost) offers them within a process, for tests; in a plugin they come
/// across the border. What a host does not say otherwise, it does not offer: [`NoHost`](crate::NoHost) says nothing.
pub trait Host {
    /// A new SMT session of the solver that the pipeline names.
    fn smt_session(&mut self) -> Result<Box<dyn SmtSession>, SolverError> {
        Err(no_solver("smt"))
    }

    /// A new SAT session of the solver that the pipeline names.
    fn sat_session(&mut self) -> Result<Box<dyn SatSession>, SolverError> {
        Err(no_solver("sat"))
    }

    /// Whether the engine should stop. Cheap; sessions are interrupted by the host itself.
    fn cancelled(&self) -> bool {
        false
    }

    /// Writes a message.
    fn log(&mut self, level: Level, message: &str) {
        let _ = (level, message);
    }

    /// Tells how far the engine is: a stage and a number that grows, such as the bound.
    fn progress(&mut self, stage: &str, at: u64) {
        let _ = (stage, at);
    }

    /// Offers facts to the other engines; terms of `pool`. Without effect where nobody listens.
    fn publish(&mut self, pool: &TermPool, lemmas: &[Lemma]) {
        let _ = (pool, lemmas);
    }

    /// The facts that were proved since the last call, as terms of `pool`, which is the task's or a
    /// copy of it that has grown.
    fn new_lemmas(&mut self, pool: &mut TermPool) -> Vec<Lemma> {
        let _ = pool;
        Vec::new()
    }
}

/// Why an engine has no answer. Limits are no failures: across the border they are [`Verdict::Unknown`], with this
/// text as the reason, so that whatever is deep in an algorithm may end it by `?`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The host wants an end. (Limit.)
    #[error("cancelled")]
    Cancelled,
    /// The solver gave up on a query. (Limit.)
    #[error("the solver gave up: {0}")]
    GaveUp(UnknownReason),
    /// A limit of the engine's own is reached. (Limit.)
    #[error("{0}")]
    Limit(String),
    /// The solver failed. (The solver's bug, or a capability that is missing.)
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// The options are wrong. (User's input.)
    #[error("options: {0}")]
    Options(String),
    /// The program does not have the form that the engine needs. (User's pipeline.)
    #[error("the program does not fit: {0}")]
    Program(String),
    /// The host does not obey the ABI. (Bug in the host.)
    #[error("the host failed: {0}")]
    Host(String),
    /// Anything else. (Bug in the engine.)
    #[error("{0}")]
    Internal(String),
}

impl EngineError {
    /// Whether this is a limit, and so an unknown verdict rather than a failure.
    pub fn is_limit(&self) -> bool {
        use EngineError::{Cancelled, GaveUp, Limit};
        matches!(self, Cancelled | GaveUp(_) | Limit(_))
    }

    /// What is answered instead: a limit is an unknown verdict.
    ///
    /// # Errors
    /// Itself, where it is none.
    pub fn into_verdict(self) -> Result<Verdict, EngineError> {
        match self.is_limit() {
            true => Ok(Verdict::Unknown(self.to_string())),
            false => Err(self),
        }
    }

    /// The program has procedures or calls, and the engine takes one flat automaton.
    pub fn not_flat() -> EngineError {
        let why = "it has procedures or calls; run the pass `inline` first";
        EngineError::Program(why.into())
    }
}
