//! The way back of `propagate`: which facts an invariant of the program after rests on.
//!
//! An invariant proved after the pass is inductive before it together with the facts by which
//! commands were rewritten, and the facts those were derived from. A fact is *needed* at a location
//! when an edge from there looks it up, or passes it on unchanged to where it is needed: a backward
//! data flow over persistent sets. It runs only when invariants are translated.

use super::state::{Flow, State};
use crate::back::{BackError, BackMap, Invariants};
use crate::patricia::{Map, Sets};
use cranelift_entity::{EntityRef, EntitySet};
use std::cell::RefCell;
use trellis_ivl::graph::{Adjacency, DepthFirst};
use trellis_ivl::{Edge, Loc, Program, Term, Trace, Var};

/// Holds the states that the pass found.
pub(super) struct FactsBack {
    flow: RefCell<Flow>,
    states: Vec<Option<State>>,
}

impl FactsBack {
    pub fn new(flow: Flow, states: Vec<Option<State>>) -> FactsBack {
        FactsBack {
            flow: RefCell::new(flow),
            states,
        }
    }

    fn needed(&self, program: &mut Program) -> Needed {
        let adjacency = Adjacency::new(program);
        let search = DepthFirst::new(program, &adjacency, program.entry());
        let mut needed = Needed {
            sets: Sets::new(),
            at: vec![Map::EMPTY; program.locs.len()],
            order: search.order,
            heads: search.heads,
        };
        let edges: Vec<Option<EdgeNeeds>> = program
            .edges
            .keys()
            .map(|e| self.edge_needs(program, e))
            .collect();
        let mut dirty = true;
        while dirty {
            dirty = false;
            for i in (0..needed.order.len()).rev() {
                let l = needed.order[i];
                let mut set = needed.at[l.index()];
                for &e in adjacency.out(l) {
                    if let Some(needs) = &edges[e.index()] {
                        let to = program.edges[e].to;
                        set = needed.before(needs, set, needed.at[to.index()]);
                    }
                }
                if !needed.sets.same(set, needed.at[l.index()]) {
                    needed.at[l.index()] = set;
                    dirty = true;
                }
            }
        }
        needed
    }

    /// `own` and the facts needed at `l`; false where that is never reached.
    fn strengthen(
        &self,
        program: &mut Program,
        needed: &Needed,
        l: Loc,
        own: Option<Term>,
    ) -> Term {
        let flow = self.flow.borrow();
        let Some(state) = self.states[l.index()] else {
            return program.pool.fls();
        };
        let mut parts: Vec<Term> = own.into_iter().collect();
        for (v, ()) in needed.sets.iter(needed.at[l.index()]) {
            if let Some(t) = flow.fact(state, v) {
                let v = program.pool.var(v);
                parts.push(program.pool.eq(v, t));
            }
        }
        program.pool.and_all(parts)
    }

    /// What the edge looks up, and which facts it makes; `None` where it is never taken.
    fn edge_needs(&self, program: &mut Program, e: Edge) -> Option<EdgeNeeds> {
        let mut flow = self.flow.borrow_mut();
        let (from, to) = (program.edges[e].from, program.edges[e].to);
        let state = self.states[from.index()]?;
        let cmd = program.edge_cmd(e)?;
        flow.looked_up.clear();
        flow.learnt.clear();
        let (_, end) = flow.run(program, cmd, state, false);
        let mut used = std::mem::take(&mut flow.looked_up);
        used.retain(|&v| flow.fact(state, v).is_some());
        let mut made = Vec::new();
        if let (Some(_), Some(after)) = (end, self.states[to.index()]) {
            made = std::mem::take(&mut flow.learnt);
            made.retain(|&v| flow.fact(state, v) != flow.fact(after, v));
        }
        Some(EdgeNeeds {
            used,
            made,
            passes: end.is_some(),
        })
    }
}

struct EdgeNeeds {
    /// Facts at the source that rewriting the command looks up.
    used: Vec<Var>,
    /// Variables whose fact at the target is made by the command.
    made: Vec<Var>,
    /// Whether the command can complete.
    passes: bool,
}

/// The variables whose fact is needed, per location.
struct Needed {
    sets: Sets<Var>,
    at: Vec<Map>,
    /// What the entry reaches, in reverse post-order, and the loop heads.
    order: Vec<Loc>,
    heads: EntitySet<Loc>,
}

impl Needed {
    /// `set` and what an edge needs at its source when `after` is needed at its target.
    fn before(&mut self, needs: &EdgeNeeds, set: Map, after: Map) -> Map {
        let mut set = set;
        if needs.passes {
            let mut after = after;
            for &v in &needs.made {
                after = self.sets.remove(after, v);
            }
            set = self.sets.union(set, after);
        }
        for &v in &needs.used {
            set = self.sets.insert(set, v, ());
        }
        set
    }
}

impl BackMap for FactsBack {
    fn trace(&self, _: &Program, trace: Trace) -> Result<Trace, BackError> {
        Ok(trace)
    }

    /// Locations that have an invariant get the facts needed there.
    fn invariants(&self, program: &mut Program, invariants: Invariants) -> Invariants {
        let needed = self.needed(program);
        let strengthen = |(l, t)| (l, self.strengthen(program, &needed, l, Some(t)));
        invariants.into_iter().map(strengthen).collect()
    }

    /// The heads of all other loops get theirs: a loop may have lost its influence, and with it its
    /// invariant, by these facts.
    fn lemmas(&self, program: &mut Program, known: &Invariants, lemmas: Invariants) -> Invariants {
        let needed = self.needed(program);
        let mut result = lemmas;
        for &l in &needed.order {
            if needed.heads.contains(l) && !known.contains_key(&l) {
                let lemma = self.strengthen(program, &needed, l, result.get(&l).copied());
                result.insert(l, lemma);
            }
        }
        let tru = program.pool.tru();
        result.retain(|_, &mut t| t != tru);
        result
    }
}
