//! `dce`: removes what cannot matter for reaching an error or incomplete location.
//!
//! Notation: a *target* is an error or incomplete location; a location is *useful* when it lies on
//! a path from the entry to a target; a variable is *live* at a location when its value may flow
//! into an assumption from there.
//!
//! Phases
//! 1. Edges that say `assume false`, unreachable locations and locations without a way to a target
//!    go ([`prune`](crate::prune)).
//! 2. Assignments and havocs of variables that are not live go ([`liveness`](crate::liveness)).
//! 3. Edges that do nothing are contracted, and of parallel edges with the same command one stays
//!    ([`collapse`]). Loop heads, the entry and the exit keep their identity.
//!
//! Cost: near-linear; sets of live variables are shared between locations. Measured: see
//! docs/src/performance.md.
//!
//! The way back: an edge after is a path before; inputs that are read no more are zero. Unreachable
//! locations have the invariant false. Other invariants lose what they say about variables that
//! lost an assignment on the way, because before the pass such a variable may hold something else.

mod collapse;

use crate::back::{BackError, BackMap, ControlMap, Invariants, Walk};
use crate::liveness::Liveness;
use crate::pass::{Outcome, Pass, PassError, Property};
use crate::prune::Pruned;
use crate::weaken::{Dropped, weaken};
use collapse::Collapse;
use cranelift_entity::{EntityRef, EntitySet, PrimaryMap};
use trellis_ivl::{Action, EdgeData, Input, Loc, Program, Trace};

/// The pass.
#[derive(Clone, Copy, Default, Debug)]
pub struct Dce;

impl Pass for Dce {
    fn name(&self) -> &'static str {
        "dce"
    }

    fn requires(&self) -> &'static [Property] {
        &[Property::Flat]
    }

    fn run(&self, program: &mut Program) -> Result<Outcome, PassError> {
        let pruned = Pruned::new(program);
        let mut changed = (program.edges.keys()).any(|e| !pruned.edges.contains(e));
        let live = Liveness::of_all(program, &pruned);
        let (_, heads) = pruned.depth_first(program);
        let mut collapse = Collapse::new(program, &pruned, heads);
        changed |= strip(program, &pruned, live, &mut collapse);
        changed |= collapse.run(program);
        let exit = program.procs[program.main].exit;
        let keep = |l: Loc| l == program.entry() || Some(l) == exit || (pruned.useful.contains(l));
        changed |= program.locs.keys().any(|l| !keep(l));
        if !changed {
            return Ok(Outcome::unchanged());
        }
        let map = rebuild(program, &pruned, &mut collapse);
        Ok(Outcome::changed(DceBack { map }))
    }
}

/// Strips the commands of the remaining edges; whether any changed.
fn strip(
    program: &mut Program,
    pruned: &Pruned,
    mut live: Liveness,
    collapse: &mut Collapse,
) -> bool {
    let mut changed = false;
    let mut read = EntitySet::<Input>::new();
    let mut dropped = Vec::new();
    for e in program.edges.keys() {
        if !pruned.edges.contains(e) {
            continue;
        }
        let cmd = program.edge_cmd(e).expect("flat");
        let stripped = live.strip(program, cmd, program.edges[e].to);
        changed |= stripped.cmd != cmd;
        collapse.set_cmd(e, stripped.cmd);
        for input in stripped.kept {
            read.insert(input);
        }
        dropped.extend(stripped.dropped.into_iter().map(|i| (e, i)));
    }
    // Contracting such an edge would leave a step with one value for two reads of an input.
    for (e, input) in dropped {
        if read.contains(input) {
            collapse.pin(e);
        }
    }
    changed
}

/// Makes the control tables of what is left.
fn rebuild(program: &mut Program, pruned: &Pruned, collapse: &mut Collapse) -> ControlMap {
    let mut map = ControlMap::default();
    let (entry, exit) = (program.entry(), program.procs[program.main].exit);
    let mut locs = PrimaryMap::new();
    let mut renumbered = vec![None; program.locs.len()];
    for (l, data) in program.locs.iter() {
        let stays = pruned.useful.contains(l) && collapse.representative(l) == l;
        if stays || l == entry || Some(l) == exit {
            renumbered[l.index()] = Some(locs.push(data.clone()));
        }
    }
    let never = program.pool.fls();
    for l in program.locs.keys() {
        if pruned.useful.contains(l) {
            // Every way through what was contracted passes the location that remains.
            map.locs[l] = renumbered[l.index()].into();
        } else if !pruned.reachable.contains(l) {
            map.facts.insert(l, never);
        }
    }
    let mut edges = PrimaryMap::new();
    for (e, from, to, cmd) in collapse.edges() {
        let number = |l: Loc| renumbered[l.index()].expect("a remaining edge joins remaining ends");
        edges.push(EdgeData {
            from: number(from),
            to: number(to),
            action: Action::Cmd(cmd),
            span: program.edges[e].span,
        });
        let path = collapse.path(e);
        map.walks.push(match path[..] {
            [e] => Walk::Edge(e),
            _ => Walk::Seq(path.into_iter().map(Walk::Edge).collect()),
        });
    }
    let number = |l: Loc| renumbered[l.index()].expect("entry and exit remain");
    let proc = &mut program.procs[program.main];
    proc.entry = number(entry);
    proc.exit = exit.map(number);
    program.locs = locs;
    program.edges = edges;
    map
}

struct DceBack {
    map: ControlMap,
}

impl BackMap for DceBack {
    fn trace(&self, program: &Program, trace: Trace) -> Result<Trace, BackError> {
        self.map.trace(program, trace)
    }

    fn invariants(&self, program: &mut Program, invariants: Invariants) -> Invariants {
        let mut result = self.map.invariants(program, invariants);
        let pruned = Pruned::new(program);
        let live = Liveness::of_all(program, &pruned);
        let terms = result.values().copied();
        let dropped = Dropped::new(program, &pruned, terms, |l, v| live.is_live(l, v));
        for (&l, t) in &mut result {
            let same = |v| dropped.keeps(l, v);
            *t = weaken(&mut program.pool, *t, &same);
        }
        result
    }
}
