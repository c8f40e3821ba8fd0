//! The program as the engine sees it: locations from which a target can be reached, their edges and
//! the edges' transfer functions.
//!
//! A *target* is an error or incomplete location. Frames exist at the plain locations but the entry: there
//! every state is initial, so nothing is ever blocked at it and edges back to it say nothing new.

use trellis_plugin_sdk::ivl::cranelift_entity::{EntitySet, SecondaryMap};
use trellis_plugin_sdk::ivl::graph::{Adjacency, DepthFirst};
use trellis_plugin_sdk::ivl::{Edge, Loc, LocKind, Program, Transfer, Var};

/// A prepared program.
pub struct Automaton {
    /// Where execution begins.
    pub entry: Loc,
    /// Error and incomplete locations that the graph reaches, by number.
    pub targets: Vec<Loc>,
    /// The locations with frames, in reverse post-order.
    pub locs: Vec<Loc>,
    inc: SecondaryMap<Loc, Vec<Edge>>,
    out: SecondaryMap<Loc, Vec<Edge>>,
    transfers: SecondaryMap<Edge, Option<Box<Transfer>>>,
    components: SecondaryMap<Loc, Option<u32>>,
    ends: SecondaryMap<Edge, Option<(Loc, Loc)>>,
}

impl Automaton {
    /// Prepares a flat program.
    pub fn new(program: &mut Program) -> Automaton {
        let adjacency = Adjacency::new(program);
        let entry = program.entry();
        let search = DepthFirst::new(program, &adjacency, entry);
        let is_plain = |program: &Program, l: Loc| program.locs[l].kind == LocKind::Plain;
        let mut relevant: EntitySet<Loc> = EntitySet::new();
        let order = search.order.iter().copied();
        let mut targets: Vec<Loc> = order.clone().filter(|&l| !is_plain(program, l)).collect();
        targets.sort_unstable();
        let mut reached: EntitySet<Loc> = EntitySet::new();
        for l in order.clone() {
            reached.insert(l);
        }
        let mut todo = targets.clone();
        while let Some(l) = todo.pop() {
            for &e in adjacency.inc(l) {
                let from = program.edges[e].from;
                if reached.contains(from) && is_plain(program, from) && relevant.insert(from) {
                    todo.push(from);
                }
            }
        }
        let mut automaton = Automaton {
            entry,
            locs: order
                .clone()
                .filter(|&l| l != entry && relevant.contains(l))
                .collect(),
            targets,
            inc: SecondaryMap::new(),
            out: SecondaryMap::new(),
            transfers: SecondaryMap::new(),
            components: SecondaryMap::new(),
            ends: SecondaryMap::new(),
        };
        for l in order.filter(|&l| relevant.contains(l)) {
            for &e in adjacency.out(l) {
                let to = program.edges[e].to;
                if !is_plain(program, to) || relevant.contains(to) {
                    automaton.add_edge(program, e);
                }
            }
        }
        automaton.find_components(&search.order);
        automaton
    }

    fn add_edge(&mut self, program: &mut Program, e: Edge) {
        let cmd = program.edge_cmd(e).expect("a flat program has no calls");
        let transfer = Transfer::new(&mut program.pool, &program.cmds, cmd);
        if program.pool.as_bool(transfer.guard) == Some(false) {
            return;
        }
        let (from, to) = (program.edges[e].from, program.edges[e].to);
        self.transfers[e] = Some(Box::new(transfer));
        self.ends[e] = Some((from, to));
        self.out[from].push(e);
        self.inc[to].push(e);
    }

    /// Edges that enter `l`.
    pub fn inc(&self, l: Loc) -> &[Edge] {
        &self.inc[l]
    }

    /// Edges that leave `l`.
    pub fn out(&self, l: Loc) -> &[Edge] {
        &self.out[l]
    }

    /// Where an edge begins.
    pub fn from(&self, e: Edge) -> Loc {
        self.ends[e].expect("an edge of the automaton").0
    }

    /// Where an edge ends.
    pub fn to(&self, e: Edge) -> Loc {
        self.ends[e].expect("an edge of the automaton").1
    }

    /// The transfer function of an edge.
    pub fn transfer(&self, e: Edge) -> &Transfer {
        let transfer = self.transfers[e].as_ref();
        transfer.expect("an edge of the automaton")
    }

    /// Whether `e` may change `v`.
    pub fn assigns(&self, e: Edge, v: Var) -> bool {
        self.transfer(e).updates.contains_key(&v)
    }

    /// The number of the strongly connected component of `l`, where it lies on a cycle. Locations that are
    /// connected through the entry only count as connected.
    pub fn cycle(&self, l: Loc) -> Option<u32> {
        self.components[l]
    }

    /// Components by Kosaraju's algorithm: `order` is by decreasing finishing time, so a search backwards
    /// from each location in turn finds its component.
    fn find_components(&mut self, order: &[Loc]) {
        let mut found: EntitySet<Loc> = EntitySet::new();
        for (n, &start) in order.iter().enumerate() {
            if !found.insert(start) {
                continue;
            }
            let mut members = vec![start];
            let mut next = 0;
            while let Some(&l) = members.get(next) {
                next += 1;
                for &e in &self.inc[l] {
                    let from = self.from(e);
                    if found.insert(from) {
                        members.push(from);
                    }
                }
            }
            let looped = self.out[start].iter().any(|&e| self.to(e) == start);
            if members.len() > 1 || looped {
                for l in members {
                    self.components[l] = Some(n as u32);
                }
            }
        }
    }
}
