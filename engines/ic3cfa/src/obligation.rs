//! Proof obligations: a queue ordered by level, and the tree of who derives from whom.
//!
//! An obligation is a region at a location from which its parent's region is reached by one edge, whatever
//! state of the region one starts in; at the root stands a target. So an obligation at the entry is a
//! counterexample at any level.

use crate::model::Model;
use std::collections::BTreeSet;
use std::rc::Rc;
use trellis_plugin_sdk::ivl::{Edge, Loc, Term};

/// The number of an obligation.
pub type Id = u32;

/// An obligation: block `cube` at `loc` up to `level`, or find a way there.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// How many edges an execution may take to get here.
    pub level: u32,
    /// Where.
    pub loc: Loc,
    /// Literals, by number; all hold in `witness`.
    pub cube: Vec<Term>,
    /// Some state of the region.
    pub witness: Rc<Model>,
    /// The edge to the parent's region.
    pub edge: Edge,
    /// The obligation this one derives from; a target where there is none.
    pub parent: Option<Id>,
    /// The level at which it was blocked last, and the lemma that did it.
    pub blocked: Option<(u32, Vec<Term>)>,
}

/// All obligations ever made, and those to be handled.
#[derive(Default)]
pub struct Obligations {
    all: Vec<Obligation>,
    queue: BTreeSet<(u32, u32, usize, Id)>,
    /// Blocked in this iteration, to be used again in the next.
    pub kept: Vec<Id>,
}

impl Obligations {
    /// Adds an obligation to be handled.
    pub fn add(&mut self, obligation: Obligation) -> Id {
        let id = self.all.len() as Id;
        self.all.push(obligation);
        self.enqueue(id);
        id
    }

    /// The obligation with number `id`.
    pub fn get(&self, id: Id) -> &Obligation {
        &self.all[id as usize]
    }

    /// For changing its level or how it was blocked; it must not be in the queue.
    pub fn get_mut(&mut self, id: Id) -> &mut Obligation {
        &mut self.all[id as usize]
    }

    /// Puts an obligation into the queue (again).
    pub fn enqueue(&mut self, id: Id) {
        let o = self.get(id);
        let key = (o.level, o.loc.as_u32(), o.cube.len(), id);
        self.queue.insert(key);
    }

    /// The lowest obligation; among those of a level the one at the lowest location with the fewest
    /// literals.
    pub fn pop(&mut self) -> Option<Id> {
        self.queue.pop_first().map(|(.., id)| id)
    }

    /// Forgets what is to be handled and what was kept.
    pub fn clear(&mut self) {
        self.queue.clear();
        self.kept.clear();
    }

    /// How many were ever made.
    pub fn made(&self) -> usize {
        self.all.len()
    }

    /// The steps from `id` to the target: each obligation with the edge that leaves it.
    pub fn path(&self, id: Id) -> Vec<Id> {
        let mut path = vec![id];
        while let Some(parent) = self.get(path[path.len() - 1]).parent {
            path.push(parent);
        }
        path
    }
}
