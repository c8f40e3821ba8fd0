//! The invariant of a complete graph: at each loop head the disjunction of the labels of its nodes.

use crate::graph::Graph;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use trellis_engine_common::{Cfa, Invariants};
use trellis_ivl::{Term, TermPool};
use trellis_plugin_sdk::Certificate;

/// Beyond this many cubes no two are merged.
const MAX_MERGED: usize = 2_000;

/// The proof of a graph in which nothing waits.
pub(crate) fn certificate(cfa: &mut Cfa, graph: &Graph) -> Certificate {
    let mut invariants = Invariants::new();
    for head in cfa.heads().to_vec() {
        let labels: BTreeSet<Vec<Term>> = graph
            .at(head)
            .map(|id| graph.get(id).label.clone())
            .collect();
        let pool = &mut cfa.program.pool;
        let cubes = merged(pool, labels);
        let cubes: Vec<Term> = cubes.into_iter().map(|c| pool.and_all(c)).collect();
        let invariant = pool.or_all(cubes);
        invariants.insert(head, invariant);
    }
    Certificate::inductive(1, invariants)
}

/// An equal disjunction of fewer cubes: two that differ in one literal's polarity become one, and what another cube
/// covers goes.
fn merged(pool: &mut TermPool, mut cubes: BTreeSet<Vec<Term>>) -> Vec<Vec<Term>> {
    while cubes.len() <= MAX_MERGED {
        let mut open: BTreeMap<(Vec<Term>, Term), Vec<Term>> = BTreeMap::new();
        let mut used: FxHashSet<Vec<Term>> = FxHashSet::default();
        let mut new: BTreeSet<Vec<Term>> = BTreeSet::new();
        for cube in &cubes {
            for (i, &literal) in cube.iter().enumerate() {
                let mut rest = cube.clone();
                rest.remove(i);
                let opposite = pool.not(literal);
                if let Some(other) = open.get(&(rest.clone(), opposite)) {
                    used.insert(cube.clone());
                    used.insert(other.clone());
                    new.insert(rest);
                } else {
                    open.insert((rest, literal), cube.clone());
                }
            }
        }
        if new.is_empty() {
            break;
        }
        cubes.retain(|c| !used.contains(c));
        cubes.extend(new);
    }
    let mut sorted: Vec<Vec<Term>> = cubes.into_iter().collect();
    sorted.sort_by_key(Vec::len);
    let mut kept: Vec<Vec<Term>> = Vec::new();
    for cube in sorted {
        let covered = |small: &Vec<Term>| small.iter().all(|t| cube.binary_search(t).is_ok());
        if kept.len() > MAX_MERGED || !kept.iter().any(covered) {
            kept.push(cube);
        }
    }
    kept
}
