//! A checker of refutations, independent of the solver that found them.
//!
//! A SAT solver that answers *unsatisfiable* can write down why: every clause it learned, with the clauses that it
//! follows from (LRAT; Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp, "Efficient Certified RAT Verification",
//! CADE'17). The checker goes through these steps and accepts when the empty clause has been derived. It knows the
//! formula from whoever asked, not from the solver.
//!
//! Open first: [`check`], which is all that has to be right for a refutation to be one. [`formula`] holds the clauses,
//! [`step`] reads the binary form of a proof as it comes, and [`text`] has the standard forms in files (DIMACS and
//! LRAT) for other checkers.
//!
//! Deliberately absent: any dependency, any search (a step without the right hints is rejected), and RAT steps (no step
//! may lose a model, so what is derived really follows).

pub mod check;
pub mod formula;
pub mod step;
pub mod text;

pub use check::{Checker, Rejection};
pub use formula::Formula;
pub use step::{BinaryReader, Step};
