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

/// Expansions that cannot be complete, by recursion or by calls that multiply, are small; others are whole.
#[test]
fn what_cannot_be_complete_is_kept_small() {
    let edges = |text: &str, list: &str| {
        let flat = optimised(text, list);
        flat.lines().filter(|l| l.contains(" -> ")).count()
    };
    let twice = "ivl 1; var n: bv8 in f;
        proc f(n) { loc l0 entry; loc l1; loc l2 exit;
          l0 -> l1 call f(n); l1 -> l2 call f(n); l0 -> l2 { assume n == 0bv8 }; }
        proc main() { loc l3 entry; loc l4 exit; l3 -> l4 call f(3bv8); }
        main main;";
    let all = edges(twice, "inline(recursion=8)");
    let part = edges(twice, "inline(recursion=8, partial_edges=300)");
    assert!(all > 1000 && (50..=400).contains(&part), "{all} {part}");
    // Where nothing is gained by less depth, the expansion ends early.
    let mut chain = String::from("ivl 1;\n");
    for i in 0..10 {
        let (l, m, x) = (3 * i + 2, 3 * i + 3, 3 * i + 4);
        let body = match i < 9 {
            true => format!("l{l} -> l{m} call p{0}(); l{m} -> l{x} call p{0}();", i + 1),
            false => format!("l{l} -> l{m} {{ skip }}; l{m} -> l{x} {{ skip }};"),
        };
        chain += &format!("proc p{i}() {{ loc l{l} entry; loc l{m}; loc l{x} exit; {body} }}\n");
    }
    chain += "proc main() { loc l0 entry; loc l1 exit; l0 -> l1 call p0(); } main main;";
    let whole = edges(&chain, "inline(partial_edges=300)");
    let part = edges(&chain, "inline(max_edges=1000, partial_edges=300)");
    assert!(whole > 1500 && part <= 400, "{whole} {part}");
}
