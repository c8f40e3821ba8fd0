//! The weakest invariants that prove something, by enumeration.

use crate::explore::{Enumerator, explore};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use trellis_ivl::graph::Adjacency;
use trellis_ivl::{Loc, LocKind, Program, Term, Value, Var};

type State = Box<[Value]>;

/// At each location, the states of `vars` without a way to a target that is unreachable; `None` when
/// every target is reachable or there are more than `limit` states.
pub fn weakest(p: &mut Program, vars: &[Var], limit: usize) -> Option<BTreeMap<Loc, Term>> {
    let reached: FxHashSet<Loc> = explore(p, limit)?.states().map(|(l, _)| l).collect();
    let target = |l: Loc| p.locs[l].kind != LocKind::Plain && !reached.contains(&l);
    let mut states = Enumerator::new(p, vars, limit);
    let all = states.initial(vars)?;
    let adjacency = Adjacency::new(p);
    let mut before: FxHashMap<(Loc, State), Vec<(Loc, State)>> = FxHashMap::default();
    let mut bad: Vec<(Loc, State)> = Vec::new();
    for values in &all {
        for l in p.locs.keys() {
            if target(l) {
                bad.push((l, values.clone()));
            }
            for &e in adjacency.out(l) {
                for end in states.ends(p.edge_cmd(e).expect("flat"), values)? {
                    let to = (p.edges[e].to, end);
                    before.entry(to).or_default().push((l, values.clone()));
                }
            }
        }
    }
    if bad.is_empty() {
        return None;
    }
    let mut seen: FxHashSet<(Loc, State)> = bad.iter().cloned().collect();
    while let Some(state) = bad.pop() {
        for s in before.get(&state).into_iter().flatten() {
            if seen.insert(s.clone()) {
                bad.push(s.clone());
            }
        }
    }
    let mut invariants = BTreeMap::new();
    for l in p.locs.keys() {
        let good = all.iter().filter(|v| !seen.contains(&(l, (*v).clone())));
        let good: Vec<Term> = good.map(|v| cube(p, vars, v)).collect();
        let any = p.pool.or_all(good);
        invariants.insert(l, any);
    }
    Some(invariants)
}

/// That `vars` have these values.
pub fn cube(p: &mut Program, vars: &[Var], values: &[Value]) -> Term {
    let parts: Vec<Term> = vars
        .iter()
        .zip(values)
        .map(|(&v, value)| {
            let (v, value) = (p.pool.var(v), p.pool.value(value));
            p.pool.eq(v, value)
        })
        .collect();
    p.pool.and_all(parts)
}
