//! Concrete values of every type.

use crate::bv::Bv;
use crate::ty::Type;
use rpds::RedBlackTreeMapSync;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A value of some [`Type`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit-vector.
    Bv(Bv),
    /// An array.
    Array(ArrayValue),
}

impl Value {
    /// The type of the value.
    pub fn ty(&self) -> Type {
        match self {
            Value::Bool(_) => Type::Bool,
            Value::Bv(v) => Type::Bv(v.width()),
            Value::Array(a) => Type::Array {
                index: a.index,
                elem: a.default.width(),
            },
        }
    }

    /// False, zero, or the array of zeros.
    pub fn zero(ty: Type) -> Value {
        match ty {
            Type::Bool => Value::Bool(false),
            Type::Bv(w) => Value::Bv(Bv::zero(w)),
            Type::Array { index, elem } => {
                Value::Array(ArrayValue::constant(index, Bv::zero(elem)))
            }
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// The bit-vector, if it is one.
    pub fn as_bv(&self) -> Option<&Bv> {
        match self {
            Value::Bv(v) => Some(v),
            _ => None,
        }
    }

    /// The array, if it is one.
    pub fn as_array(&self) -> Option<&ArrayValue> {
        match self {
            Value::Array(a) => Some(a),
            _ => None,
        }
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Value {
        Value::Bool(b)
    }
}

impl From<Bv> for Value {
    fn from(v: Bv) -> Value {
        Value::Bv(v)
    }
}

impl From<ArrayValue> for Value {
    fn from(a: ArrayValue) -> Value {
        Value::Array(a)
    }
}

/// An array value: a default and the entries that differ from it.
///
/// Updates share structure, so a store costs a logarithm, not a copy. The form is canonical (the
/// default is the most frequent element, the smallest among several), so that extensional
/// equality is structural equality.
#[derive(Clone)]
pub struct ArrayValue {
    index: u32,
    default: Bv,
    entries: RedBlackTreeMapSync<Bv, Bv>,
}

impl ArrayValue {
    /// The array that holds `default` everywhere.
    pub fn constant(index: u32, default: Bv) -> ArrayValue {
        ArrayValue {
            index,
            default,
            entries: RedBlackTreeMapSync::new_sync(),
        }
    }

    /// Width of the index.
    pub fn index_width(&self) -> u32 {
        self.index
    }

    /// The element held by all but finitely many listed indices.
    pub fn default(&self) -> &Bv {
        &self.default
    }

    /// The entries that differ from the default, by ascending index.
    pub fn entries(&self) -> impl Iterator<Item = (&Bv, &Bv)> {
        self.entries.iter()
    }

    /// The element at `index`.
    pub fn select(&self, index: &Bv) -> &Bv {
        debug_assert_eq!(index.width(), self.index);
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// The array with `elem` at `index`.
    pub fn store(&self, index: Bv, elem: Bv) -> ArrayValue {
        debug_assert_eq!(index.width(), self.index);
        debug_assert_eq!(elem.width(), self.default.width());
        let mut next = self.clone();
        if elem == next.default {
            next.entries.remove_mut(&index);
        } else {
            next.entries.insert_mut(index, elem);
        }
        next.recanonicalise();
        next
    }

    /// Re-elects the default once half of all indices differ from it; below that the default has
    /// the strict majority and is the only possible choice.
    fn recanonicalise(&mut self) {
        let full = match 1usize.checked_shl(self.index) {
            Some(n) if self.index < usize::BITS && self.entries.size() >= n / 2 => n,
            _ => return,
        };
        let mut counts = std::collections::BTreeMap::new();
        counts.insert(self.default.clone(), full - self.entries.size());
        for elem in self.entries.values() {
            *counts.entry(elem.clone()).or_insert(0) += 1;
        }
        let mut best = (0, self.default.clone());
        for (elem, n) in counts {
            if n > best.0 {
                best = (n, elem);
            }
        }
        let elected = best.1;
        if elected == self.default {
            return;
        }
        let mut entries = RedBlackTreeMapSync::new_sync();
        for i in 0..full as u64 {
            let index = Bv::new(self.index, i);
            let elem = self.select(&index).clone();
            if elem != elected {
                entries.insert_mut(index, elem);
            }
        }
        self.entries = entries;
        self.default = elected;
    }
}

impl PartialEq for ArrayValue {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
            && self.default == other.default
            && self.entries.size() == other.entries.size()
            && self.entries.iter().eq(other.entries.iter())
    }
}

impl Eq for ArrayValue {}

impl Hash for ArrayValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.index.hash(state);
        self.default.hash(state);
        for entry in self.entries.iter() {
            entry.hash(state);
        }
    }
}

impl fmt::Debug for ArrayValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{")?;
        for (i, e) in self.entries.iter() {
            write!(f, "{i}: {e}, ")?;
        }
        write!(f, "else {}}}", self.default)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Bv(v) => write!(f, "{v}"),
            Value::Array(a) => write!(f, "{a:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way to build the same function over a two-bit index yields one representation.
    #[test]
    fn arrays_are_canonical() {
        for target in 0..256u32 {
            let elem = |i: u64| Bv::new(2, u64::from(target >> (2 * i)) & 3);
            let mut seen: Option<ArrayValue> = None;
            for start in 0..4 {
                for rotation in 0..4 {
                    let mut a = ArrayValue::constant(2, Bv::new(2, start));
                    for k in 0..4 {
                        let i = (k + rotation) % 4;
                        a = a.store(Bv::new(2, i), elem(i));
                    }
                    for i in 0..4 {
                        assert_eq!(a.select(&Bv::new(2, i)), &elem(i));
                    }
                    if let Some(b) = &seen {
                        assert_eq!(&a, b);
                    }
                    seen = Some(a);
                }
            }
        }
    }
}
