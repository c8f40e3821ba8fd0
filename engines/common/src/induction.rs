//! Induction over visits of loop heads, in the checker's sense.
//!
//! Invariants I of the heads are k-inductive when they hold at the first k visits of every execution
//! (*base*) and when on every sequence of k segments that begins at any head, with I at the first k heads,
//! I holds at the last one and no error or incomplete location is reached in the last segment (*step*). An
//! execution that reaches such a location ends there, so "no error so far" needs no assumption of its own.
//!
//! On nested loops the known trap of k-induction is to count the iterations of one loop while another
//! runs freely. Here every visit of every head counts.

use crate::ask::ask;
use crate::cfa::Cfa;
use crate::outcome::Invariants;
use crate::unroll::{Env, State, Unrolling};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use trellis_ivl::{Loc, LocKind, Term, TermPool};
use trellis_plugin_sdk::{EngineError, Host};
use trellis_solver_api::smt::SmtSession;

/// `fact` where the variables hold what `env` says.
pub fn instantiate(pool: &mut TermPool, env: &Env, fact: Term) -> Term {
    pool.substitute(fact, env)
}

/// Which targets a query is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Targets {
    /// Error locations.
    Errors,
    /// Incomplete locations.
    Incompletes,
    /// Both.
    All,
}

impl Targets {
    /// Whether locations of `kind` are meant.
    pub fn include(self, kind: &LocKind) -> bool {
        match kind {
            LocKind::Plain => false,
            LocKind::Error(_) => self != Targets::Incompletes,
            LocKind::Incomplete(_) => self != Targets::Errors,
        }
    }
}

/// When `segment` ends in one of the targets.
pub fn reached(cfa: &mut Cfa, unrolling: &Unrolling, segment: usize, targets: Targets) -> Term {
    let program = &mut cfa.program;
    let locs = &program.locs;
    let hits: Vec<Term> = unrolling
        .targets(segment)
        .iter()
        .filter(|(l, _)| targets.include(&locs[**l].kind))
        .map(|(_, &t)| t)
        .collect();
    program.pool.or_all(hits)
}

/// When some execution makes visit `layer` of a head.
pub fn visited(cfa: &mut Cfa, unrolling: &Unrolling, layer: usize) -> Term {
    let guards: Vec<Term> = unrolling.front(layer).values().map(|s| s.guard).collect();
    cfa.program.pool.or_all(guards)
}

/// Facts of heads at the layers of an unrolling, instantiated once each.
#[derive(Default)]
pub struct Instances {
    done: FxHashMap<(usize, Loc, Term), Term>,
}

impl Instances {
    /// `fact`, over the program's variables, for the state of `head` at `layer`.
    pub fn get(
        &mut self,
        pool: &mut TermPool,
        layer: usize,
        head: Loc,
        state: &State,
        fact: Term,
    ) -> Term {
        *self
            .done
            .entry((layer, head, fact))
            .or_insert_with(|| instantiate(pool, &state.env, fact))
    }
}

/// The step side of induction: an unrolling from any head.
pub struct Induction {
    /// The unrolling.
    pub unrolling: Unrolling,
    /// Facts at its layers.
    pub instances: Instances,
}

impl Induction {
    /// No segment yet.
    pub fn new(cfa: &mut Cfa) -> Induction {
        Induction {
            unrolling: Unrolling::from_heads(cfa),
            instances: Instances::default(),
        }
    }

    /// Unrolls to at least `k` segments.
    pub fn extend_to(
        &mut self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        host: &mut dyn Host,
        k: usize,
    ) -> Result<(), EngineError> {
        while self.unrolling.segments() < k {
            self.unrolling.extend(cfa, session, host)?;
        }
        Ok(())
    }

    /// The invariants at visits `0..k`, one term per head and visit.
    pub fn hypothesis(&mut self, cfa: &mut Cfa, k: usize, invariants: &Invariants) -> Vec<Term> {
        (0..k)
            .flat_map(|layer| self.hold(cfa, layer, invariants))
            .collect()
    }

    /// The invariants at one visit: whoever is at a head satisfies its invariant.
    pub fn hold(&mut self, cfa: &mut Cfa, layer: usize, invariants: &Invariants) -> Vec<Term> {
        let pool = &mut cfa.program.pool;
        let mut terms = Vec::new();
        for (&head, state) in self.unrolling.front(layer) {
            if let Some(&fact) = invariants.get(&head) {
                let here = self.instances.get(pool, layer, head, state, fact);
                let term = pool.implies(state.guard, here);
                if pool.as_bool(term) != Some(true) {
                    terms.push(term);
                }
            }
        }
        terms
    }

    /// When the invariant of some head is broken at visit `layer`.
    pub fn broken(&mut self, cfa: &mut Cfa, layer: usize, invariants: &Invariants) -> Term {
        let parts = self.hold(cfa, layer, invariants);
        let all = cfa.program.pool.and_all(parts);
        cfa.program.pool.not(all)
    }

    /// Whether the step holds for `k`: invariants preserved and no target reached.
    pub fn step_holds(
        &mut self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        host: &mut dyn Host,
        k: usize,
        invariants: &Invariants,
    ) -> Result<bool, EngineError> {
        self.extend_to(cfa, session, host, k)?;
        let mut query = self.hypothesis(cfa, k, invariants);
        let bad = reached(cfa, &self.unrolling, k, Targets::All);
        let broken = self.broken(cfa, k, invariants);
        query.push(cfa.program.pool.or(bad, broken));
        Ok(!ask(session, &cfa.program.pool, &query)?)
    }
}

/// Conjunctions of facts, one for every head (`true` where there is none).
pub fn conjunctions(cfa: &mut Cfa, facts: &BTreeMap<Loc, Vec<Term>>) -> Invariants {
    let heads = cfa.heads().to_vec();
    heads
        .into_iter()
        .map(|h| {
            let list = facts.get(&h).cloned().unwrap_or_default();
            (h, cfa.program.pool.and_all(list))
        })
        .collect()
}
