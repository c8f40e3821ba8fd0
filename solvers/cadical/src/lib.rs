//! CaDiCaL (Biere et al.) as a SAT backend: the default below the bit-blaster.
//!
//! The crate `cadical` brings the C++ sources and builds them; nothing but a C++ compiler is needed.
//! We call CaDiCaL's C interface (`ffi`) instead of that crate's wrapper, because the wrapper sets no
//! options (so no seed) and reconnects its callbacks at every solve.
//!
//! Open first: `session`. Options of the solver are the table in `options`. [`ProvedCadical`] (`proved`) does not take
//! CaDiCaL's word for it: there an answer *unsatisfiable* is one whose proof was accepted by `trellis-solver-lrat`;
//! `trace` is the proof's way from one to the other.
//!
//! Deliberately absent: phase hints and search statistics, which this C interface does not offer.

#![allow(unsafe_code)]

mod ffi;
mod options;
mod proved;
mod session;
mod trace;

pub use options::{OPTIONS, PROOF_OPTIONS};
pub use proved::{Keep, ProvedCadical, Refutation};
pub use session::Cadical;
