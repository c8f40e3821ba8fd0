//! Every mode against exhaustive exploration and the corpus, and progress of refinement.

#[path = "../../common/tests/support/refinement.rs"]
mod refinement;
#[path = "../../common/tests/support/mod.rs"]
mod support;

use refinement::Subject;
use trellis_engine_ic3ia::{Mode, Options, Source, run_with};

/// Every mode and every option once at least.
fn subject() -> Subject<Options> {
    let base = Options::default;
    let configurations = vec![
        ("implicit", base()),
        (
            "solver",
            Options {
                interpolants: Source::Solver,
                ..base()
            },
        ),
        (
            "ctigar-eager",
            Options {
                mode: Mode::CtigarEager,
                ..base()
            },
        ),
        (
            "ctigar-lazy",
            Options {
                mode: Mode::CtigarLazy,
                drop_limit: 0,
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
        run: run_with,
        configurations,
        limited: |options, refinements, iterations| Options {
            refinements,
            iterations,
            ..options.clone()
        },
    }
}

#[test]
fn every_configuration_agrees_with_exploration() {
    subject().agrees_with_exploration();
}

/// What is decided stays decided.
#[test]
fn corpus_is_decided() {
    insta::assert_snapshot!(subject().undecided());
}

#[test]
fn no_progress_is_unknown() {
    subject().notices_no_progress();
}

/// The figures of a small run, so that a change of the algorithm is seen.
#[test]
fn a_small_run() {
    insta::assert_snapshot!(subject().small_run());
}

#[test]
fn plain_sessions_do() {
    let decided = subject().decided_without_interpolation();
    assert!(decided >= 10, "{decided}");
}
