//! `slice`: the cone of influence of error and incomplete locations.
//!
//! Notation: a *target* is an error or incomplete location. A *branch* is a location with several
//! edges; it is *total* when its guards (the leading assumptions) cover all states by their shape:
//! `c` and `!c`, or the cases of a switch. The ways of a branch *meet* at its immediate
//! post-dominator. A branch is *irrelevant* when nothing that matters depends on which way is taken.
//!
//! Phases
//! 1. Prune as `dce` does ([`prune`](crate::prune)).
//! 2. Find what matters ([`relevance`]): targets, assumptions other than guards of total branches,
//!    loops that may not end; then to a fixpoint assignments that flow into what matters (faint
//!    variables, [`liveness`](crate::liveness)) and branches that control it (post-dominance frontier,
//!    [`control`]); the guards of such a branch matter.
//! 3. An irrelevant branch becomes one edge to where its ways meet; assignments of variables that
//!    are not live go; so do locations that are no longer reachable.
//!
//! Exactness: no assumption goes that could block, so no more is reachable than before, except past
//! loops. A loop is dropped only when it is known that it can always be left ([`loops`]); others
//! keep what decides whether they end. With `loops=drop` all loops without influence go: then an
//! error trace may have no counterpart, and the way back says so. What remains reachable is never
//! less than before.
//!
//! Cost: near-linear. Measured: see docs/src/performance.md.
//!
//! The way back: where a trace crosses a dropped branch, the interpreter runs the program before
//! along enabled edges to the meeting point, within [`STEPS`] steps. Locations between have no
//! invariant: nothing that matters changes there, and one that remains for other ways to it is
//! passed more often before. What invariants say about variables that lost an assignment on the way goes.

mod control;
mod loops;
mod relevance;
mod total;
mod way;

use crate::pass::{Outcome, Pass, PassError, Property};
use cranelift_entity::{EntityRef, EntitySet, PrimaryMap};
use relevance::Relevance;
use rustc_hash::FxHashMap;
use trellis_ivl::{Action, Edge, EdgeData, Loc, Program};
use way::{Origin, SliceBack};

pub use way::STEPS;

/// What becomes of loops that nothing depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Loops {
    /// They go only where they can always be left.
    #[default]
    Keep,
    /// They all go.
    Drop,
}

impl std::str::FromStr for Loops {
    type Err = ();

    fn from_str(text: &str) -> Result<Loops, ()> {
        match text {
            "keep" => Ok(Loops::Keep),
            "drop" => Ok(Loops::Drop),
            _ => Err(()),
        }
    }
}

/// The pass.
#[derive(Clone, Copy, Default, Debug)]
pub struct Slice {
    /// What becomes of loops that nothing depends on.
    pub loops: Loops,
}

impl Pass for Slice {
    fn name(&self) -> &'static str {
        "slice"
    }

    fn requires(&self) -> &'static [Property] {
        &[Property::Flat]
    }

    fn run(&self, program: &mut Program) -> Result<Outcome, PassError> {
        let mut relevance = Relevance::new(program, self.loops);
        let edges = edges(program, &mut relevance);
        let unchanged = relevance.dropped.is_empty()
            && edges.len() == program.edges.len()
            && (edges.iter().zip(program.edges.values())).all(|((_, new), old)| new == old);
        if unchanged {
            return Ok(Outcome::unchanged());
        }
        Ok(Outcome::changed(rebuild(
            program, relevance, edges, self.loops,
        )))
    }
}

/// The edges that remain, still with the old numbers of locations.
fn edges(program: &mut Program, relevance: &mut Relevance) -> Vec<(Origin, EdgeData)> {
    let mut meets: FxHashMap<Loc, Loc> = relevance.dropped.iter().copied().collect();
    let mut done = EntitySet::<Loc>::new();
    let mut edges = Vec::with_capacity(program.edges.len());
    for e in program.edges.keys() {
        if !relevance.pruned.edges.contains(e) {
            continue;
        }
        let mut data = program.edges[e].clone();
        if done.contains(data.from) {
            continue;
        }
        let origin = if let Some(meet) = meets.remove(&data.from) {
            done.insert(data.from);
            data.to = meet;
            data.action = Action::Cmd(program.cmds.skip());
            Origin::Cross(data.from, meet)
        } else {
            let cmd = program.edge_cmd(e).expect("flat");
            let stripped = relevance.live.strip(program, cmd, data.to);
            data.action = Action::Cmd(stripped.cmd);
            Origin::Edge(e)
        };
        edges.push((origin, data));
    }
    edges
}

/// Makes the control tables of what is reachable by `edges`.
fn rebuild(
    program: &mut Program,
    relevance: Relevance,
    edges: Vec<(Origin, EdgeData)>,
    option: Loops,
) -> SliceBack {
    let (entry, exit) = (program.entry(), program.procs[program.main].exit);
    let mut successors: Vec<Vec<Loc>> = vec![Vec::new(); program.locs.len()];
    for (_, d) in &edges {
        successors[d.from.index()].push(d.to);
    }
    let mut reached = EntitySet::<Loc>::new();
    let mut stack = vec![entry];
    while let Some(l) = stack.pop() {
        if reached.insert(l) {
            stack.extend(&successors[l.index()]);
        }
    }
    let mut locs = PrimaryMap::new();
    let mut numbers: Vec<Option<Loc>> = vec![None; program.locs.len()];
    for (l, data) in program.locs.iter() {
        if reached.contains(l) || Some(l) == exit {
            numbers[l.index()] = Some(locs.push(data.clone()));
        }
    }
    let between = relevance.between(program);
    let mut back = SliceBack::new(relevance.loops, option);
    for l in program.locs.keys() {
        if relevance.pruned.useful.contains(l) {
            back.locs[l] = numbers[l.index()].filter(|_| !between.contains(l)).into();
        } else if !relevance.pruned.reachable.contains(l) {
            back.unreachable.push(l);
        }
    }
    let number = |l: Loc| numbers[l.index()].expect("reached");
    let mut kept: PrimaryMap<Edge, EdgeData> = PrimaryMap::new();
    for (origin, mut data) in edges {
        if reached.contains(data.from) {
            data.from = number(data.from);
            data.to = number(data.to);
            kept.push(data);
            back.origins.push(origin);
        }
    }
    let proc = &mut program.procs[program.main];
    proc.entry = number(entry);
    proc.exit = exit.and_then(|l| numbers[l.index()]);
    program.locs = locs;
    program.edges = kept;
    back
}
