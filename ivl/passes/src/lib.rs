//! Transformations that shrink IVL programs before engines see them.
//!
//! Each pass is a file with its own name; [`pass::Pass`] is what one implements, [`manager`] runs
//! lists of them, [`back`] is the way back for traces and invariants. Open first: [`pass`], then
//! [`inline`] as the smallest example.
//!
//! Deliberately absent: solvers and anything trusted. A pass may be wrong and cost an answer; the
//! certificate is checked on the program before the first pass.

pub mod back;
pub mod bisim;
pub mod dce;
mod dominance;
pub mod inline;
pub mod lbe;
mod liveness;
pub mod manager;
pub mod monolithic;
mod options;
pub mod pass;
mod patricia;
pub mod points_to;
pub mod propagate;
mod prune;
pub mod rebuild;
pub mod registry;
pub mod slice;
pub mod transition;
mod weaken;

pub use back::{BackError, BackMap, ControlMap, Invariants, Walk};
pub use manager::{BackChain, Item, PassList, PassRun, Proof, Report, Size, run_passes};
pub use options::options_of;
pub use pass::{Outcome, Pass, PassError, Property};
pub use registry::{DEFAULT, Elsewhere, PASSES, parse_list, parse_list_with};
pub use transition::TransitionSystem;
