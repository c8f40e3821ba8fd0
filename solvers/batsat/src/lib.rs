//! batsat as a SAT backend: pure Rust (MiniSat 2.2 in Rust), for builds without a C++ compiler and as
//! a second opinion.
//!
//! One file: [`Batsat`] makes [`BatsatSession`]s. Interrupts and limits go through batsat's callbacks,
//! which it polls before each decision.
//!
//! Deliberately absent: options and a seed (batsat makes no random choice in its default setting), and
//! phase hints (batsat takes them at the creation of a variable only).

use batsat::{Callbacks, ClauseKind, Solver, SolverInterface, SolverOpts, Var, lbool};
use std::cell::{Cell, RefCell};
use trellis_solver_api::sat::{Lit, SatBackend, SatSession, SatStats};
use trellis_solver_api::{
    Answer, Capabilities, Limits, Result, SatBooks, SessionConfig, SolverError, StopClock,
    UnknownReason, delegate_sat, describe, parse_options,
};

const NAME: &str = "batsat";

const CAPABILITIES: Capabilities = Capabilities::UNSAT_CORE
    .with(Capabilities::INTERRUPT)
    .with(Capabilities::TIME_LIMIT)
    .with(Capabilities::CONFLICT_LIMIT)
    .with(Capabilities::DETERMINISTIC);

/// Makes batsat sessions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Batsat;

impl SatBackend for Batsat {
    describe!(NAME, CAPABILITIES, []);

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SatSession>> {
        parse_options(NAME, &[], config)?;
        Ok(Box::new(BatsatSession::new()))
    }
}

/// Decisions between two looks at the clock, which costs far more than the flag.
const CLOCK_INTERVAL: u32 = 64;

/// Counts conflicts and decides when to stop.
#[derive(Default)]
struct Control {
    clock: RefCell<Option<StopClock>>,
    conflicts_left: Cell<Option<u64>>,
    polls: Cell<u32>,
    stopped: RefCell<Option<UnknownReason>>,
}

impl Control {
    fn start(&mut self, clock: StopClock, limits: &Limits) {
        *self = Control {
            clock: RefCell::new(Some(clock)),
            conflicts_left: Cell::new(limits.conflicts),
            ..Control::default()
        };
    }

    fn stop_for(&self, reason: UnknownReason) -> bool {
        *self.stopped.borrow_mut() = Some(reason);
        true
    }
}

impl Callbacks for Control {
    fn on_new_clause(&mut self, _: &[batsat::Lit], source: ClauseKind) {
        if let (ClauseKind::Learnt, Some(left)) = (source, self.conflicts_left.get()) {
            self.conflicts_left.set(Some(left.saturating_sub(1)));
        }
    }

    fn stop(&self) -> bool {
        if self.stopped.borrow().is_some() {
            return true;
        }
        if self.conflicts_left.get() == Some(0) {
            return self.stop_for(UnknownReason::Conflicts);
        }
        let polls = self.polls.get().wrapping_add(1);
        self.polls.set(polls);
        if !polls.is_multiple_of(CLOCK_INTERVAL) {
            return false;
        }
        match self
            .clock
            .borrow()
            .as_ref()
            .and_then(StopClock::stop_reason)
        {
            Some(reason) => self.stop_for(reason),
            None => false,
        }
    }
}

/// A batsat solver.
pub struct BatsatSession {
    solver: Solver<Control>,
    books: SatBooks,
    assumptions: Vec<batsat::Lit>,
    /// Reused for every clause.
    clause: Vec<batsat::Lit>,
}

impl BatsatSession {
    /// A new solver.
    pub fn new() -> BatsatSession {
        BatsatSession {
            solver: Solver::new(SolverOpts::default(), Control::default()),
            books: SatBooks::default(),
            assumptions: Vec::new(),
            clause: Vec::new(),
        }
    }

    /// The solver's literal; creates its variable where needed.
    fn literal(&mut self, lit: Lit) -> batsat::Lit {
        let var = self.solver.var_of_int(lit.var() - 1);
        batsat::Lit::new(var, !lit.is_negative())
    }

    fn run(&mut self, assumptions: &[batsat::Lit], clock: StopClock) -> Result<Answer> {
        self.solver.cb_mut().start(clock, &self.books.limits);
        let answer = self.solver.solve_limited(assumptions);
        if answer == lbool::TRUE {
            return Ok(Answer::Sat);
        }
        if answer == lbool::FALSE {
            return Ok(Answer::Unsat);
        }
        let stopped = self.solver.cb().stopped.take();
        let stopped = stopped.ok_or_else(|| SolverError::Backend {
            solver: NAME.into(),
            message: "gave up although nothing asked it to".into(),
        })?;
        Ok(Answer::Unknown(stopped))
    }

    /// The solver's literal, if its variable exists.
    fn existing(&self, lit: Lit) -> Option<batsat::Lit> {
        let index = lit.var() - 1;
        let exists = index < self.solver.num_vars();
        exists.then(|| batsat::Lit::new(Var::unsafe_from_idx(index), !lit.is_negative()))
    }
}

impl Default for BatsatSession {
    fn default() -> BatsatSession {
        BatsatSession::new()
    }
}

impl SatSession for BatsatSession {
    delegate_sat!(books: max_var set_limits interrupter);

    fn signature(&self) -> &str {
        "batsat-0.6"
    }

    fn capabilities(&self) -> Capabilities {
        CAPABILITIES
    }

    fn new_var(&mut self) -> Lit {
        let lit = self.books.new_var();
        self.literal(lit);
        lit
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        let mut lits = std::mem::take(&mut self.clause);
        lits.clear();
        lits.extend(clause.iter().map(|&lit| self.literal(lit)));
        self.solver.add_clause_reuse(&mut lits);
        self.clause = lits;
        self.books.add_clause(clause);
    }

    fn assume(&mut self, lit: Lit) {
        self.books.assume(lit);
        let lit = self.literal(lit);
        self.assumptions.push(lit);
    }

    fn solve(&mut self) -> Result<Answer> {
        let query = self.books.begin();
        let assumptions = std::mem::take(&mut self.assumptions);
        let answer = match query.clock.stop_reason() {
            Some(reason) => Ok(Answer::Unknown(reason)),
            None => self.run(&assumptions, query.clock.clone()),
        };
        self.books.end(&query, &answer);
        answer
    }

    fn value(&self, lit: Lit) -> Result<Option<bool>> {
        self.books.state.require_sat("value")?;
        let value = self
            .existing(lit)
            .map_or(lbool::UNDEF, |lit| self.solver.value_lit(lit));
        Ok((value != lbool::UNDEF).then_some(value == lbool::TRUE))
    }

    fn failed(&self, lit: Lit) -> Result<bool> {
        self.books.state.require_unsat("failed")?;
        // As in MiniSat, the solver keeps the final conflict clause: the negated assumptions.
        Ok(self
            .existing(!lit)
            .is_some_and(|lit| self.solver.unsat_core_contains_lit(lit)))
    }

    fn stats(&self) -> SatStats {
        SatStats {
            conflicts: Some(self.solver.num_conflicts()),
            decisions: Some(self.solver.num_decisions()),
            propagations: Some(self.solver.num_propagations()),
            ..self.books.stats()
        }
    }
}
