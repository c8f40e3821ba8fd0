//! Unwinding by nesting: each loop on its own, to its end, before what is behind it.
//!
//! The [unrolling](crate::unroll) by layers finds shortest errors and needs no bound, and pays for it where many loops follow
//! one another: what is behind a loop is there once for each round in which the loop can be left. Here all exits of a loop
//! join, in the order of [`Nesting`], so the formula has each location once for each combination of rounds of the loops around it:
//! the unwinding of CBMC, with a question to the solver whether a loop can go on, where constants do not say it, instead of
//! a bound. Loops that go on for too long make it give up. The checker of unwindings takes the same way.

use crate::ask::{ask, go_on};
use crate::cfa::Cfa;
use crate::execution::Execution;
use crate::unroll::round::Arrival;
use crate::unroll::{Instance, State, UnrollStats, Unrolling, is_true, no_edge};
use cranelift_entity::EntitySet;
use std::collections::BTreeMap;
use trellis_ivl::graph::Adjacency;
use trellis_ivl::nesting::{Nesting, Turn};
use trellis_ivl::{Loc, LocKind, Term, Trace};
use trellis_plugin_sdk::{EngineError, Host};
use trellis_solver_api::smt::SmtSession;

/// What became of an unwinding.
pub enum Unwound {
    /// No execution is longer, and none reaches an error: the most rounds of a loop.
    Complete(u32),
    /// An error is reached.
    Unsafe(Trace),
    /// A loop goes on for too long, or an incomplete location is reached.
    GaveUp,
}

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most rounds of a loop that is not known to go on by constants alone.
    pub rounds: u32,
    /// The most edges that are followed.
    pub edges: u64,
}

/// An unwinding in the making.
struct Unwinder<'a> {
    cfa: &'a mut Cfa,
    session: &'a mut dyn SmtSession,
    nesting: Nesting,
    encoder: Unrolling,
    pending: BTreeMap<Turn, Vec<Arrival>>,
    /// What has been followed: the edges that leave, and where they lead.
    taken: BTreeMap<Turn, Vec<(Instance, Turn)>>,
    /// Errors that have not been asked for.
    errors: Vec<Term>,
    incompletes: Vec<Term>,
    /// The most rounds of any loop.
    longest: u32,
}

/// Unwinds all loops of `cfa`'s program as far as `limits` allow. Adds its figures to `stats`.
///
/// # Errors
/// When the solver fails, or it is time to stop.
pub fn unwind(
    cfa: &mut Cfa,
    session: &mut dyn SmtSession,
    host: &mut dyn Host,
    limits: Limits,
    stats: &mut UnrollStats,
) -> Result<Unwound, EngineError> {
    if !cfa.has_targets() {
        return Ok(Unwound::Complete(0));
    }
    let adjacency = Adjacency::new(&cfa.program);
    let mut heads = EntitySet::new();
    for &h in cfa.heads() {
        heads.insert(h);
    }
    let nesting = Nesting::new(&cfa.program, &adjacency, cfa.order(), &heads);
    let encoder = Unrolling::from_entry(cfa);
    let mut unwinder = Unwinder {
        cfa,
        session,
        nesting,
        encoder,
        pending: BTreeMap::new(),
        taken: BTreeMap::new(),
        errors: Vec::new(),
        incompletes: Vec::new(),
        longest: 0,
    };
    let result = unwinder.run(host, limits);
    *stats = unwinder.encoder.stats();
    result
}

impl Unwinder<'_> {
    fn run(&mut self, host: &mut dyn Host, limits: Limits) -> Result<Unwound, EngineError> {
        let entry = self.cfa.program.entry();
        let start = self.encoder.front(0)[&entry].clone();
        let first = Arrival {
            taken: start.guard,
            env: start.env,
        };
        let turn = self.nesting.first(entry);
        self.pending.insert(turn, vec![first]);
        let (mut visits, mut next_question) = (0u64, 1u64);
        while let Some((turn, arrivals)) = self.pending.pop_first() {
            go_on(host)?;
            let loc = self.nesting.at(&turn);
            let state = self.encoder.merge(self.cfa, self.session, loc, arrivals)?;
            match &self.cfa.program.locs[loc].kind {
                LocKind::Error(_) => self.errors.push(state.guard),
                LocKind::Incomplete(_) => self.incompletes.push(state.guard),
                LocKind::Plain => {
                    if let Some(round) = self.nesting.round(&turn) {
                        visits += 1;
                        if round > 1 && !self.possible(&state)? {
                            continue;
                        }
                        self.longest = self.longest.max(round);
                        let open = self.cfa.program.pool.as_bool(state.guard).is_none();
                        let edges = self.encoder.stats().instances;
                        if edges > limits.edges || (open && round > limits.rounds) {
                            return Ok(Unwound::GaveUp);
                        }
                        if visits >= next_question {
                            if let Some(end) = self.ask()? {
                                return Ok(end);
                            }
                            host.progress("no error up to visit", visits);
                            next_question = visits + 1 + visits / 4;
                        }
                    }
                    self.leave(turn, loc, &state);
                }
            }
        }
        Ok(self.ask()?.unwrap_or(Unwound::Complete(self.longest)))
    }

    /// Whether a loop can go on like this.
    fn possible(&mut self, state: &State) -> Result<bool, EngineError> {
        if let Some(known) = self.cfa.program.pool.as_bool(state.guard) {
            return Ok(known);
        }
        self.session.set_kind("forward condition");
        self.refute(state.guard)
    }

    /// Whether `t` is possible; asserts that it is not where it is not.
    fn refute(&mut self, t: Term) -> Result<bool, EngineError> {
        let pool = &mut self.cfa.program.pool;
        let possible = ask(self.session, pool, &[t])?;
        if !possible {
            let never = pool.not(t);
            self.session.assert(pool, never)?;
        }
        Ok(possible)
    }

    /// Asks for what has been met since the last time.
    fn ask(&mut self) -> Result<Option<Unwound>, EngineError> {
        let errors = std::mem::take(&mut self.errors);
        let any = self.cfa.program.pool.or_all(errors);
        self.session.set_kind("base");
        if self.cfa.program.pool.as_bool(any) != Some(false) && self.refute(any)? {
            return Ok(Some(Unwound::Unsafe(self.trace()?)));
        }
        let incompletes = std::mem::take(&mut self.incompletes);
        let any = self.cfa.program.pool.or_all(incompletes);
        self.session.set_kind("incomplete");
        if self.cfa.program.pool.as_bool(any) != Some(false) && self.refute(any)? {
            return Ok(Some(Unwound::GaveUp));
        }
        Ok(None)
    }

    fn leave(&mut self, turn: Turn, loc: Loc, state: &State) {
        let mut taken = Vec::new();
        for (instance, arrival) in self.encoder.leave(self.cfa, loc, state, &mut Vec::new()) {
            let to = self.cfa.program.edges[instance.edge].to;
            let next = self.nesting.step(&turn, to);
            // Targets not at their place in the order, which is behind all loops.
            match &self.cfa.program.locs[to].kind {
                LocKind::Error(_) => self.errors.push(arrival.taken),
                LocKind::Incomplete(_) => self.incompletes.push(arrival.taken),
                LocKind::Plain => self.pending.entry(next.clone()).or_default().push(arrival),
            }
            taken.push((instance, next));
        }
        self.taken.insert(turn, taken);
    }

    /// The execution that the session's model describes, up to the first error it can reach.
    fn trace(&mut self) -> Result<Trace, EngineError> {
        let pool = &self.cfa.program.pool;
        let mut initial = BTreeMap::new();
        for (&v, &symbol) in self.encoder.start() {
            initial.insert(v, self.session.value(pool, symbol)?);
        }
        let mut execution = Execution::new(initial);
        let mut turn = self.nesting.first(self.cfa.program.entry());
        loop {
            let at = self.nesting.at(&turn);
            if self.cfa.program.locs[at].kind != LocKind::Plain {
                return Ok(execution.into_trace());
            }
            // An error if it can be reached here; the way to another one otherwise.
            let mut found: Option<&(Instance, Turn)> = None;
            for next in self.taken.get(&turn).into_iter().flatten() {
                let kind = &self.cfa.program.locs[self.nesting.at(&next.1)].kind;
                let wanted = match kind {
                    LocKind::Error(_) => true,
                    LocKind::Plain => found.is_none(),
                    LocKind::Incomplete(_) => false,
                };
                if wanted && is_true(self.session, pool, next.0.taken)? {
                    found = Some(next);
                }
            }
            let (instance, next) = found.ok_or_else(|| no_edge(at))?;
            let mut inputs = Vec::with_capacity(instance.inputs.len());
            for &symbol in &instance.inputs {
                inputs.push(self.session.value(pool, symbol)?);
            }
            execution.take(self.cfa, instance.edge, inputs);
            turn = next.clone();
        }
    }
}
