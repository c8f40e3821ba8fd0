//! The invariant as a term over the program's variables.

use crate::aig::Node;
use crate::cube::Cube;
use crate::lit::{Lit, Var};
use crate::model::{Fact, Model};
use crate::system::System;
use std::rc::Rc;
use trellis_plugin_sdk::ivl::{Term, TermPool};

/// A fact about state bits by number: a clause over them.
type Clause = Vec<(u32, bool)>;

/// Numbers from here on are those of gates of the last model.
const GATE: u32 = 1 << 31;

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
        let mut bit: Vec<u32> = (0..model.aig.len() as u32).map(|v| GATE | v).collect();
        for latch in &model.latches {
            bit[latch.var as usize] = latch.bit;
        }
        let literal = |l: &Lit| (bit[l.at()], !l.is_positive());
        let clause = |c: &Rc<Cube>| c.lits().iter().map(literal).collect();
        self.clauses.extend(cubes.iter().map(clause));
    }

    /// The conjunction of all, where `first` is over.
    pub fn invariant(&self, system: &System, model: &Model, pool: &mut TermPool) -> Term {
        let first = system.first();
        let mut gates = Gates::new(system, model, pool);
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
                let term = match bit & GATE {
                    0 => system.bit_term(pool, bit),
                    _ => gates.term(model, pool, bit & !GATE),
                };
                lits.push(if positive { term } else { pool.not(term) });
            }
            parts.push(pool.or_all(lits));
        }
        pool.and_all(parts)
    }
}

/// Gates over latches as terms.
struct Gates {
    terms: Vec<Option<Term>>,
}

impl Gates {
    fn new(system: &System, model: &Model, pool: &mut TermPool) -> Gates {
        let mut terms = vec![None; model.aig.len()];
        if model.signals.is_empty() {
            return Gates { terms };
        }
        terms[0] = Some(pool.fls());
        for latch in &model.latches {
            let term = match Some(latch.bit) == system.first() {
                true => pool.fls(),
                false => system.bit_term(pool, latch.bit),
            };
            terms[latch.var as usize] = Some(term);
        }
        Gates { terms }
    }

    fn term(&mut self, model: &Model, pool: &mut TermPool, var: Var) -> Term {
        let mut stack = vec![var];
        while let Some(&v) = stack.last() {
            if self.terms[v as usize].is_some() {
                stack.pop();
                continue;
            }
            let Node::And(a, b) = model.aig.nodes()[v as usize] else {
                unreachable!("signals depend on latches alone");
            };
            let mut literal = |l: Lit| {
                let term = self.terms[l.at()]?;
                Some(if l.is_positive() {
                    term
                } else {
                    pool.not(term)
                })
            };
            match (literal(a), literal(b)) {
                (Some(x), Some(y)) => {
                    self.terms[v as usize] = Some(pool.and(x, y));
                    stack.pop();
                }
                (x, y) => {
                    stack.extend(x.is_none().then_some(a.var()));
                    stack.extend(y.is_none().then_some(b.var()));
                }
            }
        }
        self.terms[var as usize].expect("it was made last")
    }
}
