//! Recorded sessions, and solvers beside each other.

mod differential;
mod trace;
