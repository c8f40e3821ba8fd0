//! CaDiCaL whose refutations are checked: *unsatisfiable* is answered only after the checker has accepted CaDiCaL's
//! proof that the clauses and assumptions, as the caller gave them, have no model. Where the proof is rejected, there
//! is an error instead of an answer.
//!
//! A proof is about one formula. So assumptions become unit clauses, and a solver whose assumptions no longer hold gives
//! way to a fresh one. CaDiCaL removes clauses with the promise to bring them back should others come, which a proof
//! cannot say; so a solver that got clauses after its first query answers on its own, and where it refutes, a fresh one
//! has to prove that.
//!
//! Trusted of this file: that `formula` and `assumed` are what the caller gave, and `prove`.

use crate::options::{OPTIONS, PROOF_OPTIONS};
use crate::session::{CAPABILITIES, configured, signature};
use crate::trace::{Keeper, Listener, Trace};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use trellis_solver_api::sat::{Lit, SatBackend, SatSession, SatState, SatStats};
use trellis_solver_api::{
    Answer, Capabilities, Interrupter, Limits, OptionSpec, SessionConfig, SolverError, StopClock,
    UnknownReason, parse_options,
};
use trellis_solver_ipasir::IpasirSession;
use trellis_solver_lrat::{Checker, Formula, Rejection};

const NAME: &str = "cadical-proved";

/// A refutation that was accepted.
pub struct Refutation {
    /// What has no model: the clauses, and the assumptions as unit clauses.
    pub formula: Formula,
    /// The proof as text (LRAT); none when it was longer than allowed.
    pub proof: Option<Vec<u8>>,
}

/// Gets every refutation that is accepted.
pub type Keep = Arc<dyn Fn(Refutation) + Send + Sync>;

/// Makes CaDiCaL sessions whose refutations are checked.
#[derive(Clone, Default)]
pub struct ProvedCadical {
    keep: Option<Keep>,
}

impl ProvedCadical {
    /// As the default, and `keep` gets the proofs.
    pub fn keeping(keep: Keep) -> ProvedCadical {
        ProvedCadical { keep: Some(keep) }
    }
}

impl SatBackend for ProvedCadical {
    fn name(&self) -> &str {
        NAME
    }

    fn capabilities(&self) -> Capabilities {
        CAPABILITIES
    }

    fn options(&self) -> Vec<OptionSpec> {
        [OPTIONS, PROOF_OPTIONS].concat()
    }

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SatSession>, SolverError> {
        let is_own = |name: &str| PROOF_OPTIONS.iter().any(|o| o.name == name);
        let mut own = SessionConfig::default();
        let mut solver = config.clone();
        solver.options.retain(|name, value| {
            if is_own(name) {
                own.options.insert(name.clone(), value.clone());
            }
            !is_own(name)
        });
        let own = parse_options(NAME, PROOF_OPTIONS, &own)?;
        let number = |place: usize| own[place].unwrap_or(0);
        let (fault, memory) = (number(0) as u64, number(1) as usize);
        // Wrong options are told at once; the solver is made when there is something to solve.
        parse_options(NAME, OPTIONS, &solver)?;
        let signature = format!("{} with checked proofs", signature());
        let current = Arc::new(Mutex::new(Interrupter::new()));
        let forward = current.clone();
        Ok(Box::new(ProvedSession {
            signature,
            config: solver,
            memory: memory.saturating_mul(1 << 20),
            fault,
            keep: self.keep.clone(),
            formula: Formula::default(),
            has_empty_clause: false,
            max_var: 0,
            assumed: Vec::new(),
            last_assumed: Vec::new(),
            run: None,
            state: SatState::Input,
            limits: Limits::NONE,
            interrupter: Interrupter::with_wake(move || lock(&forward).interrupt()),
            current,
            solves: 0,
            time: Duration::ZERO,
        }))
    }
}

/// One CaDiCaL, and how far it knows the formula.
struct Run {
    /// Dropped before the trace it writes to.
    solver: IpasirSession,
    trace: Trace,
    /// What it proves: the clauses and assumptions that it got at first.
    formula: Formula,
    /// How many clauses of the session it has.
    clauses: usize,
    literals: usize,
    /// Assumptions it has as clauses.
    assumed: Vec<Lit>,
    /// Whether all it has is in `formula`.
    proves: bool,
}

struct ProvedSession {
    signature: String,
    config: SessionConfig,
    /// Bytes that a check may take.
    memory: usize,
    /// See [`PROOF_OPTIONS`].
    fault: u64,
    keep: Option<Keep>,
    /// The clauses as they were given.
    formula: Formula,
    has_empty_clause: bool,
    max_var: u32,
    /// Assumptions of the next query, and of the last.
    assumed: Vec<Lit>,
    last_assumed: Vec<Lit>,
    run: Option<Run>,
    state: SatState,
    limits: Limits,
    interrupter: Interrupter,
    /// The interrupter of the current solver, for ours to pass on to.
    current: Arc<Mutex<Interrupter>>,
    solves: u64,
    time: Duration,
}

impl ProvedSession {
    /// A fresh solver that has all clauses and assumptions.
    fn begin(&self) -> Result<Result<Run, Rejection>, SolverError> {
        let mut formula = self.formula.clone();
        for lit in &self.last_assumed {
            formula.add_clause([lit.to_dimacs()]);
        }
        let checker = match Checker::new(&formula, self.memory) {
            Ok(checker) => checker,
            Err(rejection) => return Ok(Err(rejection)),
        };
        let mut solver = configured(&self.config)?;
        let keeper = self.keep.is_some();
        let keeper = keeper.then(|| Keeper::new(&formula, self.memory));
        let stop = solver.interrupter();
        let mut listener = Listener::new(checker, keeper, formula.len(), stop);
        listener.fault = self.fault;
        let trace = Trace::attach(&solver, listener)?;
        add_all(&mut solver, formula.literals());
        Ok(Ok(Run {
            solver,
            trace,
            clauses: self.formula.len(),
            literals: self.formula.literals().len(),
            assumed: self.last_assumed.clone(),
            formula,
            proves: true,
        }))
    }

    /// Lets a solver search, unless an interrupt came since: ours is set before it is passed on.
    fn search(&self, run: &mut Run, clock: &StopClock) -> Result<Answer, SolverError> {
        let inner = run.solver.interrupter();
        *lock(&self.current) = inner.clone();
        inner.clear();
        if self.interrupter.is_set() {
            inner.interrupt();
        }
        run.solver.set_limits(clock.remaining(&self.limits));
        let answer = run.solver.solve()?;
        match run.trace.rejection() {
            Some(rejection) if answer != Answer::Sat => rejected(&rejection),
            _ => Ok(answer),
        }
    }

    fn answer(&mut self, clock: &StopClock) -> Result<Answer, SolverError> {
        let assumed = &self.last_assumed;
        let goes_on = |run: &Run| run.assumed.iter().all(|lit| assumed.contains(lit));
        let mut run = match self.run.take().filter(goes_on) {
            Some(mut run) => {
                self.tell_news(&mut run);
                run
            }
            None => match self.begin()? {
                Ok(run) => run,
                Err(rejection) => return rejected(&rejection),
            },
        };
        let mut answer = self.search(&mut run, clock)?;
        if answer == Answer::Unsat && !run.proves {
            run = match self.begin()? {
                Ok(run) => run,
                Err(rejection) => return rejected(&rejection),
            };
            answer = self.search(&mut run, clock)?;
        }
        if answer == Answer::Unsat {
            answer = self.prove(&run)?;
        }
        self.run = Some(run);
        Ok(answer)
    }

    /// Gives a solver what is new since its last query.
    fn tell_news(&self, run: &mut Run) {
        let assumed = &self.last_assumed;
        let new: Vec<Lit> = (assumed.iter().copied())
            .filter(|lit| !run.assumed.contains(lit))
            .collect();
        if run.clauses == self.formula.len() && new.is_empty() {
            return;
        }
        run.proves = false;
        run.trace.abandon();
        add_all(&mut run.solver, &self.formula.literals()[run.literals..]);
        for &lit in &new {
            run.solver.add_clause(&[lit]);
        }
        run.assumed.extend(new);
        run.clauses = self.formula.len();
        run.literals = self.formula.literals().len();
    }

    /// Unsatisfiable, if the proof of a solver that says so is accepted.
    fn prove(&self, run: &Run) -> Result<Answer, SolverError> {
        match run.trace.conclude() {
            Ok(proof) => {
                if let Some(keep) = &self.keep {
                    let formula = run.formula.clone();
                    keep(Refutation { formula, proof });
                }
                Ok(Answer::Unsat)
            }
            Err(rejection) => rejected(&rejection),
        }
    }
}

/// What becomes of a query whose proof was not accepted.
fn rejected(rejection: &Rejection) -> Result<Answer, SolverError> {
    if let Rejection::Memory { .. } = rejection {
        let why = format!("the proof of the SAT solver is too large: {rejection}");
        return Ok(Answer::Unknown(UnknownReason::Incomplete(why)));
    }
    Err(SolverError::Backend {
        solver: NAME.into(),
        message: format!("the proof of the SAT solver was rejected: {rejection}"),
    })
}

/// Adds clauses that are each ended by 0.
fn add_all(solver: &mut IpasirSession, literals: &[i32]) {
    let mut clause = Vec::new();
    for &number in literals {
        match Lit::from_dimacs(number) {
            Some(lit) => clause.push(lit),
            None => {
                solver.add_clause(&clause);
                clause.clear();
            }
        }
    }
}

/// The interrupter inside. A panic elsewhere cannot leave it half written.
fn lock(interrupter: &Mutex<Interrupter>) -> MutexGuard<'_, Interrupter> {
    interrupter.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SatSession for ProvedSession {
    fn signature(&self) -> &str {
        &self.signature
    }

    fn capabilities(&self) -> Capabilities {
        CAPABILITIES
    }

    fn new_var(&mut self) -> Lit {
        self.state = SatState::Input;
        self.max_var += 1;
        Lit::positive(self.max_var).expect("half a billion variables do not fit into memory")
    }

    fn max_var(&self) -> u32 {
        self.max_var
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        for lit in clause {
            self.max_var = self.max_var.max(lit.var());
        }
        self.has_empty_clause |= clause.is_empty();
        self.formula
            .add_clause(clause.iter().map(|lit| lit.to_dimacs()));
        self.state = SatState::Input;
    }

    fn assume(&mut self, lit: Lit) {
        self.max_var = self.max_var.max(lit.var());
        self.assumed.push(lit);
        self.state = SatState::Input;
    }

    fn solve(&mut self) -> Result<Answer, SolverError> {
        let start = Instant::now();
        self.solves += 1;
        self.state = SatState::Input;
        self.last_assumed = std::mem::take(&mut self.assumed);
        let clock = StopClock::start(self.interrupter.clone(), &self.limits);
        let answer = match clock.stop_reason() {
            Some(reason) => Ok(Answer::Unknown(reason)),
            None => self.answer(&clock),
        };
        self.state = answer.as_ref().map_or(SatState::Input, SatState::after);
        self.time += start.elapsed();
        answer
    }

    fn value(&self, lit: Lit) -> Result<Option<bool>, SolverError> {
        self.state.require_sat()?;
        match &self.run {
            Some(run) => run.solver.value(lit),
            None => Ok(None),
        }
    }

    /// Every assumption may have been used, unless the clauses are contradictory on their face.
    fn failed(&self, lit: Lit) -> Result<bool, SolverError> {
        self.state.require_unsat()?;
        Ok(!self.has_empty_clause && self.last_assumed.contains(&lit))
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
            clauses: self.formula.len() as u64,
            variables: self.max_var,
            time: self.time,
            ..SatStats::default()
        }
    }
}
