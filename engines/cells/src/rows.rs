//! Candidates: guards (which cells) times facts (what of them), and what a proof about cells needs of scalars.
//!
//! Facts come from what the program writes (`a[i] = 2 * i` may give `a[k] == 2 * k`), from what it compares
//! (`a[i] > max` may give `a[k] > max` and its contrary), and from how objects of the heap are linked ([`links`]). Guards come from
//! counters: the cells that a loop has passed, those before its end, those that are left.

mod facts;
mod guards;
mod links;
mod objects;

use crate::shape::{Counter, Shape, Shapes, has_cells, own_vars, writes};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use trellis_engine_common::terms::replace;
use trellis_engine_common::{Cfa, go_on};
use trellis_ivl::{Loc, Op, Term, TermPool, Type, Var};
use trellis_plugin_sdk::{EngineError, Host};

/// Larger terms are no candidates.
const MAX_SIZE: usize = 64;
/// Facts about cells, per width of the ghost, at most.
const MAX_FACTS: usize = 240;
/// Borders of what nested loops have passed, at most.
const MAX_BORDERS: usize = 8;
/// Rows per head that executions are asked about, times the most that are kept.
const MADE: usize = 4;
/// Facts of more parts are not compared with others.
const MAX_PARTS: usize = 8;
/// Comparisons of scalars at most.
const MAX_ATOMS: usize = 40;

/// The candidates of a program.
pub struct Rows {
    shapes: Shapes,
    /// By head; those that others wait for come before them.
    pub by_head: BTreeMap<Loc, Vec<Row>>,
    /// Values at which facts are worth using, over the program's variables, by width.
    pub values: BTreeMap<u32, Vec<Term>>,
}

/// Which candidates are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// What is said of objects by their kinds, and of the watched one: a small part, which suffices for memory safety of most lists.
    OfObjects,
    /// All.
    All,
}

/// What an earlier search has found to be inductive, over ghosts of its own.
#[derive(Default)]
pub struct Known {
    /// The ghosts.
    pub ghosts: Vec<Var>,
    /// Facts by head.
    pub facts: Vec<(Loc, Term)>,
}

/// A candidate.
pub struct Row {
    /// What it says.
    pub fact: Term,
    /// The rows, by number, that say the same of more cells. As long as one of them stands this one is worth nothing.
    pub stronger: Vec<usize>,
    /// Whether nothing is known against it.
    pub stands: bool,
}

/// A fact about the cell of a ghost.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Fact {
    width: u32,
    term: Term,
}

/// Facts about cells under guards, each under each.
struct Family {
    guards: Vec<Term>,
    facts: Vec<Term>,
}

struct Maker<'a> {
    cfa: &'a mut Cfa,
    shapes: Shapes,
    facts: Vec<Fact>,
    scalars: Vec<Term>,
    /// Candidates without variants.
    more: Vec<Term>,
    /// Guards besides those of counters, by the width of the ghost.
    guards: Vec<(u32, Term)>,
    /// Facts under guards of their own, and what goes with them.
    families: Vec<Family>,
    of_objects: Vec<Term>,
    /// Values of the ghost of a width that come before others.
    marks: Vec<(u32, Term)>,
    /// Comparisons of cells that pointers lead to, with the pointer.
    of_pointers: Vec<(Term, Var)>,
    /// Counters that move on one edge.
    beside: BTreeSet<(Var, Var)>,
}

impl Rows {
    /// Collects candidates, at most `max` per head.
    ///
    /// # Errors
    /// When it is time to stop.
    pub fn new(
        cfa: &mut Cfa,
        which: Which,
        max: usize,
        host: &mut dyn Host,
    ) -> Result<Rows, EngineError> {
        let shapes = Shapes::new(cfa);
        let mut maker = Maker {
            cfa,
            shapes,
            facts: Vec::new(),
            scalars: Vec::new(),
            more: Vec::new(),
            guards: Vec::new(),
            families: Vec::new(),
            of_objects: Vec::new(),
            marks: Vec::new(),
            of_pointers: Vec::new(),
            beside: BTreeSet::new(),
        };
        for collect in [
            Maker::companions,
            Maker::facts_of_errors,
            Maker::facts_of_writes,
            Maker::facts_of_comparisons,
            Maker::borders,
            Maker::sentinels,
            Maker::signs,
        ] {
            go_on(host)?;
            collect(&mut maker);
        }
        // Facts may go by way of arrays that are not read any more, and of the number of the next object.
        let mut kept: Vec<Var> = maker.shapes.of.keys().copied().collect();
        kept.extend(maker.links());
        let values = maker.values();
        maker.cfa.keep_live(&kept, host)?;
        let mut by_head = BTreeMap::new();
        for head in maker.cfa.heads().to_vec() {
            go_on(host)?;
            let mut rows = match which {
                Which::OfObjects => maker.rows_of_objects(head),
                Which::All => maker.rows(head),
            };
            order(&maker.cfa.program.pool, &mut rows);
            let made = MADE * max;
            rows.truncate(made);
            by_head.insert(head, rows);
        }
        Ok(Rows {
            shapes: maker.shapes,
            by_head,
            values,
        })
    }

    /// Leaves at most so many candidates per head that nothing is known against.
    pub fn limit(&mut self, max: usize) {
        for rows in self.by_head.values_mut() {
            let standing = rows.iter_mut().filter(|r| r.stands);
            standing.skip(max).for_each(|r| r.stands = false);
        }
    }

    /// Adds what is known already, which others may need.
    pub fn adopt(&mut self, cfa: &mut Cfa, known: &Known) {
        let pool = &mut cfa.program.pool;
        let mut map = FxHashMap::default();
        for &old in &known.ghosts {
            let width = pool.var_ty(old).width().unwrap_or(0);
            map.insert(old, self.shapes.ghost(pool, width));
        }
        for &(head, fact) in &known.facts {
            let fact = pool.substitute(fact, &map);
            self.by_head.entry(head).or_default().push(Row::new(fact));
        }
    }

    /// Whether there is nothing to try.
    pub fn is_empty(&self) -> bool {
        self.shapes.ghosts.is_empty() || self.by_head.values().all(Vec::is_empty)
    }

    /// The ghosts.
    pub fn ghosts(&self) -> Vec<Var> {
        self.shapes.ghosts.values().copied().collect()
    }
}

impl Maker<'_> {
    fn pool(&mut self) -> &mut TermPool {
        &mut self.cfa.program.pool
    }

    fn add(&mut self, width: u32, term: Term) {
        let ghosts: Vec<Var> = self.shapes.ghosts.values().copied().collect();
        let pool = &self.cfa.program.pool;
        let own = |v: &Var| {
            ghosts.contains(v) || pool.var_data(*v).scope != trellis_ivl::Scope::Auxiliary
        };
        let fact = Fact { width, term };
        let fits = pool.as_bool(term).is_none()
            && pool.free_vars([term]).iter().all(own)
            && pool.post_order([term]).len() <= MAX_SIZE
            && has_cells(pool, term);
        let count = self.facts.iter().filter(|f| f.width == width).count();
        let known = self
            .facts
            .iter()
            .any(|f| f.width == width && f.term == term);
        if fits && count < MAX_FACTS && !known {
            self.facts.push(fact);
        }
    }

    fn companions(&mut self) {
        for e in self.cfa.edges() {
            let counters = &self.shapes.counters;
            let moved = self.cfa.transfer(e).updates.keys();
            let moved: Vec<Var> = moved
                .copied()
                .filter(|v| counters.contains_key(v))
                .collect();
            for &a in &moved {
                let others = moved.iter().filter(|b| **b != a);
                self.beside.extend(others.map(|&b| (a, b)));
            }
        }
    }

    /// Whoever looks for the end of a string stops there at the latest: no counter passes a cell that is written at a fixed place.
    fn sentinels(&mut self) {
        let mut rows = BTreeSet::new();
        for e in self.cfa.edges().collect::<Vec<_>>() {
            let held = self.held(e);
            for w in writes(self.cfa, e) {
                let pool = &mut self.cfa.program.pool;
                let index = replace(pool, w.index, &held);
                let moves = |v: &Var| self.shapes.counters.contains_key(v);
                if own_vars(pool, index).is_none_or(|vars| vars.iter().any(moves)) {
                    continue;
                }
                for shape in self.shapes.of.get(&w.array).cloned().unwrap_or_default() {
                    let Some(last) = self.shapes.solve(pool, shape, index) else {
                        continue;
                    };
                    let own = pool.var(shape.counter);
                    rows.extend([pool.bvule(own, last), pool.bvsle(own, last)]);
                }
            }
        }
        self.more.extend(rows.into_iter().take(MAX_ATOMS));
    }

    /// Whether the numbers that conditions of counters mention are positive.
    fn signs(&mut self) {
        let pool = &mut self.cfa.program.pool;
        let counters = self.shapes.counters.values();
        let conditions: Vec<Term> = counters.flat_map(|c| c.conditions.clone()).collect();
        let mut rows = Vec::new();
        for v in pool.free_vars(conditions) {
            if let Some(width) = pool.var_ty(v).width() {
                let (own, zero) = (pool.var(v), pool.num(width, 0));
                rows.extend([pool.bvsle(zero, own), pool.bvslt(zero, own)]);
            }
        }
        self.more.extend(rows.into_iter().take(MAX_ATOMS));
    }

    /// The cells before the one that is written next, also as an outer loop sees it: where inner counters are at their start.
    fn borders(&mut self) {
        let mut found: BTreeMap<u32, Vec<Term>> = BTreeMap::new();
        let mut begun: BTreeMap<Term, Vec<Term>> = BTreeMap::new();
        for e in self.cfa.edges().collect::<Vec<_>>() {
            for w in writes(self.cfa, e) {
                for shape in self.shapes.of.get(&w.array).cloned().unwrap_or_default() {
                    let pool = &mut self.cfa.program.pool;
                    let Some(next) = self.shapes.solve(pool, shape, w.index) else {
                        continue;
                    };
                    let Some(vars) = own_vars(pool, next) else {
                        continue;
                    };
                    let mut borders = vec![next];
                    for c in vars.iter().filter_map(|v| self.shapes.counters.get(v)) {
                        let own = pool.var(c.var);
                        for &start in &c.starts[..c.own_starts] {
                            let map = FxHashMap::from_iter([(c.var, start)]);
                            borders.push(pool.substitute(next, &map));
                            let at_start = pool.eq(own, start);
                            begun.entry(next).or_default().push(pool.not(at_start));
                        }
                    }
                    let list = found.entry(shape.width).or_default();
                    for b in borders {
                        let plain = pool.as_bv(b).is_some() || pool.as_var(b).is_some();
                        if !plain && !list.contains(&b) && list.len() < MAX_BORDERS {
                            list.push(b);
                        }
                    }
                }
            }
        }
        for (width, borders) in found {
            let pool = &mut self.cfa.program.pool;
            let ghost = self.shapes.ghost(pool, width);
            let zero = pool.num(width, 0);
            let from = pool.bvsle(zero, ghost);
            for b in borders {
                let before = pool.bvslt(ghost, b);
                let passed = pool.and(from, before);
                self.guards.push((width, passed));
                // A round that writes ahead of its counter has done so after the first one only.
                for &later in begun.get(&b).into_iter().flatten() {
                    self.guards.push((width, pool.and(passed, later)));
                }
            }
        }
    }

    fn cell(&mut self, array: Var, shape: Shape) -> Term {
        let pool = self.pool();
        let array = pool.var(array);
        pool.select(array, shape.index)
    }

    /// Values of the ghosts: counters and indices as they stand in the program.
    fn values(&mut self) -> BTreeMap<u32, Vec<Term>> {
        let mut lists: BTreeMap<u32, Vec<Term>> = BTreeMap::new();
        for &(width, mark) in &self.marks {
            lists.entry(width).or_default().push(mark);
        }
        let concats: Vec<(u32, u32)> = self
            .shapes
            .of
            .values()
            .flatten()
            .filter_map(|s| Some((s.width, links::low(&self.cfa.program.pool, s)?)))
            .collect();
        let widths: Vec<u32> = self.shapes.ghosts.keys().copied().collect();
        let mut fixed = BTreeSet::new();
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
            let mut values = Vec::new();
            for &index in &indices {
                if pool.as_bv(index).is_none() {
                    continue;
                }
                for &shape in self.shapes.of.values().flatten() {
                    let ghost = self.shapes.ghosts[&shape.width];
                    let at = at_constant(pool, shape, ghost, index);
                    fixed.extend(at.map(|value| (shape.width, value)));
                }
            }
            for &index in &indices {
                for shape in self
                    .shapes
                    .of
                    .values()
                    .flatten()
                    .copied()
                    .collect::<Vec<_>>()
                {
                    values.extend(self.shapes.solve(pool, shape, index));
                }
            }
            values.extend(&indices);
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
        for (width, value) in fixed {
            lists.entry(width).or_default().push(value);
        }
        lists
    }

    /// Which cells.
    fn guards(&mut self, width: u32) -> Vec<Term> {
        let mut guards = Vec::new();
        let pool = &mut self.cfa.program.pool;
        let ghost = self.shapes.ghost(pool, width);
        let counters = &self.shapes.counters;
        for c in counters.values() {
            if pool.var_ty(c.var) != Type::Bv(width) {
                continue;
            }
            let companions = counters
                .values()
                .filter(|d| self.beside.contains(&(c.var, d.var)));
            let mut ends = Vec::new();
            for d in companions {
                ends.extend(d.ends_beside(pool, c, ghost));
            }
            guards.extend(c.guards(pool, ghost, &ends));
        }
        let more = self.guards.iter().filter(|(w, _)| *w == width);
        guards.extend(more.map(|(_, g)| *g));
        guards.push(pool.tru());
        let mut seen = BTreeSet::new();
        guards.retain(|g| seen.insert(*g));
        guards
    }

    fn rows(&mut self, head: Loc) -> Vec<Row> {
        let mut plain = Vec::new();
        for atom in self.scalars.clone() {
            plain.extend(variants(self.pool(), atom));
        }
        plain.extend(&self.more);
        let counters: Vec<&Counter> = self.shapes.counters.values().collect();
        for (i, c) in counters.iter().enumerate() {
            let pool = &mut self.cfa.program.pool;
            plain.extend(c.bounds(pool));
            for other in &counters[..i] {
                plain.extend(c.in_lockstep(pool, other));
                if self.beside.contains(&(c.var, other.var)) {
                    plain.extend(c.ahead(pool, other));
                }
            }
        }
        let mut rows = Vec::new();
        let mut seen = BTreeSet::new();
        for t in plain {
            if self.can_say(head, t) && seen.insert(t) {
                rows.push(Row::new(t));
            }
        }
        for width in self.shapes.ghosts.keys().copied().collect::<Vec<_>>() {
            let mut guards = self.guards(width);
            let plain = guards.clone();
            for flag in self.flags() {
                let both = plain.iter().map(|&g| self.cfa.program.pool.and(g, flag));
                guards.extend(both.collect::<Vec<_>>());
            }
            let facts = self.facts.iter().filter(|f| f.width == width);
            let family = Family {
                guards,
                facts: facts.map(|f| f.term).collect(),
            };
            self.rows_of(head, &family, &mut rows, &mut seen);
        }
        rows
    }

    fn rows_of_objects(&mut self, head: Loc) -> Vec<Row> {
        let mut rows = Vec::new();
        let mut seen = BTreeSet::new();
        for t in self.of_objects.clone() {
            if self.can_say(head, t) && seen.insert(t) {
                rows.push(Row::new(t));
            }
        }
        let families = std::mem::take(&mut self.families);
        for family in &families {
            self.rows_of(head, family, &mut rows, &mut seen);
        }
        self.families = families;
        rows
    }

    fn rows_of(
        &mut self,
        head: Loc,
        family: &Family,
        rows: &mut Vec<Row>,
        seen: &mut BTreeSet<Term>,
    ) {
        for &fact in &family.facts {
            for &guard in &family.guards {
                let pool = self.pool();
                let outside = pool.not(guard);
                let t = pool.or(outside, fact);
                if self.can_say(head, t) && seen.insert(t) {
                    rows.push(Row::new(t));
                }
            }
        }
    }

    /// Whether `t` is about ghosts and live variables of `head`.
    fn can_say(&self, head: Loc, t: Term) -> bool {
        let pool = &self.cfa.program.pool;
        let live = self.cfa.live(head);
        let ghosts = &self.shapes.ghosts;
        let known = |v: &Var| live.binary_search(v).is_ok() || ghosts.values().any(|g| g == v);
        pool.as_bool(t).is_none() && pool.free_vars([t]).iter().all(known)
    }
}

impl Row {
    fn new(fact: Term) -> Row {
        Row {
            fact,
            stronger: Vec::new(),
            stands: true,
        }
    }
}

/// The value of the ghost at which the cell of `shape` is the one at a constant index.
fn at_constant(pool: &mut TermPool, shape: Shape, ghost: Var, index: Term) -> Option<Term> {
    let wide = pool.width(index);
    if pool.ty(shape.index) != pool.ty(index) || shape.width > wide {
        return None;
    }
    let parts = [0, wide - shape.width].map(|low| pool.extract(low + shape.width - 1, low, index));
    parts.into_iter().find(|&part| {
        let map = FxHashMap::from_iter([(ghost, part)]);
        pool.substitute(shape.index, &map) == index
    })
}

/// Sorts rows so that those with fewer parts come first, and notes for each which ones say more: those whose parts are among its own.
fn order(pool: &TermPool, rows: &mut [Row]) {
    let mut clauses: Vec<(usize, Vec<(Term, bool)>)> = rows
        .iter()
        .enumerate()
        .map(|(i, row)| (i, clause(pool, row.fact)))
        .collect();
    clauses.sort_by_key(|(i, parts)| (parts.len(), *i));
    let facts: Vec<Term> = clauses.iter().map(|(i, _)| rows[*i].fact).collect();
    let numbers: FxHashMap<&[(Term, bool)], usize> = clauses
        .iter()
        .enumerate()
        .map(|(n, (_, parts))| (&parts[..], n))
        .collect();
    for (n, (row, (_, parts))) in rows.iter_mut().zip(&clauses).enumerate() {
        *row = Row::new(facts[n]);
        if parts.len() > MAX_PARTS {
            continue;
        }
        for chosen in 1..(1u32 << parts.len()) - 1 {
            let some = parts.iter().enumerate();
            let some = some.filter(|(i, _)| chosen >> i & 1 == 1);
            let some: Vec<(Term, bool)> = some.map(|(_, part)| *part).collect();
            row.stronger.extend(numbers.get(&some[..]));
        }
    }
}

/// The parts of which one has to hold for `t` to hold, and whether it has to be true.
fn clause(pool: &TermPool, t: Term) -> Vec<(Term, bool)> {
    let mut parts = Vec::new();
    let mut todo = vec![(t, true)];
    while let Some((u, holds)) = todo.pop() {
        match (pool.op(u), holds) {
            (Op::Not, _) => todo.push((pool.arg(u, 0), !holds)),
            (Op::Or, true) | (Op::And, false) => todo.extend(pool.args(u).map(|a| (a, holds))),
            _ => parts.push((u, holds)),
        }
    }
    parts.sort_unstable();
    parts.dedup();
    parts
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
