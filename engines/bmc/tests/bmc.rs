//! Bounded model checking against exhaustive exploration, and its growth.

use std::cell::Cell;
use std::fmt::Write;
use std::time::{Duration, Instant};
use trellis_engine_bmc::{Options, run};
use trellis_engine_common::Outcome;
use trellis_engine_testing::{CHOICES, certified, compare, session};
use trellis_ivl::{Program, text};
use trellis_ivl_testing::Shape;
use trellis_plugin_sdk::{EngineError, Host, NoHost, Verdict};

fn parse(source: &str) -> Program {
    text::parse(source).unwrap_or_else(|e| panic!("{e}"))
}

fn judged(program: &Program, outcome: &Outcome) -> Result<&'static str, String> {
    certified(program, &outcome.pool, &outcome.verdict)
}

#[test]
fn agrees_with_exploration() {
    let options = Options {
        bound: Some(40),
        ..Options::default()
    };
    let tally = compare(1_500, Shape::TINY, |p| {
        run(p, &mut *session(), &options, &mut NoHost).unwrap_or_else(|e| panic!("{e}\n{p}"))
    });
    // No error of a tiny program is deeper than its bound; proofs need complete unwinding.
    assert_eq!(tally.unsafe_, tally.unsafe_found);
    assert!(tally.safe_found * 5 > tally.safe, "{tally:?}");
}

/// Unwinding loop by loop finds what the search by segments finds, and proves as much.
#[test]
fn unwinding_agrees_with_exploration() {
    let options = Options {
        bound: Some(40),
        unwind: 8,
        ..Options::default()
    };
    let tally = compare(1_000, Shape::TINY, |p| {
        run(p, &mut *session(), &options, &mut NoHost).unwrap_or_else(|e| panic!("{e}\n{p}"))
    });
    assert_eq!(tally.unsafe_, tally.unsafe_found);
    assert!(tally.safe_found * 5 > tally.safe, "{tally:?}");
}

/// Loops one after the other and inside of one another, left by input: what is behind them is there once for each round of the
/// loops around it.
#[test]
fn what_is_behind_a_loop_is_unwound_once() {
    let program = parse(
        r#"ivl 1; proc main() {
             var n: bv8; var i: bv8; var j: bv8; var s: bv8;
             loc start entry; loc a; loc b; loc c; loc d; loc bad error "sum";
             start -> a { havoc n; assume n <u 9bv8; i := 0bv8; s := 0bv8 };
             a -> a { assume i <u n; i := i + 1bv8; s := s + 1bv8 };
             a -> b { assume i >=u n; i := 0bv8 };
             b -> c { assume i <u n; i := i + 1bv8; j := 0bv8 };
             c -> c { assume j <u i; j := j + 1bv8 };
             c -> b { assume j >=u i; s := s + j - i };
             b -> d { assume i >=u n };
             d -> bad { assume s != n };
           }"#,
    );
    let instances = |unwind: u32| {
        let options = Options {
            unwind,
            ..Options::default()
        };
        let outcome =
            run(&program, &mut *session(), &options, &mut NoHost).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(judged(&program, &outcome), Ok("safe"));
        outcome.stats["edge instances"]
    };
    // Eight rounds, eight rounds, and in each of those as many rounds as it is the number of.
    assert!(instances(20) < 200, "{}", instances(20));
}

/// Where the state decides a choice by variables that no error depends on, the counterexample has it right.
#[test]
fn choices_follow_the_whole_state() {
    let program = parse(CHOICES);
    let outcome = run(&program, &mut *session(), &Options::default(), &mut NoHost)
        .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(judged(&program, &outcome), Ok("unsafe"));
}

/// A loop that a data-dependent error leaves after `n` iterations at the earliest.
fn counter(n: u32) -> Program {
    let mut source = String::from("ivl 1; proc main() { var i: bv32; var x: bv32; var y: bv32;");
    write!(
        source,
        "loc start entry; loc head; loc bad error \"late\";
         start -> head {{ i := 0bv32; havoc y; x := y }};
         head -> head {{ havoc y; x := x ^ y; i := i + 1bv32 }};
         head -> bad {{ assume i == {n}bv32 && x == 77bv32 }}; }}"
    )
    .expect("writing to a string");
    parse(&source)
}

/// Nothing is encoded twice, a step costs what the step before it cost, and the time to depth n grows no
/// worse than quadratically.
#[test]
fn a_thousand_iterations_are_encoded_once() {
    let search = |n: u32| {
        let start = std::time::Instant::now();
        let mut session = session();
        let outcome = run(&counter(n), &mut *session, &Options::default(), &mut NoHost)
            .unwrap_or_else(|e| panic!("{e}"));
        let Verdict::Unsafe(trace) = &outcome.verdict else {
            panic!("{:?}", outcome.verdict);
        };
        assert_eq!(
            trace.steps.len(),
            n as usize + 2,
            "a shortest counterexample"
        );
        assert_eq!(judged(&counter(n), &outcome), Ok("unsafe"));
        let counters = session.stats().counters;
        println!(
            "{n}: {:?} {:?} {counters:?}",
            start.elapsed(),
            outcome.stats
        );
        (outcome, counters)
    };
    let (half, half_counters) = search(500);
    let (full, full_counters) = search(1_000);
    assert_eq!(full.stats["edge instances re-encoded"], 0);
    let instances = |outcome: &Outcome| outcome.stats["edge instances"];
    assert_eq!(instances(&full), 2 * 1_000 + 3);
    assert_eq!(instances(&full) - instances(&half), 2 * 500);
    // The solver's formula and the terms grow linearly: the second half costs no more than the first.
    for counter in ["gates", "sat variables", "sat clauses"] {
        let (half, full) = (half_counters[counter], full_counters[counter]);
        assert!(full <= 2 * half + half / 20, "{counter}: {half}, {full}");
    }
    assert!(full.pool.len() <= 2 * half.pool.len() + half.pool.len() / 20);
}

/// An unwinding that is complete is a proof; one that a bound cut off is none.
#[test]
fn complete_unwindings_are_certified() {
    let bounded =
        "ivl 1; proc main() { var i: bv8; var n: bv8; loc start entry; loc head; loc done exit;
        loc bad error \"late\";
        start -> head { i := 0bv8; havoc n; assume n <u 9bv8 };
        head -> head { assume i <u n; i := i + 1bv8 };
        head -> done { assume i >=u n };
        head -> bad { assume i >=u 9bv8 }; }";
    let program = parse(bounded);
    let outcome = run(&program, &mut *session(), &Options::default(), &mut NoHost).expect("runs");
    assert_eq!(judged(&program, &outcome), Ok("safe"));
    let options = Options {
        bound: Some(5),
        ..Options::default()
    };
    let outcome = run(&program, &mut *session(), &options, &mut NoHost).expect("runs");
    assert!(matches!(outcome.verdict, Verdict::Unknown(_)));
}

/// A loop whose body has `n` joins of many variables.
fn wide(n: usize) -> Program {
    const VARS: usize = 30;
    let mut source = String::from("ivl 1; proc main() { var i: bv32;");
    for v in 0..VARS {
        write!(source, "var x{v}: bv32;").expect("a string");
    }
    source.push_str("loc start entry; loc bad error \"never\";");
    for l in 0..=n {
        write!(source, "loc l{l};").expect("a string");
    }
    source.push_str("start -> l0 { i := 0bv32 };");
    for l in 0..n {
        let (a, b, to) = (l % VARS, (l * 7 + 1) % VARS, l + 1);
        write!(
            source,
            "l{l} -> l{to} {{ assume x{a} <u x{b}; x{a} := x{a} + x{b} }};
             l{l} -> l{to} {{ assume x{a} >=u x{b}; x{b} := x{b} ^ 5bv32 }};"
        )
        .expect("a string");
    }
    // No query is asked: what takes long here is the engine's own work.
    write!(source, "l{n} -> l0 {{ i := i + 1bv32 }};").expect("a string");
    write!(
        source,
        "l{n} -> bad {{ assume i == 1000bv32; assume x0 == x1 }}; }}"
    )
    .expect("a string");
    parse(&source)
}

/// Asks itself how long nobody looked whether to stop.
struct Watch {
    started: Instant,
    looked: Cell<Instant>,
    longest: Cell<Duration>,
    looks: Cell<usize>,
    /// After so many looks it is time to stop.
    patience: usize,
}

impl Watch {
    fn new(patience: usize) -> Watch {
        let now = Instant::now();
        Watch {
            started: now,
            looked: Cell::new(now),
            longest: Cell::new(Duration::ZERO),
            looks: Cell::new(0),
            patience,
        }
    }
}

impl Host for Watch {
    fn cancelled(&self) -> bool {
        let unwatched = self.looked.replace(Instant::now()).elapsed();
        self.longest.set(self.longest.get().max(unwatched));
        self.looks.set(self.looks.get() + 1);
        self.looks.get() > self.patience
    }
}

/// Wherever a long run is, somebody soon looks whether to stop, and nothing goes on when it is time.
#[test]
fn somebody_always_looks_whether_to_stop() {
    let program = wide(4_000);
    let options = Options {
        bound: Some(3),
        ..Options::default()
    };
    let mut watch = Watch::new(usize::MAX);
    let outcome = run(&program, &mut *session(), &options, &mut watch);
    assert!(matches!(
        outcome.unwrap_or_else(|e| panic!("{e}")).verdict,
        Verdict::Unknown(_)
    ));
    let whole = watch.started.elapsed();
    // Three segments and the preparation, at every location.
    let looks = watch.looks.get();
    assert!(looks >= 5 * 4_000, "{looks} looks");
    assert!(
        watch.longest.get() * 8 < whole,
        "nobody looked for {:?} of {whole:?}",
        watch.longest
    );
    for patience in [0, 3_000, 7_000, 13_000, 17_000] {
        let mut watch = Watch::new(patience);
        match run(&program, &mut *session(), &options, &mut watch) {
            Err(EngineError::Cancelled) => {}
            Err(e) => panic!("{e}"),
            Ok(outcome) => match outcome.verdict {
                Verdict::Unknown(why) => assert_eq!(why, "cancelled"),
                other => panic!("{other:?}"),
            },
        }
        assert_eq!(watch.looks.get(), patience + 1);
        assert!(watch.looked.get().elapsed() * 8 < whole.max(Duration::from_secs(1)));
    }
}
