//! Certificates from known invariants pass; models that are not safe, and mutants, do not.

use crate::{Error, check, make, word};
use trellis_frontend_aiger as aiger;
use trellis_frontend_btor2 as btor2;
use trellis_ivl::{Program, Term};
use trellis_solver_api::Limits;
use trellis_solver_batsat::Batsat;
use trellis_solver_bitblast::Bitblast;

/// A token enters a shift register of three latches when it is empty; bad where the last two are set.
/// At most one latch is set, but the property alone is not inductive.
const RING: &str =
    "aag 8 1 3 0 4 1\n2\n4 16 0\n6 4 0\n8 6 0\n10\n10 8 6\n12 5 7\n14 12 9\n16 14 2\n";

/// The conjunction of clauses over latches, `(latch, positive)`.
fn clauses(program: &mut Program, latches: &[trellis_ivl::Var], all: &[&[(usize, bool)]]) -> Term {
    let mut parts = Vec::new();
    for clause in all {
        let mut lits = Vec::new();
        for &(latch, positive) in *clause {
            let t = program.pool.var(latches[latch]);
            lits.push(if positive { t } else { program.pool.not(t) });
        }
        parts.push(program.pool.or_all(lits));
    }
    program.pool.and_all(parts)
}

fn one_hot(text: &str, all: &[&[(usize, bool)]]) -> (aiger::Model, Result<aiger::Model, Error>) {
    let model = aiger::parse(text.as_bytes()).expect("a model");
    let mut lowered = aiger::lower(&model, "ring");
    let latches = lowered.latches.clone();
    let invariant = clauses(&mut lowered.program, &latches, all);
    let circuit = make::make(&model, &lowered, &lowered.program.pool, Some(invariant));
    (model, circuit)
}

fn accepted(model: &aiger::Model, witness: &aiger::Model) -> Result<(), String> {
    check::check(model, witness, &Batsat, Limits::NONE).map_err(|e| e.to_string())
}

const AT_MOST_ONE: &[&[(usize, bool)]] = &[
    &[(0, false), (1, false)],
    &[(0, false), (2, false)],
    &[(1, false), (2, false)],
];

#[test]
fn an_invariant_becomes_a_circuit_that_passes() {
    let (model, circuit) = one_hot(RING, AT_MOST_ONE);
    let circuit = circuit.unwrap();
    assert_eq!(accepted(&model, &circuit), Ok(()));
    let read = aiger::parse(&aiger::write_binary(&circuit)).unwrap();
    assert_eq!(accepted(&model, &read), Ok(()));
    // The model itself: its property is not inductive.
    let refuted = Err("the step condition does not hold".to_string());
    assert_eq!(accepted(&model, &model), refuted);
    // Too weak an invariant.
    let (_, weak) = one_hot(RING, &AT_MOST_ONE[2..]);
    assert_eq!(accepted(&model, &weak.unwrap()), refuted);
    // One that does not hold at first.
    let (_, wrong) = one_hot(RING, &[&[(0, true)]]);
    let refuted = Err("the base condition does not hold".to_string());
    assert_eq!(accepted(&model, &wrong.unwrap()), refuted);
}

#[test]
fn a_circuit_that_is_not_the_model_fails() {
    let (model, circuit) = one_hot(RING, AT_MOST_ONE);
    let circuit = circuit.unwrap();
    let fails = |change: &dyn Fn(&mut aiger::Model), why: &str| {
        let mut mutant = circuit.clone();
        change(&mut mutant);
        assert_eq!(accepted(&model, &mutant), Err(why.to_string()));
    };
    let condition = |name: &str| format!("the {name} condition does not hold");
    fails(
        &|m| m.latches[1].next = aiger::Lit::FALSE,
        &condition("transition"),
    );
    fails(
        &|m| m.latches[0].reset = aiger::Lit::TRUE,
        &condition("reset"),
    );
    fails(&|m| m.constraints.push(aiger::Lit(3)), &condition("reset"));
    fails(&|m| m.bads[0] = aiger::Lit::FALSE, &condition("property"));
    fails(&|m| m.bads[0] = aiger::Lit::TRUE, &condition("base"));
    fails(
        &|m| m.bads.clear(),
        "the certificate does not fit the model: the numbers of properties differ",
    );
    fails(
        &|m| {
            m.symbols.insert(aiger::Item::Latch, 1, "= 4");
        },
        "the certificate does not fit the model: two of its bits simulate 4",
    );
    fails(
        &|m| m.comment = Some("MAPPING 1\n".into()),
        "the certificate is not understood: it maps gates by a comment MAPPING",
    );
}

/// The latch takes the first input at reset and holds it; the second remembers it one step
/// later; bad where the two differ after the first step.
#[test]
fn resets_that_read_inputs_are_certified() {
    // l0: reset i0, next l0; l1: reset i0, next l0; bad: l0 xor l1.
    let text = "aag 6 1 2 0 3 1\n2\n4 4 2\n6 4 2\n13\n8 4 7\n10 5 6\n12 9 11\n";
    let model = aiger::parse(text.as_bytes()).unwrap();
    let lowered = aiger::lower(&model, "reset");
    assert_eq!(lowered.saved.len(), 1);
    let circuit = make::make(&model, &lowered, &lowered.program.pool, None).unwrap();
    assert_eq!(circuit.latches.len(), 4);
    assert_eq!(accepted(&model, &circuit), Ok(()));
    let cyclic = "aag 2 0 2 0 0 1\n2 2 4\n4 4 2\n0\n";
    let cyclic = aiger::parse(cyclic.as_bytes()).unwrap();
    let why = accepted(&cyclic, &cyclic).unwrap_err();
    assert!(why.contains("depends on itself"), "{why}");
}

/// Whoever accepts a mutant of a certificate for an unsafe model is wrong, whatever the mutant is.
#[test]
fn no_certificate_passes_for_an_unsafe_model() {
    let mut rng = aiger::testing::Rng::new(7);
    let (mut unsafe_models, mut passed) = (0, 0);
    for _ in 0..400 {
        let model = aiger::testing::random_model(&mut rng);
        if model.properties().1.is_empty() || !model.justice.is_empty() {
            continue;
        }
        let reached = reaches_bad(&model, &mut rng);
        let other = aiger::testing::random_model(&mut rng);
        for witness in [model.clone(), other] {
            let ok = accepted(&model, &witness).is_ok();
            assert!(!(ok && reached), "{model:?}");
            passed += usize::from(ok);
        }
        unsafe_models += usize::from(reached);
    }
    assert!(
        unsafe_models > 50 && passed > 10,
        "{unsafe_models} {passed}"
    );
}

fn reaches_bad(model: &aiger::Model, rng: &mut aiger::testing::Rng) -> bool {
    let mut simulator = aiger::Simulator::<u64>::new(model);
    let mut alive = 0;
    for step in 0..10 {
        let inputs: Vec<u64> = (0..model.inputs).map(|_| rng.bits()).collect();
        if step == 0 {
            alive = simulator.start(&inputs, |_| rng.bits());
        } else {
            simulator.advance();
            simulator.step(&inputs);
        }
        alive &= simulator.constraints_hold();
        let bads = model.properties().1.iter();
        if bads.fold(0, |any, &b| any | simulator.value(b)) & alive != 0 {
            return true;
        }
    }
    false
}

/// A counter modulo 6 whose property needs an invariant: it is even and never 9.
const MOD6: &str = "1 sort bitvec 4\n2 sort bitvec 1\n3 zero 1\n4 state 1 count\n5 init 1 4 3\n6 constd 1 2\n\
7 constd 1 4\n8 add 1 4 6\n9 eq 2 4 7\n10 ite 1 9 3 8\n11 next 1 4 10\n12 constd 1 9\n13 eq 2 4 12\n14 bad 13 nine\n";

#[test]
fn word_level_certificates_pass_and_mutants_fail() {
    let model = btor2::parse(MOD6.as_bytes()).unwrap();
    let mut lowered = btor2::lower(&model, "mod6");
    let count = lowered.program.pool.var(lowered.states[0]);
    let pool = &mut lowered.program.pool;
    let (low, zero) = (pool.extract(0, 0, count), pool.num(1, 0));
    let even = pool.eq(low, zero);
    let six = pool.num(4, 6);
    let small = pool.bvult(count, six);
    let invariant = pool.and(even, small);
    let backend = Bitblast::new(Batsat);
    let verdict = |witness: &btor2::Model| {
        word::check(&model, witness, &backend, Limits::NONE).map_err(|e| e.to_string())
    };
    let circuit = word::make(&model, &lowered, &lowered.program.pool, Some(invariant)).unwrap();
    assert_eq!(verdict(&circuit), Ok(()));
    let read = btor2::parse(btor2::write(&circuit).as_bytes()).unwrap();
    assert_eq!(verdict(&read), Ok(()));
    let step = Err("the base and step condition does not hold".to_string());
    assert_eq!(verdict(&model), step);
    let weak = word::make(&model, &lowered, &lowered.program.pool, Some(small)).unwrap();
    assert_eq!(verdict(&weak), step, "five goes to seven");
    let odd = lowered.program.pool.not(even);
    let wrong = word::make(&model, &lowered, &lowered.program.pool, Some(odd)).unwrap();
    assert_eq!(verdict(&wrong), step);
    let mut other = circuit.clone();
    other.bads[0].value = btor2::Ref::new(other.bads[0].value.node(), true);
    assert_eq!(
        verdict(&other),
        Err("the property condition does not hold".into())
    );
    let mut other = circuit.clone();
    other.states[0].next = other.states[0].init;
    assert!(verdict(&other).unwrap_err().contains("inputs or states"));
    let mut other = circuit;
    other.constraints.push(btor2::Property {
        value: model.bads[0].value,
        name: None,
    });
    assert!(verdict(&other).unwrap_err().contains("constraints"));
}
