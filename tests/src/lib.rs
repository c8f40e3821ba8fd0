//! Tests of the whole tool; the code is in `tests/`. Open first: [`corpus`], the programs with known verdicts.
//!
//! `architecture.rs` holds the dependency and source invariants of docs/src/architecture.md. Deliberately
//! absent: tests of one crate, which stand beside its code.

pub mod corpus;
