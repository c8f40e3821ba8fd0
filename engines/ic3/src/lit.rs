//! Literals: a variable and a sign in one word, shared by gates, clauses and cubes.

use std::ops::{BitXor, Not};

/// A variable: a node of the graph and, under the same number, a variable of the SAT solver.
pub type Var = u32;

/// A literal. Ordered by variable, the positive one first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(pub u32);

impl Lit {
    /// Variable 0 is the constant.
    pub const FALSE: Lit = Lit(0);
    /// The opposite.
    pub const TRUE: Lit = Lit(1);

    /// The variable with a sign.
    #[inline]
    pub fn new(var: Var, positive: bool) -> Lit {
        Lit(var << 1 | u32::from(!positive))
    }

    /// The positive literal.
    #[inline]
    pub fn of(var: Var) -> Lit {
        Lit(var << 1)
    }

    /// Its variable.
    #[inline]
    pub fn var(self) -> Var {
        self.0 >> 1
    }

    /// Its position in tables by variable.
    #[inline]
    pub fn at(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Its position in tables by literal.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether it is the variable itself.
    #[inline]
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// The constant of this value.
    #[inline]
    pub fn constant(value: bool) -> Lit {
        Lit(u32::from(value))
    }

    /// The value, of a constant.
    #[inline]
    pub fn as_constant(self) -> Option<bool> {
        (self.0 < 2).then_some(self.0 == 1)
    }
}

impl Not for Lit {
    type Output = Lit;
    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// Inverts where the right side is true.
impl BitXor<bool> for Lit {
    type Output = Lit;
    #[inline]
    fn bitxor(self, invert: bool) -> Lit {
        Lit(self.0 ^ u32::from(invert))
    }
}

impl std::fmt::Debug for Lit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.is_positive() { "" } else { "-" };
        write!(f, "{sign}{}", self.var())
    }
}
