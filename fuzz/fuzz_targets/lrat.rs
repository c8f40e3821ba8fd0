//! Any bytes as a proof: no crash, and nothing is accepted for a formula that has a model.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trellis_solver_lrat::{BinaryReader, Checker, Formula, text};

fuzz_target!(|bytes: &[u8]| {
    let mut formula = Formula::default();
    for clause in [&[1, 2][..], &[-1, 2], &[3, -2], &[3, 4], &[-4, 5, -1]] {
        formula.add_clause(clause.iter().copied());
    }
    let checker = || Checker::new(&formula, 1 << 20).expect("it is small");
    let mut binary = checker();
    let _ = BinaryReader::default().read(bytes, |step| binary.take(step));
    assert!(!binary.is_refuted());
    let words = String::from_utf8_lossy(bytes);
    let mut lines = checker();
    let _ = text::read_proof(&words, |step| lines.take(step));
    assert!(!lines.is_refuted());
    let _ = text::read_dimacs(&words);
});
