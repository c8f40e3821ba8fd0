//! Tests of the passes: golden snapshots, semantic comparison, properties of single passes.

mod bisim;
mod dce;
mod fuzzed;
mod heads;
mod inductive;
mod inline;
mod lbe;
mod monolithic;
mod points_to;
mod propagate;
mod slice;
mod transition;
