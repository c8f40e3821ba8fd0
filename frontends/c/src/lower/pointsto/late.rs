//! Constraints that depend on what the others have found.

use super::facts::{ClassFacts, Root};
use super::{Classes, NONE, Node};
use crate::hir::Hir;

impl Classes {
    /// Adds constraints until none is new.
    pub(super) fn late_constraints(&mut self, hir: &Hir) {
        let sums = std::mem::take(&mut self.sums);
        let comparisons = std::mem::take(&mut self.comparisons);
        loop {
            let mut changed = self.overlaps(hir) | self.spread();
            for (pointer, index) in &sums {
                changed |= self.null_based(*pointer, *index);
            }
            for (a, b) in &comparisons {
                changed |= self.compared(*a, *b);
            }
            if !changed {
                break;
            }
        }
        for (a, b) in comparisons {
            if a != NONE && self.find(a) == self.find(b) {
                self.facts_mut(a).compared = true;
            }
        }
    }

    /// Where a pointer and a number may lie at one address, each may carry the other: their contents
    /// are one, and what they point to has any alignment.
    fn overlaps(&mut self, hir: &Hir) -> bool {
        let mut changed = false;
        for class in 1..self.parent.len() as Node {
            if self.find(class) != class {
                continue;
            }
            let facts = &self.facts[class as usize];
            let apart = match facts.root {
                Root::Mixed => false,
                Root::Record(ty) => {
                    let size = hir.types.size_of(ty).unwrap_or(0);
                    size > 0 && facts.stride.is_multiple_of(size)
                }
                Root::None | Root::Scalar { .. } => true,
            };
            if (apart && !facts.dirty) || facts.kinds != [true; 2] {
                continue;
            }
            let (p, i) = (self.content(class, 0), self.content(class, 1));
            if p != i || !self.facts(p).dirty {
                changed = true;
                self.unify(p, i);
                self.facts_mut(p).dirty = true;
            }
        }
        changed
    }

    /// What lies outside of the program leads to what lies outside of it.
    fn spread(&mut self) -> bool {
        let mut changed = false;
        for class in 1..self.parent.len() as Node {
            if self.find(class) != class || !self.facts[class as usize].foreign {
                continue;
            }
            for content in self.contents[class as usize].into_iter().flatten() {
                let facts = self.facts_mut(content);
                changed |= !std::mem::replace(&mut facts.foreign, true);
            }
        }
        changed
    }

    /// A pointer that leads to no object, moved by an integer: the integer is the address.
    fn null_based(&mut self, pointer: Node, index: Node) -> bool {
        let (p, i) = (self.find_mut(pointer), self.find_mut(index));
        let leads = |n: Node| self.facts(n).objects > 0 || self.facts(n).foreign;
        if p == i || p == NONE || leads(p) || !leads(i) {
            return false;
        }
        self.unify(p, i);
        self.facts_mut(p).dirty = true;
        true
    }

    /// A value from elsewhere that equals an address leads to the object there, and two values from
    /// elsewhere that are equal lead to the same.
    fn compared(&mut self, a: Node, b: Node) -> bool {
        let (a, b) = (self.find_mut(a), self.find_mut(b));
        if a == b || a == NONE || b == NONE {
            return false;
        }
        let (x, y) = (self.facts(a), self.facts(b));
        let leads = |f: &ClassFacts| f.foreign || f.objects > 0;
        let meet = (x.foreign && leads(y)) || (y.foreign && leads(x));
        if meet {
            self.unify(a, b);
        }
        meet
    }
}
