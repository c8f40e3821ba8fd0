//! Lists of passes keep proofs: a certificate that the checker accepts on the program after
//! the passes is accepted, translated back, on the program before them.
//!
//! The certificates are what engines give: something at every loop head of the program after and
//! nothing elsewhere, from the strongest invariants (the reachable states) over the weakest (the states
//! without a way to an error) to none at all, inductive over one visit of a head or over several.

use std::collections::BTreeMap;
use trellis_ivl::{Loc, Program, Term};
use trellis_ivl_certify::region::Cut;
use trellis_ivl_certify::{Rejection, SafetyCertificate, check_safe};
use trellis_ivl_passes::{Property, parse_list, registry};
use trellis_ivl_testing::explore::{Enumerator, mentioned};
use trellis_ivl_testing::generate::program;
use trellis_ivl_testing::weakest::{cube, weakest};
use trellis_ivl_testing::{Rng, Shape, doubled, explore, structured};
use trellis_solver_api::SessionConfig;
use trellis_solver_api::smt::SmtBackend;
use trellis_solver_batsat::Batsat;
use trellis_solver_bitblast::Bitblast;

const LIMIT: usize = 2_000;

/// What lists are made of.
const PASSES: &[&str] = &[
    "propagate",
    "propagate(expr_limit=1)",
    "dce",
    "slice",
    "slice(loops=drop)",
    "bisim",
    "lbe",
    "lbe(limit=3, grow=2)",
    "(propagate, dce)*",
];

fn some_list(rng: &mut Rng) -> String {
    let mut list = vec!["inline"];
    for _ in 0..1 + rng.below(5) {
        list.push(*rng.pick::<&str>(PASSES));
    }
    if rng.chance(10) {
        list.push("monolithic");
    }
    list.join(", ")
}

fn some_program(rng: &mut Rng) -> Program {
    match rng.below(4) {
        0 => program(rng, Shape::SAFE),
        1 => {
            let p = program(rng, Shape::SAFE);
            doubled(rng, p)
        }
        _ => structured(rng),
    }
}

fn check(p: &Program, own: &Program, certificate: &SafetyCertificate) -> Result<(), Rejection> {
    let backend = Bitblast::new(Batsat);
    let mut session = backend
        .session(&SessionConfig::default())
        .expect("embedded");
    check_safe(p, &own.pool, certificate, session.as_mut())
}

/// Annotations of all heads of the safe program `p`.
fn candidates(rng: &mut Rng, p: &mut Program) -> Option<Vec<(BTreeMap<Loc, Term>, u32)>> {
    let reached = explore(p, LIMIT)?;
    if !reached.targets(p).is_empty() {
        return None;
    }
    let heads = Cut::heads(p);
    let at_heads = |mut m: BTreeMap<Loc, Term>| {
        m.retain(|l, _| heads.contains(l));
        m
    };
    let strongest = at_heads(reached.invariants(p));
    let tru = p.pool.tru();
    let nothing: BTreeMap<Loc, Term> = heads.iter().map(|&h| (h, tru)).collect();
    let vars = mentioned(p);
    let mut result = vec![(strongest.clone(), 1)];
    result.extend(weakest(p, &vars, LIMIT).map(|m| (at_heads(m), 1)));
    result.extend((1..4).map(|k| (nothing.clone(), k)));
    let all = Enumerator::new(p, &vars, LIMIT).initial(&vars)?;
    for k in 1..4 {
        let more = strongest.iter().map(|(&h, &t)| {
            let some = (0..rng.below(4)).map(|_| rng.pick(&all).clone());
            let some: Vec<Term> = some.map(|values| cube(p, &vars, &values)).collect();
            (h, p.pool.or_all(some.into_iter().chain([t])))
        });
        result.push((more.collect(), k));
    }
    Some(result)
}

/// Certificates that came back, those of them with k > 1, and the lists that lost one.
#[derive(Default)]
struct Tally {
    all: usize,
    deep: usize,
    lost: Vec<String>,
}

/// Checks one program with one list.
fn check_one(rng: &mut Rng, before: &Program, list: &str, tally: &mut Tally) -> Option<()> {
    let mut after = before.clone();
    let passes = parse_list(list, &Property::of(before)).expect("a correct list");
    let mut report = passes.run(&mut after).expect("a correct pass");
    for (invariants, k) in candidates(rng, &mut after)? {
        let claimed = SafetyCertificate {
            k,
            ..SafetyCertificate::inductive(invariants.clone())
        };
        if check(&after, &after, &claimed).is_err() {
            continue;
        }
        let proof = report.back.proof(&mut after, invariants.clone());
        let back = SafetyCertificate {
            k,
            lemmas: proof.lemmas.clone(),
            ..SafetyCertificate::inductive(proof.invariants.clone())
        };
        if check(before, &after, &back).is_err() {
            tally.lost.push(format!("'{list}', k = {k}"));
            continue;
        }
        tally.all += 1;
        tally.deep += usize::from(k > 1);
    }
    Some(())
}

/// Hardly any is lost. The one known: what is claimed of a dead variable does not come back, and a proof that
/// only contradicted itself there is none without it.
#[test]
fn hardly_a_list_loses_a_proof() {
    let mut tally = Tally::default();
    for seed in 0..2_000 {
        let rng = &mut Rng::new(seed);
        let before = some_program(rng);
        let list = match rng.below(4) {
            0 => registry::DEFAULT.into(),
            _ => some_list(rng),
        };
        // `None` where the program is too large or unsafe.
        let _ = check_one(rng, &before, &list, &mut tally);
    }
    let Tally { all, deep, lost } = tally;
    println!("{all} certificates, {deep} with k > 1, {} lost", lost.len());
    assert!(all >= 2_000, "only {all} certificates");
    assert!(deep >= 500, "only {deep} certificates with k > 1");
    assert!(
        lost.len() * 1_000 <= all,
        "{} of {all} lost: {lost:#?}",
        lost.len()
    );
}
