//! `propagate`: conditional constant, copy and expression propagation along the automaton.
//!
//! Notation: a *fact* `x ↦ t` at a location says that `x == t` holds whenever it is reached; `t` is
//! a constant, a variable or a term of at most `expr_limit` nodes. The *state* of a location is its
//! set of facts, or none while no way to it is known.
//!
//! Phases
//! 1. Forward data flow with a worklist in reverse post-order. It is optimistic like sparse
//!    conditional constant propagation (Wegman and Zadeck, TOPLAS 1991): an edge counts only once
//!    the facts at its source let its command complete, so a constant survives a loop that does
//!    not change it, and a branch never taken. Facts come from assignments and from assumptions
//!    (`x == 5`, `x == y`, a boolean variable). States are persistent maps that share all they have in
//!    common ([`patricia`](crate::patricia)), so there is no table of all variables per location.
//!    Loop heads only ever lose facts, which bounds the iteration; other locations are recomputed.
//! 2. Terms are rewritten in place by the facts that hold where they are evaluated. An assumption
//!    that becomes true is dropped, a command that cannot complete becomes `assume false`, and an
//!    assignment that changes nothing is dropped.
//!
//! Cost: a few visits per edge, each linear in its terms and logarithmic in the number of facts.
//! Measured: see docs/src/performance.md.
//!
//! The way back: traces are the same. Invariants get the facts they rest on ([`facts`]).

mod facts;
mod state;

use crate::back::Invariants;
use crate::pass::{Outcome, Pass, PassError, Property};
use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};
use facts::FactsBack;
use state::{Flow, State};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use trellis_ivl::graph::{Adjacency, DepthFirst};
use trellis_ivl::{Action, Edge, Loc, Program, Term, Var};

/// The pass.
#[derive(Clone, Copy, Debug)]
pub struct Propagate {
    /// Largest term, in nodes, that replaces a variable; 1 for constants and variables only.
    pub expr_limit: usize,
}

impl Default for Propagate {
    fn default() -> Self {
        Propagate { expr_limit: 16 }
    }
}

/// How often a loop head may lose facts one by one before it loses all that its loop may change.
const PATIENCE: u32 = 8;

impl Pass for Propagate {
    fn name(&self) -> &'static str {
        "propagate"
    }

    fn requires(&self) -> &'static [Property] {
        &[Property::Flat]
    }

    fn destroys(&self) -> &'static [Property] {
        &[Property::RegionBases]
    }

    fn run(&self, program: &mut Program) -> Result<Outcome, PassError> {
        let mut solver = Solver::new(program, self.expr_limit);
        solver.solve(program);
        let mut changed = false;
        for e in program.edges.keys() {
            let data = &program.edges[e];
            let (Some(state), Action::Cmd(cmd)) = (solver.states[data.from.index()], &data.action)
            else {
                continue;
            };
            let cmd = *cmd;
            let (rewritten, _) = solver.flow.run(program, cmd, state, true);
            if rewritten != cmd {
                changed = true;
                program.edges[e].action = Action::Cmd(rewritten);
            }
        }
        if !changed {
            return Ok(Outcome::unchanged());
        }
        Ok(Outcome::changed(FactsBack::new(solver.flow, solver.states)))
    }
}

/// What holds of the values of variables at the `wanted` locations of a flat program, which are told
/// whether they are loop heads, with terms of at most `expr_limit` nodes.
pub(crate) fn facts_at(
    program: &mut Program,
    expr_limit: usize,
    wanted: impl Fn(Loc, bool) -> bool,
) -> Invariants {
    let mut solver = Solver::new(program, expr_limit);
    solver.solve(program);
    let mut result = Invariants::new();
    let wanted = |l: &&Loc| wanted(**l, solver.heads.contains(**l));
    for &l in solver.order.iter().filter(wanted) {
        let term = match solver.states[l.index()] {
            None => program.pool.fls(),
            Some(state) => {
                let facts: Vec<Term> = solver
                    .flow
                    .facts(state)
                    .map(|(v, t)| {
                        let v = program.pool.var(v);
                        program.pool.eq(v, t)
                    })
                    .collect();
                program.pool.and_all(facts)
            }
        };
        result.insert(l, term);
    }
    result
}

/// The data-flow analysis.
struct Solver {
    flow: Flow,
    adjacency: Adjacency,
    /// Reachable locations in reverse post-order, and the position of each.
    order: Vec<Loc>,
    position: SecondaryMap<Loc, u32>,
    heads: EntitySet<Loc>,
    /// The state of each location; `None` while no feasible way to it is known.
    states: Vec<Option<State>>,
    /// The state at the end of each edge, from the current state of its source.
    ends: Vec<Option<State>>,
    /// How often each head has lost facts.
    lowered: SecondaryMap<Loc, u32>,
    queue: BinaryHeap<Reverse<u32>>,
    queued: Vec<bool>,
}

impl Solver {
    fn new(program: &Program, expr_limit: usize) -> Solver {
        let adjacency = Adjacency::new(program);
        let search = DepthFirst::new(program, &adjacency, program.entry());
        let mut position = SecondaryMap::new();
        for (i, &l) in search.order.iter().enumerate() {
            position[l] = i as u32;
        }
        Solver {
            flow: Flow::new(expr_limit),
            adjacency,
            queued: vec![false; search.order.len()],
            order: search.order,
            position,
            heads: search.heads,
            states: vec![None; program.locs.len()],
            ends: vec![None; program.edges.len()],
            lowered: SecondaryMap::new(),
            queue: BinaryHeap::new(),
        }
    }

    fn enqueue(&mut self, l: Loc) {
        let at = self.position[l];
        if !std::mem::replace(&mut self.queued[at as usize], true) {
            self.queue.push(Reverse(at));
        }
    }

    fn solve(&mut self, program: &mut Program) {
        self.enqueue(program.entry());
        while let Some(Reverse(at)) = self.queue.pop() {
            self.queued[at as usize] = false;
            let l = self.order[at as usize];
            let Some(new) = self.arrive(program, l) else {
                continue;
            };
            if self.states[l.index()].is_some_and(|old| self.flow.same(old, new)) {
                continue;
            }
            self.states[l.index()] = Some(new);
            for i in 0..self.adjacency.out(l).len() {
                let e = self.adjacency.out(l)[i];
                self.follow(program, e, new);
            }
        }
    }

    /// Recomputes the end of `e` and wakes its target where that matters.
    fn follow(&mut self, program: &mut Program, e: Edge, state: State) {
        let cmd = program.edge_cmd(e).expect("a flat program has no calls");
        self.flow.looked_up.clear();
        self.flow.learnt.clear();
        let (_, end) = self.flow.run(program, cmd, state, false);
        let Some(end) = end else { return };
        let old = self.ends[e.index()].replace(end);
        if old.is_none_or(|old| !self.flow.same(old, end)) {
            self.enqueue(program.edges[e].to);
        }
    }

    /// The state at `l` from the ends of its incoming edges.
    fn arrive(&mut self, program: &Program, l: Loc) -> Option<State> {
        let mut state = (l == program.entry()).then_some(State::EMPTY);
        for &e in self.adjacency.inc(l) {
            if let Some(end) = self.ends[e.index()] {
                state = Some(match state {
                    Some(s) => self.flow.join(s, end),
                    None => end,
                });
            }
        }
        let new = state?;
        match self.states[l.index()] {
            Some(old) if self.heads.contains(l) => Some(self.lower(program, l, old, new)),
            _ => Some(new),
        }
    }

    /// A head keeps only facts it had: that bounds how often it changes.
    fn lower(&mut self, program: &Program, head: Loc, old: State, new: State) -> State {
        let state = self.flow.join(old, new);
        if self.flow.same(old, state) {
            return old;
        }
        self.lowered[head] += 1;
        if self.lowered[head] <= PATIENCE {
            return state;
        }
        self.lowered[head] = 0;
        let changed = self.modified_around(program, head);
        self.flow.forget(&program.pool, state, &changed)
    }

    /// The variables modified between `head` and its last back edge in reverse post-order: at
    /// least those of its loop where the graph is reducible. Only the pace depends on it.
    fn modified_around(&self, program: &Program, head: Loc) -> Vec<Var> {
        let start = self.position[head];
        let sources = self.adjacency.inc(head).iter();
        let last = sources.map(|&e| self.position[program.edges[e].from]);
        let last = last.max().unwrap_or(start);
        let mut vars = Vec::new();
        for &l in &self.order[start as usize..=last.max(start) as usize] {
            for &e in self.adjacency.out(l) {
                vars.extend(program.edge_cmd(e).map(|c| program.cmds.modified(c)));
            }
        }
        let mut vars: Vec<Var> = vars.into_iter().flatten().collect();
        vars.sort_unstable();
        vars.dedup();
        vars
    }
}
