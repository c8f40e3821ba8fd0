//! Latches that never change, by ternary simulation.
//!
//! From the initial state with unknown inputs, until nothing changes: a latch that keeps its known
//! first value is a constant, and all of them together are inductive.

use crate::aig::Node;
use crate::lit::Lit;
use crate::model::{Fact, Model};

/// Per latch: its constant, if it has one.
pub fn constants(model: &Model) -> Vec<Option<Fact>> {
    let mut known: Vec<Option<bool>> = model.latches.iter().map(|l| l.init).collect();
    let mut values: Vec<Option<bool>> = vec![None; model.aig.len()];
    loop {
        for (latch, value) in model.latches.iter().zip(&known) {
            values[latch.var as usize] = *value;
        }
        let of = |values: &[Option<bool>], l: Lit| values[l.at()].map(|v| v == l.is_positive());
        for (i, node) in model.aig.nodes().iter().enumerate() {
            match *node {
                Node::Constant => values[i] = Some(false),
                Node::Leaf => {}
                Node::And(a, b) => {
                    values[i] = match (of(&values, a), of(&values, b)) {
                        (Some(false), _) | (_, Some(false)) => Some(false),
                        (Some(true), Some(true)) => Some(true),
                        _ => None,
                    }
                }
            }
        }
        let mut changed = false;
        for (latch, value) in model.latches.iter().zip(&mut known) {
            if value.is_some() && of(&values, latch.next) != *value {
                *value = None;
                changed = true;
            }
        }
        if !changed {
            return known.into_iter().map(|v| v.map(Fact::Constant)).collect();
        }
    }
}
