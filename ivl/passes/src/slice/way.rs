//! The way back of `slice`.

use super::Loops as LoopOption;
use super::loops::Loops;
use super::relevance::Relevance;
use crate::back::{BackError, BackMap, Invariants, Walk, unfold};
use crate::prune::Pruned;
use crate::weaken::{Dropped, weaken};
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, VecDeque};
use trellis_ivl::{Edge, Input, Loc, Machine, Oracle, Program, Step, Trace, Type, Value};

/// How many steps the interpreter may take from a dropped branch to where its ways meet.
pub const STEPS: usize = 1_000_000;

/// Where an edge of the program after comes from.
pub(super) enum Origin {
    /// An edge before.
    Edge(Edge),
    /// The ways of a dropped branch to where they meet.
    Cross(Loc, Loc),
}

pub(super) struct SliceBack {
    pub origins: PrimaryMap<Edge, Origin>,
    /// For each location before, the location after whose invariant it shares.
    pub locs: SecondaryMap<Loc, PackedOption<Loc>>,
    /// Locations before that have no way from the entry.
    pub unreachable: Vec<Loc>,
    loops: Loops,
    option: LoopOption,
}

impl SliceBack {
    pub fn new(loops: Loops, option: LoopOption) -> SliceBack {
        SliceBack {
            origins: PrimaryMap::new(),
            locs: SecondaryMap::new(),
            unreachable: Vec::new(),
            loops,
            option,
        }
    }
}

impl BackMap for SliceBack {
    fn trace(&self, program: &Program, trace: Trace) -> Result<Trace, BackError> {
        let mut machine = Machine::for_trace(program, &trace)?;
        let mut crossing = Crossing {
            program,
            pruned: Pruned::new(program),
            loops: &self.loops,
            orders: FxHashMap::default(),
        };
        let mut steps = Vec::with_capacity(trace.steps.len());
        for step in &trace.steps {
            let origin = self.origins.get(step.edge);
            match origin.ok_or(BackError::Foreign(step.edge))? {
                Origin::Edge(e) => {
                    let done = steps.len();
                    unfold(program, &Walk::Edge(*e), step, &mut steps)?;
                    for step in &steps[done..] {
                        machine.replay(step)?;
                    }
                }
                Origin::Cross(from, to) => {
                    crossing.run(&mut machine, *from, *to, &mut steps)?;
                }
            }
        }
        Ok(Trace {
            initial: trace.initial,
            steps,
        })
    }

    fn invariants(&self, program: &mut Program, invariants: Invariants) -> Invariants {
        let relevance = Relevance::new(program, self.option);
        let mut result = Invariants::new();
        let pruned = Pruned::new(program);
        let terms = invariants.values().copied();
        let live = |l, v| relevance.live.is_live(l, v);
        let dropped = Dropped::new(program, &pruned, terms, live);
        for l in program.locs.keys() {
            let own = self.locs[l].expand().and_then(|m| invariants.get(&m));
            if let Some(&t) = own {
                let same = |v| dropped.keeps(l, v);
                result.insert(l, weaken(&mut program.pool, t, &same));
            }
        }
        let never = program.pool.fls();
        result.extend(self.unreachable.iter().map(|&l| (l, never)));
        result
    }
}

/// Runs the program before across dropped parts.
struct Crossing<'a> {
    program: &'a Program,
    pruned: Pruned,
    loops: &'a Loops,
    /// For each dropped branch, the edges to try at each location on the way, best first.
    orders: FxHashMap<Loc, BTreeMap<Loc, Vec<Edge>>>,
}

impl Crossing<'_> {
    fn run(
        &mut self,
        machine: &mut Machine<'_>,
        from: Loc,
        to: Loc,
        steps: &mut Vec<Step>,
    ) -> Result<(), BackError> {
        if !self.orders.contains_key(&from) {
            let order = self.order(from, to);
            self.orders.insert(from, order);
        }
        let order = &self.orders[&from];
        for _ in 0..STEPS {
            let at = machine.loc();
            if at == to {
                return Ok(());
            }
            let taken = order.get(&at).into_iter().flatten().find_map(|&e| {
                let hints = self.loops.hints.get(&e);
                let hints = hints.map_or(&[][..], |h| h.as_slice());
                machine.try_edge(e, &mut Hints(hints))
            });
            steps.push(taken.ok_or(BackError::NoWay(from))?);
        }
        Err(BackError::NoWay(from))
    }

    /// The edges between `from` and `to`: those that leave a loop first, then those nearest to `to`.
    fn order(&self, from: Loc, to: Loc) -> BTreeMap<Loc, Vec<Edge>> {
        let edges = &self.program.edges;
        let mut region = FxHashSet::default();
        let mut stack = vec![from];
        while let Some(l) = stack.pop() {
            if l != to && region.insert(l) {
                stack.extend(self.pruned.out(l).map(|e| edges[e].to));
            }
        }
        let mut distance: FxHashMap<Loc, usize> = FxHashMap::default();
        distance.insert(to, 0);
        let mut queue = VecDeque::from([to]);
        while let Some(l) = queue.pop_front() {
            let next = distance[&l] + 1;
            for e in self.pruned.inc(l) {
                let source = edges[e].from;
                if region.contains(&source) && !distance.contains_key(&source) {
                    distance.insert(source, next);
                    queue.push_back(source);
                }
            }
        }
        region
            .into_iter()
            .map(|l| {
                let mut out: Vec<Edge> = self.pruned.out(l).collect();
                out.sort_by_key(|&e| {
                    let far = distance.get(&edges[e].to).copied();
                    (!self.loops.leave.contains(e), far.unwrap_or(usize::MAX), e)
                });
                (l, out)
            })
            .collect()
    }
}

/// Gives inputs the listed values and zero to all others.
struct Hints<'a>(&'a [(Input, Value)]);

impl Oracle for Hints<'_> {
    fn input(&mut self, input: Input, ty: Type) -> Value {
        let hint = self.0.iter().find(|(i, _)| *i == input);
        hint.map_or_else(|| Value::zero(ty), |(_, v)| v.clone())
    }

    fn pick(&mut self, _: usize) -> usize {
        0
    }
}
