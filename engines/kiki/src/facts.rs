//! What is known to hold at loop heads: invariants of earlier rounds, lemmas of others, blocked obligations.
//!
//! Every fact is j-inductive together with the facts before it for some j up to the current k, so at the
//! current k all of them are k-inductive together: they may be assumed at every visit, and all of them
//! go into the certificate.

use crate::infer::Template;
use std::collections::BTreeMap;
use trellis_engine_common::{Cfa, Induction};
use trellis_ivl::{Loc, Term};
use trellis_plugin_sdk::EngineError;
use trellis_solver_api::smt::SmtSession;

/// Facts by head.
#[derive(Default)]
pub struct Facts {
    list: Vec<(Loc, Term)>,
    /// Per fact, in how many layers it is asserted.
    asserted: Vec<usize>,
}

impl Facts {
    /// Adds a fact; whether it is new.
    pub fn add(&mut self, cfa: &Cfa, head: Loc, fact: Term) -> bool {
        let trivial = cfa.program.pool.as_bool(fact) == Some(true);
        if trivial || self.list.contains(&(head, fact)) {
            return false;
        }
        self.list.push((head, fact));
        self.asserted.push(0);
        true
    }

    /// Adds what a template says with its values.
    pub fn add_values(&mut self, cfa: &mut Cfa, template: &Template) {
        for (head, list) in template.statements(cfa) {
            let list = list.unwrap_or_else(|| vec![cfa.program.pool.fls()]);
            for fact in list {
                self.add(cfa, head, fact);
            }
        }
    }

    /// Number of facts.
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// The facts in the order they were found.
    pub fn iter(&self) -> impl Iterator<Item = (Loc, Term)> + '_ {
        self.list.iter().copied()
    }

    /// The facts by head.
    pub fn by_head(&self) -> BTreeMap<Loc, Vec<Term>> {
        let mut map: BTreeMap<Loc, Vec<Term>> = BTreeMap::new();
        for &(head, fact) in &self.list {
            map.entry(head).or_default().push(fact);
        }
        map
    }

    /// Asserts every fact at every visit of the step up to visit `k`, each once.
    pub fn assert(
        &mut self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        step: &mut Induction,
        k: usize,
    ) -> Result<(), EngineError> {
        for (&(head, fact), layers) in self.list.iter().zip(&mut self.asserted) {
            while *layers <= k {
                if let Some(state) = step.unrolling.front(*layers).get(&head) {
                    let pool = &mut cfa.program.pool;
                    let here = step.instances.get(pool, *layers, head, state, fact);
                    let clause = pool.implies(state.guard, here);
                    session.assert(pool, clause)?;
                }
                *layers += 1;
            }
        }
        Ok(())
    }
}
