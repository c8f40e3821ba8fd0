//! Values of gates in a model of the SAT solver, or in one that was simulated.
//!
//! A gate whose clauses are there in both directions has the value of its variable. All others are
//! computed from their arguments; an input without a variable is in no clause and counts as false. So
//! every gate has a value that fits the values of the inputs, whatever part of the graph was encoded. In a
//! simulated model the inputs have values of their own, and all gates are computed from them.

use crate::aig::{Aig, AigLit, Gate};
use crate::cnf::Cnf;
use trellis_ivl::Bv;
use trellis_solver_api::SolverError;
use trellis_solver_api::sat::SatSession;

/// Remembers computed values until the next model.
#[derive(Default)]
pub(crate) struct GateModel {
    /// By gate: the round that computed the value, and the value, `round << 1 | value`.
    values: Vec<u32>,
    round: u32,
    /// Whether the inputs have values of their own, and the SAT solver is not asked.
    simulated: bool,
    stack: Vec<u32>,
}

/// What the values are read from.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub aig: &'a Aig,
    pub cnf: &'a Cnf,
    pub sat: &'a dyn SatSession,
}

impl GateModel {
    /// Forgets all values: there is a new model.
    pub fn new_round(&mut self) {
        self.simulated = false;
        self.round += 1;
        if self.round == 1 << 31 {
            self.values.clear();
            self.round = 1;
        }
    }

    /// A new model in which the inputs have these values, and others are false.
    pub fn simulate(&mut self, aig: &Aig, inputs: impl Iterator<Item = (u32, bool)>) {
        self.new_round();
        self.simulated = true;
        self.values.resize(aig.len(), 0);
        for (node, value) in inputs {
            self.values[node as usize] = self.round << 1 | u32::from(value);
        }
    }

    fn known(&self, node: u32) -> Option<bool> {
        let value = self.values.get(node as usize).copied().unwrap_or(0);
        (value >> 1 == self.round).then_some(value & 1 == 1)
    }

    /// The value of `lit`. Requires that the SAT session is in state `SAT`.
    pub fn value(&mut self, source: Source<'_>, lit: AigLit) -> Result<bool, SolverError> {
        let value = match self.direct(source, lit.node())? {
            Some(value) => value,
            None => self.compute(source, lit.node())?,
        };
        Ok(value != lit.is_inverted())
    }

    /// The value without looking at arguments.
    fn direct(&self, source: Source<'_>, node: u32) -> Result<Option<bool>, SolverError> {
        if self.simulated {
            let is_input = source.aig.gate(node) == Gate::Input || node == 0;
            return Ok(self.known(node).or(is_input.then_some(false)));
        }
        if let Some(var) = source.cnf.exact_variable(node)
            && let Some(value) = source.sat.value(var)?
        {
            return Ok(Some(value));
        }
        Ok(match source.aig.gate(node) {
            Gate::False | Gate::Input => Some(false),
            _ => self.known(node),
        })
    }

    fn compute(&mut self, source: Source<'_>, root: u32) -> Result<bool, SolverError> {
        if self.values.len() < source.aig.len() {
            self.values.resize(source.aig.len(), 0);
        }
        self.stack.clear();
        self.stack.push(root);
        let mut result = false;
        while let Some(&node) = self.stack.last() {
            if let Some(value) = self.direct(source, node)? {
                self.stack.pop();
                result = value;
                continue;
            }
            let waiting = self.stack.len();
            let mut arg = |lit: AigLit| -> Result<bool, SolverError> {
                let value = self.direct(source, lit.node())?;
                if value.is_none() {
                    self.stack.push(lit.node());
                }
                Ok(value.unwrap_or(false) != lit.is_inverted())
            };
            let value = match source.aig.gate(node) {
                Gate::False | Gate::Input => false,
                Gate::And(a, b) => arg(a)? & arg(b)?,
                Gate::Xor(a, b) => arg(a)? ^ arg(b)?,
                Gate::Xor3(a, b, c) => arg(a)? ^ arg(b)? ^ arg(c)?,
                Gate::Maj(a, b, c) => {
                    let (a, b, c) = (arg(a)?, arg(b)?, arg(c)?);
                    a & b | a & c | b & c
                }
                Gate::Ite(c, t, e) => {
                    let (c, t, e) = (arg(c)?, arg(t)?, arg(e)?);
                    if c { t } else { e }
                }
            };
            if self.stack.len() > waiting {
                continue;
            }
            self.stack.pop();
            self.values[node as usize] = self.round << 1 | u32::from(value);
            result = value;
        }
        Ok(result)
    }

    /// The value of a word.
    pub fn word(&mut self, source: Source<'_>, bits: &[AigLit]) -> Result<Bv, SolverError> {
        if bits.len() <= 64 {
            let mut value = 0;
            for (i, &bit) in bits.iter().enumerate() {
                value |= u64::from(self.value(source, bit)?) << i;
            }
            return Ok(Bv::new(bits.len() as u32, value));
        }
        let bits: Result<Vec<bool>, _> = bits.iter().map(|&bit| self.value(source, bit)).collect();
        Ok(Bv::from_bits(&bits?))
    }
}
