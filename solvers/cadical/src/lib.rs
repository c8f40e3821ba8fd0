//! CaDiCaL (Biere et al.) as a SAT backend: the default below the bit-blaster.
//!
//! The crate `cadical` brings the C++ sources and builds them; nothing but a C++ compiler is needed.
//! We call CaDiCaL's C interface (`ffi`) instead of that crate's wrapper, because the wrapper sets no
//! options (so no seed) and reconnects its callbacks at every solve.
//!
//! Open first: `session`. Options of the solver are the table in `options`.
//!
//! Deliberately absent: phase hints and search statistics, which this C interface does not offer.

#![allow(unsafe_code)]

mod ffi;
mod options;
mod session;

pub use options::OPTIONS;
pub use session::Cadical;
