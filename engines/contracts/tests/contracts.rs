//! Contracts that are found for the classics of recursion, as snapshots, and that none is claimed for what fails.

use std::fmt::Write;
use trellis_engine_common::Outcome;
use trellis_engine_contracts::{Options, run};
use trellis_engine_testing::{certified, insta, session};
use trellis_ivl::text::{TermPrinter, parse};
use trellis_ivl::{Action, Program};
use trellis_plugin_sdk::{NoHost, Verdict};

fn decide(source: &str) -> (Program, Outcome) {
    let program = parse(source).unwrap_or_else(|e| panic!("{e}"));
    let outcome = run(
        &program,
        &Options::default(),
        &mut *session(),
        0,
        &mut NoHost,
    )
    .unwrap_or_else(|e| panic!("{e}"));
    (program, outcome)
}

/// The certified contracts in words, or why there are none.
fn contracts(source: &str) -> String {
    let (program, outcome) = decide(source);
    let word = certified(&program, &outcome.pool, &outcome.verdict);
    let mut text = format!("{}\n", word.unwrap_or_else(|e| panic!("{e}")));
    match &outcome.verdict {
        Verdict::Contracts(proof) => {
            let mut printer = TermPrinter::new(&outcome.pool);
            for (&p, contract) in &proof.contracts {
                for (what, clauses) in [
                    ("requires", &contract.requires),
                    ("ensures", &contract.ensures),
                ] {
                    for &t in clauses {
                        let name = &program.procs[p].name;
                        writeln!(text, "{name} {what} {}", printer.print(t)).expect("text");
                    }
                }
            }
            for (l, &t) in &proof.invariants {
                writeln!(text, "{l}: {}", printer.print(t)).expect("text");
            }
        }
        Verdict::Unknown(why) => writeln!(text, "{why}").expect("text"),
        other => panic!("{other:?}"),
    }
    text
}

/// A main that calls `f` with any number and asserts something of its result.
fn calling(f: &str, assertion: &str) -> String {
    format!(
        "ivl 1;
        var n: bv32 in main; var m: bv32 in main;
        {f}
        proc main() {{
          loc l0 entry; loc l1; loc l2; loc l3 error \"assertion\"; loc l4 exit;
          l0 -> l1 {{ havoc n }};
          l1 -> l2 call f(n) -> (m);
          l2 -> l3 {{ assume !({assertion}) }};
          l2 -> l4 {{ assume {assertion} }};
        }}
        main main;"
    )
}

const MCCARTHY: &str = "var x: bv32 in f; var r: bv32 in f; var t: bv32 in f;
    proc f(x) returns (r) {
      loc l5 entry; loc l6; loc l7 exit; loc l8;
      l5 -> l7 { assume x >s 100bv32; r := x - 10bv32 };
      l5 -> l6 { assume x <=s 100bv32 };
      l6 -> l8 call f(x + 11bv32) -> (t);
      l8 -> l7 call f(t) -> (r);
    }";

/// Counts up to its argument, by itself.
const IDENTITY: &str = "var x: bv32 in f; var r: bv32 in f; var t: bv32 in f;
    proc f(x) returns (r) {
      loc l5 entry; loc l6; loc l7 exit; loc l8;
      l5 -> l7 { assume x == 0bv32; r := 0bv32 };
      l5 -> l6 { assume x != 0bv32 };
      l6 -> l8 call f(x - 1bv32) -> (t);
      l8 -> l7 { r := t + 1bv32 };
    }";

/// Ackermann's function of two inputs that main bounds; its first argument is at most 3.
fn ackermann(assertion: &str) -> String {
    format!(
        "ivl 1;
        var m: bv32 in main; var n: bv32 in main; var r: bv32 in main;
        var a: bv32 in f; var b: bv32 in f; var s: bv32 in f; var t: bv32 in f;
        proc f(a, b) returns (s) {{
          loc l5 entry; loc l6; loc l7 exit; loc l8; loc l9; loc l10;
          l5 -> l7 {{ assume a == 0bv32; s := b + 1bv32 }};
          l5 -> l6 {{ assume a != 0bv32 }};
          l6 -> l8 {{ assume b == 0bv32 }};
          l6 -> l9 {{ assume b != 0bv32 }};
          l8 -> l7 call f(a - 1bv32, 1bv32) -> (s);
          l9 -> l10 call f(a, b - 1bv32) -> (t);
          l10 -> l7 call f(a - 1bv32, t) -> (s);
        }}
        proc main() {{
          loc l0 entry; loc l1; loc l2; loc l3 error \"assertion\"; loc l4 exit;
          l0 -> l1 {{ havoc m, n; assume 0bv32 <=s m && m <=s 3bv32 && 0bv32 <=s n && n <=s 23bv32 }};
          l1 -> l2 call f(m, n) -> (r);
          l2 -> l3 {{ assume !({assertion}) }};
          l2 -> l4 {{ assume {assertion} }};
        }}
        main main;"
    )
}

#[test]
fn finds_the_contracts_of_the_classics() {
    let mut all = String::new();
    for (name, program) in [
        (
            "McCarthy 91",
            calling(MCCARTHY, "n >s 101bv32 || m == 91bv32"),
        ),
        ("identity", calling(IDENTITY, "m == n")),
        ("Ackermann", ackermann("0bv32 <=s r")),
    ] {
        writeln!(all, "{name}: {}", contracts(&program)).expect("text");
    }
    insta::assert_snapshot!(all);
}

#[test]
fn what_fails_has_no_contracts() {
    for program in [
        calling(MCCARTHY, "n >s 102bv32 || m == 91bv32"),
        calling(MCCARTHY, "m != 91bv32"),
        calling(IDENTITY, "m != n"),
        calling(IDENTITY, "m <=s n && m != 7bv32"),
    ] {
        let why = contracts(&program);
        assert!(
            why.starts_with("unknown\nthe contracts that executions suggest"),
            "{why}"
        );
    }
}

/// A procedure that no execution calls or returns from requires and ensures the impossible.
#[test]
fn what_is_never_called_needs_no_contract() {
    let program = calling(
        "var x: bv32 in f; var r: bv32 in f; var y: bv32 in g;
        proc f(x) returns (r) {
          loc l5 entry; loc l6; loc l7 exit;
          l5 -> l7 { r := 1bv32 };
          l5 -> l6 { assume x != x };
          l6 -> l7 call g(x);
        }
        proc g(y) {
          loc l8 entry; loc l9 exit; loc l10 error \"never\"; loc l11;
          l8 -> l10 { skip };
          l8 -> l11 { skip };
          l11 -> l9 call g(y);
        }",
        "m == 1bv32",
    );
    assert!(contracts(&program).starts_with("safe\n"));
}

/// A chain of procedures that each call the next twice has 2^n calls, and one contract each.
#[test]
fn calls_do_not_multiply() {
    let chain = |n: usize| {
        let mut text = String::from("ivl 1; var g: bv8;\n");
        for i in 0..n {
            let next = i + 1;
            let (l, m, x) = (3 * i + 5, 3 * i + 6, 3 * i + 7);
            let body = match next < n {
                true => format!("l{l} -> l{m} call p{next}(); l{m} -> l{x} call p{next}();"),
                false => format!("l{l} -> l{m} {{ g := g & 254bv8 }}; l{m} -> l{x} {{ skip }};"),
            };
            writeln!(
                text,
                "proc p{i}() {{ loc l{l} entry; loc l{m}; loc l{x} exit; {body} }}"
            )
            .expect("text");
        }
        text + "proc main() { loc l0 entry; loc l1; loc l2; loc l3 error \"odd\"; loc l4 exit;
            l0 -> l1 { g := 0bv8 }; l1 -> l2 call p0();
            l2 -> l3 { assume g[0:0] == 1bv1 }; l2 -> l4 { assume g[0:0] == 0bv1 }; } main main;"
    };
    let (program, outcome) = decide(&chain(20));
    assert_eq!(
        certified(&program, &outcome.pool, &outcome.verdict),
        Ok("safe")
    );
    let calls = program.edges.values();
    assert_eq!(
        calls
            .filter(|e| matches!(e.action, Action::Call(_)))
            .count(),
        39
    );
    let few = decide(&chain(4)).1;
    assert!(matches!(few.verdict, Verdict::Unknown(why) if why.contains("can be expanded")));
}
