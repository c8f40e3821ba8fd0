//! Trellis as a library: from a source to a certified verdict, as values.
//!
//! Open first: [`session`] (what an embedding program calls), then [`load`] (from files to a program), [`round`] (one run
//! of a pipeline on a program: passes, engines, certification) and [`judge`] (what a claim is worth). [`pipelines`] and [`plan`] say what runs, after what [`features`] says of the program, [`plugins`] calls passes and front ends of others, [`solvers`] with what,
//! [`worker`] where. [`report`] is what became of it; [`html`] and [`sarif`] write that for others, [`witness`] and
//! [`hardware`] what other tools check. [`validate`] is the way back, from a witness to what it is worth.
//!
//! ```no_run
//! use std::process::ExitCode;
//! use trellis::{Session, Source, pipeline, worker};
//!
//! fn main() -> Result<ExitCode, trellis::Error> {
//!     let worker = match worker::intercept() {
//!         Ok(worker) => worker,
//!         Err(code) => return Ok(code),
//!     };
//!     let session = Session::new(pipeline("portfolio")?).worker(worker);
//!     let checked = session.check(&Source::file("program.c"))?;
//!     println!("{}", checked.verdict());
//!     Ok(ExitCode::SUCCESS)
//! }
//! ```
//!
//! Deliberately absent: arguments, terminals, exit codes and signals, which are the command line's. Nothing here prints,
//! ends the process, or changes anything that belongs to the process as a whole; what happens is told to an
//! [`events::Observer`].

pub mod assumptions;
pub mod baseline;
pub mod contracts;
pub mod dialect;
pub mod error;
pub mod events;
pub mod features;
pub mod files;
pub mod hardware;
pub mod html;
pub mod instances;
pub mod judge;
pub mod junit;
pub mod justice;
pub mod kinds;
pub mod lemmas;
pub mod load;
pub mod pipelines;
pub mod plan;
pub mod plugins;
pub mod project;
pub mod proofs;
pub mod reasons;
pub mod report;
pub mod results;
pub mod room;
pub mod round;
pub mod sarif;
pub mod session;
pub mod solvers;
pub mod stop;
pub mod task;
pub mod termination;
pub mod timeline;
pub mod trace;
mod vague;
pub mod validate;
pub mod waves;
pub mod witness;
pub mod worker;

pub use error::Error;
pub use load::Source;
pub use session::{Checked, Session, Verdict};
pub use trellis_pipeline::Pipeline;

/// A pipeline: a shipped one by name, or a file.
pub fn pipeline(name: &str) -> Result<Pipeline, Error> {
    pipelines::load(name, &[], None)
}
