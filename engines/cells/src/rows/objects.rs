//! Objects of several kinds, and the object that is watched.
//!
//! Where memory is checked, an array says what lives in each slot: what made it, as long as it is alive. So a fact may be about the live
//! objects of one place: that all of them are linked to objects of another, or to the next that was made. And a program that is checked
//! for leaks watches any one object: a fact about it is one about all, so that what relates two objects has one ghost
//! (whatever is alive behind k is behind the object that k is linked to).

use super::links::Heap;
use super::{Family, Maker, variants};
use crate::shape::{has_cells, writes};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use trellis_ivl::{Op, Term, TermPool, Type, Var};

/// Kinds of objects at most.
const MAX_KINDS: usize = 5;
/// Conditions on what objects hold at most.
const MAX_CONDITIONS: usize = 3;
/// Pointers that a member may be equal to at most.
const MAX_ANCHORS: usize = 2;
/// Pointers that may lead to the last object at most.
const MAX_LASTS: usize = 3;
/// Pointers at fixed addresses at most.
const MAX_FIXED: usize = 4;

/// What is said of the state of the ghost's slot.
struct Kinds {
    /// The ghost.
    k: Term,
    /// Something lives there.
    live: Term,
    /// What was made at one place lives there.
    all: Vec<Term>,
}

impl Kinds {
    /// Being alive, being of a kind, being of none.
    fn claims(&self, pool: &mut TermPool) -> Vec<Term> {
        let mut claims = vec![self.live];
        // Where all are of one kind, that they are alive says as much.
        if self.all.len() > 1 {
            claims.extend(&self.all);
            claims.extend(self.all.iter().map(|&kind| pool.not(kind)));
        }
        claims
    }
}

/// The object that is watched.
#[derive(Clone, Copy)]
struct Watched {
    slot: Term,
    is_live: Term,
}

impl Heap {
    /// Whether a pointer leads to the start of an object, whatever is there.
    fn to_start(&self, pool: &mut TermPool, ghost: Var, pointer: Term) -> Term {
        let number = self.number(pool, pointer);
        let map = FxHashMap::from_iter([(ghost, number)]);
        let start = pool.substitute(self.shape.index, &map);
        pool.eq(start, pointer)
    }
}

impl Maker<'_> {
    /// Adds what is said of objects by their kinds, and of the watched one.
    pub(super) fn objects(&mut self, heap: &Heap, variables: &[Var], members: &[Var]) {
        if members.is_empty() {
            return;
        }
        let width = heap.shape.width;
        let ghost = self.shapes.ghosts[&width];
        let pointers = self.pointer_terms(variables, members);
        let kinds = self.kinds(heap, ghost);
        if let Some(kinds) = &kinds {
            self.scalars_of_kinds(heap, ghost, &pointers, kinds);
            let conditions = self.conditions(heap, members);
            let mut facts = self.positions(heap, ghost, &pointers);
            facts.extend(self.links_of_kinds(heap, &pointers, members, kinds));
            let lasts = self.lasts(heap, ghost, &pointers);
            let pool = self.pool();
            for &c in &conditions {
                facts.push(c);
                facts.extend(lasts.iter().map(|&last| pool.or(c, last)));
            }
            let mut guards = vec![kinds.live];
            if kinds.all.len() > 1 {
                guards.extend(&kinds.all);
            }
            let plain = guards.clone();
            for &guard in &plain {
                guards.extend(conditions.iter().map(|&c| pool.and(guard, c)));
            }
            self.families.push(Family { guards, facts });
            let known = self.facts.iter().filter(|f| f.width == width);
            let mut asked: Vec<Term> = known.map(|f| f.term).collect();
            asked.push(heap.made(self.pool(), kinds.k));
            self.families.push(Family {
                guards: plain,
                facts: asked,
            });
            for atom in self.scalars.clone() {
                let rows = variants(self.pool(), atom);
                self.of_objects.extend(rows);
            }
        }
        if let Some(watched) = self.watched(width) {
            self.of_watched(heap, ghost, watched, &pointers, members, kinds.as_ref());
        }
    }

    /// Variables, and cells at fixed addresses, that hold pointers.
    fn pointer_terms(&mut self, variables: &[Var], members: &[Var]) -> Vec<Term> {
        let mut found: BTreeSet<Term> = BTreeSet::new();
        for e in self.cfa.edges().collect::<Vec<_>>() {
            for w in writes(self.cfa, e) {
                let pool = self.pool();
                if members.contains(&w.array) && pool.as_bv(w.index).is_some() {
                    let array = pool.var(w.array);
                    found.insert(pool.select(array, w.index));
                }
            }
        }
        let pool = self.pool();
        let mut pointers: Vec<Term> = variables.iter().map(|&v| pool.var(v)).collect();
        pointers.extend(found.into_iter().take(MAX_FIXED));
        pointers
    }

    fn kinds(&mut self, heap: &Heap, ghost: Var) -> Option<Kinds> {
        let (states, values) = self.states(heap)?;
        let pool = self.pool();
        let (states, k) = (pool.var(states), pool.var(ghost));
        let cell = pool.select(states, k);
        let zero = pool.num(pool.width(cell), 0);
        let dead = pool.eq(cell, zero);
        let live = pool.not(dead);
        let all: Vec<Term> = values.iter().map(|&c| pool.eq(cell, c)).collect();
        Some(Kinds { k, live, all })
    }

    /// The array that says what lives in a slot: one over slots that only ever gets constants; with the values that say that something does.
    fn states(&mut self, heap: &Heap) -> Option<(Var, Vec<Term>)> {
        let mut found: FxHashMap<Var, Option<BTreeSet<Term>>> = FxHashMap::default();
        for e in self.cfa.edges().collect::<Vec<_>>() {
            for w in writes(self.cfa, e) {
                let pool = &self.cfa.program.pool;
                if pool.ty(w.index) != Type::Bv(heap.shape.width) {
                    continue;
                }
                let all = found
                    .entry(w.array)
                    .or_insert_with(|| Some(BTreeSet::new()));
                let mut todo = vec![w.value];
                while let (Some(t), Some(values)) = (todo.pop(), all.as_mut()) {
                    match pool.op(t) {
                        Op::BvConst => _ = values.insert(t),
                        Op::Ite => todo.extend([pool.arg(t, 1), pool.arg(t, 2)]),
                        Op::Select if pool.as_var(pool.arg(t, 0)) == Some(w.array) => {}
                        _ => *all = None,
                    }
                }
            }
        }
        let pool = &self.cfa.program.pool;
        let zero = |t: &Term| pool.as_bv(*t).and_then(|c| c.to_u64()) == Some(0);
        let mut all: Vec<(Var, BTreeSet<Term>)> = found
            .into_iter()
            .filter_map(|(v, values)| Some((v, values?)))
            .filter(|(_, values)| values.iter().any(zero))
            .collect();
        all.sort();
        let (states, values) = all.into_iter().next()?;
        let values = values.into_iter().filter(|t| !zero(t));
        Some((states, values.take(MAX_KINDS).collect()))
    }

    /// A number of an object that nothing changes, and a truth value that changes by it.
    fn watched(&mut self, width: u32) -> Option<Watched> {
        let mut changed: FxHashMap<Var, Vec<Term>> = FxHashMap::default();
        let mut moved = BTreeSet::new();
        for e in self.cfa.edges() {
            let t = self.cfa.transfer(e);
            for (&v, &new) in &t.updates {
                changed.entry(v).or_default().push(new);
                let pool = &self.cfa.program.pool;
                let of_input = |i: &Var| t.inputs.contains(i);
                if pool.as_var(new) != Some(v) && !pool.free_vars([new]).iter().all(of_input) {
                    moved.insert(v);
                }
            }
        }
        let pool = &self.cfa.program.pool;
        let mut flags: Vec<Var> = changed.keys().copied().collect();
        flags.retain(|v| pool.var_ty(*v) == Type::Bool);
        flags.sort();
        let (flag, slot) = flags.into_iter().find_map(|flag| {
            let vars = pool.free_vars(changed[&flag].iter().copied());
            let mut slots = vars.into_iter().filter(|v| {
                pool.var_ty(*v) == Type::Bv(width)
                    && !moved.contains(v)
                    && pool.var_data(*v).scope != trellis_ivl::Scope::Auxiliary
            });
            Some((flag, slots.next()?))
        })?;
        let pool = self.pool();
        Some(Watched {
            slot: pool.var(slot),
            is_live: pool.var(flag),
        })
    }

    /// What the program asks of words that objects hold, pointers excepted.
    fn conditions(&mut self, heap: &Heap, members: &[Var]) -> Vec<Term> {
        let pool = &self.cfa.program.pool;
        let of_word = |t: Term| {
            pool.op(t) == Op::Eq
                && pool.as_bv(pool.arg(t, 0)).is_some() | pool.as_bv(pool.arg(t, 1)).is_some()
                && [pool.arg(t, 0), pool.arg(t, 1)].iter().any(|&u| {
                    pool.op(u) == Op::Select
                        && pool.arg(u, 1) == heap.shape.index
                        && !pool
                            .as_var(pool.arg(u, 0))
                            .is_some_and(|v| members.contains(&v))
                        && pool.ty(pool.arg(u, 1)) == Type::Bv(heap.shape.width + heap.low)
                })
        };
        let mut found = Vec::new();
        for f in self.facts.iter().filter(|f| f.width == heap.shape.width) {
            let atom = match pool.op(f.term) {
                Op::Not => pool.arg(f.term, 0),
                _ => f.term,
            };
            if of_word(atom) && has_cells(pool, atom) && !found.contains(&atom) {
                found.push(atom);
            }
        }
        found.truncate(MAX_CONDITIONS);
        let pool = self.pool();
        let contraries: Vec<Term> = found.iter().map(|&c| pool.not(c)).collect();
        found.extend(contraries);
        found
    }

    /// Pointers lead to objects of a kind, or to the newest: whoever ends there has met all.
    fn scalars_of_kinds(&mut self, heap: &Heap, ghost: Var, pointers: &[Term], kinds: &Kinds) {
        let pool = &mut self.cfa.program.pool;
        let mut claims = kinds.claims(pool);
        claims.push(heap.newest(pool, kinds.k));
        for &p in pointers {
            let null = pool.num(pool.width(p), 0);
            let is_null = pool.eq(p, null);
            let at_start = heap.to_start(pool, ghost, p);
            let number = heap.number(pool, p);
            let map = FxHashMap::from_iter([(ghost, number)]);
            self.of_objects
                .extend([at_start, pool.or(is_null, at_start)]);
            for &claim in &claims {
                let there = pool.substitute(claim, &map);
                self.of_objects.extend([there, pool.or(is_null, there)]);
            }
        }
    }

    /// Where an object is, as seen from pointers; the first one may be an exception.
    fn positions(&mut self, heap: &Heap, ghost: Var, pointers: &[Term]) -> Vec<Term> {
        let pool = &mut self.cfa.program.pool;
        let k = pool.var(ghost);
        let first = pool.eq(k, heap.start);
        let mut facts = Vec::new();
        for &p in pointers {
            let null = pool.num(pool.width(p), 0);
            let is_null = pool.eq(p, null);
            let other = pool.not(is_null);
            let number = heap.number(pool, p);
            let (from, to) = (pool.bvule(number, k), pool.bvule(k, number));
            let later = pool.bvult(heap.start, number);
            facts.extend([other, from, to, pool.or(first, later), pool.or(first, from)]);
        }
        facts
    }

    /// Which object the last one may be, of which less is known.
    fn lasts(&mut self, heap: &Heap, ghost: Var, pointers: &[Term]) -> Vec<Term> {
        let pool = &mut self.cfa.program.pool;
        let k = pool.var(ghost);
        let mut lasts = vec![pool.eq(k, heap.start), heap.newest(pool, k)];
        for &p in pointers.iter().take(MAX_LASTS) {
            let number = heap.number(pool, p);
            lasts.push(pool.eq(k, number));
        }
        lasts
    }

    /// Members are null, or equal to something, or lead to objects of a kind in some order.
    fn links_of_kinds(
        &mut self,
        heap: &Heap,
        pointers: &[Term],
        members: &[Var],
        kinds: &Kinds,
    ) -> Vec<Term> {
        let ghost = self.shapes.ghosts[&heap.shape.width];
        let lasts = self.lasts(heap, ghost, pointers);
        let pool = &mut self.cfa.program.pool;
        let to_first = FxHashMap::from_iter([(ghost, heap.start)]);
        let first = pool.substitute(heap.shape.index, &to_first);
        let k = kinds.k;
        let mut facts = lasts.clone();
        facts.extend(lasts.iter().map(|&last| pool.not(last)));
        for &member in members {
            let array = pool.var(member);
            let link = pool.select(array, heap.shape.index);
            let null = pool.num(pool.width(link), 0);
            let number = heap.number(pool, link);
            let is_null = pool.eq(link, null);
            let simple = vec![
                pool.fls(),
                is_null,
                pool.eq(link, heap.shape.index),
                pool.eq(link, first),
            ];
            let mut ends = simple.clone();
            ends.extend(pointers.iter().take(MAX_ANCHORS).map(|&p| pool.eq(link, p)));
            facts.extend(&ends[1..]);
            for &end in &simple[1..] {
                let contrary = pool.not(end);
                facts.extend(lasts.iter().map(|&last| pool.or(last, contrary)));
            }
            ends.extend(&lasts);
            let at_start = heap.to_start(pool, ghost, link);
            let one = pool.num(heap.shape.width, 1);
            let (before, after) = (pool.bvsub(k, one), pool.bvadd(k, one));
            let orders = [
                pool.bvult(number, k),
                pool.bvult(k, number),
                pool.eq(number, before),
                pool.eq(number, after),
            ];
            let map = FxHashMap::from_iter([(ghost, number)]);
            let mut claims = orders.to_vec();
            // What is made for an object is made right after it, or right before the next.
            let two = pool.num(heap.shape.width, 2);
            let next = pool.eq(number, after);
            for (near, far) in [(after, pool.bvadd(k, two)), (before, pool.bvsub(k, two))] {
                let beside = pool.eq(number, near);
                let second = pool.eq(number, far);
                claims.push(pool.or(beside, second));
                let map = FxHashMap::from_iter([(ghost, near)]);
                for &kind in &kinds.all {
                    let there = pool.substitute(kind, &map);
                    let other = pool.not(there);
                    claims.push(pool.or(beside, other));
                }
            }
            for &other in members.iter().filter(|&&m| m != member) {
                let array = pool.var(other);
                let own = pool.select(array, heap.shape.index);
                let own = heap.number(pool, own);
                let own = pool.eq(own, after);
                claims.push(pool.or(next, own));
            }
            claims.push(at_start);
            claims.push(pool.substitute(kinds.live, &map));
            for &claim in &claims {
                facts.extend(ends.iter().map(|&end| pool.or(end, claim)));
            }
            for claim in kinds.claims(pool).into_iter().skip(1) {
                let there = pool.substitute(claim, &map);
                facts.extend(simple.iter().map(|&end| pool.or(end, there)));
            }
        }
        facts
    }

    fn of_watched(
        &mut self,
        heap: &Heap,
        ghost: Var,
        watched: Watched,
        pointers: &[Term],
        members: &[Var],
        kinds: Option<&Kinds>,
    ) {
        let width = heap.shape.width;
        self.marks.push((width, watched.slot));
        let positions = self.positions(heap, ghost, pointers);
        let lasts = self.lasts(heap, ghost, pointers);
        let pool = &mut self.cfa.program.pool;
        let (w, is_live) = (watched.slot, watched.is_live);
        let to_watched = FxHashMap::from_iter([(ghost, w)]);
        let own_kinds: Vec<Term> = kinds
            .iter()
            .flat_map(|kinds| &kinds.all)
            .map(|&c| pool.substitute(c, &to_watched))
            .collect();
        let mut scalars = vec![pool.fls(), heap.made(pool, w)];
        scalars.extend(&own_kinds);
        if let Some(kinds) = kinds {
            let live = pool.substitute(kinds.live, &to_watched);
            scalars.push(live);
            let dead = pool.not(live);
            self.of_objects.push(pool.or(is_live, dead));
        }
        for &position in positions.iter().chain(&lasts) {
            let there = pool.substitute(position, &to_watched);
            scalars.extend([there, pool.not(there)]);
        }
        let mut guards = vec![is_live];
        if own_kinds.len() > 1 {
            guards.extend(own_kinds.iter().map(|&c| pool.and(is_live, c)));
        }
        for &guard in &guards {
            let outside = pool.not(guard);
            let rows = scalars.iter().map(|&fact| pool.or(outside, fact));
            self.of_objects.extend(rows.collect::<Vec<_>>());
        }
        let facts = ways(pool, heap, ghost, w, members);
        let of_watched = guards.clone();
        for &kind in kinds.iter().flat_map(|kinds| &kinds.all) {
            guards.extend(of_watched.iter().map(|&g| pool.and(g, kind)));
        }
        self.families.push(Family { guards, facts });
    }
}

/// How the watched object is reached from another: it is on the same side as the object that a member leads to, and not
/// passed over; or another member, which belongs to that object, leads to it.
fn ways(pool: &mut TermPool, heap: &Heap, ghost: Var, watched: Term, members: &[Var]) -> Vec<Term> {
    let k = pool.var(ghost);
    let mut numbers = Vec::new();
    for &m in members {
        let array = pool.var(m);
        let link = pool.select(array, heap.shape.index);
        numbers.push(heap.number(pool, link));
    }
    let mut facts = Vec::new();
    for &number in &numbers {
        facts.push(pool.eq(number, watched));
        let (newer, older) = (pool.bvult(k, watched), pool.bvult(watched, k));
        let (rises, up_to) = (pool.bvult(k, number), pool.bvule(number, watched));
        let (falls, down_to) = (pool.bvult(number, k), pool.bvule(watched, number));
        for (side, way, far) in [(newer, rises, up_to), (older, falls, down_to)] {
            let elsewhere = pool.not(side);
            for part in [way, far] {
                let fact = pool.or(elsewhere, part);
                facts.push(fact);
                for &own in numbers.iter().filter(|&&n| n != number) {
                    let there = pool.eq(own, watched);
                    facts.push(pool.or(fact, there));
                }
            }
        }
    }
    facts
}
