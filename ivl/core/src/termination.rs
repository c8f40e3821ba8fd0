//! Termination as safety: which loops there are, and programs in which a loop that could go on for ever is an error.
//!
//! # Meaning
//! A program *terminates* when no execution is infinite. An execution ends where it has no edge to take: at the exit of
//! main, at an error location (what is called there does not return), or because every edge out of its location is blocked by
//! an `assume`; `assume false` ends an execution, it does not prolong it. What lies behind an incomplete location is
//! not known, so that no such location is reachable belongs to the proof.
//!
//! # Loops
//! An infinite execution of a flat program passes some set of locations infinitely often, which is strongly connected.
//! [`loops`] takes a strongly connected component, a head in it, removes the head, and goes on with what is left of the
//! component: one of its loops has a head in that set, and the set within its body. So a program without reachable
//! incomplete locations terminates if no execution visits any head infinitely often without leaving its body.
//!
//! # Watching a loop
//! [`watch`] makes the program in which such visits are seen. States are finite, so of infinitely many visits two have the same state:
//!
//! - [`Measure::Snapshot`] (after Biere, Artho and Schuppan, "Liveness checking as safety checking", FMICS'02): at some visit, chosen
//!   freely, variables are remembered; that all of them have the same values at a later visit is an error. Whatever
//!   variables are named, a program without that error has no infinite stay; the fewer, the more is claimed. Remembering must
//!   be optional: a forced first snapshot would miss all states that repeat later only.
//! - [`Measure::Rank`]: a tuple of bit-vectors is remembered at every visit; that it has not fallen at the next one, by the
//!   lexicographic order of unsigned numbers, is an error. That order is finite, so there is no lower bound to prove. Whether
//!   a difference wraps around is up to the width in which it is taken.
//!
//! Leaving the body forgets. This is trusted, as [`flatten`](mod@crate::flatten) is: it is deterministic, makes terms by the plain
//! constructor, and keeps the numbers of locations and edges, so that what is found about the one program is said of the other.

use crate::cmd::CmdView;
use crate::entity::{Cmd, Edge, Loc, Term, Var};
use crate::graph::{Adjacency, DepthFirst};
use crate::op::Op;
use crate::program::{Action, LocKind, Program};
use crate::source::Span;
use crate::trace::Trace;
use crate::ty::Type;
use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};
use rustc_hash::FxHashSet;

/// The name of the property.
pub const TERMINATION: &str = "termination";

/// A head, and what is strongly connected with it once the heads before it are gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Where its visits are counted.
    pub head: Loc,
    /// Its locations, by number, with the head.
    pub body: Vec<Loc>,
}

impl Loop {
    /// Whether `l` is one of its locations.
    pub fn contains(&self, l: Loc) -> bool {
        self.body.binary_search(&l).is_ok()
    }

    /// The edges within it.
    pub fn edges<'a>(&'a self, flat: &'a Program) -> impl Iterator<Item = Edge> + 'a {
        let edges = flat.edges.iter();
        let inside = edges.filter(|(_, d)| self.contains(d.from) && self.contains(d.to));
        inside.map(|(e, _)| e)
    }
}

/// The loops of the flat program, outer ones first.
pub fn loops(flat: &Program) -> Vec<Loop> {
    let adjacency = Adjacency::of(flat, |e| !is_closed(flat, e));
    let order = DepthFirst::new(flat, &adjacency, flat.entry()).order;
    let mut position: SecondaryMap<Loc, u32> = SecondaryMap::new();
    for (&l, i) in order.iter().zip(0..) {
        position[l] = i;
    }
    let mut found = Vec::new();
    let mut open = vec![order];
    while let Some(part) = open.pop() {
        for mut members in components(flat, &adjacency, &part) {
            // The first in reverse post-order is the head of a natural loop.
            members.sort_by_key(|&l| position[l]);
            open.push(members[1..].to_vec());
            let head = members[0];
            members.sort_unstable();
            let body = members;
            found.push(Loop { head, body });
        }
    }
    found.sort_by_key(|l| (position[l.head], l.head));
    found
}

/// Whether a literal `assume false` closes an edge.
fn is_closed(flat: &Program, e: Edge) -> bool {
    let Some(cmd) = flat.edge_cmd(e) else {
        return false;
    };
    matches!(flat.cmds.view(cmd), CmdView::Assume(t) if flat.pool.as_bool(t) == Some(false))
}

/// The strongly connected components with an edge of the graph on `part`, by the two searches of Kosaraju and Sharir.
fn components(flat: &Program, adjacency: &Adjacency, part: &[Loc]) -> Vec<Vec<Loc>> {
    let mut inside = EntitySet::new();
    for &l in part {
        inside.insert(l);
    }
    let mut finished = Vec::with_capacity(part.len());
    let mut seen = EntitySet::new();
    for &root in part {
        if !seen.insert(root) {
            continue;
        }
        let mut path = vec![(root, 0usize)];
        while let Some(top) = path.last_mut() {
            let (l, i) = *top;
            let Some(&e) = adjacency.out(l).get(i) else {
                finished.push(l);
                path.pop();
                continue;
            };
            top.1 += 1;
            let to = flat.edges[e].to;
            if inside.contains(to) && seen.insert(to) {
                path.push((to, 0));
            }
        }
    }
    let mut taken = EntitySet::new();
    let mut found = Vec::new();
    for &root in finished.iter().rev() {
        if !taken.insert(root) {
            continue;
        }
        let mut members = vec![root];
        let mut next = 0;
        while let Some(&l) = members.get(next) {
            next += 1;
            for &e in adjacency.inc(l) {
                let from = flat.edges[e].from;
                if inside.contains(from) && taken.insert(from) {
                    members.push(from);
                }
            }
        }
        let around = |&e: &Edge| flat.edges[e].to == root;
        if members.len() > 1 || adjacency.out(root).iter().any(around) {
            found.push(members);
        }
    }
    found
}

/// What is remembered at a head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The values of these variables, at one visit.
    Snapshot(Vec<Var>),
    /// The values of these bit-vectors, at every visit.
    Rank(Vec<Term>),
}

/// A program that watches a loop, with what was added to it.
pub struct Watched {
    /// The program. Its locations and edges begin with those of the program it was made of.
    pub program: Program,
    /// Whether something is remembered.
    pub seen: Var,
    /// What is remembered, in the order of the measure.
    pub copies: Vec<Var>,
    /// Where edges into the head lead now.
    pub arrival: Loc,
    /// The error.
    pub repeat: Loc,
}

/// The flat program with every error and incomplete location as a place where executions end.
pub fn ends_only(flat: &Program) -> Program {
    let mut program = flat.clone();
    for l in program.locs.values_mut() {
        l.kind = LocKind::Plain;
    }
    program
}

/// The flat program in which incomplete locations are errors, and errors places where executions end.
pub fn gaps_only(flat: &Program) -> Program {
    let mut program = flat.clone();
    for l in program.locs.values_mut() {
        l.kind = match &l.kind {
            LocKind::Incomplete(reason) => LocKind::Error(reason.clone()),
            _ => LocKind::Plain,
        };
    }
    program
}

/// The flat program in which an endless stay in a loop is an error; terms of a rank are the program's, over its variables.
pub fn watch(flat: &Program, of: &Loop, measure: &Measure) -> Watched {
    let mut program = ends_only(flat);
    let (main, span) = (program.main, flat.locs[of.head].span);
    let seen = program.add_local(main, "seen", Type::Bool, span);
    let values: Vec<(String, Term)> = match measure {
        Measure::Snapshot(vars) => vars
            .iter()
            .map(|&v| {
                let name = format!("old.{}", program.pool.var_data(v).name);
                (name, program.pool.var(v))
            })
            .collect(),
        Measure::Rank(tuple) => tuple
            .iter()
            .enumerate()
            .map(|(i, &t)| (format!("rank.{i}"), t))
            .collect(),
    };
    let mut copies = Vec::with_capacity(values.len());
    let mut remember = Vec::with_capacity(values.len() + 1);
    let tru = program.pool.tru();
    remember.push((seen, tru));
    for (name, value) in values {
        let ty = program.pool.ty(value);
        let copy = program.add_local(main, name, ty, span);
        copies.push(copy);
        remember.push((copy, value));
    }
    let arrival = program.add_loc(main, span);
    let repeat = program.add_error(main, TERMINATION, span);
    let forget = forget(&mut program, seen);
    redirect(&mut program, of, arrival, forget);
    let start = program.add_loc(main, span);
    let entry = program.procs[main].entry;
    let begin = if entry == of.head { arrival } else { entry };
    program.procs[main].entry = start;
    program.add_edge(start, begin, forget, Span::NONE);
    let mut watched = Watched {
        program,
        seen,
        copies,
        arrival,
        repeat,
    };
    match measure {
        Measure::Snapshot(_) => watched.compare(of.head, &remember),
        Measure::Rank(_) => watched.descend(of.head, &remember),
    }
    watched
}

fn forget(program: &mut Program, seen: Var) -> Cmd {
    let fls = program.pool.fls();
    program.cmds.assign(seen, fls)
}

/// Leads edges into the head to `arrival`, and makes those that leave the body forget.
fn redirect(program: &mut Program, of: &Loop, arrival: Loc, forget: Cmd) {
    for e in (0..program.edges.len()).map(Edge::new) {
        let (from, to) = (program.edges[e].from, program.edges[e].to);
        if of.contains(from)
            && !of.contains(to)
            && let Action::Cmd(cmd) = program.edges[e].action
        {
            let both = program.cmds.seq(&[cmd, forget]);
            program.edges[e].action = Action::Cmd(both);
        }
        if to == of.head {
            program.edges[e].to = arrival;
        }
    }
}

impl Watched {
    /// At the arrival: an error where a snapshot is seen again; on to the head, with a snapshot or without.
    fn compare(&mut self, head: Loc, remember: &[(Var, Term)]) {
        let program = &mut self.program;
        let pool = &mut program.pool;
        let seen = pool.var(self.seen);
        let mut again = vec![seen];
        for &(copy, value) in &remember[1..] {
            let copy = pool.var(copy);
            again.push(pool.plain(Op::Eq, &[value, copy]));
        }
        let again = pool.plain_all(Op::And, again);
        let fresh = pool.plain(Op::Not, &[seen]);
        let again = program.cmds.assume(again);
        let fresh = program.cmds.assume(fresh);
        let take = program.cmds.assign_all(remember);
        let take = program.cmds.seq(&[fresh, take]);
        let skip = program.cmds.skip();
        let span = program.locs[self.arrival].span;
        program.add_edge(self.arrival, self.repeat, again, span);
        program.add_edge(self.arrival, head, take, span);
        program.add_edge(self.arrival, head, skip, span);
    }

    /// At the arrival: an error where the rank has not fallen; otherwise on to the head, with the new one.
    fn descend(&mut self, head: Loc, remember: &[(Var, Term)]) {
        let program = &mut self.program;
        let pool = &mut program.pool;
        let mut fallen = pool.fls();
        for &(copy, value) in remember[1..].iter().rev() {
            let copy = pool.var(copy);
            let less = pool.plain(Op::BvUlt, &[value, copy]);
            let same = pool.plain(Op::Eq, &[value, copy]);
            let rest = pool.plain(Op::And, &[same, fallen]);
            fallen = pool.plain(Op::Or, &[less, rest]);
        }
        let seen = pool.var(self.seen);
        let kept = pool.plain(Op::Not, &[fallen]);
        let kept = pool.plain(Op::And, &[seen, kept]);
        let goes_on = pool.plain(Op::Not, &[kept]);
        let kept = program.cmds.assume(kept);
        let goes_on = program.cmds.assume(goes_on);
        let take = program.cmds.assign_all(remember);
        let take = program.cmds.seq(&[goes_on, take]);
        let span = program.locs[self.arrival].span;
        program.add_edge(self.arrival, self.repeat, kept, span);
        program.add_edge(self.arrival, head, take, span);
    }
}

/// An execution that comes back: a trace of the flat program, whose steps from `start` on are the loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// Stem and loop.
    pub trace: Trace,
    /// The number of steps of the stem.
    pub start: usize,
}

/// The way round that a trace to the error of a watched program has found: from the snapshot to the error.
pub fn lasso(flat: &Program, watched: &Watched, trace: &Trace) -> Option<Lasso> {
    let (edges, vars) = (flat.edges.len(), flat.pool.vars().len());
    let mut steps = Vec::with_capacity(trace.steps.len());
    let mut start = None;
    for step in &trace.steps {
        let data = watched.program.edges.get(step.edge)?;
        if step.edge.index() < edges {
            steps.push(step.clone());
        } else if data.from == watched.arrival && takes(&watched.program, data.action.cmd()?) {
            start = Some(steps.len());
        }
    }
    let initial = trace.initial.iter();
    let initial = initial.filter(|(v, _)| v.index() < vars);
    let initial = initial.map(|(&v, value)| (v, value.clone())).collect();
    let start = start.filter(|&start| start < steps.len())?;
    let trace = Trace { initial, steps };
    Some(Lasso { trace, start })
}

/// Whether a command at the arrival takes a snapshot.
fn takes(program: &Program, cmd: Cmd) -> bool {
    !program.cmds.modified(cmd).is_empty()
}

/// What of `within` decides whether the loop goes on: the variables that its assumptions read, and those that feed them.
pub fn cone(flat: &Program, of: &Loop) -> Vec<Var> {
    let mut needed: FxHashSet<Var> = FxHashSet::default();
    let mut feeds: Vec<(Var, Vec<Var>)> = Vec::new();
    let mut written: FxHashSet<Var> = FxHashSet::default();
    for e in of.edges(flat) {
        let Some(cmd) = flat.edge_cmd(e) else {
            continue;
        };
        written.extend(flat.cmds.modified(cmd));
        flat.cmds.for_each_leaf(cmd, |leaf| match leaf {
            CmdView::Assume(t) => needed.extend(flat.pool.free_vars([t])),
            CmdView::Assign(items) => {
                let items = items.iter();
                feeds.extend(items.map(|&(v, t)| (v, flat.pool.free_vars([t]))));
            }
            _ => {}
        });
    }
    loop {
        let before = needed.len();
        for (v, from) in &feeds {
            if needed.contains(v) {
                needed.extend(from);
            }
        }
        if needed.len() == before {
            break;
        }
    }
    let mut cone: Vec<Var> = needed.intersection(&written).copied().collect();
    cone.sort_unstable();
    cone
}
