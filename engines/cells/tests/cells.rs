//! What the engine proves of arrays and lists of any length, certified; and that it claims nothing of what is broken.

use trellis_engine_cells::{Options, run};
use trellis_engine_testing::reference::{certified, compare, session};
use trellis_ivl::{Program, text};
use trellis_ivl_testing::Shape;
use trellis_plugin_sdk::NoHost;

fn decide(program: &Program) -> String {
    let options = Options::default();
    let outcome = run(program, &mut *session(), &options, &mut NoHost).expect("no failure");
    let verdict = certified(program, &outcome.pool, &outcome.verdict);
    verdict.unwrap_or_else(|e| panic!("{e}\n{program}")).into()
}

/// The verdicts on a program and on the same with one part of its text replaced.
fn twins(source: &str, part: &str, broken: &str) -> (String, String) {
    assert!(source.contains(part), "{part}");
    let parse = |text: &str| text::parse(text).unwrap_or_else(|e| panic!("{e}"));
    let (right, wrong) = (parse(source), parse(&source.replacen(part, broken, 1)));
    (decide(&right), decide(&wrong))
}

fn proves(source: &str, part: &str, broken: &str) {
    let (right, wrong) = twins(source, part, broken);
    assert_eq!((&*right, &*wrong), ("safe", "unknown"), "{source}");
}

#[test]
fn fill_and_copy() {
    let source = "ivl 1;
        var a: [bv32]bv32; var b: [bv32]bv32; var i: bv32; var n: bv32;
        proc main() {
          loc l0 entry; loc l1; loc l2; loc l3; loc l4 error \"assertion\";
          l0 -> l1 { i := 0bv32 };
          l1 -> l1 { assume i <s n; a := a[i := i * 2bv32]; i := i + 1bv32 };
          l1 -> l2 { assume n <=s i; i := 0bv32 };
          l2 -> l2 { assume i <s n; b := b[i := a[i] + 1bv32]; i := i + 1bv32 };
          l2 -> l3 { assume n <=s i; i := 0bv32 };
          l3 -> l3 { assume i <s n; assume b[i] == i * 2bv32 + 1bv32; i := i + 1bv32 };
          l3 -> l4 { assume i <s n; assume b[i] != i * 2bv32 + 1bv32 };
        }
        main main;";
    proves(source, "a[i] + 1bv32", "a[i]");
}

/// Four cells on in one array for each cell of the other: that the slow counter has not come round shows only beside the fast one.
#[test]
fn two_counters() {
    let source = "ivl 1;
        var a: [bv32]bv32; var b: [bv32]bv32; var i: bv32; var j: bv32;
        proc main() {
          loc l0 entry; loc l1; loc l2; loc l3 error \"assertion\";
          l0 -> l1 { i := 1bv32; j := 0bv32 };
          l1 -> l1 { assume i <s 100000bv32; a := a[j := b[i]]; i := i + 4bv32; j := j + 1bv32 };
          l1 -> l2 { assume 100000bv32 <=s i; i := 1bv32; j := 0bv32 };
          l2 -> l2 { assume i <s 100000bv32; assume a[j] == b[j * 4bv32 + 1bv32]; i := i + 4bv32; j := j + 1bv32 };
          l2 -> l3 { assume i <s 100000bv32; assume a[j] != b[j * 4bv32 + 1bv32] };
        }
        main main;";
    proves(source, "a[j := b[i]]", "a[j := b[i] + 1bv32]");
}

/// A search for the end of a string that is there, where its length is a number from a range, whatever the input is.
#[test]
fn end_where_an_input_says() {
    let source = "ivl 1;
        var s: [bv32]bv8; var p: bv32; var n: bv32; var t: bv32;
        input i0 \"n\": bv32;
        proc main() {
          loc l0 entry; loc l1; loc l2 error \"bounds\";
          l0 -> l1 {
            havoc t from i0;
            { assume t <s 1bv32; n := 1bv32 } [] { assume 1bv32 <=s t; n := t };
            assume n <=u 1000bv32;
            s := s[n + 4095bv32 := 0bv8];
            p := 4096bv32;
          };
          l1 -> l1 { assume s[p] != 0bv8; assume p + -4096bv32 <u n; p := p + 1bv32 };
          l1 -> l2 { assume n <=u p + -4096bv32 };
        }
        main main;";
    proves(source, "4095bv32 := 0bv8", "4096bv32 := 0bv8");
}

/// The first node is made before the loop, so its address is a constant.
#[test]
fn list_with_a_first_node() {
    let source = "ivl 1;
        var val: [bv16]bv16; var link: [bv16]bv16; var next_slot: bv8;
        var p: bv16; var tail: bv16; var x: bv16; var new: bv16;
        input i0 \"x\": bv16;
        proc main() {
          loc l0 entry; loc l1; loc l2; loc l3 error \"assertion\";
          l0 -> l1 {
            next_slot := 129bv8; tail := 32768bv16;
            link := link[32768bv16 := 0bv16]; val := val[32768bv16 := 10bv16];
          };
          l1 -> l1 {
            havoc x from i0;
            assume 10bv16 <=s x; assume x <=s 20bv16; assume next_slot != 0bv8;
            new := next_slot ++ 0bv8;
            next_slot := next_slot + 1bv8;
            link := link[tail := new]; link := link[new := 0bv16]; val := val[new := x];
            tail := new;
          };
          l1 -> l2 { p := 32768bv16 };
          l2 -> l2 { assume p != 0bv16; assume 10bv16 <=s val[p]; assume val[p] <=s 20bv16; p := link[p] };
          l2 -> l3 { assume p != 0bv16; assume val[p] <s 10bv16 || 20bv16 <s val[p] };
        }
        main main;";
    proves(
        source,
        "val[32768bv16 := 10bv16]",
        "val[32768bv16 := 9bv16]",
    );
}

#[test]
fn maximum() {
    let source = "ivl 1;
        var a: [bv32]bv32; var m: bv32; var i: bv32; var n: bv32;
        proc main() {
          loc l0 entry; loc l1; loc l2; loc l3 error \"assertion\";
          l0 -> l1 { i := 1bv32; m := a[0bv32] };
          l1 -> l1 {
            assume i <s n;
            { assume m <s a[i]; m := a[i] } [] { assume a[i] <=s m };
            i := i + 1bv32;
          };
          l1 -> l2 { assume n <=s i; i := 1bv32 };
          l2 -> l2 { assume i <s n; assume a[i] <=s m; i := i + 1bv32 };
          l2 -> l3 { assume i <s n; assume m <s a[i] };
        }
        main main;";
    proves(source, "m := a[i] }", "skip }");
}

/// Figure 2 of the paper on 2LS: the minimum of a list.
#[test]
fn list_minimum() {
    let source = "ivl 1;
        var val: [bv32]bv32; var link: [bv32]bv32; var next: bv12; var l: bv32; var m: bv32; var v: bv32;
        input i0 \"value\": bv32;
        proc main() {
          loc l0 entry; loc l1; loc l2; loc l3 error \"assertion\";
          l0 -> l1 { next := 2048bv12; l := 0bv32; m := 2147483647bv32 };
          l1 -> l1 {
            assume next != 0bv12;
            havoc v from i0;
            val := val[next ++ 0bv20 := v];
            link := link[next ++ 0bv20 := l];
            l := next ++ 0bv20;
            next := next + 1bv12;
            { assume v <s m; m := v } [] { assume m <=s v };
          };
          l1 -> l2 { skip };
          l2 -> l2 { assume l != 0bv32; assume m <=s val[l]; l := link[l] };
          l2 -> l3 { assume l != 0bv32; assume val[l] <s m };
        }
        main main;";
    proves(source, "m := v }", "skip }");
}

/// What is copied on goes by way of an array that nobody reads any more.
#[test]
fn chain_of_copies() {
    let source = "ivl 1;
        var a: [bv32]bv32; var b: [bv32]bv32; var c: [bv32]bv32; var d: [bv32]bv32; var i: bv32;
        proc main() {
          loc l0 entry; loc l1; loc l2; loc l3; loc l4; loc l5 error \"assertion\";
          l0 -> l1 { i := 0bv32 };
          l1 -> l1 { assume i <s 9999bv32; b := b[i := a[i]]; i := i + 1bv32 };
          l1 -> l2 { assume 9999bv32 <=s i; i := 0bv32 };
          l2 -> l2 { assume i <s 9999bv32; c := c[i := b[i]]; i := i + 1bv32 };
          l2 -> l3 { assume 9999bv32 <=s i; i := 0bv32 };
          l3 -> l3 { assume i <s 9999bv32; d := d[i := c[i]]; i := i + 1bv32 };
          l3 -> l4 { assume 9999bv32 <=s i; i := 0bv32 };
          l4 -> l4 { assume i <s 9999bv32; assume d[i] == a[i]; i := i + 1bv32 };
          l4 -> l5 { assume i <s 9999bv32; assume d[i] != a[i] };
        }
        main main;";
    proves(source, "c[i := b[i]]", "c[i := a[i] + b[i]]");
}

/// A single cell is asked, at a number, after all have been written.
#[test]
fn one_cell_of_all() {
    let source = "ivl 1;
        var a: [bv32]bv32; var i: bv32;
        proc main() {
          loc l0 entry; loc l1; loc l2; loc l3 error \"assertion\";
          l0 -> l1 { i := 0bv32 };
          l1 -> l1 { assume i <s 9999bv32; a := a[i := 42bv32]; i := i + 1bv32 };
          l1 -> l2 { assume 9999bv32 <=s i };
          l2 -> l3 { assume a[7bv32] != 42bv32 };
        }
        main main;";
    proves(source, "a[i := 42bv32]", "a[i + 8bv32 := 42bv32]");
}

/// Every round writes the cell of the next one as well, so the last one is written before its turn.
#[test]
fn a_cell_ahead() {
    let source = "ivl 1;
        var a: [bv32]bv32; var i: bv32;
        proc main() {
          loc l0 entry; loc l1; loc l2; loc l3 error \"assertion\";
          l0 -> l1 { i := 0bv32 };
          l1 -> l1 { assume i <s 9998bv32; a := a[i := 42bv32][i + 1bv32 := 42bv32]; i := i + 1bv32 };
          l1 -> l2 { assume 9998bv32 <=s i; i := 0bv32 };
          l2 -> l2 { assume i <s 9999bv32; assume a[i] == 42bv32; i := i + 1bv32 };
          l2 -> l3 { assume i <s 9999bv32; assume a[i] != 42bv32 };
        }
        main main;";
    proves(source, "[i + 1bv32 := 42bv32]", "[i + 1bv32 := 41bv32]");
}

/// Two counters that move together, in steps of different size.
#[test]
fn every_second_cell() {
    let source = "ivl 1;
        var a: [bv32]bv32; var b: [bv32]bv32; var i: bv32; var j: bv32;
        proc main() {
          loc l0 entry; loc l1; loc l2; loc l3 error \"assertion\";
          l0 -> l1 { i := 1bv32; j := 0bv32 };
          l1 -> l1 { assume i <s 9999bv32; a := a[j := b[i]]; i := i + 2bv32; j := j + 1bv32 };
          l1 -> l2 { assume 9999bv32 <=s i; i := 1bv32; j := 0bv32 };
          l2 -> l2 { assume i <s 9999bv32; assume a[j] == b[2bv32 * j + 1bv32]; i := i + 2bv32; j := j + 1bv32 };
          l2 -> l3 { assume i <s 9999bv32; assume a[j] != b[2bv32 * j + 1bv32] };
        }
        main main;";
    proves(source, "a[j := b[i]]", "a[j := b[j]]");
}

/// Every round fills a tile, and every cell is asked.
#[test]
fn tiles() {
    let source = "ivl 1;
        var a: [bv32]bv32; var i: bv32; var n: bv32; var v: bv32; input i0 \"value\": bv32;
        proc main() {
          loc l0 entry; loc l1; loc l2; loc l3 error \"assertion\";
          l0 -> l1 { assume 0bv32 <=s n; assume n <s 9999bv32; i := 0bv32 };
          l1 -> l1 {
            assume i <s n;
            havoc v from i0;
            assume v != 0bv32;
            a := a[2bv32 * i := v][2bv32 * i + 1bv32 := 5bv32];
            i := i + 1bv32;
          };
          l1 -> l2 { assume n <=s i; i := 0bv32 };
          l2 -> l2 { assume i <s 2bv32 * n; assume a[i] != 0bv32; i := i + 1bv32 };
          l2 -> l3 { assume i <s 2bv32 * n; assume a[i] == 0bv32 };
        }
        main main;";
    proves(source, "5bv32", "0bv32");
}

/// What is known of cells makes equations of scalars.
#[test]
fn sums_of_equal_cells() {
    let source = "ivl 1;
        var a: [bv32]bv32; var i: bv32; var n: bv32; var s: bv32;
        proc main() {
          loc l0 entry; loc l1; loc l2; loc l3; loc l4 error \"assertion\";
          l0 -> l1 { assume 0bv32 <=s n; i := 0bv32; s := 0bv32 };
          l1 -> l1 { assume i <s n; a := a[i := 1bv32]; i := i + 1bv32 };
          l1 -> l2 { assume n <=s i; i := 0bv32 };
          l2 -> l2 { assume i <s n; s := s + a[i]; i := i + 1bv32 };
          l2 -> l3 { assume n <=s i; i := 0bv32 };
          l3 -> l3 { assume i <s n; s := s - a[i]; i := i + 1bv32 };
          l3 -> l4 { assume n <=s i; assume s != 0bv32 };
        }
        main main;";
    proves(source, "s - a[i]", "s - 2bv32");
}

/// Whoever looks for the end of a string does not pass it.
#[test]
fn the_end_of_a_string_is_not_passed() {
    let source = "ivl 1;
        var a: [bv32]bv8; var i: bv32; var n: bv32;
        proc main() {
          loc l0 entry; loc l1; loc l2 error \"range\";
          l0 -> l1 { assume 0bv32 <=s n; a := a[n := 0bv8]; i := 0bv32 };
          l1 -> l1 { assume i <=s n; assume a[i] != 0bv8; i := i + 1bv32 };
          l1 -> l2 { assume n <s i };
        }
        main main;";
    proves(source, "a[n := 0bv8]", "a[n := 1bv8]");
}

/// On programs with few states the engine is never wrong; they have no loops over arrays, so it rarely answers.
#[test]
fn random_programs() {
    let tally = compare(60, Shape::TINY, |program| {
        let options = Options::default();
        run(program, &mut *session(), &options, &mut NoHost).expect("no failure")
    });
    assert!(tally.programs == 60);
}
