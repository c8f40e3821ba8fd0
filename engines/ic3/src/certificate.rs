//! The invariant as a term over the program's variables.

use crate::cube::Cube;
use crate::lit::Lit;
use crate::model::{Fact, Model};
use crate::system::System;
use std::rc::Rc;
use trellis_plugin_sdk::ivl::{Term, TermPool};

/// A fact about state bits by number: a clause over them.
type Clause = Vec<(u32, bool)>;

/// What was found about the state on the way to the invariant.
#[derive(Default)]
pub struct Facts {
    clauses: Vec<Clause>,
}

impl Facts {
    /// Notes facts about latches of a model.
    pub fn note(&mut self, model: &Model, facts: &[Option<Fact>]) {
        for (latch, fact) in model.latches.iter().zip(facts) {
            match *fact {
                None => {}
                Some(Fact::Constant(value)) => self.clauses.push(vec![(latch.bit, value)]),
                Some(Fact::Same { other, inverted }) => {
                    let other = model.latches[other].bit;
                    self.clauses
                        .push(vec![(latch.bit, true), (other, inverted)]);
                    self.clauses
                        .push(vec![(latch.bit, false), (other, !inverted)]);
                }
            }
        }
    }

    /// Notes that no state of these cubes is reachable.
    pub fn exclude(&mut self, model: &Model, cubes: &[Rc<Cube>]) {
        let mut bit = vec![0; model.aig.len()];
        for latch in &model.latches {
            bit[latch.var as usize] = latch.bit;
        }
        let literal = |l: &Lit| (bit[l.at()], !l.is_positive());
        let clause = |c: &Rc<Cube>| c.lits().iter().map(literal).collect();
        self.clauses.extend(cubes.iter().map(clause));
    }

    /// The conjunction of all, where `first` is over.
    pub fn invariant(&self, system: &System, pool: &mut TermPool) -> Term {
        let first = system.first();
        let mut parts = Vec::with_capacity(self.clauses.len());
        'clauses: for clause in &self.clauses {
            let mut lits = Vec::with_capacity(clause.len());
            for &(bit, positive) in clause {
                if Some(bit) == first {
                    match positive {
                        true => continue,
                        false => continue 'clauses,
                    }
                }
                let term = system.bit_term(pool, bit);
                lits.push(if positive { term } else { pool.not(term) });
            }
            parts.push(pool.or_all(lits));
        }
        pool.and_all(parts)
    }
}
