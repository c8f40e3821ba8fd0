//! The abstract reachability graph: a tree of nodes, each an abstract state at a location, with covering.
//!
//! A node that is *covered* by another of its location is not explored further: what follows it follows the other, too.
//! A node is *active* when neither it nor an ancestor is covered; only active nodes cover. A node covers
//! younger ones only, so that it is never below what it covers, and coverings have no cycles.

use crate::Order;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use trellis_engine_common::Cfa;
use trellis_ivl::{Edge, Loc, LocKind, Term};

/// The number of a node.
pub(crate) type Id = usize;

/// An abstract state on a path.
pub(crate) struct Node {
    pub loc: Loc,
    /// What holds: literals over the variables of the program, sorted.
    pub label: Vec<Term>,
    pub parent: Option<(Id, Edge)>,
    pub depth: u32,
    /// Edges that are still to be taken from here, the next one last.
    pub todo: Vec<Edge>,
    children: Vec<Id>,
    covered_by: Option<Id>,
    alive: bool,
}

/// The graph and the nodes that wait.
pub(crate) struct Graph {
    nodes: Vec<Node>,
    at: BTreeMap<Loc, Vec<Id>>,
    covers: FxHashMap<Id, Vec<Id>>,
    waiting: BTreeSet<(u32, u32, Id)>,
    order: Order,
}

impl Graph {
    /// The entry alone.
    pub fn new(cfa: &Cfa, order: Order) -> Graph {
        let mut graph = Graph {
            nodes: Vec::new(),
            at: BTreeMap::new(),
            covers: FxHashMap::default(),
            waiting: BTreeSet::new(),
            order,
        };
        graph.add(cfa, cfa.program.entry(), Vec::new(), None);
        graph
    }

    pub fn get(&self, id: Id) -> &Node {
        &self.nodes[id]
    }

    pub fn get_mut(&mut self, id: Id) -> &mut Node {
        &mut self.nodes[id]
    }

    /// Number of nodes ever made.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Number of nodes that wait.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    pub fn is_alive(&self, id: Id) -> bool {
        self.nodes[id].alive
    }

    /// Adds a node, which waits.
    pub fn add(&mut self, cfa: &Cfa, loc: Loc, label: Vec<Term>, parent: Option<(Id, Edge)>) -> Id {
        let id = self.nodes.len();
        // Edges to targets first.
        let is_target = |e: Edge| cfa.program.locs[cfa.program.edges[e].to].kind != LocKind::Plain;
        let mut todo: Vec<Edge> = cfa.out(loc).to_vec();
        todo.reverse();
        todo.sort_by_key(|&e| is_target(e));
        let depth = parent.map_or(0, |(p, _)| self.nodes[p].depth + 1);
        self.nodes.push(Node {
            loc,
            label,
            parent,
            depth,
            todo,
            children: Vec::new(),
            covered_by: None,
            alive: true,
        });
        if let Some((p, _)) = parent {
            self.nodes[p].children.push(id);
        }
        self.at.entry(loc).or_default().push(id);
        self.wait(cfa, id);
        id
    }

    /// Lets a node wait for its turn.
    pub fn wait(&mut self, cfa: &Cfa, id: Id) {
        let node = &self.nodes[id];
        let position = cfa.position(node.loc);
        let key = match self.order {
            Order::Breadth => (node.depth, position),
            Order::Depth => (u32::MAX - node.depth, position),
            Order::Topological => (position, node.depth),
        };
        self.waiting.insert((key.0, key.1, id));
    }

    /// The next active node with edges to take.
    pub fn next(&mut self) -> Option<Id> {
        while let Some((_, _, id)) = self.waiting.pop_first() {
            if self.nodes[id].alive && !self.nodes[id].todo.is_empty() && self.is_active(id) {
                return Some(id);
            }
        }
        None
    }

    /// Whether neither the node nor an ancestor is covered.
    pub fn is_active(&self, id: Id) -> bool {
        let mut at = Some(id);
        while let Some(id) = at {
            let node = &self.nodes[id];
            if !node.alive || node.covered_by.is_some() {
                return false;
            }
            at = node.parent.map(|(p, _)| p);
        }
        true
    }

    /// The nodes of a location that may cover others, by age.
    pub fn at(&self, loc: Loc) -> impl Iterator<Item = Id> + '_ {
        self.all_at(loc)
            .iter()
            .copied()
            .filter(|&id| self.is_active(id))
    }

    /// All nodes of a location, by age.
    pub fn all_at(&self, loc: Loc) -> &[Id] {
        self.at.get(&loc).map_or(&[], Vec::as_slice)
    }

    /// The nodes from the entry to `id`, and the edges between them.
    pub fn path(&self, id: Id) -> (Vec<Id>, Vec<Edge>) {
        let (mut nodes, mut edges) = (vec![id], Vec::new());
        let mut at = id;
        while let Some((p, e)) = self.nodes[at].parent {
            nodes.push(p);
            edges.push(e);
            at = p;
        }
        nodes.reverse();
        edges.reverse();
        (nodes, edges)
    }

    /// The nodes that `edges` lead to from the entry.
    pub fn reached_by(&self, edges: &[Edge]) -> Vec<Id> {
        let mut now = vec![0];
        for &e in edges {
            let children = now.iter().flat_map(|&id| &self.nodes[id].children);
            now = children
                .copied()
                .filter(|&c| self.nodes[c].parent.is_some_and(|(_, taken)| taken == e))
                .collect();
        }
        now
    }

    fn subtree(&self, id: Id) -> Vec<Id> {
        let mut all = vec![id];
        let mut next = 0;
        while let Some(&id) = all.get(next) {
            next += 1;
            all.extend(&self.nodes[id].children);
        }
        all
    }

    /// Removes a node and all below it.
    pub fn remove(&mut self, cfa: &Cfa, id: Id) {
        if let Some((p, _)) = self.nodes[id].parent {
            self.nodes[p].children.retain(|&c| c != id);
        }
        let all = self.subtree(id);
        for &id in &all {
            self.nodes[id].alive = false;
        }
        for id in all {
            if let Some(by) = self.nodes[id].covered_by.take()
                && let Some(covered) = self.covers.get_mut(&by)
            {
                covered.retain(|&c| c != id);
            }
            let same = self.at.get_mut(&self.nodes[id].loc);
            same.expect("listed").retain(|&other| other != id);
            self.nodes[id].children.clear();
            self.uncover_all(cfa, id);
        }
    }

    /// Takes `edge` from `id` anew: what it led to is removed.
    pub fn take_again(&mut self, cfa: &Cfa, id: Id, edge: Edge) {
        let children = self.nodes[id].children.clone();
        for child in children {
            if self.nodes[child].parent.is_some_and(|(_, e)| e == edge) {
                self.remove(cfa, child);
            }
        }
        if !self.nodes[id].todo.contains(&edge) {
            self.nodes[id].todo.push(edge);
        }
        self.wait(cfa, id);
    }

    /// Covers `id` by `by`.
    pub fn cover(&mut self, cfa: &Cfa, id: Id, by: Id) {
        debug_assert!(by < id && self.is_active(by));
        self.nodes[id].covered_by = Some(by);
        self.covers.entry(by).or_default().push(id);
        for below in self.subtree(id) {
            self.uncover_all(cfa, below);
        }
    }

    /// Uncovers what `id` covers.
    pub fn uncover_all(&mut self, cfa: &Cfa, id: Id) {
        for covered in self.covers.remove(&id).unwrap_or_default() {
            if !self.nodes[covered].alive {
                continue;
            }
            self.nodes[covered].covered_by = None;
            for below in self.subtree(covered) {
                self.wait(cfa, below);
            }
        }
    }
}
