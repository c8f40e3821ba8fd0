//! What tests of engines share.
//!
//! Open first: [`mod@reference`]: what is true of a program by exhaustive exploration, and whether a verdict's certificate is
//! accepted. [`refinement`] has the tests of engines that refine an abstraction.
//!
//! Deliberately absent: engines. No crate but tests depends on this one.

pub mod reference;
pub mod refinement;

#[doc(hidden)]
pub use insta;
pub use reference::{CHOICES, Tally, Truth, certified, compare, corpus, parse, session, truth};
