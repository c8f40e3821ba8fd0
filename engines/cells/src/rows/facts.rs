//! What of cells: what the program writes and compares.

use super::{MAX_ATOMS, MAX_SIZE, Maker};
use crate::shape::{Shape, Write, compares, has_cells, own_vars, writes};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use trellis_engine_common::terms::replace;
use trellis_ivl::{Edge, LocKind, Op, Term, TermPool, Type, Var};

/// Values that are known of one cell at most.
const MAX_KNOWN: usize = 15;
/// Conditions on flags at most.
const MAX_FLAGS: usize = 3;
/// How often what a loop adds to a cell is added to what is known of it.
const CHAIN: usize = 4;

/// The cells of variables that `t` reads.
fn reads(pool: &TermPool, t: Term) -> Vec<(Var, Term)> {
    pool.post_order([t])
        .into_iter()
        .filter(|&u| pool.op(u) == Op::Select)
        .filter_map(|u| Some((pool.as_var(pool.arg(u, 0))?, pool.arg(u, 1))))
        .collect()
}

impl Maker<'_> {
    /// `a[i] = e` with e over what does not change: `a[k] == e` with k for i. Where e reads the cell itself, what was
    /// written there before goes into it.
    pub(super) fn facts_of_writes(&mut self) {
        let mut known: BTreeMap<(Var, Term), Vec<Term>> = BTreeMap::new();
        let mut again = Vec::new();
        let singles = self.singles();
        for e in self.cfa.edges().collect::<Vec<_>>() {
            self.constant_arrays(e, &mut known);
            for w in writes(self.cfa, e) {
                self.single_cell(e, &w);
                for shape in self.shapes.of.get(&w.array).cloned().unwrap_or_default() {
                    let Some(value) = self.at_ghost(w.index, w.value, shape) else {
                        continue;
                    };
                    let cell = self.cell(w.array, shape);
                    let more = self.closed_form(&w, shape, &singles);
                    known.entry((w.array, cell)).or_default().extend(more);
                    let more = self.beside(e, value, shape);
                    known.entry((w.array, cell)).or_default().extend(more);
                    let pool = &self.cfa.program.pool;
                    match pool.post_order([value]).contains(&cell) {
                        true => again.push((w.array, shape, value)),
                        false => known.entry((w.array, cell)).or_default().push(value),
                    }
                }
            }
        }
        for _ in 0..CHAIN {
            for &(array, shape, value) in &again {
                let cell = self.cell(array, shape);
                let list = known.entry((array, cell)).or_default();
                for before in list.clone() {
                    let map = FxHashMap::from_iter([(cell, before)]);
                    let after = replace(&mut self.cfa.program.pool, value, &map);
                    if list.len() < MAX_KNOWN && !list.contains(&after) {
                        list.push(after);
                    }
                }
            }
        }
        for ((array, cell), values) in known {
            for shape in self.shapes.of.get(&array).cloned().unwrap_or_default() {
                if self.cell(array, shape) != cell {
                    continue;
                }
                for &value in &values {
                    let term = self.pool().eq(cell, value);
                    self.add(shape.width, term);
                }
            }
        }
    }

    /// `a[n] = e` gives `a[n] == e`.
    fn single_cell(&mut self, e: Edge, w: &Write) {
        let held = self.held(e);
        let pool = self.pool();
        let array = pool.var(w.array);
        let (index, value) = (replace(pool, w.index, &held), replace(pool, w.value, &held));
        let cell = pool.select(array, index);
        let term = pool.eq(cell, value);
        let small = pool.post_order([term]).len() <= MAX_SIZE;
        if own_vars(pool, term).is_some() && small && self.more.len() < MAX_ATOMS {
            self.more.push(term);
        }
    }

    /// Conditions on variables that only ever get constants.
    pub(super) fn flags(&mut self) -> Vec<Term> {
        let mut values: BTreeMap<Var, Option<BTreeSet<Term>>> = BTreeMap::new();
        for e in self.cfa.edges().collect::<Vec<_>>() {
            for (&v, &new) in &self.cfa.transfer(e).updates {
                let pool = &self.cfa.program.pool;
                let entry = values.entry(v).or_insert_with(|| Some(BTreeSet::new()));
                let (mut todo, mut constants) = (vec![new], Some(BTreeSet::new()));
                while let Some(t) = todo.pop() {
                    match pool.op(t) {
                        Op::Ite => todo.extend([pool.arg(t, 1), pool.arg(t, 2)]),
                        Op::BvConst => _ = constants.as_mut().map(|c| c.insert(t)),
                        _ if pool.as_var(t) == Some(v) => {}
                        _ => {
                            constants = None;
                            break;
                        }
                    }
                }
                *entry = match (entry.take(), constants) {
                    (Some(a), Some(b)) => Some(a.into_iter().chain(b).collect()),
                    _ => None,
                };
            }
        }
        let mut flags = Vec::new();
        for (v, constants) in values {
            let constants = constants.unwrap_or_default();
            if (2..=3).contains(&constants.len()) && flags.len() < MAX_FLAGS {
                let pool = self.pool();
                let own = pool.var(v);
                flags.extend(constants.into_iter().map(|c| {
                    let there = pool.eq(own, c);
                    pool.not(there)
                }));
            }
        }
        flags
    }

    /// Arrays that hold one value everywhere.
    fn constant_arrays(&mut self, e: Edge, known: &mut BTreeMap<(Var, Term), Vec<Term>>) {
        let updates = self.cfa.transfer(e).updates.clone();
        for (array, new) in updates {
            let pool = &self.cfa.program.pool;
            if pool.op(new) != Op::ConstArray {
                continue;
            }
            let value = pool.arg(new, 0);
            for shape in self.shapes.of.get(&array).cloned().unwrap_or_default() {
                let cell = self.cell(array, shape);
                known.entry((array, cell)).or_default().push(value);
            }
        }
    }

    /// A written value with the ghost for the counter of its index, if the index has the shape and the value no
    /// inputs.
    fn at_ghost(&mut self, index: Term, value: Term, shape: Shape) -> Option<Term> {
        let ghost = {
            let pool = &mut self.cfa.program.pool;
            self.shapes.ghost(pool, shape.width)
        };
        let pool = self.pool();
        let map = FxHashMap::from_iter([(shape.counter, ghost)]);
        let fits = own_vars(pool, value).is_some() && pool.substitute(index, &map) == shape.index;
        fits.then(|| pool.substitute(value, &map))
    }

    /// The same with other counters for what they are where the counter of the index is at the ghost.
    fn beside(&mut self, edge: Edge, value: Term, shape: Shape) -> Vec<Term> {
        let moved = self.cfa.transfer(edge).updates.clone();
        let pool = &mut self.cfa.program.pool;
        let ghost = self.shapes.ghost(pool, shape.width);
        let Some(lead) = self.shapes.counters.get(&shape.counter) else {
            return Vec::new();
        };
        let mut values = vec![value];
        for v in pool.free_vars([value]) {
            if let Some(c) = self.shapes.counters.get(&v)
                && v != shape.counter
                && moved.contains_key(&v)
            {
                let mut more = Vec::new();
                for own in c.beside(pool, lead, ghost) {
                    let map = FxHashMap::from_iter([(v, own)]);
                    more.extend(values.iter().map(|&t| pool.substitute(t, &map)));
                }
                values = more;
            }
        }
        values.retain(|&t| t != value);
        values
    }

    /// `a[i] = a[i - 1] + c` after `a[s] = v`, constants: `a[k] == v + c * (k - s)`.
    fn closed_form(&mut self, w: &Write, shape: Shape, singles: &[(Var, Term, Term)]) -> Vec<Term> {
        let pool = &mut self.cfa.program.pool;
        let ghost = self.shapes.ghost(pool, shape.width);
        if pool.op(w.value) != Op::BvAdd {
            return Vec::new();
        }
        let (a, b) = (pool.arg(w.value, 0), pool.arg(w.value, 1));
        let (cell, by) = if pool.op(a) == Op::Select {
            (a, b)
        } else {
            (b, a)
        };
        if pool.op(cell) != Op::Select || pool.as_bv(by).is_none() {
            return Vec::new();
        }
        let distance = pool.bvsub(w.index, pool.arg(cell, 1));
        let own = pool.as_var(pool.arg(cell, 0)) == Some(w.array);
        let next = own && pool.as_bv(distance).and_then(|d| d.to_u64()) == Some(1);
        let mut found = Vec::new();
        for &(array, at, value) in singles.iter().filter(|_| next) {
            let width = pool.width(value);
            if array == w.array && pool.ty(at) == pool.ty(ghost) && shape.index == ghost {
                let steps = pool.bvsub(ghost, at);
                let steps = if shape.width > width {
                    pool.extract(width - 1, 0, steps)
                } else {
                    pool.zext(width, steps)
                };
                let way = pool.bvmul(steps, by);
                found.push(pool.bvadd(value, way));
            }
        }
        found
    }

    /// Writes of constants to constant places.
    fn singles(&mut self) -> Vec<(Var, Term, Term)> {
        let mut found = Vec::new();
        for e in self.cfa.edges().collect::<Vec<_>>() {
            for w in writes(self.cfa, e) {
                let pool = &self.cfa.program.pool;
                if pool.as_bv(w.index).is_some() && pool.as_bv(w.value).is_some() {
                    found.push((w.array, w.index, w.value));
                }
            }
        }
        found
    }

    /// The variables that hold values which come of inputs, after an edge: what is asked of the value there is asked of the variable afterwards.
    pub(super) fn held(&mut self, e: Edge) -> FxHashMap<Term, Term> {
        let t = self.cfa.transfer(e).clone();
        let pool = self.pool();
        let mut held = FxHashMap::default();
        for (&v, &new) in &t.updates {
            if pool.free_vars([new]).iter().any(|i| t.inputs.contains(i)) {
                let own = pool.var(v);
                held.entry(new).or_insert(own);
            }
        }
        held
    }

    /// What the program compares, with the ghost's cell for the cell that it reads or has just written.
    pub(super) fn facts_of_comparisons(&mut self) {
        let mut seen = BTreeSet::new();
        for e in self.cfa.edges().collect::<Vec<_>>() {
            let t = self.cfa.transfer(e).clone();
            let mut written = FxHashMap::default();
            for w in writes(self.cfa, e) {
                let pool = self.pool();
                let symbol = pool.as_var(w.value).is_some();
                if symbol {
                    let array = pool.var(w.array);
                    let cell = pool.select(array, w.index);
                    written.insert(w.value, cell);
                }
            }
            let held = self.held(e);
            let roots = t.updates.values().copied().chain([t.guard]);
            for u in self.cfa.program.pool.post_order(roots) {
                if !compares(&self.cfa.program.pool, u) || !seen.insert(u) {
                    continue;
                }
                for map in [&written, &held] {
                    let atom = replace(self.pool(), u, map);
                    self.fact_of_comparison(atom);
                }
            }
        }
        self.scalars.truncate(MAX_ATOMS);
    }

    /// What an edge to an error asks, of no cell: the property itself, of every one.
    pub(super) fn facts_of_errors(&mut self) {
        for e in self.cfa.edges().collect::<Vec<_>>() {
            let to = self.cfa.program.edges[e].to;
            if self.cfa.program.locs[to].kind == LocKind::Plain {
                continue;
            }
            let guard = self.cfa.transfer(e).guard;
            let parts = self.pool().split_conjuncts(guard);
            let pool = &self.cfa.program.pool;
            let cells: Vec<Term> = parts
                .iter()
                .copied()
                .filter(|&c| has_cells(pool, c))
                .collect();
            let read = cells
                .iter()
                .flat_map(|&c| reads(pool, c))
                .collect::<BTreeSet<_>>();
            for wrong in [cells, parts] {
                let wrong = self.pool().and_all(wrong);
                let pool = &self.cfa.program.pool;
                if own_vars(pool, wrong).is_none() || pool.post_order([wrong]).len() > MAX_SIZE {
                    continue;
                }
                let right = self.pool().not(wrong);
                for &(array, index) in &read {
                    for shape in self.shapes.of.get(&array).cloned().unwrap_or_default() {
                        let fact = self.moved(right, index, shape);
                        self.add(shape.width, fact);
                    }
                }
            }
        }
    }

    fn fact_of_comparison(&mut self, atom: Term) {
        let pool = &self.cfa.program.pool;
        if own_vars(pool, atom).is_none() || pool.post_order([atom]).len() > MAX_SIZE {
            return;
        }
        if !has_cells(pool, atom) {
            if !self.scalars.contains(&atom) && compares(pool, atom) {
                self.scalars.push(atom);
            }
            return;
        }
        for (_, index) in reads(pool, atom) {
            let known = |(a, v): &(Term, Var)| (*a, Some(*v)) == (atom, pool.as_var(index));
            if let Some(v) = pool.as_var(index)
                && !self.of_pointers.iter().any(known)
                && self.of_pointers.len() < MAX_ATOMS
            {
                self.of_pointers.push((atom, v));
            }
        }
        let pool = &self.cfa.program.pool;
        for (array, index) in reads(pool, atom) {
            for shape in self.shapes.of.get(&array).cloned().unwrap_or_default() {
                let fact = self.moved(atom, index, shape);
                let contrary = self.pool().not(fact);
                self.add(shape.width, fact);
                self.add(shape.width, contrary);
            }
        }
    }

    /// `atom` with the cell at `index` moved to the ghost's.
    fn moved(&mut self, atom: Term, index: Term, shape: Shape) -> Term {
        let ghost = {
            let pool = &mut self.cfa.program.pool;
            self.shapes.ghost(pool, shape.width)
        };
        let vars = self.cfa.program.pool.free_vars([index]);
        for v in vars {
            if self.cfa.program.pool.var_ty(v) != Type::Bv(shape.width) {
                continue;
            }
            let pool = self.pool();
            let map = FxHashMap::from_iter([(v, ghost)]);
            if pool.substitute(index, &map) == shape.index {
                return pool.substitute(atom, &map);
            }
        }
        let map = FxHashMap::from_iter([(index, shape.index)]);
        replace(self.pool(), atom, &map)
    }
}
