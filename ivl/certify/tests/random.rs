//! The checker against explicit enumeration, on random programs and mutated certificates.

use crate::common::{mutate, valid};
use std::collections::{BTreeMap, BTreeSet};
use trellis_ivl::{FlattenOptions, Loc, Program, Term, Value, flatten};
use trellis_ivl_certify::region::Cut;
use trellis_ivl_certify::{Ghosts, SafetyCertificate, at_heads, check_safe, check_unsafe};
use trellis_ivl_passes::{Property, parse_list};
use trellis_ivl_testing::generate::program;
use trellis_ivl_testing::{Rng, Shape, explore};
use trellis_solver_api::SessionConfig;
use trellis_solver_api::smt::SmtBackend;
use trellis_solver_batsat::Batsat;
use trellis_solver_bitblast::Bitblast;

const LIMIT: usize = 3_000;
const EXPANSION: FlattenOptions = FlattenOptions {
    recursion: 2,
    max_edges: 200,
};

/// Programs whose errors are mostly out of reach.
const SAFE: Shape = Shape {
    errors: 1,
    incompletes: 0,
    assumes: 95,
    state_bits: 6,
    ..Shape::TINY
};

fn accepts(original: &Program, own: &Program, invariants: &BTreeMap<Loc, Term>) -> bool {
    accepts_with(original, own, invariants, &BTreeMap::new())
}

fn accepts_with(
    original: &Program,
    own: &Program,
    invariants: &BTreeMap<Loc, Term>,
    lemmas: &BTreeMap<Loc, Term>,
) -> bool {
    let backend = Bitblast::new(Batsat);
    let mut session = backend
        .session(&SessionConfig::default())
        .expect("embedded");
    let certificate = SafetyCertificate {
        invariants: invariants.clone(),
        lemmas: lemmas.clone(),
        k: 1,
        expansion: EXPANSION,
        ghosts: Ghosts::default(),
    };
    check_safe(original, &own.pool, &certificate, session.as_mut()).is_ok()
}

/// The strongest invariants of safe programs are accepted; those of unsafe ones never are.
#[test]
fn strongest_invariants() {
    let (mut safe, mut broken) = (0, 0);
    for seed in 0.. {
        if safe >= 150 && broken >= 50 {
            break;
        }
        let original = program(&mut Rng::new(seed), SAFE);
        let mut own = original.clone();
        let Some(reached) = explore(&own, LIMIT) else {
            continue;
        };
        let is_safe = reached.targets(&own).is_empty();
        let invariants = reached.invariants(&mut own);
        assert_eq!(
            accepts(&original, &own, &invariants),
            is_safe,
            "seed {seed}\n{original}"
        );
        safe += usize::from(is_safe);
        broken += usize::from(!is_safe);
    }
}

/// Whatever loops have instead of an invariant: with the strongest lemmas safe programs are accepted,
/// and with none, however false, unsafe ones are.
#[test]
fn lemmas_in_place_of_invariants() {
    let (mut safe, mut broken) = (0, 0);
    for seed in 0.. {
        if safe >= 150 && broken >= 150 {
            break;
        }
        let original = program(&mut Rng::new(seed), SAFE);
        let mut own = original.clone();
        let Some(reached) = explore(&own, LIMIT) else {
            continue;
        };
        let heads = Cut::heads(&own);
        let is_safe = reached.targets(&own).is_empty();
        let mut strongest = reached.invariants(&mut own);
        strongest.retain(|l, _| heads.contains(l));
        let rng = &mut Rng::new(seed);
        for _ in 0..5 {
            let (mut invariants, mut lemmas) = (BTreeMap::new(), BTreeMap::new());
            for (&l, &t) in &strongest {
                let t = match rng.below(4) {
                    0 if !is_safe => own.pool.fls(),
                    1 if !is_safe => mutate(rng, &mut own, t),
                    _ => t,
                };
                let place = match rng.chance(30) {
                    true => &mut invariants,
                    false => &mut lemmas,
                };
                place.insert(l, t);
            }
            assert_eq!(
                accepts_with(&original, &own, &invariants, &lemmas),
                is_safe,
                "seed {seed}\n{original}"
            );
        }
        safe += usize::from(is_safe && !heads.is_empty());
        broken += usize::from(!is_safe && !heads.is_empty());
    }
}

/// A proof on the program after all passes is a proof on the program before them.
#[test]
fn proofs_survive_the_way_back() {
    for (list, shape, wanted) in [
        (trellis_ivl_passes::registry::DEFAULT.to_string(), SAFE, 150),
        (
            format!("{}, monolithic", trellis_ivl_passes::registry::DEFAULT),
            SAFE,
            50,
        ),
        (
            trellis_ivl_passes::registry::DEFAULT
                .replace("inline", "inline(recursion=2,max_edges=200)"),
            Shape {
                procs: 2,
                state_bits: 5,
                locs: 4,
                ..SAFE
            },
            50,
        ),
    ] {
        let (mut safe, mut tried) = (0, 0);
        for seed in 0.. {
            if safe == wanted {
                break;
            }
            let original = program(&mut Rng::new(seed), shape);
            let mut after = original.clone();
            let passes =
                parse_list(&list, &Property::of(&original)).unwrap_or_else(|e| panic!("{e}"));
            let mut report = passes.run(&mut after).unwrap_or_else(|e| panic!("{e}"));
            let Some(reached) = explore(&after, LIMIT) else {
                continue;
            };
            if !reached.targets(&after).is_empty() {
                continue;
            }
            tried += 1;
            let invariants = reached.invariants(&mut after);
            let proof = report.back.proof(&mut after, invariants);
            if accepts_with(&original, &after, &proof.invariants, &proof.lemmas) {
                safe += 1;
            } else {
                panic!("{list}: seed {seed}: proof {tried} is lost on the way back\n{original}");
            }
        }
    }
}

/// Mutants of valid certificates are accepted exactly when enumeration finds them valid.
#[test]
fn mutated_certificates() {
    let (mut mutants, mut killed) = (0, 0);
    for seed in 0.. {
        if mutants >= 1_500 {
            break;
        }
        let original = program(&mut Rng::new(seed), SAFE);
        let mut own = original.clone();
        let heads = Cut::heads(&original);
        let Some(reached) = explore(&own, LIMIT).filter(|r| r.targets(&own).is_empty()) else {
            continue;
        };
        if heads.is_empty() {
            continue;
        }
        let strongest = reached.invariants(&mut own);
        let invariants = at_heads(&own, strongest);
        let mut rng = Rng::new(seed);
        for _ in 0..15 {
            let mut mutant = invariants.clone();
            let heads: Vec<Loc> = heads.iter().copied().collect();
            let at = *rng.pick(&heads);
            let t = mutate(&mut rng, &mut own, mutant[&at]);
            mutant.insert(at, t);
            let expected = valid(&original, &own, &mutant);
            assert_eq!(
                accepts(&original, &own, &mutant),
                expected,
                "seed {seed}\n{original}"
            );
            mutants += 1;
            killed += usize::from(!expected);
        }
    }
    assert!(
        killed >= 500,
        "only {killed} of {mutants} mutants changed the meaning"
    );
}

/// Mutated traces that still replay really reach an error.
#[test]
fn mutated_traces() {
    let (mut mutants, mut killed) = (0, 0);
    for seed in 0.. {
        if mutants >= 1_500 {
            break;
        }
        let original = program(&mut Rng::new(seed), Shape::TINY);
        let mut flat = original.clone();
        flatten(&mut flat, &EXPANSION);
        let Some(reached) = explore(&flat, LIMIT) else {
            continue;
        };
        let reachable: BTreeSet<String> = reached.targets(&flat).into_keys().collect();
        let mut rng = Rng::new(seed);
        for (name, trace) in reached.targets(&flat) {
            if !name.starts_with("error") {
                continue;
            }
            assert!(check_unsafe(&original, &trace).is_ok());
            for _ in 0..10 {
                let mut mutant = trace.clone();
                let at = rng.below(mutant.steps.len());
                match rng.below(5) {
                    0 => drop(mutant.steps.remove(at)),
                    1 => mutant.steps.truncate(at),
                    2 => {
                        mutant.steps[at].edge =
                            *rng.pick(&original.edges.keys().collect::<Vec<_>>())
                    }
                    3 => mutant.steps[at].choices.push(0),
                    _ => {
                        for (_, value) in &mut mutant.steps[at].inputs {
                            *value = Value::zero(value.ty());
                        }
                        for value in mutant.initial.values_mut() {
                            *value = Value::zero(value.ty());
                        }
                    }
                }
                mutants += 1;
                match check_unsafe(&original, &mutant) {
                    Err(_) => killed += 1,
                    Ok(end) => {
                        let kind =
                            trellis_ivl_testing::explore::kind_name(&original.locs[end].kind);
                        assert!(reachable.contains(&kind.expect("an error")), "seed {seed}");
                    }
                }
            }
        }
    }
    assert!(
        killed >= 500,
        "only {killed} of {mutants} mutants were wrong"
    );
}
