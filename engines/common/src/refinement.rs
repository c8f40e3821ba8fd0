//! What engines that refine an abstraction share: the formula of one path, predicates and where they come from, and
//! sequences of interpolants that speak in such predicates.
//!
//! Open first: [`path`]; then [`interpolants`], which says why a path cannot be taken, and [`vocabulary`], the words it
//! says it in. [`atoms`] takes formulas apart, [`mod@core`] makes cores small.

pub mod atoms;
pub mod core;
pub mod interpolants;
pub mod path;
pub mod vocabulary;

pub use interpolants::{Interpolant, Interpolation, Source};
pub use path::{Checked, Path, Ssa};
pub use vocabulary::{Sources, Vocabulary};
