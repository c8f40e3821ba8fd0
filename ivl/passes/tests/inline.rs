//! `inline`: calls expanded into one flat automaton.

use trellis_ivl_testing::{Shape, check_random, optimised};

/// Two calls are two copies, each with locals and a memory object of its own; the third activation
/// of a recursive procedure is an incomplete location.
#[test]
fn copies_callees_up_to_the_recursion_limit() {
    let input = include_str!("data/calls.ivl");
    insta::assert_snapshot!(optimised(input, "inline(recursion=2)"));
}

#[test]
fn keeps_the_meaning_of_random_programs() {
    check_random("inline(recursion=2, max_edges=200)", Shape::CALLS, 1000);
}
