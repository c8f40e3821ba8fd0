//! The fixpoint: chaotic iteration in reverse post-order, widening at loop heads, then narrowing.

use crate::condition;
use crate::state::AbstractState;
use std::collections::{BTreeMap, BTreeSet};
use trellis_engine_common::Cfa;
use trellis_ivl::{Edge, Loc, LocKind, Op};

/// Visits of a head before it is widened.
const PATIENCE: u32 = 3;

/// Abstract states of the locations that are reached.
pub struct Analysis<S> {
    states: BTreeMap<Loc, S>,
    visits: BTreeMap<Loc, u32>,
    thresholds: Vec<u64>,
    order: BTreeMap<Loc, usize>,
    locs: Vec<Loc>,
    incoming: BTreeMap<Loc, Vec<Edge>>,
}

impl<S: AbstractState> Analysis<S> {
    /// The analysis before its first step, in which all states, `top`, are at the entry.
    pub fn new(cfa: &Cfa, top: S) -> Analysis<S> {
        let mut locs = vec![cfa.program.entry()];
        let mut seen: BTreeSet<Loc> = locs.iter().copied().collect();
        let mut incoming: BTreeMap<Loc, Vec<Edge>> = BTreeMap::new();
        for e in cfa.edges() {
            let d = &cfa.program.edges[e];
            incoming.entry(d.to).or_default().push(e);
            for l in [d.from, d.to] {
                if seen.insert(l) {
                    locs.push(l);
                }
            }
        }
        locs.sort_by_key(|&l| cfa.position(l));
        let mut thresholds = BTreeSet::new();
        let pool = &cfa.program.pool;
        for e in cfa.edges() {
            let t = cfa.transfer(e);
            for u in pool.post_order(t.updates.values().copied().chain([t.guard])) {
                if pool.op(u) == Op::BvConst
                    && let Some(c) = pool.as_bv(u).and_then(|c| c.to_u64())
                {
                    thresholds.extend([c.wrapping_sub(1), c, c.wrapping_add(1)]);
                }
            }
        }
        Analysis {
            states: BTreeMap::from([(cfa.program.entry(), top)]),
            visits: BTreeMap::new(),
            thresholds: thresholds.into_iter().collect(),
            order: locs.iter().enumerate().map(|(i, &l)| (l, i)).collect(),
            locs,
            incoming,
        }
    }

    /// The state of a location, if it is reached.
    pub fn state(&self, l: Loc) -> Option<&S> {
        self.states.get(&l)
    }

    /// The states after `edge`, if there are any.
    fn follow(&self, cfa: &mut Cfa, edge: Edge) -> Option<S> {
        let data = &cfa.program.edges[edge];
        let (from, to) = (data.from, data.to);
        let mut state = self.states.get(&from)?.clone();
        let guard = cfa.transfer(edge).guard;
        if !condition::assume(&mut state, &mut cfa.program.pool, guard, true) {
            return None;
        }
        let live = cfa.live(to).to_vec();
        let updates = cfa.transfer(edge).updates.clone();
        let update = |v| updates.get(&v).copied();
        Some(state.update(&mut cfa.program.pool, &update, &live))
    }

    /// Grows the states to a post-fixpoint. `cancelled` is asked now and then; true where it stopped that way.
    pub fn ascend(&mut self, cfa: &mut Cfa, cancelled: &mut dyn FnMut() -> bool) -> bool {
        let mut work: BTreeSet<usize> = BTreeSet::from([self.order[&cfa.program.entry()]]);
        while let Some(next) = work.pop_first() {
            if cancelled() {
                return true;
            }
            let loc = self.locs[next];
            for edge in cfa.out(loc).to_vec() {
                let Some(after) = self.follow(cfa, edge) else {
                    continue;
                };
                let to = cfa.program.edges[edge].to;
                if self.absorb(cfa, to, after) {
                    work.insert(self.order[&to]);
                }
            }
        }
        false
    }

    /// Adds states to a location; whether it changed.
    fn absorb(&mut self, cfa: &Cfa, to: Loc, after: S) -> bool {
        let pool = &cfa.program.pool;
        let Some(old) = self.states.get_mut(&to) else {
            self.states.insert(to, after);
            return true;
        };
        let before = old.clone();
        old.join(pool, &after);
        if *old == before {
            return false;
        }
        if cfa.is_head(to) {
            let visits = self.visits.entry(to).or_default();
            *visits += 1;
            if *visits > PATIENCE {
                let joined = std::mem::replace(old, before);
                old.widen(
                    pool,
                    &joined,
                    if *visits > 4 * PATIENCE {
                        &[]
                    } else {
                        &self.thresholds
                    },
                );
            }
        }
        true
    }

    /// One descending pass: every location gets what its predecessors give it now. From a post-fixpoint the result is
    /// one too, since transfer is monotone enough: it is checked to be below, and kept only then.
    pub fn descend(&mut self, cfa: &mut Cfa) -> bool {
        let mut changed = false;
        for loc in self.locs.clone() {
            if loc == cfa.program.entry() {
                continue;
            }
            let mut new: Option<S> = None;
            for edge in self.incoming.get(&loc).cloned().unwrap_or_default() {
                if let Some(after) = self.follow(cfa, edge) {
                    match &mut new {
                        Some(s) => s.join(&cfa.program.pool, &after),
                        None => new = Some(after),
                    }
                }
            }
            let old = self.states.get(&loc);
            if new.as_ref() == old {
                continue;
            }
            match new {
                None => {
                    self.states.remove(&loc);
                    changed = true;
                }
                Some(new) => {
                    let Some(old) = self.states.get_mut(&loc) else {
                        continue;
                    };
                    let mut union = new.clone();
                    union.join(&cfa.program.pool, old);
                    if union == *old {
                        *old = new;
                        changed = true;
                    }
                }
            }
        }
        changed
    }

    /// The error or incomplete locations that are not excluded.
    pub fn targets(&self, cfa: &Cfa) -> Vec<Loc> {
        let plain = |l: &Loc| cfa.program.locs[*l].kind == LocKind::Plain;
        self.states.keys().copied().filter(|l| !plain(l)).collect()
    }
}
