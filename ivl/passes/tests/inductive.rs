//! What the certificate checker needs of translated invariants: not only that they hold, but that
//! they are inductive on the program before. Exhaustive over all states of random programs, with
//! the strongest invariants there are (the reachable states) and the weakest that prove something
//! (all states without a way to an error that is unreachable).

use rustc_hash::FxHashSet;
use trellis_ivl::graph::Adjacency;
use trellis_ivl::{Program, Term, Value, Var};
use trellis_ivl_passes::{Invariants, Property, parse_list};
use trellis_ivl_testing::explore::Enumerator;
use trellis_ivl_testing::generate::program;
use trellis_ivl_testing::{Rng, Shape, explore, structured, weakest};

const LIMIT: usize = 2_000;

/// Whether `invariants` are initial and inductive on `p`; `None` when it is too large.
fn inductive(p: &Program, vars: &[Var], invariants: &Invariants) -> Option<Result<(), String>> {
    let mut states = Enumerator::new(p, vars, LIMIT);
    let all = states.initial(vars)?;
    let adjacency = Adjacency::new(p);
    let holds = |states: &mut Enumerator, values: &[Value], t: Term| {
        states.eval(values, t) == Value::Bool(true)
    };
    // From every state that an invariant allows, on through locations without one.
    let mut open = Vec::new();
    for values in &all {
        for l in p.locs.keys() {
            match invariants.get(&l) {
                Some(&t) if holds(&mut states, values, t) => open.push((l, values.clone())),
                Some(_) if l == p.entry() => {
                    return Some(Err(format!("excludes the initial state {values:?}")));
                }
                None if l == p.entry() => open.push((l, values.clone())),
                _ => {}
            }
        }
    }
    let mut seen = FxHashSet::default();
    while let Some((l, values)) = open.pop() {
        for &e in adjacency.out(l) {
            let to = p.edges[e].to;
            for end in states.ends(p.edge_cmd(e).expect("flat"), &values)? {
                match invariants.get(&to) {
                    Some(&t) if holds(&mut states, &end, t) => {}
                    Some(_) => return Some(Err(format!("{e} leads from {values:?} to {end:?}"))),
                    None if seen.insert((to, end.clone())) => open.push((to, end)),
                    None => {}
                }
            }
        }
    }
    Some(Ok(()))
}

/// Translates strongest and weakest invariants through `list` and checks both.
fn translated(before: &Program, list: &str) -> Option<Result<(), String>> {
    let mut after = before.clone();
    let list = parse_list(list, &[Property::Flat, Property::RegionBases]).expect("a correct list");
    let mut report = list.run(&mut after).expect("a correct pass");
    let vars: Vec<Var> = before.program_vars().collect();
    let strongest = explore(&after, LIMIT)?.invariants(&mut after);
    for invariants in [Some(strongest), weakest(&mut after, &vars, LIMIT)] {
        let Some(invariants) = invariants else {
            continue;
        };
        let back = report.back.proof(&mut after, invariants).invariants;
        // The program before with the terms that the passes and the translation have made.
        let mut control = before.control();
        after.swap_control(&mut control);
        if let Err(why) = inductive(&after, &vars, &back)? {
            return Some(Err(why));
        }
        after.swap_control(&mut control);
    }
    Some(Ok(()))
}

fn random(rng: &mut Rng) -> Program {
    program(rng, Shape::TINY)
}

fn check(list: &str, make: fn(&mut Rng) -> Program, count: usize) {
    let mut done = 0;
    for seed in 0.. {
        let p = make(&mut Rng::new(seed));
        match translated(&p, list) {
            None => continue,
            Some(Ok(())) => done += 1,
            Some(Err(why)) => panic!("'{list}' on seed {seed}: {why}\n{p}"),
        }
        if done == count {
            return;
        }
    }
}

#[test]
fn propagate() {
    check("propagate", random, 150);
}

#[test]
fn dce() {
    check("dce", random, 150);
    check("(propagate, dce)*", random, 150);
}

#[test]
fn slice() {
    check("slice", structured, 150);
    check("(propagate, slice, dce)*", structured, 150);
}
