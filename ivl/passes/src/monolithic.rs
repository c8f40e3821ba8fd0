//! `monolithic`: one loop location and an explicit program counter, as in hardware.
//!
//! Notation: the *code* of a location is its number, as a constant of the counter's type.
//!
//! ```text
//! entry -> loop   pc := code(entry before)
//! loop  -> loop   choice over all edges k -> j:  assume pc == code(k); cmd; pc := code(j)
//! loop  -> e      assume pc == code(e)           for each error and incomplete location e
//! ```
//!
//! A program that has this shape already (hardware, or run twice) stays as it is; see
//! [`transition`] for the shape and the view that engines take on it.
//!
//! The way back: a step of the loop is the edge that its first choice names; what holds at the
//! loop holds at a location with the counter replaced by the location's code.
//!
//! Cost: linear. Translating an invariant costs its size for each location.

use crate::back::{BackError, BackMap, ControlMap, Invariants, Walk};
use crate::pass::{Outcome, Pass, PassError, Property};
use crate::transition;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use rustc_hash::FxHashMap;
use trellis_ivl::{
    Cmd, EdgeData, Loc, LocData, LocKind, Program, Span, Term, Trace, Type, Var, program::Action,
};

/// The pass.
#[derive(Clone, Copy, Default)]
pub struct Monolithic;

impl Pass for Monolithic {
    fn name(&self) -> &'static str {
        "monolithic"
    }

    fn requires(&self) -> &'static [Property] {
        &[Property::Flat]
    }

    fn ensures(&self) -> &'static [Property] {
        &[Property::Monolithic]
    }

    fn run(&self, program: &mut Program) -> Result<Outcome, PassError> {
        if transition::check_shape(program).is_ok() {
            return Ok(Outcome::unchanged());
        }
        let counter = Counter::new(program);
        let mut walks = PrimaryMap::new();
        let mut edges = PrimaryMap::new();
        let mut locs = PrimaryMap::new();
        let main = program.main;
        let span = program.procs[main].span;
        let entry = locs.push(program.locs[program.entry()].clone());
        let head = locs.push(LocData {
            proc: main,
            kind: LocKind::Plain,
            name: Some("loop".into()),
            span,
        });
        let mut connect = |from, to, cmd, span, walk| {
            let action = Action::Cmd(cmd);
            edges.push(EdgeData {
                from,
                to,
                action,
                span,
            });
            walks.push(walk);
        };
        let init = counter.set(program, program.entry());
        connect(entry, head, init, span, Walk::Empty);
        if let Some((cmd, walk)) = counter.step(program) {
            connect(head, head, cmd, span, walk);
        }
        let mut ends = SecondaryMap::new();
        for (l, data) in program.locs.iter() {
            if data.kind == LocKind::Plain {
                continue;
            }
            let end = locs.push(data.clone());
            ends[l] = Some(end);
            let at = counter.test(&mut program.pool, &mut program.cmds, l);
            connect(head, end, at, data.span, Walk::Empty);
        }
        program.procs[main].entry = entry;
        program.procs[main].exit = None;
        program.locs = locs;
        program.edges = edges;
        Ok(Outcome::changed(Unfolding {
            counter,
            head,
            ends,
            control: ControlMap {
                walks,
                ..ControlMap::default()
            },
        }))
    }
}

/// The program counter.
#[derive(Clone, Copy)]
struct Counter {
    var: Var,
    width: u32,
}

impl Counter {
    fn new(program: &mut Program) -> Counter {
        let last = program.locs.len().max(2) as u64 - 1;
        let width = u64::BITS - last.leading_zeros();
        let var = program.add_local(program.main, "pc", Type::Bv(width), Span::NONE);
        Counter { var, width }
    }

    fn code(self, pool: &mut trellis_ivl::TermPool, l: Loc) -> Term {
        pool.num(self.width, u64::from(l.as_u32()))
    }

    /// `pc := code(l)`.
    fn set(self, program: &mut Program, l: Loc) -> Cmd {
        let code = self.code(&mut program.pool, l);
        program.cmds.assign(self.var, code)
    }

    /// `assume pc == code(l)`.
    fn test(
        self,
        pool: &mut trellis_ivl::TermPool,
        cmds: &mut trellis_ivl::CmdPool,
        l: Loc,
    ) -> Cmd {
        let (pc, code) = (pool.var(self.var), self.code(pool, l));
        let here = pool.eq(pc, code);
        cmds.assume(here)
    }

    /// All edges as one command, with the walk that its first choice names; `None` without edges.
    fn step(self, program: &mut Program) -> Option<(Cmd, Walk)> {
        let mut tests: SecondaryMap<Loc, Option<Cmd>> = SecondaryMap::new();
        let mut sets: SecondaryMap<Loc, Option<Cmd>> = SecondaryMap::new();
        let mut branches = Vec::with_capacity(program.edges.len());
        let mut walks = Vec::with_capacity(program.edges.len());
        for i in 0..program.edges.len() {
            let e = trellis_ivl::Edge::new(i);
            let (from, to) = (program.edges[e].from, program.edges[e].to);
            let cmd = program.edge_cmd(e).expect("a flat program has no calls");
            let test = *tests[from]
                .get_or_insert_with(|| self.test(&mut program.pool, &mut program.cmds, from));
            let set = match from == to {
                true => program.cmds.skip(),
                false => *sets[to].get_or_insert_with(|| self.set(program, to)),
            };
            branches.push(program.cmds.seq(&[test, cmd, set]));
            walks.push(Walk::Edge(e));
        }
        match branches.len() {
            0 => None,
            1 => Some((branches[0], walks.remove(0))),
            _ => Some((program.cmds.choice(&branches), Walk::Choice(walks))),
        }
    }
}

/// The way back: the counter becomes locations again.
struct Unfolding {
    counter: Counter,
    head: Loc,
    /// Error and incomplete locations before, and what they are after.
    ends: SecondaryMap<Loc, Option<Loc>>,
    control: ControlMap,
}

impl BackMap for Unfolding {
    fn trace(&self, program: &Program, trace: Trace) -> Result<Trace, BackError> {
        let mut trace = self.control.trace(program, trace)?;
        trace.initial.remove(&self.counter.var);
        Ok(trace)
    }

    fn invariants(&self, program: &mut Program, invariants: Invariants) -> Invariants {
        let mut result = Invariants::new();
        for i in 0..program.locs.len() {
            let l = Loc::new(i);
            let code = self.counter.code(&mut program.pool, l);
            let here = FxHashMap::from_iter([(self.counter.var, code)]);
            let places = [Some(self.head), self.ends[l]];
            let parts: Vec<Term> = places
                .into_iter()
                .flatten()
                .filter_map(|m| invariants.get(&m))
                .map(|&t| program.pool.substitute(t, &here))
                .collect();
            if !parts.is_empty() {
                result.insert(l, program.pool.and_all(parts));
            }
        }
        result
    }
}
