//! Every option against exhaustive exploration, the corpus, and wrong conditions that the checker must catch.

use crate::support::rows::{options, pairs};
use crate::support::{certified, decide, random};
#[allow(dead_code, reason = "other tests use the rest")]
use std::path::Path;
use trellis_e2e::corpus;
use trellis_engine_ic3cfa::{Faults, Generalise, Options, Push, Termination};
use trellis_engine_testing::parse;
use trellis_ivl_testing::Shape;
use trellis_plugin_sdk::ivl::text;

/// The options of the original algorithm, Alg. 6 to 8.
fn base() -> Options {
    Options {
        generalise: Generalise::Core,
        implied: 0,
        slices: false,
        relax: false,
        equations: false,
        refresh: None,
        reuse: false,
        skip: false,
        propagate: false,
        cache: false,
        stride: None,
        ..Options::default()
    }
}

/// On random programs every row of the covering set agrees with exploration, is certified, and no error
/// within the bound on iterations is missed.
#[test]
fn every_pair_of_options_agrees_with_exploration() {
    let rows = pairs();
    let (mut safe, mut proved, mut errors, mut found) = (0, 0, 0, 0);
    let mut seed = 0;
    let mut programs = 0;
    while programs < 400 {
        seed += 1;
        let Some((program, truth)) = random(seed, Shape::TINY) else {
            continue;
        };
        programs += 1;
        for turn in 0..2 {
            let options = options(&rows[(2 * programs + turn) % rows.len()]);
            let outcome = decide(&program, &options, Faults::default());
            let verdict = certified(&program, &outcome)
                .unwrap_or_else(|e| panic!("seed {seed}: {e}\n{options:?}\n{program}"));
            match verdict {
                "safe" => assert!(truth.is_safe(), "seed {seed} {options:?}\n{program}"),
                "unsafe" => assert!(truth.error, "seed {seed} {options:?}\n{program}"),
                _ => {}
            }
            errors += usize::from(truth.error);
            found += usize::from(verdict == "unsafe");
            safe += usize::from(truth.is_safe());
            proved += usize::from(verdict == "safe");
        }
    }
    println!(
        "{} rows; {proved} of {safe} proved, {found} of {errors} found",
        rows.len()
    );
    assert_eq!(found, errors, "IC3 finds every error of a tiny program");
    assert!(proved * 10 > safe * 9, "{proved} of {safe} proved");
}

/// Its invariant relates a row, a column and a product; the relations that implied literals know do not reach it.
const BEYOND: &str = "matrix-fixed";

/// The default decides the corpus, and nothing contradicts it.
#[test]
fn corpus_is_decided() {
    let mut unknown = Vec::new();
    for (path, expected) in corpus::ivl() {
        let program = parse(&path);
        let beyond = path.ends_with(format!("{BEYOND}.ivl"));
        let options = Options {
            iterations: Some(if beyond { 3 } else { 40 }),
            ..Options::default()
        };
        let outcome = decide(&program, &options, Faults::default());
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        println!("{name}: {} {:?}", outcome.log.join(", "), outcome.verdict);
        let verdict = certified(&program, &outcome).unwrap_or_else(|e| panic!("{name}: {e}"));
        match (verdict, expected.as_str()) {
            ("safe", "true") | ("unsafe", "false") => {}
            ("unknown", _) => unknown.push(name.to_string()),
            _ => panic!("{name} is {expected}, not {verdict}"),
        }
    }
    assert_eq!(unknown, [BEYOND, "incomplete"]);
}

/// The frames of the thesis's sample run, Fig. 2.4 to 2.7.
#[test]
fn sample_run_of_the_thesis() {
    let program = parse(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/sample.ivl"));
    let options = Options {
        trace_frames: true,
        ..base()
    };
    let outcome = decide(&program, &options, Faults::default());
    assert_eq!(certified(&program, &outcome), Ok("safe"));
    insta::assert_snapshot!(outcome.log.join("\n"));
}

/// Runs with a wrong condition on random programs: no wrong proof passes the checker. How many it rejected.
fn rejected(options: &Options, faults: Faults) -> usize {
    let mut rejected = 0;
    for seed in 1..600 {
        let Some((program, truth)) = random(seed, Shape::TINY) else {
            continue;
        };
        let outcome = decide(&program, options, faults);
        match certified(&program, &outcome) {
            Ok("safe") => assert!(truth.is_safe(), "seed {seed} passed\n{program}"),
            Ok(_) => {}
            Err(_) => rejected += 1,
        }
    }
    rejected
}

#[test]
fn wrong_conditions_are_caught() {
    let weak = Options {
        reuse: true,
        iterations: Some(30),
        ..base()
    };
    let skip = Options {
        skip: true,
        ..weak.clone()
    };
    let push = Options {
        push: Push::All,
        ..weak.clone()
    };
    let greedy = Options {
        termination: Termination::Greedy,
        ..weak
    };
    let none = Faults::default();
    for (options, faults) in [
        (skip, Faults { skip: true, ..none }),
        (push, Faults { push: true, ..none }),
        (
            greedy,
            Faults {
                termination: true,
                ..none
            },
        ),
    ] {
        assert_eq!(rejected(&options, none), 0, "{options:?}");
        let caught = rejected(&options, faults);
        println!("{faults:?}: {caught} rejected");
        assert!(caught > 0, "{faults:?} has no effect");
    }
}

/// The equations of counters that go together are there before the first iteration.
#[test]
fn equations_are_found() {
    let source = r#"ivl 1;
        proc main() {
          var a: bv8; var b: bv8; var i: bv8; var n: bv8;
          loc start entry; loc head; loc bad error "sum";
          start -> head { a := 0bv8; b := 0bv8; i := 0bv8; havoc n };
          head -> head { assume i <u n; a := a + 3bv8; b := b + 2bv8; i := i + 1bv8 };
          head -> bad { assume !(i <u n) && a != b + i };
        }"#;
    let program = text::parse(source).unwrap_or_else(|e| panic!("{e}"));
    let options = Options {
        iterations: Some(1),
        ..Options::default()
    };
    let outcome = decide(&program, &options, Faults::default());
    assert_eq!(certified(&program, &outcome), Ok("safe"));
    let found = |line: &String| line == "equations: 2";
    assert!(outcome.log.iter().any(found), "{:?}", outcome.log);
}
