//! Latches that are always equal or always opposite, by simulation and induction.
//!
//! Van Eijk, "Sequential equivalence checking based on structural similarities" (TCAD 2000), on
//! latches only, so that what is found is a fact about states and can stand in a certificate. Random runs
//! from the initial state give the classes of candidates; a class is split while, with all
//! candidates assumed, a step can tell two of its members apart. What remains is inductive.

use crate::aig::{Node, word};
use crate::cnf::Cnf;
use crate::lit::{Lit, Var};
use crate::model::{Fact, Model};
use rustc_hash::FxHashMap;
use trellis_plugin_sdk::ivl::rng::Rng;

/// Steps of simulation, 64 runs at once.
const STEPS: usize = 64;
/// Conflicts for one pair before it is given up.
const CONFLICTS: u64 = 200;
/// Gates beyond which eliminating some of them anew in every round costs more than it gains.
const MAX_ELIMINATED: usize = 1 << 16;
/// Rounds of refinement before all is given up.
const ROUNDS: usize = 50;

/// Per latch: the earlier latch it equals, if one was found. Constraints are left out, which only
/// makes fewer latches equal.
pub fn equivalent(model: &Model, stop: &mut dyn FnMut() -> bool) -> Vec<Option<Fact>> {
    let none = vec![None; model.latches.len()];
    let mut classes = Classes::new(&signatures(model));
    for (i, latch) in model.latches.iter().enumerate() {
        if latch.init.is_none() {
            // Equal to nothing at first. As first of a class it would have no members.
            classes.first[i] = i;
        }
    }
    for _ in 0..ROUNDS {
        if stop() {
            return none;
        }
        if classes.members().is_empty() {
            return none;
        }
        match refine(model, &mut classes, stop) {
            None => return none,
            Some(true) => continue,
            Some(false) => return (0..model.latches.len()).map(|i| classes.fact(i)).collect(),
        }
    }
    none
}

/// Candidate classes. All members of a class have the same value relative to their signs.
struct Classes {
    /// Per latch: the first of its class.
    first: Vec<usize>,
    /// Per latch: whether it counts inverted.
    sign: Vec<bool>,
}

impl Classes {
    /// Latches with equal or opposite signatures together.
    fn new(signatures: &[Vec<u64>]) -> Classes {
        let mut seen: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
        let mut classes = Classes {
            first: Vec::with_capacity(signatures.len()),
            sign: Vec::with_capacity(signatures.len()),
        };
        for (i, signature) in signatures.iter().enumerate() {
            let sign = signature.first().is_some_and(|w| w & 1 == 1);
            let flip = if sign { u64::MAX } else { 0 };
            let normal = signature.iter().map(|w| w ^ flip).collect();
            classes.first.push(*seen.entry(normal).or_insert(i));
            classes.sign.push(sign);
        }
        classes
    }

    /// Latches that are not first in their class.
    fn members(&self) -> Vec<usize> {
        (0..self.first.len())
            .filter(|&i| self.first[i] != i)
            .collect()
    }

    fn fact(&self, i: usize) -> Option<Fact> {
        let other = self.first[i];
        let inverted = self.sign[i] != self.sign[other];
        (other != i).then_some(Fact::Same { other, inverted })
    }

    /// Splits every class by these values; a member without one stays with the first.
    fn split(&mut self, value: impl Fn(usize) -> Option<bool>) {
        let mut seen: FxHashMap<(usize, bool), usize> = FxHashMap::default();
        let relative = |i: usize, sign: &[bool]| value(i).map(|v| v != sign[i]);
        let old = self.first.clone();
        for (i, &first) in old.iter().enumerate() {
            let base = relative(first, &self.sign).unwrap_or(false);
            let own = relative(i, &self.sign).unwrap_or(base);
            self.first[i] = *seen.entry((first, own)).or_insert(i);
        }
    }
}

/// One round: asks for each member whether a step can separate it from the first of its class, all
/// candidates being equal before. Whether something was split; `None` when stopped.
fn refine(model: &Model, classes: &mut Classes, stop: &mut dyn FnMut() -> bool) -> Option<bool> {
    let facts: Vec<Option<Fact>> = (0..model.latches.len()).map(|i| classes.fact(i)).collect();
    let merged = merged(model, &facts);
    let mut solver = Cnf::new(&merged, merged.aig.len() <= MAX_ELIMINATED, stop).solver();
    let next: Vec<Lit> = merged.latches.iter().map(|l| l.next).collect();
    let mut changed = false;
    for i in classes.members() {
        // Split by an earlier answer of this round, it has a new first or is one.
        let other = classes.first[i];
        let (a, b) = (next[i] ^ classes.sign[i], next[other] ^ classes.sign[other]);
        if a == b || other == i {
            continue;
        }
        if stop() {
            return None;
        }
        for (x, y) in [(a, !b), (!a, b)] {
            solver.begin(&[x, y], None, &[]);
            match solver.search(CONFLICTS) {
                Some(false) => continue,
                Some(true) => classes.split(|k| solver.value(next[k])),
                None => classes.first[i] = i,
            }
            changed = true;
            break;
        }
    }
    Some(changed)
}

/// The model with latches replaced where they have facts, but with all next values kept.
fn merged(model: &Model, facts: &[Option<Fact>]) -> Model {
    let mut aig = crate::aig::Aig::default();
    let mut map: Vec<Lit> = vec![Lit::FALSE; model.aig.len()];
    let mut position: Vec<Option<usize>> = vec![None; model.aig.len()];
    for (i, latch) in model.latches.iter().enumerate() {
        position[latch.var as usize] = Some(i);
    }
    for (i, node) in model.aig.nodes().iter().enumerate() {
        let of = |map: &[Lit], l: Lit| map[l.at()] ^ !l.is_positive();
        map[i] = match *node {
            Node::Constant => Lit::FALSE,
            Node::And(a, b) => aig.and(of(&map, a), of(&map, b)),
            Node::Leaf => match position[i].and_then(|p| facts[p]) {
                Some(Fact::Same { other, inverted }) => {
                    map[model.latches[other].var as usize] ^ inverted
                }
                Some(Fact::Constant(value)) => Lit::constant(value),
                None => aig.leaf(),
            },
        };
    }
    let of = |l: Lit| map[l.at()] ^ !l.is_positive();
    let latches = model.latches.iter().map(|l| crate::model::Latch {
        var: of(Lit::of(l.var)).var(),
        next: of(l.next),
        ..*l
    });
    Model {
        latches: latches.collect(),
        aig,
        ..Model::default()
    }
}

/// Per latch: its values in random runs.
fn signatures(model: &Model) -> Vec<Vec<u64>> {
    let mut random = Rng::new(0);
    let mut values = vec![0u64; model.aig.len()];
    for latch in &model.latches {
        values[latch.var as usize] = match latch.init {
            Some(true) => u64::MAX,
            Some(false) => 0,
            None => random.bits(),
        };
    }
    let mut signatures: Vec<Vec<u64>> = vec![Vec::with_capacity(STEPS); model.latches.len()];
    let steps = STEPS.min(20_000_000 / model.aig.len().max(1)).max(4);
    for _ in 0..steps {
        for (latch, signature) in model.latches.iter().zip(&mut signatures) {
            signature.push(values[latch.var as usize]);
        }
        let inputs: Vec<(Var, u64)> = model
            .inputs
            .iter()
            .map(|i| (i.var, random.bits()))
            .collect();
        for (var, value) in inputs {
            values[var as usize] = value;
        }
        model.aig.evaluate(&mut values);
        let next: Vec<u64> = model
            .latches
            .iter()
            .map(|l| word(&values, l.next))
            .collect();
        for (latch, value) in model.latches.iter().zip(next) {
            values[latch.var as usize] = value;
        }
    }
    signatures
}
