//! What is known at heads: the largest inductive part of what the program compares and assigns.
//!
//! After Flanagan and Leino (Houdini, FME'01): all candidates are assumed, those that a segment breaks are dropped, until
//! none is. A model drops all that it breaks at once.

use crate::candidates::split;
use crate::segments::{Segment, Segments};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use trellis_engine_common::{go_on, try_ask};
use trellis_ivl::termination::{Loop, cone};
use trellis_ivl::{CmdView, Loc, Op, Program, Term, Type, Value, Var};
use trellis_plugin_sdk::{EngineError, Host};
use trellis_solver_api::smt::SmtSession;

/// Candidates at one head, at most.
const MOST: usize = 160;

/// Places of memory of one loop that are told from each other, at most.
const PLACES: usize = 8;

/// Inductive facts by head.
pub struct Facts {
    /// What holds at each head.
    pub at: BTreeMap<Loc, Vec<Term>>,
}

impl Facts {
    /// The facts at the heads of all loops.
    pub fn new(
        segments: &mut Segments,
        loops: &[Loop],
        session: &mut dyn SmtSession,
        host: &mut dyn Host,
    ) -> Result<Facts, EngineError> {
        let mut at = guesses(segments, loops);
        let starts = std::iter::once(None).chain(at.keys().copied().map(Some));
        let mut all = Vec::new();
        for from in starts.collect::<Vec<_>>() {
            go_on(host)?;
            all.extend(segments.from(from, &|_, _| true));
        }
        houdini(
            segments,
            &all,
            &FxHashMap::default(),
            &mut at,
            session,
            host,
        )?;
        Ok(Facts { at })
    }

    /// All that is known at a head, as one formula.
    pub fn known(&self, segments: &mut Segments, head: Loc) -> Term {
        let facts = self.at.get(&head).cloned().unwrap_or_default();
        segments.program.pool.and_all(facts)
    }
}

/// Drops candidates until what is left is inductive over `all`. What is known besides, by head, is assumed where a segment begins.
pub fn houdini(
    segments: &mut Segments,
    all: &[Segment],
    known: &FxHashMap<Loc, Term>,
    at: &mut BTreeMap<Loc, Vec<Term>>,
    session: &mut dyn SmtSession,
    host: &mut dyn Host,
) -> Result<(), EngineError> {
    session.set_kind("houdini");
    // What a segment makes of the candidates at its end.
    let mut after: FxHashMap<(usize, Term), Term> = FxHashMap::default();
    loop {
        let mut changed = false;
        for (i, s) in all.iter().enumerate() {
            loop {
                go_on(host)?;
                let candidates = at.get(&s.to).cloned().unwrap_or_default();
                if candidates.is_empty() {
                    break;
                }
                let mut holds = Vec::with_capacity(candidates.len());
                for &t in &candidates {
                    let there = *after
                        .entry((i, t))
                        .or_insert_with(|| segments.program.pool.substitute(t, &s.env));
                    holds.push(there);
                }
                let pool = &mut segments.program.pool;
                let kept = pool.and_all(holds.iter().copied());
                let mut assumed = vec![s.taken, pool.not(kept)];
                if let Some(from) = s.from {
                    assumed.extend(at.get(&from).into_iter().flatten());
                    assumed.extend(known.get(&from));
                }
                let broken: FxHashSet<Term> = match try_ask(session, pool, &assumed)? {
                    Some(false) => break,
                    Some(true) => {
                        let mut broken = FxHashSet::default();
                        for (&t, &there) in candidates.iter().zip(&holds) {
                            if session.value(pool, there)? == Value::Bool(false) {
                                broken.insert(t);
                            }
                        }
                        broken
                    }
                    None => candidates.iter().copied().collect(),
                };
                if broken.is_empty() {
                    return Err(EngineError::Internal("a model breaks no candidate".into()));
                }
                if let Some(list) = at.get_mut(&s.to) {
                    list.retain(|t| !broken.contains(t));
                }
                changed = true;
            }
        }
        if !changed {
            return Ok(());
        }
    }
}

/// Candidates by head: conditions of the program over what the loop reads or writes, either way, and what is assigned to it.
fn guesses(segments: &mut Segments, loops: &[Loop]) -> BTreeMap<Loc, Vec<Term>> {
    let program = &mut segments.program;
    let (mut conditions, mut constants) = (Vec::new(), Vec::new());
    let edges: Vec<_> = program.edges.keys().collect();
    for &e in &edges {
        let Some(cmd) = program.edge_cmd(e) else {
            continue;
        };
        program.cmds.for_each_leaf(cmd, |leaf| match leaf {
            CmdView::Assume(t) => conditions.push(t),
            CmdView::Assign(items) => {
                let numbers = items
                    .iter()
                    .filter(|(_, t)| program.pool.as_bv(*t).is_some());
                constants.extend(numbers.copied());
            }
            _ => {}
        });
    }
    let atoms = split(&program.pool, conditions);
    let mut both = Vec::with_capacity(2 * atoms.len() + 4 * constants.len());
    for t in atoms {
        let not = program.pool.not(t);
        both.extend([t, not]);
    }
    for (v, t) in constants {
        if !matches!(program.pool.var_ty(v), Type::Bv(w) if w <= 64) {
            continue;
        }
        let pool = &mut program.pool;
        let v = pool.var(v);
        both.extend([
            pool.bvsle(t, v),
            pool.bvsle(v, t),
            pool.bvule(t, v),
            pool.bvule(v, t),
        ]);
    }
    let mut seen = FxHashSet::default();
    both.retain(|t| seen.insert(*t) && !program.pool.is_const(*t));
    let with_vars: Vec<(Term, Vec<Var>)> = both
        .into_iter()
        .map(|t| (t, program.pool.free_vars([t])))
        .collect();
    let stores = stores(program);
    let mut found = BTreeMap::new();
    for (i, of) in loops.iter().enumerate() {
        // What the loops around this one read is to be known in it as well.
        let around = loops.iter().filter(|l| l.contains(of.head));
        let near: FxHashSet<Var> = around.flat_map(|l| touched(program, l)).collect();
        let mut list = memory_facts(program, of, &near, &stores);
        let scalar = |p: &Program, v: Var| !matches!(p.pool.var_ty(v), Type::Array { .. });
        let about = |p: &Program, vars: &[Var], of: &dyn Fn(Var) -> bool| {
            vars.len() <= 4 && vars.iter().all(|&v| of(v) && scalar(p, v))
        };
        for (t, vars) in &with_vars {
            if about(program, vars, &|v| near.contains(&v)) {
                list.push(*t);
            }
        }
        // What later loops have to know, and this one leaves alone, has to get there.
        let written = written(program, of);
        for later in loops[i + 1..].iter().filter(|l| !of.contains(l.head)) {
            if list.len() >= MOST {
                break;
            }
            let there = touched(program, later);
            let mut carried = memory_facts(program, later, &there, &stores);
            carried.extend(
                (with_vars.iter())
                    .filter(|(_, vars)| about(program, vars, &|v| there.contains(&v)))
                    .map(|(t, _)| *t),
            );
            let kept = |t: &Term| {
                let vars = program.pool.free_vars([*t]);
                !vars.iter().any(|v| written.contains(v)) && !list.contains(t)
            };
            carried.retain(kept);
            list.extend(carried);
        }
        list.truncate(MOST);
        found.insert(of.head, list);
    }
    found
}

/// The variables that a loop may change.
fn written(program: &Program, of: &Loop) -> FxHashSet<Var> {
    let cmds = of.edges(program).filter_map(|e| program.edge_cmd(e));
    cmds.flat_map(|c| program.cmds.modified(c)).collect()
}

/// Constants that the program writes to a memory: which, where, what.
fn stores(program: &Program) -> Vec<(Var, Term, Term)> {
    let mut found = Vec::new();
    for e in program.edges.keys() {
        let Some(cmd) = program.edge_cmd(e) else {
            continue;
        };
        program.cmds.for_each_leaf(cmd, |leaf| {
            let CmdView::Assign(items) = leaf else {
                return;
            };
            for &(memory, t) in items {
                let (pool, mut t) = (&program.pool, t);
                while pool.op(t) == Op::Store {
                    let (at, value) = (pool.arg(t, 1), pool.arg(t, 2));
                    if pool.is_const(value) && pool.free_vars([at]).len() <= 4 {
                        found.push((memory, at, value));
                    }
                    t = pool.arg(t, 0);
                }
            }
        });
    }
    found
}

/// What may be known of memory: what was written is still there, pointers have not passed the place, places differ.
fn memory_facts(
    program: &mut Program,
    of: &Loop,
    touched: &FxHashSet<Var>,
    stores: &[(Var, Term, Term)],
) -> Vec<Term> {
    let cone = cone(program, of);
    let mut found = Vec::new();
    for &(memory, at, value) in stores.iter().filter(|s| touched.contains(&s.0)) {
        let ty = program.pool.ty(at);
        let own = program.pool.free_vars([at]).contains(&memory);
        if own || !matches!(program.pool.var_ty(memory), Type::Array { .. }) {
            continue;
        }
        let pool = &mut program.pool;
        let array = pool.var(memory);
        let there = pool.select(array, at);
        found.push(pool.eq(there, value));
        for &v in cone
            .iter()
            .filter(|&&v| pool.var_ty(v) == ty)
            .collect::<Vec<_>>()
        {
            let v = pool.var(v);
            found.push(pool.bvule(v, at));
        }
    }
    let places = places(program, of);
    for (i, &a) in places.iter().enumerate() {
        for &b in &places[..i] {
            if program.pool.ty(a) == program.pool.ty(b) {
                let differ = program.pool.ne(a, b);
                found.push(differ);
            }
        }
    }
    found.retain(|&t| !program.pool.is_const(t));
    found
}

/// Variables by which a loop reads or writes memory.
fn places(program: &Program, of: &Loop) -> Vec<Term> {
    let mut terms = Vec::new();
    for e in of.edges(program) {
        if let Some(cmd) = program.edge_cmd(e) {
            terms.extend(program.cmds.terms(cmd));
        }
    }
    let pool = &program.pool;
    let indexed = pool.post_order(terms).into_iter();
    let indexed = indexed.filter(|&t| matches!(pool.op(t), Op::Select | Op::Store));
    let mut places: Vec<Term> = indexed.map(|t| pool.arg(t, 1)).collect();
    places.retain(|&t| pool.as_var(t).is_some());
    places.sort_unstable();
    places.dedup();
    places.truncate(PLACES);
    places
}

/// The variables that a loop reads or writes.
fn touched(program: &Program, of: &Loop) -> FxHashSet<Var> {
    let mut vars = FxHashSet::default();
    for e in of.edges(program) {
        if let Some(cmd) = program.edge_cmd(e) {
            vars.extend(program.cmds.modified(cmd));
            vars.extend(program.pool.free_vars(program.cmds.terms(cmd)));
        }
    }
    vars
}
