//! All backends on the same random scripts, a bounded run with fixed seeds of `examples/fuzz.rs`.
//!
//! A binary of its own: Yices allows one thread of a process at a time.

mod backends;

use std::time::Duration;
use trellis_solver_api::Limits;
use trellis_solver_api::smt::SmtBackend;
use trellis_solver_api::testing::{Agreement, SmtScript, compare_backends};

fn compare(backends: &[Box<dyn SmtBackend>], seeds: std::ops::Range<u64>) -> Agreement {
    let mut seen = Agreement::default();
    for seed in seeds {
        for (kind, script) in SmtScript::KINDS {
            let limits = Limits::wall(Duration::from_millis(500));
            let label = format!("{kind} script {seed}");
            compare_backends(backends, &script(seed), &label, limits, &mut seen);
        }
    }
    seen
}

/// One test: Yices allows one thread.
#[test]
fn all_backends_agree() {
    let mut all = backends::in_process();
    let seen = compare(&all, 10_000..10_040);
    let [sat, unsat] = seen.answered;
    assert!(sat > 100 && unsat > 100, "too few of one kind: {seen:?}");
    all.extend(backends::pipes());
    compare(&all, 20_000..20_004);
}
