//! How objects of the heap are linked.
//!
//! Objects are numbered in the order of allocation, and the number is the high part of the address. So an object is
//! there when its number is below the next one, and lists that are built at one end have links that only fall or only rise: they have an
//! end without anybody having to speak of reachability.

use super::Maker;
use crate::shape::Shape;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use trellis_ivl::{Op, Term, TermPool, Type, Var};

/// Pointers that are looked at, at most.
const MAX_POINTERS: usize = 12;

/// Bits below the number in an address, where the shape is that of an address.
pub(super) fn low(pool: &TermPool, shape: &Shape) -> Option<u32> {
    let is_number = |t: Term| {
        let var = pool.as_var(t);
        var.is_some_and(|_| pool.ty(t) == Type::Bv(shape.width))
    };
    let address = pool.op(shape.index) == Op::Concat && is_number(pool.arg(shape.index, 0));
    address.then(|| pool.width(shape.index) - shape.width)
}

/// A class of objects with addresses.
pub(super) struct Heap {
    pub(super) shape: Shape,
    /// Bits below the number.
    pub(super) low: u32,
    /// The number of the first.
    pub(super) start: Term,
}

impl Heap {
    /// The number of the object at an address.
    pub(super) fn number(&self, pool: &mut TermPool, address: Term) -> Term {
        pool.extract(self.shape.width + self.low - 1, self.low, address)
    }

    /// Whether the object of a number has been made.
    pub(super) fn made(&self, pool: &mut TermPool, number: Term) -> Term {
        let next = pool.var(self.shape.counter);
        let (a, b) = (pool.bvsub(number, self.start), pool.bvsub(next, self.start));
        pool.bvult(a, b)
    }

    /// Whether a number is that of the object that was made last.
    pub(super) fn newest(&self, pool: &mut TermPool, number: Term) -> Term {
        let one = pool.num(self.shape.width, 1);
        let next = pool.var(self.shape.counter);
        let newest = pool.bvsub(next, one);
        pool.eq(number, newest)
    }

    /// Whether a pointer leads to the start of an object.
    fn leads(&self, pool: &mut TermPool, ghost: Var, pointer: Term) -> Term {
        let number = self.number(pool, pointer);
        let map = FxHashMap::from_iter([(ghost, number)]);
        let start = pool.substitute(self.shape.index, &map);
        let exact = pool.eq(start, pointer);
        let made = self.made(pool, number);
        pool.and(exact, made)
    }
}

impl Maker<'_> {
    /// Adds facts about pointers in variables and in objects; the number of the next object, if there is a heap.
    pub(super) fn links(&mut self) -> Option<Var> {
        let heap = self.heap()?;
        let ghost = self.shapes.ghosts[&heap.shape.width];
        let (variables, members) = self.pointers(&heap);
        self.objects(&heap, &variables, &members);
        let walkers = self.walkers(&variables, &members);
        let pool = &mut self.cfa.program.pool;
        let width = heap.shape.width + heap.low;
        let null = pool.num(width, 0);
        let mut scalars = Vec::new();
        for &v in &variables {
            let p = pool.var(v);
            let (is_null, leads) = (pool.eq(p, null), heap.leads(pool, ghost, p));
            let (other, both) = (pool.not(is_null), pool.or(is_null, leads));
            let number = heap.number(pool, p);
            let newest = heap.newest(pool, number);
            let newest = pool.or(is_null, newest);
            scalars.extend([is_null, other, both, leads, newest]);
        }
        self.more.extend(scalars);
        let mut facts = Vec::new();
        let k = pool.var(ghost);
        let made = heap.made(pool, k);
        for v in walkers {
            let p = pool.var(v);
            let (is_null, number) = (pool.eq(p, null), heap.number(pool, p));
            let (other, older) = (pool.not(is_null), pool.bvule(k, number));
            let (ahead, newer) = (pool.and(other, older), pool.bvult(number, k));
            let behind = pool.or(is_null, newer);
            let (from, to) = (pool.bvule(number, k), pool.bvult(k, number));
            let (rising, risen) = (pool.and(other, from), pool.or(is_null, to));
            for part in [ahead, behind, rising, risen] {
                self.guards.push((heap.shape.width, pool.and(made, part)));
            }
            // How many are left on the way down, as whoever counts live objects counts them.
            let (zero, one) = (pool.num(heap.shape.width, 0), pool.num(heap.shape.width, 1));
            let from_start = pool.bvsub(number, heap.start);
            let rest = pool.bvadd(from_start, one);
            let rest = pool.ite(is_null, zero, rest);
            for c in self.shapes.counters.values() {
                let wide = pool.var_ty(c.var).width().unwrap_or(0) >= heap.shape.width;
                if c.var != heap.shape.counter && wide {
                    let counted = pool.var(c.var);
                    let rest = pool.zext(pool.width(counted), rest);
                    self.more.push(pool.eq(counted, rest));
                }
            }
        }
        for &member in &members {
            let array = pool.var(member);
            let link = pool.select(array, heap.shape.index);
            let (is_null, leads) = (pool.eq(link, null), heap.leads(pool, ghost, link));
            let number = heap.number(pool, link);
            let one = pool.num(heap.shape.width, 1);
            let (before, after) = (pool.bvsub(k, one), pool.bvadd(k, one));
            let orders = [
                pool.tru(),
                pool.bvult(number, k),
                pool.bvult(k, number),
                pool.eq(number, before),
                pool.eq(number, after),
            ];
            facts.push(is_null);
            // All objects in one list: each but the first is linked to the one before it.
            let (first, chained) = (pool.eq(k, heap.start), pool.and(leads, orders[3]));
            let ends = pool.and(is_null, first);
            facts.push(pool.or(ends, chained));
            for order in orders {
                let leads = pool.and(leads, order);
                facts.push(leads);
                facts.push(pool.or(is_null, leads));
            }
        }
        facts.extend(self.beyond(&heap, &members));
        for fact in facts {
            self.add(heap.shape.width, fact);
        }
        Some(heap.shape.counter)
    }

    /// What is asked of the object that a pointer leads to, of all objects that a member leads to which the pointer was read from; and that members lead
    /// elsewhere than pointers.
    fn beyond(&mut self, heap: &Heap, members: &[Var]) -> Vec<Term> {
        let mut facts = Vec::new();
        for (atom, p) in self.of_pointers.clone() {
            for &member in members {
                if self.walkers(&[p], &[member]).is_empty() {
                    continue;
                }
                let pool = &mut self.cfa.program.pool;
                let array = pool.var(member);
                let link = pool.select(array, heap.shape.index);
                let null = pool.num(pool.width(link), 0);
                let is_null = pool.eq(link, null);
                let there = pool.substitute(atom, &FxHashMap::from_iter([(p, link)]));
                let contrary = pool.not(there);
                facts.extend([pool.or(is_null, there), pool.or(is_null, contrary)]);
            }
        }
        let (variables, _) = self.pointers(heap);
        let pool = &mut self.cfa.program.pool;
        for &member in members {
            for &v in &variables {
                let (array, p) = (pool.var(member), pool.var(v));
                let link = pool.select(array, heap.shape.index);
                let same = pool.eq(link, p);
                facts.push(pool.not(same));
            }
        }
        facts
    }

    /// Pointers that follow links.
    fn walkers(&self, variables: &[Var], members: &[Var]) -> Vec<Var> {
        let pool = &self.cfa.program.pool;
        let follows = |v: &Var| {
            let edges = self.cfa.edges();
            let mut news = edges.filter_map(|e| self.cfa.transfer(e).updates.get(v).copied());
            news.any(|new| pool.free_vars([new]).iter().any(|w| members.contains(w)))
        };
        variables.iter().copied().filter(follows).collect()
    }

    fn heap(&self) -> Option<Heap> {
        let pool = &self.cfa.program.pool;
        self.shapes.of.values().flatten().find_map(|&shape| {
            let low = low(pool, &shape)?;
            let counted = self.shapes.counters[&shape.counter].starts.first();
            let start = self.shapes.first_object.or(counted.copied())?;
            Some(Heap { shape, low, start })
        })
    }

    /// The variables and members that hold addresses of objects.
    fn pointers(&self, heap: &Heap) -> (Vec<Var>, Vec<Var>) {
        let pool = &self.cfa.program.pool;
        let address = Type::Bv(heap.shape.width + heap.low);
        let mut variables: BTreeSet<Var> = BTreeSet::new();
        let mut members: BTreeSet<Var> = BTreeSet::new();
        let edges: Vec<_> = self.cfa.edges().collect();
        for &e in &edges {
            let t = self.cfa.transfer(e);
            for u in pool.post_order(t.updates.values().copied().chain([t.guard])) {
                if !matches!(pool.op(u), Op::Select | Op::Store) {
                    continue;
                }
                let index = pool.arg(u, 1);
                if pool.ty(index) != address {
                    continue;
                }
                for v in pool.free_vars([index]) {
                    match pool.var_ty(v) {
                        ty if ty == address => _ = variables.insert(v),
                        Type::Array { elem, .. } if Type::Bv(elem) == address => {
                            members.insert(v);
                        }
                        _ => {}
                    }
                }
            }
        }
        // What is copied from and to a pointer is one, and so is what is read from where pointers are.
        for _ in 0..4 {
            for &e in &edges {
                for (&v, &new) in &self.cfa.transfer(e).updates {
                    let leaves = leaves(pool, new);
                    let vars: Vec<Var> = leaves.iter().filter_map(|&t| pool.as_var(t)).collect();
                    let array = |ty: Type| matches!(ty, Type::Array { elem, .. } if Type::Bv(elem) == address);
                    let own = pool.var_ty(v);
                    let pointer = variables.contains(&v) || members.contains(&v);
                    let from = |w: &Var| variables.contains(w) || members.contains(w);
                    if own == address
                        && (pointer || vars.iter().any(from) || has_number(pool, &leaves, heap))
                    {
                        variables.insert(v);
                    }
                    if array(own) && (pointer || stores(pool, new, &variables)) {
                        members.insert(v);
                    }
                    if pointer && own == address {
                        for w in vars {
                            match pool.var_ty(w) {
                                ty if ty == address
                                    && pool.var_data(w).scope != trellis_ivl::Scope::Auxiliary =>
                                {
                                    variables.insert(w);
                                }
                                ty if array(ty) => _ = members.insert(w),
                                _ => {}
                            }
                        }
                    }
                }
            }
        }
        let take = |s: BTreeSet<Var>| s.into_iter().take(MAX_POINTERS).collect();
        (take(variables), take(members))
    }
}

/// What a value may come from, unchanged but for what is added to it: not what decides between such.
fn leaves(pool: &TermPool, t: Term) -> Vec<Term> {
    let (mut todo, mut found) = (vec![t], BTreeSet::new());
    let mut seen = BTreeSet::new();
    while let Some(t) = todo.pop() {
        if !seen.insert(t) {
            continue;
        }
        match pool.op(t) {
            Op::Ite => todo.extend([pool.arg(t, 1), pool.arg(t, 2)]),
            Op::BvAdd | Op::BvSub => todo.extend([pool.arg(t, 0), pool.arg(t, 1)]),
            Op::Select => todo.push(pool.arg(t, 0)),
            Op::Store => todo.extend([pool.arg(t, 0), pool.arg(t, 2)]),
            _ => _ = found.insert(t),
        }
    }
    found.into_iter().collect()
}

fn has_number(pool: &TermPool, leaves: &[Term], heap: &Heap) -> bool {
    leaves
        .iter()
        .any(|&t| pool.op(t) == Op::Concat && pool.free_vars([t]).contains(&heap.shape.counter))
}

/// Whether a pointer is stored in an array.
fn stores(pool: &TermPool, t: Term, variables: &BTreeSet<Var>) -> bool {
    pool.post_order([t]).into_iter().any(|u| {
        pool.op(u) == Op::Store && {
            let value = pool.as_var(pool.arg(u, 2));
            value.is_some_and(|v| variables.contains(&v))
        }
    })
}
