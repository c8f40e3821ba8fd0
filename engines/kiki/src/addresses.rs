//! The domain of addresses: where a loop reads, and marks that were written for it.
//!
//! A loop that runs to the end of a text, or to the null pointer behind the last entry, stays in its object because what ends it was
//! written there and lies ahead. So each constant that the program stores is a candidate mark for every head at which its address can
//! be said: that it is still there, and that what the loop reads lies before it, and behind the constant that its address begins with.

use crate::domain::Domain;
use crate::guards::{compares, held, is_candidate, is_of_program};
use crate::related::Related;
use crate::row::{Kind, Row};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use trellis_engine_common::{Cfa, terms::replace};
use trellis_ivl::{Loc, Op, Term, TermPool, Transfer, Var};

/// Larger addresses are not looked at.
const MAX_SIZE: usize = 40;
/// Marks and reads of a head at most.
const MAX_MARKS: usize = 12;
const MAX_READS: usize = 6;
/// Programs with more loops are not looked through for each of them.
const MAX_HEADS: usize = 32;
/// Comparisons of what is stored at most.
const MAX_COMPARED: usize = 48;

/// The domain of one program.
#[derive(Default)]
pub struct Addresses {
    found: OnceCell<Found>,
}

/// A cell, and what lies in it. One of them is constant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Mark {
    memory: Var,
    address: Term,
    value: Term,
}

impl Domain for Addresses {
    fn name(&self) -> &'static str {
        "addresses"
    }

    fn is_late(&self) -> bool {
        true
    }

    fn rows(&self, cfa: &mut Cfa, _: &Related, head: Loc) -> Vec<Row> {
        let reads = reads(cfa, head);
        if reads.is_empty() || cfa.heads().len() > MAX_HEADS {
            return Vec::new();
        }
        let mut facts = Vec::new();
        for &(_, read) in &reads {
            let pool = &mut cfa.program.pool;
            if pool.op(read) == Op::BvAdd {
                // Where the object begins lies before what is read, and nothing wraps around.
                let parts = [0, 1].map(|i| pool.arg(read, i));
                facts.extend(parts.map(|part| pool.bvule(part, read)));
            }
        }
        let found = self.found.get_or_init(|| Found::new(cfa));
        let mut here = 0;
        for mark in &found.marks {
            let pool = &mut cfa.program.pool;
            let memory = pool.var(mark.memory);
            let content = pool.select(memory, mark.address);
            let sayable = cfa.can_say(head, content) && cfa.can_say(head, mark.value);
            if here == MAX_MARKS || !sayable {
                continue;
            }
            here += 1;
            let pool = &mut cfa.program.pool;
            facts.push(pool.eq(content, mark.value));
            if !pool.is_const(mark.value) || pool.is_const(mark.address) {
                continue;
            }
            for &(_, read) in reads.iter().filter(|(m, _)| *m == mark.memory) {
                facts.push(pool.bvule(read, mark.address));
                if let Some(base) = base(pool, mark.address) {
                    facts.push(pool.bvule(base, read));
                }
            }
        }
        let compared = found.compared.iter().copied();
        facts.extend(compared.filter(|&fact| cfa.can_say(head, fact)));
        let kind = Kind::Fact;
        let row = |expr| Row { head, expr, kind };
        facts.into_iter().map(row).collect()
    }
}

/// The constant that is added to make an address: where the object begins, if it is one of those that are always there.
fn base(pool: &TermPool, address: Term) -> Option<Term> {
    let mut parts = pool.operands(Op::BvAdd, [address]);
    parts.find(|&part| pool.is_const(part))
}

/// Where the edges of a head read which memory.
fn reads(cfa: &Cfa, head: Loc) -> Vec<(Var, Term)> {
    let mut reads = BTreeSet::new();
    let pool = &cfa.program.pool;
    for &e in cfa.out(head) {
        let t = cfa.transfer(e);
        for u in pool.post_order(t.updates.values().copied().chain([t.guard])) {
            if pool.op(u) != Op::Select {
                continue;
            }
            let address = pool.arg(u, 1);
            let is_word = pool.ty(address).width().is_some() && !pool.is_const(address);
            if let Some(memory) = memory(pool, pool.arg(u, 0))
                && is_word
                && is_small(pool, address)
                && cfa.can_say(head, address)
            {
                reads.insert((memory, address));
            }
        }
    }
    reads.into_iter().take(MAX_READS).collect()
}

/// What edges say of cells, in terms of the program's variables as they are afterwards.
struct Found {
    /// What the program stores, and what it finds where it reads.
    marks: Vec<Mark>,
    /// What it compares, where that is stored at a constant address.
    compared: Vec<Term>,
}

impl Found {
    fn new(cfa: &mut Cfa) -> Found {
        let (mut marks, mut compared) = (BTreeSet::new(), BTreeSet::new());
        for e in cfa.edges().collect::<Vec<_>>() {
            let t = cfa.transfer(e).clone();
            let pool = &mut cfa.program.pool;
            let stored = stored(pool, &t);
            let in_variables = held(pool, &t);
            let in_cells = held_in_cells(pool, &stored);
            for mark in stored.into_iter().chain(tested(pool, t.guard)) {
                let is_word = pool.ty(mark.address).width().is_some();
                if !is_word || !is_small(pool, mark.address) || !is_small(pool, mark.value) {
                    continue;
                }
                let value = replace(pool, mark.value, &in_variables);
                for names in [&in_variables, &in_cells] {
                    let address = replace(pool, mark.address, names);
                    if is_of_program(pool, &[address, value]) {
                        marks.insert(Mark {
                            memory: mark.memory,
                            address,
                            value,
                        });
                    }
                }
            }
            if in_cells.is_empty() {
                continue;
            }
            for u in pool.post_order([t.guard]) {
                if compares(pool, u) {
                    let fact = replace(pool, u, &in_cells);
                    if fact != u && is_candidate(pool, fact) {
                        compared.insert(fact);
                    }
                }
            }
        }
        Found {
            marks: marks.into_iter().collect(),
            compared: compared.into_iter().take(MAX_COMPARED).collect(),
        }
    }
}

/// What stands for terms after an edge, where they are stored at a constant address: that cell. A term to which a constant was added
/// is the cell without it, as the length of a text is the size of its object less one.
fn held_in_cells(pool: &mut TermPool, stored: &[Mark]) -> FxHashMap<Term, Term> {
    let mut held = FxHashMap::default();
    for mark in stored {
        if pool.is_const(mark.value) || pool.ty(mark.value).width().is_none() {
            continue;
        }
        let memory = pool.var(mark.memory);
        let cell = pool.select(memory, mark.address);
        held.insert(mark.value, cell);
        if pool.op(mark.value) == Op::BvAdd {
            let [a, b] = [0, 1].map(|i| pool.arg(mark.value, i));
            for (term, more) in [(a, b), (b, a)] {
                if pool.is_const(more) {
                    held.insert(term, pool.bvsub(cell, more));
                }
            }
        }
    }
    held
}

/// What is written on some way.
fn stored(pool: &TermPool, t: &Transfer) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (&memory, &written) in &t.updates {
        let mut seen = FxHashSet::default();
        let mut open = vec![written];
        while let Some(u) = open.pop() {
            if !pool.ty(u).is_array() || !seen.insert(u) {
                continue;
            }
            match pool.op(u) {
                Op::Ite => open.extend([1, 2].map(|i| pool.arg(u, i))),
                Op::Store => {
                    let [inner, address, value] = [0, 1, 2].map(|i| pool.arg(u, i));
                    open.push(inner);
                    if pool.is_const(value) || pool.is_const(address) {
                        marks.push(Mark {
                            memory,
                            address,
                            value,
                        });
                    }
                }
                _ => {}
            }
        }
    }
    marks
}

fn tested(pool: &TermPool, guard: Term) -> Vec<Mark> {
    let mark = |u: Term| {
        let is_equation = pool.op(u) == Op::Eq && pool.op(pool.arg(u, 0)) == Op::Select;
        let (read, value) = is_equation.then(|| (pool.arg(u, 0), pool.arg(u, 1)))?;
        pool.is_const(value).then_some(Mark {
            memory: memory(pool, pool.arg(read, 0))?,
            address: pool.arg(read, 1),
            value,
        })
    };
    let terms = pool.post_order([guard]);
    terms.into_iter().filter_map(mark).collect()
}

/// The variable below writes to it.
fn memory(pool: &TermPool, mut t: Term) -> Option<Var> {
    while pool.op(t) == Op::Store {
        t = pool.arg(t, 0);
    }
    pool.as_var(t)
}

fn is_small(pool: &TermPool, t: Term) -> bool {
    pool.post_order([t]).len() <= MAX_SIZE
}
