//! A flat program prepared for unrolling: what every round needs and none recomputes.
//!
//! - *Heads*: targets of back edges of one depth-first search, as the checker chooses them, so that
//!   every cycle passes through a head, also where the graph is irreducible. Between heads the graph is
//!   acyclic; a path from one head to the next is a *segment*.
//! - What cannot reach an error or incomplete location is left out.
//! - *Live* variables of a location: those that can still influence a guard on the way to an error.
//!   Only they have values in an unrolling, which is slicing for free.
//! - Whether at most one edge of a location to another plain location can be taken: where not, the unrolling
//!   adds selectors. Edges to errors need none: whoever can take one need not say what else it could do.

use crate::ask::{ask, go_on};
use cranelift_entity::{EntitySet, SecondaryMap};
use rustc_hash::{FxHashMap, FxHashSet};
use trellis_ivl::graph::{Adjacency, DepthFirst};
use trellis_ivl::{Edge, Loc, LocKind, Program, Scope, Term, TermPool, Transfer, Var};
use trellis_plugin_sdk::{EngineError, Host, NoHost};
use trellis_solver_api::smt::SmtSession;

/// Beyond this many edges of one location their guards are not compared by the solver.
const MAX_COMPARED: usize = 8;
/// Terms between two looks at the host.
const LOOK: usize = 1 << 14;

/// A prepared program. Its pool is the engine's own and grows.
pub struct Cfa {
    /// The program.
    pub program: Program,
    heads: Vec<Loc>,
    is_head: EntitySet<Loc>,
    order: Vec<Loc>,
    position: SecondaryMap<Loc, u32>,
    relevant: EntitySet<Loc>,
    out: SecondaryMap<Loc, Vec<Edge>>,
    transfers: SecondaryMap<Edge, Option<Box<Transfer>>>,
    live: SecondaryMap<Loc, Vec<Var>>,
    exclusive: EntitySet<Loc>,
    /// Terms after edges.
    after: FxHashMap<(Edge, Term), Term>,
}

impl Cfa {
    /// Prepares a copy of `program`; `session` must be fresh and is the one the unrollings will use.
    ///
    /// # Errors
    /// When the program is not flat, the solver fails, or it is time to stop.
    pub fn new(
        program: &Program,
        session: &mut dyn SmtSession,
        host: &mut dyn Host,
    ) -> Result<Cfa, EngineError> {
        let mut cfa = Cfa::prepared(program, host)?;
        cfa.find_exclusive(session, host)?;
        Ok(cfa)
    }

    /// Prepares a copy of `program` for engines that take one edge after the other and unroll nothing.
    ///
    /// # Errors
    /// When the program is not flat.
    pub fn without_selectors(program: &Program) -> Result<Cfa, EngineError> {
        Cfa::prepared(program, &mut NoHost)
    }

    fn prepared(program: &Program, host: &mut dyn Host) -> Result<Cfa, EngineError> {
        if !program.is_flat() {
            return Err(EngineError::not_flat());
        }
        let mut program = program.clone();
        let adjacency = Adjacency::new(&program);
        let search = DepthFirst::new(&program, &adjacency, program.entry());
        let relevant = relevant(&program, &adjacency, &search.order);
        let mut position = SecondaryMap::with_default(u32::MAX);
        let mut out: SecondaryMap<Loc, Vec<Edge>> = SecondaryMap::new();
        let mut transfers: SecondaryMap<Edge, Option<Box<Transfer>>> = SecondaryMap::new();
        let mut built = FxHashMap::default();
        for (i, &l) in search.order.iter().enumerate() {
            go_on(host)?;
            position[l] = i as u32;
            if program.locs[l].kind != LocKind::Plain {
                continue;
            }
            for &e in adjacency.out(l) {
                if relevant.contains(program.edges[e].to) {
                    out[l].push(e);
                    let cmd = program.edge_cmd(e).expect("a flat program has no calls");
                    let mut t = Transfer::deciding(&mut program.pool, &program.cmds, cmd);
                    t.guard = rebuilt(&mut program.pool, t.guard, &mut built, host)?;
                    for value in t.updates.values_mut().chain(t.decided.values_mut()) {
                        *value = rebuilt(&mut program.pool, *value, &mut built, host)?;
                    }
                    transfers[e] = Some(Box::new(t));
                }
            }
        }
        let is_plain = |l: &Loc| program.locs[*l].kind == LocKind::Plain;
        let heads: Vec<Loc> = search
            .order
            .iter()
            .copied()
            .filter(|l| search.heads.contains(*l) && relevant.contains(*l) && is_plain(l))
            .collect();
        let mut is_head = EntitySet::new();
        for &h in &heads {
            is_head.insert(h);
        }
        let mut cfa = Cfa {
            live: SecondaryMap::new(),
            exclusive: EntitySet::new(),
            after: FxHashMap::default(),
            order: search.order,
            program,
            heads,
            is_head,
            position,
            relevant,
            out,
            transfers,
        };
        cfa.find_live(&[], host)?;
        Ok(cfa)
    }

    /// Makes variables live everywhere, so that facts may be about them where the program does not read them any more.
    /// Before anything is unrolled.
    ///
    /// # Errors
    /// When it is time to stop.
    pub fn keep_live(&mut self, vars: &[Var], host: &mut dyn Host) -> Result<(), EngineError> {
        self.find_live(vars, host)
    }

    /// The heads from which an error can be reached, in reverse post-order.
    pub fn heads(&self) -> &[Loc] {
        &self.heads
    }

    /// Whether `l` is one of the heads.
    pub fn is_head(&self, l: Loc) -> bool {
        self.is_head.contains(l)
    }

    /// Whether an error or incomplete location can be reached from the entry by the graph alone.
    pub fn has_targets(&self) -> bool {
        self.relevant.contains(self.program.entry())
    }

    /// The variables with values at `l`, by number.
    pub fn live(&self, l: Loc) -> &[Var] {
        &self.live[l]
    }

    /// Whether `fact` mentions live variables of `l` only, and so can be used there.
    pub fn can_say(&self, l: Loc, fact: Term) -> bool {
        let live = &self.live[l];
        let vars = self.program.pool.free_vars([fact]);
        vars.iter().all(|v| live.binary_search(v).is_ok())
    }

    /// The edges of `l` that matter.
    pub fn out(&self, l: Loc) -> &[Edge] {
        &self.out[l]
    }

    /// All edges that matter, by location in reverse post-order.
    pub fn edges(&self) -> impl Iterator<Item = Edge> + '_ {
        self.order.iter().flat_map(|&l| self.out[l].iter().copied())
    }

    /// The transfer function of an edge that matters.
    pub fn transfer(&self, e: Edge) -> &Transfer {
        self.transfers[e]
            .as_ref()
            .expect("only edges that matter are asked for")
    }

    /// `t` after an edge that matters, over the state before it and its inputs.
    pub fn after(&mut self, e: Edge, t: Term) -> Term {
        if let Some(&known) = self.after.get(&(e, t)) {
            return known;
        }
        let transfer = self.transfers[e]
            .as_ref()
            .expect("only edges that matter are asked for");
        let new = transfer.after(&mut self.program.pool, t);
        self.after.insert((e, t), new);
        new
    }

    /// The place of a location in reverse post-order.
    pub fn position(&self, l: Loc) -> u32 {
        self.position[l]
    }

    /// All locations in reverse post-order.
    pub(crate) fn order(&self) -> &[Loc] {
        &self.order
    }

    pub(crate) fn at(&self, position: u32) -> Loc {
        self.order[position as usize]
    }

    pub(crate) fn is_exclusive(&self, l: Loc) -> bool {
        self.exclusive.contains(l)
    }

    pub(crate) fn is_plain(&self, l: Loc) -> bool {
        self.program.locs[l].kind == LocKind::Plain
    }

    /// The least solution, with `always` live everywhere, of: live before an edge is what its guard reads, and what the new values of
    /// the variables live after it read.
    fn find_live(&mut self, always: &[Var], host: &mut dyn Host) -> Result<(), EngineError> {
        let pool = &self.program.pool;
        let mut reads: SecondaryMap<Loc, Vec<(Edge, Reads)>> = SecondaryMap::new();
        for &l in &self.order {
            for &e in &self.out[l] {
                let item = Reads {
                    to: Some(self.program.edges[e].to),
                    guard: Some(self.transfer(e).guard),
                    ..Reads::default()
                };
                reads[l].push((e, item));
            }
        }
        let mut live: SecondaryMap<Loc, EntitySet<Var>> = SecondaryMap::new();
        let mut listed: SecondaryMap<Loc, Vec<Var>> = SecondaryMap::new();
        for &l in &self.order {
            listed[l] = always.to_vec();
            for &v in always {
                live[l].insert(v);
            }
        }
        loop {
            let mut changed = false;
            for &l in self.order.iter().rev() {
                go_on(host)?;
                for (e, r) in &mut reads[l] {
                    let updates = &self.transfer(*e).updates;
                    let mut found = Vec::new();
                    if let Some(guard) = r.guard.take() {
                        r.walk(pool, guard, host, |v| found.push(v))?;
                    }
                    let after = r.to.map_or(&[][..], |to| &listed[to]);
                    let new = &after[r.after..];
                    r.after = after.len();
                    for v in new {
                        match updates.get(v) {
                            Some(&t) => r.walk(pool, t, host, |v| found.push(v))?,
                            None => found.push(*v),
                        }
                    }
                    for v in found {
                        if live[l].insert(v) {
                            listed[l].push(v);
                            changed = true;
                        }
                    }
                }
            }
            if !changed {
                break;
            }
        }
        for &l in &self.order {
            listed[l].sort_unstable();
        }
        self.live = listed;
        Ok(())
    }

    fn find_exclusive(
        &mut self,
        session: &mut dyn SmtSession,
        host: &mut dyn Host,
    ) -> Result<(), EngineError> {
        session.set_kind("exclusive edges");
        for l in self.order.clone() {
            go_on(host)?;
            let guards: Vec<Term> = self.out[l]
                .iter()
                .filter(|&&e| self.is_plain(self.program.edges[e].to))
                .map(|&e| self.transfer(e).guard)
                .collect();
            let mut exclusive = true;
            'pairs: for (i, &a) in guards.iter().enumerate() {
                for &b in &guards[..i] {
                    let both = self.program.pool.and(a, b);
                    let overlap = match self.program.pool.as_bool(both) {
                        Some(sat) => sat,
                        None if guards.len() > MAX_COMPARED => true,
                        // A solver that gives up only costs a selector.
                        None => ask(session, &self.program.pool, &[both])
                            .or_else(|e| if e.is_limit() { Ok(true) } else { Err(e) })?,
                    };
                    if overlap {
                        exclusive = false;
                        break 'pairs;
                    }
                }
            }
            if exclusive {
                self.exclusive.insert(l);
            }
        }
        Ok(())
    }
}

/// `t` as the builder makes it. Programs that were read have their terms as written; under a substitution they
/// change form, and equal values would not be the same term.
fn rebuilt(
    pool: &mut TermPool,
    t: Term,
    built: &mut FxHashMap<Term, Term>,
    host: &dyn Host,
) -> Result<Term, EngineError> {
    let mut args = Vec::with_capacity(3);
    let mut stack = vec![t];
    while let Some(&u) = stack.last() {
        if built.contains_key(&u) {
            stack.pop();
            continue;
        }
        args.clear();
        let waiting = stack.len();
        for a in pool.args(u) {
            match built.get(&a) {
                Some(&new) => args.push(new),
                None => stack.push(a),
            }
        }
        if stack.len() > waiting {
            continue;
        }
        stack.pop();
        let new = match args.is_empty() {
            true => u,
            false => pool.rebuild(u, &args),
        };
        built.insert(u, new);
        if built.len().is_multiple_of(LOOK) {
            go_on(host)?;
        }
    }
    Ok(built[&t])
}

/// What an edge reads, found term by term, each once.
#[derive(Clone, Default)]
struct Reads {
    to: Option<Loc>,
    guard: Option<Term>,
    /// How many of the variables that are live after the edge have been looked at.
    after: usize,
    seen: FxHashSet<Term>,
    walked: usize,
}

impl Reads {
    /// Calls `found` for every variable in `t` that no term before had.
    fn walk(
        &mut self,
        pool: &TermPool,
        t: Term,
        host: &dyn Host,
        mut found: impl FnMut(Var),
    ) -> Result<(), EngineError> {
        let mut stack = vec![t];
        while let Some(t) = stack.pop() {
            if !self.seen.insert(t) {
                continue;
            }
            self.walked += 1;
            if self.walked.is_multiple_of(LOOK) {
                go_on(host)?;
            }
            match pool.as_var(t) {
                Some(v) if pool.var_data(v).scope != Scope::Auxiliary => found(v),
                _ => stack.extend(pool.args(t)),
            }
        }
        Ok(())
    }
}

/// The locations from which an error or incomplete location can be reached; such a location ends an
/// execution.
fn relevant(program: &Program, adjacency: &Adjacency, order: &[Loc]) -> EntitySet<Loc> {
    let mut found = EntitySet::new();
    let mut reachable: EntitySet<Loc> = EntitySet::new();
    for &l in order {
        reachable.insert(l);
    }
    let mut todo: Vec<Loc> = order
        .iter()
        .copied()
        .filter(|&l| program.locs[l].kind != LocKind::Plain)
        .collect();
    for &l in &todo {
        found.insert(l);
    }
    while let Some(l) = todo.pop() {
        for &e in adjacency.inc(l) {
            let from = program.edges[e].from;
            let plain = program.locs[from].kind == LocKind::Plain;
            if plain && reachable.contains(from) && found.insert(from) {
                todo.push(from);
            }
        }
    }
    found
}
