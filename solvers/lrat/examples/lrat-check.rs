//! `lrat-check FORMULA.cnf PROOF.lrat`: the checker on files, as other checkers are called.

use std::process::ExitCode;
use trellis_solver_lrat::{Checker, Rejection, text};

fn check(formula: &str, proof: &str) -> Result<(), Rejection> {
    let formula = text::read_dimacs(formula)?;
    let mut checker = Checker::new(&formula, usize::MAX)?;
    text::read_proof(proof, |step| checker.take(step))?;
    checker.conclude()
}

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let [formula, proof] = files.as_slice() else {
        eprintln!("usage: lrat-check FORMULA.cnf PROOF.lrat");
        return ExitCode::from(2);
    };
    let (formula, proof) = match (
        std::fs::read_to_string(formula),
        std::fs::read_to_string(proof),
    ) {
        (Ok(formula), Ok(proof)) => (formula, proof),
        (Err(e), _) | (_, Err(e)) => {
            eprintln!("lrat-check: {e}");
            return ExitCode::from(2);
        }
    };
    match check(&formula, &proof) {
        Ok(()) => {
            println!("s VERIFIED UNSAT");
            ExitCode::SUCCESS
        }
        Err(e) => {
            println!("s NOT VERIFIED ({e})");
            ExitCode::FAILURE
        }
    }
}
