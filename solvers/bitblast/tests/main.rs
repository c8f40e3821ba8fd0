//! Tests of the bit-blaster as a backend.

mod conformance;
mod words;
