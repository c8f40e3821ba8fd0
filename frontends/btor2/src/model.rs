//! The model: an array of typed nodes, each after its operands, and what refers to them.

use crate::error::Place;
use crate::op::Op;
use std::collections::BTreeMap;
use std::fmt;
use trellis_ivl::{Bv, Type, Value};

/// A reference to a node: twice its index, plus one for its bitwise complement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Ref(u32);

impl Ref {
    /// A reference to a node.
    pub fn new(node: u32, negated: bool) -> Ref {
        Ref(node << 1 | u32::from(negated))
    }

    /// The node's index.
    pub fn node(self) -> u32 {
        self.0 >> 1
    }

    /// Whether the complement is meant.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

impl fmt::Debug for Ref {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negated() { "-" } else { "" };
        write!(f, "{sign}n{}", self.node())
    }
}

/// A node of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it computes.
    pub op: Op,
    /// The sort of its value: a bit-vector or an array.
    pub ty: Type,
    /// The operands, of which the operator uses the first few.
    pub args: [Ref; 3],
    /// The numbers of `slice`, `uext` and `sext`; the position among the inputs, states or
    /// constants for these.
    pub numbers: [u32; 2],
}

impl Node {
    /// The operands.
    pub fn args(&self) -> &[Ref] {
        &self.args[..self.op.operands()]
    }
}

/// A state variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Its node.
    pub node: u32,
    /// Its value in the first step, arbitrary if absent. Lies before the state and depends on no
    /// input. A bit-vector for an array stands for the array that holds it everywhere.
    pub init: Option<Ref>,
    /// Its value in the next step, arbitrary if absent.
    pub next: Option<Ref>,
}

/// A bad state, constraint, fairness constraint or output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The condition; for an output, any value.
    pub value: Ref,
    /// Its symbol.
    pub name: Option<String>,
}

/// A justice property: conditions that hold infinitely often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Justice {
    /// The conditions.
    pub values: Vec<Ref>,
    /// Its symbol.
    pub name: Option<String>,
}

/// Places in the file the model came from.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// Of each node.
    pub nodes: Vec<Place>,
    /// Of each bad state.
    pub bads: Vec<Place>,
    /// Of each constraint.
    pub constraints: Vec<Place>,
    /// Of each fairness constraint.
    pub fairs: Vec<Place>,
    /// Of each output.
    pub outputs: Vec<Place>,
    /// Of each justice property.
    pub justice: Vec<Place>,
}

/// A BTOR2 model. Invariant: well-typed, and each node's operands lie before it. [`crate::parse`]
/// ensures it, other makers of models must.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The constants.
    pub consts: Vec<Bv>,
    /// The nodes of the inputs.
    pub inputs: Vec<u32>,
    /// The state variables.
    pub states: Vec<State>,
    /// Bad states.
    pub bads: Vec<Property>,
    /// Constraints: they hold in every step up to and including the one where a bad state shows.
    pub constraints: Vec<Property>,
    /// Fairness constraints.
    pub fairs: Vec<Property>,
    /// Outputs, of no meaning to verification.
    pub outputs: Vec<Property>,
    /// Justice properties.
    pub justice: Vec<Justice>,
    /// The symbols of nodes.
    pub names: BTreeMap<u32, String>,
    /// Where in the file. Not part of the model's identity.
    pub origin: Origin,
}

/// Equality of circuits and names: identifiers and places in the file do not count.
impl PartialEq for Model {
    fn eq(&self, other: &Model) -> bool {
        self.nodes == other.nodes
            && self.consts == other.consts
            && self.inputs == other.inputs
            && self.states == other.states
            && self.bads == other.bads
            && self.constraints == other.constraints
            && self.fairs == other.fairs
            && self.outputs == other.outputs
            && self.justice == other.justice
            && self.names == other.names
    }
}

impl Model {
    /// Appends a node and returns a reference to it. Inputs, states and constants have their own
    /// functions.
    pub fn add(&mut self, op: Op, ty: Type, args: &[Ref], numbers: [u32; 2]) -> Ref {
        let mut all = [Ref::default(); 3];
        all[..args.len()].copy_from_slice(args);
        self.nodes.push(Node {
            op,
            ty,
            args: all,
            numbers,
        });
        Ref::new(self.nodes.len() as u32 - 1, false)
    }

    /// Appends an input.
    pub fn add_input(&mut self, ty: Type) -> Ref {
        let node = self.add(Op::Input, ty, &[], [self.inputs.len() as u32, 0]);
        self.inputs.push(node.node());
        node
    }

    /// Appends a state without initial and next value.
    pub fn add_state(&mut self, ty: Type) -> Ref {
        let node = self.add(Op::State, ty, &[], [self.states.len() as u32, 0]);
        self.states.push(State {
            node: node.node(),
            init: None,
            next: None,
        });
        node
    }

    /// Appends a constant.
    pub fn add_const(&mut self, value: Bv) -> Ref {
        let ty = Type::Bv(value.width());
        let node = self.add(Op::Const, ty, &[], [self.consts.len() as u32, 0]);
        self.consts.push(value);
        node
    }

    /// The sort of a reference.
    pub fn ty(&self, r: Ref) -> Type {
        self.nodes[r.node() as usize].ty
    }

    /// The symbol of a node.
    pub fn name(&self, node: u32) -> Option<&str> {
        self.names.get(&node).map(String::as_str)
    }

    /// The symbol of a node, or its kind and position: `input3`.
    pub fn label(&self, node: u32) -> String {
        let data = self.nodes[node as usize];
        match self.name(node) {
            Some(name) => name.to_string(),
            None => format!("{}{}", data.op.name(), data.numbers[0]),
        }
    }

    /// A value of zeros of the sort of a node.
    pub fn zero(&self, node: u32) -> Value {
        Value::zero(self.nodes[node as usize].ty)
    }
}
