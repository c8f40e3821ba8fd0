//! The border from both sides.

mod border;
mod pass;
mod wire;
