//! The checker of justice against the enumeration of models: random circuits with resets, constraints, justice and fairness, and mutants of
//! proofs and lassos.

use crate::common::mutate;
use std::ops::Range;
use trellis_frontend_aiger::testing::{random_just_model, satisfied};
use trellis_frontend_aiger::witness::{self, Property, Stimulus};
use trellis_frontend_aiger::{Lowered, Model, lower, parse};
use trellis_ivl::justice::{Justice, Measure, Watched, cone, observed, watch};
use trellis_ivl::one_loop::OneLoop;
use trellis_ivl::termination::Lasso;
use trellis_ivl::verify::verify;
use trellis_ivl::{Edge, Loc, Span, Step, Trace, Value, text};
use trellis_ivl_certify::{
    JusticeProof, Rejection, SafetyCertificate, SafetyProof, at_heads, check_just_lasso,
    check_justice,
};
use trellis_ivl_testing::explore::mentioned;
use trellis_ivl_testing::{Rng, explore};
use trellis_solver_api::SessionConfig;
use trellis_solver_api::smt::SmtBackend;
use trellis_solver_batsat::Batsat;
use trellis_solver_bitblast::Bitblast;

const LIMIT: usize = 4_000;

/// One property of a model.
struct Asked<'a> {
    model: &'a Model,
    lowered: &'a Lowered,
    number: usize,
}

impl Asked<'_> {
    fn justice(&self) -> &Justice {
        &self.lowered.justice[self.number]
    }

    fn watch(&self, measure: &Measure) -> Watched {
        let Lowered { program, graph, .. } = self.lowered;
        let watched = watch(program, graph, self.justice(), measure);
        verify(&watched.program).expect("well-formed");
        watched
    }

    fn accepts(&self, proof: &JusticeProof) -> Result<(), Rejection> {
        let mut session = Bitblast::new(Batsat).session(&SessionConfig::default());
        let session = session.as_mut().expect("embedded");
        let Lowered { program, graph, .. } = self.lowered;
        check_justice(
            program,
            graph,
            self.justice(),
            proof,
            &mut **session,
            &|| false,
        )
    }

    /// By this measure: a proof with the strongest invariant, or the trace to the error; nothing where there are too many states.
    fn decide(&self, measure: &Measure) -> Option<Result<JusticeProof, Trace>> {
        let watched = self.watch(measure);
        let reachable = explore(&watched.program, LIMIT)?;
        if let Some(trace) = reachable.targets(&watched.program).into_values().next() {
            return Some(Err(trace));
        }
        let mut own = watched.program.clone();
        let invariants = reachable.invariants(&mut own);
        let invariants = at_heads(&own, invariants);
        Some(Ok(JusticeProof {
            measure: measure.clone(),
            pool: own.pool,
            proof: SafetyProof::Inductive(SafetyCertificate::inductive(invariants)),
        }))
    }

    fn lasso(&self, measure: &Measure, trace: &Trace) -> Lasso {
        let Lowered { program, graph, .. } = self.lowered;
        let observed = observed(program, graph, self.justice());
        let found = observed.lasso(&self.watch(measure), trace);
        found.expect("an error of a snapshot has one")
    }

    fn checked(&self, lasso: &Lasso) -> Result<(), Rejection> {
        let Lowered { program, graph, .. } = self.lowered;
        check_just_lasso(program, graph, self.justice(), lasso).map(|_| ())
    }

    /// What the model itself says of a lasso.
    fn simulated(&self, lasso: &Lasso) -> Result<Stimulus, String> {
        let Lowered { program, graph, .. } = self.lowered;
        let observed = observed(program, graph, self.justice());
        let steps = self.lowered.steps(&observed.original(graph, &lasso.trace));
        let steps = steps.map_err(|e| e.to_string())?;
        let closed = witness::close(self.model, &steps, lasso.start - 1);
        let closed = closed.map_err(|e| e.to_string())?;
        let property = [Property::Justice(self.number as u32)];
        let shown = witness::check(self.model, &closed, &property);
        shown.map_err(|e| e.to_string())?;
        Ok(closed)
    }
}

/// Asks about every property of random models, one for each seed, with its truth by enumeration.
fn each_property(seeds: Range<u64>, mut ask: impl FnMut(u64, &Asked<'_>, bool, &mut Rng)) {
    for seed in seeds {
        let mut rng = Rng::new(seed);
        let model = &random_just_model(&mut rng, 1, 3);
        let lowered = &lower(model, "random.aig");
        for (number, truth) in satisfied(model).into_iter().enumerate() {
            let asked = Asked {
                model,
                lowered,
                number,
            };
            ask(seed, &asked, truth, &mut rng);
        }
    }
}

#[test]
fn random_models_are_as_enumeration_says() {
    let (mut holds, mut violated, mut counted, mut wide) = (0, 0, 0, 0);
    each_property(0..1000, |seed, asked, truth, _| {
        let what = format!("seed {seed}, j{}", asked.number);
        let Lowered { program, graph, .. } = asked.lowered;
        let narrow = Measure::Snapshot(cone(program, graph, asked.justice()));
        match asked.decide(&narrow) {
            None => wide += 1,
            Some(Ok(proof)) => {
                assert!(!truth, "{what}");
                if seed % 4 == 0 {
                    asked
                        .accepts(&proof)
                        .unwrap_or_else(|e| panic!("{what}: {e}"));
                }
                holds += 1;
            }
            Some(Err(trace)) => {
                assert!(truth, "{what}");
                let lasso = asked.lasso(&narrow, &trace);
                let checked = asked.checked(&lasso);
                assert!(checked.is_ok(), "{what}: {checked:?}");
                let simulated = asked.simulated(&lasso);
                assert!(simulated.is_ok(), "{what}: {simulated:?}");
                violated += 1;
            }
        }
        for k in [1, 3] {
            if let Some(Ok(proof)) = asked.decide(&Measure::Count(k)) {
                assert!(!truth, "{what}, {k} rounds");
                if seed % 8 == 0 {
                    asked
                        .accepts(&proof)
                        .unwrap_or_else(|e| panic!("{what}: {e}"));
                }
                counted += 1;
            }
        }
    });
    assert!(
        holds > 400 && violated > 200 && counted > 800 && wide < 400,
        "{holds} hold, {violated} do not, {counted} by counting, {wide} too wide"
    );
}

/// Whatever is remembered, nothing wrong is claimed; and all that steps change is enough.
#[test]
fn the_cone_decides() {
    let (mut less, mut more) = (0, 0);
    each_property(2000..2120, |seed, asked, truth, rng| {
        let number = asked.number;
        let mut vars = mentioned(&asked.lowered.program);
        if let Some(found) = asked.decide(&Measure::Snapshot(vars.clone())) {
            assert_eq!(found.is_err(), truth, "seed {seed}, j{number}");
            more += 1;
        }
        vars.retain(|_| rng.chance(50));
        if let Some(Ok(proof)) = asked.decide(&Measure::Snapshot(vars)) {
            assert!(!truth, "seed {seed}, j{number}");
            assert!(asked.accepts(&proof).is_ok());
            less += 1;
        }
    });
    assert!(less > 30 && more > 100, "{less} {more}");
}

#[test]
fn mutants_are_refused_or_still_right() {
    let (mut refused, mut kept) = (0, 0);
    let mut rng = Rng::new(5);
    each_property(3000..3100, |seed, asked, truth, _| {
        let Lowered { program, graph, .. } = asked.lowered;
        let vars = cone(program, graph, asked.justice());
        let measures = [Measure::Snapshot(vars), Measure::Count(3)];
        for measure in measures {
            let what = format!("seed {seed}, j{}, {measure:?}", asked.number);
            let mut count = |accepted: bool, right: bool| {
                assert!(!accepted || right, "{what}");
                *(if accepted { &mut kept } else { &mut refused }) += 1;
            };
            match asked.decide(&measure) {
                Some(Ok(proof)) => {
                    for proof in wrong_proofs(&mut rng, asked, &proof) {
                        // By enumeration no run satisfies the property; a proof that is not exact may be right as well.
                        count(asked.accepts(&proof).is_ok(), !truth);
                    }
                }
                Some(Err(trace)) if matches!(measure, Measure::Snapshot(_)) => {
                    let lasso = asked.lasso(&measure, &trace);
                    for lasso in wrong_lassos(&mut rng, &lasso) {
                        let accepted = asked.checked(&lasso).is_ok();
                        count(accepted, asked.simulated(&lasso).is_ok());
                    }
                }
                // A proof of the other answer, by force.
                Some(Err(_)) => {
                    let watched = asked.watch(&measure);
                    let mut own = watched.program.clone();
                    let invariants = explore(&watched.program, LIMIT).expect("as before");
                    let invariants = at_heads(&own.clone(), invariants.invariants(&mut own));
                    let proof = JusticeProof {
                        measure: measure.clone(),
                        pool: own.pool,
                        proof: SafetyProof::Inductive(SafetyCertificate::inductive(invariants)),
                    };
                    count(asked.accepts(&proof).is_ok(), false);
                }
                None => {}
            }
        }
    });
    assert!(refused > 600 && kept > 50, "{refused} refused, {kept} kept");
}

/// Proofs with another invariant, or of another program.
fn wrong_proofs(rng: &mut Rng, asked: &Asked<'_>, proof: &JusticeProof) -> Vec<JusticeProof> {
    let SafetyProof::Inductive(certificate) = &proof.proof else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for _ in 0..6 {
        let mut own = asked.watch(&proof.measure).program;
        own.pool = proof.pool.clone();
        let mut certificate = certificate.clone();
        for term in certificate.invariants.values_mut() {
            *term = mutate(rng, &mut own, *term);
        }
        all.push(JusticeProof {
            measure: proof.measure.clone(),
            pool: own.pool,
            proof: SafetyProof::Inductive(certificate),
        });
    }
    let other = match &proof.measure {
        Measure::Snapshot(vars) if !vars.is_empty() => Measure::Snapshot(vars[1..].to_vec()),
        Measure::Snapshot(_) => Measure::Count(1),
        Measure::Count(k) => Measure::Count(k - 1),
    };
    all.push(JusticeProof {
        measure: other,
        ..proof.clone()
    });
    all
}

/// Lassos that begin elsewhere, end early, meet something else, or read other inputs.
fn wrong_lassos(rng: &mut Rng, lasso: &Lasso) -> Vec<Lasso> {
    let mut all = Vec::new();
    let steps = lasso.trace.steps.len();
    for start in 1..steps {
        all.push(Lasso {
            start,
            ..lasso.clone()
        });
    }
    let mut shorter = lasso.clone();
    shorter.trace.steps.pop();
    all.push(shorter);
    for _ in 0..6 {
        let mut other = lasso.clone();
        let at = rng.below(steps);
        let step = &mut other.trace.steps[at];
        if rng.chance(50) && !step.choices.is_empty() {
            let i = rng.below(step.choices.len());
            step.choices[i] = 1 - step.choices[i];
        } else if let Some(Value::Bool(bit)) = step.inputs.last_mut().map(|(_, v)| v) {
            *bit = !*bit;
        } else {
            step.choices.push(0);
        }
        all.push(other);
    }
    // Nothing is said to be met.
    let mut silent = lasso.clone();
    for step in &mut silent.trace.steps[lasso.start..] {
        step.choices.fill(1);
    }
    all.push(silent);
    all
}

/// A counter that decides nothing takes longer to come back than what does.
#[test]
fn what_decides_nothing_need_not_come_back() {
    // A toggle is asked for; two bits count beside it.
    let text = b"aag 6 0 3 0 3 0 0 1\n2 3\n4 5\n6 12\n1\n2\n8 6 4\n10 7 5\n12 11 9\n";
    let model = parse(text).expect("a model");
    let lowered = lower(&model, "toggle.aag");
    let asked = Asked {
        model: &model,
        lowered: &lowered,
        number: 0,
    };
    let Lowered { program, graph, .. } = &lowered;
    let vars = cone(program, graph, asked.justice());
    assert_eq!(vars, [lowered.latches[0]]);
    let measure = Measure::Snapshot(vars);
    let Some(Err(trace)) = asked.decide(&measure) else {
        panic!("it toggles for ever")
    };
    let lasso = asked.lasso(&measure, &trace);
    asked.checked(&lasso).expect("a lasso");
    asked.simulated(&lasso).expect("closed by further rounds");
}

/// A choice that the model makes itself says nothing of conditions.
#[test]
fn choices_of_the_model_are_no_conditions() {
    let mut program = text::parse(
        "ivl 1; var x: bool; proc main() { loc l0 entry; loc l1; l0 -> l1 { x := false }; l1 -> l1 { skip }; } main main;",
    )
    .expect("the text is right");
    let x = text::parse_term(&mut program, "x").expect("a term");
    let (skip, other) = (program.cmds.skip(), program.cmds.assume(x));
    let graph = OneLoop {
        main_loop: Loc::from_u32(1),
        init: Edge::from_u32(0),
        step: Edge::from_u32(1),
        inputs: program.cmds.choice(&[skip, other]),
        next: skip,
        bads: Vec::new(),
    };
    let justice = Justice {
        name: "never".into(),
        span: Span::NONE,
        conditions: vec![x],
    };
    let observed = observed(&program, &graph, &justice);
    let step = |edge, choices: &[u32]| Step {
        edge,
        choices: choices.to_vec(),
        inputs: Vec::new(),
    };
    let lasso = Lasso {
        trace: Trace {
            steps: vec![step(observed.init, &[]), step(observed.step, &[0, 1])],
            ..Trace::default()
        },
        start: 1,
    };
    let refused = check_just_lasso(&program, &graph, &justice, &lasso);
    let refused = refused.expect_err("it never holds");
    assert!(matches!(refused, Rejection::Malformed(_)), "{refused}");
}
