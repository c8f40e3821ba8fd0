//! Large-block encoding.

use trellis_ivl_testing::{Shape, check_random, optimised};

/// The sample program of the thesis, without the dead end behind its assertion.
fn simple_add(lbe: &str) -> String {
    let list = format!("inline, dce, {lbe}");
    optimised(include_str!("data/simple_add.ivl"), &list)
}

/// No two statements fit on one edge.
#[test]
fn limit_1_keeps_the_automaton() {
    insta::assert_snapshot!(simple_add("lbe(limit=1)"));
}

#[test]
fn limit_2_pairs_statements() {
    insta::assert_snapshot!(simple_add("lbe(limit=2)"));
}

/// The automaton of the thesis: five locations and six edges.
#[test]
fn limit_4_gives_the_automaton_of_the_thesis() {
    insta::assert_snapshot!(simple_add("lbe(limit=4)"));
}

#[test]
fn limit_5_folds_the_loop() {
    insta::assert_snapshot!(simple_add("lbe(limit=5)"));
}

/// Entry, loop head and error remain.
#[test]
fn no_limit_leaves_entry_loop_head_and_error() {
    let all = simple_add("lbe(limit=none)");
    assert_eq!(all, simple_add("lbe(limit=6)"));
    insta::assert_snapshot!(all);
}

fn diamonds(lbe: &str) -> String {
    let list = format!("inline, {lbe}");
    optimised(include_str!("data/diamonds.ivl"), &list)
}

#[test]
fn decisions_become_choices() {
    insta::assert_snapshot!(diamonds("lbe"));
}

/// The first decision has two operations on either side, the second one less.
#[test]
fn limit_3_leaves_parallel_edges() {
    insta::assert_snapshot!(diamonds("lbe(limit=3)"));
}

#[test]
fn without_choices_parallel_edges_stay() {
    insta::assert_snapshot!(diamonds("lbe(choices=false)"));
}

#[test]
fn keeps_the_meaning_of_random_programs() {
    check_random("inline, lbe(limit=none)", Shape::TINY, 1000);
    check_random("inline, lbe(limit=4)", Shape::TINY, 300);
    check_random("inline, lbe(choices=false)", Shape::TINY, 300);
    check_random("inline, lbe(limit=none, grow=4)", Shape::TINY, 300);
    check_random("inline(recursion=2, max_edges=200), lbe", Shape::CALLS, 300);
}
