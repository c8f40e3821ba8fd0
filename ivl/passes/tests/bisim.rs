//! Bisimulation minimisation.

use cranelift_entity::EntityRef;
use trellis_ivl::{Action, EdgeData, Loc, LocKind, Program};
use trellis_ivl_passes::parse_list;
use trellis_ivl_testing::generate::program;
use trellis_ivl_testing::{Rng, Shape, check_list, check_random, optimised};

#[test]
fn merges_copies_with_the_same_future() {
    insta::assert_snapshot!(optimised(include_str!("data/copies.ivl"), "inline, bisim"));
}

/// The test before the loop and the one at its end are bisimilar, but merging them would make the
/// test the head of the loop: invariants found there would not come back to the head before.
#[test]
fn keeps_the_head_of_an_inverted_loop() {
    let inverted = include_str!("data/simple_add.ivl");
    assert_eq!(
        optimised(inverted, "inline, bisim"),
        optimised(inverted, "")
    );
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

/// A program of the same meaning with each location twice, every edge to some copy of its target.
fn doubled(p: &Program, rng: &mut Rng) -> Program {
    let mut q = p.clone();
    let n = p.locs.len();
    for l in p.locs.keys() {
        q.locs.push(p.locs[l].clone());
    }
    q.edges.clear();
    let copy = |l: Loc, second: bool| Loc::new(l.index() + if second { n } else { 0 });
    for d in p.edges.values() {
        for second in [false, true] {
            for _ in 0..1 + rng.below(2) {
                // The exit has no copy that means the same.
                let exit = Some(d.to) == p.procs[p.main].exit;
                q.edges.push(EdgeData {
                    from: copy(d.from, second),
                    to: copy(d.to, !exit && rng.chance(50)),
                    ..d.clone()
                });
            }
        }
    }
    q
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
        let mut q = doubled(&p, &mut rng);
        done +=
            usize::from(check_list(&q, "inline, bisim").unwrap_or_else(|e| panic!("{seed}: {e}")));
        minimise(&mut p);
        minimise(&mut q);
        // Left over: copies of entry and exit, which keep to themselves.
        undone +=
            usize::from(q.locs.len() <= p.locs.len() + 2 && q.edges.len() <= 2 * p.edges.len());
    }
    // In the others, loops would lose their heads.
    assert!(undone >= 300, "only {undone} programs were minimised");
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
