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
//! What is assumed: an address is made from an object's address (an integer that is made from nothing
//! and a value of a function without body point to objects that the program does not name).

use super::escape::{Walk, root};
use super::libc_effects::{self, Effect};
use crate::ast::BinOp;
use crate::hir::{self, ExprKind as H, Hir, StmtKind as S};
use crate::types::{Ty, TyKind};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// A class of objects, by the number of any of its nodes.
pub type Node = u32;

/// By which type the objects of a class are accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Root {
    /// Not at all.
    #[default]
    None,
    /// As scalars of this size in bytes, all pointers or none.
    Scalar {
        /// Size in bytes.
        size: u64,
        /// Whether pointers.
        pointer: bool,
    },
    /// As members of this struct.
    Record(Ty),
    /// By several.
    Mixed,
}

/// What is known of a class.
#[derive(Clone, Debug, Default)]
pub struct ClassFacts {
    /// The type of all accesses.
    pub root: Root,
    /// Width in bytes of all scalar accesses; 1 where they differ.
    pub cell: u64,
    /// Greatest common divisor of all distances between accessed addresses; 0 when there are none.
    pub step: u64,
    /// The same for distances between whole elements: steps to members aside.
    pub stride: u64,
    /// Whether pointers to members are made.
    pub inner: bool,
    /// Whether there is pointer arithmetic or indexing.
    pub arithmetic: bool,
    /// Whether pointers were made from integers: any alignment is possible.
    pub dirty: bool,
    /// Whether objects that the program does not name belong to it.
    pub foreign: bool,
    /// Number of objects.
    pub objects: u32,
    /// The last object, when it is a variable.
    pub var: Option<hir::Var>,
    /// Whether some object is dynamic: on the heap, or a local with fresh addresses.
    pub dynamic: bool,
    /// Whether accessed with pointer types, and with others.
    kinds: [bool; 2],
}

/// The classes of a program.
pub struct Classes {
    parent: Vec<Node>,
    contents: Vec<[Option<Node>; 2]>,
    facts: Vec<ClassFacts>,
    vars: SecondaryMap<hir::Var, Node>,
    results: SecondaryMap<hir::Func, Node>,
    strings: FxHashMap<hir::Str, Node>,
    exprs: SecondaryMap<hir::Expr, Node>,
}

/// No class: constants.
const NONE: Node = 0;

impl Classes {
    /// Analyses a program. `dynamic` tells which variables have fresh addresses.
    pub fn new(
        hir: &Hir,
        in_memory: &SecondaryMap<hir::Var, bool>,
        dynamic: impl Fn(hir::Var) -> bool,
    ) -> Classes {
        let mut c = Classes {
            parent: vec![0],
            contents: vec![[None; 2]],
            facts: vec![ClassFacts::default()],
            vars: SecondaryMap::new(),
            results: SecondaryMap::new(),
            strings: FxHashMap::default(),
            exprs: SecondaryMap::new(),
        };
        for (var, data) in hir.vars.iter() {
            let node = c.fresh();
            c.vars[var] = node;
            if !in_memory[var] {
                continue;
            }
            let facts = &mut c.facts[node as usize];
            facts.objects = 1;
            facts.var = Some(var);
            facts.dynamic = dynamic(var);
            // An object is zeroed, forgotten and copied as a whole.
            facts.step = hir.types.size_of(data.ty.ty).unwrap_or(0);
            facts.stride = facts.step;
        }
        for f in hir.funcs.keys() {
            let node = c.fresh();
            c.results[f] = node;
        }
        c.constraints(hir);
        c.overlaps();
        c
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

    /// What is known of a class.
    pub fn facts(&self, class: Node) -> &ClassFacts {
        &self.facts[self.find(class) as usize]
    }

    // Constraints.

    fn constraints(&mut self, hir: &Hir) {
        // Children precede parents in the arena.
        for e in hir.exprs.keys() {
            let node = self.expr(hir, e);
            self.exprs[e] = node;
        }
        for (var, data) in hir.vars.iter() {
            if let Some(init) = &data.init {
                self.init(hir, var, init);
            }
        }
        for data in hir.stmts.values() {
            if let S::Decl {
                var,
                init: Some(init),
            } = &data.kind
            {
                self.init(hir, *var, init);
            }
        }
        for (f, data) in hir.funcs.iter() {
            let Some(body) = data.body else { continue };
            let ret = hir
                .types
                .function_of(data.ty)
                .map_or(hir.types.void, |f| f.ret.ty);
            for e in Walk::new(hir, body).returned() {
                self.flow(hir, self.results[f], ret, e);
            }
        }
    }

    fn init(&mut self, hir: &Hir, var: hir::Var, init: &hir::Init) {
        let class = self.vars[var];
        let ty = hir.vars[var].ty.ty;
        for item in &init.items {
            self.flow(hir, class, item.ty.ty, item.value);
            self.access(
                hir,
                class,
                item.ty.ty,
                Some(strip(hir, ty)),
                bit_field(hir, ty, &item.path),
            );
            let mut at = ty;
            for step in &item.path {
                at = self.step_into(hir, class, at, *step);
            }
        }
    }

    fn step_into(&mut self, hir: &Hir, class: Node, ty: Ty, step: hir::Step) -> Ty {
        match (hir.types.kind(ty), step) {
            (TyKind::Array(elem, _), hir::Step::Index(_)) => {
                self.note_step(class, unit(hir, elem.ty));
                elem.ty
            }
            (TyKind::Record(r), hir::Step::Field(i)) => {
                let field = &hir.types.records[*r].fields[i as usize];
                self.note_step(class, field.bit_offset / 8);
                field.ty.ty
            }
            _ => hir.types.error,
        }
    }

    /// A value of type `ty` is stored in objects of `class`.
    fn flow(&mut self, hir: &Hir, class: Node, ty: Ty, value: hir::Expr) {
        let value = self.exprs[value];
        self.flow_node(hir, class, ty, value);
    }

    fn flow_node(&mut self, hir: &Hir, class: Node, ty: Ty, value: Node) {
        if value == NONE || class == NONE {
            return;
        }
        if is_aggregate(hir, ty) {
            self.copy(class, value);
        } else {
            let content = self.content(class, kind_of(hir, ty));
            self.unify(content, value);
        }
    }

    /// The contents of two classes are exchanged.
    fn copy(&mut self, a: Node, b: Node) {
        for kind in 0..2 {
            let (x, y) = (self.content(a, kind), self.content(b, kind));
            self.unify(x, y);
        }
    }

    fn note_step(&mut self, class: Node, step: u64) {
        let facts = self.facts_mut(class);
        facts.step = gcd(facts.step, step);
    }

    fn note_stride(&mut self, class: Node, step: u64) {
        self.note_step(class, step);
        let facts = self.facts_mut(class);
        facts.stride = gcd(facts.stride, step);
    }

    fn note_arithmetic(&mut self, class: Node, step: u64) {
        self.note_stride(class, step);
        self.facts_mut(class).arithmetic = true;
    }

    fn access_place(&mut self, hir: &Hir, place: hir::Expr) {
        let class = self.exprs[place];
        if class == NONE || !hir.is_lvalue(place) {
            return;
        }
        let base = base_type(hir, place).map(|t| strip(hir, t));
        self.access(
            hir,
            class,
            hir.ty(place),
            base,
            hir.bit_width(place).is_some(),
        );
    }

    /// Objects of a class are read or written as `ty`, a part of `base`.
    fn access(&mut self, hir: &Hir, class: Node, ty: Ty, base: Option<Ty>, bits: bool) {
        let mut widths = Vec::new();
        let mut kinds = [false; 2];
        let plain = leaves(hir, ty, &mut widths, &mut kinds) && !bits;
        let root = match base {
            Some(base) => root_of(hir, base),
            None => Root::Mixed,
        };
        let facts = self.facts_mut(class);
        for width in widths {
            facts.cell = join_cells(facts.cell, width);
        }
        if !plain {
            facts.cell = 1;
        }
        facts.kinds[0] |= kinds[0];
        facts.kinds[1] |= kinds[1];
        facts.root = join_roots(facts.root, root);
    }

    fn expr(&mut self, hir: &Hir, e: hir::Expr) -> Node {
        let data = &hir.exprs[e];
        let ty = data.ty.ty;
        match &data.kind {
            H::Var(v) => self.vars[*v],
            H::CompoundLit { var, init } => {
                self.init(hir, *var, init);
                self.vars[*var]
            }
            H::Str(s) => self.string(hir, *s),
            H::Deref(p) => self.exprs[*p],
            H::Field { base, field } => {
                let class = self.exprs[*base];
                if let Some(r) = hir.types.record_of(hir.ty(*base)) {
                    let offset = hir.types.records[r].fields[*field as usize].bit_offset / 8;
                    self.note_step(class, offset);
                }
                if hir.is_lvalue(*base) || is_aggregate(hir, ty) {
                    class
                } else {
                    self.content(class, kind_of(hir, ty))
                }
            }
            H::Index { base, .. } => {
                let class = self.exprs[*base];
                // Inside a struct an index does not lead to another object of the class.
                if root_is_direct_array(hir, *base) {
                    self.note_arithmetic(class, unit(hir, ty));
                } else {
                    self.note_step(class, unit(hir, ty));
                }
                class
            }
            H::Load(place) => {
                self.access_place(hir, *place);
                let class = self.exprs[*place];
                if is_aggregate(hir, ty) {
                    class
                } else {
                    self.content(class, kind_of(hir, ty))
                }
            }
            H::Decay(place) | H::AddrOf(place) => {
                let class = self.exprs[*place];
                if is_inner(hir, *place) {
                    self.facts_mut(class).inner = true;
                }
                class
            }
            H::Cast(a) => {
                let class = self.exprs[*a];
                let made = hir.types.is_pointer(ty) && !hir.types.is_pointer(hir.ty(*a));
                if made && class != NONE {
                    self.facts_mut(class).dirty = true;
                }
                class
            }
            H::Unary(hir::UnOp::Not, _) => NONE,
            H::Unary(_, a) => self.exprs[*a],
            H::Binary(op, a, b) => {
                if super::value::is_comparison(*op) {
                    return NONE;
                }
                // The amount of a shift says nothing about addresses.
                match op {
                    BinOp::Shl | BinOp::Shr => self.exprs[*a],
                    _ => self.either(*a, *b),
                }
            }
            H::And(..) | H::Or(..) | H::SizeofVla(_) => NONE,
            H::PtrAdd { ptr, .. } => {
                let class = self.exprs[*ptr];
                self.note_arithmetic(class, pointee_unit(hir, hir.ty(*ptr)));
                class
            }
            H::PtrDiff(..) => NONE,
            H::Cond(_, a, b) | H::CondOmitted(a, b) => self.either(*a, *b),
            H::Assign(lhs, rhs) => {
                self.access_place(hir, *lhs);
                self.flow(hir, self.exprs[*lhs], hir.ty(*lhs), *rhs);
                self.value_of_place(hir, *lhs)
            }
            H::AssignOp { lhs, rhs, op, .. } => {
                self.access_place(hir, *lhs);
                if !matches!(op, BinOp::Shl | BinOp::Shr) {
                    self.flow(hir, self.exprs[*lhs], hir.ty(*lhs), *rhs);
                }
                self.value_of_place(hir, *lhs)
            }
            H::AssignPtr { lhs, .. } | H::IncDec { lhs, .. } => {
                self.access_place(hir, *lhs);
                let value = self.value_of_place(hir, *lhs);
                if hir.types.is_pointer(hir.ty(*lhs)) {
                    self.note_arithmetic(value, pointee_unit(hir, hir.ty(*lhs)));
                }
                value
            }
            H::Comma(_, b) => self.exprs[*b],
            H::Call { callee, args } => self.call(hir, *callee, args, ty),
            H::StmtExpr { value, .. } => value.map_or(NONE, |v| self.exprs[v]),
            H::FuncRef(_)
            | H::FuncAddr(_)
            | H::LabelAddr(_)
            | H::Int(_)
            | H::Float(_)
            | H::VaArg(_)
            | H::Unsupported(_) => NONE,
        }
    }

    fn value_of_place(&mut self, hir: &Hir, place: hir::Expr) -> Node {
        let class = self.exprs[place];
        let ty = hir.ty(place);
        if is_aggregate(hir, ty) {
            class
        } else {
            self.content(class, kind_of(hir, ty))
        }
    }

    fn either(&mut self, a: hir::Expr, b: hir::Expr) -> Node {
        let (x, y) = (self.exprs[a], self.exprs[b]);
        self.unify(x, y);
        if x == NONE { y } else { x }
    }

    fn string(&mut self, hir: &Hir, s: hir::Str) -> Node {
        if let Some(node) = self.strings.get(&s) {
            return *node;
        }
        let node = self.fresh();
        self.strings.insert(s, node);
        let elem = hir.strings[s].elem;
        self.access(hir, node, elem, Some(elem), false);
        let facts = self.facts_mut(node);
        facts.objects = 1;
        node
    }

    // Calls.

    fn call(&mut self, hir: &Hir, callee: hir::Expr, args: &[hir::Expr], ret: Ty) -> Node {
        if let H::FuncAddr(f) = hir.exprs[callee].kind {
            return self.call_of(hir, f, args, ret);
        }
        let ty = hir
            .types
            .pointee(hir.ty(callee))
            .map_or(hir.types.error, |q| q.ty);
        let mut result = NONE;
        for (f, data) in hir.funcs.iter() {
            if data.address_taken && hir.types.compatible(data.ty, ty) {
                let value = self.call_of(hir, f, args, ret);
                self.unify(result, value);
                if result == NONE {
                    result = value;
                }
            }
        }
        result
    }

    fn call_of(&mut self, hir: &Hir, f: hir::Func, args: &[hir::Expr], ret: Ty) -> Node {
        let data = &hir.funcs[f];
        if data.body.is_none() {
            return self.library_call(hir, &data.name, args, ret);
        }
        for (param, arg) in data.params.iter().zip(args) {
            let ty = hir.vars[*param].ty.ty;
            self.flow(hir, self.vars[*param], ty, *arg);
            self.access(hir, self.vars[*param], ty, Some(ty), false);
        }
        // The caller may see another type than the definition has.
        let own = hir.types.function_of(data.ty).map_or(ret, |f| f.ret.ty);
        let node = self.results[f];
        if is_aggregate(hir, own) {
            node
        } else {
            self.content(node, kind_of(hir, own))
        }
    }

    fn library_call(&mut self, hir: &Hir, name: &str, args: &[hir::Expr], ret: Ty) -> Node {
        let arg = |this: &Self, i: usize| args.get(i).map_or(NONE, |a| this.exprs[*a]);
        match libc_effects::of(name) {
            Effect::None => {
                if ret == hir.types.void {
                    return NONE;
                }
                let node = self.fresh();
                self.facts_mut(node).foreign = true;
                node
            }
            Effect::Allocates { size } => {
                let node = self.heap();
                let bytes = size
                    .iter()
                    .filter_map(|i| args.get(*i))
                    .map(|a| factor(hir, *a))
                    .product();
                // Only calloc sets what it allocates.
                if size.len() > 1 {
                    self.note_stride(node, bytes);
                }
                node
            }
            Effect::Reallocates => {
                let old = arg(self, 0);
                let node = self.heap();
                self.unify(node, old);
                self.find_mut(node)
            }
            Effect::Duplicates => {
                let node = self.heap();
                self.bytes(hir, node);
                self.bytes(hir, arg(self, 0));
                let from = arg(self, 0);
                self.copy(node, from);
                node
            }
            Effect::Copies => {
                let (to, from) = (arg(self, 0), arg(self, 1));
                self.unify(to, from);
                let n = args.get(2).map_or(1, |a| factor(hir, *a));
                self.note_stride(to, n);
                to
            }
            Effect::Fills { size } => {
                let to = arg(self, 0);
                let n = args.get(size).map_or(1, |a| factor(hir, *a));
                self.note_stride(to, n);
                to
            }
            Effect::CopiesBytes => {
                let (to, from) = (arg(self, 0), arg(self, 1));
                self.bytes(hir, to);
                self.bytes(hir, from);
                self.copy(to, from);
                to
            }
            Effect::ReadsBytes => {
                for a in args {
                    if hir.types.is_pointer(hir.ty(*a)) {
                        self.bytes(hir, self.exprs[*a]);
                    }
                }
                arg(self, 0)
            }
            Effect::Passes => arg(self, 0),
            Effect::Stores => {
                let to = arg(self, 2);
                let ty = args
                    .get(2)
                    .and_then(|a| hir.types.pointee(hir.ty(*a)))
                    .map_or(hir.types.error, |q| q.ty);
                self.access(hir, to, ty, Some(ty), false);
                for i in 0..2 {
                    let value = arg(self, i);
                    self.flow_node(hir, to, ty, value);
                }
                NONE
            }
        }
    }

    fn heap(&mut self) -> Node {
        let node = self.fresh();
        let facts = self.facts_mut(node);
        facts.objects = 1;
        facts.dynamic = true;
        node
    }

    fn bytes(&mut self, hir: &Hir, class: Node) {
        if class != NONE {
            let char = hir.types.char;
            self.access(hir, class, char, Some(char), false);
        }
    }

    // Overlapping accesses.

    /// Where a pointer and a number may lie at one address, each may carry the other: their contents
    /// are one, and what they point to has any alignment.
    fn overlaps(&mut self) {
        loop {
            let mut changed = false;
            for class in 1..self.parent.len() as Node {
                if self.find(class) != class {
                    continue;
                }
                let facts = &self.facts[class as usize];
                let apart = !matches!(facts.root, Root::Mixed) && !facts.dirty;
                if apart || !(facts.kinds[0] && facts.kinds[1]) {
                    continue;
                }
                let (p, i) = (self.content(class, 0), self.content(class, 1));
                if p != i || !self.facts(p).dirty {
                    changed = true;
                    self.unify(p, i);
                    self.facts_mut(p).dirty = true;
                }
            }
            if !changed {
                return;
            }
        }
    }
}

fn join(a: &mut ClassFacts, b: &ClassFacts) {
    a.root = join_roots(a.root, b.root);
    a.cell = join_cells(a.cell, b.cell);
    a.step = gcd(a.step, b.step);
    a.stride = gcd(a.stride, b.stride);
    a.inner |= b.inner;
    a.arithmetic |= b.arithmetic;
    a.dirty |= b.dirty;
    a.foreign |= b.foreign;
    a.objects += b.objects;
    a.var = a.var.or(b.var);
    a.dynamic |= b.dynamic;
    a.kinds[0] |= b.kinds[0];
    a.kinds[1] |= b.kinds[1];
}

fn join_roots(a: Root, b: Root) -> Root {
    match (a, b) {
        (Root::None, x) | (x, Root::None) => x,
        (a, b) if a == b => a,
        _ => Root::Mixed,
    }
}

fn join_cells(a: u64, b: u64) -> u64 {
    match (a, b) {
        (0, x) | (x, 0) => x,
        (a, b) if a == b => a,
        _ => 1,
    }
}

pub(super) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// 0 for pointers, 1 for all else.
fn kind_of(hir: &Hir, ty: Ty) -> usize {
    usize::from(!hir.types.is_pointer(ty))
}

fn is_aggregate(hir: &Hir, ty: Ty) -> bool {
    hir.types.is_record(ty) || hir.types.is_array(ty)
}

/// The type of the elements of an array of any dimension.
pub(super) fn strip(hir: &Hir, mut ty: Ty) -> Ty {
    while let TyKind::Array(elem, _) = hir.types.kind(ty) {
        ty = elem.ty;
    }
    ty
}

/// A number that divides the size of a type, also of variable-length arrays.
fn unit(hir: &Hir, ty: Ty) -> u64 {
    match hir.types.size_of(ty) {
        Some(size) => size,
        None => hir.types.size_of(strip(hir, ty)).unwrap_or(1),
    }
}

fn pointee_unit(hir: &Hir, ptr: Ty) -> u64 {
    match hir.types.pointee(ptr) {
        Some(to) if !matches!(hir.types.kind(to.ty), TyKind::Void | TyKind::Function(_)) => {
            unit(hir, to.ty)
        }
        _ => 1,
    }
}

/// The type of the variable or dereference that a place is a part of.
fn base_type(hir: &Hir, place: hir::Expr) -> Option<Ty> {
    match &hir.exprs[place].kind {
        H::Var(_) | H::CompoundLit { .. } | H::Deref(_) | H::Str(_) => Some(hir.ty(place)),
        H::Field { base, .. } | H::Index { base, .. } => base_type(hir, *base),
        _ => None,
    }
}

/// Whether an array lvalue is an object of its class itself, not a member of one.
fn root_is_direct_array(hir: &Hir, place: hir::Expr) -> bool {
    match &hir.exprs[place].kind {
        H::Field { .. } => false,
        H::Index { base, .. } => root_is_direct_array(hir, *base),
        _ => root(hir, place).is_some() || matches!(hir.exprs[place].kind, H::Deref(_) | H::Str(_)),
    }
}

/// Whether a place is a part of a struct.
fn is_inner(hir: &Hir, place: hir::Expr) -> bool {
    match &hir.exprs[place].kind {
        H::Field { .. } => true,
        H::Index { base, .. } => is_inner(hir, *base),
        _ => false,
    }
}

fn bit_field(hir: &Hir, mut ty: Ty, path: &[hir::Step]) -> bool {
    let mut last = false;
    for step in path {
        last = false;
        match (hir.types.kind(ty), step) {
            (TyKind::Array(elem, _), hir::Step::Index(_)) => ty = elem.ty,
            (TyKind::Record(r), hir::Step::Field(i)) => {
                let field = &hir.types.records[*r].fields[*i as usize];
                last = field.width.is_some();
                ty = field.ty.ty;
            }
            _ => return false,
        }
    }
    last
}

/// A number that divides the value of an expression.
fn factor(hir: &Hir, e: hir::Expr) -> u64 {
    let power_of_two = |n: u64| if n == 0 { 0 } else { 1 << n.trailing_zeros() };
    match &hir.exprs[e].kind {
        H::Int(v) => u64::try_from(*v).unwrap_or(1),
        // Wrapping keeps only powers of two.
        H::Cast(a) => power_of_two(factor(hir, *a)),
        H::Binary(BinOp::Mul, a, b) => {
            let (a, b) = (factor(hir, *a), factor(hir, *b));
            power_of_two(a.max(1))
                .saturating_mul(power_of_two(b.max(1)))
                .min(1 << 31)
        }
        H::Binary(BinOp::Add | BinOp::Sub, a, b) => {
            power_of_two(gcd(factor(hir, *a), factor(hir, *b)))
        }
        _ => 1,
    }
}

fn root_of(hir: &Hir, base: Ty) -> Root {
    match hir.types.kind(base) {
        TyKind::Record(_) => Root::Record(base),
        _ => Root::Scalar {
            size: hir.types.size_of(base).unwrap_or(0),
            pointer: hir.types.is_pointer(base),
        },
    }
}

/// Widths and kinds of the scalars of a type; false when some are not whole bytes of their own.
fn leaves(hir: &Hir, ty: Ty, widths: &mut Vec<u64>, kinds: &mut [bool; 2]) -> bool {
    match hir.types.kind(ty) {
        TyKind::Array(elem, _) => leaves(hir, elem.ty, widths, kinds),
        TyKind::Record(r) => {
            let record = &hir.types.records[*r];
            let mut plain = true;
            for field in &record.fields {
                plain &= field.width.is_none() && leaves(hir, field.ty.ty, widths, kinds);
            }
            plain
        }
        _ => {
            kinds[kind_of(hir, ty)] = true;
            widths.push(hir.types.size_of(ty).unwrap_or(1));
            true
        }
    }
}
