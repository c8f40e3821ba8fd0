//! `propagate`: constants, copies and expressions along the automaton.

use trellis_ivl_testing::{Shape, check_random, optimised};

#[test]
fn carries_constants_around_loops() {
    insta::assert_snapshot!(optimised(include_str!("data/constants.ivl"), "propagate"));
}

#[test]
fn replaces_copies_and_small_terms() {
    let input = include_str!("data/copies_and_terms.ivl");
    insta::assert_snapshot!("terms", optimised(input, "propagate"));
    insta::assert_snapshot!("copies_only", optimised(input, "propagate(expr_limit=1)"));
}

#[test]
fn keeps_the_meaning_of_random_programs() {
    check_random("inline, propagate", Shape::TINY, 1000);
    check_random("inline, propagate(expr_limit=1)", Shape::TINY, 300);
    check_random(
        "inline(recursion=2, max_edges=200), propagate",
        Shape::CALLS,
        300,
    );
}
