//! The session over a foreign solver: states, levels, models, limits and figures. A backend is then what is
//! particular to its solver, a [`ForeignSolver`].
//!
//! `assert`, `push` and `pop` only change what is wanted; a query makes the solver have it.

use crate::{AssertionStack, ModelCache};
use std::collections::BTreeMap;
use trellis_ivl::{Term, TermPool, Value, Var};
use trellis_solver_api::smt::{SmtSession, SmtStats, require_formula};
use trellis_solver_api::{
    Answer, Capabilities, Limits, Result, SessionState, SmtBooks, SolverError, StopClock,
    delegate_smt,
};

/// A query.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// Where the terms live.
    pub pool: &'a TermPool,
    /// Formulas that hold for this query only.
    pub assumptions: &'a [Term],
    /// What stops it.
    pub clock: &'a StopClock,
}

/// One solver.
pub trait ForeignSolver {
    /// Name and version, for reports.
    fn signature(&self) -> &str;

    /// What it can do.
    fn capabilities(&self) -> Capabilities;

    /// Answers a query about all that `stack` wants, and tells it what the solver then has. Nothing has stopped the clock yet; the assumptions are formulas.
    fn decide(&mut self, stack: &mut AssertionStack, asked: &Question<'_>) -> Result<Answer>;

    /// The values of variables in the model of the last answer; `None` for those it does not know.
    fn read_vars(
        &mut self,
        pool: &TermPool,
        vars: &[Var],
        clock: &StopClock,
    ) -> Result<Vec<Option<Value>>>;

    /// Assumptions that suffice for the last answer, in the order given, each once.
    fn read_core(&mut self, clock: &StopClock) -> Result<Vec<Term>>;

    /// As [`SmtSession::generalize`].
    fn generalize(&mut self, pool: &mut TermPool, formulas: &[Term], keep: &[Var]) -> Result<Term> {
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
    ) -> Result<Option<Term>> {
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
    books: SmtBooks,
}

impl<S: ForeignSolver> ForeignSession<S> {
    /// A session over a solver that has nothing yet.
    pub fn new(solver: S) -> ForeignSession<S> {
        ForeignSession {
            solver,
            stack: AssertionStack::default(),
            model: ModelCache::new(),
            books: SmtBooks::default(),
        }
    }
}

impl<S: ForeignSolver> SmtSession for ForeignSession<S> {
    delegate_smt!(solver: signature capabilities);
    delegate_smt!(books: set_kind interrupter);

    fn assert(&mut self, pool: &TermPool, t: Term) -> Result<()> {
        require_formula(pool, t, "assert")?;
        self.books.state = SessionState::Input;
        self.stack.assert(t);
        Ok(())
    }

    fn push(&mut self) -> Result<()> {
        self.books.state = SessionState::Input;
        self.stack.push();
        Ok(())
    }

    fn pop(&mut self, levels: usize) -> Result<()> {
        self.stack.pop(levels)?;
        self.books.state = SessionState::Input;
        Ok(())
    }

    fn level(&self) -> usize {
        self.stack.level()
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Result<Answer> {
        let query = self.books.begin();
        for &t in assumptions {
            require_formula(pool, t, "check")?;
        }
        self.model.clear();
        let asked = Question {
            pool,
            assumptions,
            clock: &query.clock,
        };
        let answer = match asked.clock.stop_reason() {
            Some(reason) => Answer::Unknown(reason),
            None => self.solver.decide(&mut self.stack, &asked)?,
        };
        self.books.end(&query, &answer);
        Ok(answer)
    }

    fn value(&mut self, pool: &TermPool, t: Term) -> Result<Value> {
        self.books.state.require_sat("value")?;
        let clock = self.books.clock();
        let solver = &mut self.solver;
        self.model
            .value(pool, t, |vars| solver.read_vars(pool, vars, &clock))
    }

    fn unsat_core(&mut self) -> Result<Vec<Term>> {
        self.books.state.require_unsat("unsat_core")?;
        let clock = self.books.clock();
        self.solver.read_core(&clock)
    }

    fn generalize(&mut self, pool: &mut TermPool, formulas: &[Term], keep: &[Var]) -> Result<Term> {
        self.books.state.require_sat("generalize")?;
        self.solver.generalize(pool, formulas, keep)
    }

    fn interpolate(&mut self, pool: &mut TermPool, a: Term, b: Term) -> Result<Option<Term>> {
        for t in [a, b] {
            require_formula(pool, t, "interpolate")?;
        }
        self.books.state = SessionState::Input;
        let clock = self.books.clock();
        self.solver.interpolate(pool, a, b, &clock)
    }

    fn set_limits(&mut self, limits: Limits) {
        self.solver.set_limits(&limits);
        self.books.set_limits(limits);
    }

    fn stats(&self) -> SmtStats {
        SmtStats {
            counters: self.solver.counters(),
            ..self.books.stats()
        }
    }
}
