//! Which objects may be reached through the same pointers, and how they are accessed.
//!
//! Steensgaard's analysis (Points-to Analysis in Almost Linear Time, POPL 1996): every object belongs
//! to a class, every class has a class that its content points to, and an assignment unifies. Integers
//! carry addresses as pointers do, so casts lose nothing. This version differs in two points. A class
//! has two contents, one for what is read and written with pointer types and one for all else, as long
//! as no two accesses of different type can overlap; so numbers in a list do not lead to its nodes.
//! And a class knows by which types and widths it is accessed: that decides how it is represented
//! (see [`super::region`]).
//!
//! What is assumed: an address is made from an object's address. A value from elsewhere (of a function
//! without body, of a variable that no file defines, of an object that nothing has set) points to
//! objects that the program does not name, unless it is compared with an address: then it may be that
//! address, and what is written through it is written there. Pointers from outside of the program may
//! all be the same. An integer that is made from nothing points to nothing.

mod calls;
mod constraints;
mod facts;
mod late;
mod measure;

use super::unset::Unset;
use crate::hir::{self, Hir};
use crate::library::ARGUMENTS;
use cranelift_entity::SecondaryMap;
pub use facts::{ClassFacts, Root};
use facts::{gcd, join};
use rustc_hash::FxHashMap;

/// A class of objects, by the number of any of its nodes.
pub type Node = u32;

/// The classes of a program.
pub struct Classes {
    parent: Vec<Node>,
    contents: Vec<[Option<Node>; 2]>,
    facts: Vec<ClassFacts>,
    vars: SecondaryMap<hir::Var, Node>,
    results: SecondaryMap<hir::Func, Node>,
    /// What pointers from outside of the program lead to.
    world: Node,
    /// The arguments without parameters.
    varargs: Node,
    strings: FxHashMap<hir::Str, Node>,
    exprs: SecondaryMap<hir::Expr, Node>,
    /// Sums of a pointer and an integer that may hold an address.
    sums: Vec<(Node, Node)>,
    /// Values that are compared.
    comparisons: Vec<(Node, Node)>,
    /// Whether a model makes what `main` gets.
    models_arguments: bool,
}

/// No class: constants.
const NONE: Node = 0;

impl Classes {
    /// Analyses a program that begins at `entry`. `dynamic` tells which variables have fresh addresses.
    pub fn new(
        hir: &Hir,
        entry: hir::Func,
        in_memory: &SecondaryMap<hir::Var, bool>,
        unset: &Unset,
        dynamic: impl Fn(hir::Var) -> bool,
    ) -> Classes {
        let mut c = Classes {
            parent: vec![0],
            contents: vec![[None; 2]],
            facts: vec![ClassFacts::default()],
            vars: SecondaryMap::new(),
            results: SecondaryMap::new(),
            world: NONE,
            varargs: NONE,
            strings: FxHashMap::default(),
            exprs: SecondaryMap::new(),
            sums: Vec::new(),
            comparisons: Vec::new(),
            models_arguments: false,
        };
        let world = c.fresh();
        c.world = world;
        c.facts_mut(world).foreign = true;
        c.contents[world as usize] = [Some(world); 2];
        c.varargs = c.fresh();
        let facts = c.facts_mut(c.varargs);
        facts.objects = 1;
        facts.dynamic = true;
        for (var, data) in hir.vars.iter() {
            let node = c.fresh();
            c.vars[var] = node;
            // Of a variable that is defined elsewhere only the type is known.
            let elsewhere = data.storage == hir::Storage::Global && !data.defined;
            if elsewhere {
                c.leads_outside(node);
            }
            if !in_memory[var] {
                continue;
            }
            let facts = &mut c.facts[node as usize];
            facts.objects = 1;
            facts.var = Some(var);
            facts.dynamic = dynamic(var);
            // An object is zeroed, forgotten and copied as a whole.
            let size = hir.types.size_of(data.ty.ty).unwrap_or(0);
            facts.step = gcd(size, size + data.flexible);
            facts.stride = facts.step;
            if elsewhere {
                c.unify(node, world);
            }
        }
        for f in hir.funcs.keys() {
            let node = c.fresh();
            c.results[f] = node;
        }
        for var in &unset.vars {
            let node = c.vars[*var];
            c.holds_anything(node);
        }
        for f in &unset.results {
            let node = c.results[*f];
            c.holds_anything(node);
        }
        c.arguments(hir, entry);
        c.constraints(hir);
        c.command_line(hir, entry);
        c.late_constraints(hir);
        c
    }

    /// What the parameters of the first function lead to is made by the environment: for `main` the
    /// command line, for another one objects of any type, the same perhaps for several parameters.
    fn arguments(&mut self, hir: &Hir, entry: hir::Func) {
        let is_main = hir.funcs[entry].name == "main";
        let world = self.world;
        for param in &hir.funcs[entry].params {
            if !is_main {
                self.copy(self.vars[*param], world);
                continue;
            }
            let mut class = self.vars[*param];
            let mut ty = hir.vars[*param].ty.ty;
            while let Some(to) = hir.types.pointee(ty) {
                class = self.content(class, 0);
                self.facts_mut(class).outside = true;
                ty = to.ty;
            }
        }
    }

    /// The arguments of `main` are made by a model, where the program accesses them.
    fn command_line(&mut self, hir: &Hir, entry: hir::Func) {
        let model = hir
            .function(ARGUMENTS)
            .filter(|f| hir.funcs[*f].body.is_some());
        let params = &hir.funcs[entry].params;
        let (Some(model), [_, list], "main") = (model, &params[..], hir.funcs[entry].name.as_str())
        else {
            return;
        };
        let (list, made) = (self.vars[*list], self.results[model]);
        let all = self.content(list, 0);
        let accessed = |c: &Self, class: Node| c.facts(class).root != Root::None;
        let strings = self.content(all, 0);
        if !accessed(self, all) && !accessed(self, strings) {
            return;
        }
        self.models_arguments = true;
        self.facts_mut(all).outside = false;
        self.facts_mut(strings).outside = false;
        let made = self.content(made, 0);
        self.unify(all, made);
    }

    /// Whether a model makes what `main` gets.
    pub fn models_arguments(&self) -> bool {
        self.models_arguments
    }

    /// Objects of a class were made outside of the program: the pointers in them lead there.
    fn leads_outside(&mut self, class: Node) {
        let pointers = self.content(class, 0);
        self.unify(pointers, self.world);
        self.holds_anything(class);
    }

    /// Objects of a class may hold what nothing in the program has put there.
    fn holds_anything(&mut self, class: Node) {
        for kind in 0..2 {
            let content = self.content(class, kind);
            self.facts_mut(content).foreign = true;
        }
    }

    /// A variable gets another address with each life.
    pub fn has_fresh_addresses(&mut self, var: hir::Var) {
        self.facts_mut(self.vars[var]).dynamic = true;
    }

    /// The object of a variable may be read before anything sets it.
    pub fn holds_unset(&mut self, var: hir::Var) {
        self.facts_mut(self.vars[var]).unset = true;
    }

    fn fresh(&mut self) -> Node {
        let node = self.parent.len() as Node;
        self.parent.push(node);
        self.contents.push([None; 2]);
        self.facts.push(ClassFacts::default());
        node
    }

    /// The node that stands for a class.
    pub fn find(&self, mut node: Node) -> Node {
        while self.parent[node as usize] != node {
            node = self.parent[node as usize];
        }
        node
    }

    fn find_mut(&mut self, node: Node) -> Node {
        let top = self.find(node);
        let mut at = node;
        while self.parent[at as usize] != top {
            at = std::mem::replace(&mut self.parent[at as usize], top);
        }
        top
    }

    fn unify(&mut self, a: Node, b: Node) {
        let mut todo = vec![(a, b)];
        while let Some((a, b)) = todo.pop() {
            let (a, b) = (self.find_mut(a), self.find_mut(b));
            if a == b || a == NONE || b == NONE {
                continue;
            }
            // The older node stays, so that the numbers do not depend on the order of unions.
            let (keep, lose) = (a.min(b), a.max(b));
            self.parent[lose as usize] = keep;
            let gone = std::mem::take(&mut self.facts[lose as usize]);
            join(&mut self.facts[keep as usize], &gone);
            for kind in 0..2 {
                let other = self.contents[lose as usize][kind];
                match (self.contents[keep as usize][kind], other) {
                    (Some(x), Some(y)) => todo.push((x, y)),
                    (None, y) => self.contents[keep as usize][kind] = y,
                    _ => {}
                }
            }
        }
    }

    /// What the content of a class points to.
    fn content(&mut self, class: Node, kind: usize) -> Node {
        let class = self.find_mut(class);
        if class == NONE {
            return NONE;
        }
        match self.contents[class as usize][kind] {
            Some(node) => self.find_mut(node),
            None => {
                let node = self.fresh();
                self.contents[class as usize][kind] = Some(node);
                node
            }
        }
    }

    fn facts_mut(&mut self, class: Node) -> &mut ClassFacts {
        let class = self.find_mut(class);
        &mut self.facts[class as usize]
    }

    // What the lowering asks.

    /// The class of a variable.
    pub fn of_var(&self, var: hir::Var) -> Node {
        self.find(self.vars[var])
    }

    /// The class of a string literal.
    pub fn of_string(&self, s: hir::Str) -> Node {
        self.strings.get(&s).map_or(NONE, |n| self.find(*n))
    }

    /// The class that the value of an expression points to, or that an lvalue lies in; of a call of
    /// an allocating function the class of the new object.
    pub fn of_expr(&self, e: hir::Expr) -> Node {
        self.find(self.exprs[e])
    }

    /// The class of the arguments without parameters.
    pub fn varargs(&self) -> Node {
        self.find(self.varargs)
    }

    /// Whether a class is what pointers from outside of the program lead to.
    pub fn is_elsewhere(&self, class: Node) -> bool {
        class != NONE && self.find(class) == self.find(self.world)
    }

    /// Whether a pointer into one class may lead just behind an object and be compared with one of the other.
    pub fn may_touch(&self, a: Node, b: Node) -> bool {
        let (x, y) = (self.facts(a), self.facts(b));
        let apart = a != NONE && b != NONE && self.find(a) != self.find(b);
        apart && x.objects > 0 && y.objects > 0 && (x.arithmetic || y.arithmetic)
    }

    /// Whether pointers into these classes may lead to different objects.
    pub fn may_differ(&self, a: Node, b: Node) -> bool {
        let facts = self.facts(a);
        let one = facts.objects <= 1 && !facts.dynamic && !facts.foreign;
        a != NONE && b != NONE && (self.find(a) != self.find(b) || !one)
    }

    /// The classes that objects of a class may point to.
    pub fn contents_of(&self, class: Node) -> impl Iterator<Item = Node> {
        let contents = self.contents[self.find(class) as usize];
        let found: Vec<Node> = contents
            .into_iter()
            .flatten()
            .map(|n| self.find(n))
            .collect();
        found.into_iter()
    }

    /// All classes.
    pub fn all(&self) -> impl Iterator<Item = Node> + '_ {
        (1..self.parent.len() as Node).filter(|n| self.find(*n) == *n)
    }

    /// What is known of a class.
    pub fn facts(&self, class: Node) -> &ClassFacts {
        &self.facts[self.find(class) as usize]
    }
}
