//! What engines that refine an abstraction share: the formula of one path, predicates and where they come from, and
//! sequences of interpolants that speak in such predicates.
//!
//! Open first: [`judge`], the frame of such a run; then [`path`], [`interpolants`], which says why a path cannot be
//! taken, and [`vocabulary`], the words it says it in. [`atoms`] takes formulas apart, [`mod@core`] makes cores small.

pub mod atoms;
pub mod core;
pub mod interpolants;
pub mod judge;
pub mod path;
pub mod vocabulary;

pub use interpolants::{Interpolant, Interpolation, Source};
pub use judge::{Faults, Judge, Judged, no_progress, run};
pub use path::{Checked, Path, Ssa};
pub use vocabulary::{Sources, Vocabulary};
