//! `bisim`: merges locations with the same future (bisimulation minimisation).
//!
//! Notation: two locations are *bisimilar* when they have the same kind and every edge of one is
//! matched by an edge of the other with an equal command into a bisimilar location. A *class* is
//! a set of bisimilar locations, and its *representative* the one with the smallest number.
//!
//! Phases
//! 1. Commands are numbered by structure ([`label`]).
//! 2. Locations are divided by kind: entry, exit, each error by property and place, each
//!    incomplete location by reason and place, all others.
//! 3. The division is refined to the coarsest bisimulation ([`partition`]; Valmari 2009).
//! 4. Each class becomes one location with the edges of its representative; edges with equal
//!    command and target class become one.
//!
//! Cost: O(m log n) for m edges and n locations; measured in docs/src/performance.md.
//!
//! The way back: an edge after stands for edges of several locations before, so a trace is
//! followed location by location, taking the edge of the class member where the walk stands. All
//! members have the invariant of their class: a visit of one is a visit of the class, so induction
//! over several visits assumes the same before and after.

mod label;
mod partition;

use crate::back::{BackError, BackMap, Invariants, Walk, unfold};
use crate::pass::{Outcome, Pass, PassError, Property};
use cranelift_entity::{EntityRef, PrimaryMap};
use label::Labels;
use partition::{Transition, coarsest};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use trellis_ivl::graph::Adjacency;
use trellis_ivl::program::Control;
use trellis_ivl::{Edge, EdgeData, Loc, LocKind, Program, Span, Trace};

/// The pass.
#[derive(Clone, Copy, Default)]
pub struct Bisim;

impl Pass for Bisim {
    fn name(&self) -> &'static str {
        "bisim"
    }

    fn requires(&self) -> &'static [Property] {
        &[Property::Flat]
    }

    fn run(&self, program: &mut Program) -> Result<Outcome, PassError> {
        let mut labels = Labels::default();
        let labels: PrimaryMap<Edge, u32> = program
            .edges
            .keys()
            .map(|e| {
                let cmd = program.edge_cmd(e).expect("a flat program has no calls");
                labels.of(&program.cmds, cmd)
            })
            .collect();
        let transitions = program
            .edges
            .iter()
            .map(|(e, d)| Transition {
                label: labels[e],
                from: d.from.as_u32(),
                to: d.to.as_u32(),
            })
            .collect();
        let classes = coarsest(&kinds(program), transitions);
        let Quotient { mut control, image } = Quotient::new(program, &classes, &labels);
        if control.locs.len() == program.locs.len() && control.edges.len() == program.edges.len() {
            return Ok(Outcome::unchanged());
        }
        program.swap_control(&mut control);
        Ok(Outcome::changed(Members {
            class: classes.iter().map(|&c| Loc::from_u32(c)).collect(),
            image,
        }))
    }
}

/// The division of locations that refinement starts from.
fn kinds(program: &Program) -> Vec<u32> {
    let main = &program.procs[program.main];
    let mut numbers: FxHashMap<(u8, Option<&Arc<str>>, Span), u32> = FxHashMap::default();
    program
        .locs
        .iter()
        .map(|(l, d)| {
            let key = match &d.kind {
                LocKind::Error(property) => (0, Some(property), d.span),
                LocKind::Incomplete(reason) => (1, Some(reason), d.span),
                LocKind::Plain if l == main.entry => (2, None, Span::NONE),
                LocKind::Plain if Some(l) == main.exit => (3, None, Span::NONE),
                LocKind::Plain => (4, None, Span::NONE),
            };
            let next = numbers.len() as u32;
            *numbers.entry(key).or_insert(next)
        })
        .collect()
}

struct Quotient {
    control: Control,
    /// For each edge before, the edge after that stands for it.
    image: PrimaryMap<Edge, Edge>,
}

impl Quotient {
    /// `classes` are numbered by their smallest location.
    fn new(program: &Program, classes: &[u32], labels: &PrimaryMap<Edge, u32>) -> Quotient {
        let class = |l: Loc| Loc::from_u32(classes[l.index()]);
        let mut locs = PrimaryMap::new();
        for (l, d) in program.locs.iter() {
            if class(l) == locs.next_key() {
                locs.push(d.clone());
            }
        }
        let mut edges = PrimaryMap::new();
        let mut image = PrimaryMap::with_capacity(program.edges.len());
        let mut numbers: FxHashMap<(Loc, u32, Loc), Edge> = FxHashMap::default();
        for (e, d) in program.edges.iter() {
            let (from, to) = (class(d.from), class(d.to));
            let after = *numbers.entry((from, labels[e], to)).or_insert_with(|| {
                edges.push(EdgeData {
                    from,
                    to,
                    ..d.clone()
                })
            });
            image.push(after);
        }
        let mut procs = program.procs.clone();
        let main = &mut procs[program.main];
        main.entry = class(main.entry);
        main.exit = main.exit.map(class);
        let control = Control {
            procs,
            locs,
            edges,
            main: program.main,
        };
        Quotient { control, image }
    }
}

/// The way back: classes and their members.
struct Members {
    class: PrimaryMap<Loc, Loc>,
    image: PrimaryMap<Edge, Edge>,
}

impl BackMap for Members {
    fn trace(&self, program: &Program, trace: Trace) -> Result<Trace, BackError> {
        let adjacency = Adjacency::new(program);
        let mut at = program.entry();
        let mut steps = Vec::with_capacity(trace.steps.len());
        for step in &trace.steps {
            let own = adjacency
                .out(at)
                .iter()
                .find(|&&e| self.image[e] == step.edge);
            let &edge = own.ok_or(BackError::Foreign(step.edge))?;
            unfold(program, &Walk::Edge(edge), step, &mut steps)?;
            at = program.edges[edge].to;
        }
        Ok(Trace {
            initial: trace.initial,
            steps,
        })
    }

    fn invariants(&self, program: &mut Program, invariants: Invariants) -> Invariants {
        program
            .locs
            .keys()
            .filter_map(|l| Some((l, *invariants.get(&self.class[l])?)))
            .collect()
    }
}
