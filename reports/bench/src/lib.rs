//! Runs verifiers over sets of tasks and compares what they reach.
//!
//! Open first: [`task`] (what is asked and what the answer is worth), then [`runner`] (the loop
//! over tasks and tools) and [`store`] (the file in which nothing done is lost). [`set`] reads
//! sets, [`tool`] knows how each tool is called and what its output means. What people read is made
//! from the records alone: [`score`] sums up, [`text`], [`html`] and [`plot`] show, [`compare`]
//! puts two files side by side, [`merge`] makes one of several. On other machines, runs are made through [`spool`] and
//! handed out by [`cluster`].
//!
//! Deliberately absent: any knowledge of engines or programs. Trellis itself is called as any
//! other tool is, in a process of its own.

pub mod benchexec;
pub mod cluster;
pub mod compare;
pub mod error;
pub mod html;
pub mod machine;
pub mod merge;
pub mod plot;
pub mod runner;
pub mod score;
mod scratch;
pub mod set;
pub mod spool;
pub mod store;
pub mod task;
pub mod text;
pub mod tool;
pub mod xml;

pub use error::BenchError;
pub use regex::Regex;
