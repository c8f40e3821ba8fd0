//! Bisimulation minimisation.

use trellis_ivl::{Action, LocKind, Program};
use trellis_ivl_passes::parse_list;
use trellis_ivl_testing::generate::program;
use trellis_ivl_testing::{Rng, Shape, check_list, check_random, doubled, optimised, parse};

#[test]
fn merges_copies_with_the_same_future() {
    insta::assert_snapshot!(optimised(include_str!("data/copies.ivl"), "inline, bisim"));
}

/// The test before the loop and the one at its end become one, which is then the head.
#[test]
fn turns_an_inverted_loop_round() {
    let inverted = include_str!("data/simple_add.ivl");
    let locations = |list: &str| parse(&optimised(inverted, list)).locs.len();
    assert_eq!(locations("inline, bisim"), locations("") - 1);
}

#[test]
fn rolls_a_loop_up() {
    let unrolled = include_str!("data/unrolled.ivl");
    insta::assert_snapshot!(optimised(unrolled, "inline, bisim"));
}

#[test]
fn keeps_the_meaning_of_random_programs() {
    check_random("inline, bisim", Shape::TINY, 1000);
    check_random(
        "inline(recursion=2, max_edges=200), bisim",
        Shape::CALLS,
        300,
    );
}

#[test]
fn undoes_duplication() {
    let minimise = |p: &mut Program| {
        parse_list("bisim", &[trellis_ivl_passes::Property::Flat])
            .and_then(|list| list.run(p))
            .expect("a correct list")
    };
    let (mut done, mut undone) = (0, 0);
    for seed in 0..500 {
        let mut rng = Rng::new(seed);
        let mut p = program(&mut rng, Shape::TINY);
        let mut q = doubled(&mut rng, p.clone());
        done +=
            usize::from(check_list(&q, "inline, bisim").unwrap_or_else(|e| panic!("{seed}: {e}")));
        minimise(&mut p);
        minimise(&mut q);
        // Left over: copies of entry and exit, which keep to themselves.
        undone +=
            usize::from(q.locs.len() <= p.locs.len() + 2 && q.edges.len() <= 2 * p.edges.len());
    }
    assert!(undone >= 490, "only {undone} programs were minimised");
    assert!(done >= 300, "only {done} programs were small enough");
}

#[test]
fn keeps_errors_of_different_places_apart() {
    let mut p = Program::new();
    let file = p.files.push("a.c".into());
    let main = p.add_proc("main", trellis_ivl::Span::NONE);
    let entry = p.procs[main].entry;
    for line in [1, 1, 2] {
        let to = p.add_error(main, "unreach-call", trellis_ivl::Span::new(file, line, 1));
        let skip = p.cmds.skip();
        p.add_edge(entry, to, skip, trellis_ivl::Span::NONE);
    }
    let list = parse_list("bisim", &[trellis_ivl_passes::Property::Flat]).expect("a correct list");
    list.run(&mut p).expect("bisim runs");
    let lines: Vec<u32> = p.errors().map(|l| p.locs[l].span.line).collect();
    assert_eq!(lines, [1, 2]);
    assert_eq!(p.edges.len(), 2);
    assert!(p.edges.values().all(|d| matches!(d.action, Action::Cmd(_))));
    assert!(p.locs[p.entry()].kind == LocKind::Plain);
}
