//! Types: booleans, bit-vectors of any width, and arrays from bit-vectors to bit-vectors.

use std::fmt;

/// The type of a term or variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Type {
    /// `bool`.
    Bool,
    /// `bvN`, N at least 1.
    Bv(u32),
    /// `[bvI]bvE`.
    Array {
        /// Width of the index.
        index: u32,
        /// Width of an element.
        elem: u32,
    },
}

impl Type {
    /// The widest bit-vector the language admits; keeps every width computation within `u32`.
    pub const MAX_WIDTH: u32 = 1 << 24;

    /// The width of a bit-vector type.
    pub fn width(self) -> Option<u32> {
        match self {
            Type::Bv(w) => Some(w),
            _ => None,
        }
    }

    /// Whether this is an array type.
    pub fn is_array(self) -> bool {
        matches!(self, Type::Array { .. })
    }

    /// Whether all widths lie between 1 and [`Type::MAX_WIDTH`].
    pub fn is_valid(self) -> bool {
        let ok = |w: u32| (1..=Self::MAX_WIDTH).contains(&w);
        match self {
            Type::Bool => true,
            Type::Bv(w) => ok(w),
            Type::Array { index, elem } => ok(index) && ok(elem),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Type::Bool => f.write_str("bool"),
            Type::Bv(w) => write!(f, "bv{w}"),
            Type::Array { index, elem } => write!(f, "[bv{index}]bv{elem}"),
        }
    }
}

/// A type in eight bytes, as stored per term: `(0, 0)` bool, `(0, w)` bit-vector, `(i, e)` array.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PackedType(u32, u32);

impl From<Type> for PackedType {
    fn from(ty: Type) -> Self {
        match ty {
            Type::Bool => PackedType(0, 0),
            Type::Bv(w) => PackedType(0, w),
            Type::Array { index, elem } => PackedType(index, elem),
        }
    }
}

impl From<PackedType> for Type {
    fn from(PackedType(i, e): PackedType) -> Self {
        match (i, e) {
            (0, 0) => Type::Bool,
            (0, w) => Type::Bv(w),
            (index, elem) => Type::Array { index, elem },
        }
    }
}
