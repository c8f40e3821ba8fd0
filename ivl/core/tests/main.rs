//! The language: text, verifier, interpreter, terms.

mod bit_vectors;
mod deep_terms;
mod derived;
mod interp;
mod manual;
mod round_trip;
mod text;
mod verify;
