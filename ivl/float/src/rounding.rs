//! Rounding directions, known or chosen by the program.

use trellis_ivl::Term;

/// A rounding direction. Its number is that of C's `FLT_ROUNDS`, in three bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rounding {
    /// Truncation: number 0.
    TowardZero = 0,
    /// To nearest, ties to even; what programs start with: number 1.
    NearestEven = 1,
    /// Toward plus infinity: number 2.
    Upward = 2,
    /// Toward minus infinity: number 3.
    Downward = 3,
    /// To nearest, ties away from zero, as C's `round` does: number 4.
    NearestAway = 4,
}

impl Rounding {
    /// All of them, by number.
    pub const ALL: [Rounding; 5] = [
        Rounding::TowardZero,
        Rounding::NearestEven,
        Rounding::Upward,
        Rounding::Downward,
        Rounding::NearestAway,
    ];

    /// Bits of a direction that is a term.
    pub const WIDTH: u32 = 3;

    /// The number that stands for it in a term.
    pub const fn number(self) -> u64 {
        self as u64
    }
}

/// The direction in which an operation rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Always this one.
    Fixed(Rounding),
    /// The one whose number is the value of this term of [`Rounding::WIDTH`] bits; 5, 6 and 7 are as
    /// [`Rounding::NearestEven`].
    Term(Term),
}

impl From<Rounding> for Mode {
    fn from(rounding: Rounding) -> Mode {
        Mode::Fixed(rounding)
    }
}
