//! Contracts: proofs of recursive programs, one per way to be wrong and its right neighbour, and mutants of programs and proofs judged
//! by execution.

use std::collections::BTreeMap;
use trellis_ivl::verify::verify;
use trellis_ivl::{
    Bv, Contract, Input, Loc, LocKind, Machine, Modules, Oracle, Program, Term, Type, Value, text,
};
use trellis_ivl_certify::{ContractCertificate, Rejection, check_contracts, contract_obligations};
use trellis_ivl_testing::Rng;
use trellis_solver_api::smt::SmtBackend;
use trellis_solver_api::{Answer, SessionConfig};
use trellis_solver_batsat::Batsat;
use trellis_solver_bitblast::Bitblast;

/// A program with its proof, as text.
#[derive(Clone, PartialEq)]
struct Case {
    program: String,
    /// Procedure, whether it is a precondition, clause.
    clauses: Vec<(&'static str, bool, String)>,
    /// Location, invariant.
    invariants: Vec<(u32, String)>,
    /// Visits that the induction takes together.
    k: u32,
}

fn case(program: &str, clauses: &[(&'static str, bool, &str)], invariants: &[(u32, &str)]) -> Case {
    Case {
        program: program.into(),
        clauses: clauses
            .iter()
            .map(|&(p, pre, t)| (p, pre, t.into()))
            .collect(),
        invariants: invariants.iter().map(|&(l, t)| (l, t.into())).collect(),
        k: 1,
    }
}

/// McCarthy's function: two calls, one of the other's result.
fn mccarthy() -> Case {
    case(
        "ivl 1;
        var n: bv8 in main; var m: bv8 in main; var x: bv8 in f; var r: bv8 in f; var t: bv8 in f;
        proc main() {
          loc l0 entry; loc l1; loc l2; loc l3 error \"assertion\"; loc l4 exit;
          l0 -> l1 { havoc n };
          l1 -> l2 call f(n) -> (m);
          l2 -> l3 { assume n <=s 100bv8; assume m != 91bv8 };
          l2 -> l4 { assume !(n <=s 100bv8 && m != 91bv8) };
        }
        proc f(x) returns (r) {
          loc l5 entry; loc l6; loc l7 exit; loc l8;
          l5 -> l7 { assume x >s 100bv8; r := x - 10bv8 };
          l5 -> l6 { assume !(x >s 100bv8) };
          l6 -> l8 call f(x + 11bv8) -> (t);
          l8 -> l7 call f(t) -> (r);
        }
        main main;",
        &[
            ("f", false, "old.x >s 100bv8 ==> r == old.x - 10bv8"),
            ("f", false, "old.x <=s 100bv8 ==> r == 91bv8"),
        ],
        &[],
    )
}

/// A procedure that counts down on a global variable, for which another stays as it is; it wants a range.
fn countdown() -> Case {
    case(
        "ivl 1;
        var g: bv4; var h: bv4; var a: bv4 in main; var c: bv4 in down;
        proc main() {
          loc l0 entry; loc l1; loc l2; loc l3 error \"assertion\"; loc l4 exit;
          l0 -> l1 { havoc a; havoc h; assume a <=u 7bv4; g := 1bv4 };
          l1 -> l2 call down(a);
          l2 -> l3 { assume g != a + 1bv4 || h >u 15bv4 };
          l2 -> l4 { assume g == a + 1bv4 };
        }
        proc down(c) {
          loc l5 entry; loc l6; loc l7 exit; loc l8; loc l9 error \"range\";
          l5 -> l9 { assume c >u 7bv4 };
          l5 -> l7 { assume c == 0bv4 };
          l5 -> l6 { assume c != 0bv4; assume c <=u 7bv4; g := g + 1bv4 };
          l6 -> l7 call down(c - 1bv4);
        }
        main main;",
        &[
            ("down", true, "c <=u 7bv4"),
            ("down", false, "g == old.g + old.c"),
        ],
        &[],
    )
}

/// Two procedures that call each other.
fn parity() -> Case {
    case(
        "ivl 1;
        var n: bv4 in main; var e: bool in main; var a: bv4 in even; var b: bv4 in odd; var p: bool in even; var q: bool in odd;
        proc main() {
          loc l0 entry; loc l1; loc l2; loc l3 error \"assertion\"; loc l4 exit;
          l0 -> l1 { havoc n };
          l1 -> l2 call even(n) -> (e);
          l2 -> l3 { assume e; assume n[0:0] == 1bv1 };
          l2 -> l4 { assume !(e && n[0:0] == 1bv1) };
        }
        proc even(a) returns (p) {
          loc l5 entry; loc l6; loc l7 exit;
          l5 -> l7 { assume a == 0bv4; p := true };
          l5 -> l6 { assume a != 0bv4 };
          l6 -> l7 call odd(a - 1bv4) -> (p);
        }
        proc odd(b) returns (q) {
          loc l8 entry; loc l9; loc l10 exit;
          l8 -> l10 { assume b == 0bv4; q := false };
          l8 -> l9 { assume b != 0bv4 };
          l9 -> l10 call even(b - 1bv4) -> (q);
        }
        main main;",
        &[
            ("even", false, "p == (old.a[0:0] == 0bv1)"),
            ("odd", false, "q == (old.b[0:0] == 1bv1)"),
        ],
        &[],
    )
}

/// A loop in a procedure, with an invariant about old values.
fn looping() -> Case {
    case(
        "ivl 1;
        var n: bv4 in main; var s: bv4 in main; var k: bv4 in twice; var i: bv4 in twice; var d: bv4 in twice;
        proc main() {
          loc l0 entry; loc l1; loc l2; loc l3 error \"assertion\"; loc l4 exit;
          l0 -> l1 { havoc n };
          l1 -> l2 call twice(n) -> (s);
          l2 -> l3 { assume s[0:0] == 1bv1 };
          l2 -> l4 { assume s[0:0] == 0bv1 };
        }
        proc twice(k) returns (d) {
          loc l5 entry; loc l6; loc l7 exit;
          l5 -> l6 { skip };
          l6 -> l6 { assume i <u k; i, d := i + 1bv4, d + 2bv4 };
          l6 -> l7 { assume !(i <u k) };
        }
        main main;",
        &[("twice", false, "d == old.k + old.k")],
        &[(6, "d == i + i && i <=u k && k == old.k")],
    )
}

/// The program, its modules with contracts, and the certificate; `None` where the texts do not make one.
fn read(case: &Case) -> Option<(Program, Modules, ContractCertificate)> {
    let program = text::parse(&case.program).ok()?;
    verify(&program).ok()?;
    let mut own = Modules::new(&program);
    let mut contracts: BTreeMap<_, Contract> = BTreeMap::new();
    for (name, pre, clause) in &case.clauses {
        let (proc, _) = program.procs.iter().find(|(_, d)| d.name == *name)?;
        let term = text::parse_term(&mut own.program, clause).ok()?;
        let contract = contracts.entry(proc).or_default();
        match pre {
            true => contract.requires.push(term),
            false => contract.ensures.push(term),
        }
    }
    let mut invariants: BTreeMap<Loc, Term> = BTreeMap::new();
    for (l, t) in &case.invariants {
        let term = text::parse_term(&mut own.program, t).ok()?;
        invariants.insert(Loc::from_u32(*l), term);
    }
    let certificate = ContractCertificate {
        contracts,
        invariants,
        k: case.k,
    };
    Some((program, own, certificate))
}

fn check(case: &Case) -> Option<Result<(), Rejection>> {
    let (program, own, certificate) = read(case)?;
    let backend = Bitblast::new(Batsat);
    let config = SessionConfig::default();
    let mut session = backend.session(&config).expect("embedded");
    let pool = &own.program.pool;
    let answer = check_contracts(&program, pool, &certificate, session.as_mut());
    if let Ok(all) = contract_obligations(&program, pool, &certificate) {
        let mut fresh = backend.session(&config).expect("embedded");
        let mut ask = |f| fresh.check(&all.program.pool, &[f]);
        let holds = all
            .list
            .iter()
            .all(|o| matches!(ask(o.formula), Ok(Answer::Unsat)));
        assert_eq!(holds, answer.is_ok());
    }
    Some(answer)
}

fn verdict(case: &Case) -> String {
    match check(case).expect("a case of the test is well-formed") {
        Ok(()) => "accepted".into(),
        Err(e) => e.to_string(),
    }
}

/// Replaces text in the program and in the proof.
fn with(case: &Case, from: &str, to: &str) -> Case {
    let mut case = case.clone();
    let mut found = case.program.contains(from);
    case.program = case.program.replacen(from, to, 1);
    for clause in case.clauses.iter_mut().map(|c| &mut c.2) {
        found |= clause.contains(from);
        *clause = clause.replace(from, to);
    }
    assert!(found, "{from}");
    case
}

#[test]
fn contracts_prove_recursive_programs() {
    for case in [mccarthy(), countdown(), parity(), looping()] {
        assert_eq!(verdict(&case), "accepted", "{}", case.program);
    }
}

/// What holds because two visits before it did.
#[test]
fn loops_beside_contracts_take_several_visits_together() {
    let mut swap = case(
        "ivl 1;
        var s: bv4 in main; var a: bv4 in f; var b: bv4 in f; var d: bv4 in f;
        proc main() {
          loc l0 entry; loc l1; loc l2 error \"assertion\"; loc l3 exit;
          l0 -> l1 call f() -> (s);
          l1 -> l2 { assume s != 1bv4 };
          l1 -> l3 { assume s == 1bv4 };
        }
        proc f() returns (d) {
          loc l4 entry; loc l5; loc l6 exit;
          l4 -> l5 { a, b := 1bv4, 1bv4 };
          l5 -> l5 { a, b := b, a };
          l5 -> l6 { d := a };
        }
        main main;",
        &[("f", false, "d == 1bv4")],
        &[(5, "a == 1bv4")],
    );
    assert!(verdict(&swap).starts_with("not proved: "));
    swap.k = 2;
    assert_eq!(verdict(&swap), "accepted");
}

#[test]
fn what_is_missing_in_a_contract_is_told() {
    let mut none = mccarthy();
    none.clauses.clear();
    let lost = "not proved: base 1: l3 (error assertion) is not reached from l9";
    assert_eq!(verdict(&none), lost);
    let mut half = mccarthy();
    half.clauses.remove(0);
    let broken = "not proved: base 1: l10 (error postcondition 1 of f) is not reached from l9";
    assert_eq!(verdict(&half), broken);
    let wrong = with(&mccarthy(), "r == 91bv8", "r == 90bv8");
    assert!(verdict(&wrong).contains("postcondition 2 of f"));
    let mut unheeded = countdown();
    unheeded.program = unheeded.program.replace("a <=u 7bv4", "a <=u 8bv4");
    assert!(verdict(&unheeded).contains("precondition 1 of down"));
    let mut unasked = countdown();
    unasked.clauses.remove(0);
    assert!(verdict(&unasked).contains("error range"));
    // The frame is not claimed: what nobody changes stays, and what somebody changes does not.
    let mut frame = countdown();
    frame.clauses.push(("down", false, "h == old.h".into()));
    assert_eq!(verdict(&frame), "accepted");
    let changed = with(&frame, "g := g + 1bv4", "g := g + 1bv4; h := h + 1bv4");
    assert!(verdict(&changed).contains("postcondition 2 of down"));
    let deep = with(
        &parity(),
        "assume a != 0bv4 };",
        "assume a != 0bv4; a := a };",
    );
    assert_eq!(verdict(&deep), "accepted");
    let mut lost = looping();
    lost.invariants.clear();
    assert!(verdict(&lost).contains("postcondition 1 of twice"));
}

#[test]
fn contracts_speak_of_what_they_see() {
    let mut local = mccarthy();
    local.clauses.push(("f", false, "t == t".into()));
    // A clause that the text form folds away mentions nothing; this one does.
    local.clauses.push(("f", false, "t == 0bv8".into()));
    assert!(verdict(&local).contains("mentions t"));
    let mut early = mccarthy();
    early.clauses.push(("f", true, "old.x == x".into()));
    assert!(verdict(&early).contains("mentions old.x"));
    let mut other = parity();
    other.clauses.push(("even", false, "old.b == 0bv4".into()));
    assert!(verdict(&other).contains("mentions old.b"));
    let mut main = countdown();
    main.clauses.push(("main", true, "g == 0bv4".into()));
    assert!(verdict(&main).contains("nobody establishes"));
}

/// One value for every input; edges in turn.
struct Same(u64);

impl Oracle for Same {
    fn pick(&mut self, _: usize) -> usize {
        0
    }

    fn input(&mut self, _: Input, ty: Type) -> Value {
        match ty {
            Type::Bv(w) => Value::Bv(Bv::new(w, self.0)),
            ty => Value::zero(ty),
        }
    }
}

/// Whether some execution with one value for all inputs reaches an error within a few thousand steps.
fn fails(program: &Program) -> bool {
    (0..256).any(|input| {
        let mut machine = Machine::new(program, |_, ty| Value::zero(ty));
        for _ in 0..4_000 {
            if machine.is_final() || machine.step(&mut Same(input)).is_none() {
                break;
            }
        }
        matches!(program.locs[machine.loc()].kind, LocKind::Error(_))
    })
}

/// Numbers one more or less, comparisons and operations turned into others.
fn mutate(text: &str, rng: &mut Rng) -> String {
    const OTHERS: [(&str, &str); 14] = [
        ("<=u", "<u"),
        ("<=s", "<s"),
        (">s", ">=s"),
        ("<u", "<=u"),
        ("==", "!="),
        ("!=", "=="),
        ("==>", "&&"),
        ("&&", "||"),
        (" + ", " - "),
        (" - ", " + "),
        ("old.x", "r"),
        ("old.g", "g"),
        ("0bv", "1bv"),
        ("1bv", "2bv"),
    ];
    let (from, to) = *rng.pick(&OTHERS);
    let places: Vec<usize> = text.match_indices(from).map(|(i, _)| i).collect();
    if places.is_empty() {
        return text.into();
    }
    let at = *rng.pick(&places);
    format!("{}{to}{}", &text[..at], &text[at + from.len()..])
}

#[test]
fn no_mutant_is_accepted_that_fails() {
    let cases = [mccarthy(), countdown(), parity(), looping()];
    let mut rng = Rng::new(20);
    let (mut tried, mut accepted, mut failing) = (0, 0, 0);
    while tried < 600 {
        let right = rng.pick(&cases);
        let mut mutant = right.clone();
        for _ in 0..1 + rng.below(3) {
            let n = mutant.clauses.len();
            match rng.below(5) {
                0 | 4 => mutant.program = mutate(&mutant.program, &mut rng),
                1 if n > 1 => drop(mutant.clauses.remove(rng.below(n))),
                2 if n > 0 => {
                    let clause = &mut mutant.clauses[rng.below(n)].2;
                    *clause = mutate(clause, &mut rng);
                }
                _ => {
                    for (_, t) in &mut mutant.invariants {
                        *t = mutate(t, &mut rng);
                    }
                }
            }
        }
        if mutant == *right {
            continue;
        }
        let Some(answer) = check(&mutant) else {
            continue;
        };
        tried += 1;
        let program = text::parse(&mutant.program).expect("it was read before");
        let fails = fails(&program);
        failing += usize::from(fails);
        accepted += usize::from(answer.is_ok());
        assert!(!(fails && answer.is_ok()), "{}", mutant.program);
    }
    // Most mutants are wrong proofs of programs that still work, some programs fail.
    assert!(accepted > 50 && failing > 50, "{accepted} {failing}");
    assert!(tried - accepted > 300, "{accepted} of {tried}");
}
