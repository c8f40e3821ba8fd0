//! A SAT solver for the queries of IC3: hundreds of thousands of tiny ones about one circuit.
//!
//! The ground is that of MiniSat (Eén and Sörensson, SAT'03): two watched literals, first-UIP
//! learning with minimisation, activities, saved phases, assumptions with final analysis. What
//! differs follows "Deeply Optimizing the SAT Solver for the IC3 Algorithm" (Su et al., CAV'25):
//!
//! - decisions and propagation stay within the query's *domain*: the variables on which the query
//!   depends through the gates' definitions, and those of the lemmas. What lies outside is determined
//!   by functions and can always be completed, so it is never touched;
//! - one temporary clause per query, the negated cube, hangs on one activation variable that is
//!   used again and again: the clause and all that was learnt from it go when the next query begins.
//!
//! Open first: `search`. Across the border of the host's sessions each query would cost more than
//! it takes here (see the chapter on hardware), which is why this solver is part of the engine.
//!
//! Deliberately absent: proofs, preprocessing (the clauses come from
//! [`cnf`](crate::cnf) reduced), and variables added later.

mod analyze;
mod clause;
mod clean;
mod domain;
mod order;
mod propagate;
mod search;
#[cfg(test)]
mod tests;

use crate::lit::{Lit, Var};
use clause::{Arena, ClauseRef};
use order::Order;
use std::rc::Rc;

pub use domain::Dependencies;

const FALSE: u8 = 0;
const TRUE: u8 = 1;
const OPEN: u8 = 2;
const NO_REASON: ClauseRef = ClauseRef::MAX;

#[derive(Clone, Copy)]
struct Watch {
    clause: ClauseRef,
    blocker: Lit,
}

/// Marks watches of clauses with two literals: the blocker is the other one.
const BINARY: ClauseRef = 1 << 31;

#[derive(Clone, Copy)]
struct Assigned {
    level: u32,
    reason: ClauseRef,
}

/// What the solver did, for reports.
#[derive(Clone, Copy, Default, Debug)]
pub struct Stats {
    /// Queries begun.
    pub queries: u64,
    /// Conflicts.
    pub conflicts: u64,
    /// Decisions.
    pub decisions: u64,
    /// Literals propagated.
    pub propagations: u64,
    /// Sum of the sizes of the domains.
    pub domain: u64,
}

/// The solver.
#[derive(Clone)]
pub struct Solver {
    arena: Arena,
    watches: Vec<Vec<Watch>>,
    /// Per literal.
    values: Vec<u8>,
    assigned: Vec<Assigned>,
    trail: Vec<Lit>,
    /// Length of the trail where each decision level begins.
    limits: Vec<usize>,
    head: usize,
    activity: Vec<f64>,
    bump: f64,
    order: Order,
    /// How much of the domain was looked at for variables without activity.
    looked: usize,
    phase: Vec<bool>,
    seen: Vec<bool>,
    domain: domain::Domain,
    learnts: Vec<ClauseRef>,
    /// With more than these, the worse half goes.
    learnts_limit: usize,
    temporary: Vec<ClauseRef>,
    /// The activation variable.
    activation: Var,
    assumptions: Vec<Lit>,
    core: Vec<Lit>,
    broken: bool,
    cleaned_at: usize,
    queries_since_clean: u32,
    /// What it did.
    pub stats: Stats,
}

impl Solver {
    /// A solver over the variables of `dependencies`; variable 0 is false.
    pub fn new(dependencies: Rc<Dependencies>) -> Solver {
        let activation = dependencies.vars() as Var;
        let vars = dependencies.vars() + 1;
        let mut solver = Solver {
            arena: Arena::default(),
            watches: vec![Vec::new(); 2 * vars],
            values: vec![OPEN; 2 * vars],
            assigned: vec![
                Assigned {
                    level: 0,
                    reason: NO_REASON
                };
                vars
            ],
            trail: Vec::new(),
            limits: Vec::new(),
            head: 0,
            activity: vec![0.0; vars],
            bump: 1.0,
            order: Order::default(),
            looked: 0,
            phase: vec![false; vars],
            seen: vec![false; vars],
            domain: domain::Domain::new(dependencies, vars),
            learnts: Vec::new(),
            learnts_limit: clean::LEARNTS,
            temporary: Vec::new(),
            activation,
            assumptions: Vec::new(),
            core: Vec::new(),
            broken: false,
            cleaned_at: 0,
            queries_since_clean: 0,
            stats: Stats::default(),
        };
        solver.add_clause(&[Lit::TRUE]);
        solver
    }

    /// Adds a clause for ever. It must be implied outside of the domains that its variables do
    /// not belong to: a part of a definition, or made of variables given to [`Self::fix`].
    pub fn add_clause(&mut self, lits: &[Lit]) {
        self.reset();
        let mut clause: Vec<Lit> = Vec::with_capacity(lits.len());
        for &lit in lits {
            match self.value(lit) {
                Some(true) => return,
                Some(false) => {}
                None if clause.contains(&!lit) => return,
                None if clause.contains(&lit) => {}
                None => clause.push(lit),
            }
        }
        match clause[..] {
            [] => self.broken = true,
            [unit] => {
                self.assign(unit, NO_REASON);
                if self.propagate().is_some() {
                    self.broken = true;
                }
            }
            _ => {
                let c = self.arena.add(&clause, false, 0);
                self.attach(c);
            }
        }
    }

    /// Adds a clause over leaves, which every query takes into account from now on.
    pub fn add_lemma(&mut self, lits: &[Lit]) {
        for lit in lits {
            self.domain.fix(lit.var());
        }
        self.add_clause(lits);
    }

    /// Has every query decide the variable and what it depends on.
    pub fn fix(&mut self, var: Var) {
        self.domain.fix(var);
    }

    /// The value of a literal: after a satisfiable query within its domain, always if it is forced.
    #[inline]
    pub fn value(&self, lit: Lit) -> Option<bool> {
        match self.values[lit.index()] {
            OPEN => None,
            value => Some(value == TRUE),
        }
    }

    /// The assumptions that the last unsatisfiable query needed.
    pub fn core(&self) -> &[Lit] {
        &self.core
    }

    /// Whether the clauses alone are contradictory.
    pub fn is_broken(&self) -> bool {
        self.broken
    }

    #[inline]
    fn level(&self) -> u32 {
        self.limits.len() as u32
    }

    #[inline]
    fn assign(&mut self, lit: Lit, reason: ClauseRef) {
        debug_assert_eq!(self.values[lit.index()], OPEN);
        self.values[lit.index()] = TRUE;
        self.values[(!lit).index()] = FALSE;
        self.assigned[lit.at()] = Assigned {
            level: self.limits.len() as u32,
            reason,
        };
        self.trail.push(lit);
    }

    fn decide(&mut self, lit: Lit) {
        self.limits.push(self.trail.len());
        self.assign(lit, NO_REASON);
    }

    fn backtrack(&mut self, level: u32) {
        if self.level() <= level {
            return;
        }
        let to = self.limits[level as usize];
        for &lit in &self.trail[to..] {
            self.values[lit.index()] = OPEN;
            self.values[(!lit).index()] = OPEN;
            self.phase[lit.at()] = lit.is_positive();
            let activity = self.activity[lit.at()];
            self.order.insert(lit.var(), activity, self.bump);
        }
        self.trail.truncate(to);
        self.limits.truncate(level as usize);
        self.head = to;
    }

    /// Back to level 0, without putting variables into the order, which the next query fills.
    fn reset(&mut self) {
        if let Some(&to) = self.limits.first() {
            for &lit in &self.trail[to..] {
                self.values[lit.index()] = OPEN;
                self.values[(!lit).index()] = OPEN;
                self.phase[lit.at()] = lit.is_positive();
            }
            self.trail.truncate(to);
            self.limits.clear();
            self.head = to;
        }
        self.drop_temporary();
    }

    fn attach(&mut self, c: ClauseRef) {
        let (a, b) = (self.arena.lit(c, 0), self.arena.lit(c, 1));
        let tag = if self.arena.len(c) == 2 { BINARY } else { 0 };
        let watch = |blocker| Watch {
            clause: c | tag,
            blocker,
        };
        self.watches[(!a).index()].push(watch(b));
        self.watches[(!b).index()].push(watch(a));
    }
}
