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
use std::sync::Arc;
use trellis_solver_api::sat::{Lit, SatBackend, SatSession};
use trellis_solver_api::{
    Answer, Capabilities, Interrupter, Relay, Result, SatBooks, SessionConfig, SolverError,
    StopClock, UnknownReason, delegate_sat, describe, parse_options,
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
    describe!(NAME, CAPABILITIES, [OPTIONS, PROOF_OPTIONS].concat());

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SatSession>> {
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
        let (current, interrupter) = Relay::to(Interrupter::new());
        Ok(Box::new(ProvedSession {
            signature,
            config: solver,
            memory: memory.saturating_mul(1 << 20),
            fault,
            keep: self.keep.clone(),
            formula: Formula::default(),
            has_empty_clause: false,
            assumed: Vec::new(),
            last_assumed: Vec::new(),
            run: None,
            books: SatBooks::new(interrupter),
            current,
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
    /// Assumptions of the next query, and of the last.
    assumed: Vec<Lit>,
    last_assumed: Vec<Lit>,
    run: Option<Run>,
    books: SatBooks,
    /// Passes interrupts on to the current solver.
    current: Relay,
}

impl ProvedSession {
    /// A fresh solver that has all clauses and assumptions.
    fn begin(&self) -> Result<Result<Run, Rejection>> {
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
    fn search(&self, run: &mut Run, clock: &StopClock) -> Result<Answer> {
        let inner = run.solver.interrupter();
        self.current.turn_to(inner.clone());
        inner.clear();
        if self.books.interrupter().is_set() {
            inner.interrupt();
        }
        run.solver.set_limits(clock.remaining(&self.books.limits));
        let answer = run.solver.solve()?;
        match run.trace.rejection() {
            Some(rejection) if answer != Answer::Sat => rejected(&rejection),
            _ => Ok(answer),
        }
    }

    fn answer(&mut self, clock: &StopClock) -> Result<Answer> {
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
    fn prove(&self, run: &Run) -> Result<Answer> {
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
fn rejected(rejection: &Rejection) -> Result<Answer> {
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

impl SatSession for ProvedSession {
    delegate_sat!(books: new_var max_var set_limits interrupter stats);

    fn signature(&self) -> &str {
        &self.signature
    }

    fn capabilities(&self) -> Capabilities {
        CAPABILITIES
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.books.add_clause(clause);
        self.has_empty_clause |= clause.is_empty();
        self.formula
            .add_clause(clause.iter().map(|lit| lit.to_dimacs()));
    }

    fn assume(&mut self, lit: Lit) {
        self.books.assume(lit);
        self.assumed.push(lit);
    }

    fn solve(&mut self) -> Result<Answer> {
        let query = self.books.begin();
        self.last_assumed = std::mem::take(&mut self.assumed);
        let answer = match query.clock.stop_reason() {
            Some(reason) => Ok(Answer::Unknown(reason)),
            None => self.answer(&query.clock),
        };
        self.books.end(&query, &answer);
        answer
    }

    fn value(&self, lit: Lit) -> Result<Option<bool>> {
        self.books.state.require_sat("value")?;
        match &self.run {
            Some(run) => run.solver.value(lit),
            None => Ok(None),
        }
    }

    /// Every assumption may have been used, unless the clauses are contradictory on their face.
    fn failed(&self, lit: Lit) -> Result<bool> {
        self.books.state.require_unsat("failed")?;
        Ok(!self.has_empty_clause && self.last_assumed.contains(&lit))
    }
}
