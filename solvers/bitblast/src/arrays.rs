//! The array terms of a session as a graph of its own: nodes, accesses and equalities over words of
//! gates. It holds no decisions; [`array_check`](crate::array_check) makes them per model.

use crate::aig::AigLit;
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use trellis_ivl::Bv;

/// A word in the arena of a [`Blaster`](crate::blast::Blaster).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Word {
    pub start: u32,
    pub len: u32,
}

impl Word {
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

/// An array node.
pub(crate) type Node = u32;
/// An access: an index and the element there.
pub(crate) type Access = u32;
/// An equality between arrays.
pub(crate) type Equality = u32;

/// How an array comes about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// Free.
    Var,
    /// `base` but for the access `write`, which belongs to this node.
    Store { base: Node, write: Access },
    /// One of two.
    Ite {
        cond: AigLit,
        then: Node,
        other: Node,
    },
    /// One element everywhere.
    Const { elem: Word },
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeData {
    pub kind: Kind,
    pub index_width: u32,
    pub elem_width: u32,
}

/// A read, or the write of a store.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AccessData {
    pub array: Node,
    pub index: Word,
    pub elem: Word,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct EqualityData {
    pub a: Node,
    pub b: Node,
    /// True exactly when the arrays are equal, once lemmas have said so.
    pub atom: AigLit,
    /// Reads of both at an index where they differ if the atom is false; made on demand.
    pub witness: Option<(Access, Access)>,
}

/// The graph.
#[derive(Default)]
pub(crate) struct Arrays {
    pub nodes: Vec<NodeData>,
    pub accesses: Vec<AccessData>,
    pub equalities: Vec<EqualityData>,
    /// Reads by array and contents of the index.
    reads: HashTable<Access>,
    equality_of: FxHashMap<(Node, Node), Equality>,
    /// Accesses that state what a constant array holds at a constant index.
    pub constant_reads: FxHashMap<(Node, Bv), Access>,
}

fn read_hash(array: Node, index: &[AigLit]) -> u64 {
    let mut h = FxHasher::default();
    (array, index).hash(&mut h);
    h.finish()
}

impl Arrays {
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn node(&mut self, data: NodeData) -> Node {
        self.nodes.push(data);
        self.nodes.len() as Node - 1
    }

    pub fn access(&mut self, data: AccessData) -> Access {
        self.accesses.push(data);
        self.accesses.len() as Access - 1
    }

    /// The read of `array` at an index with these bits, if there is one.
    pub fn find_read(&self, bits: &[AigLit], array: Node, index: Word) -> Option<Access> {
        let contents = &bits[index.range()];
        let same = |&a: &Access| {
            let data = &self.accesses[a as usize];
            data.array == array && &bits[data.index.range()] == contents
        };
        self.reads.find(read_hash(array, contents), same).copied()
    }

    /// A new read, which [`find_read`](Self::find_read) will find.
    pub fn add_read(&mut self, bits: &[AigLit], data: AccessData) -> Access {
        let access = self.access(data);
        let accesses = &self.accesses;
        let rehash = |&a: &Access| {
            let data = &accesses[a as usize];
            read_hash(data.array, &bits[data.index.range()])
        };
        let h = read_hash(data.array, &bits[data.index.range()]);
        self.reads.insert_unique(h, access, rehash);
        access
    }

    /// The equality of two different nodes; `atom` makes its literal if it is new.
    pub fn equality(&mut self, a: Node, b: Node, atom: impl FnOnce() -> AigLit) -> Equality {
        let key = (a.min(b), a.max(b));
        let equalities = &mut self.equalities;
        *self.equality_of.entry(key).or_insert_with(|| {
            equalities.push(EqualityData {
                a: key.0,
                b: key.1,
                atom: atom(),
                witness: None,
            });
            equalities.len() as Equality - 1
        })
    }
}
