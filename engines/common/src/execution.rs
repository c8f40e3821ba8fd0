//! The trace of an execution whose edges and inputs a solver found.
//!
//! Formulas leave out variables that no error depends on, but such a variable may still decide which branch of a
//! choice is taken. So the edges are executed, on all variables, and choices are read from that state.

use crate::cfa::Cfa;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use trellis_ivl::{Edge, Evaluator, Step, Term, Trace, Value, Var};

/// An execution from the entry.
pub struct Execution {
    /// Values of variables, and of the last edge's symbols; others are zero.
    state: FxHashMap<Var, Value>,
    trace: Trace,
    evaluator: Evaluator,
}

impl Execution {
    /// Begins with these values of variables, and zero for others, as traces do.
    pub fn new(initial: BTreeMap<Var, Value>) -> Execution {
        Execution {
            state: initial.clone().into_iter().collect(),
            trace: Trace {
                initial,
                ..Trace::default()
            },
            evaluator: Evaluator::new(),
        }
    }

    /// Takes `edge` with values for the inputs of its transfer function, in their order.
    pub fn take(&mut self, cfa: &Cfa, edge: Edge, inputs: Vec<Value>) {
        let pool = &cfa.program.pool;
        let transfer = cfa.transfer(edge);
        debug_assert_eq!(transfer.inputs.len(), inputs.len());
        self.state
            .extend(transfer.inputs.iter().copied().zip(inputs));
        self.evaluator.new_round();
        let mut eval = |t: Term| {
            let value = |v: Var| match self.state.get(&v) {
                Some(value) => value.clone(),
                None => Value::zero(pool.var_ty(v)),
            };
            self.evaluator.eval(pool, t, value)
        };
        let new = transfer.updates.iter().chain(&transfer.decided);
        let new: Vec<(Var, Value)> = new.map(|(&v, &t)| (v, eval(t))).collect();
        self.state.extend(new);
        let (choices, inputs) = transfer.decode(|v| self.state[&v].clone());
        self.trace.steps.push(Step {
            edge,
            choices,
            inputs,
        });
    }

    /// What was done.
    pub fn into_trace(self) -> Trace {
        self.trace
    }
}
