//! What several tests of the checker need: the meaning of certificates by enumeration, and damage.

use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use trellis_ivl::graph::Adjacency;
use trellis_ivl::{Loc, LocKind, Op, Program, Term, Value};
use trellis_ivl_certify::region::Cut;
use trellis_ivl_testing::Rng;
use trellis_ivl_testing::explore::{Enumerator, mentioned};

/// States that are enumerated at most.
const LIMIT: usize = 5_000;

/// Whether the invariants at loop heads are a valid certificate, by enumeration of all states.
pub fn valid(program: &Program, own: &Program, invariants: &BTreeMap<Loc, Term>) -> bool {
    let heads = Cut::heads(program);
    let vars = mentioned(program);
    let mut e = Enumerator::new(own, &vars, LIMIT);
    let states = e.initial(&vars).expect("a small state space");
    let adjacency = Adjacency::new(program);
    let mut starts: BTreeMap<Loc, Vec<Box<[Value]>>> = BTreeMap::new();
    for &h in &heads {
        let inv = invariants[&h];
        let inside = states
            .iter()
            .filter(|s| e.eval(s, inv) == Value::Bool(true))
            .cloned();
        let inside: Vec<_> = inside.collect();
        starts.insert(h, inside);
    }
    let entry = program.entry();
    if heads.contains(&entry) && starts[&entry].len() != states.len() {
        return false;
    }
    starts.entry(entry).or_insert(states);
    // From every state that the certificate allows, everything up to the next head must be fine.
    for (start, states) in starts {
        let mut seen: BTreeSet<Loc> = BTreeSet::new();
        let mut todo: FxHashMap<Loc, Vec<Box<[Value]>>> = FxHashMap::from_iter([(start, states)]);
        let mut done: rustc_hash::FxHashSet<(Loc, Box<[Value]>)> = Default::default();
        while let Some(&loc) = todo.keys().next() {
            let states = todo.remove(&loc).expect("a key");
            seen.insert(loc);
            for state in states {
                for &edge in adjacency.out(loc) {
                    let to = program.edges[edge].to;
                    let cmd = program.edge_cmd(edge).expect("flat");
                    for end in e.ends(cmd, &state).expect("small") {
                        if program.locs[to].kind != LocKind::Plain {
                            return false;
                        }
                        if heads.contains(&to) {
                            if e.eval(&end, invariants[&to]) != Value::Bool(true) {
                                return false;
                            }
                        } else if done.insert((to, end.clone())) {
                            todo.entry(to).or_default().push(end);
                        }
                    }
                }
            }
        }
    }
    true
}

/// A random change of a term: a different constant, operation or argument order somewhere in it.
pub fn mutate(rng: &mut Rng, p: &mut Program, t: Term) -> Term {
    let order = p.pool.post_order([t]);
    let victim = *rng.pick(&order);
    let mut map: FxHashMap<Term, Term> = FxHashMap::default();
    for u in order {
        let args: Vec<Term> = p.pool.args(u).map(|a| map[&a]).collect();
        let mut new = if args.is_empty() {
            u
        } else {
            p.pool.rebuild(u, &args)
        };
        if u == victim {
            new = match p.pool.ty(new) {
                trellis_ivl::Type::Bool => p.pool.not(new),
                trellis_ivl::Type::Bv(w) => match rng.below(3) {
                    0 => p.pool.bvnot(new),
                    1 => {
                        let one = p.pool.num(w, 1);
                        p.pool.bvadd(new, one)
                    }
                    _ => p.pool.num(w, rng.bits()),
                },
                trellis_ivl::Type::Array { index, elem } => {
                    let i = p.pool.num(index, rng.bits());
                    let e = p.pool.num(elem, rng.bits());
                    p.pool.make(Op::Store, &[new, i, e])
                }
            };
        }
        map.insert(u, new);
    }
    map[&t]
}
