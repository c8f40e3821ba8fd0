//! Interpolation for backends that have none.
//!
//! [`Interpolating`] wraps a backend and adds the capability `INTERPOLATION`: sequence interpolants along a
//! trace by unsat cores with strongest postconditions and weakest preconditions (Dietsch, Heizmann, Musa,
//! Nutz, Podelski, "Craig vs. Newton in Software Model Checking", FSE 2017), where ours differ in that
//! they stay without quantifiers: what the transformers leave behind is eliminated by equalities and
//! unconstrained variables (`project`), and where that is not exact, by cubes of bits from models and cores
//! (`cubes`; Chockler, Ivrii, Matsliah, "Computing Interpolants without Proofs", HVC 2012).
//!
//! With the option `interpolants` they come from proofs of the SAT solver instead (`proof`).
//!
//! [`violation`] checks a sequence by the definition, on any session.
//!
//! Open first: `interpolator`. Deliberately absent: any bound on the size of an interpolant.
//! Where enumeration does not end, the answer is that it gave up.

mod cubes;
mod definition;
mod interpolator;
mod project;
mod proof;
mod session;
mod unconstrained;

pub use definition::violation;
pub use session::{Interpolating, OPTIONS};
