//! The interpreter made fast: a program becomes instructions on registers, once, and these are executed without
//! keeping anything of the way.
//!
//! What it means is the interpreter's business ([`interp`](crate::interp)): under the same guidance a [`Processor`] goes where a
//! [`Machine`](crate::Machine) goes, step for step, which tests hold against each other. It is for executions that are too long for
//! the interpreter, hundreds of millions of steps, and for trying many.
//!
//! Open first: [`instr`] for what there is to execute, then [`processor`]; `leap` has many rounds of a loop at once.

mod arithmetic;
mod calls;
mod choices;
mod commands;
pub mod compile;
pub mod instr;
mod leap;
pub mod memory;
pub mod processor;
mod round;
mod state;
mod terms;

pub use compile::TooLarge;
pub use instr::Compiled;
pub use processor::{End, Guide, Processor};
