//! Reads and writes of arrays that bits and polynomials of the indices decide.
//!
//! A read looks through the writes at other indices. A write of what is there already is none, also where
//! it takes back an earlier write below writes at other indices: what is swapped twice is what it was.

use crate::arrays::{AccessData, Kind, Node, NodeData, Word};
use crate::blast::Blaster;
use crate::equality::Relation;

/// Stores that a read or a write looks through when it is translated.
const MAX_STATIC_STEPS: usize = 256;

impl Blaster {
    /// The element at `index` where it is decided, or the array that is left to be read.
    pub fn resolve(&mut self, array: Node, index: Word) -> Result<Word, Node> {
        let mut array = array;
        for _ in 0..MAX_STATIC_STEPS {
            match self.arrays.nodes[array as usize].kind {
                Kind::Const { elem } => return Ok(elem),
                Kind::Store { base, write } => {
                    let AccessData {
                        index: at, elem, ..
                    } = self.arrays.accesses[write as usize];
                    match self.relation(index, at) {
                        Relation::Equal => return Ok(elem),
                        Relation::Different => array = base,
                        Relation::Open => return Err(array),
                    }
                }
                Kind::Var | Kind::Ite { .. } => return Err(array),
            }
        }
        Err(array)
    }

    /// Whether `array` is known to hold `elem` at `index`.
    fn holds(&mut self, array: Node, index: Word, elem: Word) -> bool {
        let found = match self.resolve(array, index) {
            Ok(found) => Some(found),
            Err(array) => self
                .arrays
                .find_read(&self.bits, array, index)
                .map(|read| self.arrays.accesses[read as usize].elem),
        };
        found.is_some_and(|found| self.bits[found.range()] == self.bits[elem.range()])
    }

    /// An array equal to `base` with `elem` written at `index`, if that needs no write.
    pub fn undone(&mut self, base: Node, index: Word, elem: Word) -> Option<Node> {
        if self.holds(base, index, elem) {
            return Some(base);
        }
        // The writes above an earlier one at this index, the uppermost first.
        let mut above = Vec::new();
        let mut node = base;
        loop {
            let Kind::Store { base, write } = self.arrays.nodes[node as usize].kind else {
                return None;
            };
            let data = self.arrays.accesses[write as usize];
            match self.relation(index, data.index) {
                Relation::Equal if self.holds(base, index, elem) => {
                    return Some(above.into_iter().rev().fold(base, |base, data| {
                        let AccessData { index, elem, .. } = data;
                        self.store_node(base, index, elem)
                    }));
                }
                Relation::Different if above.len() < MAX_STATIC_STEPS => {
                    above.push(data);
                    node = base;
                }
                _ => return None,
            }
        }
    }

    /// A new array: `base` with `elem` written at `index`.
    pub fn store_node(&mut self, base: Node, index: Word, elem: Word) -> Node {
        let array = self.arrays.nodes.len() as Node;
        let write = self.arrays.access(AccessData { array, index, elem });
        self.arrays.node(NodeData {
            kind: Kind::Store { base, write },
            index_width: index.len,
            elem_width: elem.len,
        })
    }
}
