//! What an engine gets from its caller and what it gives back.

use crate::error::EngineError;
use std::collections::BTreeMap;
use trellis_ivl::{Loc, Term, TermPool, Trace};
use trellis_solver_api::smt::SmtSession;
use trellis_solver_api::{Answer, UnknownReason};

/// Invariants by location, over the variables of the program.
pub type Invariants = BTreeMap<Loc, Term>;

/// Why the program is safe: `invariants` are k-inductive together, counting visits of loop heads.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// How many consecutive visits of loop heads the induction step assumes.
    pub k: u32,
    /// One invariant for every loop head from which an error can be reached.
    pub invariants: Invariants,
}

/// What an engine found.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No error or incomplete location is reachable.
    Safe(Proof),
    /// The same, because every execution is over within so many visits of loop heads, or can reach none any more.
    Unwound {
        /// The most visits of an execution, or more.
        visits: u32,
    },
    /// An error location is reached by this execution.
    Unsafe(Trace),
    /// Neither, with the reason.
    Unknown(String),
}

/// The result of a run.
pub struct Outcome {
    /// What was found.
    pub verdict: Verdict,
    /// The pool of the proof's terms: the program's, grown.
    pub pool: TermPool,
    /// Figures by name, for reports.
    pub stats: BTreeMap<&'static str, u64>,
}

impl Outcome {
    /// The outcome of a run that ended with `result`: a limit is an unknown verdict.
    ///
    /// # Errors
    /// Failures that are no limits.
    pub fn new(
        result: Result<Verdict, EngineError>,
        cfa: crate::Cfa,
        stats: BTreeMap<&'static str, u64>,
    ) -> Result<Outcome, EngineError> {
        let verdict = match result {
            Ok(verdict) => verdict,
            Err(e) if e.is_limit() => Verdict::Unknown(e.to_string()),
            Err(e) => return Err(e),
        };
        Ok(Outcome {
            verdict,
            pool: cfa.program.pool,
            stats,
        })
    }
}

/// A fact about a location: a candidate when published, proved when received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lemma {
    /// Where it holds.
    pub loc: Loc,
    /// What holds, over the variables of the program.
    pub fact: Term,
}

/// What the surroundings of a run offer: cancellation, progress, the lemma board.
pub trait Hooks {
    /// Whether to stop at the next opportunity.
    fn cancelled(&mut self) -> bool {
        false
    }

    /// Says in a few words how far the engine is.
    fn progress(&mut self, message: &str) {
        let _ = message;
    }

    /// A further session, where the surroundings lend some.
    ///
    /// # Errors
    /// When they fail to.
    fn session(&mut self) -> Result<Option<Box<dyn SmtSession>>, EngineError> {
        Ok(None)
    }

    /// Offers candidates to others. A later set replaces nothing: candidates accumulate.
    fn publish(&mut self, pool: &TermPool, lemmas: &[Lemma]) {
        let _ = (pool, lemmas);
    }

    /// The facts proved so far by others, inductive together; their terms are made in `pool`.
    fn lemmas(&mut self, pool: &mut TermPool) -> Vec<Lemma> {
        let _ = pool;
        Vec::new()
    }
}

/// An error once the surroundings ask to stop. Whatever does work that grows with the program asks after each part of
/// it: an engine that does not listen for a while is killed.
///
/// # Errors
/// When it is time to stop.
pub fn go_on(hooks: &mut dyn Hooks) -> Result<(), EngineError> {
    match hooks.cancelled() {
        true => Err(EngineError::Cancelled),
        false => Ok(()),
    }
}

/// No surroundings.
pub struct NoHooks;

impl Hooks for NoHooks {}

/// Like [`ask`], but a query that uses up its conflicts is no error: the answer is `None`.
pub fn try_ask(
    session: &mut dyn SmtSession,
    pool: &TermPool,
    assumptions: &[Term],
) -> Result<Option<bool>, EngineError> {
    match ask(session, pool, assumptions) {
        Ok(sat) => Ok(Some(sat)),
        Err(EngineError::GaveUp(UnknownReason::Conflicts)) => Ok(None),
        Err(e) => Err(e),
    }
}

/// Whether the assertions and `assumptions` have a model.
pub fn ask(
    session: &mut dyn SmtSession,
    pool: &TermPool,
    assumptions: &[Term],
) -> Result<bool, EngineError> {
    if assumptions.iter().any(|&t| pool.as_bool(t) == Some(false)) {
        return Ok(false);
    }
    match session.check(pool, assumptions)? {
        Answer::Sat => Ok(true),
        Answer::Unsat => Ok(false),
        Answer::Unknown(reason) => Err(EngineError::GaveUp(reason)),
    }
}
