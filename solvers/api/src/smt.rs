//! Incremental SMT over the terms of the IVL (QF_ABV).
//!
//! # States
//! A session is in one of three states:
//!
//! | state | entered by | may be read |
//! |---|---|---|
//! | `INPUT` | creation, `assert`, `push`, `pop`, an unknown answer | nothing |
//! | `SAT` | `check` with a satisfiable answer | `value`, `generalize` |
//! | `UNSAT` | `check` with an unsatisfiable answer | `unsat_core` |
//!
//! Every call is allowed in every state except those that read; these return
//! [`SolverError::Misuse`] in a state that does not allow them. Reading leaves the state as it is, also
//! when it fails; so do `set_limits`, `set_kind`, `interrupter` and `stats`.
//!
//! # Terms and pools
//! Calls that take terms take the pool they live in. A session belongs to one *lineage* of pools: the
//! pool of its first call and whatever that pool grows into. Pools only grow, so a session keeps what it
//! has translated by term number. Passing a pool of another lineage is a bug of the caller that a
//! session cannot detect in general.
//!
//! Variables need no declaration: a session meets them in terms.

use crate::{
    Answer, Capabilities, Interrupter, Limits, OptionSpec, Result, SessionConfig, SolverError,
};
use std::collections::BTreeMap;
use std::time::Duration;
use trellis_ivl::{Term, TermPool, Type, Value, Var};

/// What a query is for, so that engines report comparable figures: `"induction"`, `"generalize"`, ...
pub type QueryKind = &'static str;

/// The kind of queries nobody has labelled.
pub const UNLABELLED: QueryKind = "query";

/// Figures of the queries of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KindStats {
    /// Satisfiable answers.
    pub sat: u64,
    /// Unsatisfiable answers.
    pub unsat: u64,
    /// Unknown answers.
    pub unknown: u64,
    /// Answers taken from a cache, counted under `sat` or `unsat` too.
    pub cached: u64,
    /// Wall time inside `check`.
    pub time: Duration,
}

impl KindStats {
    /// Number of queries.
    pub fn queries(&self) -> u64 {
        self.sat + self.unsat + self.unknown
    }

    /// Adds the figures of `other`.
    pub fn add(&mut self, other: &KindStats) {
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.cached += other.cached;
        self.time += other.time;
    }
}

/// Figures of a session since its creation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SmtStats {
    /// Per kind of query.
    pub kinds: BTreeMap<QueryKind, KindStats>,
    /// Further counters of the backend by name (clauses, conflicts, lemmas, ...).
    pub counters: BTreeMap<&'static str, u64>,
}

impl SmtStats {
    /// Counts one answer.
    pub fn record(&mut self, kind: QueryKind, answer: &Answer, time: Duration) {
        let stats = self.kinds.entry(kind).or_default();
        match answer {
            Answer::Sat => stats.sat += 1,
            Answer::Unsat => stats.unsat += 1,
            Answer::Unknown(_) => stats.unknown += 1,
        }
        stats.time += time;
    }

    /// The figures of all kinds together.
    pub fn total(&self) -> KindStats {
        let mut total = KindStats::default();
        for kind in self.kinds.values() {
            total.add(kind);
        }
        total
    }
}

/// One incremental SMT solver. The module documentation has the state machine.
///
/// A session stays on its thread; its [`Interrupter`] may travel.
pub trait SmtSession {
    /// Name and version of the solver, for reports.
    fn signature(&self) -> &str;

    /// What this session can do.
    fn capabilities(&self) -> Capabilities;

    /// Asserts a boolean term at the current level. Ensures state `INPUT`.
    fn assert(&mut self, pool: &TermPool, t: Term) -> Result<()>;

    /// Opens a level. Ensures state `INPUT`.
    fn push(&mut self) -> Result<()>;

    /// Closes `levels` levels and forgets what was asserted in them. Requires that many open levels.
    /// Ensures state `INPUT`.
    fn pop(&mut self, levels: usize) -> Result<()>;

    /// Number of open levels.
    fn level(&self) -> usize;

    /// Searches for a model of all that is asserted and of the assumptions (any boolean terms), which
    /// hold for this query only.
    ///
    /// Ensures state `SAT`, `UNSAT` or, after an unknown answer, `INPUT`. An interrupt that is set and a
    /// wall limit of zero are seen before any search. An error leaves state `INPUT`.
    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Result<Answer>;

    /// The value of any term in the model, also of one the session has not met: its unknown variables
    /// have some value, the same for every later reading. Requires state `SAT`.
    fn value(&mut self, pool: &TermPool, t: Term) -> Result<Value>;

    /// Assumptions of the last query that suffice for the answer, in the order given, each once; not
    /// necessarily few. Requires state `UNSAT`.
    fn unsat_core(&mut self) -> Result<Vec<Term>>;

    /// A formula over `keep` that is true in the model and implies that the formulas given have a model:
    /// the variables not in `keep` are projected out. Requires state `SAT` and the capability
    /// `MODEL_GENERALIZATION`.
    fn generalize(&mut self, pool: &mut TermPool, formulas: &[Term], keep: &[Var]) -> Result<Term> {
        let _ = (pool, formulas, keep);
        Err(self.missing(Capabilities::MODEL_GENERALIZATION, "generalize a model"))
    }

    /// An interpolant of two formulas that are unsatisfiable together, independent of what is
    /// asserted: implied by `a`, unsatisfiable with `b`, over their common variables. `None` where they
    /// are satisfiable. Needs the capability `INTERPOLATION`. Ensures state `INPUT`.
    fn interpolate(&mut self, pool: &mut TermPool, a: Term, b: Term) -> Result<Option<Term>> {
        let _ = (pool, a, b);
        Err(self.missing(Capabilities::INTERPOLATION, "interpolate"))
    }

    /// A sequence interpolant of formulas that are unsatisfiable together, independent of what is asserted:
    /// one formula more than there are parts, from true to false, each implied by the one before it and
    /// the part between, over variables that occur both before and after it. `None` where the parts are
    /// satisfiable. Needs the capability `INTERPOLATION`. Ensures state `INPUT`.
    fn interpolate_sequence(
        &mut self,
        pool: &mut TermPool,
        parts: &[Term],
    ) -> Result<Option<Vec<Term>>> {
        let mut sequence = vec![pool.tru()];
        for i in 1..parts.len().max(2) {
            let last = sequence[i - 1];
            let part = parts.get(i - 1).copied().unwrap_or(last);
            let before = pool.and(last, part);
            let after = pool.and_all(parts.iter().skip(i).copied());
            match self.interpolate(pool, before, after)? {
                Some(t) => sequence.push(t),
                None => return Ok(None),
            }
        }
        sequence.truncate(parts.len());
        sequence.push(pool.fls());
        Ok(Some(sequence))
    }

    /// The error for a capability that is not there.
    fn missing(&self, missing: Capabilities, what: &str) -> SolverError {
        SolverError::Unsupported {
            solver: self.signature().into(),
            missing,
            what: what.into(),
        }
    }

    /// Labels the following queries.
    fn set_kind(&mut self, kind: QueryKind);

    /// Limits of each following `check`. Those missing in the capabilities have no effect.
    fn set_limits(&mut self, limits: Limits);

    /// A handle that stops this session.
    fn interrupter(&self) -> Interrupter;

    /// Figures since the creation.
    fn stats(&self) -> SmtStats;
}

/// Makes sessions of one SMT solver.
pub trait SmtBackend: Send + Sync {
    /// A short name without spaces, as written in configurations.
    fn name(&self) -> &str;

    /// What its sessions can do.
    fn capabilities(&self) -> Capabilities;

    /// The options that its sessions take.
    fn options(&self) -> Vec<OptionSpec> {
        Vec::new()
    }

    /// A new session with nothing asserted.
    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SmtSession>>;
}

impl SmtBackend for Box<dyn SmtBackend> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn capabilities(&self) -> Capabilities {
        (**self).capabilities()
    }

    fn options(&self) -> Vec<OptionSpec> {
        (**self).options()
    }

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SmtSession>> {
        (**self).session(config)
    }
}

/// The guard of calls that take formulas.
pub fn require_formula(pool: &TermPool, t: Term, call: &'static str) -> Result<()> {
    let message = if t.as_u32() as usize >= pool.len() {
        format!("term {t} is not in the pool")
    } else {
        match pool.ty(t) {
            Type::Bool => return Ok(()),
            ty => format!("a formula is needed, and term {t} has type {ty}"),
        }
    };
    Err(SolverError::Term { call, message })
}

/// The guard of `pop`.
pub fn require_levels(open: usize, closed: usize) -> Result<()> {
    if closed <= open {
        return Ok(());
    }
    Err(SolverError::Misuse {
        call: "pop",
        needs: "as many open levels as are to be closed",
        state: "with fewer",
    })
}
