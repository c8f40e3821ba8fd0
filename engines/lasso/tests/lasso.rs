//! Endless executions of small programs, each accepted by the checker.

use trellis_engine_lasso::{Options, run};
use trellis_engine_testing::session;
use trellis_ivl::{FlattenOptions, Program, text};
use trellis_ivl_certify::{Case, Recurrent, check_lasso, check_recurrent};
use trellis_plugin_sdk::wire::termination::{read_divergence, write_divergence};
use trellis_plugin_sdk::{Divergence, LocalHost, Verdict};
use trellis_solver_batsat::Batsat;
use trellis_solver_bitblast::Bitblast;

/// Whether an endless execution is found.
fn found(vars: &str, before: &str, edges: &str) -> bool {
    let program = parse(&format!(
        "ivl 1; {vars} proc main() {{ loc l0 entry; loc l1; loc l2 exit; l0 -> l1 {{ {before} }}; {edges} }} main main;"
    ));
    let mut own = program.clone();
    let mut host = LocalHost::new(Bitblast::new(Batsat));
    let verdict = run(&program, &mut own.pool, &Options::default(), &mut host);
    let Verdict::Diverges(claim) = verdict.expect("no failure") else {
        return false;
    };
    let words = write_divergence(&own.pool, &claim);
    let mut host = program.clone();
    let expansion = FlattenOptions::default();
    let claim = match read_divergence(&mut host, &words).expect("our own words") {
        Divergence::Recurrent(claim) => claim,
        Divergence::Lasso(lasso) => {
            let checked = check_lasso(&program, &lasso, &expansion);
            checked.unwrap_or_else(|e| panic!("{edges}: {e}"));
            return true;
        }
    };
    let cases = claim.cases.into_iter().map(|way| Case {
        guard: way.guard,
        steps: way.steps,
        inputs: way.inputs,
    });
    let claim = Recurrent {
        stem: claim.stem,
        set: claim.set,
        cases: cases.collect(),
    };
    let checked = check_recurrent(&program, &host.pool, &claim, &expansion, session().as_mut());
    checked.unwrap_or_else(|e| panic!("{edges}: {e}"));
    true
}

#[test]
fn sets_that_are_never_left() {
    for edges in [
        "l1 -> l1 { skip };",
        "l1 -> l1 { x := x + 1bv32 };",
        "l1 -> l1 { assume x != 0bv32; x := x - 2bv32 }; l1 -> l2 { assume x == 0bv32 };",
        "l1 -> l1 { assume x <s 10bv32; x := x + y }; l1 -> l2 { assume x >=s 10bv32 };",
        "l1 -> l1 { assume x >u 0bv32; havoc y; assume y != 3bv32 }; l1 -> l2 { assume x == 0bv32 };",
        "l1 -> l1 { assume x >u 5bv32; { x := x - 1bv32 } [] { x := x } }; l1 -> l2 { assume x <=u 5bv32 };",
    ] {
        assert!(found("var x: bv32; var y: bv32;", "skip", edges), "{edges}");
    }
}

/// Which way is taken depends on the state, and neither goes on for ever by itself.
#[test]
fn ways_that_take_turns() {
    let edges = "l1 -> l1 { assume x >=u y; assume y <u x; y := y + 1bv32 };
        l1 -> l1 { assume x >=u y; assume y >=u x; x := x + 1bv32; y := 0bv32 }; l1 -> l2 { assume x <u y };";
    let vars = "var x: bv32; var y: bv32;";
    assert!(found(vars, "x, y := 1bv32, 0bv32", edges));
}

/// Several rounds and an inner loop lie between the visits; what counts the rounds decides nothing.
#[test]
fn executions_that_come_back() {
    for edges in [
        "l1 -> l1 { n := n + 1bv32; x := x + 1bv32; assume x <u 7bv32 }; l1 -> l1 { assume x >=u 6bv32; x := 0bv32 };",
        "l1 -> l3 { y := 3bv32 }; l3 -> l3 { assume y >u 0bv32; y := y - 1bv32; n := n + 1bv32 };
         l3 -> l1 { assume y == 0bv32; x := (x + 1bv32) & 3bv32 };",
    ] {
        let vars = "var x: bv32; var y: bv32; var n: bv32;";
        assert!(
            found(vars, "x := 0bv32", &edges.replace("l3", "l2")),
            "{edges}"
        );
    }
}

#[test]
fn loops_that_end() {
    for (before, edges) in [
        (
            "skip",
            "l1 -> l1 { assume x >u 0bv8; x := x - 1bv8 }; l1 -> l2 { assume x == 0bv8 };",
        ),
        // Only even numbers get there.
        (
            "x := 8bv8",
            "l1 -> l1 { assume x != 0bv8; x := x - 2bv8 }; l1 -> l2 { assume x == 0bv8 };",
        ),
        ("skip", "l1 -> l1 { assume false };"),
    ] {
        assert!(!found("var x: bv8;", before, edges), "{edges}");
    }
}

fn parse(source: &str) -> Program {
    text::parse(source).unwrap_or_else(|e| panic!("{e}"))
}
