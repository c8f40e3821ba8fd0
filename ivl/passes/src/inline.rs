//! `inline`: expands all calls, so that engines get one flat automaton.
//!
//! The expansion itself is [`trellis_ivl::flatten()`], which is also the checker's reading of calls;
//! invariants therefore need no translation (the checker flattens by itself), while traces go back
//! to the procedures and are replayed with a call stack.
//!
//! An expansion that cannot be complete, because of recursion or because calls multiply, is for errors near the entry; proofs of
//! such programs are made without it. So it is not made larger than that is worth.

use crate::back::{BackError, BackMap, ControlMap, Invariants, Walk};
use crate::pass::{Outcome, Pass, PassError, Property};
use cranelift_entity::EntityRef;
use trellis_ivl::{Action, FlattenOptions, Proc, Program, Trace, flatten};

/// The pass; the options are the expansion's limits.
#[derive(Clone, Copy)]
pub struct Inline {
    /// Limits of the expansion.
    pub options: FlattenOptions,
    /// What it may have where it cannot be complete.
    pub partial_edges: usize,
}

impl Default for Inline {
    fn default() -> Self {
        Inline {
            options: FlattenOptions::default(),
            partial_edges: 3_000,
        }
    }
}

impl Pass for Inline {
    fn name(&self) -> &'static str {
        "inline"
    }

    fn ensures(&self) -> &'static [Property] {
        &[Property::Flat]
    }

    fn run(&self, program: &mut Program) -> Result<Outcome, PassError> {
        if program.is_flat() {
            return Ok(Outcome::unchanged());
        }
        let own_vars = program.pool.vars().len();
        let options = self.limits(program);
        let map = flatten(program, &options);
        let mut back = ControlMap::default();
        for origin in map.edges.values() {
            back.walks.push(match origin {
                Some(e) => Walk::Edge(*e),
                None => Walk::Empty,
            });
        }
        Ok(Outcome::changed(Expansion {
            control: back,
            own_vars,
            options,
        }))
    }
}

/// How large an expansion is, as far as it was counted.
struct Extent {
    edges: usize,
    /// Whether all calls are expanded.
    complete: bool,
}

impl Inline {
    /// The limits, smaller ones where the expansion is not complete anyway.
    fn limits(&self, program: &Program) -> FlattenOptions {
        let options = self.options;
        let mut calls = vec![(0, Vec::new()); program.procs.len()];
        for data in program.edges.values() {
            let (edges, callees) = &mut calls[program.locs[data.from].proc.index()];
            *edges += 1;
            if let Action::Call(call) = &data.action {
                callees.push(call.callee);
            }
        }
        let extent = |recursion, stop| extent(&calls, program.main, recursion, stop);
        let all = extent(options.recursion, options.max_edges);
        if all.complete || all.edges <= self.partial_edges {
            return options;
        }
        let fits = |r: &u32| extent(*r, self.partial_edges).edges <= self.partial_edges;
        let shallow = (1..options.recursion).rev().find(fits);
        let once = extent(1, options.max_edges).edges;
        match shallow {
            Some(recursion) => FlattenOptions {
                recursion,
                ..options
            },
            // Calls that multiply.
            None if once >= options.max_edges => FlattenOptions {
                max_edges: self.partial_edges.min(options.max_edges),
                ..options
            },
            None => FlattenOptions {
                recursion: options.recursion.min(1),
                ..options
            },
        }
    }
}

/// Counts the edges of an expansion up to a number of them; `calls` has the edges and the callees of each procedure.
fn extent(calls: &[(usize, Vec<Proc>)], main: Proc, recursion: u32, stop: usize) -> Extent {
    enum Visit {
        Enter(Proc),
        Leave(Proc),
    }
    let mut open = vec![0u32; calls.len()];
    let mut extent = Extent {
        edges: 0,
        complete: true,
    };
    let mut work = vec![Visit::Enter(main)];
    while let Some(visit) = work.pop() {
        match visit {
            Visit::Leave(p) => open[p.index()] -= 1,
            Visit::Enter(p) => {
                let (edges, callees) = &calls[p.index()];
                if p != main && open[p.index()] >= recursion || extent.edges > stop {
                    extent.complete = false;
                    continue;
                }
                // A call and a return each.
                extent.edges += edges + 1;
                open[p.index()] += 1;
                work.push(Visit::Leave(p));
                work.extend(callees.iter().map(|&q| Visit::Enter(q)));
            }
        }
    }
    extent
}

/// Traces return to the procedures; invariants stay those of the flat program.
struct Expansion {
    control: ControlMap,
    /// How many variables the program had; later ones are copies of locals.
    own_vars: usize,
    options: FlattenOptions,
}

impl BackMap for Expansion {
    fn trace(&self, program: &Program, mut trace: Trace) -> Result<Trace, BackError> {
        // A call assigns every copy before anything reads it.
        trace.initial.retain(|v, _| v.index() < self.own_vars);
        self.control.trace(program, trace)
    }

    fn invariants(&self, _: &mut Program, invariants: Invariants) -> Invariants {
        invariants
    }

    fn expansion(&self) -> Option<FlattenOptions> {
        Some(self.options)
    }
}
