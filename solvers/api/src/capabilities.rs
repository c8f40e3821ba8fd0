//! What a backend can do, as data: an engine looks before it asks.

use std::fmt;
use std::ops::{BitOr, BitOrAssign};

/// A set of capabilities.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Capabilities(u32);

/// Names in the order of the bits; also what `Display` prints.
const NAMES: [&str; 12] = [
    "unsat-core",
    "interrupt",
    "time-limit",
    "conflict-limit",
    "phase-hints",
    "push-pop",
    "models",
    "arrays",
    "array-equality",
    "interpolation",
    "model-generalization",
    "deterministic",
];

impl Capabilities {
    /// Nothing.
    pub const NONE: Capabilities = Capabilities(0);
    /// Failed assumptions after an unsatisfiable answer.
    pub const UNSAT_CORE: Capabilities = Capabilities(1);
    /// A running query can be stopped from another thread.
    pub const INTERRUPT: Capabilities = Capabilities(1 << 1);
    /// [`Limits::wall`](crate::Limits::wall) is obeyed.
    pub const TIME_LIMIT: Capabilities = Capabilities(1 << 2);
    /// [`Limits::conflicts`](crate::Limits::conflicts) is obeyed.
    pub const CONFLICT_LIMIT: Capabilities = Capabilities(1 << 3);
    /// Phase hints have an effect.
    pub const PHASE_HINTS: Capabilities = Capabilities(1 << 4);
    /// Assertion scopes.
    pub const PUSH_POP: Capabilities = Capabilities(1 << 5);
    /// Values of terms after a satisfiable answer.
    pub const MODELS: Capabilities = Capabilities(1 << 6);
    /// Array-typed terms.
    pub const ARRAYS: Capabilities = Capabilities(1 << 7);
    /// Equality and disequality between arrays.
    pub const ARRAY_EQUALITY: Capabilities = Capabilities(1 << 8);
    /// Craig interpolants.
    pub const INTERPOLATION: Capabilities = Capabilities(1 << 9);
    /// Generalisation of a model to a formula over chosen variables.
    pub const MODEL_GENERALIZATION: Capabilities = Capabilities(1 << 10);
    /// One input and one seed give one answer, model and core.
    pub const DETERMINISTIC: Capabilities = Capabilities(1 << 11);

    /// Whether all of `other` is in `self`.
    pub const fn contains(self, other: Capabilities) -> bool {
        self.0 & other.0 == other.0
    }

    /// What is in `self` but not in `other`.
    #[must_use]
    pub const fn without(self, other: Capabilities) -> Capabilities {
        Capabilities(self.0 & !other.0)
    }

    /// What is in both.
    #[must_use]
    pub const fn intersection(self, other: Capabilities) -> Capabilities {
        Capabilities(self.0 & other.0)
    }

    /// Union, usable in constants.
    #[must_use]
    pub const fn with(self, other: Capabilities) -> Capabilities {
        Capabilities(self.0 | other.0)
    }

    /// The bits, for crossing a C border. Bits keep their meaning for ever; new ones are appended.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// From bits of a C border; unknown bits are dropped.
    pub const fn from_bits(bits: u32) -> Capabilities {
        Capabilities(bits & ((1 << NAMES.len()) - 1))
    }

    /// The names of the members.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        NAMES
            .into_iter()
            .enumerate()
            .filter(move |(i, _)| self.0 >> i & 1 == 1)
            .map(|(_, n)| n)
    }
}

impl BitOr for Capabilities {
    type Output = Capabilities;
    fn bitor(self, other: Capabilities) -> Capabilities {
        self.with(other)
    }
}

impl BitOrAssign for Capabilities {
    fn bitor_assign(&mut self, other: Capabilities) {
        *self = self.with(other);
    }
}

impl fmt::Display for Capabilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, name) in self.names().enumerate() {
            if i > 0 {
                f.write_str(" ")?;
            }
            f.write_str(name)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Capabilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Capabilities({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_bit_has_the_last_name() {
        assert_eq!(Capabilities::DETERMINISTIC.to_string(), "deterministic");
        assert_eq!(
            Capabilities::from_bits(u32::MAX).names().count(),
            NAMES.len()
        );
        assert_eq!(
            (Capabilities::ARRAYS | Capabilities::UNSAT_CORE).to_string(),
            "unsat-core arrays"
        );
    }
}
