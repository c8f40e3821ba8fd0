//! The engine against the truth: what it claims is an error, and it finds what is near, far, behind calls and behind values.

use std::path::Path;
use trellis_engine_run::{Options, Run};
use trellis_engine_testing::certified;
use trellis_ivl::rng::Rng;
use trellis_ivl::{Program, text};
use trellis_ivl_testing::{Shape, explore, generate};
use trellis_plugin_sdk::{Engine, LocalHost, Task, Verdict};

fn run(program: &Program, executions: u64) -> (&'static str, Verdict) {
    run_with(program, executions, None)
}

fn run_with(program: &Program, executions: u64, corpus: Option<&Path>) -> (&'static str, Verdict) {
    let options = Options {
        patience: None,
        alone: Some(50),
        executions: Some(executions),
        corpus: corpus.map(|path| path.to_str().expect("UTF-8").into()),
    };
    let mut task = Task::new(program.clone());
    let verdict = Run::run(options, &mut task, &mut LocalHost::without_solver());
    let verdict = verdict.expect("nothing can go wrong");
    let word = certified(program, &task.program.pool, &verdict);
    let word = word.unwrap_or_else(|e| panic!("{e}: {verdict:?}\n{}", text::print(program)));
    (word, verdict)
}

/// On small random programs most errors are found, and nothing else is claimed.
#[test]
fn finds_what_is_there() {
    let (mut there, mut found) = (0, 0);
    for seed in 0..80 {
        let program = generate::program(&mut Rng::new(seed), Shape::TINY);
        let Some(states) = explore(&program, 2_000) else {
            continue;
        };
        let targets = states.targets(&program);
        let has_error = targets.keys().any(|kind| kind.starts_with("error"));
        let (word, _) = run(&program, 400);
        assert!(word != "safe" && (word == "unknown" || has_error), "{seed}");
        there += u32::from(has_error);
        found += u32::from(word == "unsafe");
    }
    assert!(there > 5 && found * 10 >= there * 9, "{found} of {there}");
}

/// Larger programs with calls, wide values and arrays: whatever is claimed is certified.
#[test]
fn claims_only_what_is_certified() {
    let mut found = 0;
    for seed in 0..60 {
        let program = generate::program(&mut Rng::new(seed), Shape::WIDE);
        found += u32::from(run(&program, 30).0 == "unsafe");
    }
    assert!(found > 5, "{found}");
}

fn parse(text: &str) -> Program {
    text::parse(text).expect("the text is right")
}

/// A million rounds, a recursion of a thousand calls, and values that only comparisons know.
#[test]
fn far_errors() {
    let count = "ivl 1;
        var i: bv32; var a: [bv32]bv32;
        proc main() {
          loc l0 entry; loc l1; loc l2; loc l3 error \"unreach-call\";
          l0 -> l1 { i := 0bv32 };
          l1 -> l1 { assume i <u 1000000bv32; a := a[i := i + 7bv32]; i := i + 1bv32 };
          l1 -> l2 { assume 1000000bv32 <=u i };
          l2 -> l3 { assume a[999999bv32] == 1000006bv32 };
        }
        main main;";
    let calls = "ivl 1;
        var r: bv32 in main; var n: bv32 in f; var s: bv32 in f; var t: bv32 in f;
        proc main() {
          loc l0 entry; loc l1; loc l2 error \"unreach-call\";
          l0 -> l1 call f(1000bv32) -> (r);
          l1 -> l2 { assume r == 500500bv32 };
        }
        proc f(n) returns (s) {
          loc l3 entry; loc l4 exit; loc l5; loc l6;
          l3 -> l4 { assume n == 0bv32 };
          l3 -> l5 { assume n != 0bv32 };
          l5 -> l6 call f(n - 1bv32) -> (t);
          l6 -> l4 { s := t + n };
        }
        main main;";
    let values = "ivl 1;
        var x: bv32 in main; var y: bv64 in main;
        input i0 \"x\": bv32; input i1 \"y\": bv64;
        proc main() {
          loc l0 entry; loc l1; loc l2; loc l3; loc l4 error \"unreach-call\";
          l0 -> l1 { havoc x from i0; assume 1000bv32 <s x };
          l1 -> l2 { assume x * x + x == 370370367bv32 };
          l2 -> l3 { havoc y from i1 };
          l3 -> l4 { assume y == 81985529216486895bv64 };
        }
        main main;";
    for program in [count, calls] {
        assert_eq!(run(&parse(program), 5_000).0, "unsafe");
    }
    // Products are beyond it, which it says.
    let (word, verdict) = run(&parse(values), 2_000);
    assert_eq!(word, "unknown");
    assert!(matches!(verdict, Verdict::Unknown(why) if why.contains("sides of branches")));
    let values = values.replace("x * x + x == 370370367bv32", "x == 123456789bv32");
    assert_eq!(run(&parse(&values), 50_000).0, "unsafe");
}

/// One seed, one search.
#[test]
fn the_same_twice() {
    for seed in 0..20 {
        let program = generate::program(&mut Rng::new(seed), Shape::WIDE);
        assert_eq!(run(&program, 20).1, run(&program, 20).1);
    }
}

/// Errors behind 2^28 rounds, in two phases, and of an array whose arbitrary content has to differ from cell to cell.
#[test]
fn errors_behind_many_rounds() {
    let phases = parse(
        "ivl 1; var x: bv32; proc main() { loc l0 entry; loc h; loc b; loc d; loc e error \"e\"; loc f;
         l0 -> h { x := 0bv32 };
         h -> b { assume x <u 268435455bv32 };
         h -> d { assume 268435455bv32 <=u x };
         b -> h { assume x <u 65521bv32; x := x + 1bv32 };
         b -> h { assume 65521bv32 <=u x; x := x + 2bv32 };
         d -> e { assume x[0:0] == 1bv1 };
         d -> f { assume !(x[0:0] == 1bv1) }; } main main;",
    );
    assert_eq!(run(&phases, 20).0, "unsafe");
    let content = parse(
        "ivl 1; var m: [bv32]bv32; var p: bv32; proc main() { loc l0 entry; loc l1; loc e error \"e\"; loc f;
         l0 -> l1 { p := 2147483648bv32 };
         l1 -> e { assume m[p + 4bv32] <s m[p] && m[p] <s m[p + 8bv32] };
         l1 -> f { assume !(m[p + 4bv32] <s m[p] && m[p] <s m[p + 8bv32]) }; } main main;",
    );
    assert_eq!(run(&content, 200).0, "unsafe");
}

/// Inputs are kept as bytes, whoever has written them; what is no input is left alone.
#[test]
fn a_folder_of_inputs() {
    // No input is compared with the square, so nobody guesses its root.
    let root: u32 = 0xdf9b_5713 ^ 0x42;
    let program = parse(&format!(
        "ivl 1;
        var a: bv8; var b: bv32; var c: bool; input i0 \"a\": bv8; input i1 \"b\": bv32; input i2 \"c\": bool;
        proc main() {{
          loc l0 entry; loc l1; loc l2; loc l3 error \"unreach-call\";
          l0 -> l1 {{ havoc a from i0; havoc b from i1; havoc c from i2 }};
          l1 -> l2 {{ assume c }};
          l2 -> l3 {{ assume (b ^ zext(a, 32)) * (b ^ zext(a, 32)) == {}bv32 }};
        }}
        main main;",
        root.wrapping_mul(root)
    ));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    std::fs::create_dir(path.join("queue")).expect("made");
    std::fs::write(path.join("empty"), "").expect("written");
    assert_eq!(run_with(&program, 40, Some(path)).0, "unknown");
    let kept = || {
        let files = std::fs::read_dir(path).expect("read");
        let paths = files.map(|f| f.expect("read").path());
        let files = paths.filter(|f| f.is_file());
        let sizes = files.map(|f| std::fs::read(f).expect("read").len());
        sizes.collect::<Vec<usize>>()
    };
    let first = kept();
    assert!(
        first.len() >= 3 && first.iter().all(|&n| n == 0 || n == 6),
        "{first:?}"
    );

    // A fuzzer's file, with more at its end than is read.
    let seed = b"\x42\x13\x57\x9b\xdf\xff\n";
    std::fs::write(path.join("id:000000,orig:seed"), seed).expect("written");
    let executions = first.len() as u64 + 1;
    assert_eq!(run_with(&program, executions, Some(path)).0, "unsafe");
    // The error is kept as well, without the end.
    assert_eq!(kept().len(), first.len() + 2);

    let options = Options {
        corpus: Some("/proc/no/such/folder".into()),
        ..Options::default()
    };
    let mut host = LocalHost::without_solver();
    let wrong = Run::run(options, &mut Task::new(program), &mut host).expect_err("no such folder");
    let wrong = wrong.to_string();
    assert!(
        wrong.contains("/proc/no/such/folder cannot be read"),
        "{wrong}"
    );
}
