//! The embedded default solver: bit-vectors and arrays (QF_ABV) on any SAT solver.
//!
//! A term becomes gates ([`aig`], by the circuits in [`circuits`]), gates become clauses where a query
//! reaches them ([`cnf`]), and array terms are kept apart and decided by lemmas on demand. On the way words are
//! recognised as equal or different before gates compare them: by polynomials (`normal`, `equality`), along
//! chains of stores (`stores`) and by the equations that define variables (`blast`). Where products keep the
//! SAT solver busy, models are looked for from the lowest bit up (`lift`), and hard queries are asked once more with
//! their equations solved (`equations`). Open first: `session` for the whole
//! of a query, `blast` for terms to gates, `array_check` for arrays.
//!
//! [`Bitblast`] makes the sessions; [`netlist`] has the gates alone.
//!
//! Deliberately absent: rewriting of terms (the term builder does it once for all engines; obligations of the checker
//! come as they are, and what is done here gives terms the words of others), and any preprocessing that a later assertion or assumption could
//! invalidate.

pub mod aig;
mod array_check;
mod arrays;
mod backend;
mod backoff;
mod blast;
pub mod circuits;
pub mod cnf;
mod equality;
mod equations;
mod gate_model;
mod lift;
pub mod netlist;
mod normal;
mod options;
mod session;
mod stores;

pub use backend::Bitblast;
pub use options::OPTIONS;
pub use session::BitblastSession;
