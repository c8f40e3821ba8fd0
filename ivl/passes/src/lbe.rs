//! `lbe`: large-block encoding. Whole acyclic regions become the command of one edge.
//!
//! Beyer, Cimatti, Griggio, Keremoglu, Sebastiani, "Software model checking via large-block
//! encoding" (FMCAD 2009), with an operation limit and in an order of its own.
//!
//! Notation
//! - *Eliminating* a location replaces each pair of an edge in and an edge out by one edge with
//!   both commands in sequence (the paper's rule 2, which it applies at one edge in).
//! - Two *parallel* edges, equal in source and target, become one with a choice (rule 3).
//! - *Kept* are the entry, the exit, error and incomplete locations, loop heads (targets of back
//!   edges of a depth-first search, so that every cycle keeps one), and what the search does not
//!   reach or nothing leaves: those are dead code and another pass's business.
//! - The *growth* of an elimination is the number of operations it copies: none at one edge in
//!   and one out, the edge's operations for each further edge on the other side.
//!
//! Phases
//! 1. Every edge becomes a [`rope`]; parallel edges merge.
//! 2. A heap yields the location with the least growth, in reverse post-order among equals.
//!    Series-parallel regions thus collapse without copying anything, and straight code is packed
//!    from its beginning. A location is eliminated when it has one edge in or out (or adds no more
//!    than `grow` edges) and all new commands stay within the operation limit; where a merge of
//!    parallel edges would pass the limit, both stay.
//! 3. The remaining ropes become commands, and walks that mirror them. Edges leave a location in
//!    the order in which the first search discovered their targets: a search of the result then
//!    has the same tree without the eliminated locations, so the loop heads are the same.
//!
//! The operations at a location never shrink, so a location that fails the limit once is kept
//! for good. Cost: O(m log m) for m edges; no location is scanned twice. The program as a whole
//! grows at most [`GROWTH`]-fold, whatever the options say.

mod rope;

use crate::back::ControlMap;
use crate::pass::{Outcome, Pass, PassError, Property};
use cranelift_entity::{EntityRef, PrimaryMap};
use rope::{Builder, Measure, Rope, Ropes};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use trellis_ivl::graph::{Adjacency, DepthFirst};
use trellis_ivl::{Action, EdgeData, Loc, LocKind, Program};

/// How many times its operations a program may have afterwards.
const GROWTH: u64 = 16;

/// Choices inside choices beyond which nothing merges: readers of commands recurse that deep.
const MAX_NESTING: u32 = 100;

/// The pass and its options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lbe {
    /// Operations that one edge may have after a merge.
    pub limit: Option<usize>,
    /// Whether parallel edges merge.
    pub choices: bool,
    /// How many edges eliminating a location may add; with none, only locations with one edge in or out go.
    pub grow: Option<u32>,
}

impl Default for Lbe {
    fn default() -> Lbe {
        Lbe {
            limit: Some(20),
            choices: true,
            grow: None,
        }
    }
}

impl Pass for Lbe {
    fn name(&self) -> &'static str {
        "lbe"
    }

    fn requires(&self) -> &'static [Property] {
        &[Property::Flat]
    }

    fn run(&self, program: &mut Program) -> Result<Outcome, PassError> {
        let mut blocks = Blocks::new(self, program);
        blocks.reduce();
        let edges = blocks.remaining();
        if edges.iter().all(|&(_, r)| blocks.ropes.is_edge(r)) {
            return Ok(Outcome::unchanged());
        }
        Ok(Outcome::changed(rebuild(program, &blocks, &edges)))
    }
}

/// An edge between blocks; dead once `rope` is gone.
#[derive(Clone, Copy)]
struct Block {
    from: Loc,
    to: Loc,
    rope: Option<Rope>,
}

/// The edges on one side of a location; dead ones stay in the list.
#[derive(Clone, Default)]
struct Side {
    edges: Vec<u32>,
    alive: usize,
    weight: u64,
    /// Of all edges ever on this side: what replaces an edge never has fewer.
    max_operations: u64,
    max_nesting: u32,
}

impl Side {
    fn add(&mut self, m: Measure) {
        self.alive += 1;
        self.adjust(m);
    }

    fn adjust(&mut self, m: Measure) {
        self.weight = self.weight.saturating_add(m.weight);
        self.max_operations = self.max_operations.max(m.operations);
        self.max_nesting = self.max_nesting.max(m.nesting);
    }

    fn remove(&mut self, m: Measure) {
        self.alive -= 1;
        self.weight = self.weight.saturating_sub(m.weight);
    }
}

struct Blocks {
    limit: u64,
    options: Lbe,
    ropes: Ropes,
    edges: Vec<Block>,
    incoming: Vec<Side>,
    outgoing: Vec<Side>,
    /// Position in reverse post-order; `None` for locations that are kept.
    order: Vec<Option<u32>>,
    /// When the search discovered each location.
    discovered: Vec<u32>,
    gone: Vec<bool>,
    /// The edge with the fewest operations between two locations.
    smallest: FxHashMap<(Loc, Loc), u32>,
    /// Growth, position and location of candidates; may lag behind.
    heap: BinaryHeap<Reverse<(u64, u32, Loc)>>,
    /// The least growth under which a location waits in the heap.
    waiting: Vec<Option<u64>>,
    /// Weight of all edges, and the most it may become.
    weight: u64,
    max_weight: u64,
    edge_count: usize,
}

impl Blocks {
    fn new(options: &Lbe, program: &Program) -> Blocks {
        let n = program.locs.len();
        let ropes = Ropes::new(program);
        let adjacency = Adjacency::new(program);
        let mut blocks = Blocks {
            limit: options.limit.map_or(u64::MAX, |limit| limit as u64),
            options: *options,
            ropes,
            edges: Vec::with_capacity(2 * program.edges.len()),
            incoming: vec![Side::default(); n],
            outgoing: vec![Side::default(); n],
            order: candidates(program, &adjacency),
            discovered: discovery(program, &adjacency),
            gone: vec![false; n],
            smallest: FxHashMap::default(),
            heap: BinaryHeap::new(),
            waiting: vec![None; n],
            weight: 0,
            max_weight: 0,
            edge_count: 0,
        };
        for (e, d) in program.edges.iter() {
            blocks.connect(d.from, d.to, e.as_u32());
        }
        blocks.max_weight = blocks.weight.saturating_mul(GROWTH);
        blocks
    }

    /// Adds an edge, or joins it with a parallel one.
    fn connect(&mut self, from: Loc, to: Loc, rope: Rope) {
        let m = self.ropes.measure(rope);
        self.weight = self.weight.saturating_add(m.weight);
        let next = self.edges.len() as u32;
        if self.options.choices {
            let smallest = *self.smallest.entry((from, to)).or_insert(next);
            if smallest != next {
                let other = self.edges[smallest as usize]
                    .rope
                    .expect("the smallest edge is alive");
                let o = self.ropes.measure(other);
                let nesting = self.ropes.as_branch(rope).max(self.ropes.as_branch(other));
                if m.operations.saturating_add(o.operations) <= self.limit && nesting <= MAX_NESTING
                {
                    return self.widen(smallest, other, rope);
                }
                if m.operations < o.operations {
                    self.smallest.insert((from, to), next);
                }
            }
        }
        self.edges.push(Block {
            from,
            to,
            rope: Some(rope),
        });
        self.outgoing[from.index()].edges.push(next);
        self.incoming[to.index()].edges.push(next);
        self.outgoing[from.index()].add(m);
        self.incoming[to.index()].add(m);
        self.edge_count += 1;
    }

    /// Makes `rope` a further branch of edge `e`, whose rope is `old`.
    fn widen(&mut self, e: u32, old: Rope, rope: Rope) {
        let first = |r: Rope| self.ropes.measure(r).first;
        let (a, b) = match first(rope) < first(old) {
            true => (rope, old),
            false => (old, rope),
        };
        let choice = self.ropes.choice(a, b);
        let (before, after) = (self.ropes.measure(old), self.ropes.measure(choice));
        let Block { from, to, .. } = self.edges[e as usize];
        self.edges[e as usize].rope = Some(choice);
        for side in [
            &mut self.outgoing[from.index()],
            &mut self.incoming[to.index()],
        ] {
            side.weight = side.weight.saturating_sub(before.weight);
            side.adjust(after);
        }
    }

    /// Removes edge `e`; its rope.
    fn disconnect(&mut self, e: u32) -> Rope {
        let block = &mut self.edges[e as usize];
        let (from, to) = (block.from, block.to);
        let rope = block.rope.take().expect("only edges alive are removed");
        let m = self.ropes.measure(rope);
        self.outgoing[from.index()].remove(m);
        self.incoming[to.index()].remove(m);
        // One end is being eliminated with all its edges, so no other edge inherits the entry.
        self.smallest.remove(&(from, to));
        self.weight = self.weight.saturating_sub(m.weight);
        self.edge_count -= 1;
        rope
    }

    /// What eliminating `l` copies; `None` when its edges forbid it.
    fn growth(&self, l: Loc) -> Option<u64> {
        let (inc, out) = (&self.incoming[l.index()], &self.outgoing[l.index()]);
        let (i, o) = (inc.alive as u64, out.alive as u64);
        if i == 0 || o == 0 {
            return None;
        }
        let added = i128::from(i) * i128::from(o) - i128::from(i) - i128::from(o);
        let grow = self.options.grow.map_or(-1, i128::from);
        if added > grow && i > 1 && o > 1 {
            return None;
        }
        let copies = inc.weight.saturating_mul(o - 1);
        Some(copies.saturating_add(out.weight.saturating_mul(i - 1)))
    }

    fn consider(&mut self, l: Loc) {
        let Some(order) = self.order[l.index()] else {
            return;
        };
        if self.gone[l.index()] {
            return;
        }
        let Some(growth) = self.growth(l) else {
            return;
        };
        if self.waiting[l.index()].is_none_or(|w| growth < w) {
            self.waiting[l.index()] = Some(growth);
            self.heap.push(Reverse((growth, order, l)));
        }
    }

    /// Phase 2.
    fn reduce(&mut self) {
        for l in 0..self.order.len() {
            self.consider(Loc::new(l));
        }
        while let Some(Reverse((growth, _, l))) = self.heap.pop() {
            if self.gone[l.index()] || self.waiting[l.index()] != Some(growth) {
                continue;
            }
            self.waiting[l.index()] = None;
            match self.growth(l) {
                Some(now) if now == growth => {}
                _ => {
                    self.consider(l);
                    continue;
                }
            }
            let (inc, out) = (&self.incoming[l.index()], &self.outgoing[l.index()]);
            let fits = inc.max_operations.saturating_add(out.max_operations) <= self.limit
                && inc.max_nesting.max(out.max_nesting) <= MAX_NESTING;
            if !fits {
                self.order[l.index()] = None;
            } else if self.weight.saturating_add(growth) <= self.max_weight {
                self.eliminate(l);
            }
        }
    }

    fn eliminate(&mut self, l: Loc) {
        self.gone[l.index()] = true;
        let alive = |edges: Vec<u32>, blocks: &[Block]| -> Vec<u32> {
            let mut edges = edges;
            edges.retain(|&e| blocks[e as usize].rope.is_some());
            edges
        };
        let ins = std::mem::take(&mut self.incoming[l.index()].edges);
        let outs = std::mem::take(&mut self.outgoing[l.index()].edges);
        let (ins, outs) = (alive(ins, &self.edges), alive(outs, &self.edges));
        let ins: Vec<(Loc, Rope)> = ins
            .into_iter()
            .map(|e| (self.edges[e as usize].from, self.disconnect(e)))
            .collect();
        let outs: Vec<(Loc, Rope)> = outs
            .into_iter()
            .map(|e| (self.edges[e as usize].to, self.disconnect(e)))
            .collect();
        for &(from, a) in &ins {
            for &(to, b) in &outs {
                debug_assert!(from != l && to != l, "a location on a cycle is kept");
                let rope = self.ropes.seq(a, b);
                self.connect(from, to, rope);
            }
        }
        for (neighbour, _) in ins.into_iter().chain(outs) {
            self.consider(neighbour);
        }
    }

    /// The edges alive, in order.
    fn remaining(&self) -> Vec<(Block, Rope)> {
        let mut edges = Vec::with_capacity(self.edge_count);
        for block in &self.edges {
            edges.extend(block.rope.map(|r| (*block, r)));
        }
        edges.sort_by_key(|(b, r)| {
            let first = self.ropes.measure(*r).first;
            (b.from, self.discovered[b.to.index()], first)
        });
        edges
    }
}

/// When [`DepthFirst`] comes to each location; the largest number for what it does not reach.
fn discovery(program: &Program, adjacency: &Adjacency) -> Vec<u32> {
    let mut discovered = vec![u32::MAX; program.locs.len()];
    let mut next = 0;
    let mut stack = vec![program.entry()];
    while let Some(l) = stack.pop() {
        if discovered[l.index()] != u32::MAX {
            continue;
        }
        discovered[l.index()] = next;
        next += 1;
        let out = adjacency.out(l).iter().rev();
        stack.extend(out.map(|&e| program.edges[e].to));
    }
    discovered
}

/// The position in reverse post-order of each location that may be eliminated.
fn candidates(program: &Program, adjacency: &Adjacency) -> Vec<Option<u32>> {
    let search = DepthFirst::new(program, adjacency, program.entry());
    let main = &program.procs[program.main];
    let mut order = vec![None; program.locs.len()];
    for (i, &l) in search.order.iter().enumerate() {
        let plain = program.locs[l].kind == LocKind::Plain;
        if plain && l != main.entry && Some(l) != main.exit && !search.heads.contains(l) {
            order[l.index()] = Some(i as u32);
        }
    }
    order
}

/// Phase 3.
fn rebuild(program: &mut Program, blocks: &Blocks, edges: &[(Block, Rope)]) -> ControlMap {
    let mut map = ControlMap::default();
    let mut locs: PrimaryMap<Loc, _> = PrimaryMap::new();
    for (l, d) in program.locs.iter() {
        if !blocks.gone[l.index()] {
            map.locs[l] = locs.push(d.clone()).into();
        }
    }
    let renumber = |map: &ControlMap, l: Loc| map.locs[l].expect("edges connect kept locations");
    let mut builder = Builder::new(&blocks.ropes);
    let mut new_edges = PrimaryMap::with_capacity(edges.len());
    for &(block, rope) in edges {
        let cmd = builder.cmd(program, rope);
        let first = blocks.ropes.measure(rope).first;
        new_edges.push(EdgeData {
            from: renumber(&map, block.from),
            to: renumber(&map, block.to),
            action: Action::Cmd(cmd),
            span: program.edges[first].span,
        });
        map.walks.push(builder.walk(rope));
    }
    let main = &mut program.procs[program.main];
    main.entry = renumber(&map, main.entry);
    main.exit = main.exit.map(|l| renumber(&map, l));
    program.locs = locs;
    program.edges = new_edges;
    map
}
