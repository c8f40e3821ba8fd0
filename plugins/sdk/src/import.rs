//! Tables of C functions as Rust services: the mirror image of [`export`](crate::export).

pub mod error;
pub mod host;
pub mod sat;
pub mod session;
pub mod smt;

pub use host::RemoteHost;
