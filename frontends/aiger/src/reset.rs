//! In which order reset functions are evaluated.
//!
//! A reset function may read inputs, gates and other latches of the first step. Where these
//! dependencies are stratified, initial values follow one after the other. Latches in a dependency
//! cycle (or behind one) have no such order: their initial values must be chosen, and then either
//! satisfy the functions or do not. Kahn's algorithm separates the two.

use crate::model::{Model, Reset};

/// The evaluation plan for the first step.
#[derive(Debug, Default)]
pub(crate) struct ResetPlan {
    /// Gates and stratified latches in an order of evaluation.
    pub order: Vec<u32>,
    /// Latches with a reset function that must be chosen and checked.
    pub cyclic: Vec<u32>,
}

impl ResetPlan {
    pub fn new(model: &Model) -> ResetPlan {
        let functions: Vec<u32> = (0..model.latches.len() as u32)
            .filter(|&i| matches!(model.reset(i), Reset::Function(_)))
            .collect();
        if functions.is_empty() {
            return ResetPlan::default();
        }
        let edges = edges(model, &functions);
        let fanout = Fanout::new(model.max_var() + 1, &edges);
        let mut missing = vec![0u8; model.max_var() as usize + 1];
        for &(_, to) in &edges {
            missing[to as usize] += 1;
        }
        let mut computed = vec![false; missing.len()];
        for var in functions.iter().map(|&i| model.latch(i).var()) {
            computed[var as usize] = true;
        }
        for var in model.first_and()..=model.max_var() {
            computed[var as usize] = true;
        }
        // Everything without missing operands is ready: first what is given, then what follows.
        let mut ready: Vec<u32> = (0..=model.max_var())
            .filter(|&var| missing[var as usize] == 0)
            .collect();
        let mut order = Vec::new();
        let mut done = vec![false; missing.len()];
        while let Some(var) = ready.pop() {
            done[var as usize] = true;
            if computed[var as usize] {
                order.push(var);
            }
            for &to in fanout.of(var) {
                missing[to as usize] -= 1;
                if missing[to as usize] == 0 {
                    ready.push(to);
                }
            }
        }
        let cyclic = functions
            .into_iter()
            .filter(|&i| !done[model.latch(i).var() as usize])
            .collect();
        ResetPlan { order, cyclic }
    }
}

/// What must be known before what.
fn edges(model: &Model, functions: &[u32]) -> Vec<(u32, u32)> {
    let mut edges = Vec::with_capacity(2 * model.ands.len() + functions.len());
    for (i, gate) in model.ands.iter().enumerate() {
        let var = model.and(i as u32).var();
        edges.push((gate.left.var(), var));
        edges.push((gate.right.var(), var));
    }
    for &i in functions {
        let reset = model.latches[i as usize].reset;
        edges.push((reset.var(), model.latch(i).var()));
    }
    edges
}

/// Edges grouped by their source.
struct Fanout {
    start: Vec<u32>,
    targets: Vec<u32>,
}

impl Fanout {
    fn new(nodes: u32, edges: &[(u32, u32)]) -> Fanout {
        let mut start = vec![0u32; nodes as usize + 1];
        for &(from, _) in edges {
            start[from as usize + 1] += 1;
        }
        for i in 0..nodes as usize {
            start[i + 1] += start[i];
        }
        let mut next = start.clone();
        let mut targets = vec![0; edges.len()];
        for &(from, to) in edges {
            let slot = &mut next[from as usize];
            targets[*slot as usize] = to;
            *slot += 1;
        }
        Fanout { start, targets }
    }

    fn of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.targets[self.start[node] as usize..self.start[node + 1] as usize]
    }
}
