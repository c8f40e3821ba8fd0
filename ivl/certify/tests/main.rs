//! The checker against everything that could deceive it: per kind of certificate true ones, wrong ones, and mutants judged by
//! execution.

mod common;
mod contracts;
mod fold;
mod houdini;
mod justice;
mod polynomials;
mod random;
mod recursion;
mod rejects;
mod script;
mod termination;
mod universal;
mod unwinding;
mod way_back;
