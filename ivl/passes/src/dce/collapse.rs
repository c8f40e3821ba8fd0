//! Contracts edges that do nothing and drops edges that add nothing.
//!
//! Let `s` be a remaining `skip` edge from `l` to `m`. Where `s` is the only edge from `l`, the
//! edges into `l` may go to `m` at once (*forwards*: `l` becomes part of `m`). Where `s` is the only
//! edge into `m`, the edges from `m` may leave from `l` (*backwards*: `m` becomes part of `l`). Both
//! directions are union-find structures whose links carry the path they stand for, so that at the
//! end every remaining edge knows the path it was. Paths are ropes: composing is constant time.

use crate::prune::Pruned;
use cranelift_entity::{EntityRef, EntitySet};
use rustc_hash::FxHashSet;
use trellis_ivl::{Cmd, CmdView, Edge, Loc, LocKind, Program};

/// A path in [`Ropes`]; 0 is the empty one.
type Path = u32;

/// Paths made by composing.
#[derive(Default)]
struct Ropes {
    nodes: Vec<Rope>,
}

#[derive(Clone, Copy)]
enum Rope {
    Edge(Edge),
    Both(Path, Path),
}

impl Ropes {
    fn push(&mut self, node: Rope) -> Path {
        self.nodes.push(node);
        self.nodes.len() as Path
    }

    fn both(&mut self, a: Path, b: Path) -> Path {
        match (a, b) {
            (0, p) | (p, 0) => p,
            _ => self.push(Rope::Both(a, b)),
        }
    }

    fn edges(&self, path: Path) -> Vec<Edge> {
        let mut edges = Vec::new();
        let mut stack = vec![path];
        while let Some(p) = stack.pop() {
            if p == 0 {
                continue;
            }
            match self.nodes[p as usize - 1] {
                Rope::Edge(e) => edges.push(e),
                Rope::Both(a, b) => stack.extend([b, a]),
            }
        }
        edges
    }
}

/// Union-find whose links carry paths between a location and what it is part of.
struct Links {
    parent: Vec<Loc>,
    path: Vec<Path>,
    /// Paths lead from the location to its root, else from the root to the location.
    to_root: bool,
}

impl Links {
    fn new(n: usize, to_root: bool) -> Links {
        Links {
            parent: (0..n).map(Loc::new).collect(),
            path: vec![0; n],
            to_root,
        }
    }

    fn find(&mut self, ropes: &mut Ropes, l: Loc) -> (Loc, Path) {
        let mut chain = Vec::new();
        let mut at = l;
        while self.parent[at.index()] != at {
            chain.push(at);
            at = self.parent[at.index()];
        }
        let mut path = 0;
        for &x in chain.iter().rev() {
            let own = self.path[x.index()];
            path = if self.to_root {
                ropes.both(own, path)
            } else {
                ropes.both(path, own)
            };
            self.parent[x.index()] = at;
            self.path[x.index()] = path;
        }
        (at, path)
    }
}

/// How often contraction and the search for duplicates alternate at most.
const ROUNDS: usize = 8;

/// The remaining edges and how locations have been contracted.
pub(super) struct Collapse {
    /// Ends before contraction.
    ends: Vec<(Loc, Loc)>,
    cmds: Vec<Cmd>,
    alive: Vec<bool>,
    pinned: EntitySet<Edge>,
    heads: EntitySet<Loc>,
    ropes: Ropes,
    forwards: Links,
    backwards: Links,
    /// Number of remaining edges into and from each location.
    degree_in: Vec<u32>,
    degree_out: Vec<u32>,
}

impl Collapse {
    pub fn new(program: &Program, pruned: &Pruned, heads: EntitySet<Loc>) -> Collapse {
        let n = program.locs.len();
        let skip = program.cmds.skip();
        let mut collapse = Collapse {
            ends: program.edges.values().map(|d| (d.from, d.to)).collect(),
            cmds: vec![skip; program.edges.len()],
            alive: vec![false; program.edges.len()],
            pinned: EntitySet::new(),
            heads,
            ropes: Ropes::default(),
            forwards: Links::new(n, true),
            backwards: Links::new(n, false),
            degree_in: vec![0; n],
            degree_out: vec![0; n],
        };
        for (e, d) in program.edges.iter() {
            if pruned.edges.contains(e) {
                collapse.alive[e.index()] = true;
                collapse.degree_out[d.from.index()] += 1;
                collapse.degree_in[d.to.index()] += 1;
            }
        }
        collapse
    }

    /// Sets the command of a remaining edge.
    pub fn set_cmd(&mut self, e: Edge, cmd: Cmd) {
        self.cmds[e.index()] = cmd;
    }

    /// Keeps `e` from being contracted.
    pub fn pin(&mut self, e: Edge) {
        self.pinned.insert(e);
    }

    /// The location that `l` is part of.
    pub fn representative(&mut self, l: Loc) -> Loc {
        let mut at = l;
        loop {
            let (m, _) = self.forwards.find(&mut self.ropes, at);
            let (m, _) = self.backwards.find(&mut self.ropes, m);
            if m == at {
                return at;
            }
            at = m;
        }
    }

    /// The present ends of a remaining edge. Its source was never contracted forwards, because
    /// that takes the only edge it has; nor its target backwards.
    fn ends(&mut self, e: usize) -> (Loc, Loc) {
        let (from, to) = self.ends[e];
        let (from, _) = self.backwards.find(&mut self.ropes, from);
        let (to, _) = self.forwards.find(&mut self.ropes, to);
        (from, to)
    }

    /// The path of the program before that a remaining edge stands for.
    fn rope(&mut self, e: usize) -> Path {
        let (from, to) = self.ends[e];
        let (_, prefix) = self.backwards.find(&mut self.ropes, from);
        let (_, suffix) = self.forwards.find(&mut self.ropes, to);
        let own = self.ropes.push(Rope::Edge(Edge::new(e)));
        let path = self.ropes.both(prefix, own);
        self.ropes.both(path, suffix)
    }

    /// The edges of that path.
    pub fn path(&mut self, e: Edge) -> Vec<Edge> {
        let path = self.rope(e.index());
        self.ropes.edges(path)
    }

    /// The remaining edges with their ends and commands, by number.
    pub fn edges(&mut self) -> Vec<(Edge, Loc, Loc, Cmd)> {
        let mut edges = Vec::new();
        for e in 0..self.alive.len() {
            if self.alive[e] {
                let (from, to) = self.ends(e);
                edges.push((Edge::new(e), from, to, self.cmds[e]));
            }
        }
        edges
    }

    /// Contracts and drops until nothing changes; whether anything did.
    pub fn run(&mut self, program: &Program) -> bool {
        let mut ever = false;
        for _ in 0..ROUNDS {
            let mut changed = self.contract(program);
            changed |= self.drop_redundant(program);
            if !changed {
                break;
            }
            ever = true;
        }
        ever
    }

    fn remove(&mut self, e: usize, from: Loc, to: Loc) {
        self.alive[e] = false;
        self.degree_out[from.index()] -= 1;
        self.degree_in[to.index()] -= 1;
    }

    fn contract(&mut self, program: &Program) -> bool {
        let (entry, exit) = (program.entry(), program.procs[program.main].exit);
        let fixed =
            |l: Loc| l == entry || Some(l) == exit || program.locs[l].kind != LocKind::Plain;
        let mut changed = false;
        for e in 0..self.alive.len() {
            let is_skip = program.cmds.view(self.cmds[e]) == CmdView::Skip;
            if !self.alive[e] || !is_skip || self.pinned.contains(Edge::new(e)) {
                continue;
            }
            let (l, m) = self.ends(e);
            if l == m {
                self.remove(e, l, m);
            } else if self.degree_in[m.index()] == 1 && !fixed(m) && !self.heads.contains(m) {
                let path = self.rope(e);
                self.remove(e, l, m);
                self.backwards.parent[m.index()] = l;
                self.backwards.path[m.index()] = path;
                self.degree_out[l.index()] += self.degree_out[m.index()];
            } else if self.degree_out[l.index()] == 1 && !fixed(l) && !self.heads.contains(l) {
                let path = self.rope(e);
                self.remove(e, l, m);
                self.forwards.parent[l.index()] = m;
                self.forwards.path[l.index()] = path;
                self.degree_in[m.index()] += self.degree_in[l.index()];
            } else {
                continue;
            }
            changed = true;
        }
        changed
    }

    /// Drops repeated parallel edges, and edges that only assume where one does nothing or leads
    /// back to where it began.
    fn drop_redundant(&mut self, program: &Program) -> bool {
        let mut groups: Vec<(Loc, Loc, usize)> = Vec::new();
        for e in 0..self.alive.len() {
            if self.alive[e] {
                let (from, to) = self.ends(e);
                groups.push((from, to, e));
            }
        }
        groups.sort_unstable();
        let mut changed = false;
        for group in groups.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (from, to, _) = group[0];
            if group.len() == 1 && from != to {
                continue;
            }
            let skip = |e: usize| program.cmds.view(self.cmds[e]) == CmdView::Skip;
            let idle = group.iter().map(|g| g.2).find(|&e| skip(e));
            let mut seen = FxHashSet::default();
            for &(_, _, e) in group {
                let only_assumes = program.cmds.modified(self.cmds[e]).is_empty();
                let covered = from == to || idle.is_some_and(|i| i != e);
                if only_assumes && covered || !seen.insert(spell(program, self.cmds[e])) {
                    self.remove(e, from, to);
                    changed = true;
                }
            }
        }
        changed
    }
}

/// The command as words, equal for equal commands.
fn spell(program: &Program, cmd: Cmd) -> Vec<u32> {
    let mut words = Vec::new();
    let mut stack = vec![cmd];
    while let Some(c) = stack.pop() {
        match program.cmds.view(c) {
            CmdView::Skip => words.push(0),
            CmdView::Assume(t) => words.extend([1, t.as_u32()]),
            CmdView::Assign(items) => {
                words.extend([2, items.len() as u32]);
                for (v, t) in items {
                    words.extend([v.as_u32(), t.as_u32()]);
                }
            }
            CmdView::Havoc(items) => {
                words.extend([3, items.len() as u32]);
                for (v, i) in items {
                    words.extend([v.as_u32(), i.as_u32()]);
                }
            }
            CmdView::Seq(cs) => {
                words.extend([4, cs.len() as u32]);
                stack.extend(cs.iter().rev());
            }
            CmdView::Choice(cs) => {
                words.extend([5, cs.len() as u32]);
                stack.extend(cs.iter().rev());
            }
        }
    }
    words
}
