//! Which objects an address may point to: unification-based points-to analysis.
//!
//! After Steensgaard ("Points-to Analysis in Almost Linear Time", POPL'96), on terms instead of C.
//! A *node* stands for the values of a variable, of a term, or of the contents of memory objects.
//! A node *points to* at most one other node, the class of objects whose addresses its values may
//! be; two classes that one node may point to are unified. `x := t` lets what `t` points to flow
//! into `x`, and only once `t` points somewhere (Steensgaard's conditional join): an index that is
//! added to two pointers does not tie their objects together.
//!
//! Addresses flow through every operation but comparisons, products, quotients, negation and the
//! second operand of a subtraction: what comes out of those is a distance. The index of an array
//! read and the condition of an `ite` do not flow.
//!
//! Every term is visited once, and every unification makes one class fewer: almost linear.

use ena::unify::{InPlaceUnificationTable, UnifyKey};
use rustc_hash::{FxHashMap, FxHashSet};
use trellis_ivl::{CmdView, Op, Program, Term, TermPool, Type, Var};

/// A node of the analysis.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Node(u32);

impl UnifyKey for Node {
    type Value = ();

    fn index(&self) -> u32 {
        self.0
    }

    fn from_index(i: u32) -> Node {
        Node(i)
    }

    fn tag() -> &'static str {
        "Node"
    }
}

/// What a term is to the analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flow {
    /// No address comes out of it.
    Nothing,
    /// Addresses as of this node.
    Node(Node),
    /// A state of this memory.
    Memory(Var),
    /// An array that holds one value without addresses everywhere: a start for any memory.
    Blank,
}

/// The result of the analysis.
pub(super) struct Classes {
    table: InPlaceUnificationTable<Node>,
    /// What a node points to, by representative.
    points: Vec<Option<Node>>,
    /// The nodes that what a node will point to flows into, by representative; empty once it
    /// points somewhere.
    waiting: Vec<Vec<Node>>,
    todo: Vec<Todo>,
    memories: FxHashSet<Var>,
    vars: FxHashMap<Var, Node>,
    flows: FxHashMap<Term, Flow>,
    /// Every term of the program, arguments before users.
    pub terms: Vec<Term>,
    /// The class of every address at which a memory is accessed.
    addresses: FxHashMap<Term, Node>,
    /// The class of addresses that no base has flowed into.
    wild: Node,
    /// Whether a memory is used otherwise than by reads and writes.
    opaque: bool,
}

enum Todo {
    Give(Node, Node),
    Unite(Node, Node),
}

impl Classes {
    /// Analyses a flat program; `None` when a memory is used as a whole, so that its objects
    /// cannot be told apart.
    pub fn new(program: &Program) -> Option<Classes> {
        let mut c = Classes {
            table: InPlaceUnificationTable::new(),
            points: Vec::new(),
            waiting: Vec::new(),
            todo: Vec::new(),
            memories: program.regions.values().map(|r| r.memory).collect(),
            vars: FxHashMap::default(),
            flows: FxHashMap::default(),
            terms: Vec::new(),
            addresses: FxHashMap::default(),
            wild: Node(0),
            opaque: false,
        };
        c.wild = c.fresh();
        for region in program.regions.values() {
            let (base, object) = (c.var(region.base), c.fresh());
            c.give(base, object);
        }
        for e in program.edges.keys() {
            let cmd = program.edge_cmd(e).expect("a flat program has no calls");
            program
                .cmds
                .for_each_leaf(cmd, |leaf| c.leaf(&program.pool, leaf));
        }
        (!c.opaque).then_some(c)
    }

    /// The class of the objects that an access at `address` may mean.
    pub fn class(&mut self, address: Term) -> Node {
        let node = self.addresses[&address];
        self.table.find(node)
    }

    /// The class of the objects whose first address is in `base`.
    pub fn of_base(&mut self, base: Var) -> Node {
        let base = self.var(base);
        self.object(base)
    }

    /// The memory that `t` is a state of.
    pub fn memory(&self, t: Term) -> Option<Var> {
        match self.flows.get(&t) {
            Some(&Flow::Memory(m)) => Some(m),
            _ => None,
        }
    }

    fn leaf(&mut self, pool: &TermPool, leaf: CmdView) {
        match leaf {
            CmdView::Assume(t) => {
                self.term(pool, t);
            }
            CmdView::Assign(items) => {
                for &(v, t) in items {
                    let flow = self.term(pool, t);
                    self.assign(v, flow);
                }
            }
            CmdView::Havoc(items) => {
                self.opaque |= items.iter().any(|(v, _)| self.memories.contains(v));
            }
            _ => {}
        }
    }

    fn assign(&mut self, v: Var, flow: Flow) {
        match (self.memories.contains(&v), flow) {
            (true, Flow::Memory(m)) if m == v => {}
            (true, Flow::Blank) | (false, Flow::Nothing | Flow::Blank) => {}
            (false, Flow::Node(n)) => {
                let v = self.var(v);
                self.flow(n, v);
            }
            _ => self.opaque = true,
        }
    }

    fn fresh(&mut self) -> Node {
        self.points.push(None);
        self.waiting.push(Vec::new());
        self.table.new_key(())
    }

    fn var(&mut self, v: Var) -> Node {
        if let Some(&n) = self.vars.get(&v) {
            return n;
        }
        let n = self.fresh();
        self.vars.insert(v, n);
        n
    }

    /// What `n` points to, made where there is nothing yet.
    fn object(&mut self, n: Node) -> Node {
        let root = self.table.find(n);
        let object = match self.points[root.0 as usize] {
            Some(object) => object,
            None => {
                let object = self.fresh();
                self.give(n, object);
                object
            }
        };
        self.table.find(object)
    }

    /// What `from` points to, now or later, `into` points to as well.
    fn flow(&mut self, from: Node, into: Node) {
        let from = self.table.find(from);
        match self.points[from.0 as usize] {
            Some(object) => self.give(into, object),
            None => self.waiting[from.0 as usize].push(into),
        }
    }

    fn give(&mut self, n: Node, object: Node) {
        self.todo.push(Todo::Give(n, object));
        while let Some(todo) = self.todo.pop() {
            match todo {
                Todo::Give(n, object) => {
                    let n = self.table.find(n).0 as usize;
                    match self.points[n] {
                        Some(other) => self.todo.push(Todo::Unite(other, object)),
                        None => self.set(n, object),
                    }
                }
                Todo::Unite(a, b) => self.unite(a, b),
            }
        }
    }

    fn set(&mut self, root: usize, object: Node) {
        self.points[root] = Some(object);
        let waiting = std::mem::take(&mut self.waiting[root]);
        self.todo
            .extend(waiting.into_iter().map(|w| Todo::Give(w, object)));
    }

    fn unite(&mut self, a: Node, b: Node) {
        let (a, b) = (self.table.find(a), self.table.find(b));
        if a == b {
            return;
        }
        self.table.union(a, b);
        let root = self.table.find(a);
        let other = if root == a { b } else { a };
        let (root, other) = (root.0 as usize, other.0 as usize);
        match (self.points[root], self.points[other].take()) {
            (Some(p), Some(q)) => self.todo.push(Todo::Unite(p, q)),
            (None, Some(q)) => self.set(root, q),
            _ => {}
        }
        let mut waiting = std::mem::take(&mut self.waiting[other]);
        match self.points[root] {
            Some(p) => self
                .todo
                .extend(waiting.into_iter().map(|w| Todo::Give(w, p))),
            None => {
                // The smaller list moves.
                if waiting.len() > self.waiting[root].len() {
                    std::mem::swap(&mut waiting, &mut self.waiting[root]);
                }
                self.waiting[root].append(&mut waiting);
            }
        }
    }

    fn term(&mut self, pool: &TermPool, t: Term) -> Flow {
        let mut stack = vec![t];
        while let Some(&u) = stack.last() {
            if self.flows.contains_key(&u) {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            stack.extend(pool.args(u).filter(|a| !self.flows.contains_key(a)));
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            let flow = self.node(pool, u);
            self.flows.insert(u, flow);
            self.terms.push(u);
        }
        self.flows[&t]
    }

    /// The flow of a term whose arguments are done.
    fn node(&mut self, pool: &TermPool, u: Term) -> Flow {
        use Op::*;
        let flows: Vec<Flow> = pool.args(u).map(|a| self.flows[&a]).collect();
        match pool.op(u) {
            Var => {
                let v = pool.as_var(u).expect("a variable node");
                match (self.memories.contains(&v), pool.ty(u)) {
                    (true, _) => Flow::Memory(v),
                    (false, Type::Bool) => Flow::Nothing,
                    (false, _) => Flow::Node(self.var(v)),
                }
            }
            Select => match flows[0] {
                Flow::Memory(_) => Flow::Node(self.access(pool.arg(u, 1))),
                Flow::Node(n) => Flow::Node(n),
                _ => Flow::Nothing,
            },
            Store => match flows[0] {
                Flow::Memory(m) => {
                    let object = self.access(pool.arg(u, 1));
                    if let Flow::Node(n) = flows[2] {
                        self.flow(n, object);
                    }
                    Flow::Memory(m)
                }
                _ => self.mix(&[flows[0], flows[2]]),
            },
            Ite => match (flows[1], flows[2]) {
                (Flow::Memory(a), Flow::Memory(b)) if a == b => flows[1],
                (Flow::Memory(_), Flow::Blank) => flows[1],
                (Flow::Blank, Flow::Memory(_)) => flows[2],
                _ => self.mix(&flows[1..]),
            },
            ConstArray if flows[0] == Flow::Nothing => Flow::Blank,
            BvSub => self.mix(&flows[..1]),
            BvMul | BvNeg | BvUdiv | BvUrem | BvSdiv | BvSrem | BvSmod => Flow::Nothing,
            Eq => {
                self.whole(&flows);
                Flow::Nothing
            }
            _ if pool.ty(u) == Type::Bool => Flow::Nothing,
            _ => self.mix(&flows),
        }
    }

    /// The class accessed at `address`.
    fn access(&mut self, address: Term) -> Node {
        let object = match self.flows[&address] {
            Flow::Node(n) => self.object(n),
            _ => self.wild,
        };
        self.addresses.insert(address, object);
        object
    }

    /// A memory must not be used as a whole here.
    fn whole(&mut self, flows: &[Flow]) {
        self.opaque |= flows.iter().any(|f| matches!(f, Flow::Memory(_)));
    }

    /// Addresses of all of them.
    fn mix(&mut self, flows: &[Flow]) -> Flow {
        self.whole(flows);
        let mut nodes: Vec<Node> = Vec::new();
        for flow in flows {
            if let Flow::Node(n) = flow {
                nodes.push(self.table.find(*n));
            }
        }
        nodes.dedup();
        match nodes[..] {
            [] => Flow::Nothing,
            [n] => Flow::Node(n),
            _ => {
                let mixed = self.fresh();
                for n in nodes {
                    self.flow(n, mixed);
                }
                Flow::Node(mixed)
            }
        }
    }
}
