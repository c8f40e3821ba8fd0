//! Persistent maps from entities to small values, for data-flow facts per location.
//!
//! Big-endian Patricia trees (Okasaki and Gill, "Fast Mergeable Integer Maps", ML Workshop 1998)
//! in an arena: a map is a number, an update makes a logarithmic number of nodes, and a merge looks
//! only at parts that are not shared. A hundred thousand locations that differ in a few variables
//! each therefore cost a few nodes each, not a copy of all facts.
//!
//! Nodes are never freed before the arena. Iteration is by ascending key. Two maps with the same
//! content may have different numbers; [`Maps::same`] compares.

use cranelift_entity::EntityRef;
use std::marker::PhantomData;

/// A map in a [`Maps`] arena; the number 0 is the empty map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Map(u32);

impl Map {
    /// The map without entries.
    pub const EMPTY: Map = Map(0);
}

#[derive(Clone, Copy)]
enum Node<V> {
    Leaf {
        key: u32,
        value: V,
    },
    /// All keys agree with `prefix` above bit `bit`; `zero` holds those with that bit clear.
    Branch {
        prefix: u32,
        bit: u32,
        zero: Map,
        one: Map,
    },
}

/// An arena of maps from `K` to `V`.
pub struct Maps<K, V> {
    nodes: Vec<Node<V>>,
    keys: PhantomData<K>,
}

/// An arena of sets.
pub type Sets<K> = Maps<K, ()>;

/// Which entries of two maps a merge keeps.
#[derive(Clone, Copy, PartialEq)]
enum Keep {
    /// Those of either; values must agree where both have the key.
    Either,
    /// Those of both with equal values.
    Equal,
    /// Those of the first whose key the second lacks.
    FirstOnly,
}

/// The part of `key` above the branching bit.
fn prefix_of(key: u32, bit: u32) -> u32 {
    if bit == 31 {
        0
    } else {
        key >> (bit + 1) << (bit + 1)
    }
}

fn has_bit(key: u32, bit: u32) -> bool {
    key >> bit & 1 == 1
}

impl<K, V> Default for Maps<K, V> {
    fn default() -> Self {
        Maps {
            nodes: Vec::new(),
            keys: PhantomData,
        }
    }
}

impl<K: EntityRef, V: Copy + PartialEq> Maps<K, V> {
    /// An arena without nodes.
    pub fn new() -> Self {
        Maps::default()
    }

    fn node(&self, m: Map) -> Option<Node<V>> {
        (m != Map::EMPTY).then(|| self.nodes[m.0 as usize - 1])
    }

    fn push(&mut self, node: Node<V>) -> Map {
        self.nodes.push(node);
        Map(u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes fit in memory"))
    }

    fn branch(&mut self, prefix: u32, bit: u32, zero: Map, one: Map) -> Map {
        match (zero, one) {
            (Map::EMPTY, m) | (m, Map::EMPTY) => m,
            _ => self.push(Node::Branch {
                prefix,
                bit,
                zero,
                one,
            }),
        }
    }

    /// The union of two non-empty maps whose keys differ in prefix, `a` having prefix `pa`.
    fn join(&mut self, pa: u32, a: Map, pb: u32, b: Map) -> Map {
        let bit = 31 - (pa ^ pb).leading_zeros();
        let prefix = prefix_of(pa, bit);
        if has_bit(pa, bit) {
            self.branch(prefix, bit, b, a)
        } else {
            self.branch(prefix, bit, a, b)
        }
    }

    /// The value at `key`.
    pub fn get(&self, m: Map, key: K) -> Option<V> {
        let key = key.index() as u32;
        let mut m = m;
        loop {
            match self.node(m)? {
                Node::Leaf { key: k, value } => return (k == key).then_some(value),
                Node::Branch {
                    prefix,
                    bit,
                    zero,
                    one,
                } => {
                    if prefix_of(key, bit) != prefix {
                        return None;
                    }
                    m = if has_bit(key, bit) { one } else { zero };
                }
            }
        }
    }

    /// Whether there is a value at `key`.
    pub fn contains(&self, m: Map, key: K) -> bool {
        self.get(m, key).is_some()
    }

    /// The map with `value` at `key`.
    pub fn insert(&mut self, m: Map, key: K, value: V) -> Map {
        let raw = key.index() as u32;
        match self.node(m) {
            None => self.push(Node::Leaf { key: raw, value }),
            Some(Node::Leaf { key: k, value: v }) => {
                if k == raw && v == value {
                    return m;
                }
                let leaf = self.push(Node::Leaf { key: raw, value });
                if k == raw {
                    leaf
                } else {
                    self.join(raw, leaf, k, m)
                }
            }
            Some(Node::Branch {
                prefix,
                bit,
                zero,
                one,
            }) => {
                if prefix_of(raw, bit) != prefix {
                    let leaf = self.push(Node::Leaf { key: raw, value });
                    return self.join(raw, leaf, prefix, m);
                }
                let (z, o) = if has_bit(raw, bit) {
                    (zero, self.insert(one, key, value))
                } else {
                    (self.insert(zero, key, value), one)
                };
                if (z, o) == (zero, one) {
                    return m;
                }
                self.branch(prefix, bit, z, o)
            }
        }
    }

    /// The map without an entry at `key`.
    pub fn remove(&mut self, m: Map, key: K) -> Map {
        let raw = key.index() as u32;
        match self.node(m) {
            Some(Node::Leaf { key: k, .. }) if k == raw => Map::EMPTY,
            Some(Node::Branch {
                prefix,
                bit,
                zero,
                one,
            }) if prefix_of(raw, bit) == prefix => {
                let (z, o) = if has_bit(raw, bit) {
                    (zero, self.remove(one, key))
                } else {
                    (self.remove(zero, key), one)
                };
                if (z, o) == (zero, one) {
                    return m;
                }
                self.branch(prefix, bit, z, o)
            }
            _ => m,
        }
    }

    /// The entries of both that agree in key and value.
    pub fn intersect(&mut self, a: Map, b: Map) -> Map {
        self.merge(Keep::Equal, a, b)
    }

    /// The entries of either map; where both have a key, the values must be equal.
    pub fn union(&mut self, a: Map, b: Map) -> Map {
        self.merge(Keep::Either, a, b)
    }

    /// The entries of `a` whose keys are not in `b`.
    pub fn difference(&mut self, a: Map, b: Map) -> Map {
        self.merge(Keep::FirstOnly, a, b)
    }

    fn merge(&mut self, keep: Keep, a: Map, b: Map) -> Map {
        if a == b {
            return if keep == Keep::FirstOnly {
                Map::EMPTY
            } else {
                a
            };
        }
        let (na, nb) = match (self.node(a), self.node(b)) {
            (Some(na), Some(nb)) => (na, nb),
            (None, _) if keep == Keep::Either => return b,
            (None, _) => return Map::EMPTY,
            (_, None) if keep == Keep::Equal => return Map::EMPTY,
            (_, None) => return a,
        };
        match (na, nb) {
            (Node::Leaf { key, value }, _) => self.merge_leaf(keep, a, key, value, b, true),
            (_, Node::Leaf { key, value }) => self.merge_leaf(keep, b, key, value, a, false),
            (
                Node::Branch {
                    prefix: p,
                    bit: i,
                    zero: a0,
                    one: a1,
                },
                Node::Branch {
                    prefix: q,
                    bit: j,
                    zero: b0,
                    one: b1,
                },
            ) => {
                let (x, y) = if i == j && p == q {
                    (self.merge(keep, a0, b0), self.merge(keep, a1, b1))
                } else if i > j && prefix_of(q, i) == p {
                    if has_bit(q, i) {
                        (self.missing(keep, a0, true), self.merge(keep, a1, b))
                    } else {
                        (self.merge(keep, a0, b), self.missing(keep, a1, true))
                    }
                } else if i < j && prefix_of(p, j) == q {
                    let (x, y) = if has_bit(p, j) {
                        (self.missing(keep, b0, false), self.merge(keep, a, b1))
                    } else {
                        (self.merge(keep, a, b0), self.missing(keep, b1, false))
                    };
                    if (x, y) == (b0, b1) {
                        return b;
                    }
                    return self.branch(q, j, x, y);
                } else {
                    return match keep {
                        Keep::Either => self.join(p, a, q, b),
                        Keep::Equal => Map::EMPTY,
                        Keep::FirstOnly => a,
                    };
                };
                if (x, y) == (a0, a1) {
                    return a;
                }
                if i == j && (x, y) == (b0, b1) {
                    return b;
                }
                self.branch(p, i, x, y)
            }
        }
    }

    /// What is left of a part that the other map has nothing for.
    fn missing(&self, keep: Keep, m: Map, of_first: bool) -> Map {
        match keep {
            Keep::Either => m,
            Keep::FirstOnly if of_first => m,
            _ => Map::EMPTY,
        }
    }

    /// Merges the single entry `leaf` with `other`.
    fn merge_leaf(
        &mut self,
        keep: Keep,
        leaf: Map,
        key: u32,
        value: V,
        other: Map,
        leaf_is_first: bool,
    ) -> Map {
        let k = K::new(key as usize);
        let found = self.get(other, k);
        match keep {
            Keep::Either if found.is_some() => other,
            Keep::Either => self.insert(other, k, value),
            Keep::Equal if found == Some(value) => leaf,
            Keep::Equal => Map::EMPTY,
            Keep::FirstOnly if !leaf_is_first => self.remove(other, k),
            Keep::FirstOnly if found.is_some() => Map::EMPTY,
            Keep::FirstOnly => leaf,
        }
    }

    /// Whether two maps have the same entries.
    pub fn same(&self, a: Map, b: Map) -> bool {
        if a == b {
            return true;
        }
        match (self.node(a), self.node(b)) {
            (Some(Node::Leaf { key, value }), Some(Node::Leaf { key: k, value: v })) => {
                key == k && value == v
            }
            (
                Some(Node::Branch {
                    prefix: p,
                    bit: i,
                    zero: a0,
                    one: a1,
                }),
                Some(Node::Branch {
                    prefix: q,
                    bit: j,
                    zero: b0,
                    one: b1,
                }),
            ) => p == q && i == j && self.same(a0, b0) && self.same(a1, b1),
            _ => false,
        }
    }

    /// The entries by ascending key.
    pub fn iter(&self, m: Map) -> impl Iterator<Item = (K, V)> + '_ {
        let mut stack = vec![m];
        std::iter::from_fn(move || {
            loop {
                match self.node(stack.pop()?) {
                    None => {}
                    Some(Node::Leaf { key, value }) => return Some((K::new(key as usize), value)),
                    Some(Node::Branch { zero, one, .. }) => stack.extend([one, zero]),
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use trellis_ivl::Var;

    /// Random operations against the standard library's map.
    #[test]
    fn agrees_with_btree_map() {
        let mut random = 1u64;
        let mut next = move |n: u64| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random % n
        };
        let mut maps: Maps<Var, u64> = Maps::new();
        let mut all: Vec<(Map, BTreeMap<Var, u64>)> = vec![(Map::EMPTY, BTreeMap::new())];
        for round in 0..20_000 {
            let (a, b) = (
                next(all.len() as u64) as usize,
                next(all.len() as u64) as usize,
            );
            let raw = if next(4) == 0 {
                next(1 << 31)
            } else {
                next(40)
            };
            let (key, value) = (Var::from_u32(raw as u32), raw % 3 + next(8) / 7);
            let (m, model) = all[a].clone();
            let (n, other) = all[b].clone();
            let (m, model) = match next(5) {
                0 | 1 => {
                    let mut model = model;
                    model.insert(key, value);
                    (maps.insert(m, key, value), model)
                }
                2 => {
                    let mut model = model;
                    model.remove(&key);
                    (maps.remove(m, key), model)
                }
                3 => {
                    let model = model.into_iter();
                    let both = model.filter(|(k, v)| other.get(k) == Some(v)).collect();
                    (maps.intersect(m, n), both)
                }
                _ => {
                    let model = model.into_iter();
                    let rest = model.filter(|(k, _)| !other.contains_key(k)).collect();
                    (maps.difference(m, n), rest)
                }
            };
            assert!(maps.iter(m).eq(model.clone()), "round {round}");
            let union: BTreeMap<Var, u64> = other.iter().map(|(&k, &v)| (k, v)).collect();
            let rest = maps.difference(n, m);
            let whole = maps.union(m, rest);
            let mut expected = model.clone();
            for (k, v) in union {
                expected.entry(k).or_insert(v);
            }
            assert!(maps.iter(whole).eq(expected), "round {round}");
            assert_eq!(maps.same(m, n), model == other, "round {round}");
            if all.len() < 64 {
                all.push((m, model));
            } else {
                all[a] = (m, model);
            }
        }
    }
}
