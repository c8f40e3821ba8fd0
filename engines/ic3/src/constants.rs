//! Latches that never change, by ternary simulation.
//!
//! From the initial state with unknown inputs, until nothing changes: a latch that keeps its known
//! first value is a constant, and all of them together are inductive. A value that is unknown once stays so, and only
//! its users are looked at again, so the work is linear.

use crate::aig::{Aig, Node};
use crate::lit::{Lit, Var};
use crate::model::{Fact, Model};

/// The gates that use a node, all lists in one array.
struct Users {
    start: Vec<u32>,
    list: Vec<Var>,
}

impl Users {
    fn new(aig: &Aig) -> Users {
        let mut start = vec![0u32; aig.len() + 1];
        let pairs = || {
            let nodes = (0..).zip(aig.nodes());
            nodes.filter_map(|(i, node): (Var, &Node)| match *node {
                Node::And(a, b) => Some((i, [a.at(), b.at()])),
                _ => None,
            })
        };
        for (_, below) in pairs() {
            below.iter().for_each(|&at| start[at + 1] += 1);
        }
        for i in 1..start.len() {
            start[i] += start[i - 1];
        }
        let mut next = start.clone();
        let mut list = vec![0; start[aig.len()] as usize];
        for (gate, below) in pairs() {
            for at in below {
                list[next[at] as usize] = gate;
                next[at] += 1;
            }
        }
        Users { start, list }
    }

    fn of(&self, at: usize) -> &[Var] {
        &self.list[self.start[at] as usize..self.start[at + 1] as usize]
    }
}

/// Per latch: its constant, if it has one.
pub fn constants(model: &Model) -> Vec<Option<Fact>> {
    let mut known: Vec<Option<bool>> = model.latches.iter().map(|l| l.init).collect();
    let mut values: Vec<Option<bool>> = vec![None; model.aig.len()];
    for (latch, value) in model.latches.iter().zip(&known) {
        values[latch.var as usize] = *value;
    }
    for (i, node) in model.aig.nodes().iter().enumerate() {
        match *node {
            Node::Constant => values[i] = Some(false),
            Node::Leaf => {}
            Node::And(a, b) => values[i] = and(&values, a, b),
        }
    }
    let users = Users::new(&model.aig);
    let mut forgotten: Vec<usize> = Vec::new();
    loop {
        for (latch, value) in model.latches.iter().zip(&mut known) {
            if value.is_some() && of(&values, latch.next) != *value {
                *value = None;
                values[latch.var as usize] = None;
                forgotten.push(latch.var as usize);
            }
        }
        if forgotten.is_empty() {
            return known.into_iter().map(|v| v.map(Fact::Constant)).collect();
        }
        while let Some(at) = forgotten.pop() {
            for &gate in users.of(at) {
                let gate = gate as usize;
                if let Node::And(a, b) = model.aig.nodes()[gate]
                    && values[gate].is_some()
                    && and(&values, a, b).is_none()
                {
                    values[gate] = None;
                    forgotten.push(gate);
                }
            }
        }
    }
}

fn of(values: &[Option<bool>], l: Lit) -> Option<bool> {
    values[l.at()].map(|v| v == l.is_positive())
}

fn and(values: &[Option<bool>], a: Lit, b: Lit) -> Option<bool> {
    match (of(values, a), of(values, b)) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}
