//! Ropes: the commands of large blocks while blocks still grow.
//!
//! Joining two commands copies their lists, so merging a chain of n edges one by one would cost
//! n² items. A rope is a binary node over shared parts instead, with its measures kept; only
//! the edges that remain in the end are turned into a command and its [`Walk`], both at once, so
//! that they mirror each other.

use crate::back::Walk;
use rustc_hash::FxHashMap;
use trellis_ivl::{Cmd, CmdPool, CmdView, Edge, Program};

/// A node in [`Ropes`].
pub(super) type Rope = u32;

#[derive(Clone, Copy)]
enum Node {
    Edge(Edge),
    Seq(Rope, Rope),
    Choice(Rope, Rope),
}

/// What merging needs to know about a rope.
#[derive(Clone, Copy)]
pub(super) struct Measure {
    /// Basic operations, as [`CmdPool::operations`] counts them.
    pub operations: u64,
    /// Basic operations, an edge without any counting as one: the memory of command and walk.
    pub weight: u64,
    /// Choices inside choices.
    pub nesting: u32,
    /// The first edge before, for order and source place.
    pub first: Edge,
}

/// All ropes of one run.
pub(super) struct Ropes {
    nodes: Vec<Node>,
    measures: Vec<Measure>,
}

impl Ropes {
    /// One rope per edge of `program`, with the edge's number.
    pub fn new(program: &Program) -> Ropes {
        let mut ropes = Ropes {
            nodes: Vec::with_capacity(2 * program.edges.len()),
            measures: Vec::with_capacity(2 * program.edges.len()),
        };
        for e in program.edges.keys() {
            let cmd = program.edge_cmd(e).expect("a flat program has no calls");
            let operations = program.cmds.operations(cmd) as u64;
            ropes.nodes.push(Node::Edge(e));
            ropes.measures.push(Measure {
                operations,
                weight: operations.max(1),
                nesting: nesting(&program.cmds, cmd),
                first: e,
            });
        }
        ropes
    }

    pub fn measure(&self, r: Rope) -> Measure {
        self.measures[r as usize]
    }

    fn add(&mut self, node: Node, measure: Measure) -> Rope {
        self.nodes.push(node);
        self.measures.push(measure);
        self.nodes.len() as u32 - 1
    }

    /// `a`, then `b`.
    pub fn seq(&mut self, a: Rope, b: Rope) -> Rope {
        let (m, n) = (self.measure(a), self.measure(b));
        self.add(
            Node::Seq(a, b),
            Measure {
                operations: m.operations.saturating_add(n.operations),
                weight: m.weight.saturating_add(n.weight),
                nesting: m.nesting.max(n.nesting),
                first: m.first,
            },
        )
    }

    /// `a` or `b`.
    pub fn choice(&mut self, a: Rope, b: Rope) -> Rope {
        let (m, n) = (self.measure(a), self.measure(b));
        self.add(
            Node::Choice(a, b),
            Measure {
                operations: m.operations.saturating_add(n.operations),
                weight: m.weight.saturating_add(n.weight),
                nesting: self.as_branch(a).max(self.as_branch(b)),
                first: m.first.min(n.first),
            },
        )
    }

    /// The nesting of a choice with branch `r`; a choice among branches joins the outer one.
    pub fn as_branch(&self, r: Rope) -> u32 {
        let nesting = self.measure(r).nesting;
        match self.nodes[r as usize] {
            Node::Choice(..) => nesting,
            _ => nesting + 1,
        }
    }

    /// Whether this is an edge as it was.
    pub fn is_edge(&self, r: Rope) -> bool {
        matches!(self.nodes[r as usize], Node::Edge(_))
    }

    /// The parts of `r` below a spine of nodes of the same sort, in order.
    fn spine(&self, r: Rope, parts: fn(Node) -> Option<(Rope, Rope)>) -> Vec<Rope> {
        let (mut spine, mut stack) = (Vec::new(), vec![r]);
        while let Some(r) = stack.pop() {
            match parts(self.nodes[r as usize]) {
                Some((a, b)) => stack.extend([b, a]),
                None => spine.push(r),
            }
        }
        spine
    }
}

fn nesting(cmds: &CmdPool, cmd: Cmd) -> u32 {
    let (mut deepest, mut stack) = (0, vec![(cmd, 0)]);
    while let Some((c, depth)) = stack.pop() {
        match cmds.view(c) {
            CmdView::Seq(cs) => stack.extend(cs.iter().map(|&c| (c, depth))),
            CmdView::Choice(cs) => stack.extend(cs.iter().map(|&c| (c, depth + 1))),
            _ => deepest = deepest.max(depth),
        }
    }
    deepest
}

/// Turns ropes into commands and walks of the same shape. What ropes share, commands share too;
/// walks have no sharing. Recursion is as deep as choices nest.
pub(super) struct Builder<'a> {
    ropes: &'a Ropes,
    choices: FxHashMap<Rope, Cmd>,
}

/// A rope without its binary spines.
enum Flat {
    Edge(Edge),
    Seq(Vec<Rope>),
    Choice(Vec<Rope>),
}

impl<'a> Builder<'a> {
    pub fn new(ropes: &'a Ropes) -> Builder<'a> {
        Builder {
            ropes,
            choices: FxHashMap::default(),
        }
    }

    fn flat(&self, r: Rope) -> Flat {
        match self.ropes.nodes[r as usize] {
            Node::Edge(e) => Flat::Edge(e),
            Node::Seq(..) => Flat::Seq(self.ropes.spine(r, |n| match n {
                Node::Seq(a, b) => Some((a, b)),
                _ => None,
            })),
            Node::Choice(..) => Flat::Choice(self.ropes.spine(r, |n| match n {
                Node::Choice(a, b) => Some((a, b)),
                _ => None,
            })),
        }
    }

    /// The command of `r`, over the edges of `program`.
    pub fn cmd(&mut self, program: &mut Program, r: Rope) -> Cmd {
        if let Some(&cmd) = self.choices.get(&r) {
            return cmd;
        }
        match self.flat(r) {
            Flat::Edge(e) => program.edge_cmd(e).expect("a flat program has no calls"),
            Flat::Seq(parts) => {
                let cmds: Vec<Cmd> = parts.into_iter().map(|r| self.cmd(program, r)).collect();
                program.cmds.seq(&cmds)
            }
            Flat::Choice(parts) => {
                let cmds: Vec<Cmd> = parts.into_iter().map(|r| self.cmd(program, r)).collect();
                let cmd = program.cmds.choice(&cmds);
                self.choices.insert(r, cmd);
                cmd
            }
        }
    }

    /// The walk of `r`: as its command, so that the choices of a step fit both.
    pub fn walk(&self, r: Rope) -> Walk {
        let all = |parts: Vec<Rope>| parts.into_iter().map(|r| self.walk(r)).collect();
        match self.flat(r) {
            Flat::Edge(e) => Walk::Edge(e),
            Flat::Seq(parts) => Walk::Seq(all(parts)),
            Flat::Choice(parts) => Walk::Choice(all(parts)),
        }
    }
}
