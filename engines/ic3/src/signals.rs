//! Gates as if they were latches: words for lemmas that need exponentially many clauses over latches alone.
//!
//! After Dureja, Gurfinkel, Ivrii and Vizel, "IC3 with internal signals" (FMCAD'21). That a latch has a bit of a sum of two
//! other words is two clauses over the latch and the gate of that bit, and thousands without. A gate that depends on latches alone says
//! something of the state, so it may stand in cubes and in the invariant, where its function over the latches is told. After a step it
//! is the same function of the next values, whose gates are added here. Which gates: exclusive ors, the deepest first, which is where sums
//! and comparisons end.

use crate::aig::Node;
use crate::lit::{Lit, Var};
use crate::model::Model;

/// A gate that lemmas may mention.
#[derive(Clone, Copy, Debug)]
pub struct Signal {
    /// The gate, over latches alone.
    pub var: Var,
    /// What it is after a step.
    pub next: Lit,
}

/// Adds at most `most` signals to the model.
pub fn add(model: &mut Model, most: usize) {
    let chosen = candidates(model, most);
    // Beyond that the gates of next values would slow all queries down.
    let limit = 3 * model.aig.len() + 1000;
    let mut next: Vec<Option<Lit>> = vec![None; model.aig.len()];
    next[0] = Some(Lit::FALSE);
    for latch in &model.latches {
        next[latch.var as usize] = Some(latch.next);
    }
    for var in chosen {
        if model.aig.len() > limit {
            break;
        }
        let after = after(model, &mut next, var);
        if after.as_constant().is_none() {
            model.signals.push(Signal { var, next: after });
        }
    }
}

/// The function of a gate over the next values.
fn after(model: &mut Model, next: &mut [Option<Lit>], var: Var) -> Lit {
    let mut stack = vec![var];
    while let Some(&v) = stack.last() {
        if next[v as usize].is_some() {
            stack.pop();
            continue;
        }
        let Node::And(a, b) = model.aig.nodes()[v as usize] else {
            unreachable!("the gate depends on latches alone");
        };
        match (next[a.at()], next[b.at()]) {
            (Some(x), Some(y)) => {
                let (x, y) = (x ^ !a.is_positive(), y ^ !b.is_positive());
                next[v as usize] = Some(model.aig.and(x, y));
                stack.pop();
            }
            (x, y) => {
                stack.extend(x.is_none().then_some(a.var()));
                stack.extend(y.is_none().then_some(b.var()));
            }
        }
    }
    next[var as usize].expect("it was made last")
}

/// The gates that are worth it, by number.
fn candidates(model: &Model, most: usize) -> Vec<Var> {
    let nodes = model.aig.nodes();
    let mut of_state = vec![false; nodes.len()];
    of_state[0] = true;
    for latch in &model.latches {
        of_state[latch.var as usize] = true;
    }
    let mut depth = vec![0u32; nodes.len()];
    let mut found: Vec<(u32, Var)> = Vec::new();
    for (i, node) in nodes.iter().enumerate() {
        if let Node::And(a, b) = *node {
            of_state[i] = of_state[a.at()] && of_state[b.at()];
            depth[i] = 1 + depth[a.at()].max(depth[b.at()]);
            if of_state[i] && is_exclusive_or(nodes, a, b) {
                found.push((depth[i], i as Var));
            }
        }
    }
    found.sort_unstable_by(|x, y| y.0.cmp(&x.0).then(x.1.cmp(&y.1)));
    found.truncate(most);
    let mut vars: Vec<Var> = found.into_iter().map(|(_, v)| v).collect();
    vars.sort_unstable();
    vars
}

/// Whether a gate with these inputs is an exclusive or, or the opposite of one.
fn is_exclusive_or(nodes: &[Node], a: Lit, b: Lit) -> bool {
    if a.is_positive() || b.is_positive() {
        return false;
    }
    match (nodes[a.at()], nodes[b.at()]) {
        (Node::And(x, y), Node::And(z, w)) => (x == !z && y == !w) || (x == !w && y == !z),
        _ => false,
    }
}

/// What latches of a cube say of signals: ternary simulation of the gates between.
pub struct Implied {
    /// The gates that signals depend on, inputs before users, with their inputs.
    order: Vec<(Var, Lit, Lit)>,
    /// Per variable: 0 is false, 1 true, 2 open.
    values: Vec<u8>,
    signals: Vec<Var>,
}

const OPEN: u8 = 2;

impl Implied {
    /// For the signals of a model.
    pub fn new(model: &Model) -> Implied {
        let nodes = model.aig.nodes();
        let mut needed = vec![false; nodes.len()];
        for signal in &model.signals {
            needed[signal.var as usize] = true;
        }
        let mut order = Vec::new();
        for i in (0..nodes.len()).rev() {
            if let Node::And(a, b) = nodes[i]
                && needed[i]
            {
                needed[a.at()] = true;
                needed[b.at()] = true;
                order.push((i as Var, a, b));
            }
        }
        order.reverse();
        let mut values = vec![OPEN; nodes.len()];
        values[0] = 0;
        Implied {
            order,
            values,
            signals: model.signals.iter().map(|s| s.var).collect(),
        }
    }

    /// Whether there are no signals.
    pub fn is_empty(&self) -> bool {
        self.signals.is_empty()
    }

    /// The literals of signals that hold in all states of these literals of latches.
    pub fn by(&mut self, latches: &[Lit]) -> Vec<Lit> {
        for lit in latches {
            self.values[lit.at()] = u8::from(lit.is_positive());
        }
        for &(var, a, b) in &self.order {
            let value = |l: Lit| match self.values[l.at()] {
                OPEN => OPEN,
                value => value ^ u8::from(!l.is_positive()),
            };
            self.values[var as usize] = match (value(a), value(b)) {
                (0, _) | (_, 0) => 0,
                (1, 1) => 1,
                _ => OPEN,
            };
        }
        let known = self
            .signals
            .iter()
            .filter(|&&v| self.values[v as usize] != OPEN);
        let found = known
            .map(|&v| Lit::new(v, self.values[v as usize] == 1))
            .collect();
        for lit in latches {
            self.values[lit.at()] = OPEN;
        }
        found
    }
}
