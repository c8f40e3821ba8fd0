//! Any bytes as a formula and a proof: no crash, and what is accepted has no model.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trellis_solver_lrat::{BinaryReader, Checker, Formula, text};

/// All assignments of so many variables are tried.
const VARIABLES: i32 = 4;

/// A formula of few clauses of up to three literals from the first bytes, and the rest.
fn formula(bytes: &[u8]) -> (Formula, &[u8]) {
    let mut formula = Formula::default();
    let Some((&count, mut rest)) = bytes.split_first() else {
        return (formula, bytes);
    };
    for _ in 0..count % 16 {
        let Some((&[a, b], more)) = rest.split_first_chunk() else {
            break;
        };
        let literal = |n: u8| match i32::from(n % 5) {
            0 => None,
            var => Some(if n & 8 == 0 { var } else { -var }),
        };
        let literals = [a & 15, a >> 4, b & 15].map(literal);
        formula.add_clause(literals.into_iter().flatten());
        rest = more;
    }
    (formula, rest)
}

fn has_model(formula: &Formula) -> bool {
    (0..1 << VARIABLES).any(|model: i32| {
        let holds = |&lit: &i32| (model >> (lit.abs() - 1) & 1 == 1) == (lit > 0);
        formula.clauses().all(|clause| clause.iter().any(holds))
    })
}

fuzz_target!(|bytes: &[u8]| {
    let (formula, proof) = formula(bytes);
    let accepted = |checker: &Checker| {
        assert_eq!(checker.is_refuted(), checker.conclude().is_ok());
        assert!(!checker.is_refuted() || !has_model(&formula));
    };
    let checker = || Checker::new(&formula, 1 << 20).expect("it is small");
    let mut binary = checker();
    let _ = BinaryReader::default().read(proof, |step| binary.take(step));
    accepted(&binary);
    // In pieces it is the same proof.
    let (mut pieces, mut reader) = (checker(), BinaryReader::default());
    let mut chunks = proof.chunks(3);
    let _ = chunks.try_for_each(|piece| reader.read(piece, |step| pieces.take(step)));
    assert_eq!(pieces.is_refuted(), binary.is_refuted());
    let words = String::from_utf8_lossy(proof);
    let mut lines = checker();
    let _ = text::read_proof(&words, |step| lines.take(step));
    accepted(&lines);
    let _ = text::read_dimacs(&words);
});
