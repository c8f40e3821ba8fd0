//! What a session of any backend keeps besides its solver: state, limits, interrupter and figures.
//!
//! A backend that has books as a field answers the calls about them by
//! `delegate_sat!(books: new_var max_var set_limits interrupter stats)`, and by `delegate_smt!` likewise.

use crate::sat::{Lit, SatStats};
use crate::smt::{QueryKind, SmtStats, UNLABELLED};
use crate::{Answer, Interrupter, Limits, Result, SessionState, StopClock};
use std::time::Instant;

/// The books of a session with figures `F`.
#[derive(Debug, Default)]
pub struct Books<F> {
    /// Where the session is.
    pub state: SessionState,
    /// Limits of each query.
    pub limits: Limits,
    interrupter: Interrupter,
    figures: F,
}

/// The books of a SAT session.
pub type SatBooks = Books<SatStats>;

/// The books of an SMT session.
pub type SmtBooks = Books<Labelled>;

/// A query that has begun.
pub struct Begun {
    start: Instant,
    /// What stops it.
    pub clock: StopClock,
}

impl<F: Default> Books<F> {
    /// Books of a fresh session that is stopped by `interrupter`.
    pub fn new(interrupter: Interrupter) -> Books<F> {
        Books {
            state: SessionState::Input,
            limits: Limits::NONE,
            interrupter,
            figures: F::default(),
        }
    }

    /// What stops a call that begins now.
    pub fn clock(&self) -> StopClock {
        StopClock::start(self.interrupter.clone(), &self.limits)
    }

    /// A query begins.
    pub fn begin(&mut self) -> Begun {
        self.state = SessionState::Input;
        Begun {
            start: Instant::now(),
            clock: self.clock(),
        }
    }

    /// Limits of each following query.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// A handle that stops the session.
    pub fn interrupter(&self) -> Interrupter {
        self.interrupter.clone()
    }
}

impl SatBooks {
    /// The next variable.
    pub fn new_var(&mut self) -> Lit {
        self.state = SessionState::Input;
        self.figures.variables += 1;
        let lit = Lit::positive(self.figures.variables);
        lit.expect("half a billion variables do not fit into memory")
    }

    /// The largest variable.
    #[inline]
    pub fn max_var(&self) -> u32 {
        self.figures.variables
    }

    /// A clause is added.
    #[inline]
    pub fn add_clause(&mut self, clause: &[Lit]) {
        for lit in clause {
            self.figures.variables = self.figures.variables.max(lit.var());
        }
        self.figures.clauses += 1;
        self.state = SessionState::Input;
    }

    /// A literal is assumed.
    #[inline]
    pub fn assume(&mut self, lit: Lit) {
        self.figures.variables = self.figures.variables.max(lit.var());
        self.state = SessionState::Input;
    }

    /// A query ends.
    pub fn end(&mut self, begun: &Begun, answer: &Result<Answer>) {
        self.state = answer
            .as_ref()
            .map_or(SessionState::Input, SessionState::after);
        self.figures.solves += 1;
        self.figures.time += begun.start.elapsed();
    }

    /// Figures since the creation, without those of the search.
    pub fn stats(&self) -> SatStats {
        self.figures
    }
}

/// Figures of queries and the label of the next.
#[derive(Debug)]
pub struct Labelled {
    kind: QueryKind,
    stats: SmtStats,
}

impl Default for Labelled {
    fn default() -> Labelled {
        Labelled {
            kind: UNLABELLED,
            stats: SmtStats::default(),
        }
    }
}

impl SmtBooks {
    /// A query ends with an answer. One that fails is not counted.
    pub fn end(&mut self, begun: &Begun, answer: &Answer) {
        self.state = SessionState::after(answer);
        let Labelled { kind, stats } = &mut self.figures;
        stats.record(kind, answer, begun.start.elapsed());
    }

    /// Labels the following queries.
    pub fn set_kind(&mut self, kind: QueryKind) {
        self.figures.kind = kind;
    }

    /// Figures of the queries.
    pub fn stats(&self) -> SmtStats {
        self.figures.stats.clone()
    }
}
