//! Which locations and edges can lie on an execution that reaches an error or incomplete location.

use cranelift_entity::{EntityRef, EntitySet};
use trellis_ivl::graph::Adjacency;
use trellis_ivl::{Cmd, CmdView, Edge, Loc, LocKind, Program};

/// What remains of a flat program for the question which targets are reachable. A *target* is an
/// error or incomplete location.
pub(crate) struct Pruned {
    /// The adjacency of the whole program.
    pub adjacency: Adjacency,
    /// Locations with a way from the entry.
    pub reachable: EntitySet<Loc>,
    /// Reachable locations with a way to a target.
    pub useful: EntitySet<Loc>,
    /// Edges that may complete, between useful locations.
    pub edges: EntitySet<Edge>,
}

/// Whether `cmd` cannot complete because it says `assume false` on every path.
pub(crate) fn blocked(program: &Program, cmd: Cmd) -> bool {
    match program.cmds.view(cmd) {
        CmdView::Assume(t) => program.pool.as_bool(t) == Some(false),
        CmdView::Seq(cs) => cs.iter().any(|&c| blocked(program, c)),
        CmdView::Choice(cs) => cs.iter().all(|&c| blocked(program, c)),
        CmdView::Skip | CmdView::Assign(_) | CmdView::Havoc(_) => false,
    }
}

impl Pruned {
    /// Looks at the graph of `program` and at commands that are plainly blocked.
    pub fn new(program: &Program) -> Pruned {
        let adjacency = Adjacency::new(program);
        let mut open = EntitySet::with_capacity(program.edges.len());
        for e in program.edges.keys() {
            let cmd = program.edge_cmd(e).expect("a flat program has no calls");
            if !blocked(program, cmd) {
                open.insert(e);
            }
        }
        let mut reachable = EntitySet::with_capacity(program.locs.len());
        let mut stack = vec![program.entry()];
        while let Some(l) = stack.pop() {
            if reachable.insert(l) {
                let out = adjacency.out(l).iter().filter(|&&e| open.contains(e));
                stack.extend(out.map(|&e| program.edges[e].to));
            }
        }
        let mut useful = EntitySet::with_capacity(program.locs.len());
        let targets = program.locs.iter();
        stack.extend(
            targets
                .filter(|(l, d)| d.kind != LocKind::Plain && reachable.contains(*l))
                .map(|(l, _)| l),
        );
        while let Some(l) = stack.pop() {
            if useful.insert(l) {
                let inc = adjacency.inc(l).iter().filter(|&&e| open.contains(e));
                let sources = inc.map(|&e| program.edges[e].from);
                stack.extend(sources.filter(|&l| reachable.contains(l)));
            }
        }
        let mut edges = EntitySet::with_capacity(program.edges.len());
        for (e, d) in program.edges.iter() {
            if open.contains(e) && useful.contains(d.from) && useful.contains(d.to) {
                edges.insert(e);
            }
        }
        Pruned {
            adjacency,
            reachable,
            useful,
            edges,
        }
    }

    /// The remaining edges from `l`.
    pub fn out(&self, l: Loc) -> impl Iterator<Item = Edge> + '_ {
        let out = self.adjacency.out(l).iter().copied();
        out.filter(|&e| self.edges.contains(e))
    }

    /// The remaining edges into `l`.
    pub fn inc(&self, l: Loc) -> impl Iterator<Item = Edge> + '_ {
        let inc = self.adjacency.inc(l).iter().copied();
        inc.filter(|&e| self.edges.contains(e))
    }

    /// The useful locations in reverse post-order, and the targets of back edges among them.
    pub fn depth_first(&self, program: &Program) -> (Vec<Loc>, EntitySet<Loc>) {
        const ON_PATH: u8 = 1;
        const DONE: u8 = 2;
        let mut state = vec![0u8; program.locs.len()];
        let (mut order, mut heads) = (Vec::new(), EntitySet::new());
        let entry = program.entry();
        if !self.useful.contains(entry) {
            return (order, heads);
        }
        state[entry.index()] = ON_PATH;
        let mut stack = vec![(entry, 0)];
        while let Some((l, i)) = stack.pop() {
            let Some(&e) = self.adjacency.out(l).get(i) else {
                state[l.index()] = DONE;
                order.push(l);
                continue;
            };
            stack.push((l, i + 1));
            if !self.edges.contains(e) {
                continue;
            }
            let to = program.edges[e].to;
            match state[to.index()] {
                0 => {
                    state[to.index()] = ON_PATH;
                    stack.push((to, 0));
                }
                ON_PATH => {
                    heads.insert(to);
                }
                _ => {}
            }
        }
        order.reverse();
        (order, heads)
    }
}
