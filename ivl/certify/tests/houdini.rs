//! The selection of lemmas: exactly the largest inductive subset of what was offered, by explicit enumeration.

use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use trellis_ivl::graph::Adjacency;
use trellis_ivl::{Loc, Program, Term, Type, Value, text};
use trellis_ivl_certify::houdini;
use trellis_ivl_certify::region::Cut;
use trellis_ivl_testing::explore::{Enumerator, mentioned};
use trellis_ivl_testing::generate::{program, term};
use trellis_ivl_testing::{Rng, Shape, explore};
use trellis_solver_api::smt::{SmtBackend, SmtSession};
use trellis_solver_api::{Limits, SessionConfig};
use trellis_solver_batsat::Batsat;
use trellis_solver_bitblast::Bitblast;

const LIMIT: usize = 2_000;

/// Loops and few states.
const SHAPE: Shape = Shape {
    procs: 0,
    state_bits: 5,
    ..Shape::TINY
};

type Candidates = BTreeMap<Loc, Vec<Term>>;

fn session() -> Box<dyn SmtSession> {
    let backend = Bitblast::new(Batsat);
    backend
        .session(&SessionConfig::default())
        .expect("embedded")
}

/// All ways from `start` in `states` to the next heads.
fn ends(
    program: &Program,
    e: &mut Enumerator<'_>,
    heads: &BTreeSet<Loc>,
    start: Loc,
    states: Vec<Box<[Value]>>,
) -> Vec<(Loc, Box<[Value]>)> {
    let adjacency = Adjacency::new(program);
    let mut seen: FxHashSet<(Loc, Box<[Value]>)> = FxHashSet::default();
    let mut todo: Vec<_> = states.into_iter().map(|s| (start, s)).collect();
    let mut found = Vec::new();
    while let Some((loc, state)) = todo.pop() {
        for &edge in adjacency.out(loc) {
            let to = program.edges[edge].to;
            let cmd = program.edge_cmd(edge).expect("flat");
            for end in e.ends(cmd, &state).expect("small") {
                if !seen.insert((to, end.clone())) {
                    continue;
                }
                match heads.contains(&to) {
                    true => found.push((to, end)),
                    false => todo.push((to, end)),
                }
            }
        }
    }
    found
}

/// The largest inductive subset, by trying all states.
fn largest(program: &Program, offered: &Candidates) -> Option<Candidates> {
    let heads: BTreeSet<Loc> = offered.keys().copied().collect();
    let vars = mentioned(program);
    let mut e = Enumerator::new(program, &vars, LIMIT);
    let all = e.initial(&vars)?;
    let holds = |e: &mut Enumerator<'_>, s: &[Value], t: Term| e.eval(s, t) == Value::Bool(true);
    let mut kept = offered.clone();
    let entry = program.entry();
    let mut initial: Vec<(Loc, Box<[Value]>)> = match heads.contains(&entry) {
        true => all.iter().map(|s| (entry, s.clone())).collect(),
        false => ends(program, &mut e, &heads, entry, all.clone()),
    };
    loop {
        let mut reached = std::mem::take(&mut initial);
        for &head in &heads {
            let mut inside = all.clone();
            inside.retain(|s| kept[&head].iter().all(|&t| holds(&mut e, s, t)));
            reached.extend(ends(program, &mut e, &heads, head, inside));
        }
        let before = kept.clone();
        for (at, state) in reached {
            let lemmas = kept.get_mut(&at).expect("a head");
            lemmas.retain(|&t| holds(&mut e, &state, t));
        }
        if kept == before {
            return Some(kept);
        }
    }
}

#[test]
fn the_largest_inductive_subset_is_kept() {
    let (mut lost, mut kept) = (0, 0);
    for seed in 0..1_500 {
        let rng = &mut Rng::new(seed);
        let mut p = program(rng, SHAPE);
        let heads = Cut::heads(&p);
        let Some(reached) = explore(&p, LIMIT).filter(|_| !heads.is_empty() && p.is_flat()) else {
            continue;
        };
        let strongest = reached.invariants(&mut p);
        let vars = mentioned(&p);
        let mut offered = Candidates::new();
        for &head in &heads {
            let lemmas = offered.entry(head).or_default();
            for _ in 0..rng.below(5) {
                let random = term(rng, &mut p, &vars, Type::Bool, 2);
                // Most that are random do not hold; weaker than the strongest all do.
                lemmas.push(match strongest.get(&head) {
                    Some(&s) if rng.chance(60) => p.pool.or(s, random),
                    _ => random,
                });
            }
            lemmas.sort_unstable();
            lemmas.dedup();
        }
        let Some(expected) = largest(&p, &offered) else {
            continue;
        };
        // What is offered elsewhere is not taken.
        let mut more = offered.clone();
        for l in p.locs.keys().filter(|l| !heads.contains(l)) {
            more.insert(l, vec![p.pool.fls()]);
        }
        let found = houdini(&mut p, &more, &mut *session()).expect("a flat program");
        assert_eq!(found, expected, "seed {seed}\n{p}");
        let count = |c: &Candidates| c.values().map(Vec::len).sum::<usize>();
        kept += count(&expected);
        lost += count(&offered) - count(&expected);
    }
    assert!(kept >= 300 && lost >= 300, "{kept} kept, {lost} lost");
}

const COUNTER: &str = "ivl 1;
    var x: bv8;
    proc main() {
      loc l0 entry; loc l1; loc l2 exit;
      l0 -> l1 { x := 0bv8 };
      l1 -> l1 { assume x <u 9bv8; x := x + 1bv8 };
      l1 -> l2 { assume x >=u 9bv8 };
    }
    main main;";

#[test]
fn what_is_not_decided_is_dropped() {
    let mut p = text::parse(COUNTER).expect("well-formed");
    let small = text::parse_term(&mut p, "x <=u 9bv8").expect("a term");
    let offered = Candidates::from([(Loc::from_u32(1), vec![small])]);
    let found = houdini(&mut p, &offered, &mut *session()).expect("flat");
    assert_eq!(found, offered);
    let mut stopped = session();
    stopped.set_limits(Limits {
        wall: Some(Duration::ZERO),
        ..Limits::NONE
    });
    let found = houdini(&mut p, &offered, &mut *stopped).expect("flat");
    assert_eq!(found, Candidates::from([(Loc::from_u32(1), Vec::new())]));
}

#[test]
fn calls_are_refused() {
    let source = "ivl 1;
        proc f() { loc l0 entry; loc l1 exit; l0 -> l1 { }; }
        proc main() { loc l2 entry; loc l3 exit; l2 -> l3 call f() -> (); }
        main main;";
    let mut p = text::parse(source).unwrap_or_else(|e| panic!("{e}"));
    let refused = houdini(&mut p, &Candidates::new(), &mut *session());
    let why = refused.expect_err("it has a call").to_string();
    assert_eq!(why, "malformed certificate: candidates need a flat program");
}
