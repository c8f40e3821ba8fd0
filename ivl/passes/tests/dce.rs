//! `dce`: dead assignments, useless locations, edges that do nothing.

use trellis_ivl::text;
use trellis_ivl_passes::{Property, parse_list};
use trellis_ivl_testing::{Shape, check_random, optimised};

#[test]
fn leaves_what_may_reach_an_error() {
    insta::assert_snapshot!(optimised(include_str!("data/dead.ivl"), "dce"));
}

#[test]
fn finishes_what_propagation_begins() {
    insta::assert_snapshot!(optimised(
        include_str!("data/constants.ivl"),
        "(propagate, dce)*"
    ));
}

#[test]
fn keeps_the_meaning_of_random_programs() {
    check_random("inline, dce", Shape::TINY, 1000);
    check_random("inline, (propagate, dce)*", Shape::TINY, 500);
    check_random("inline(recursion=2, max_edges=200), dce", Shape::CALLS, 300);
}

/// A first assignment that nothing reads does not take away what is known of the variable after the next one, even where it is not read any more.
#[test]
fn keeps_what_is_known_of_dead_variables() {
    let source = "ivl 1;
        var a: bv8; var b: bv8; var c: bv8; var d: bv8;
        proc main() {
          loc l0 entry; loc l1; loc l2; loc l3; loc l4 error \"assertion\";
          l0 -> l1 { a := 0bv8 };
          l1 -> l2 { a := c };
          l2 -> l3 { b := a };
          l3 -> l3 { assume b == c; d := d + 1bv8 };
          l3 -> l4 { assume b != c; assume d == 5bv8 };
        }
        main main;";
    let before = text::parse(source).expect("a program");
    let mut after = before.clone();
    let list = parse_list("dce, slice", &[Property::Flat]).expect("passes");
    let mut report = list.run(&mut after).expect("a correct pass");
    let named = |name: &str| {
        let mut vars = before.pool.vars().iter();
        vars.find(|(_, d)| &*d.name == name).expect("a variable").0
    };
    let (a, b) = (after.pool.var(named("a")), after.pool.var(named("b")));
    let same = after.pool.eq(a, b);
    let head = after.locs.keys().find(|&l| {
        let loops = |e: &trellis_ivl::EdgeData| e.from == l && e.to == l;
        after.edges.values().any(loops)
    });
    let invariants = std::iter::once((head.expect("a loop"), same)).collect();
    let back = report.back.proof(&mut after, invariants).invariants;
    assert_eq!(back.values().copied().collect::<Vec<_>>(), [same]);
}
