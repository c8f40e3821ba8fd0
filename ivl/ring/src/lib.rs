//! Refutes formulas by equations alone: what solvers of bits find hardest is easy in the ring of numbers modulo `2^w`.
//!
//! That `a + b = 3 * i` is kept by `a := a + 2; b := b + 1; i := i + 1`, or `2 * s = i * i - i` by `s := s + i; i := i + 1`, is a subtraction of
//! polynomials, and nothing that a SAT solver sees in the gates of adders and multipliers. [`refutes`] takes a conjunction apart
//! into cases (`cases`), and in each case it looks for an inequality of polynomials that its equations turn into `0 != 0`
//! ([`poly`]). Between two bounds that meet there is an equation as well ([`bounds`]): `i <= n + 1` and `n < i` say `i = n + 1`.
//!
//! Open first: `cases`. Deliberately absent: models. It never says that a formula has one, and everything it does not understand it leaves out.
//!
//! *Architecture Invariant:* it depends on `ivl/core` only, and what it says rests on no solver. The checker of certificates believes it.

mod bounds;
mod cases;
mod poly;

pub use cases::refutes;
