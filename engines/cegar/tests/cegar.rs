//! Every mode against exhaustive exploration and the corpus, and progress of refinement.

use trellis_engine_cegar::{Abstraction, Mode, Options, Order, Source, run};
use trellis_engine_testing::refinement::Subject;
use trellis_engine_testing::{CHOICES, certified};
use trellis_ivl::text;

/// Every mode and every option once at least.
fn subject() -> Subject<Options> {
    let base = Options::default;
    let configurations = vec![
        ("boolean", base()),
        (
            "cartesian",
            Options {
                abstraction: Abstraction::Cartesian,
                order: Order::Depth,
                ..base()
            },
        ),
        (
            "joined",
            Options {
                max_cubes: 1,
                order: Order::Breadth,
                ..base()
            },
        ),
        (
            "impact",
            Options {
                mode: Mode::Impact,
                ..base()
            },
        ),
        (
            "impact-depth",
            Options {
                mode: Mode::Impact,
                order: Order::Depth,
                interpolants: Source::Solver,
                ..base()
            },
        ),
        (
            "solver",
            Options {
                interpolants: Source::Solver,
                ..base()
            },
        ),
        (
            "wp",
            Options {
                guards: false,
                templates: false,
                ..base()
            },
        ),
    ];
    Subject {
        run,
        configurations,
        limited: |options, refinements, _| Options {
            refinements,
            ..options.clone()
        },
    }
}

trellis_engine_testing::refinement_tests!(subject());

/// Where the state decides a choice by variables that no error depends on, the counterexample has it right.
#[test]
fn choices_follow_the_whole_state() {
    let program = text::parse(CHOICES).expect("a program");
    let subject = subject();
    for (name, options) in &subject.configurations {
        let outcome = subject.decide(&program, options);
        let verdict = certified(&program, &outcome.pool, &outcome.verdict);
        assert_eq!(verdict, Ok("unsafe"), "{name}");
    }
}
