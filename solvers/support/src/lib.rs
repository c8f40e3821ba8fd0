//! What the backends over foreign solvers share.
//!
//! - [`ForeignSession`] is the session over any of them, given what a [`ForeignSolver`] does;
//! - [`AssertionStack`] is the difference between what a session wants and what its solver has;
//! - [`locate`] finds the library or program of a solver at run time;
//! - [`foreign_functions!`] declares the functions of a library that is loaded at run time;
//! - [`Aside`] asks a solver on another thread, which is left behind where it does not stop;
//! - [`Watchdog`] stops the query of somebody else's session, by the clock and by an interrupt;
//! - [`Translated`] keeps the terms of a solver by ours;
//! - [`on_deep_stack`] keeps a solver that recurses over terms from overflowing the stack;
//! - [`const_arrays`] gives constant arrays to a solver that has arrays without them.
//!
//! Open first: `const_arrays`, the only part with an algorithm. Deliberately absent: any solver.

mod aside;
mod assertion_stack;
pub mod const_arrays;
mod functions;
pub mod locate;
mod model_cache;
mod session;
mod stack;
mod translated;
mod watchdog;

pub use aside::Aside;
pub use assertion_stack::AssertionStack;
pub use const_arrays::ConstArrays;
pub use locate::Locate;
pub use model_cache::ModelCache;
pub use session::{ForeignSession, ForeignSolver, Question};
pub use stack::{Heights, on_deep_stack};
pub use translated::Translated;
pub use watchdog::Watchdog;
