//! Proof obligations: abstract states from which an error is abstractly reached, to be blocked, the lowest level
//! first.

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use trellis_ivl::{Edge, Loc, Term, Value, Var};

/// The number of an obligation.
pub(crate) type Id = usize;

/// An abstract state to be blocked.
pub(crate) struct Obligation {
    pub loc: Loc,
    /// Literals of predicates, sorted.
    pub cube: Vec<Term>,
    /// A state of the cube that takes the edge.
    pub state: FxHashMap<Var, Value>,
    /// The inputs with which it does.
    pub inputs: FxHashMap<Var, Value>,
    /// Whether every state of the cube reaches the parent's cube through the edge.
    pub exact: bool,
    /// The edge to the parent, or to the target.
    pub edge: Edge,
    pub parent: Option<Id>,
}

/// Obligations and their queue.
#[derive(Default)]
pub(crate) struct Obligations {
    all: Vec<Obligation>,
    queue: BTreeSet<(u32, Id)>,
}

impl Obligations {
    pub fn get(&self, id: Id) -> &Obligation {
        &self.all[id]
    }

    /// Adds an obligation without queueing it.
    pub fn add(&mut self, obligation: Obligation) -> Id {
        self.all.push(obligation);
        self.all.len() - 1
    }

    pub fn enqueue(&mut self, id: Id, level: u32) {
        self.queue.insert((level, id));
    }

    pub fn pop(&mut self) -> Option<(u32, Id)> {
        self.queue.pop_first()
    }

    pub fn clear(&mut self) {
        self.all.clear();
        self.queue.clear();
    }

    /// The obligations from `first` to the target.
    pub fn path(&self, first: Id) -> Vec<Id> {
        let mut path = vec![first];
        let mut at = first;
        while let Some(parent) = self.all[at].parent {
            path.push(parent);
            at = parent;
        }
        path
    }
}
