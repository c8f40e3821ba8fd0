//! Traces: the decisions that make an execution.
//!
//! A program with a fixed initial state, fixed inputs and fixed choices has one execution, so a
//! trace records those and nothing else; [`Machine::replay`](crate::interp::Machine::replay)
//! recomputes the states. A [`Script`](crate::script::Script) records less, for executions that are
//! too long to be listed: not the edges, which follow from the rest.

use crate::entity::{Edge, Input, Var};
use crate::value::Value;
use std::collections::BTreeMap;

/// One edge taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The edge. Returns from procedures are not steps: they follow from reaching the exit.
    pub edge: Edge,
    /// The branch taken at each choice on the executed path, in order.
    pub choices: Vec<u32>,
    /// The value of each havoc on the executed path, in order.
    pub inputs: Vec<(Input, Value)>,
}

impl Step {
    /// A step through an edge without choices and inputs.
    pub fn plain(edge: Edge) -> Step {
        Step {
            edge,
            choices: Vec::new(),
            inputs: Vec::new(),
        }
    }
}

/// An execution from the entry of the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    /// Initial values of globals and of main's locals; what is missing starts at zero.
    pub initial: BTreeMap<Var, Value>,
    /// The steps in order.
    pub steps: Vec<Step>,
}
