//! The border between Trellis and its plugins, as C sees it: `repr(C)` structures, numbers and
//! function pointers. `include/trellis.h` is generated from this crate and says the same in C.
//!
//! Open first: [`plugin`] (what a library exports), then [`host`] (what an engine may ask for).
//! [`smt`] and [`sat`] are solver sessions, used in both directions: a host lends them to an
//! engine, and a solver plugin offers them to the host. [`words`] fixes the numbers inside the
//! word streams in which terms, values, programs and verdicts cross. [`handshake`] decides whether
//! a library may be used, with one error per way it can fail.
//!
//! Rules of the border:
//! - Structures begin with their size and only grow; a reader looks at a field only when the size
//!   says it is there. Further services are extensions that the host is asked for by name.
//! - No ownership crosses. What a call returns a pointer to stays the callee's and is valid until
//!   the next call on the same object, unless the field says otherwise.
//! - No unwinding crosses: a function that fails returns a status below zero.
//!
//! Deliberately absent: every Rust type that is not `repr(C)`, any dependency on the IVL, any
//! behaviour but the handshake.

#![allow(unsafe_code)]

pub mod handshake;
pub mod host;
pub mod plugin;
pub mod sat;
pub mod smt;
pub mod words;

pub use handshake::{Checked, HandshakeError, check};
pub use host::*;
pub use plugin::*;
pub use sat::*;
pub use smt::*;
