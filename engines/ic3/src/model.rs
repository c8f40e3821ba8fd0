//! The circuit that IC3 works on: a graph with latches, one bad condition, constraints.

use crate::aig::{Aig, Node};
use crate::lit::{Lit, Var};
use crate::signals::Signal;
use rustc_hash::FxHashSet;

/// A latch.
#[derive(Clone, Copy, Debug)]
pub struct Latch {
    /// Its node.
    pub var: Var,
    /// Its value after a step.
    pub next: Lit,
    /// Its first value; `None` is any.
    pub init: Option<bool>,
    /// Which bit of the state it is, see [`System`](crate::system::System).
    pub bit: u32,
}

/// An input.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// Its node.
    pub var: Var,
    /// Which bit of the inputs it is.
    pub bit: u32,
}

/// The model. Bad states matter, and steps exist, where all constraints hold.
#[derive(Clone, Default)]
pub struct Model {
    /// The gates.
    pub aig: Aig,
    /// The inputs.
    pub inputs: Vec<Input>,
    /// The latches.
    pub latches: Vec<Latch>,
    /// Must all hold.
    pub constraints: Vec<Lit>,
    /// Must not be reached.
    pub bad: Lit,
    /// Gates over latches that lemmas would like to mention.
    pub hints: Vec<Lit>,
    /// Gates that lemmas may mention.
    pub signals: Vec<Signal>,
}

impl Default for Lit {
    fn default() -> Lit {
        Lit::FALSE
    }
}

/// What a latch is known to be: a constant or a literal of another latch, by position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    /// Always this value.
    Constant(bool),
    /// Always equal to the other one, or always different.
    Same {
        /// Position of the other latch, which has no fact itself.
        other: usize,
        /// Whether they differ.
        inverted: bool,
    },
}

impl Model {
    /// The model without the latches that have facts and without all that no longer matters to the
    /// bad condition or the constraints; without signals.
    pub fn reduced(&self, facts: &[Option<Fact>]) -> Model {
        let mut needed = self.cone(facts);
        let hints = self.usable_hints(&mut needed);
        let mut aig = Aig::default();
        let mut map: Vec<Lit> = vec![Lit::FALSE; self.aig.len()];
        for input in self.inputs.iter().filter(|i| needed[i.var as usize]) {
            map[input.var as usize] = aig.leaf();
        }
        let kept: Vec<usize> = (0..self.latches.len())
            .filter(|&i| facts[i].is_none() && needed[self.latches[i].var as usize])
            .collect();
        for &i in &kept {
            map[self.latches[i].var as usize] = aig.leaf();
        }
        for (latch, fact) in self.latches.iter().zip(facts) {
            match fact {
                Some(Fact::Constant(value)) => map[latch.var as usize] = Lit::constant(*value),
                Some(Fact::Same { other, inverted }) => {
                    let other = self.latches[*other].var;
                    map[latch.var as usize] = map[other as usize] ^ *inverted;
                }
                None => {}
            }
        }
        let of = |map: &[Lit], lit: Lit| map[lit.at()] ^ !lit.is_positive();
        for (i, node) in self.aig.nodes().iter().enumerate() {
            if let Node::And(a, b) = *node
                && needed[i]
            {
                map[i] = aig.and(of(&map, a), of(&map, b));
            }
        }
        let inputs = self.inputs.iter().filter(|i| needed[i.var as usize]);
        let mut constraints: Vec<Lit> = self.constraints.iter().map(|&c| of(&map, c)).collect();
        constraints.sort_unstable();
        constraints.dedup();
        constraints.retain(|&c| c != Lit::TRUE);
        Model {
            inputs: inputs
                .map(|i| Input {
                    var: map[i.var as usize].var(),
                    bit: i.bit,
                })
                .collect(),
            latches: kept
                .iter()
                .map(|&i| {
                    let latch = self.latches[i];
                    Latch {
                        var: map[latch.var as usize].var(),
                        next: of(&map, latch.next),
                        ..latch
                    }
                })
                .collect(),
            constraints,
            bad: of(&map, self.bad),
            hints: hints.into_iter().map(|l| of(&map, l)).collect(),
            aig,
            signals: Vec::new(),
        }
    }

    /// The nodes of inputs and latches.
    pub fn leaves(&self) -> impl Iterator<Item = Var> + use<'_> {
        let inputs = self.inputs.iter().map(|i| i.var);
        inputs.chain(self.latches.iter().map(|l| l.var))
    }

    /// The hints that depend on needed latches only; what they depend on is needed from then on.
    fn usable_hints(&self, needed: &mut [bool]) -> Vec<Lit> {
        let mut usable = Vec::with_capacity(self.hints.len());
        'hints: for &hint in &self.hints {
            let (mut cone, mut seen, mut stack) =
                (Vec::new(), FxHashSet::default(), vec![hint.var()]);
            while let Some(v) = stack.pop() {
                if needed[v as usize] || !seen.insert(v) {
                    continue;
                }
                match self.aig.nodes()[v as usize] {
                    Node::Constant => {}
                    Node::Leaf => continue 'hints,
                    Node::And(a, b) => stack.extend([a.var(), b.var()]),
                }
                cone.push(v);
            }
            usable.push(hint);
            for v in cone {
                needed[v as usize] = true;
            }
        }
        usable
    }

    /// Per node: whether the bad condition or a constraint depends on it, now or after steps.
    fn cone(&self, facts: &[Option<Fact>]) -> Vec<bool> {
        let mut needed = vec![false; self.aig.len()];
        let mut latch_at: Vec<Option<usize>> = vec![None; self.aig.len()];
        for (i, latch) in self.latches.iter().enumerate() {
            latch_at[latch.var as usize] = Some(i);
        }
        let mut stack: Vec<Var> = self.constraints.iter().map(|c| c.var()).collect();
        stack.push(self.bad.var());
        while let Some(v) = stack.pop() {
            if std::mem::replace(&mut needed[v as usize], true) {
                continue;
            }
            match (self.aig.nodes()[v as usize], latch_at[v as usize]) {
                (Node::And(a, b), _) => stack.extend([a.var(), b.var()]),
                (_, Some(i)) => match facts[i] {
                    None => stack.push(self.latches[i].next.var()),
                    Some(Fact::Constant(_)) => {}
                    Some(Fact::Same { other, .. }) => stack.push(self.latches[other].var),
                },
                _ => {}
            }
        }
        needed
    }
}
