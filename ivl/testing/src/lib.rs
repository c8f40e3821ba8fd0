//! Tests for passes in a few lines, inside this repository and outside.
//!
//! - golden: [`optimised`] runs passes on IVL text, for `insta` snapshots;
//! - semantic: [`check_random`] compares thousands of random programs before and after, exactly,
//!   including translated traces and invariants, and says how often the passes fired;
//!   [`check_list`] does one program;
//! - round trip: [`round_trip`];
//! - front ends: [`extend`] takes a program along an edge with chosen inputs, to compare it with the source's own
//!   simulator; [`damaged()`] makes files that a reader must refuse or read.
//!
//! Each takes a list of our passes by name, or any `&dyn Pass` ([`Passes`]).
//!
//! Open first: [`semantic`]. Deliberately absent: solvers; what is small enough to be enumerated
//! needs none.

pub mod along;
pub mod damaged;
pub mod doubled;
pub mod explore;
pub mod generate;
pub mod golden;
pub mod passes;
pub mod semantic;
pub mod structured;
pub mod weakest;

pub use along::{Script, along, extend};
pub use damaged::damaged;
pub use doubled::doubled;
pub use explore::{Reachable, diverges, explore};
pub use generate::Shape;
pub use golden::{optimised, parse, round_trip};
pub use passes::Passes;
pub use semantic::{Fired, check_list, check_random};
pub use structured::structured;
pub use trellis_ivl::rng::Rng;
pub use weakest::weakest;
