//! How a program runs through its arrays: counters, where they start, how far they go, and how an index comes of them.

use crate::linear::Linear;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use trellis_engine_common::Cfa;
use trellis_ivl::{Op, Scope, Term, TermPool, Type, Var};

/// Start values and conditions per counter at most.
const MAX_EACH: usize = 4;
/// Shapes per array at most.
const MAX_SHAPES: usize = 8;

/// A variable that a loop adds a constant to.
pub struct Counter {
    /// The variable.
    pub var: Var,
    /// Whether it grows.
    pub up: bool,
    /// The size of a step.
    pub stride: u64,
    /// The sizes of its steps in all loops.
    pub strides: BTreeSet<u64>,
    /// Values that it is set to, over other variables; then those that others are set to.
    pub starts: Vec<Term>,
    /// How many of them are its own.
    pub own_starts: usize,
    /// What edges that move it ask of it, such as `i < n`.
    pub conditions: Vec<Term>,
    /// Whether it is compared as a signed number.
    pub signed: bool,
}

/// How an index comes of a counter, such as `4 * k + base`, with the ghost in its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The counter.
    pub counter: Var,
    /// The width of the ghost.
    pub width: u32,
    /// The index.
    pub index: Term,
}

/// What is known of the arrays of a program.
pub struct Shapes {
    /// Counters by number.
    pub counters: BTreeMap<Var, Counter>,
    /// How each array is run through.
    pub of: BTreeMap<Var, Vec<Shape>>,
    /// A ghost for each width that is needed.
    pub ghosts: BTreeMap<u32, Var>,
    /// The number of the first object of the heap, where that is not what its counter starts at.
    pub first_object: Option<Term>,
}

/// A write of an array on an edge.
pub struct Write {
    /// The array.
    pub array: Var,
    /// Where.
    pub index: Term,
    /// What is there after the edge, over the state before it.
    pub value: Term,
}

/// `t` is a comparison of words.
pub fn compares(pool: &TermPool, t: Term) -> bool {
    let op = pool.op(t);
    matches!(op, Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle)
        && pool.ty(pool.arg(t, 0)).width().is_some()
}

/// The program's variables of `t`, if it has no other symbols.
pub fn own_vars(pool: &TermPool, t: Term) -> Option<Vec<Var>> {
    let vars = pool.free_vars([t]);
    let own = |&v: &Var| pool.var_data(v).scope != Scope::Auxiliary;
    vars.iter().all(own).then_some(vars)
}

/// Whether `t` reads or writes arrays.
pub fn has_cells(pool: &TermPool, t: Term) -> bool {
    let order = pool.post_order([t]);
    let cells = |&u: &Term| matches!(pool.op(u), Op::Select | Op::Store | Op::ConstArray);
    order.iter().any(cells)
}

impl Shapes {
    /// Looks at every edge of `cfa`.
    pub fn new(cfa: &mut Cfa) -> Shapes {
        let mut shapes = Shapes {
            counters: counters(cfa),
            of: BTreeMap::new(),
            ghosts: BTreeMap::new(),
            first_object: None,
        };
        let mut reads = BTreeSet::new();
        for e in cfa.edges().collect::<Vec<_>>() {
            for w in writes(cfa, e) {
                shapes.note(&mut cfa.program.pool, w.array, w.index);
            }
            let t = cfa.transfer(e);
            let pool = &cfa.program.pool;
            for u in pool.post_order(t.updates.values().copied().chain([t.guard])) {
                if pool.op(u) == Op::Select
                    && let Some(array) = pool.as_var(pool.arg(u, 0))
                {
                    reads.insert((array, pool.arg(u, 1)));
                }
            }
        }
        for (array, index) in reads {
            shapes.note(&mut cfa.program.pool, array, index);
        }
        shapes.note_heap(cfa);
        shapes
    }

    /// The ghost of a width.
    pub fn ghost(&mut self, pool: &mut TermPool, width: u32) -> Term {
        let v = self
            .ghosts
            .entry(width)
            .or_insert_with(|| pool.fresh("k", Type::Bv(width)));
        pool.var(*v)
    }

    /// Objects of the heap have the number of their allocation in the high part of their address: whatever is reached by addresses is run through by
    /// that number, also where the program only follows pointers.
    fn note_heap(&mut self, cfa: &mut Cfa) {
        let mut terms = Vec::new();
        for e in cfa.edges() {
            let t = cfa.transfer(e);
            terms.extend(t.updates.values().copied().chain([t.guard]));
        }
        let pool = &mut cfa.program.pool;
        let all = pool.post_order(terms);
        let address = |&u: &Term| {
            let is_pair = pool.op(u) == Op::Concat;
            let counter = is_pair.then(|| pool.as_var(pool.arg(u, 0))).flatten()?;
            // Below the number are zeros, or bits that depend on it.
            let own = pool.free_vars([u]) == [counter];
            (own && self.counters.contains_key(&counter)).then_some((u, counter))
        };
        let Some((address, counter)) = all.iter().find_map(address) else {
            return;
        };
        let Some(width) = pool.var_ty(counter).width() else {
            return;
        };
        self.note_first_objects(pool, counter, address, &all);
        let ghost = self.ghost(pool, width);
        let map = FxHashMap::from_iter([(counter, ghost)]);
        let address = pool.substitute(address, &map);
        for u in all {
            if !matches!(pool.op(u), Op::Select | Op::Store) {
                continue;
            }
            let index = match pool.ty(pool.arg(u, 1)) {
                ty if ty == pool.ty(address) => address,
                ty if ty == pool.ty(ghost) => ghost,
                _ => continue,
            };
            for array in pool.free_vars([pool.arg(u, 0)]) {
                let ty = pool.ty(pool.arg(u, 0));
                let list = self.of.entry(array).or_default();
                if pool.var_ty(array) == ty && !list.iter().any(|s| s.index == index) {
                    list.insert(
                        0,
                        Shape {
                            counter,
                            width,
                            index,
                        },
                    );
                }
            }
        }
        self.of.retain(|_, list| !list.is_empty());
    }

    /// Objects that are made before any loop have constant addresses, and their counter seems to start after them: they count as well.
    fn note_first_objects(
        &mut self,
        pool: &mut TermPool,
        counter: Var,
        address: Term,
        terms: &[Term],
    ) {
        let Some(own) = self.counters.get_mut(&counter) else {
            return;
        };
        let start = own.starts.first().copied();
        let Some(start) = start.and_then(|s| pool.as_bv(s)?.to_u64()) else {
            return;
        };
        let wide = pool.width(address);
        let width = pool.var_ty(counter).width().unwrap_or(wide);
        let mut numbers = BTreeSet::new();
        for &t in terms {
            let Some(n) = pool.as_bv(t).and_then(|c| c.to_u64()) else {
                continue;
            };
            if pool.width(t) == wide {
                let number = pool.num(width, n >> (wide - width));
                let map = FxHashMap::from_iter([(counter, number)]);
                if pool.substitute(address, &map) == t {
                    numbers.insert(n >> (wide - width));
                }
            }
        }
        let mut first = start;
        while first > 0 && numbers.contains(&(first - 1)) {
            first -= 1;
        }
        if first < start {
            let first = pool.num(width, first);
            own.starts.push(first);
            self.first_object = Some(first);
        }
    }

    /// The value of the ghost at which the cell of `shape` is the one at `index`.
    pub fn solve(&mut self, pool: &mut TermPool, shape: Shape, index: Term) -> Option<Term> {
        let ghost = self.ghost(pool, shape.width);
        if pool.ty(index) != pool.ty(ghost) || pool.ty(shape.index) != pool.ty(ghost) {
            return None;
        }
        let own = Linear::of(pool, shape.index)?;
        let by = own.coefficient(ghost);
        let distance = Linear::of(pool, index)?.minus(&own.without(ghost));
        match by {
            0 => None,
            _ => distance.divided(pool, by),
        }
    }

    fn note(&mut self, pool: &mut TermPool, array: Var, index: Term) {
        let Some(vars) = own_vars(pool, index) else {
            return;
        };
        for v in vars {
            let Some(width) = pool.var_ty(v).width() else {
                return;
            };
            if !self.counters.contains_key(&v) {
                continue;
            }
            let ghost = self.ghost(pool, width);
            let map = FxHashMap::from_iter([(v, ghost)]);
            let index = pool.substitute(index, &map);
            let list = self.of.entry(array).or_default();
            let shape = Shape {
                counter: v,
                width,
                index,
            };
            let same = |s: &Shape| s.index == shape.index;
            if list.len() < MAX_SHAPES && !list.iter().any(same) {
                list.push(shape);
            }
        }
    }
}

/// The writes of an edge, each with what the cell holds afterwards.
pub fn writes(cfa: &mut Cfa, e: trellis_ivl::Edge) -> Vec<Write> {
    let updates: Vec<(Var, Term)> = cfa
        .transfer(e)
        .updates
        .iter()
        .map(|(&v, &t)| (v, t))
        .collect();
    let pool = &mut cfa.program.pool;
    let mut found = Vec::new();
    for (array, new) in updates {
        if !matches!(pool.var_ty(array), Type::Array { .. }) {
            continue;
        }
        let mut indices = BTreeSet::new();
        for u in pool.post_order([new]) {
            if pool.op(u) == Op::Store && indices.insert(pool.arg(u, 1)) {
                let index = pool.arg(u, 1);
                let value = read(pool, new, index);
                found.push(Write {
                    array,
                    index,
                    value,
                });
            }
        }
    }
    found
}

/// The cell of `array` at `index`, where the writes before it are elsewhere or the same term.
fn read(pool: &mut TermPool, array: Term, index: Term) -> Term {
    match pool.op(array) {
        Op::Store if pool.arg(array, 1) == index => pool.arg(array, 2),
        Op::Store => read(pool, pool.arg(array, 0), index),
        Op::Ite => {
            let (c, a, b) = (pool.arg(array, 0), pool.arg(array, 1), pool.arg(array, 2));
            let (a, b) = (read(pool, a, index), read(pool, b, index));
            pool.ite(c, a, b)
        }
        _ => pool.select(array, index),
    }
}

fn counters(cfa: &mut Cfa) -> BTreeMap<Var, Counter> {
    let mut found: BTreeMap<Var, Counter> = BTreeMap::new();
    let edges: Vec<_> = cfa.edges().collect();
    for &e in &edges {
        let t = cfa.transfer(e);
        for (&v, &new) in &t.updates {
            if let Some((up, stride)) = step(&cfa.program.pool, v, new) {
                let counter = found.entry(v).or_insert_with(|| Counter {
                    var: v,
                    up,
                    stride,
                    strides: BTreeSet::new(),
                    starts: Vec::new(),
                    own_starts: 0,
                    conditions: Vec::new(),
                    signed: false,
                });
                counter.strides.insert(stride);
            }
        }
    }
    for &e in &edges {
        let t = cfa.transfer(e).clone();
        let pool = &mut cfa.program.pool;
        for (v, counter) in &mut found {
            let Some(&new) = t.updates.get(v) else {
                continue;
            };
            if step(pool, *v, new).is_some() {
                counter.note_conditions(pool, t.guard);
            } else {
                counter.note_start(pool, new);
            }
        }
    }
    for c in found.values_mut() {
        c.own_starts = c.starts.len();
    }
    share_starts(&cfa.program.pool, &mut found);
    found
}

/// A loop from 1 on may follow what was said of cell 0: constants that some counter starts at are tried for all.
fn share_starts(pool: &TermPool, counters: &mut BTreeMap<Var, Counter>) {
    let mut all: BTreeMap<u32, BTreeSet<Term>> = BTreeMap::new();
    for c in counters.values() {
        for &s in c.starts.iter().filter(|&&s| pool.as_bv(s).is_some()) {
            all.entry(pool.width(s)).or_default().insert(s);
        }
    }
    for c in counters.values_mut() {
        let width = pool.var_ty(c.var).width().unwrap_or(0);
        for &s in all.get(&width).into_iter().flatten() {
            if c.starts.len() < MAX_EACH && !c.starts.contains(&s) {
                c.starts.push(s);
            }
        }
    }
}

impl Counter {
    fn note_start(&mut self, pool: &TermPool, value: Term) {
        let fits = own_vars(pool, value).is_some_and(|vars| !vars.contains(&self.var));
        if fits
            && !has_cells(pool, value)
            && self.starts.len() < MAX_EACH
            && !self.starts.contains(&value)
        {
            self.starts.push(value);
        }
    }

    fn note_conditions(&mut self, pool: &mut TermPool, guard: Term) {
        for c in pool.split_conjuncts(guard) {
            let atom = match pool.op(c) {
                Op::Not => pool.arg(c, 0),
                _ => c,
            };
            let about = own_vars(pool, c).is_some_and(|vars| vars.contains(&self.var));
            if !compares(pool, atom) || !about || has_cells(pool, c) {
                continue;
            }
            self.signed |= matches!(pool.op(atom), Op::BvSlt | Op::BvSle);
            if self.conditions.len() < MAX_EACH && !self.conditions.contains(&c) {
                self.conditions.push(c);
            }
        }
    }
}

/// Whether `new` is `v` plus or minus a constant, or `v` itself on some ways.
fn step(pool: &TermPool, v: Var, new: Term) -> Option<(bool, u64)> {
    let Type::Bv(width) = pool.var_ty(v) else {
        return None;
    };
    let mut found = None;
    let mut todo = vec![new];
    let mut seen = FxHashSet::default();
    while let Some(t) = todo.pop() {
        if !seen.insert(t) || pool.as_var(t) == Some(v) {
            continue;
        }
        let constant = |u: Term| pool.as_bv(u).and_then(|c| c.to_u64());
        let by = match pool.op(t) {
            Op::Ite => {
                todo.extend([pool.arg(t, 1), pool.arg(t, 2)]);
                continue;
            }
            Op::BvAdd | Op::BvSub => {
                let (a, b) = (pool.arg(t, 0), pool.arg(t, 1));
                let own = |u: Term| pool.as_var(u) == Some(v);
                match (constant(a), constant(b)) {
                    (_, Some(c)) if own(a) => (pool.op(t) == Op::BvAdd, c),
                    (Some(c), _) if own(b) && pool.op(t) == Op::BvAdd => (true, c),
                    _ => return None,
                }
            }
            _ => return None,
        };
        found = Some(by);
    }
    let (up, by) = found?;
    // Adding a large number is subtracting a small one.
    let negative = width < 64 && by >= 1 << (width - 1) || width == 64 && by >> 63 == 1;
    match negative {
        true if width < 64 => Some((!up, (1u64 << width) - by)),
        true => Some((!up, by.wrapping_neg())),
        false => Some((up, by)),
    }
}
