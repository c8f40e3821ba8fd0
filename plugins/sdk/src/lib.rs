//! Engines, passes, front ends and solver backends for Trellis as plugins, in safe Rust.
//!
//! A whole engine:
//!
//! ```
//! use trellis_plugin_sdk::{Engine, EngineError, Host, Info, Task, Verdict, export_engine, options};
//!
//! options! {
//!     /// What the engine may be told.
//!     pub struct Options {
//!         /// How often to try.
//!         tries: u32 = 100,
//!     }
//! }
//!
//! /// Gives up at once.
//! pub struct Modest;
//!
//! impl Engine for Modest {
//!     const INFO: Info = Info {
//!         id: "modest",
//!         description: "gives up",
//!         licence: "MIT",
//!         version: "0.1.0",
//!     };
//!     type Options = Options;
//!
//!     fn run(options: Options, task: &mut Task, _: &mut dyn Host) -> Result<Verdict, EngineError> {
//!         let edges = task.program.edges.len();
//!         Ok(Verdict::Unknown(format!("{} tries are too few for {edges} edges", options.tries)))
//!     }
//! }
//!
//! export_engine!(Modest);
//! # fn main() {}
//! ```
//!
//! As a crate with `crate-type = ["cdylib", "rlib"]` that is a plugin; in a test the same code runs
//! as `Modest::run(Options::default(), &mut Task::new(program), &mut LocalHost::new(backend))`.
//!
//! Open first: [`engine`] (what an engine implements and what it may ask for), then [`verdict`]. A pass is a `pass::Pass`
//! (feature `pass`), a front end a [`frontend::FrontEnd`]. Below: [`export`] offers Rust services as tables of C functions, [`import`] uses such tables as
//! Rust services (hosts and engines each need one of the two; a solver plugin the reverse), and
//! [`wire`] is the encoding between them. [`local`] is a host without border.
//!
//! Deliberately absent: any solver, loading of libraries, processes. An engine that compiles with
//! this crate alone knows nothing about who runs it.

#![allow(unsafe_code)]

// The macros of this crate name it from outside; tests inside do too.
extern crate self as trellis_plugin_sdk;

pub mod engine;
pub mod export;
pub mod frontend;
pub mod import;
pub mod local;
pub mod options;
#[cfg(feature = "pass")]
pub mod pass;
pub mod shim;
pub mod verdict;
pub mod wire;

pub use engine::{Engine, EngineError, Host, Info, Level, Task};
pub use frontend::{FrontEnd, FrontEndError, Source, SourceError};
pub use local::{LocalHost, NoHost};
pub use options::{EngineOptions, NoOptions, OptionKind, OptionSpec, OptionType};
pub use verdict::{
    Certificate, ContractProof, Divergence, Ending, Lemma, LemmaKind, Recurrent, Verdict, Way,
};

#[cfg(feature = "pass")]
pub use pass::Pass;

pub use trellis_ivl as ivl;
#[cfg(feature = "pass")]
pub use trellis_ivl_passes as passes;
pub use trellis_solver_api as solver;

/// What the macros need.
#[doc(hidden)]
pub mod private {
    pub use serde;
    pub use trellis_plugin_abi as abi;
}
