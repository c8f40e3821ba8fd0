//! Incremental SAT: IPASIR one to one, as a trait.
//!
//! # States
//! A session is in one of three states:
//!
//! | state | entered by | may be read |
//! |---|---|---|
//! | `INPUT` | creation, `new_var`, `add_clause`, `assume`, an unknown answer | nothing |
//! | `SAT` | `solve` with a satisfiable answer | `value` |
//! | `UNSAT` | `solve` with an unsatisfiable answer | `failed` |
//!
//! Every call is allowed in every state except the two that read; these return
//! [`SolverError::Misuse`](crate::SolverError::Misuse) in a state that does not allow them. `reserve`, `phase`, `set_limits`,
//! `interrupter` and `stats` leave the state as it is, and so do failed reads.
//!
//! Variables are the numbers from 1. A variable exists as soon as it is returned by `new_var` or
//! mentioned in a clause or an assumption, and all smaller ones with it.
//!
//! Assumptions hold for the next `solve` only, whatever it answers.

use crate::{Answer, Capabilities, Interrupter, Limits, OptionSpec, Result, SessionConfig};
use std::fmt;
use std::num::NonZeroI32;
use std::ops::Not;
use std::time::Duration;

/// A literal: a variable number, negative when negated. `Option<Lit>` is as small as a `Lit`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Lit(NonZeroI32);

impl Lit {
    /// The largest variable number; solvers pack literals into 32 bits with up to two bits of their own.
    pub const MAX_VAR: u32 = (1 << 29) - 1;

    /// The positive literal of variable `var`, unless it is 0 or above [`Lit::MAX_VAR`].
    #[inline]
    pub fn positive(var: u32) -> Option<Lit> {
        if var > Lit::MAX_VAR {
            None
        } else {
            NonZeroI32::new(var as i32).map(Lit)
        }
    }

    /// From a DIMACS literal, unless it is 0 or its variable is above [`Lit::MAX_VAR`].
    #[inline]
    pub fn from_dimacs(number: i32) -> Option<Lit> {
        if number.unsigned_abs() > Lit::MAX_VAR {
            None
        } else {
            NonZeroI32::new(number).map(Lit)
        }
    }

    /// As a DIMACS literal.
    #[inline]
    pub fn to_dimacs(self) -> i32 {
        self.0.get()
    }

    /// Its variable, from 1.
    #[inline]
    pub fn var(self) -> u32 {
        self.0.get().unsigned_abs()
    }

    /// Whether it is a negated variable.
    #[inline]
    pub fn is_negative(self) -> bool {
        self.0.get() < 0
    }
}

impl Not for Lit {
    type Output = Lit;
    #[inline]
    fn not(self) -> Lit {
        // Never overflows: `i32::MIN` is no literal.
        Lit(-self.0)
    }
}

impl fmt::Display for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Figures of a session since its creation; `None` where the solver does not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SatStats {
    /// Calls of `solve`.
    pub solves: u64,
    /// Clauses added.
    pub clauses: u64,
    /// The largest variable.
    pub variables: u32,
    /// Conflicts of the search.
    pub conflicts: Option<u64>,
    /// Decisions of the search.
    pub decisions: Option<u64>,
    /// Propagated literals.
    pub propagations: Option<u64>,
    /// Wall time inside `solve`.
    pub time: Duration,
}

impl SatStats {
    /// Adds the figures of another session; the variables are the larger number.
    pub fn add(&mut self, other: &SatStats) {
        let sum = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (Some(a), Some(b)) => Some(a + b),
            (a, b) => a.or(b),
        };
        self.solves += other.solves;
        self.clauses += other.clauses;
        self.variables = self.variables.max(other.variables);
        self.conflicts = sum(self.conflicts, other.conflicts);
        self.decisions = sum(self.decisions, other.decisions);
        self.propagations = sum(self.propagations, other.propagations);
        self.time += other.time;
    }
}

/// One incremental SAT solver. The module documentation has the state machine.
///
/// A session stays on its thread; its [`Interrupter`] may travel.
pub trait SatSession {
    /// Name and version of the solver, for reports.
    fn signature(&self) -> &str;

    /// What this session can do.
    fn capabilities(&self) -> Capabilities;

    /// A variable that did not exist before. Ensures state `INPUT`.
    fn new_var(&mut self) -> Lit;

    /// The largest variable that exists, 0 when there is none.
    fn max_var(&self) -> u32;

    /// Hint: variables up to `max_var` will come. Creates none.
    fn reserve(&mut self, max_var: u32) {
        let _ = max_var;
    }

    /// Adds a clause for ever. Repeated and opposite literals are allowed; the empty clause makes every
    /// later answer unsatisfiable. Ensures state `INPUT`.
    fn add_clause(&mut self, clause: &[Lit]);

    /// Assumes a literal in the next `solve`. Repeated and opposite assumptions are allowed.
    /// Ensures state `INPUT`.
    fn assume(&mut self, lit: Lit);

    /// Searches for a model of all clauses and assumptions, and forgets the assumptions.
    ///
    /// Ensures state `SAT`, `UNSAT` or, after an unknown answer, `INPUT`. An interrupt that is set and a
    /// wall limit of zero are seen before any search.
    fn solve(&mut self) -> Result<Answer>;

    /// The value of a literal in the model; `None` when both values do, also for a variable that does not
    /// exist. Requires state `SAT`.
    fn value(&self, lit: Lit) -> Result<Option<bool>>;

    /// Whether an assumption of the last `solve` was used to refute the clauses. The clauses with all
    /// failed assumptions are unsatisfiable. False for a literal that was not assumed.
    /// Requires state `UNSAT`.
    fn failed(&self, lit: Lit) -> Result<bool>;

    /// Hint: decide the variable to make `lit` true. Without effect where `PHASE_HINTS` is missing.
    fn phase(&mut self, lit: Lit) {
        let _ = lit;
    }

    /// Limits of each following `solve`. Those missing in the capabilities have no effect.
    fn set_limits(&mut self, limits: Limits);

    /// A handle that stops this session.
    fn interrupter(&self) -> Interrupter;

    /// Figures since the creation.
    fn stats(&self) -> SatStats;
}

/// Makes sessions of one SAT solver.
pub trait SatBackend: Send + Sync {
    /// A short name without spaces, as written in configurations.
    fn name(&self) -> &str;

    /// What its sessions can do.
    fn capabilities(&self) -> Capabilities;

    /// The options that its sessions take.
    fn options(&self) -> Vec<OptionSpec> {
        Vec::new()
    }

    /// A new session without variables and clauses.
    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SatSession>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals() {
        let lit = Lit::from_dimacs(-3).expect("not zero");
        assert_eq!(
            (lit.var(), lit.is_negative(), (!lit).to_dimacs()),
            (3, true, 3)
        );
        assert_eq!(Lit::from_dimacs(0), None);
        assert_eq!(Lit::from_dimacs(i32::MIN), None);
        assert_eq!(Lit::positive(Lit::MAX_VAR + 1), None);
        assert_eq!(size_of::<Option<Lit>>(), 4);
    }
}
