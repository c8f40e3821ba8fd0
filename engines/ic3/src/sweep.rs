//! Gates that are equal or opposite whatever the state and the inputs are.
//!
//! Functional reduction (Mishchenko, Chatterjee, Jiang, Brayton, "FRAIGs: a unifying representation for logic synthesis
//! and verification", 2005): values under random leaves give classes of candidates, and the solver compares each with the
//! first of its class; what tells them apart refines the classes for the next round. An equality of two functions needs
//! no word in a certificate. Every query is small and the work of all is bounded by the size of the circuit.

use crate::aig::{Aig, Node};
use crate::cnf::Cnf;
use crate::lit::{Lit, Var};
use crate::model::{Input, Latch, Model};
use crate::sat::Solver;
use rustc_hash::FxHashMap;
use trellis_plugin_sdk::ivl::rng::Rng;

/// Words of random values per node at first.
const WORDS: usize = 16;
/// Conflicts for one comparison before it is given up.
const CONFLICTS: u64 = 100;
/// Variables that comparisons may touch, for each gate of the model.
const WORK: u64 = 200;
/// Refinements of the classes.
const ROUNDS: usize = 4;
/// Gates beyond which nothing is compared.
const MAX_GATES: usize = 1 << 18;

/// The model with such gates merged.
pub fn swept(model: &Model, stop: &mut dyn FnMut() -> bool) -> Model {
    if model.aig.len() > MAX_GATES {
        return model.clone();
    }
    let same = Sweep::new(model, stop).run(stop);
    merged(model, &same).reduced(&vec![None; model.latches.len()])
}

struct Sweep<'m> {
    model: &'m Model,
    solver: Solver,
    /// Per node, one after the other in each word.
    words: Vec<Vec<u64>>,
    /// Per gate: the earlier node that it equals.
    same: Vec<Option<Lit>>,
    random: Rng,
}

impl<'m> Sweep<'m> {
    fn new(model: &'m Model, stop: &mut dyn FnMut() -> bool) -> Sweep<'m> {
        let mut sweep = Sweep {
            model,
            solver: Cnf::new(model, false, stop).solver(),
            words: Vec::new(),
            same: vec![None; model.aig.len()],
            random: Rng::new(0),
        };
        for _ in 0..WORDS {
            sweep.simulate(&[]);
        }
        sweep
    }

    fn run(mut self, stop: &mut dyn FnMut() -> bool) -> Vec<Option<Lit>> {
        let budget = WORK * self.model.aig.len() as u64;
        for _ in 0..ROUNDS {
            let mut apart: Vec<Vec<bool>> = Vec::new();
            let mut first: FxHashMap<Vec<u64>, Var> = FxHashMap::default();
            for (i, node) in self.model.aig.nodes().iter().enumerate() {
                let var = i as Var;
                if self.same[i].is_some() {
                    continue;
                }
                let other = *first.entry(self.signature(i)).or_insert(var);
                if other == var || !matches!(node, Node::And(..)) {
                    continue;
                }
                if self.solver.stats.domain > budget || stop() {
                    return self.same;
                }
                let opposite = self.words[0][i] & 1 != self.words[0][other as usize] & 1;
                let lit = Lit::new(other, !opposite);
                match self.compare(Lit::of(var), lit) {
                    Some(true) => self.same[i] = Some(lit),
                    Some(false) => apart.push(self.leaves()),
                    None => {}
                }
            }
            if apart.is_empty() {
                break;
            }
            for patterns in apart.chunks(64) {
                self.simulate(patterns);
            }
        }
        self.same
    }

    /// The values of a node, inverted where the first one is true.
    fn signature(&self, at: usize) -> Vec<u64> {
        let flip = if self.words[0][at] & 1 == 1 {
            u64::MAX
        } else {
            0
        };
        self.words.iter().map(|w| w[at] ^ flip).collect()
    }

    /// Whether two literals are equal; after `false` the solver has values that tell them apart.
    fn compare(&mut self, a: Lit, b: Lit) -> Option<bool> {
        for (x, y) in [(a, !b), (!a, b)] {
            self.solver.begin(&[x, y], None, &[]);
            if self.solver.search(CONFLICTS)? {
                return Some(false);
            }
        }
        self.solver.add_clause(&[!a, b]);
        self.solver.add_clause(&[a, !b]);
        Some(true)
    }

    /// The leaves' values in the solver, others at random.
    fn leaves(&mut self) -> Vec<bool> {
        let vars = self.model.leaves();
        let values: Vec<Option<bool>> = vars.map(|v| self.solver.value(Lit::of(v))).collect();
        let open = |v: Option<bool>| v.unwrap_or_else(|| self.random.bit());
        values.into_iter().map(open).collect()
    }

    /// One more word for every node, by these values of the leaves and random ones.
    fn simulate(&mut self, patterns: &[Vec<bool>]) {
        let mut values = vec![0u64; self.model.aig.len()];
        let model = self.model;
        for (at, var) in model.leaves().enumerate() {
            let mut word = self.random.bits();
            for (bit, pattern) in patterns.iter().enumerate() {
                word = word & !(1 << bit) | u64::from(pattern[at]) << bit;
            }
            values[var as usize] = word;
        }
        model.aig.evaluate(&mut values);
        self.words.push(values);
    }
}

/// The model with gates replaced by the earlier nodes that they equal.
fn merged(model: &Model, same: &[Option<Lit>]) -> Model {
    let mut aig = Aig::default();
    let mut map = vec![Lit::FALSE; model.aig.len()];
    let of = |map: &[Lit], l: Lit| map[l.at()] ^ !l.is_positive();
    for (i, node) in model.aig.nodes().iter().enumerate() {
        map[i] = match (*node, same[i]) {
            (Node::Constant, _) => Lit::FALSE,
            (Node::Leaf, _) => aig.leaf(),
            (Node::And(..), Some(other)) => of(&map, other),
            (Node::And(a, b), None) => aig.and(of(&map, a), of(&map, b)),
        };
    }
    let of = |l: Lit| of(&map, l);
    let latch = |l: &Latch| Latch {
        var: of(Lit::of(l.var)).var(),
        next: of(l.next),
        ..*l
    };
    let input = |i: &Input| Input {
        var: of(Lit::of(i.var)).var(),
        ..*i
    };
    Model {
        inputs: model.inputs.iter().map(input).collect(),
        latches: model.latches.iter().map(latch).collect(),
        constraints: model.constraints.iter().map(|&c| of(c)).collect(),
        bad: of(model.bad),
        hints: model.hints.iter().map(|&h| of(h)).collect(),
        signals: Vec::new(),
        aig,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aig::word;

    /// Two ways to write a parity are one gate afterwards, and so is what distributes; the functions of the roots stay.
    #[test]
    fn equal_functions_become_one_gate() {
        let mut model = Model::default();
        let leaves: Vec<Lit> = (0..4).map(|_| model.aig.leaf()).collect();
        for (bit, leaf) in (0..).zip(&leaves) {
            let var = leaf.var();
            model.inputs.push(Input { var, bit });
        }
        let aig = &mut model.aig;
        let [a, b, c, d] = leaves[..] else {
            unreachable!()
        };
        let (ab, cd) = (aig.xor(a, b), aig.xor(c, d));
        let (ac, bd) = (aig.xor(a, c), aig.xor(b, d));
        let (left, right) = (aig.xor(ab, cd), aig.xor(ac, bd));
        let (x, y) = (aig.and(a, b), aig.and(a, c));
        let (split, either) = (aig.or(x, y), aig.or(b, c));
        let whole = aig.and(a, either);
        let differ = aig.xor(left, right);
        let torn = aig.xor(split, whole);
        model.constraints = vec![left, split];
        model.bad = aig.or(differ, torn);
        let swept = swept(&model, &mut || false);
        assert_eq!(swept.bad, Lit::FALSE);
        let table = |model: &Model| {
            let mut values = vec![0; model.aig.len()];
            let tables = [0xaaaa, 0xcccc, 0xf0f0, 0xff00];
            for input in &model.inputs {
                values[input.var as usize] = tables[input.bit as usize];
            }
            model.aig.evaluate(&mut values);
            let of = |l: &Lit| 0xffff & word(&values, *l);
            let mut tables: Vec<u64> = model.constraints.iter().map(of).collect();
            tables.sort_unstable();
            tables
        };
        assert_eq!(table(&swept), table(&model));
    }
}
