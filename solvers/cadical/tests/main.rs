//! Tests of CaDiCaL as a backend, and of its proofs.

mod conformance;
mod mutants;
