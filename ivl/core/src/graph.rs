//! Views on the control-flow graph: adjacency, orders, loop heads.

use crate::entity::{Edge, Loc};
use crate::program::{EdgeData, Program};
use cranelift_entity::{EntityRef, EntitySet};

/// Outgoing and incoming edges per location, in two flat arrays.
pub struct Adjacency {
    out_start: Vec<u32>,
    out: Vec<Edge>,
    inc_start: Vec<u32>,
    inc: Vec<Edge>,
}

fn bucket(
    p: &Program,
    keep: &impl Fn(Edge) -> bool,
    end: fn(&EdgeData) -> Loc,
) -> (Vec<u32>, Vec<Edge>) {
    let n = p.locs.len();
    let mut start = vec![0u32; n + 1];
    for (_, d) in p.edges.iter().filter(|&(e, _)| keep(e)) {
        start[end(d).index() + 1] += 1;
    }
    for i in 0..n {
        start[i + 1] += start[i];
    }
    let mut fill = start.clone();
    let mut items = vec![Edge::new(0); start[n] as usize];
    for (e, d) in p.edges.iter().filter(|&(e, _)| keep(e)) {
        let slot = &mut fill[end(d).index()];
        items[*slot as usize] = e;
        *slot += 1;
    }
    (start, items)
}

impl Adjacency {
    /// The adjacency of all procedures of `p`; edges keep their order per location.
    pub fn new(p: &Program) -> Adjacency {
        Adjacency::of(p, |_| true)
    }

    /// The adjacency by the edges that `keep` accepts.
    pub fn of(p: &Program, keep: impl Fn(Edge) -> bool) -> Adjacency {
        let (out_start, out) = bucket(p, &keep, |d| d.from);
        let (inc_start, inc) = bucket(p, &keep, |d| d.to);
        Adjacency {
            out_start,
            out,
            inc_start,
            inc,
        }
    }

    /// Edges that leave `l`.
    pub fn out(&self, l: Loc) -> &[Edge] {
        &self.out[self.out_start[l.index()] as usize..self.out_start[l.index() + 1] as usize]
    }

    /// Edges that enter `l`.
    pub fn inc(&self, l: Loc) -> &[Edge] {
        &self.inc[self.inc_start[l.index()] as usize..self.inc_start[l.index() + 1] as usize]
    }
}

/// A depth-first search of one procedure (or flat program) from its entry.
pub struct DepthFirst {
    /// Reachable locations, in reverse post-order: a topological order but for back edges.
    pub order: Vec<Loc>,
    /// Targets of back edges. Removing these locations leaves the graph acyclic, also where it is
    /// irreducible; on reducible graphs they are the loop heads.
    pub heads: EntitySet<Loc>,
}

impl DepthFirst {
    /// Searches from `entry`; calls are steps to their target.
    pub fn new(p: &Program, adjacency: &Adjacency, entry: Loc) -> DepthFirst {
        let mut state = vec![0u8; p.locs.len()]; // 0 new, 1 on the path, 2 done
        let mut order = Vec::new();
        let mut heads = EntitySet::new();
        let mut stack = vec![(entry, 0usize)];
        state[entry.index()] = 1;
        while let Some(top) = stack.last_mut() {
            let (l, i) = *top;
            if let Some(&e) = adjacency.out(l).get(i) {
                top.1 += 1;
                let to = p.edges[e].to;
                match state[to.index()] {
                    0 => {
                        state[to.index()] = 1;
                        stack.push((to, 0));
                    }
                    1 => {
                        heads.insert(to);
                    }
                    _ => {}
                }
            } else {
                state[l.index()] = 2;
                order.push(l);
                stack.pop();
            }
        }
        order.reverse();
        DepthFirst { order, heads }
    }
}
