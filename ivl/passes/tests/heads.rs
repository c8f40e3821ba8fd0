//! What the certificate checker needs of the passes that rearrange control: invariants at the loop
//! heads after come back to locations that cut all loops of the program before, and are inductive
//! from one to the next. Exhaustive over all states of random programs.

use rustc_hash::FxHashSet;
use trellis_ivl::graph::{Adjacency, DepthFirst};
use trellis_ivl::{Loc, Program, Value, Var};
use trellis_ivl_passes::{Invariants, Property, parse_list};
use trellis_ivl_testing::explore::Enumerator;
use trellis_ivl_testing::generate::program;
use trellis_ivl_testing::{Rng, Shape, doubled, explore};

const LIMIT: usize = 2_000;

/// Whether the invariants at `heads` alone are inductive; `None` when there are too many states.
fn inductive(p: &Program, invariants: &Invariants, heads: &[Loc]) -> Option<Result<(), String>> {
    let vars: Vec<Var> = p.program_vars().collect();
    let mut states = Enumerator::new(p, &vars, LIMIT);
    let all = states.initial(&vars)?;
    let mut allowed =
        |l: Loc, values: &[Value]| states.eval(values, invariants[&l]) == Value::Bool(true);
    let mut open = Vec::new();
    for values in &all {
        let starts = heads.iter().filter(|&&l| allowed(l, values));
        open.extend(starts.map(|&l| (l, values.clone())));
        if !heads.contains(&p.entry()) {
            open.push((p.entry(), values.clone()));
        }
    }
    let adjacency = Adjacency::new(p);
    let mut seen = FxHashSet::default();
    while let Some((l, values)) = open.pop() {
        for &e in adjacency.out(l) {
            let to = p.edges[e].to;
            for end in states.ends(p.edge_cmd(e).expect("flat"), &values)? {
                if heads.contains(&to) {
                    if states.eval(&end, invariants[&to]) != Value::Bool(true) {
                        return Some(Err(format!("{e} leads from {values:?} to {end:?}")));
                    }
                } else if seen.insert((to, end.clone())) {
                    open.push((to, end));
                }
            }
        }
    }
    Some(Ok(()))
}

/// Checks one program; `None` when it is too large.
fn check_one(before: &Program, list: &str) -> Option<Result<(), String>> {
    let mut after = before.clone();
    let list = parse_list(list, &[Property::Flat, Property::RegionBases]).expect("a correct list");
    let mut report = list.run(&mut after).expect("a correct pass");
    // As from an engine that works on loops: nothing at other locations.
    let reached = explore(&after, LIMIT)?;
    let mut strongest = reached.invariants(&mut after);
    let heads_after = heads(&after);
    strongest.retain(|l, _| heads_after.contains(l));
    let invariants = report.back.proof(&mut after, strongest).invariants;
    after.swap_control(&mut before.control());
    let annotated: Vec<Loc> = invariants.keys().copied().collect();
    if !cut(&after, &annotated) {
        return Some(Err("a loop has no invariant".into()));
    }
    inductive(&after, &invariants, &annotated)
}

fn heads(p: &Program) -> Vec<Loc> {
    let search = DepthFirst::new(p, &Adjacency::new(p), p.entry());
    p.locs
        .keys()
        .filter(|&l| search.heads.contains(l))
        .collect()
}

/// Whether every cycle passes one of `cuts`.
fn cut(p: &Program, cuts: &[Loc]) -> bool {
    let adjacency = Adjacency::new(p);
    let mut rest = p.clone();
    rest.edges.clear();
    for d in p.edges.values().filter(|d| !cuts.contains(&d.to)) {
        rest.edges.push(d.clone());
    }
    let rest_adjacency = Adjacency::new(&rest);
    let reached = DepthFirst::new(p, &adjacency, p.entry()).order;
    reached.iter().all(|&l| {
        let search = DepthFirst::new(&rest, &rest_adjacency, l);
        search.order.iter().all(|&m| !search.heads.contains(m))
    })
}

fn check(list: &str, count: usize, make: impl Fn(&mut Rng) -> Program) {
    let mut done = 0;
    for seed in 0..20 * count as u64 {
        let p = make(&mut Rng::new(seed));
        match check_one(&p, list) {
            None => continue,
            Some(Ok(())) => done += 1,
            Some(Err(why)) => panic!("'{list}' on seed {seed}: {why}\n{p}"),
        }
        if done == count {
            return;
        }
    }
    panic!("only {done} programs were small enough");
}

fn twice(rng: &mut Rng) -> Program {
    let shape = Shape {
        state_bits: 5,
        ..Shape::TINY
    };
    let p = program(rng, shape);
    doubled(rng, p)
}

fn tiny(rng: &mut Rng) -> Program {
    program(rng, Shape::TINY)
}

#[test]
fn bisim() {
    check("bisim", 100, tiny);
    check("bisim", 400, twice);
}

#[test]
fn lbe() {
    check("lbe", 300, tiny);
    check("lbe(limit=3, grow=2)", 100, tiny);
}

#[test]
fn monolithic() {
    check("monolithic", 100, tiny);
}

#[test]
fn lists() {
    check("bisim, lbe", 300, twice);
    check("lbe, monolithic", 100, tiny);
}
