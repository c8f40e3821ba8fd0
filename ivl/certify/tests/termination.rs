//! The checkers of termination and its contrary against explicit enumeration: random programs, and mutants of certificates.

use std::collections::BTreeMap;
use trellis_ivl::termination::{
    Lasso, Loop, Measure, Watched, cone, ends_only, gaps_only, lasso, loops, watch,
};
use trellis_ivl::{
    Bv, Edge, FlattenOptions, Loc, Machine, Op, Program, Step, Term, TermPool, Trace, Type, Value,
    flatten, text,
};
use trellis_ivl_certify::{
    Calls, Case, LoopProof, Recurrent, Rejection, SafetyCertificate, SafetyProof, Termination,
    at_heads, check_lasso, check_loop, check_recurrent, check_terminates,
};
use trellis_ivl_testing::explore::mentioned;
use trellis_ivl_testing::generate::program;
use trellis_ivl_testing::{Rng, Shape, diverges, explore};
use trellis_solver_api::SessionConfig;
use trellis_solver_api::smt::{SmtBackend, SmtSession};
use trellis_solver_batsat::Batsat;
use trellis_solver_bitblast::Bitblast;

const LIMIT: usize = 60_000;

const SHAPE: Shape = Shape {
    errors: 1,
    incompletes: 0,
    state_bits: 4,
    ..Shape::TINY
};

fn session() -> Box<dyn SmtSession> {
    let backend = Bitblast::new(Batsat);
    let session = backend.session(&SessionConfig::default());
    session.expect("embedded")
}

fn expansion() -> FlattenOptions {
    FlattenOptions::default()
}

fn expanded(complete: Option<(TermPool, SafetyProof)>) -> Calls {
    Calls::Expanded {
        complete,
        expansion: expansion(),
    }
}

/// The strongest invariants of a program as a proof, with their pool; `None` where it is not safe.
fn exact(program: &Program) -> Option<(TermPool, SafetyProof)> {
    let mut own = program.clone();
    let reachable = explore(program, LIMIT).expect("small");
    if !reachable.targets(program).is_empty() {
        return None;
    }
    let invariants = reachable.invariants(&mut own);
    let invariants = at_heads(&own, invariants);
    let proof = SafetyProof::Inductive(SafetyCertificate::inductive(invariants));
    Some((own.pool, proof))
}

fn loop_ends(flat: &Program, of: &Loop, proof: &LoopProof) -> Result<(), Rejection> {
    check_loop(flat, of, proof, session().as_mut(), &|| false)
}

#[test]
fn random_programs_end_or_do_not() {
    let (mut ending, mut endless) = (0, 0);
    for seed in 0..150 {
        let mut rng = Rng::new(seed);
        let flat = program(&mut rng, SHAPE);
        let truth = diverges(&flat, LIMIT).expect("small");
        let vars = mentioned(&flat);
        let mut certificate = Termination {
            calls: expanded(None),
            loops: BTreeMap::new(),
        };
        let mut found = None;
        for of in loops(&flat) {
            let measure = Measure::Snapshot(vars.clone());
            let watched = watch(&flat, &of, &measure);
            trellis_ivl::verify::verify(&watched.program).expect("well-formed");
            match exact(&watched.program) {
                Some((pool, proof)) => {
                    let proof = LoopProof {
                        measure,
                        pool,
                        proof,
                    };
                    certificate.loops.insert(of.head, proof);
                }
                None => found = Some(way_round(&flat, &watched)),
            }
        }
        let checked = check_terminates(&flat, &certificate, &mut || Ok(session()), &|| false);
        let accepted = checked.is_ok();
        assert_eq!(accepted, found.is_none(), "seed {seed}: {checked:?}");
        assert_eq!(accepted, !truth, "seed {seed}");
        match found {
            Some(lasso) => {
                let checked = check_lasso(&flat, &lasso, &expansion());
                assert!(checked.is_ok(), "seed {seed}: {checked:?}");
                endless += 1;
            }
            None if !certificate.loops.is_empty() => ending += 1,
            None => {}
        }
    }
    assert!(
        ending >= 20 && endless >= 20,
        "{ending} end, {endless} do not"
    );
}

fn way_round(flat: &Program, watched: &Watched) -> Lasso {
    let reachable = explore(&watched.program, LIMIT).expect("small");
    let trace = reachable.targets(&watched.program).into_values().next();
    lasso(flat, watched, &trace.expect("an error")).expect("a snapshot")
}

/// What it costs to leave a variable out of a snapshot: more is claimed, and never something wrong.
#[test]
fn the_cone_decides() {
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        let flat = program(&mut rng, SHAPE);
        let truth = diverges(&flat, LIMIT).expect("small");
        let all = loops(&flat);
        let mut safe = true;
        for of in &all {
            let watched = watch(&flat, of, &Measure::Snapshot(cone(&flat, of)));
            let reachable = explore(&watched.program, LIMIT).expect("small");
            if let Some(trace) = reachable.targets(&watched.program).into_values().next() {
                safe = false;
                let found = lasso(&flat, &watched, &trace).expect("a snapshot");
                let checked = check_lasso(&flat, &found, &expansion());
                assert!(checked.is_ok(), "seed {seed}: {checked:?}");
            }
        }
        assert_eq!(safe, !truth, "seed {seed}");
    }
}

/// Loops with their ranks, of which each component is needed.
const RANKED: &[(&str, &[&[&str]])] = &[
    (
        "ivl 1; var x: bv3; proc main() { loc l0 entry; loc l1; loc l2 exit;
         l0 -> l1 { skip }; l1 -> l1 { assume x >u 0bv3; x := x - 1bv3 }; l1 -> l2 { assume x == 0bv3 }; } main main;",
        &[&["x"]],
    ),
    (
        "ivl 1; var x: bv3; var y: bv3; proc main() { loc l0 entry; loc l1; loc l2 exit;
         l0 -> l1 { skip };
         l1 -> l1 { assume x >u 0bv3; x := x - 1bv3; havoc y };
         l1 -> l1 { assume x >u 0bv3; assume y >u 0bv3; y := y - 1bv3 };
         l1 -> l2 { assume x == 0bv3 }; } main main;",
        &[&["x", "y"]],
    ),
    (
        "ivl 1; var i: bv3; var j: bv3; proc main() { loc l0 entry; loc l1; loc l2; loc l3 exit;
         l0 -> l1 { i := 0bv3 };
         l1 -> l2 { assume i <u 5bv3; j := 0bv3 };
         l2 -> l2 { assume j <u i; j := j + 1bv3 };
         l2 -> l1 { assume j >=u i; i := i + 1bv3 };
         l1 -> l3 { assume i >=u 5bv3 }; } main main;",
        &[&["5bv3 - i"], &["i - j"]],
    ),
    (
        "ivl 1; var x: bv3; var up: bool; proc main() { loc l0 entry; loc l1; loc l2 exit;
         l0 -> l1 { up := true };
         l1 -> l1 { assume up; assume x <u 6bv3; x := x + 1bv3 };
         l1 -> l1 { assume up; assume x >=u 6bv3; up := false };
         l1 -> l1 { assume !up; assume x >u 1bv3; x := x - 1bv3 };
         l1 -> l2 { assume !up; assume x <=u 1bv3 }; } main main;",
        &[&["ite(up, 1bv1, 0bv1)", "ite(up, 7bv3 - x, x)"]],
    ),
];

fn parsed(source: &str) -> Program {
    text::parse(source).unwrap_or_else(|e| panic!("{e}"))
}

/// The proof of a loop by a rank, with the strongest invariants of the watched program; by `true` where that is not safe.
fn ranked(flat: &Program, of: &Loop, own: &TermPool, tuple: Vec<Term>) -> (LoopProof, bool) {
    let mut flat = flat.clone();
    flat.pool = own.clone();
    let watched = watch(&flat, of, &Measure::Rank(tuple.clone()));
    let mut grown = watched.program.clone();
    let reachable = explore(&watched.program, LIMIT).expect("small");
    let safe = reachable.targets(&watched.program).is_empty();
    let invariants = reachable.invariants(&mut grown);
    let invariants = at_heads(&grown, invariants);
    let proof = LoopProof {
        measure: Measure::Rank(tuple),
        pool: grown.pool,
        proof: SafetyProof::Inductive(SafetyCertificate::inductive(invariants)),
    };
    (proof, safe)
}

/// Components that are wrong in some way: another variable, turned, moved, narrower, doubled.
fn mutated_components(pool: &mut TermPool, t: Term, vars: &[Term]) -> Vec<Term> {
    let w = pool.width(t);
    let (one, two) = (pool.num(w, 1), pool.num(w, 2));
    let mut all = vec![
        pool.plain(Op::BvNot, &[t]),
        pool.plain(Op::BvNeg, &[t]),
        pool.plain(Op::BvAdd, &[t, one]),
        pool.plain(Op::BvSub, &[t, one]),
        pool.plain(Op::BvMul, &[t, two]),
        pool.plain(Op::BvLshr, &[t, one]),
        pool.plain(Op::BvAnd, &[t, one]),
        pool.intern_extract(0, 0, t),
        pool.intern_extract(w - 1, w - 1, t),
        pool.intern_extend(Op::ZeroExt, w + 1, t),
        pool.intern_extend(Op::SignExt, w + 1, t),
        pool.num(w, 0),
    ];
    all.extend(
        vars.iter()
            .filter(|&&v| v != t && matches!(pool.ty(v), Type::Bv(_))),
    );
    all
}

#[test]
fn mutated_ranks_are_refused_or_still_fall() {
    let (mut refused, mut kept) = (0, 0);
    for (source, ranks) in RANKED {
        let flat = parsed(source);
        assert_eq!(diverges(&flat, LIMIT), Some(false));
        let all = loops(&flat);
        assert_eq!(all.len(), ranks.len());
        for (of, rank) in all.iter().zip(*ranks) {
            let mut own = flat.clone();
            let tuple: Vec<Term> = rank
                .iter()
                .map(|t| text::parse_term(&mut own, t).unwrap_or_else(|e| panic!("{e}")))
                .collect();
            let (proof, safe) = ranked(&flat, of, &own.pool, tuple.clone());
            assert!(safe, "{rank:?}");
            loop_ends(&flat, of, &proof).unwrap_or_else(|e| panic!("{rank:?}: {e}"));
            let vars: Vec<Term> = mentioned(&flat)
                .into_iter()
                .map(|v| own.pool.var(v))
                .collect();
            let mut tuples = vec![Vec::new(), tuple.iter().rev().copied().collect::<Vec<_>>()];
            for i in 0..tuple.len() {
                let mut shorter = tuple.clone();
                shorter.remove(i);
                tuples.push(shorter);
                for wrong in mutated_components(&mut own.pool, tuple[i], &vars) {
                    let mut other = tuple.clone();
                    other[i] = wrong;
                    tuples.push(other.clone());
                    other.reverse();
                    tuples.push(other);
                }
            }
            for mutant in tuples {
                let (proof, safe) = ranked(&flat, of, &own.pool, mutant);
                let accepted = loop_ends(&flat, of, &proof).is_ok();
                assert_eq!(accepted, safe, "{source}");
                *(if accepted { &mut kept } else { &mut refused }) += 1;
                // The right invariants of the right rank say nothing of another.
                for invariants in [weaker(&proof, 0), weaker(&proof, 1), weaker(&proof, 2)] {
                    let accepted = loop_ends(&flat, of, &invariants).is_ok();
                    assert!(!accepted || safe, "{source}");
                    *(if accepted { &mut kept } else { &mut refused }) += 1;
                }
            }
        }
    }
    assert!(
        refused + kept >= 500 && refused >= 200,
        "{refused} refused, {kept} kept"
    );
}

/// The proof with other invariants: none, false, or each negated.
fn weaker(proof: &LoopProof, how: u32) -> LoopProof {
    let mut proof = proof.clone();
    let SafetyProof::Inductive(certificate) = &mut proof.proof else {
        unreachable!("ranks are proved by induction");
    };
    let pool = &mut proof.pool;
    match how {
        0 => certificate.invariants.clear(),
        1 => certificate
            .invariants
            .values_mut()
            .for_each(|t| *t = pool.fls()),
        _ => certificate
            .invariants
            .values_mut()
            .for_each(|t| *t = pool.plain(Op::Not, &[*t])),
    }
    proof
}

/// Programs that end and that do not, with one certificate: what is said of the one is not believed of the other.
#[test]
fn proofs_of_other_programs_are_refused() {
    let mut refused = 0;
    for (source, _) in RANKED {
        let right = parsed(source);
        for (old, new) in [
            ("- 1bv3", "- 2bv3"),
            ("- 1bv3", "- 0bv3"),
            ("- 1bv3", "+ 1bv3"),
            ("+ 1bv3", "- 1bv3"),
            ("+ 1bv3", "+ 0bv3"),
            ("+ 1bv3", "+ 3bv3"),
            (">u 0bv3", ">=u 0bv3"),
            ("<u", "<=u"),
            (":= 0bv3", ":= 1bv3"),
            ("false", "true"),
            ("assume y >u 0bv3; ", ""),
            ("assume x <u 6bv3; ", ""),
        ] {
            if !source.contains(old) {
                continue;
            }
            let other = parsed(&source.replacen(old, new, 1));
            let vars = mentioned(&right);
            let mut certificate = Termination {
                calls: expanded(None),
                loops: BTreeMap::new(),
            };
            for of in loops(&right) {
                let measure = Measure::Snapshot(vars.clone());
                let watched = watch(&right, &of, &measure);
                let (pool, proof) = exact(&watched.program).expect("it ends");
                let proof = LoopProof {
                    measure,
                    pool,
                    proof,
                };
                certificate.loops.insert(of.head, proof);
            }
            let checked = check_terminates(&other, &certificate, &mut || Ok(session()), &|| false);
            let endless = diverges(&other, LIMIT).expect("small");
            assert!(checked.is_err() || !endless, "{old} is {new}: {source}");
            refused += u32::from(checked.is_err());
            let mut fewer = certificate.clone();
            fewer.loops.pop_first();
            let checked = check_terminates(&right, &fewer, &mut || Ok(session()), &|| false);
            assert!(matches!(checked, Err(Rejection::Malformed(_))));
        }
    }
    assert!(refused >= 8, "{refused}");
}

/// What runs for ever, with a loop inside, an input, and a counter that nobody asks.
const ENDLESS: &[&str] = &[
    "ivl 1; var x: bv3; var n: bv3; proc main() { loc l0 entry; loc l1; loc l2 exit;
     l0 -> l1 { x := 4bv3 };
     l1 -> l1 { assume x != 0bv3; havoc x; assume x != 2bv3; n := n + 1bv3 };
     l1 -> l2 { assume x == 0bv3 }; } main main;",
    "ivl 1; var x: bv3; var y: bv3; proc main() { loc l0 entry; loc l1; loc l2; loc l3 exit;
     l0 -> l1 { skip };
     l1 -> l2 { assume x <u 6bv3; y := x };
     l2 -> l2 { assume y <u 6bv3; y := y + 1bv3 };
     l2 -> l1 { assume y >=u 6bv3; { x := x + 2bv3 } [] { assume x >u 1bv3; x := x - 2bv3 } };
     l1 -> l3 { assume x >=u 6bv3 }; } main main;",
];

#[test]
fn mutated_lassos_are_refused_or_go_on() {
    let (mut refused, mut kept) = (0, 0);
    for source in ENDLESS {
        let flat = parsed(source);
        assert_eq!(diverges(&flat, LIMIT), Some(true));
        for of in loops(&flat) {
            let watched = watch(&flat, &of, &Measure::Snapshot(cone(&flat, &of)));
            if exact(&watched.program).is_some() {
                continue;
            }
            let right = way_round(&flat, &watched);
            check_lasso(&flat, &right, &expansion()).expect("it comes back");
            assert!(goes_on(&flat, &right));
            let mut rng = Rng::new(7);
            for _ in 0..200 {
                let mutant = mutated_lasso(&mut rng, &flat, &right);
                match check_lasso(&flat, &mutant, &expansion()) {
                    Ok(_) => {
                        assert!(goes_on(&flat, &mutant), "{mutant:?}");
                        kept += 1;
                    }
                    Err(_) => refused += 1,
                }
            }
        }
    }
    assert!(
        refused >= 200 && kept >= 5,
        "{refused} refused, {kept} kept"
    );
}

/// Whether the loop can be taken thirty times.
fn goes_on(flat: &Program, lasso: &Lasso) -> bool {
    let Ok(mut machine) = Machine::for_trace(flat, &lasso.trace) else {
        return false;
    };
    let (stem, round) = lasso.trace.steps.split_at(lasso.start);
    let rounds = std::iter::repeat_n(round, 30).flatten();
    stem.iter()
        .chain(rounds)
        .all(|step| machine.replay(step).is_ok())
}

fn mutated_lasso(rng: &mut Rng, flat: &Program, right: &Lasso) -> Lasso {
    let mut mutant = right.clone();
    let steps = &mut mutant.trace.steps;
    let at = rng.below(steps.len());
    match rng.below(7) {
        0 => mutant.start = rng.below(steps.len() + 1),
        1 => _ = steps.remove(at),
        2 => steps.insert(at, steps[at].clone()),
        3 => steps[at].edge = Edge::from_u32(rng.below(flat.edges.len() + 1) as u32),
        4 => steps[at].choices = vec![rng.below(3) as u32],
        5 => {
            for (_, value) in &mut steps[at].inputs {
                *value = Value::Bv(Bv::new(3, rng.below(8) as u64));
            }
        }
        _ => {
            let vars: Vec<_> = mutant.trace.initial.keys().copied().collect();
            if let Some(&v) = vars.get(rng.below(vars.len().max(1))) {
                let value = Value::Bv(Bv::new(3, rng.below(8) as u64));
                mutant.trace.initial.insert(v, value);
            }
        }
    }
    mutant
}

/// Leaves by two until it is past zero; odd numbers never are there. A round reads an input that must be what x is.
const ODD: &str = "ivl 1; var x: bv4; var y: bv4; 
    proc main() { loc l0 entry; loc l1; loc l2 exit;
     l0 -> l1 { assume x != 8bv4 };
     l1 -> l1 { assume x != 0bv4; havoc y; assume y == x; x := x - 2bv4 };
     l1 -> l2 { assume x == 0bv4 }; } main main;";

fn recurrent(own: &mut Program, set: &str, guard: &str, input: &str, x: u64) -> Recurrent {
    let mut term = |t| text::parse_term(own, t).unwrap_or_else(|e| panic!("{e}"));
    let (set, guard, input) = (term(set), term(guard), term(input));
    let x0 = own.program_vars().next().expect("x");
    Recurrent {
        stem: Trace {
            initial: [(x0, Value::Bv(Bv::new(4, x)))].into(),
            steps: vec![Step::plain(Edge::from_u32(0))],
        },
        set,
        cases: vec![Case {
            guard,
            steps: vec![(Edge::from_u32(1), Vec::new())],
            inputs: vec![input],
        }],
    }
}

/// Whether from every state of the set some case leads back into it, by enumeration.
fn is_closed(own: &Program, claim: &Recurrent) -> bool {
    let vars: Vec<_> = own.program_vars().collect();
    for code in 0..256u64 {
        let value = |v| {
            let i = vars.iter().position(|&u| u == v).expect("x or y");
            Value::Bv(Bv::new(4, code >> (4 * i)))
        };
        let truth = |t: Term, x: Value, y: Value| {
            let value = |v| if v == vars[0] { x.clone() } else { y.clone() };
            own.pool.eval(t, value) == Value::Bool(true)
        };
        let (x, y) = (value(vars[0]), value(vars[1]));
        if !truth(claim.set, x.clone(), y.clone()) {
            continue;
        }
        let back = claim.cases.iter().any(|case| {
            let Value::Bv(number) = &x else {
                unreachable!("x is a number")
            };
            let input = own.pool.eval(case.inputs[0], value);
            let next = Value::Bv(number.sub(&Bv::new(4, 2)));
            truth(case.guard, x.clone(), y.clone())
                && !number.is_zero()
                && input == x
                && truth(claim.set, next, input)
        });
        if !back {
            return false;
        }
    }
    true
}

#[test]
fn mutated_sets_are_refused_or_never_left() {
    let flat = parsed(ODD);
    assert_eq!(diverges(&flat, LIMIT), Some(true));
    let sets = [
        "x[0:0] == 1bv1",
        "x != 0bv4",
        "true",
        "false",
        "x == 3bv4",
        "x[0:0] == 1bv1 && y == y",
        "x[1:0] == 1bv2",
        "x[0:0] == 1bv1 && y == 3bv4",
        "x[0:0] == 1bv1 || x == 0bv4",
        "x[0:0] == 0bv1",
        "x >u 3bv4",
    ];
    let guards = ["true", "false", "x != 5bv4", "x[0:0] == 1bv1", "y == x"];
    let inputs = ["x", "y", "x - 2bv4", "3bv4", "x + 0bv4"];
    let (mut refused, mut kept) = (0, 0);
    for set in sets {
        for guard in guards {
            for input in inputs {
                for x in [1, 3, 2] {
                    let mut own = flat.clone();
                    let claim = recurrent(&mut own, set, guard, input, x);
                    let checked =
                        check_recurrent(&flat, &own.pool, &claim, &expansion(), session().as_mut());
                    let start = own.pool.eval(claim.set, |v| {
                        let x0 = own.program_vars().next();
                        Value::Bv(Bv::new(4, if Some(v) == x0 { x } else { 0 }))
                    });
                    let right = is_closed(&own, &claim) && start == Value::Bool(true);
                    assert_eq!(
                        checked.is_ok(),
                        right,
                        "{set} {guard} {input} {x}: {checked:?}"
                    );
                    *(if right { &mut kept } else { &mut refused }) += 1;
                }
            }
        }
    }
    assert!(
        refused >= 500 && kept >= 8,
        "{refused} refused, {kept} kept"
    );
}

/// Claims about a program with calls are about its expansion, which the checker makes.
#[test]
fn calls_are_expanded_before_claims_are_checked() {
    // Of two copies of the procedure, the second has edges that the program does not have.
    let called = |step: &str, again: &str| {
        let program = parsed(&format!(
            "ivl 1; var x: bv2; proc main() {{ loc l0 entry; loc l1 exit; l0 -> l1 call f(); {again} }}
            proc f() {{
              loc l2 entry; loc l3 exit;
              l2 -> l2 {{ assume x != 0bv2; x := {step} }};
              l2 -> l3 {{ assume x == 0bv2 }};
            }}
            main main;"
        ));
        let mut flat = program.clone();
        flatten(&mut flat, &expansion());
        let of = loops(&flat).pop().expect("a loop");
        let measure = Measure::Snapshot(mentioned(&flat));
        let watched = watch(&flat, &of, &measure);
        (program, flat, of, measure, watched)
    };
    let (program, _, of, measure, watched) = called("x - 1bv2", "");
    let (pool, proof) = exact(&watched.program).expect("it ends");
    let proof = LoopProof {
        measure,
        pool,
        proof,
    };
    let certificate = Termination {
        calls: expanded(None),
        loops: [(of.head, proof)].into(),
    };
    check_terminates(&program, &certificate, &mut || Ok(session()), &|| false).expect("it ends");
    let (program, flat, _, _, watched) = called("0bv2 - x", "l0 -> l1 call f();");
    let found = way_round(&flat, &watched);
    check_lasso(&program, &found, &expansion()).expect("it comes back");
    let mut own = flat.clone();
    let (stem, round) = found.trace.steps.split_at(found.start);
    let claim = Recurrent {
        stem: Trace {
            initial: found.trace.initial.clone(),
            steps: stem.to_vec(),
        },
        set: text::parse_term(&mut own, "x != 0bv2").expect("a term"),
        cases: vec![Case {
            guard: own.pool.bool(true),
            steps: (round.iter().map(|s| (s.edge, s.choices.clone()))).collect(),
            inputs: Vec::new(),
        }],
    };
    check_recurrent(
        &program,
        &own.pool,
        &claim,
        &expansion(),
        session().as_mut(),
    )
    .expect("it stays");
}

#[test]
fn ways_that_do_not_lead_back_are_malformed() {
    let flat = parsed(ODD);
    let mut own = flat.clone();
    let right = recurrent(&mut own, "x[0:0] == 1bv1", "true", "x", 1);
    let check = |claim: &Recurrent| {
        let answer = check_recurrent(&flat, &own.pool, claim, &expansion(), session().as_mut());
        answer.map_or_else(|e| e.to_string(), |l| l.to_string())
    };
    assert_eq!(check(&right), "l1");
    let with = |change: &dyn Fn(&mut Case)| {
        let mut claim = right.clone();
        change(&mut claim.cases[0]);
        check(&claim)
    };
    let malformed = "malformed certificate: case 0: ";
    assert_eq!(
        with(&|c| c.steps.clear()),
        format!("{malformed}the way has no step")
    );
    let off = |c: &mut Case| c.steps[0].0 = Edge::from_u32(2);
    assert_eq!(with(&off), format!("{malformed}the way does not lead back"));
    let apart = |c: &mut Case| c.steps[0].0 = Edge::from_u32(0);
    assert_eq!(with(&apart), format!("{malformed}the way is not connected"));
    let choice = |c: &mut Case| c.steps[0].1.push(0);
    assert_eq!(with(&choice), format!("{malformed}the choices do not fit"));
    assert_eq!(
        with(&|c| c.inputs.clear()),
        format!("{malformed}the inputs do not fit")
    );
    let many = |c: &mut Case| c.inputs.push(c.inputs[0]);
    assert_eq!(with(&many), format!("{malformed}the inputs do not fit"));
}

/// The loop ends only because nothing behind the incomplete location is known.
#[test]
fn incomplete_locations_need_a_proof() {
    let source = "ivl 1; var x: bv3; proc main() { loc l0 entry; loc l1; loc l2 incomplete \"why\"; loc l3 exit;
         l0 -> l1 { assume x <u 5bv3 };
         l1 -> l1 { assume x >u 0bv3; x := x - 1bv3 };
         l1 -> l2 { assume x == GAP }; l1 -> l3 { assume x == 0bv3 }; } main main;";
    for (gap, accepted) in [("7bv3", true), ("3bv3", false)] {
        let flat = parsed(&source.replace("GAP", gap));
        let of = loops(&flat).remove(0);
        let measure = Measure::Snapshot(cone(&flat, &of));
        let watched = watch(&flat, &of, &measure);
        let (pool, proof) = exact(&watched.program).expect("it ends");
        let proof = LoopProof {
            measure,
            pool,
            proof,
        };
        let complete = exact(&gaps_only(&flat));
        let certificate = Termination {
            calls: expanded(complete.clone()),
            loops: [(of.head, proof)].into(),
        };
        assert_eq!(complete.is_some(), accepted);
        let checked = check_terminates(&flat, &certificate, &mut || Ok(session()), &|| false);
        assert_eq!(checked.is_ok(), accepted, "{checked:?}");
        assert_eq!(diverges(&ends_only(&flat), LIMIT), Some(false));
    }
}

/// What blocks does not run for ever, and what repeats by a rank that wraps around does.
#[test]
fn blocking_ends_and_wrapping_does_not() {
    let blocked = parsed(
        "ivl 1; var x: bv3; proc main() { loc l0 entry; loc l1;
         l0 -> l1 { skip }; l1 -> l1 { assume false; x := x + 1bv3 }; } main main;",
    );
    let certificate = Termination {
        calls: expanded(None),
        loops: loops(&blocked)
            .into_iter()
            .map(|of| {
                let measure = Measure::Snapshot(Vec::new());
                let watched = watch(&blocked, &of, &measure);
                let (pool, proof) = exact(&watched.program).expect("it ends");
                let proof = LoopProof {
                    measure,
                    pool,
                    proof,
                };
                (of.head, proof)
            })
            .collect(),
    };
    check_terminates(&blocked, &certificate, &mut || Ok(session()), &|| false).expect("it blocks");
    let flat = parsed(
        "ivl 1; var x: bv3; proc main() { loc l0 entry; loc l1;
         l0 -> l1 { skip }; l1 -> l1 { x := x + 1bv3 }; } main main;",
    );
    let of = loops(&flat).remove(0);
    let mut own = flat.clone();
    for rank in ["7bv3 - x", "x", "-x"] {
        let t = text::parse_term(&mut own, rank).unwrap_or_else(|e| panic!("{e}"));
        let (proof, safe) = ranked(&flat, &of, &own.pool, vec![t]);
        assert!(!safe && loop_ends(&flat, &of, &proof).is_err(), "{rank}");
    }
    let head: Loc = of.head;
    assert_eq!(head.to_string(), "l1");
}
