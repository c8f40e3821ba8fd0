//! One certificate per way to be wrong, and its right neighbour.

use std::collections::BTreeMap;
use trellis_ivl::{Bv, Edge, Loc, Program, Step, Term, TermPool, Trace, Type, text};
use trellis_ivl_certify::{
    Rejection, SafetyCertificate, check_exhausted, check_safe, check_unsafe, obligations,
};
use trellis_solver_api::SessionConfig;
use trellis_solver_api::smt::{SmtBackend, SmtSession};
use trellis_solver_batsat::Batsat;
use trellis_solver_bitblast::Bitblast;

/// One of the two ways to be safe.
type Checker =
    fn(&Program, &TermPool, &SafetyCertificate, &mut dyn SmtSession) -> Result<(), Rejection>;

/// Checks invariants given as `location: formula` lines; the answer as one line.
fn verdict(program: &str, k: u32, invariants: &[(u32, &str)]) -> String {
    verdict_by(check_safe, program, k, invariants)
}

fn verdict_by(checker: Checker, program: &str, k: u32, invariants: &[(u32, &str)]) -> String {
    let mut program = text::parse(program).unwrap_or_else(|e| panic!("{e}"));
    let original = program.clone();
    let invariants: BTreeMap<Loc, _> = invariants
        .iter()
        .map(|&(l, t)| {
            let t = text::parse_term(&mut program, t).unwrap_or_else(|e| panic!("{e}"));
            (Loc::from_u32(l), t)
        })
        .collect();
    let certificate = SafetyCertificate {
        k,
        ..SafetyCertificate::inductive(invariants)
    };
    answer(check_by(checker, &original, &program, &certificate))
}

fn check(original: &Program, own: &Program, c: &SafetyCertificate) -> Result<(), Rejection> {
    check_by(check_safe, original, own, c)
}

fn check_by(
    checker: Checker,
    original: &Program,
    own: &Program,
    c: &SafetyCertificate,
) -> Result<(), Rejection> {
    let backend = Bitblast::new(Batsat);
    let mut session = backend
        .session(&SessionConfig::default())
        .expect("embedded");
    checker(original, &own.pool, c, session.as_mut())
}

fn answer(result: Result<(), Rejection>) -> String {
    match result {
        Ok(()) => "accepted".into(),
        Err(e) => e.to_string(),
    }
}

/// x and y step together; the error is x != y after the loop.
const TOGETHER: &str = "ivl 1;
    var x: bv32; var y: bv32; var i: bv32; var n: bv32;
    proc main() {
      loc l0 entry; loc l1; loc l2 error \"assertion\"; loc l3 exit;
      l0 -> l1 { y := x; i := 0bv32 };
      l1 -> l1 { assume i <u n; x, y, i := x + 1bv32, y + 1bv32, i + 1bv32 };
      l1 -> l2 { assume !(i <u n); assume x != y };
      l1 -> l3 { assume !(i <u n) };
    }
    main main;";

#[test]
fn an_inductive_invariant_is_accepted() {
    assert_eq!(verdict(TOGETHER, 1, &[(1, "x == y")]), "accepted");
    assert_eq!(
        verdict(TOGETHER, 1, &[(1, "x == y && (i <=u n || i == 0bv32)")]),
        "accepted"
    );
    // An invariant elsewhere than at a loop head is a cutpoint too, and not believed.
    assert_eq!(
        verdict(TOGETHER, 1, &[(1, "x == y"), (3, "i >=u n")]),
        "accepted"
    );
    assert_eq!(
        verdict(TOGETHER, 1, &[(1, "x == y"), (3, "false")]),
        "not proved: step from l1: the invariant of l3 holds after l1"
    );
}

/// The length of a string, which is 2; the invariants say nothing of the string.
const STRING: &str = "ivl 1;
    var a: [bv4]bv8; var i: bv4;
    proc main() {
      loc l0 entry; loc l1; loc l2 error \"assertion\"; loc l3 exit;
      l0 -> l1 { a := a[0bv4 := 7bv8][1bv4 := 7bv8][2bv4 := 0bv8]; i := 0bv4 };
      l1 -> l1 { assume a[i] != 0bv8; i := i + 1bv4 };
      l1 -> l2 { assume a[i] == 0bv8; assume i != 2bv4 };
      l1 -> l3 { assume a[i] == 0bv8 };
    }
    main main;";

#[test]
fn executions_that_all_end_need_no_induction() {
    let exhausted = |k, what| verdict_by(check_exhausted, STRING, k, &[(1, what)]);
    let step = "not proved: step from l1: l2 (error assertion) is not reached from l1";
    assert_eq!(verdict(STRING, 4, &[(1, "true")]), step);
    assert_eq!(exhausted(4, "i <=u 2bv4"), "accepted");
    assert_eq!(
        exhausted(3, "i <=u 2bv4"),
        "not proved: base: no execution is at l1 after all visits"
    );
    assert_eq!(
        exhausted(4, "i <=u 1bv4"),
        "not proved: base 3: the invariant of l1 holds after l1"
    );
    let wrong = STRING.replace("i != 2bv4", "i == 2bv4");
    assert_eq!(
        verdict_by(check_exhausted, &wrong, 4, &[(1, "true")]),
        "not proved: base 4: l2 (error assertion) is not reached from l1"
    );
}

#[test]
fn wrong_invariants_are_rejected() {
    assert_eq!(
        verdict(TOGETHER, 1, &[(1, "x == y && i <u 5bv32")]),
        "not proved: step from l1: the invariant of l1 holds after l1",
        "not inductive"
    );
    assert_eq!(
        verdict(TOGETHER, 1, &[(1, "x == y && i != 0bv32")]),
        "not proved: base 1: the invariant of l1 holds after l0",
        "misses an initial state"
    );
    assert_eq!(
        verdict(TOGETHER, 1, &[(1, "true")]),
        "not proved: step from l1: l2 (error assertion) is not reached from l1",
        "admits the error"
    );
    assert_eq!(
        verdict(TOGETHER, 1, &[]),
        "not proved: base 1: l2 (error assertion) is not reached from l0",
        "a loop without annotation is arbitrary"
    );
    assert_eq!(
        verdict(TOGETHER, 0, &[(1, "x == y")]),
        "malformed certificate: k is 0, not in 1..=10000"
    );
    assert_eq!(
        verdict(TOGETHER, 1, &[(9, "true")]),
        "malformed certificate: the program has no l9"
    );
    assert_eq!(
        verdict(TOGETHER, 1, &[(1, "x")]),
        "malformed certificate: the invariant of l1 is not boolean"
    );
}

/// a, b, c rotate; that none is 1 shows after three rounds in which a is not.
const ROTATE: &str = "ivl 1;
    var a: bv8; var b: bv8; var c: bv8;
    proc main() {
      loc l0 entry; loc l1; loc l2 error \"assertion\";
      l0 -> l1 { a, b, c := 0bv8, 2bv8, 3bv8 };
      l1 -> l1 { assume a != 1bv8; a, b, c := b, c, a };
      l1 -> l2 { assume a == 1bv8 };
    }
    main main;";

#[test]
fn k_must_be_large_enough() {
    assert_ne!(verdict(ROTATE, 1, &[(1, "true")]), "accepted");
    assert_ne!(verdict(ROTATE, 2, &[(1, "true")]), "accepted");
    assert_ne!(verdict(ROTATE, 3, &[(1, "true")]), "accepted");
    assert_eq!(verdict(ROTATE, 4, &[(1, "true")]), "accepted");
    assert_eq!(
        verdict(ROTATE, 1, &[(1, "a != 1bv8 && b != 1bv8 && c != 1bv8")]),
        "accepted"
    );
}

#[test]
fn k_has_limits() {
    let idle = "ivl 1; proc main() { loc l0 entry; loc l1; l0 -> l1 { skip }; l1 -> l1 { skip }; } main main;";
    assert_eq!(verdict(idle, 10_000, &[(1, "true")]), "accepted");
    for k in [0, 10_001] {
        let malformed = format!("malformed certificate: k is {k}, not in 1..=10000");
        assert_eq!(verdict(idle, k, &[(1, "true")]), malformed);
    }
}

/// An invariant where no way leads, or at an error, is no claim.
#[test]
fn invariants_elsewhere_say_nothing() {
    let program = "ivl 1; var i: bv8; proc main() {
        loc l0 entry; loc l1; loc l2; loc l3 error \"assertion\";
        l0 -> l1 { i := 0bv8 }; l1 -> l1 { i := i }; l1 -> l3 { assume i == 1bv8 };
        l2 -> l2 { i := i + 1bv8 }; } main main;";
    let right = (1, "i == 0bv8");
    assert_eq!(verdict(program, 1, &[right]), "accepted");
    assert_eq!(verdict(program, 1, &[right, (2, "i == 0bv8")]), "accepted");
    assert_eq!(verdict(program, 1, &[right, (3, "true")]), "accepted");
    assert_ne!(verdict(program, 1, &[(1, "true"), (3, "true")]), "accepted");
}

/// A violation that shows after four rounds: a base case that is too short must not hide it.
const LATE: &str = "ivl 1;
    var i: bv8;
    proc main() {
      loc l0 entry; loc l1; loc l2 error \"assertion\";
      l0 -> l1 { i := 0bv8 };
      l1 -> l1 { i := i + 1bv8 };
      l1 -> l2 { assume i == 4bv8 };
    }
    main main;";

#[test]
fn the_base_case_covers_k_rounds() {
    for k in 1..=8 {
        assert_ne!(verdict(LATE, k, &[(1, "true")]), "accepted", "k = {k}");
        assert_ne!(verdict(LATE, k, &[(1, "i != 4bv8")]), "accepted", "k = {k}");
    }
}

/// Unannotated loops: only what they change becomes arbitrary, also in nested and irreducible ones.
#[test]
fn loops_without_annotation() {
    let program = |body: &str| {
        format!(
            "ivl 1; var x: bv8; var y: bv8; proc main() {{
               loc l0 entry; loc l1; loc l2; loc l3; loc l4 error \"assertion\"; {body} }} main main;"
        )
    };
    let harmless = program(
        "l0 -> l1 { x := 7bv8 }; l1 -> l2 { y := y + 1bv8 }; l2 -> l2 { y := y * 3bv8 };
         l2 -> l1 { skip }; l2 -> l3 { skip }; l3 -> l4 { assume x != 7bv8 };",
    );
    assert_eq!(verdict(&harmless, 1, &[]), "accepted");
    let guarded = program(
        "l0 -> l1 { x := 0bv8 }; l1 -> l1 { x := x + 1bv8 }; l1 -> l2 { assume x <u 9bv8 }; l2 -> l4 { assume x == 9bv8 };",
    );
    assert_eq!(verdict(&guarded, 1, &[]), "accepted");
    let harmful = program(
        "l0 -> l1 { x := 7bv8 }; l1 -> l2 { x := x + 1bv8 }; l2 -> l1 { skip }; l2 -> l3 { skip }; l3 -> l4 { assume x == 3bv8 };",
    );
    assert_ne!(verdict(&harmful, 1, &[]), "accepted");
    // Two entries into the cycle l1, l2.
    let irreducible = program(
        "l0 -> l1 { x := 1bv8; y := 0bv8 }; l0 -> l2 { x := 2bv8; y := 0bv8 }; l1 -> l2 { y := y + 2bv8 };
         l2 -> l1 { skip }; l1 -> l4 { assume x == 2bv8 && y == 9bv8 && x == 1bv8 }; l2 -> l4 { assume x == 3bv8 };",
    );
    assert_eq!(verdict(&irreducible, 1, &[]), "accepted");
}

/// An edge that a literal `assume false` closes closes no loop, wherever in the command it stands.
#[test]
fn closed_edges_make_no_loops() {
    let program = |back: &str| {
        format!(
            "ivl 1; var x: bv8; proc main() {{
               loc l0 entry; loc l1; loc l2 error \"assertion\";
               l0 -> l1 {{ x := 7bv8 }}; l1 -> l1 {{ {back} }}; l1 -> l2 {{ assume x != 7bv8 }}; }} main main;"
        )
    };
    for closed in [
        "x := 8bv8; assume false",
        "{ x := 8bv8; assume false } [] { assume false; x := 9bv8 }",
    ] {
        assert_eq!(verdict(&program(closed), 1, &[]), "accepted", "{closed}");
    }
    for open in [
        "x := 8bv8; assume x == 8bv8",
        "{ x := 8bv8; assume false } [] { x := 9bv8 }",
    ] {
        let refused = "not proved: base 1: l2 (error assertion) is not reached from l0";
        assert_eq!(verdict(&program(open), 1, &[]), refused, "{open}");
    }
}

#[test]
fn incomplete_locations_count_as_errors() {
    let program = "ivl 1; var x: bv8; proc main() {
        loc l0 entry; loc l1 incomplete \"float multiplication\";
        l0 -> l1 { assume x == 3bv8 }; } main main;";
    assert_eq!(
        verdict(program, 1, &[]),
        "not proved: base 1: l1 (incomplete: float multiplication) is not reached from l0"
    );
    let trace = Trace {
        initial: BTreeMap::from([(trellis_ivl::Var::from_u32(0), Bv::new(8, 3).into())]),
        steps: vec![Step::plain(Edge::from_u32(0))],
    };
    let program = text::parse(program).expect("well-formed");
    assert_eq!(
        check_unsafe(&program, &trace)
            .expect_err("no error")
            .to_string(),
        "the trace ends at l1, which is no error location"
    );
}

/// A variable number that the program does not have, has with another type, or has for something that is none of its
/// variables; in invariants and in lemmas.
#[test]
fn foreign_variables_are_refused() {
    let program = text::parse(TOGETHER).expect("well-formed");
    let refused = |program: &Program, pool: &TermPool, t: Term, number: u32| {
        let said = BTreeMap::from([(Loc::from_u32(1), t)]);
        let certificate = SafetyCertificate::inductive(said.clone());
        let with_lemma = SafetyCertificate {
            lemmas: said,
            ..SafetyCertificate::inductive(BTreeMap::new())
        };
        for c in [certificate, with_lemma] {
            let mut session = Bitblast::new(Batsat)
                .session(&SessionConfig::default())
                .expect("embedded");
            assert_eq!(
                answer(check_safe(program, pool, &c, session.as_mut())),
                format!("malformed certificate: v{number} is no variable of the program")
            );
        }
    };
    let mut own = program.clone();
    let v = own.pool.fresh("x", Type::Bool);
    let t = own.pool.var(v);
    refused(&program, &own.pool, t, 4);
    // Numbers 0 to 3 are words in the program.
    let mut other = TermPool::new();
    let v = other.fresh("x", Type::Bool);
    let t = other.var(v);
    refused(&program, &other, t, 0);
    // An auxiliary symbol has no value in any state.
    let mut known = program.clone();
    let v = known.pool.fresh("symbol", Type::Bool);
    let t = known.pool.var(v);
    refused(&known, &known.pool, t, 4);
}

/// What is said must be said of a location that is there, and be true or false.
#[test]
fn facts_about_nothing_are_refused() {
    let mut program = text::parse(TOGETHER).expect("well-formed");
    let (word, yes) = (program.pool.num(8, 1), program.pool.tru());
    for (loc, t, why) in [
        (4, yes, "the program has no l4"),
        (1, word, "the invariant of l1 is not boolean"),
    ] {
        let said = BTreeMap::from([(Loc::from_u32(loc), t)]);
        let c = SafetyCertificate::inductive(said);
        let why = format!("malformed certificate: {why}");
        assert_eq!(answer(check(&program, &program, &c)), why);
    }
}

#[test]
fn a_trace_with_one_wrong_value_is_rejected() {
    let program = text::parse(
        "ivl 1; var x: bv8; input i0 \"x\": bv8; proc main() {
           loc l0 entry; loc l1; loc l2 error \"assertion\";
           l0 -> l1 { { havoc x from i0 } [] { x := 41bv8 } };
           l1 -> l2 { assume x == 42bv8 }; } main main;",
    )
    .expect("well-formed");
    let input = trellis_ivl::Input::from_u32(0);
    let trace = |choice: u32, value: u64| Trace {
        initial: BTreeMap::new(),
        steps: vec![
            Step {
                edge: Edge::from_u32(0),
                choices: vec![choice],
                inputs: vec![(input, Bv::new(8, value).into())],
            },
            Step::plain(Edge::from_u32(1)),
        ],
    };
    assert!(check_unsafe(&program, &trace(0, 42)).is_ok());
    for value in (0..=255).filter(|&v| v != 42) {
        let why = check_unsafe(&program, &trace(0, value))
            .expect_err("wrong value")
            .to_string();
        assert_eq!(
            why,
            "the trace does not replay: step 1: an assumption on e1 does not hold"
        );
    }
    let why = |t: Trace| check_unsafe(&program, &t).expect_err("wrong").to_string();
    assert_eq!(
        why(trace(1, 42)),
        "the trace does not replay: step 0: e0 does not read the listed inputs"
    );
    assert_eq!(
        why(trace(2, 42)),
        "the trace does not replay: step 0: e0 does not have the listed choices"
    );
    let mut short = trace(0, 42);
    short.steps.pop();
    assert_eq!(
        why(short),
        "the trace ends at l1, which is no error location"
    );
    let mut skipping = trace(0, 42);
    skipping.steps.remove(0);
    assert_eq!(
        why(skipping),
        "the trace does not replay: step 0: e1 does not leave l0"
    );
}

/// Terms of a program are not taken for others: an extension to the same width keeps the sign.
#[test]
fn an_extension_by_no_bits_keeps_the_sign() {
    let extended = |width: u32| {
        format!(
            "var x: bv4;
             proc main() {{
               var y: bv{width}; var z: bv9;
               loc l0 entry; loc l1; loc l2; loc l3 error \"negative\";
               l0 -> l1 {{ y := zext(x, {width}) }};
               l1 -> l2 {{ z := sext(y, 9) }};
               l2 -> l3 {{ assume z <s 0bv9 }};
             }}"
        )
    };
    assert_eq!(
        verdict(&extended(4), 1, &[]),
        "not proved: base 1: l3 (error negative) is not reached from l0"
    );
    assert_eq!(verdict(&extended(5), 1, &[]), "accepted");
}

/// Obligations hold the nodes of the program, call or no call: what no constant decides is not rewritten.
#[test]
fn obligations_are_made_of_the_programs_terms() {
    // The builder would make less of each of these.
    for e in ["@ - @", "~~@", "@ + 0bv8", "zext(@, 8)", "@[7:0]", "@ ^ @"] {
        let source = format!(
            "var x: bv8;
             proc twice(a) returns (r) {{
               var a: bv8; var r: bv8;
               loc l0 entry; loc l1 exit;
               l0 -> l1 {{ r := a + ({}) }};
             }}
             proc main() {{
               var y: bv8;
               loc l2 entry; loc l3; loc l4 error \"five\";
               l2 -> l3 call twice(x) -> (y);
               l3 -> l4 {{ assume y == 5bv8 }};
             }}
             main main;",
            e.replace('@', "a")
        );
        let program = text::parse(&source).unwrap_or_else(|e| panic!("{e}"));
        let certificate = SafetyCertificate::inductive(BTreeMap::new());
        let mut made = obligations(&program, &program.pool, &certificate).expect("well-formed");
        let expected = format!("x + ({}) == 5bv8", e.replace('@', "x"));
        let expected = text::parse_term(&mut made.program, &expected).expect("a term");
        let formulas: Vec<_> = made.list.iter().map(|o| o.formula).collect();
        assert_eq!(formulas, [expected], "{e}");
    }
}
