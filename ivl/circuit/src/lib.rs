//! Witness circuits: the certificate of a safe hardware model, in the model's own format.
//!
//! A witness circuit simulates the model and its property is inductive by itself (Yu, Biere, Heljanko,
//! "Progress in certifying hardware model checking results", CAV'21; the format is that of Certifaiger).
//! From an inductive invariant it is the model with `bad := bad or not invariant`.
//!
//! [`make`] writes one for an AIGER model and [`check`] accepts or refutes any, by SAT on the two circuits
//! alone; [`word`] does both for BTOR2.
//!
//! Open `check.rs` first: what a certificate has to satisfy.
//!
//! Architecture invariant: no engine and no pass is known here, so what a certificate claims is judged
//! by the model and the certificate alone. Deliberately absent: gates as images of latches, oracles and quantified
//! checks, which invariants do not need; such a certificate is refused by name.

mod aig;
pub mod check;
pub mod make;
pub mod word;

use trellis_solver_api::{SolverError, UnknownReason};

/// Why there is no certificate, or why one is not accepted.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// The proof has no circuit. (A limit.)
    #[error("the proof has no witness circuit: {0}")]
    Unwritable(String),
    /// The certificate is not one of the model. (The user's input.)
    #[error("the certificate does not fit the model: {0}")]
    Misfit(String),
    /// It uses what the checker does not know. (A limit.)
    #[error("the certificate is not understood: {0}")]
    Unsupported(String),
    /// A condition has a counterexample. (The user's input.)
    #[error("the {0} condition does not hold")]
    Refuted(&'static str),
    /// The solver gave up. (A limit.)
    #[error("the {0} condition is undecided: {1}")]
    Undecided(&'static str, UnknownReason),
    /// The solver failed.
    #[error(transparent)]
    Solver(#[from] SolverError),
}

#[cfg(test)]
mod tests;
