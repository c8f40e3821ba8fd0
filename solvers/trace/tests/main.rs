//! Tests of tracing, and all backends against each other.

mod backends;
mod differential;
mod trace;
