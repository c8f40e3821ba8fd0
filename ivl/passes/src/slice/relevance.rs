//! What is relevant: data and control dependence together, to a fixpoint.

use super::Loops as LoopOption;
use super::control::ControlDependence;
use super::loops::Loops;
use super::total::{covers, guard};
use crate::dominance::{Dominators, Node};
use crate::liveness::Liveness;
use crate::patricia::Map;
use crate::prune::Pruned;
use cranelift_entity::{EntityRef, EntitySet};
use trellis_ivl::{Cmd, CmdView, Edge, Loc, LocKind, Program, Term};

/// The result of the analysis.
pub(super) struct Relevance {
    pub pruned: Pruned,
    pub live: Liveness,
    pub loops: Loops,
    /// Branches that go, each with the location where its ways meet again.
    pub dropped: Vec<(Loc, Loc)>,
    /// Post-dominators of the useful locations; the node after the last location is the end.
    post: Dominators,
    end: Node,
}

/// An edge's command as guard and rest.
struct Parts {
    guard: Option<Term>,
    rest: Vec<Cmd>,
    /// Whether the rest assumes something.
    assumes: bool,
}

struct Analysis<'a> {
    program: &'a Program,
    pruned: &'a Pruned,
    live: Liveness,
    parts: Vec<Option<Parts>>,
    post: &'a Dominators,
    dependence: ControlDependence,
    marked: EntitySet<Loc>,
    branches: EntitySet<Loc>,
    todo: Vec<Loc>,
}

impl Relevance {
    pub fn new(program: &mut Program, option: LoopOption) -> Relevance {
        let pruned = Pruned::new(program);
        let (order, heads) = pruned.depth_first(program);
        let n = program.locs.len();
        let end = n as Node;
        let edges: Vec<(Node, Node)> = (program.edges.iter())
            .filter(|(e, _)| pruned.edges.contains(*e))
            .map(|(_, d)| (d.from.as_u32(), d.to.as_u32()))
            .collect();
        let mut position = vec![u32::MAX; n];
        for (i, &l) in order.iter().enumerate() {
            position[l.index()] = i as u32;
        }
        let mut stay = EntitySet::new();
        let mut loops = Loops::default();
        if option == LoopOption::Keep {
            let dominators = Dominators::new(n, program.entry().as_u32(), &edges);
            let at = |l: Loc| position[l.index()];
            loops = Loops::find(program, &pruned, &dominators, &heads, &order, at);
            for &h in order.iter().filter(|&&l| heads.contains(l)) {
                if !loops.leavable.contains(h) {
                    stay.insert(h);
                }
            }
        }
        // A loop that may go on for ever is as good as an end of the run.
        let is_end = |l: &&Loc| program.locs[**l].kind != LocKind::Plain || stay.contains(**l);
        let ends: Vec<Loc> = order.iter().filter(is_end).copied().collect();
        let mut reversed: Vec<(Node, Node)> = edges.iter().map(|&(a, b)| (b, a)).collect();
        reversed.extend(ends.iter().map(|l| (end, l.as_u32())));
        let post = Dominators::new(n + 1, end, &reversed);
        let total = totality(program, &pruned, &order);
        let mut analysis = Analysis::new(program, &pruned, &order, &post);
        analysis.start(&order, &ends, &total, end);
        analysis.run();
        let (branches, live) = (analysis.branches, analysis.live);
        let dropped = order
            .iter()
            .filter(|&&l| pruned.out(l).count() > 1 && !branches.contains(l))
            .map(|&l| {
                let meet = post
                    .idom(l.as_u32())
                    .expect("useful locations reach the end");
                (l, Loc::from_u32(meet))
            })
            .collect();
        Relevance {
            pruned,
            live,
            loops,
            dropped,
            post,
            end,
        }
    }

    /// The locations between a dropped branch and where its ways meet.
    pub fn between(&self, program: &Program) -> EntitySet<Loc> {
        // Union-find upwards in the post-dominator tree over locations between.
        let mut up: Vec<Node> = (0..=self.end).collect();
        fn find(up: &mut [Node], v: Node) -> Node {
            let mut root = v;
            while up[root as usize] != root {
                root = up[root as usize];
            }
            let mut at = v;
            while up[at as usize] != root {
                at = std::mem::replace(&mut up[at as usize], root);
            }
            root
        }
        let mut between = EntitySet::new();
        for &(b, meet) in &self.dropped {
            for e in self.pruned.out(b) {
                let mut at = find(&mut up, program.edges[e].to.as_u32());
                while self.post.depth(at) > self.post.depth(meet.as_u32()) {
                    between.insert(Loc::from_u32(at));
                    let next = self.post.idom(at).expect("below the meeting point");
                    up[at as usize] = next;
                    at = find(&mut up, next);
                }
            }
        }
        between
    }
}

/// The branches whose guards cover all states.
fn totality(program: &mut Program, pruned: &Pruned, order: &[Loc]) -> EntitySet<Loc> {
    let mut total = EntitySet::new();
    for &l in order {
        let guards: Vec<Option<Term>> = pruned
            .out(l)
            .map(|e| guard(&program.cmds, &program.edge_cmd(e).expect("flat")).0)
            .collect();
        let given: Vec<Term> = guards.iter().copied().flatten().collect();
        let free = given.len() < guards.len();
        if free || !given.is_empty() && covers(&mut program.pool, &given) {
            total.insert(l);
        }
    }
    total
}

impl<'a> Analysis<'a> {
    fn new(
        program: &'a Program,
        pruned: &'a Pruned,
        order: &[Loc],
        post: &'a Dominators,
    ) -> Analysis<'a> {
        let parts = |e: Edge| {
            let cmd = program.edge_cmd(e).expect("flat");
            let (guard, rest) = guard(&program.cmds, &cmd);
            let mut assumes = false;
            for &c in &rest {
                program.cmds.for_each_leaf(c, |leaf| {
                    assumes |= matches!(leaf, CmdView::Assume(_));
                });
            }
            Parts {
                guard,
                rest,
                assumes,
            }
        };
        let kept = |e: Edge| pruned.edges.contains(e);
        let branches: Vec<(Node, Node)> = order
            .iter()
            .filter(|&&l| pruned.out(l).count() > 1)
            .flat_map(|&l| pruned.out(l))
            .map(|e| {
                let d = &program.edges[e];
                (d.from.as_u32(), d.to.as_u32())
            })
            .collect();
        Analysis {
            program,
            pruned,
            live: Liveness::new(program, order),
            parts: (program.edges.keys())
                .map(|e| kept(e).then(|| parts(e)))
                .collect(),
            post,
            dependence: ControlDependence::new(post, program.locs.len() + 1, &branches),
            marked: EntitySet::new(),
            branches: EntitySet::new(),
            todo: Vec::new(),
        }
    }

    /// What is relevant by itself: ends of the run, assumptions that are no total branch.
    fn start(&mut self, order: &[Loc], ends: &[Loc], total: &EntitySet<Loc>, end: Node) {
        for &l in ends {
            self.mark(l);
        }
        for &l in order.iter().rev() {
            let out: Vec<Edge> = self.pruned.out(l).collect();
            if out.len() > 1 && (!total.contains(l) || self.post.idom(l.as_u32()) == Some(end)) {
                self.mark_branch(l);
            }
            for e in out {
                let parts = self.parts[e.index()].take().expect("kept");
                if let (Some(g), false) = (parts.guard, total.contains(l)) {
                    self.live.add_term(&self.program.pool, l, g);
                    self.mark(l);
                }
                let none = Map::EMPTY;
                let (before, _) = self.live.before(self.program, e, &parts.rest, none, true);
                self.live.add(l, before);
                let hard = parts.assumes;
                self.parts[e.index()] = Some(parts);
                if hard {
                    self.mark_edge(e);
                }
            }
        }
    }

    fn run(&mut self) {
        loop {
            while let Some(l) = self.todo.pop() {
                for b in self.dependence.take(self.post, l.as_u32()) {
                    self.mark_branch(Loc::from_u32(b));
                }
            }
            let Some((l, fresh)) = self.live.next() else {
                return;
            };
            for e in self.pruned.inc(l) {
                let parts = self.parts[e.index()].take().expect("kept");
                let (before, changes) =
                    self.live.before(self.program, e, &parts.rest, fresh, false);
                self.parts[e.index()] = Some(parts);
                self.live.add(self.program.edges[e].from, before);
                if changes {
                    self.mark_edge(e);
                }
            }
        }
    }

    /// Whether `l` is reached matters.
    fn mark(&mut self, l: Loc) {
        if self.marked.insert(l) {
            self.todo.push(l);
        }
    }

    /// Whether `e` is taken matters.
    fn mark_edge(&mut self, e: Edge) {
        let from = self.program.edges[e].from;
        if self.pruned.out(from).count() > 1 {
            self.mark_branch(from);
        } else {
            self.mark(from);
        }
    }

    /// Which edge is taken from `l` matters.
    fn mark_branch(&mut self, l: Loc) {
        if !self.branches.insert(l) {
            return;
        }
        self.mark(l);
        for e in self.pruned.out(l) {
            let guard = self.parts[e.index()].as_ref().and_then(|p| p.guard);
            if let Some(g) = guard {
                self.live.add_term(&self.program.pool, l, g);
            }
        }
    }
}
