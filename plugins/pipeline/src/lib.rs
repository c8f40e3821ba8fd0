//! Pipelines in TOML: which passes, engines and solvers run, how they run together, and within
//! which limits.
//!
//! ```toml
//! description = "falsify first, then prove"
//! passes = "inline, (propagate, dce)*"
//!
//! [engines.bmc]
//! solver = "bitblast-cadical"
//! options = { depth = 50 }
//!
//! [engines.kiki]
//!
//! [run]
//! sequence = [{ share = 1, engine = "bmc" }, { share = 9, race = ["bmc", "kiki"] }]
//!
//! [limits]
//! wall = "15min"
//! memory = "4GiB"
//! ```
//!
//! Every key is known by one table ([`keys`]), from which the readers take their names and the
//! documentation its text. An unknown key is an error at its place with the nearest valid name; so
//! is a key without effect. A pipeline may extend one other, and must not redefine what it
//! inherits: what a file says then holds whatever it extends.
//!
//! Open first: [`config`], the typed result. [`tree`] is TOML with places and inheritance, [`read`]
//! the reader that knows which keys were used; [`select`] says which engines suit which programs.
//!
//! Deliberately absent: files (the caller gives texts by name), plugins, passes and solvers
//! themselves. Names of those are checked by the caller, for which they keep their places.

pub mod config;
pub mod error;
pub mod keys;
pub mod read;
pub mod select;
pub mod tree;
pub mod units;

#[cfg(test)]
mod tests;

pub use config::{
    CFrontend, Certification, CertificationMode, EngineConfig, Frontend, FrontendPlugin, Limits,
    Located, Pipeline, Run, Texts, When, check_texts, plain,
};
pub use error::{PipelineError, Place};
pub use select::{Features, Selection};
pub use tree::{Change, Sources, Value, load};
