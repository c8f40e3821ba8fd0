//! The session over a foreign solver: states, levels, models, limits and figures. A backend is then what is
//! particular to its solver, a [`ForeignSolver`].
//!
//! `assert`, `push` and `pop` only change what is wanted; a query makes the solver have it.

use crate::{AssertionStack, ModelCache};
use std::collections::BTreeMap;
use std::time::Instant;
use trellis_ivl::{Term, TermPool, Value, Var};
use trellis_solver_api::smt::{QueryKind, SmtSession, SmtState, SmtStats, UNLABELLED};
use trellis_solver_api::{Answer, Capabilities, Interrupter, Limits, SolverError, StopClock};

/// One solver.
pub trait ForeignSolver {
    /// Name and version, for reports.
    fn signature(&self) -> &str;

    /// What it can do.
    fn capabilities(&self) -> Capabilities;

    /// Answers a query about all that `stack` wants, and tells it what the solver then has. Nothing has stopped the clock yet; the assumptions are formulas.
    fn decide(
        &mut self,
        pool: &TermPool,
        stack: &mut AssertionStack,
        assumptions: &[Term],
        clock: &StopClock,
    ) -> Result<Answer, SolverError>;

    /// The values of variables in the model of the last answer; `None` for those it does not know.
    fn read_vars(
        &mut self,
        pool: &TermPool,
        vars: &[Var],
        clock: &StopClock,
    ) -> Result<Vec<Option<Value>>, SolverError>;

    /// Assumptions that suffice for the last answer, in the order given, each once.
    fn read_core(&mut self, clock: &StopClock) -> Result<Vec<Term>, SolverError>;

    /// As [`SmtSession::generalize`].
    fn generalize(
        &mut self,
        pool: &mut TermPool,
        formulas: &[Term],
        keep: &[Var],
    ) -> Result<Term, SolverError> {
        let _ = (pool, formulas, keep);
        let missing = Capabilities::MODEL_GENERALIZATION;
        Err(unsupported(self.signature(), missing, "generalize a model"))
    }

    /// As [`SmtSession::interpolate`], of two formulas.
    fn interpolate(
        &mut self,
        pool: &mut TermPool,
        a: Term,
        b: Term,
        clock: &StopClock,
    ) -> Result<Option<Term>, SolverError> {
        let _ = (pool, a, b, clock);
        let missing = Capabilities::INTERPOLATION;
        Err(unsupported(self.signature(), missing, "interpolate"))
    }

    /// Limits of the following queries besides those of the clock.
    fn set_limits(&mut self, limits: &Limits) {
        let _ = limits;
    }

    /// Further figures by name.
    fn counters(&self) -> BTreeMap<&'static str, u64> {
        BTreeMap::new()
    }
}

fn unsupported(solver: &str, missing: Capabilities, what: &str) -> SolverError {
    SolverError::Unsupported {
        solver: solver.into(),
        missing,
        what: what.into(),
    }
}

/// A session over a foreign solver.
pub struct ForeignSession<S> {
    solver: S,
    stack: AssertionStack,
    model: ModelCache,
    state: SmtState,
    limits: Limits,
    interrupter: Interrupter,
    kind: QueryKind,
    stats: SmtStats,
}

impl<S: ForeignSolver> ForeignSession<S> {
    /// A session over a solver that has nothing yet.
    pub fn new(solver: S) -> ForeignSession<S> {
        ForeignSession {
            solver,
            stack: AssertionStack::default(),
            model: ModelCache::new(),
            state: SmtState::Input,
            limits: Limits::NONE,
            interrupter: Interrupter::new(),
            kind: UNLABELLED,
            stats: SmtStats::default(),
        }
    }

    fn clock(&self) -> StopClock {
        StopClock::start(self.interrupter.clone(), &self.limits)
    }
}

impl<S: ForeignSolver> SmtSession for ForeignSession<S> {
    fn signature(&self) -> &str {
        self.solver.signature()
    }

    fn capabilities(&self) -> Capabilities {
        self.solver.capabilities()
    }

    fn assert(&mut self, pool: &TermPool, t: Term) -> Result<(), SolverError> {
        AssertionStack::formula(pool, "assert", t)?;
        self.state = SmtState::Input;
        self.stack.assert(t);
        Ok(())
    }

    fn push(&mut self) -> Result<(), SolverError> {
        self.state = SmtState::Input;
        self.stack.push();
        Ok(())
    }

    fn pop(&mut self, levels: usize) -> Result<(), SolverError> {
        self.stack.pop(levels)?;
        self.state = SmtState::Input;
        Ok(())
    }

    fn level(&self) -> usize {
        self.stack.level()
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Result<Answer, SolverError> {
        let start = Instant::now();
        self.state = SmtState::Input;
        for &t in assumptions {
            AssertionStack::formula(pool, "check", t)?;
        }
        self.model.clear();
        let clock = self.clock();
        let answer = match clock.stop_reason() {
            Some(reason) => Answer::Unknown(reason),
            None => self
                .solver
                .decide(pool, &mut self.stack, assumptions, &clock)?,
        };
        self.state = SmtState::after(&answer);
        self.stats.record(self.kind, &answer, start.elapsed());
        Ok(answer)
    }

    fn value(&mut self, pool: &TermPool, t: Term) -> Result<Value, SolverError> {
        self.state.require_sat("value")?;
        let clock = self.clock();
        let solver = &mut self.solver;
        self.model
            .value(pool, t, |vars| solver.read_vars(pool, vars, &clock))
    }

    fn unsat_core(&mut self) -> Result<Vec<Term>, SolverError> {
        self.state.require_unsat("unsat_core")?;
        let clock = self.clock();
        self.solver.read_core(&clock)
    }

    fn generalize(
        &mut self,
        pool: &mut TermPool,
        formulas: &[Term],
        keep: &[Var],
    ) -> Result<Term, SolverError> {
        self.state.require_sat("generalize")?;
        self.solver.generalize(pool, formulas, keep)
    }

    fn interpolate(
        &mut self,
        pool: &mut TermPool,
        a: Term,
        b: Term,
    ) -> Result<Option<Term>, SolverError> {
        for t in [a, b] {
            AssertionStack::formula(pool, "interpolate", t)?;
        }
        self.state = SmtState::Input;
        let clock = self.clock();
        self.solver.interpolate(pool, a, b, &clock)
    }

    fn set_kind(&mut self, kind: QueryKind) {
        self.kind = kind;
    }

    fn set_limits(&mut self, limits: Limits) {
        self.solver.set_limits(&limits);
        self.limits = limits;
    }

    fn interrupter(&self) -> Interrupter {
        self.interrupter.clone()
    }

    fn stats(&self) -> SmtStats {
        SmtStats {
            counters: self.solver.counters(),
            ..self.stats.clone()
        }
    }
}
