//! Proof obligations: cubes that lead to a bad state and must be blocked, lowest level first.

use crate::cube::Cube;
use crate::lit::Lit;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A cube, all of whose states reach a bad state by the inputs on the way.
pub struct Obligation {
    /// The states.
    pub cube: Rc<Cube>,
    /// The same with what it says of signals, where there are any.
    pub wide: Option<Rc<Cube>>,
    /// Where they must be blocked.
    pub level: usize,
    /// Steps to the bad state.
    pub depth: usize,
    /// The inputs of the step to the next obligation, or of the bad condition.
    pub inputs: Vec<Lit>,
    /// The obligation it reaches in one step; none for a bad state.
    pub next: Option<usize>,
    /// How often it was tried, decaying over levels.
    pub activity: f64,
}

type Key = (usize, usize, usize, usize);

/// The queue, and all obligations ever made, by number.
#[derive(Default)]
pub struct Obligations {
    all: Vec<Obligation>,
    queue: BTreeSet<Key>,
}

impl Obligations {
    fn key(&self, id: usize) -> Key {
        let o = &self.all[id];
        (o.level, o.depth, o.cube.len(), id)
    }

    /// Queues a new one.
    pub fn add(&mut self, obligation: Obligation) -> usize {
        let id = self.all.len();
        self.all.push(obligation);
        self.queue.insert(self.key(id));
        id
    }

    /// The one with this number.
    pub fn get(&self, id: usize) -> &Obligation {
        &self.all[id]
    }

    /// Takes the next one out, if its level is at most `level`.
    pub fn pop(&mut self, level: usize) -> Option<usize> {
        let key = *self.queue.first()?;
        if key.0 > level {
            return None;
        }
        self.queue.remove(&key);
        Some(key.3)
    }

    /// Queues it again at a level; further steps from there halve its activity each.
    pub fn push_to(&mut self, id: usize, level: usize) {
        let o = &mut self.all[id];
        for _ in o.level..level.min(o.level + 64) {
            o.activity *= 0.6;
        }
        o.level = level;
        self.queue.insert(self.key(id));
    }

    /// If it is queued below `level`, moves it there.
    pub fn raise(&mut self, id: usize, level: usize) {
        let key = self.key(id);
        if key.0 < level && self.queue.remove(&key) {
            self.push_to(id, level);
        }
    }

    /// Counts a try.
    pub fn bump(&mut self, id: usize) {
        self.all[id].activity += 1.0;
    }

    /// The highest activity on the way from the one after `id`, five steps far.
    pub fn heat(&self, id: usize) -> f64 {
        let (mut heat, mut at) = (0.0f64, self.all[id].next);
        for _ in 0..5 {
            let Some(next) = at else { break };
            heat = heat.max(self.all[next].activity);
            at = self.all[next].next;
        }
        heat
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.queue.clear();
    }
}
