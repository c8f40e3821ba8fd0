//! What engines share.
//!
//! Open first: [`unroll`], the incremental unrolling of a flat program in one solver session; [`induction`] says
//! what k means on it. [`cfa`] prepares a program, [`mod@base`] asks for errors, [`complete`] makes certificates of
//! complete unrollings, [`trim`] makes others small, [`execution`] makes traces, [`mod@ask`] is for single queries, [`outcome`] makes an
//! engine of an algorithm. Verdicts, errors, lemmas and the host are the plugin SDK's. [`space`] is what linear equations say, [`affine`] finds them, [`changes`] says how variables change, [`terms`] makes terms of terms. [`refinement`] is for engines that refine abstractions.
//!
//! Deliberately absent: any algorithm that decides a program, any backend, any loading of plugins.

pub mod affine;
pub mod ask;
pub mod base;
pub mod cfa;
pub mod changes;
pub mod complete;
pub mod execution;
pub mod induction;
pub mod outcome;
pub mod refinement;
pub mod sessions;
pub mod space;
pub mod terms;
pub mod trim;
pub mod unroll;
pub mod unwind;

pub use ask::{ask, go_on, try_ask};
pub use base::Base;
pub use cfa::Cfa;
pub use execution::Execution;
pub use induction::{Induction, Targets};
pub use outcome::{Figures, Invariants, Outcome, decide, in_words};
pub use sessions::Sessions;
pub use unroll::{State, UnrollStats, Unrolling};
pub use unwind::{Unwound, unwind};
