//! Against enumeration: random clauses over random gates, with domains, temporary clauses, cores.

use super::{Dependencies, Solver};
use crate::lit::{Lit, Var};
use std::rc::Rc;
use trellis_ivl_testing::Rng;

const LEAVES: usize = 6;
const GATES: usize = 6;

/// Values of all variables for the leaves' values in the bits of `leaves`.
fn evaluate(gates: &[(Lit, Lit)], leaves: usize) -> Vec<bool> {
    let mut values = vec![false];
    values.extend((0..LEAVES).map(|i| leaves >> i & 1 == 1));
    for &(a, b) in gates {
        let of = |l: Lit| values[l.at()] == l.is_positive();
        values.push(of(a) && of(b));
    }
    values
}

#[test]
fn answers_models_and_cores_are_right() {
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let lit =
            |rng: &mut Rng, below: usize| Lit::new(1 + rng.below(below - 1) as Var, rng.chance(50));
        let mut gates = Vec::new();
        let mut dependencies = vec![Vec::new(); 1 + LEAVES];
        for i in 0..GATES {
            let pair = (lit(&mut rng, 1 + LEAVES + i), lit(&mut rng, 1 + LEAVES + i));
            gates.push(pair);
            dependencies.push(vec![pair.0.var(), pair.1.var()]);
        }
        let mut solver = Solver::new(Rc::new(Dependencies::new(dependencies)));
        for (i, &(a, b)) in gates.iter().enumerate() {
            let g = Lit::of((1 + LEAVES + i) as Var);
            for clause in [&[!g, a][..], &[!g, b], &[g, !a, !b]] {
                solver.add_clause(clause);
            }
        }
        let worlds: Vec<Vec<bool>> = (0..1 << LEAVES).map(|l| evaluate(&gates, l)).collect();
        let holds = |world: &[bool], l: Lit| world[l.at()] == l.is_positive();
        let mut lemmas: Vec<Vec<Lit>> = Vec::new();
        for _ in 0..40 {
            if rng.chance(20) {
                let count = 1 + rng.below(3);
                let lemma: Vec<Lit> = (0..count).map(|_| lit(&mut rng, 1 + LEAVES)).collect();
                solver.add_lemma(&lemma);
                lemmas.push(lemma);
            }
            let all = 1 + LEAVES + GATES;
            let count = rng.below(5);
            let assumptions: Vec<Lit> = (0..count).map(|_| lit(&mut rng, all)).collect();
            let count = rng.below(4);
            let clause: Vec<Lit> = (0..count).map(|_| lit(&mut rng, all)).collect();
            let clause = rng.chance(60).then_some(&clause[..]);
            let possible = |assumed: &[Lit]| {
                worlds.iter().any(|w| {
                    lemmas
                        .iter()
                        .chain(clause.map(<[Lit]>::to_vec).as_ref())
                        .all(|c| c.iter().any(|&l| holds(w, l)))
                        && assumed.iter().all(|&l| holds(w, l))
                })
            };
            solver.begin(&assumptions, clause, &[]);
            let answer = solver.search(u64::MAX).expect("no limit");
            assert_eq!(answer, possible(&assumptions), "seed {seed}");
            if answer {
                sat += 1;
                for &l in assumptions.iter().chain(lemmas.iter().flatten()) {
                    assert!(
                        solver.value(l).is_some(),
                        "seed {seed}: {l:?} is in the domain"
                    );
                }
                assert!(assumptions.iter().all(|&l| solver.value(l) == Some(true)));
            } else {
                unsat += 1;
                assert!(solver.core().iter().all(|l| assumptions.contains(l)));
                assert!(
                    !possible(solver.core()),
                    "seed {seed}: the core is too small"
                );
            }
        }
    }
    assert!(sat > 1000 && unsat > 1000, "{sat} {unsat}");
}
