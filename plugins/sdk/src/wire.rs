//! Word streams: how terms, values, programs and verdicts cross the border.
//!
//! [`trellis_plugin_abi::words`] fixes the numbers. Writers append to a `Vec<u32>`; readers take
//! words from a [`Reader`] and trust nothing: a malformed stream is a [`WireError`], never a panic,
//! because either side may be anybody's code.

#[cfg(feature = "pass")]
pub mod back;
pub mod contracts;
pub mod image;
pub mod reader;
pub mod termination;
pub mod terms;
pub mod values;
pub mod verdict;

pub use reader::{Reader, WireError};
