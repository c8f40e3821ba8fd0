//! Random programs through the IVL interpreter and through gcc, at -O0 and -O2: the checksums agree.
//!
//! - [`csmith`] asks csmith for programs; `TRELLIS_CSMITH=N` tries the seeds 1 to N, `A..B` a range;
//! - [`generator`] makes programs of what csmith leaves out; `TRELLIS_GENERATED` as above;
//!   `TRELLIS_UNITS=floats,unions` takes only units of these names.
//!
//! `TRELLIS_EXCESS=1` evaluates floats in long double for ILP32, here and in gcc.
//!
//! Even seeds are for ILP32, odd ones for LP64. A program is skipped, and counted as such, when gcc's run
//! does not end in two seconds, when the interpreter needs more than [`compare::STEPS`] steps, or when
//! gcc's two levels disagree with each other. `TRELLIS_KEEP=DIR` keeps what differs in a folder.

#[path = "../common/mod.rs"]
mod common;
mod compare;
mod csmith;
mod generator;
mod native;

use compare::{Case, Tally};
use trellis_frontend_c::types::DataModel;

/// The seeds to try: as the environment says, or the first few.
fn seeds(variable: &str, usual: u64) -> std::ops::RangeInclusive<u64> {
    let Ok(text) = std::env::var(variable) else {
        return 1..=usual;
    };
    let number = |s: &str| s.parse::<u64>().ok();
    let range = match text.split_once("..") {
        Some((from, to)) => number(from).zip(number(to)),
        None => number(&text).map(|n| (1, n)),
    };
    let (from, to) = range.unwrap_or_else(|| panic!("{variable}={text}: not N or A..B"));
    from..=to
}

fn model_of(seed: u64) -> DataModel {
    if seed.is_multiple_of(2) {
        DataModel::Ilp32
    } else {
        DataModel::Lp64
    }
}

/// Compares all programs, says how it went, and fails when one differs.
fn run(
    variable: &str,
    usual: u64,
    program: impl Fn(u64, DataModel) -> Option<Case>,
    blame: impl Fn(u64, DataModel) -> Vec<(String, Case)>,
) {
    let models = native::models();
    if models.is_empty() {
        eprintln!("SKIPPED: there is no gcc that makes programs here");
        return;
    }
    let dir = tempfile::tempdir().expect("a temporary folder");
    let mut tally = Tally::default();
    for seed in seeds(variable, usual) {
        let model = model_of(seed);
        if !models.contains(&model) {
            tally.skip(model, "gcc does not build for this data model here");
            continue;
        }
        match program(seed, model) {
            Some(case) => tally.take(seed, &case, dir.path(), || blame(seed, model)),
            None => tally.skip(model, "not generated"),
        }
    }
    eprintln!("{variable}: {tally}");
    tally.finish();
}

#[test]
fn programs_of_csmith_agree_with_gcc() {
    if !csmith::is_here() {
        eprintln!("SKIPPED: csmith and its headers are not installed");
        return;
    }
    run("TRELLIS_CSMITH", 16, csmith::program, |_, _| Vec::new());
}

#[test]
fn generated_programs_agree_with_gcc() {
    run(
        "TRELLIS_GENERATED",
        20,
        generator::program,
        generator::parts,
    );
}
