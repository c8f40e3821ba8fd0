//! Ranks of small programs, each accepted by the checker.

use trellis_engine_rank::{Options, run};
use trellis_engine_testing::session;
use trellis_ivl::termination::loops;
use trellis_ivl::{Program, text};
use trellis_ivl_certify::{LoopProof, SafetyCertificate, SafetyProof, check_loop};
use trellis_plugin_sdk::wire::termination::{read_endings, write_endings};
use trellis_plugin_sdk::{NoHost, Verdict};

/// How many loops are proved, of how many.
fn proved(source: &str) -> (usize, usize) {
    let program = parse(source);
    let options = Options::default();
    let found = run(&program, session().as_mut(), &options, &mut NoHost).expect("no failure");
    let all = loops(&program);
    let Verdict::Terminates(endings) = found else {
        return (0, all.len());
    };
    let read = read_endings(&program, &write_endings(&endings)).expect("our own words");
    for claim in &read {
        let of = all.iter().find(|l| l.head == claim.head).expect("a loop");
        let invariants = claim.certificate.invariants.clone();
        let proof = LoopProof {
            measure: claim.measure.clone(),
            pool: claim.watched.program.pool.clone(),
            proof: SafetyProof::Inductive(SafetyCertificate::inductive(invariants)),
        };
        let checked = check_loop(&program, of, &proof, session().as_mut(), &|| false);
        checked.unwrap_or_else(|e| panic!("{}: {e}", of.head));
    }
    (read.len(), all.len())
}

fn one_loop(vars: &str, before: &str, edges: &str) -> String {
    format!(
        "ivl 1; {vars} proc main() {{ loc l0 entry; loc l1; loc l2 exit; l0 -> l1 {{ {before} }}; {edges} }} main main;"
    )
}

#[test]
fn loops_that_fall() {
    for edges in [
        "l1 -> l1 { assume x >s 0bv32; x := x - 1bv32 }; l1 -> l2 { assume x <=s 0bv32 };",
        "l1 -> l1 { assume x <u y; x := x + 1bv32 }; l1 -> l2 { assume x >=u y };",
        "l1 -> l1 { assume x <s y; x, y := x + 1bv32, y - 1bv32 }; l1 -> l2 { assume x >=s y };",
        "l1 -> l1 { assume x >u 0bv32; x := x /u 2bv32 }; l1 -> l2 { assume x == 0bv32 };",
        // Which component falls is chosen, and the second begins anew.
        "l1 -> l1 { assume x >u 0bv32; x := x - 1bv32; havoc y };
         l1 -> l1 { assume x >u 0bv32; assume y >u 0bv32; y := y - 1bv32 }; l1 -> l2 { assume x == 0bv32 };",
        // Two phases.
        "l1 -> l1 { assume x <u 100bv32; assume y == 0bv32; x := x + 1bv32 };
         l1 -> l1 { assume x >=u 100bv32; assume y == 0bv32; y := 1bv32 };
         l1 -> l1 { assume y == 1bv32; assume x >u 3bv32; x := x - 1bv32 };
         l1 -> l2 { assume y == 1bv32; assume x <=u 3bv32 };",
    ] {
        let source = one_loop("var x: bv32; var y: bv32;", "y := 0bv32", edges);
        assert_eq!(proved(&source), (1, 1), "{edges}");
    }
}

#[test]
fn nested_loops_and_what_must_be_known() {
    let nested = "ivl 1; var i: bv16; var j: bv16; var n: bv16;
        proc main() { loc l0 entry; loc l1; loc l2; loc l3 exit;
        l0 -> l1 { i := 0bv16 };
        l1 -> l2 { assume i <s n; j := i };
        l2 -> l2 { assume j <s n; j := j + 1bv16 };
        l2 -> l1 { assume j >=s n; i := i + 1bv16 };
        l1 -> l3 { assume i >=s n }; } main main;";
    assert_eq!(proved(nested), (2, 2));
    // The step must be known not to be zero, and the end of a string to be there.
    let step = one_loop(
        "var x: bv16; var s: bv16;",
        "assume s >u 0bv16; assume s <u 9bv16",
        "l1 -> l1 { assume x >u 100bv16; x := x - s }; l1 -> l2 { assume x <=u 100bv16 };",
    );
    assert_eq!(proved(&step), (1, 1));
    let string = one_loop(
        "var m: [bv8]bv8; var p: bv8; var n: bv8;",
        "assume n <u 100bv8; m := m[n := 0bv8]; p := 0bv8",
        "l1 -> l1 { assume m[p] != 0bv8; p := p + 1bv8 }; l1 -> l2 { assume m[p] == 0bv8 };",
    );
    assert_eq!(proved(&string), (1, 1));
}

#[test]
fn loops_that_do_not_fall() {
    for edges in [
        "l1 -> l1 { x := x + 1bv32 };",
        "l1 -> l1 { assume x != 0bv32; x := x - 2bv32 }; l1 -> l2 { assume x == 0bv32 };",
        "l1 -> l1 { assume x >u y; x := x - y }; l1 -> l2 { assume x <=u y };",
    ] {
        let source = one_loop("var x: bv32; var y: bv32;", "skip", edges);
        assert_eq!(proved(&source), (0, 1), "{edges}");
    }
}

fn parse(source: &str) -> Program {
    text::parse(source).unwrap_or_else(|e| panic!("{e}"))
}

/// Neither number falls on every way, nor does their sum: the solver finds five of one and two of the other.
#[test]
fn coefficients_are_found() {
    let both = "assume 0bv32 <=s x && 0bv32 <=s y && x <s 99999bv32 && y <s 99999bv32";
    let edges = format!(
        "l1 -> l1 {{ {both}; x, y := x - 1bv32, y + 2bv32 }}; l1 -> l1 {{ {both}; x, y := x + 1bv32, y - 3bv32 }};
         l1 -> l2 {{ assume x <s 0bv32 || y <s 0bv32 }};"
    );
    let source = one_loop("var x: bv32; var y: bv32;", "skip", &edges);
    assert_eq!(proved(&source), (1, 1));
}

/// What falls differs from case to case: above zero one number, below it the other.
#[test]
fn cases_have_measures_of_their_own() {
    let edges = "
        l1 -> l1 { assume y >s 0bv32; assume x >s 0bv32; x := x - 1bv32; havoc y };
        l1 -> l1 { assume y >s 0bv32; assume x >s 0bv32; y := y - 1bv32 };
        l1 -> l1 { assume y >s 0bv32; assume x != 0bv32; assume x <=s 0bv32; x := x + 1bv32 };
        l1 -> l1 { assume y >s 0bv32; assume x != 0bv32; assume x <=s 0bv32; y := y - 1bv32; havoc x };
        l1 -> l2 { assume x == 0bv32 || y <=s 0bv32 };";
    let source = one_loop("var x: bv32; var y: bv32;", "skip", edges);
    assert_eq!(proved(&source), (1, 1));
}
