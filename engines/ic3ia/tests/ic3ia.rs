//! Every mode against exhaustive exploration and the corpus, and progress of refinement.

use trellis_engine_ic3ia::{Mode, Options, Source, run};
use trellis_engine_testing::refinement::Subject;

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
        run,
        configurations,
        limited: |options, refinements, iterations| Options {
            refinements,
            iterations,
            ..options.clone()
        },
    }
}

trellis_engine_testing::refinement_tests!(subject());
