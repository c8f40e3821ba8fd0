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
use std::time::{Duration, Instant};
use trellis_solver_api::sat::{Lit, SatBackend, SatSession, SatState, SatStats};
use trellis_solver_api::{
    Answer, Capabilities, Interrupter, Limits, SessionConfig, SolverError, StopClock,
    UnknownReason, parse_options,
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
    fn name(&self) -> &str {
        NAME
    }

    fn capabilities(&self) -> Capabilities {
        CAPABILITIES
    }

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SatSession>, SolverError> {
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
    interrupter: Interrupter,
    limits: Limits,
    state: SatState,
    assumptions: Vec<batsat::Lit>,
    /// Reused for every clause.
    clause: Vec<batsat::Lit>,
    solves: u64,
    clauses: u64,
    time: Duration,
}

impl BatsatSession {
    /// A new solver.
    pub fn new() -> BatsatSession {
        BatsatSession {
            solver: Solver::new(SolverOpts::default(), Control::default()),
            interrupter: Interrupter::new(),
            limits: Limits::NONE,
            state: SatState::Input,
            assumptions: Vec::new(),
            clause: Vec::new(),
            solves: 0,
            clauses: 0,
            time: Duration::ZERO,
        }
    }

    /// The solver's literal; creates its variable where needed.
    fn literal(&mut self, lit: Lit) -> batsat::Lit {
        let var = self.solver.var_of_int(lit.var() - 1);
        batsat::Lit::new(var, !lit.is_negative())
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
    fn signature(&self) -> &str {
        "batsat-0.6"
    }

    fn capabilities(&self) -> Capabilities {
        CAPABILITIES
    }

    fn new_var(&mut self) -> Lit {
        self.state = SatState::Input;
        let index = self.solver.num_vars();
        self.solver.var_of_int(index);
        Lit::positive(index + 1).expect("half a billion variables do not fit into memory")
    }

    fn max_var(&self) -> u32 {
        self.solver.num_vars()
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        let mut lits = std::mem::take(&mut self.clause);
        lits.clear();
        lits.extend(clause.iter().map(|&lit| self.literal(lit)));
        self.solver.add_clause_reuse(&mut lits);
        self.clause = lits;
        self.clauses += 1;
        self.state = SatState::Input;
    }

    fn assume(&mut self, lit: Lit) {
        let lit = self.literal(lit);
        self.assumptions.push(lit);
        self.state = SatState::Input;
    }

    fn solve(&mut self) -> Result<Answer, SolverError> {
        let start = Instant::now();
        self.solves += 1;
        let assumptions = std::mem::take(&mut self.assumptions);
        let clock = StopClock::start(self.interrupter.clone(), &self.limits);
        let answer = match clock.stop_reason() {
            Some(reason) => Answer::Unknown(reason),
            None => {
                self.solver.cb_mut().start(clock, &self.limits);
                let answer = self.solver.solve_limited(&assumptions);
                if answer == lbool::TRUE {
                    Answer::Sat
                } else if answer == lbool::FALSE {
                    Answer::Unsat
                } else {
                    let stopped = self.solver.cb().stopped.take();
                    Answer::Unknown(stopped.ok_or_else(|| SolverError::Backend {
                        solver: NAME.into(),
                        message: "gave up although nothing asked it to".into(),
                    })?)
                }
            }
        };
        self.state = SatState::after(&answer);
        self.time += start.elapsed();
        Ok(answer)
    }

    fn value(&self, lit: Lit) -> Result<Option<bool>, SolverError> {
        self.state.require_sat()?;
        let value = self
            .existing(lit)
            .map_or(lbool::UNDEF, |lit| self.solver.value_lit(lit));
        Ok((value != lbool::UNDEF).then_some(value == lbool::TRUE))
    }

    fn failed(&self, lit: Lit) -> Result<bool, SolverError> {
        self.state.require_unsat()?;
        // As in MiniSat, the solver keeps the final conflict clause: the negated assumptions.
        Ok(self
            .existing(!lit)
            .is_some_and(|lit| self.solver.unsat_core_contains_lit(lit)))
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn interrupter(&self) -> Interrupter {
        self.interrupter.clone()
    }

    fn stats(&self) -> SatStats {
        SatStats {
            solves: self.solves,
            clauses: self.clauses,
            variables: self.solver.num_vars(),
            conflicts: Some(self.solver.num_conflicts()),
            decisions: Some(self.solver.num_decisions()),
            propagations: Some(self.solver.num_propagations()),
            time: self.time,
        }
    }
}
