//! The executable meaning of a model, one run at a time.
//!
//! [`Simulator::start`] enters the first step: states take their initial values. A later step is
//! [`Simulator::advance`] with the next values and the step's inputs. In between, constraints and
//! properties are read off.

use crate::eval::eval;
use crate::model::{Model, Ref};
use crate::op::Op;
use std::borrow::Cow;
use trellis_ivl::{ArrayValue, Type, Value};

/// A simulator of one model.
pub struct Simulator<'m> {
    model: &'m Model,
    values: Vec<Value>,
}

impl<'m> Simulator<'m> {
    /// Not in any step yet.
    pub fn new(model: &'m Model) -> Self {
        Simulator {
            model,
            values: Vec::new(),
        }
    }

    /// Enters the first step; `choose` gives states without an initial value theirs.
    pub fn start(&mut self, inputs: &[Value], mut choose: impl FnMut(usize) -> Value) {
        let model = self.model;
        self.values.clear();
        self.evaluate(inputs, |simulator, state| match model.states[state].init {
            None => choose(state),
            Some(init) => simulator.initial(state, init),
        });
    }

    /// Enters the next step; `choose` gives states without a next value theirs.
    pub fn advance(&mut self, inputs: &[Value], mut choose: impl FnMut(usize) -> Value) {
        let next: Vec<Value> = (self.model.states.iter().enumerate())
            .map(|(i, state)| match state.next {
                None => choose(i),
                Some(next) => self.value(next),
            })
            .collect();
        self.values.clear();
        self.evaluate(inputs, |_, state| next[state].clone());
    }

    /// The value of a reference in the current step.
    pub fn value(&self, r: Ref) -> Value {
        let value = &self.values[r.node() as usize];
        match value {
            Value::Bv(bits) if r.is_negated() => Value::Bv(bits.not()),
            _ => value.clone(),
        }
    }

    /// Whether a condition of one bit holds in the current step.
    pub fn holds(&self, condition: Ref) -> bool {
        let bit = self.values[condition.node() as usize].as_bv();
        bit.is_some_and(|bit| bit.is_zero() == condition.is_negated())
    }

    /// The value of a state in the current step.
    pub fn state(&self, state: usize) -> &Value {
        &self.values[self.model.states[state].node as usize]
    }

    /// The value that a state gets in the next step, if the model says.
    pub fn next_state(&self, state: usize) -> Option<Value> {
        let next = self.model.states[state].next?;
        Some(self.value(next))
    }

    /// Whether all constraints hold in the current step.
    pub fn constraints_hold(&self) -> bool {
        let constraints = self.model.constraints.iter();
        constraints.map(|c| c.value).all(|value| self.holds(value))
    }

    /// A state's initial value; it lies before the state, so it is known when the state's turn
    /// comes.
    fn initial(&self, state: usize, init: Ref) -> Value {
        let ty = self.model.nodes[self.model.states[state].node as usize].ty;
        match (ty, self.value(init)) {
            (Type::Array { index, .. }, Value::Bv(elem)) => {
                ArrayValue::constant(index, elem).into()
            }
            (_, value) => value,
        }
    }

    fn evaluate(&mut self, inputs: &[Value], mut state: impl FnMut(&Self, usize) -> Value) {
        for node in &self.model.nodes {
            let position = node.numbers[0] as usize;
            let value = match node.op {
                Op::Input => inputs[position].clone(),
                Op::State => state(self, position),
                Op::Const => self.model.consts[position].clone().into(),
                op => {
                    let args = node.args.map(|arg| self.operand(arg));
                    let args = args.each_ref().map(|arg| arg.as_ref());
                    eval(op, node.numbers, &args[..op.operands()])
                }
            };
            self.values.push(value);
        }
    }

    /// An operand without a copy where it is not negated.
    fn operand(&self, r: Ref) -> Cow<'_, Value> {
        if r.is_negated() {
            Cow::Owned(self.value(r))
        } else {
            Cow::Borrowed(&self.values[r.node() as usize])
        }
    }
}
