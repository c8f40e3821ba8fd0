//! Invariants that are equations of polynomials: what arithmetic alone shows, and damage judged by enumeration.

use crate::common::{mutate, valid};
use std::collections::BTreeMap;
use trellis_ivl::{Loc, Program, Term, text};
use trellis_ivl_certify::{SafetyCertificate, check_safe, houdini};
use trellis_ivl_testing::Rng;
use trellis_solver_api::smt::SmtBackend;
use trellis_solver_api::{Limits, SessionConfig};
use trellis_solver_batsat::Batsat;
use trellis_solver_bitblast::Bitblast;

/// Programs of a width, and the invariants of their loop heads.
fn samples(width: u32) -> Vec<(String, Vec<String>)> {
    let (one, two, three) = (
        format!("1bv{width}"),
        format!("2bv{width}"),
        format!("3bv{width}"),
    );
    let vars = ["a", "b", "i", "n"]
        .map(|v| format!("var {v}: bv{width};"))
        .join(" ");
    let program = |edges: String| {
        format!(
            "ivl 1; {vars} var c: bool; input i0 \"c\": bool; proc main() {{ loc l0 entry; loc l1; loc l2 error \"e\"; loc l3;\n{edges}}}\nmain main;"
        )
    };
    let series = program(format!(
        "l0 -> l1 {{ assume n != ~0bv{width}; a := 0bv{width}; i := {one} }};
         l1 -> l1 {{ assume i <=u n; a := a + i; i := i + {one} }};
         l1 -> l2 {{ assume n <u i; assume a * {two} != n * (n + {one}) }};"
    ));
    let ways = program(format!(
        "l0 -> l1 {{ a := 0bv{width}; b := 0bv{width}; i := 0bv{width} }};
         l1 -> l3 {{ assume i <u n; havoc c from i0 }};
         l3 -> l1 {{ assume c; a := a + {one}; b := b + {two}; i := i + {one} }};
         l3 -> l1 {{ assume !c; a := a + {two}; b := b + {one}; i := i + {one} }};
         l1 -> l2 {{ assume !(i <u n); assume a + b != n * {three} }};"
    ));
    vec![
        (
            series,
            vec![
                format!("i <=u n + {one}"),
                format!("a * {two} == i * i - i"),
                format!("n != ~0bv{width}"),
            ],
        ),
        (
            ways,
            vec![format!("i <=u n"), format!("a + b == i * {three}")],
        ),
    ]
}

fn accepts(program: &Program, own: &Program, head: Loc, invariant: Term) -> bool {
    let backend = Bitblast::new(Batsat);
    let session = backend.session(&SessionConfig::default());
    let mut session = session.expect("embedded");
    // What is left for the solver is easy.
    session.set_limits(Limits::conflicts(2_000));
    let certificate = SafetyCertificate::inductive(BTreeMap::from([(head, invariant)]));
    check_safe(program, &own.pool, &certificate, session.as_mut()).is_ok()
}

fn parsed(source: &str, facts: &[String]) -> (Program, Program, Loc, Vec<Term>) {
    let program = text::parse(source).unwrap_or_else(|e| panic!("{e}\n{source}"));
    let mut own = program.clone();
    let parse = |t: &String| text::parse_term(&mut own, t).unwrap_or_else(|e| panic!("{e}"));
    let facts: Vec<Term> = facts.iter().map(parse).collect();
    (program, own, Loc::from_u32(1), facts)
}

/// The two ways of 32 bits, which take a SAT solver long, and candidates that are kept without it.
#[test]
fn many_bits() {
    let (source, facts) = samples(32).swap_remove(1);
    let (program, mut own, head, facts) = parsed(&source, &facts);
    let all = own.pool.and_all(facts.clone());
    assert!(accepts(&program, &own, head, all));
    let mut session = Bitblast::new(Batsat)
        .session(&SessionConfig::default())
        .expect("embedded");
    session.set_limits(Limits::conflicts(1));
    let candidates = BTreeMap::from([(head, facts.clone())]);
    let kept = houdini(&mut own, &candidates, session.as_mut()).expect("a flat program");
    assert!(kept[&head].contains(&facts[1]));
    // Who wants an end does not wait for arithmetic either.
    session.interrupter().interrupt();
    let kept = houdini(&mut own, &candidates, session.as_mut()).expect("a flat program");
    assert_eq!(kept[&head], []);
}

/// In two bits everything can be enumerated: what is accepted of damaged certificates is a proof all the same.
#[test]
fn damaged() {
    let (mut accepted, mut rejected) = (0, 0);
    for (source, facts) in samples(2) {
        for seed in 0..150 {
            let mut random = Rng::new(seed);
            let (program, mut own, head, mut facts) = parsed(&source, &facts);
            if seed > 0 {
                let at = random.below(facts.len());
                facts[at] = mutate(&mut random, &mut own, facts[at]);
            }
            let invariant = own.pool.and_all(facts);
            let invariants = BTreeMap::from([(head, invariant)]);
            let is_accepted = accepts(&program, &own, head, invariant);
            let is_valid = valid(&program, &own, &invariants);
            assert_eq!(is_accepted, is_valid, "seed {seed} of\n{source}");
            match is_accepted {
                true => accepted += 1,
                false => rejected += 1,
            }
        }
    }
    assert!(
        accepted > 5 && rejected > 50,
        "{accepted} accepted, {rejected} rejected"
    );
}
