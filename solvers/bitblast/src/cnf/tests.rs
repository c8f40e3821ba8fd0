//! Random graphs, asserted and assumed bit by bit, against truth tables.

use super::*;
use crate::circuits;
use trellis_solver_api::Answer;
use trellis_solver_api::testing::Rng;
use trellis_solver_batsat::BatsatSession;

const INPUTS: usize = 6;

/// Truth tables of all gates over six inputs, one bit per assignment.
fn tables(aig: &Aig) -> Vec<u64> {
    const INPUT: [u64; INPUTS] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    let mut tables: Vec<u64> = Vec::new();
    for node in 0..aig.len() as u32 {
        let of = |lit: AigLit| table(&tables, lit);
        tables.push(match aig.gate(node) {
            Gate::False => 0,
            Gate::Input => INPUT[node as usize - 1],
            Gate::And(a, b) => of(a) & of(b),
            Gate::Xor(a, b) => of(a) ^ of(b),
            Gate::Xor3(a, b, c) => of(a) ^ of(b) ^ of(c),
            Gate::Maj(a, b, c) => of(a) & of(b) | of(a) & of(c) | of(b) & of(c),
            Gate::Ite(c, t, e) => of(c) & of(t) | !of(c) & of(e),
        });
    }
    tables
}

fn table(tables: &[u64], lit: AigLit) -> u64 {
    let plain = tables[lit.node() as usize];
    if lit.is_inverted() { !plain } else { plain }
}

fn random_gates(rng: &mut Rng, aig: &mut Aig, lits: &mut Vec<AigLit>, count: usize) {
    for _ in 0..count {
        let [a, b, c] = [(); 3].map(|()| rng.pick(lits).invert_if(rng.one_in(2)));
        lits.push(match rng.below(6) {
            0..=1 => aig.and(a, b),
            2 => aig.xor(a, b),
            3 => aig.xor3(a, b, c),
            4 => aig.maj(a, b, c),
            _ => aig.ite(a, b, c),
        });
    }
}

/// One session of growing graph, assertions with and without guards, and assumptions.
fn session(seed: u64, full: bool) {
    let mut rng = Rng::new(seed);
    let (mut aig, mut cnf, mut sat) = (Aig::default(), Cnf::new(full), BatsatSession::new());
    let mut lits: Vec<AigLit> = (0..INPUTS).map(|_| aig.input()).collect();
    let guard = sat.new_var();
    let (mut asserted, mut guarded) = (u64::MAX, u64::MAX);
    for _ in 0..12 {
        random_gates(&mut rng, &mut aig, &mut lits, 8);
        let tables = tables(&aig);
        let root = rng.pick(&lits).invert_if(rng.one_in(2));
        match rng.below(4) {
            // Mostly keep it satisfiable.
            0 if asserted & table(&tables, root) != 0 || rng.one_in(4) => {
                cnf.assert(&aig, root, None, &mut sat);
                cnf.complete(&aig, &mut sat, || true);
                asserted &= table(&tables, root);
            }
            1 => {
                cnf.assert(&aig, root, Some(guard), &mut sat);
                cnf.complete(&aig, &mut sat, || true);
                guarded &= table(&tables, root);
            }
            _ => {}
        }
        let use_guard = rng.one_in(2);
        let mut models = if use_guard {
            asserted & guarded
        } else {
            asserted
        };
        sat.assume(if use_guard { guard } else { !guard });
        for _ in 0..rng.below(3) {
            let lit = rng.pick(&lits).invert_if(rng.one_in(2));
            models &= table(&tables, lit);
            let assumed = cnf.literal(&aig, lit, &mut sat);
            cnf.complete(&aig, &mut sat, || true);
            sat.assume(assumed);
        }
        let answer = sat.solve().expect("no failure");
        assert_eq!(
            answer == Answer::Sat,
            models != 0,
            "seed {seed}, full {full}"
        );
        if answer == Answer::Sat {
            let value = |i: usize| {
                let variable = cnf.variable(lits[i].node());
                variable.is_some_and(|v| sat.value(v).expect("state SAT") == Some(true))
            };
            let assignment = (0..INPUTS).fold(0, |n, i| n | usize::from(value(i)) << i);
            assert!(
                models >> assignment & 1 == 1,
                "seed {seed}, full {full}: no model"
            );
            for node in 1..aig.len() as u32 {
                if let Some(v) = cnf.exact_variable(node)
                    && node > INPUTS as u32
                {
                    let expected = tables[node as usize] >> assignment & 1 == 1;
                    assert_eq!(
                        sat.value(v).expect("state SAT"),
                        Some(expected),
                        "seed {seed}"
                    );
                }
            }
        }
    }
}

#[test]
fn random_sessions() {
    for seed in 0..500 {
        session(seed, false);
        session(seed, true);
    }
}

#[test]
fn only_the_reached_cone_is_encoded() {
    let (mut aig, mut cnf, mut sat) = (Aig::default(), Cnf::new(false), BatsatSession::new());
    let lits: Vec<AigLit> = (0..8).map(|_| aig.input()).collect();
    let all = aig.and_all(lits.iter().copied());
    let other = aig.xor(lits[0], lits[1]);
    cnf.literal(&aig, all, &mut sat);
    cnf.complete(&aig, &mut sat, || true);
    // One AND of eight inputs, one direction.
    assert_eq!((sat.max_var(), sat.stats().clauses), (9, 8));
    cnf.assert(&aig, other, None, &mut sat);
    cnf.complete(&aig, &mut sat, || true);
    // One gate, two clauses and the unit.
    assert_eq!((sat.max_var(), sat.stats().clauses), (10, 11));
}

/// Clauses that were stopped half way are complete after the next call.
#[test]
fn goes_on_where_it_stopped() {
    let (mut aig, mut cnf, mut sat) = (Aig::default(), Cnf::new(true), BatsatSession::new());
    let [a, b] = [(); 2].map(|()| (0..48).map(|_| aig.input()).collect::<Vec<_>>());
    let (ab, ba) = (
        circuits::mul(&mut aig, &a, &b),
        circuits::mul(&mut aig, &b, &a),
    );
    let low = |word: &[AigLit]| word[..4].to_vec();
    let same = circuits::eq(&mut aig, &low(&ab), &low(&ba));
    let top = *ab.last().expect("48 bits");
    cnf.assert(&aig, top, None, &mut sat);
    let differ = cnf.literal(&aig, !same, &mut sat);
    assert!(!cnf.complete(&aig, &mut sat, || false));
    assert!(cnf.complete(&aig, &mut sat, || true));
    assert_eq!(sat.solve(), Ok(Answer::Sat));
    sat.assume(differ);
    assert_eq!(sat.solve(), Ok(Answer::Unsat));
}
