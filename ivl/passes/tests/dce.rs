//! `dce`: dead assignments, useless locations, edges that do nothing.

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
