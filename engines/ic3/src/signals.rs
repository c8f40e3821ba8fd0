//! Gates as if they were latches: words for lemmas that need exponentially many clauses over latches alone.
//!
//! After Dureja, Gurfinkel, Ivrii and Vizel, "IC3 with internal signals" (FMCAD'21). That something holds where two words are
//! equal is one clause over the gate that compares them, and one for each value of the words without. A gate that depends on latches alone
//! says something of the state, so it may stand in cubes and in the invariant, where its function over the latches is told. After a
//! step it is the same function of the next values, whose gates are added here. Which gates is said by whoever makes the model; exclusive
//! ors of circuits at large did not pay.

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

/// Makes signals of the hints of a model.
pub fn add(model: &mut Model) {
    let mut next: Vec<Option<Lit>> = vec![None; model.aig.len()];
    next[0] = Some(Lit::FALSE);
    for latch in &model.latches {
        next[latch.var as usize] = Some(latch.next);
    }
    let mut gates: Vec<Var> = model.hints.iter().map(|l| l.var()).collect();
    gates.sort_unstable();
    gates.dedup();
    for var in gates {
        if let Node::And(..) = model.aig.nodes()[var as usize] {
            let next = after(model, &mut next, var);
            if next.as_constant().is_none() {
                model.signals.push(Signal { var, next });
            }
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
