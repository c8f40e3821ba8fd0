//! Floating point as bit-vector terms: IEEE 754 operations on bit patterns.
//!
//! The IVL has no floating-point type. A float is the word of its bit pattern, and an operation on floats is
//! a term that computes the pattern of the result: operands are unpacked, the exact result is computed with
//! as many bits as rounding can see, rounded once, and packed. [`Floats`] makes these terms in a pool.
//!
//! Every operation is one deterministic term over its operands. No variable is made, so the interpreter, random
//! engines and traces compute floats like anything else, and the checker and the backends need not know of them.
//!
//! **NaN.** An operation whose result is not a number gives one pattern, [`Floats::nan`]: quiet, positive, without
//! payload. C promises nothing about the sign and payload of NaNs, and processors differ: a program whose behaviour
//! depends on them is not described by these terms. `neg`, `abs` and `copysign` change the sign bit of a NaN, as C and IEEE 754
//! say; there is no difference between quiet and signalling NaNs, and there are no exception flags.
//!
//! **x87.** [`Format::X87`] has 80 bits with an explicit integer bit, so some patterns are not canonical.
//! A pseudo-denormal (exponent 0, integer bit 1) has the value of the same significand with exponent 1. What the processor refuses as an
//! invalid operand since the 80387 (exponent not 0, integer bit 0: unnormals, pseudo-infinities, pseudo-NaNs) is a NaN. Results are always canonical.
//!
//! **Back.** [`recognise`] tells which terms are operations on floats and [`terms`] which variables are floats, for domains that reason about
//! their order. Nothing that is trusted needs them.
//!
//! Open first: `parts` for what a pattern means, `round` for the one rounder, `arithmetic` for the operations.
//!
//! Deliberately absent: remainders (`fmod`, `remainder` take a step per bit of the difference of exponents, which is
//! two thousand for double: they are loops, and belong into programs), decimal text, libm, and fresh variables of any kind.

mod arithmetic;
mod compare;
mod convert;
mod format;
mod integral;
mod parts;
pub mod recognise;
mod round;
mod rounding;
pub mod shape;
pub mod terms;
#[cfg(feature = "testing")]
pub mod testing;
mod words;

pub use format::Format;
pub use rounding::{Mode, Rounding};

use trellis_ivl::TermPool;

/// Makes terms over floats in a pool.
///
/// Operands are terms of `format.width()` bits, predicates are boolean terms.
pub struct Floats<'p> {
    pool: &'p mut TermPool,
}

impl<'p> Floats<'p> {
    /// Floats in `pool`.
    pub fn new(pool: &'p mut TermPool) -> Floats<'p> {
        Floats { pool }
    }

    /// The pool.
    pub fn pool(&mut self) -> &mut TermPool {
        self.pool
    }
}
