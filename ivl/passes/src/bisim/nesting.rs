//! How deep each location lies in loops, and whether a quotient keeps the loop heads.
//!
//! The checker cuts loops at the heads of the program it is given, so invariants found after the
//! pass must come back to those. Merging the test before an inverted loop with the one at its end
//! would move the head from the loop's body to the test; merging only locations of the same
//! loop depth does not.

use cranelift_entity::EntityRef;
use trellis_ivl::graph::{Adjacency, DepthFirst};
use trellis_ivl::{Loc, Program};

/// Stands for "no location".
const NONE: u32 = u32::MAX;

/// The state of Wei, Mao, Zou and Chen's search ("A new algorithm for identifying loops in
/// decompilation", SAS 2007): one depth-first search, irreducible loops included.
struct Search {
    /// The innermost loop head around each location.
    head: Vec<u32>,
    /// Position on the current path, from 1; 0 off the path.
    position: Vec<u32>,
}

impl Search {
    /// Puts `l` into the loop of `h`, keeping heads of inner loops inside outer ones.
    fn tag(&mut self, l: u32, h: u32) {
        if l == h || h == NONE {
            return;
        }
        let (mut l, mut h) = (l, h);
        while self.head[l as usize] != NONE {
            let outer = self.head[l as usize];
            if outer == h {
                return;
            }
            if self.position[outer as usize] < self.position[h as usize] {
                self.head[l as usize] = h;
                (l, h) = (h, outer);
            } else {
                l = outer;
            }
        }
        self.head[l as usize] = h;
    }

    /// The innermost head around `l` that is on the current path.
    fn open_head(&self, l: u32) -> u32 {
        let mut h = self.head[l as usize];
        while h != NONE && self.position[h as usize] == 0 {
            h = self.head[h as usize];
        }
        h
    }
}

/// The number of loops around each location, its own included where it is a head; 0 for what is
/// not reachable.
pub(super) fn depths(program: &Program) -> Vec<u32> {
    let n = program.locs.len();
    let adjacency = Adjacency::new(program);
    let mut search = Search {
        head: vec![NONE; n],
        position: vec![0; n],
    };
    let mut is_head = vec![false; n];
    let mut visited = vec![false; n];
    let mut order = Vec::new();
    let mut path = vec![(program.entry(), 0usize)];
    visited[program.entry().index()] = true;
    search.position[program.entry().index()] = 1;
    while let Some(top) = path.last_mut() {
        let (l, next) = *top;
        let from = l.as_u32();
        if let Some(&e) = adjacency.out(l).get(next) {
            top.1 += 1;
            let to = program.edges[e].to;
            if !visited[to.index()] {
                visited[to.index()] = true;
                path.push((to, 0));
                search.position[to.index()] = path.len() as u32;
            } else if search.position[to.index()] > 0 {
                is_head[to.index()] = true;
                search.tag(from, to.as_u32());
            } else {
                let head = search.open_head(to.as_u32());
                search.tag(from, head);
            }
        } else {
            path.pop();
            order.push(l);
            search.position[l.index()] = 0;
            if let Some(&(parent, _)) = path.last() {
                search.tag(parent.as_u32(), search.head[l.index()]);
            }
        }
    }
    // A head is finished after what it surrounds.
    let mut depth = vec![0; n];
    for l in order.into_iter().rev() {
        let around = search.head[l.index()];
        let outer = if around == NONE {
            0
        } else {
            depth[around as usize]
        };
        depth[l.index()] = outer + u32::from(is_head[l.index()]);
    }
    depth
}

/// The loop heads of `program`.
pub(super) fn heads(program: &Program) -> Vec<bool> {
    let adjacency = Adjacency::new(program);
    let search = DepthFirst::new(program, &adjacency, program.entry());
    let locs = program.locs.keys();
    locs.map(|l| search.heads.contains(l)).collect()
}

/// Whether every cycle that the entry reaches has a location in `cut`.
pub(super) fn cuts_all_cycles(program: &Program, cut: impl Fn(Loc) -> bool) -> bool {
    let adjacency = Adjacency::new(program);
    let reached = DepthFirst::new(program, &adjacency, program.entry()).order;
    // Kahn's algorithm on what the cut leaves.
    let mut waits = vec![0u32; program.locs.len()];
    let left: Vec<Loc> = reached.into_iter().filter(|&l| !cut(l)).collect();
    for &l in &left {
        for &e in adjacency.out(l) {
            waits[program.edges[e].to.index()] += 1;
        }
    }
    let mut ready: Vec<Loc> = left
        .iter()
        .copied()
        .filter(|l| waits[l.index()] == 0)
        .collect();
    let mut done = 0;
    while let Some(l) = ready.pop() {
        done += 1;
        for &e in adjacency.out(l) {
            let to = program.edges[e].to;
            waits[to.index()] -= 1;
            if waits[to.index()] == 0 && !cut(to) {
                ready.push(to);
            }
        }
    }
    done == left.len()
}
