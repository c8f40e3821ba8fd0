//! The solver border of Trellis: what an engine may ask of a solver, and nothing about how it is
//! answered.
//!
//! Open first: [`smt`] (sessions over IVL terms) and [`sat`] (IPASIR as a trait). Shared by both levels:
//! [`Answer`], [`Limits`], [`Interrupter`], [`Capabilities`], [`SessionConfig`], [`SolverError`].
//!
//! With the feature `testing`, `testing` holds the conformance suites that every backend runs.
//!
//! Deliberately absent: any backend, any encoding, any process or library loading. A capability that
//! a backend lacks is data to look at before the call and an error after it, never a panic.

mod answer;
mod books;
mod cache;
mod capabilities;
mod config;
mod delegate;
mod error;
mod interrupt;
pub mod sat;
mod shorten;
pub mod smt;
mod state;
#[cfg(feature = "testing")]
pub mod testing;

pub use answer::{Answer, Limits, UnknownReason};
pub use books::{Begun, Books, Labelled, SatBooks, SmtBooks};
pub use cache::{CachedBackend, CachedSession};
pub use capabilities::Capabilities;
pub use config::{OptionKind, OptionSpec, SessionConfig, parse_options};
pub use error::{ErrorKind, Result, SolverError};
pub use interrupt::{Interrupter, Relay, StopClock};
pub use shorten::shorten;
pub use state::SessionState;

#[doc(hidden)]
pub use trellis_ivl as ivl;
