//! What engines share.
//!
//! Open first: [`unroll`], the incremental unrolling of a flat program in one solver session; [`induction`] says
//! what k means on it. [`cfa`] prepares a program, [`mod@base`] asks for errors, [`complete`] makes certificates of
//! complete unrollings, [`trim`] makes others small, [`execution`] makes traces, [`verdict`] is what engines get and give, [`plugin`] runs them
//! behind the plugin SDK. [`space`] is what linear equations say. [`refinement`] is for engines that refine abstractions.
//!
//! Deliberately absent: any algorithm that decides a program, any backend, any loading of plugins.

pub mod base;
pub mod cfa;
pub mod complete;
pub mod error;
pub mod execution;
pub mod induction;
pub mod plugin;
pub mod refinement;
pub mod sessions;
pub mod space;
pub mod trim;
pub mod unroll;
pub mod verdict;

pub use base::Base;
pub use cfa::Cfa;
pub use error::EngineError;
pub use execution::Execution;
pub use induction::{Induction, Targets};
pub use sessions::Sessions;
pub use unroll::{State, UnrollStats, Unrolling};
pub use verdict::{
    Hooks, Invariants, Lemma, NoHooks, Outcome, Proof, Verdict, ask, go_on, try_ask,
};
