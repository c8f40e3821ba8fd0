//! From a refutation to interpolants.
//!
//! 1. One query over all conjuncts of all parts as assumptions; its core says which statements matter. The
//!    others are dropped: an assumption becomes true, an assignment forgets its variable.
//! 2. Along the trace, the strongest postcondition of the last interpolant and the next part: all conjuncts
//!    so far, projected onto the variables that live on.
//! 3. Where that is not exact, the weakest precondition: the negated projection of the parts to come. It follows
//!    from what was so far, because the parts are unsatisfiable together.
//! 4. Where neither is exact, their clean conjuncts alone may do; and if not, cubes.
//!
//! Each interpolant is computed from the one before it, so that the sequence is inductive however each was found.

use crate::cubes::Cubes;
use crate::project::{Projection, project};
use std::sync::Arc;
use trellis_ivl::{Term, TermPool, Var};
use trellis_solver_api::smt::{SmtBackend, SmtSession};
use trellis_solver_api::{
    Answer, Interrupter, Limits, SessionConfig, SolverError, StopClock, UnknownReason,
};
use trellis_solver_support::Watchdog;

/// A session of our own, stopped by the clock of somebody else's query.
pub(crate) struct Helper {
    session: Box<dyn SmtSession>,
    interrupter: Interrupter,
    watchdog: Watchdog,
}

impl Helper {
    fn new(backend: &dyn SmtBackend, config: &SessionConfig) -> Result<Helper, SolverError> {
        let session = backend.session(config)?;
        let interrupter = session.interrupter();
        let stop = interrupter.clone();
        Ok(Helper {
            session,
            interrupter,
            watchdog: Watchdog::new(move || stop.interrupt()),
        })
    }

    pub fn assert(&mut self, pool: &TermPool, t: Term) -> Result<(), SolverError> {
        self.session.assert(pool, t)
    }

    pub fn session(&mut self) -> &mut dyn SmtSession {
        &mut *self.session
    }

    /// Whether there is a model; an error where the clock or the solver gave up.
    pub fn satisfiable(
        &mut self,
        pool: &TermPool,
        assumptions: &[Term],
        clock: &StopClock,
    ) -> Result<bool, SolverError> {
        if let Some(reason) = clock.stop_reason() {
            return Err(gave_up(reason));
        }
        self.interrupter.clear();
        let session = &mut self.session;
        let answer = self
            .watchdog
            .watch(clock, || session.check(pool, assumptions))?;
        match answer {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(reason) => Err(gave_up(clock.stop_reason().unwrap_or(reason))),
        }
    }
}

pub(crate) fn gave_up(reason: UnknownReason) -> SolverError {
    SolverError::GaveUp {
        call: "interpolate",
        reason,
    }
}

/// Computes interpolants with sessions of a backend.
pub(crate) struct Interpolator {
    backend: Arc<dyn SmtBackend>,
    config: SessionConfig,
    /// For queries of assumptions only, kept between interpolations of one pool.
    helper: Option<Helper>,
}

impl Interpolator {
    pub fn new(backend: Arc<dyn SmtBackend>, config: SessionConfig) -> Interpolator {
        Interpolator {
            backend,
            config,
            helper: None,
        }
    }

    fn helper(&mut self) -> Result<&mut Helper, SolverError> {
        if self.helper.is_none() {
            self.helper = Some(Helper::new(&*self.backend, &self.config)?);
        }
        Ok(self.helper.as_mut().expect("made above"))
    }

    /// A sequence interpolant of `parts`, or `None` where they are satisfiable.
    pub fn sequence(
        &mut self,
        pool: &mut TermPool,
        parts: &[Term],
        interrupter: Interrupter,
        limits: &Limits,
    ) -> Result<Option<Vec<Term>>, SolverError> {
        let clock = StopClock::start(interrupter, limits);
        let split: Vec<Vec<Term>> = parts.iter().map(|&t| pool.split_conjuncts(t)).collect();
        let Some(core) = self.core(pool, &split, &clock)? else {
            return Ok(None);
        };
        let relevant: Vec<Vec<Term>> = split
            .into_iter()
            .map(|part| part.into_iter().filter(|t| core.contains(t)).collect())
            .collect();
        let mut sequence = vec![pool.tru()];
        for i in 1..parts.len() {
            let mut before = pool.split_conjuncts(sequence[i - 1]);
            before.extend(&relevant[i - 1]);
            let after: Vec<Term> = relevant[i..].iter().flatten().copied().collect();
            let next = self.between(pool, before, after, &clock)?;
            sequence.push(next);
        }
        sequence.push(pool.fls());
        Ok(Some(sequence))
    }

    /// The conjuncts of a refutation, sorted; `None` where there is a model.
    fn core(
        &mut self,
        pool: &TermPool,
        parts: &[Vec<Term>],
        clock: &StopClock,
    ) -> Result<Option<Refutation>, SolverError> {
        let mut core: Vec<Term> = parts.iter().flatten().copied().collect();
        core.sort_unstable();
        core.dedup();
        let helper = self.helper()?;
        // A core of a core is often smaller, and queries over fewer assumptions are cheap.
        for _ in 0..3 {
            if helper.satisfiable(pool, &core, clock)? {
                return Ok(None);
            }
            let before = core.len();
            core = helper.session().unsat_core()?;
            if core.len() == before {
                break;
            }
        }
        core.sort_unstable();
        Ok(Some(Refutation(core)))
    }

    /// An interpolant of two conjunctions that are unsatisfiable together.
    fn between(
        &mut self,
        pool: &mut TermPool,
        before: Vec<Term>,
        after: Vec<Term>,
        clock: &StopClock,
    ) -> Result<Term, SolverError> {
        let common = common_vars(pool, &before, &after);
        let forwards = project(pool, before, &common);
        if forwards.rest.is_empty() {
            return Ok(pool.and_all(forwards.clean));
        }
        let backwards = project(pool, after, &common);
        if backwards.rest.is_empty() {
            let future = pool.and_all(backwards.clean);
            return Ok(pool.not(future));
        }
        // What is known of the past alone may refute the future, and the other way round.
        let (past, future) = (whole(&forwards), whole(&backwards));
        let helper = self.helper()?;
        let mut query = forwards.clean.clone();
        query.extend(&future);
        if !helper.satisfiable(pool, &query, clock)? {
            return Ok(pool.and_all(forwards.clean));
        }
        let mut query = backwards.clean.clone();
        query.extend(&past);
        if !helper.satisfiable(pool, &query, clock)? {
            let future = pool.and_all(backwards.clean);
            return Ok(pool.not(future));
        }
        let mut past_helper = Helper::new(&*self.backend, &self.config)?;
        let mut future_helper = Helper::new(&*self.backend, &self.config)?;
        for &t in &past {
            past_helper.assert(pool, t)?;
        }
        for &t in &future {
            future_helper.assert(pool, t)?;
        }
        let cubes = Cubes {
            past: past_helper,
            future: future_helper,
            clock,
        };
        cubes.interpolant(pool, &common)
    }
}

/// The conjuncts that matter.
struct Refutation(Vec<Term>);

impl Refutation {
    fn contains(&self, t: &Term) -> bool {
        self.0.binary_search(t).is_ok()
    }
}

fn whole(projection: &Projection) -> Vec<Term> {
    let (clean, rest) = (&projection.clean, &projection.rest);
    clean.iter().chain(rest).copied().collect()
}

fn common_vars(pool: &TermPool, before: &[Term], after: &[Term]) -> Vec<Var> {
    let mut common = pool.free_vars(before.iter().copied());
    let after = pool.free_vars(after.iter().copied());
    common.retain(|v| after.binary_search(v).is_ok());
    common
}
