//! Candidates: guards (which cells) times facts (what of them), and what a proof about cells needs of scalars.
//!
//! Facts come from what the program writes (`a[i] = 2 * i` may give `a[k] == 2 * k`), from what it compares
//! (`a[i] > max` may give `a[k] > max` and its contrary), and from how objects of the heap are linked ([`links`]). Guards come from
//! counters: the cells that a loop has passed, those before its end, those that are left.

mod links;

use crate::shape::{Counter, Shape, Shapes, compares, has_cells, own_vars, writes};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use trellis_engine_common::{Cfa, go_on};
use trellis_ivl::{Loc, Op, Term, TermPool, Type, Var};
use trellis_plugin_sdk::{EngineError, Host};

/// Larger terms are no candidates.
const MAX_SIZE: usize = 64;
/// Facts about cells, per width of the ghost, at most.
const MAX_FACTS: usize = 60;
/// Comparisons of scalars at most.
const MAX_ATOMS: usize = 40;
/// How often what a loop adds to a cell is added to what is known of it.
const CHAIN: usize = 4;

/// The candidates of a program.
pub struct Rows {
    shapes: Shapes,
    /// By head.
    pub by_head: BTreeMap<Loc, Vec<Term>>,
    /// Values at which facts are worth using, over the program's variables, by width.
    pub values: BTreeMap<u32, Vec<Term>>,
}

/// A fact about the cell of a ghost.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Fact {
    width: u32,
    term: Term,
    /// The counter whose cells it is about, where it is about no others.
    of: Option<Var>,
}

struct Maker<'a> {
    cfa: &'a mut Cfa,
    shapes: Shapes,
    facts: Vec<Fact>,
    scalars: Vec<Term>,
    /// Candidates without variants.
    more: Vec<Term>,
}

impl Rows {
    /// Collects candidates, at most `max` per head.
    ///
    /// # Errors
    /// When it is time to stop.
    pub fn new(cfa: &mut Cfa, max: usize, host: &mut dyn Host) -> Result<Rows, EngineError> {
        let shapes = Shapes::new(cfa);
        let mut maker = Maker {
            cfa,
            shapes,
            facts: Vec::new(),
            scalars: Vec::new(),
            more: Vec::new(),
        };
        maker.facts_of_writes();
        go_on(host)?;
        maker.facts_of_comparisons();
        let values = maker.values();
        maker.links();
        let mut by_head = BTreeMap::new();
        for head in maker.cfa.heads().to_vec() {
            go_on(host)?;
            let mut rows = maker.rows(head);
            rows.truncate(max);
            by_head.insert(head, rows);
        }
        Ok(Rows {
            shapes: maker.shapes,
            by_head,
            values,
        })
    }

    /// The ghosts.
    pub fn ghosts(&self) -> Vec<Var> {
        self.shapes.ghosts.values().copied().collect()
    }
}

/// `t` with terms replaced, from the leaves up.
fn replace(pool: &mut TermPool, t: Term, map: &FxHashMap<Term, Term>) -> Term {
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    for u in pool.post_order([t]) {
        let args: Vec<Term> = pool.args(u).map(|a| done[&a]).collect();
        let new = match map.get(&u) {
            Some(&new) => new,
            None if args.is_empty() => u,
            None => pool.rebuild(u, &args),
        };
        done.insert(u, new);
    }
    done[&t]
}

impl Maker<'_> {
    fn pool(&mut self) -> &mut TermPool {
        &mut self.cfa.program.pool
    }

    fn add(&mut self, width: u32, term: Term, of: Option<Var>) {
        let ghosts: Vec<Var> = self.shapes.ghosts.values().copied().collect();
        let pool = &self.cfa.program.pool;
        let own = |v: &Var| {
            ghosts.contains(v) || pool.var_data(*v).scope != trellis_ivl::Scope::Auxiliary
        };
        let fact = Fact { width, term, of };
        let fits = pool.as_bool(term).is_none()
            && pool.free_vars([term]).iter().all(own)
            && pool.post_order([term]).len() <= MAX_SIZE
            && has_cells(pool, term);
        let count = self.facts.iter().filter(|f| f.width == width).count();
        let known = self.facts.iter().any(|f| f.width == width && f.term == term);
        if fits && count < MAX_FACTS && !known {
            self.facts.push(fact);
        }
    }

    fn cell(&mut self, array: Var, shape: Shape) -> Term {
        let pool = self.pool();
        let array = pool.var(array);
        pool.select(array, shape.index)
    }

    /// `a[i] = e` with e over what does not change: `a[k] == e` with k for i. Where e reads the cell itself, what was
    /// written there before goes into it.
    fn facts_of_writes(&mut self) {
        let mut known: BTreeMap<(Var, Term), Vec<Term>> = BTreeMap::new();
        let mut again = Vec::new();
        for e in self.cfa.edges().collect::<Vec<_>>() {
            self.constant_arrays(e, &mut known);
            for w in writes(self.cfa, e) {
                for shape in self.shapes.of.get(&w.array).cloned().unwrap_or_default() {
                    let Some(value) = self.at_ghost(w.index, w.value, shape) else {
                        continue;
                    };
                    let cell = self.cell(w.array, shape);
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
                    if list.len() < MAX_FACTS / 4 && !list.contains(&after) {
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
                    self.add(shape.width, term, Some(shape.counter));
                }
            }
        }
    }

    /// Arrays that hold one value everywhere.
    fn constant_arrays(
        &mut self,
        e: trellis_ivl::Edge,
        known: &mut BTreeMap<(Var, Term), Vec<Term>>,
    ) {
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

    /// What the program compares, with the ghost's cell for the cell that it reads or has just written.
    fn facts_of_comparisons(&mut self) {
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
            let mut held = FxHashMap::default();
            for (&v, &new) in &t.updates {
                let pool = self.pool();
                if pool.as_var(new).is_some_and(|i| t.inputs.contains(&i)) {
                    let own = pool.var(v);
                    held.entry(new).or_insert(own);
                }
            }
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
        let reads: Vec<(Var, Term)> = pool
            .post_order([atom])
            .into_iter()
            .filter(|&u| pool.op(u) == Op::Select)
            .filter_map(|u| Some((pool.as_var(pool.arg(u, 0))?, pool.arg(u, 1))))
            .collect();
        for (array, index) in reads {
            for shape in self.shapes.of.get(&array).cloned().unwrap_or_default() {
                let fact = self.moved(atom, index, shape);
                let contrary = self.pool().not(fact);
                self.add(shape.width, fact, Some(shape.counter));
                self.add(shape.width, contrary, Some(shape.counter));
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

    /// Values of the ghosts: counters and indices as they stand in the program.
    fn values(&mut self) -> BTreeMap<u32, Vec<Term>> {
        let mut lists: BTreeMap<u32, Vec<Term>> = BTreeMap::new();
        let concats: Vec<(u32, u32)> = self
            .shapes
            .of
            .values()
            .flatten()
            .filter_map(|s| Some((s.width, links::low(&self.cfa.program.pool, s)?)))
            .collect();
        let widths: Vec<u32> = self.shapes.ghosts.keys().copied().collect();
        for e in self.cfa.edges().collect::<Vec<_>>() {
            let t = self.cfa.transfer(e).clone();
            let pool = &mut self.cfa.program.pool;
            let roots = t.updates.values().copied().chain([t.guard]);
            let mut indices = Vec::new();
            for u in pool.post_order(roots) {
                if matches!(pool.op(u), Op::Select | Op::Store) {
                    indices.push(pool.arg(u, 1));
                }
            }
            let mut values = indices.clone();
            values.extend(pool.post_order(indices.iter().copied()));
            for &(width, low) in &concats {
                for &index in &indices {
                    if pool.ty(index) == Type::Bv(width + low) {
                        values.push(pool.extract(width + low - 1, low, index));
                    }
                }
            }
            for v in values {
                let Some(width) = pool.ty(v).width().filter(|w| widths.contains(w)) else {
                    continue;
                };
                let list = lists.entry(width).or_default();
                let fits = pool.as_bv(v).is_none() && own_vars(pool, v).is_some();
                if fits && !list.contains(&v) {
                    list.push(v);
                }
            }
        }
        lists
    }

    /// Which cells: pairs of a guard and the counter it is about.
    fn guards(&mut self, width: u32) -> Vec<(Option<Var>, Term)> {
        let mut guards = Vec::new();
        let pool = &mut self.cfa.program.pool;
        let ghost = self.shapes.ghost(pool, width);
        for c in self.shapes.counters.values() {
            if pool.var_ty(c.var) == Type::Bv(width) {
                let own = c.guards(pool, ghost);
                guards.extend(own.into_iter().map(|g| (Some(c.var), g)));
            }
        }
        guards.push((None, pool.tru()));
        let mut seen = BTreeSet::new();
        guards.retain(|(_, g)| seen.insert(*g));
        guards
    }

    fn rows(&mut self, head: Loc) -> Vec<Term> {
        let mut rows = Vec::new();
        let mut seen = BTreeSet::new();
        for atom in self.scalars.clone() {
            rows.extend(variants(self.pool(), atom));
        }
        rows.extend(&self.more);
        for c in self.shapes.counters.values() {
            rows.extend(c.bounds(&mut self.cfa.program.pool));
        }
        for width in self.shapes.ghosts.keys().copied().collect::<Vec<_>>() {
            let guards = self.guards(width);
            let facts: Vec<Fact> = self.facts.iter().filter(|f| f.width == width).copied().collect();
            for fact in facts {
                for &(_, guard) in &guards {
                    let pool = self.pool();
                    let outside = pool.not(guard);
                    rows.push(pool.or(outside, fact.term));
                }
            }
        }
        rows.retain(|&t| self.can_say(head, t) && seen.insert(t));
        rows
    }

    /// Whether `t` is about ghosts and live variables of `head`.
    fn can_say(&self, head: Loc, t: Term) -> bool {
        let pool = &self.cfa.program.pool;
        let live = self.cfa.live(head);
        let ghosts = &self.shapes.ghosts;
        let known = |v: &Var| {
            live.binary_search(v).is_ok() || ghosts.values().any(|g| g == v)
        };
        pool.as_bool(t).is_none() && pool.free_vars([t]).iter().all(known)
    }
}

impl Counter {
    fn at_most(&self, pool: &mut TermPool, a: Term, b: Term) -> Term {
        match self.signed {
            true => pool.bvsle(a, b),
            false => pool.bvule(a, b),
        }
    }

    fn below(&self, pool: &mut TermPool, a: Term, b: Term) -> Term {
        match self.signed {
            true => pool.bvslt(a, b),
            false => pool.bvult(a, b),
        }
    }

    /// The cells that are passed, those before the end, and those that are left.
    fn guards(&self, pool: &mut TermPool, ghost: Term) -> Vec<Term> {
        let own = pool.var(self.var);
        let mut guards = Vec::new();
        let ends = self.ends(pool, ghost);
        for &start in &self.starts {
            let passed = match (self.up, self.signed) {
                (true, false) => {
                    let (a, b) = (pool.bvsub(ghost, start), pool.bvsub(own, start));
                    pool.bvult(a, b)
                }
                (false, false) => {
                    let (a, b) = (pool.bvsub(start, ghost), pool.bvsub(start, own));
                    pool.bvult(a, b)
                }
                (up, true) => {
                    let (low, high) = if up { (start, own) } else { (own, start) };
                    let a = match up {
                        true => self.at_most(pool, low, ghost),
                        false => self.below(pool, low, ghost),
                    };
                    let b = match up {
                        true => self.below(pool, ghost, high),
                        false => self.at_most(pool, ghost, high),
                    };
                    pool.and(a, b)
                }
            };
            let on_the_way = match self.up {
                true => self.at_most(pool, start, ghost),
                false => self.at_most(pool, ghost, start),
            };
            let mut from_start = vec![passed];
            for &end in &ends {
                from_start.push(pool.and(on_the_way, end));
            }
            for g in from_start {
                guards.push(self.in_step(pool, ghost, start, g));
            }
        }
        let left = match self.up {
            true => self.at_most(pool, own, ghost),
            false => self.at_most(pool, ghost, own),
        };
        guards.push(left);
        for end in ends {
            guards.push(pool.and(left, end));
        }
        guards
    }

    /// The counter's own conditions, of the ghost.
    fn ends(&self, pool: &mut TermPool, ghost: Term) -> Vec<Term> {
        let own = pool.var(self.var);
        let map = FxHashMap::from_iter([(self.var, ghost)]);
        let mut ends = Vec::new();
        for &c in &self.conditions {
            let inner = pool.op(c) == Op::Not && pool.op(pool.arg(c, 0)) == Op::Eq;
            if !inner {
                ends.push(pool.substitute(c, &map));
                continue;
            }
            // A loop that runs while i != n ends at n.
            let equal = pool.arg(c, 0);
            let (a, b) = (pool.arg(equal, 0), pool.arg(equal, 1));
            let end = if a == own { b } else { a };
            if (a == own || b == own) && pool.ty(end) == pool.ty(ghost) {
                ends.push(match self.up {
                    true => self.below(pool, ghost, end),
                    false => self.below(pool, end, ghost),
                });
            }
        }
        ends
    }

    /// Cells at multiples of the step only.
    fn in_step(&self, pool: &mut TermPool, ghost: Term, start: Term, guard: Term) -> Term {
        if self.stride < 2 {
            return guard;
        }
        let width = pool.width(ghost);
        let stride = pool.num(width, self.stride);
        let zero = pool.num(width, 0);
        let distance = pool.bvsub(ghost, start);
        let rest = pool.make(Op::BvUrem, &[distance, stride]);
        let multiple = pool.eq(rest, zero);
        pool.and(guard, multiple)
    }

    /// What holds of the counter itself.
    fn bounds(&self, pool: &mut TermPool) -> Vec<Term> {
        let own = pool.var(self.var);
        let mut rows = Vec::new();
        for &start in &self.starts {
            rows.push(match self.up {
                true => self.at_most(pool, start, own),
                false => self.at_most(pool, own, start),
            });
            if self.stride > 1 {
                let tru = pool.tru();
                rows.push(self.in_step(pool, own, start, tru));
            }
        }
        rows
    }
}

/// A comparison, its contrary, and both with the border moved by one.
fn variants(pool: &mut TermPool, atom: Term) -> Vec<Term> {
    let (a, b) = (pool.arg(atom, 0), pool.arg(atom, 1));
    let contrary = pool.not(atom);
    let one = pool.num(pool.width(a), 1);
    let (after, before) = (pool.bvadd(b, one), pool.bvsub(a, one));
    let mut rows = vec![atom, contrary];
    match pool.op(atom) {
        Op::Eq => rows.extend([
            pool.bvsle(a, b),
            pool.bvsle(b, a),
            pool.bvule(a, b),
            pool.bvule(b, a),
        ]),
        Op::BvUlt | Op::BvUle => rows.extend([
            pool.bvule(a, b),
            pool.bvule(b, a),
            pool.bvule(a, after),
            pool.bvule(before, b),
        ]),
        _ => rows.extend([
            pool.bvsle(a, b),
            pool.bvsle(b, a),
            pool.bvsle(a, after),
            pool.bvsle(before, b),
        ]),
    }
    rows
}
