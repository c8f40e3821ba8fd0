//! A counterexample of the shrunk model as a run of the whole circuit.

use crate::aig::Node;
use crate::cube::Cube;
use crate::lit::Lit;
use crate::model::Model;
use crate::system::System;
use std::rc::Rc;

/// Values of all nodes of a model.
pub struct Simulation<'m> {
    model: &'m Model,
    values: Vec<bool>,
}

impl<'m> Simulation<'m> {
    /// The model with latches of these values, by state bit.
    pub fn new(model: &'m Model, state: &[bool]) -> Simulation<'m> {
        let mut values = vec![false; model.aig.len()];
        for latch in &model.latches {
            values[latch.var as usize] = state[latch.bit as usize];
        }
        Simulation { model, values }
    }

    /// Evaluates all gates with these inputs, by input bit.
    pub fn evaluate(&mut self, inputs: &[bool]) {
        for input in &self.model.inputs {
            self.values[input.var as usize] = inputs[input.bit as usize];
        }
        for (i, node) in self.model.aig.nodes().iter().enumerate() {
            if let Node::And(a, b) = *node {
                self.values[i] = self.value(a) && self.value(b);
            }
        }
    }

    /// The value of a literal.
    pub fn value(&self, lit: Lit) -> bool {
        self.values[lit.at()] == lit.is_positive()
    }

    /// Goes to the next state.
    pub fn advance(&mut self) {
        let latches = self.model.latches.iter();
        let next: Vec<bool> = latches.map(|l| self.value(l.next)).collect();
        for (latch, value) in self.model.latches.iter().zip(next) {
            self.values[latch.var as usize] = value;
        }
    }
}

/// The first state and the inputs of each step, by number of bits: what the cube and the lists leave
/// open is the initial value or false. Cut where the run is bad.
pub fn run(
    system: &System,
    model: &Model,
    cube: &Rc<Cube>,
    inputs: &[Vec<Lit>],
) -> (Vec<bool>, Vec<Vec<bool>>) {
    let mut state = vec![false; system.state_bits()];
    for latch in &system.model.latches {
        state[latch.bit as usize] = latch.init.unwrap_or(false);
    }
    let mut latch_bit = vec![None; model.aig.len()];
    for latch in &model.latches {
        latch_bit[latch.var as usize] = Some(latch.bit);
    }
    for lit in cube.lits() {
        if let Some(bit) = latch_bit[lit.at()] {
            state[bit as usize] = lit.is_positive();
        }
    }
    let mut input_bit = vec![None; model.aig.len()];
    for input in &model.inputs {
        input_bit[input.var as usize] = Some(input.bit);
    }
    let mut simulation = Simulation::new(model, &state);
    let mut steps = Vec::with_capacity(inputs.len());
    for list in inputs {
        let mut bits = vec![false; system.input_bits()];
        for lit in list {
            if let Some(bit) = input_bit[lit.at()] {
                bits[bit as usize] = lit.is_positive();
            }
        }
        simulation.evaluate(&bits);
        steps.push(bits);
        if simulation.value(model.bad) {
            break;
        }
        simulation.advance();
    }
    (state, steps)
}
