//! Which subterms the printer defines by `let`: text stays linear in the DAG.
//!
//! A term that is no leaf gets a definition when it is used more than once and its printed tree
//! has more than [`INLINE`] nodes, or when its printed tree is [`DEPTH`] levels deep. So a shared
//! term is either small or printed once, and no line nests deeper than the limit.

use crate::entity::Term;
use crate::pool::TermPool;
use rustc_hash::FxHashMap;

/// Shared trees up to this many nodes are repeated where they are used.
const INLINE: u32 = 8;

/// The depth at which a tree is cut.
const DEPTH: u32 = 64;

#[derive(Clone, Copy, Default)]
struct Info {
    uses: u32,
    /// Nodes of the printed tree; 1 for a defined term.
    size: u32,
    /// Levels of the printed tree; 1 for a defined term.
    depth: u32,
    state: State,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    /// Printed in place.
    #[default]
    Inline,
    /// Printed in place; all below has been looked at for definitions.
    Visited,
    /// To be defined before its first use.
    Pending,
    /// Defined under this number.
    Defined(u32),
}

/// The decision for every term reachable from some roots.
pub struct Sharing {
    info: FxHashMap<Term, Info>,
    next: u32,
}

impl Sharing {
    /// No definitions at all: for text that nobody parses.
    pub fn none() -> Sharing {
        Sharing {
            info: FxHashMap::default(),
            next: 0,
        }
    }

    /// Decides for the terms below `roots`; a root that occurs twice counts twice.
    pub fn new(pool: &TermPool, roots: impl IntoIterator<Item = Term>) -> Sharing {
        let mut info: FxHashMap<Term, Info> = FxHashMap::default();
        let mut order = Vec::new();
        let mut stack = Vec::new();
        for root in roots {
            stack.push((root, false));
            while let Some((t, opened)) = stack.pop() {
                if opened {
                    order.push(t);
                    continue;
                }
                let entry = info.entry(t).or_default();
                entry.uses += 1;
                (entry.size, entry.depth) = (1, 1);
                if entry.uses == 1 && pool.op(t).arity() > 0 {
                    stack.push((t, true));
                    stack.extend(pool.args(t).rev().map(|a| (a, false)));
                }
            }
        }
        for t in order {
            let (mut size, mut depth) = (1u32, 0);
            for a in pool.args(t) {
                let a = &info[&a];
                size = size.saturating_add(a.size);
                depth = depth.max(a.depth);
            }
            depth += 1;
            let entry = info.get_mut(&t).expect("counted above");
            if (entry.uses > 1 && size > INLINE) || depth >= DEPTH {
                entry.state = State::Pending; // size and depth stay 1
            } else {
                (entry.size, entry.depth) = (size, depth);
            }
        }
        Sharing { info, next: 0 }
    }

    /// The number under which `t` has been defined.
    pub fn number(&self, t: Term) -> Option<u32> {
        match self.info.get(&t)?.state {
            State::Defined(n) => Some(n),
            _ => None,
        }
    }

    /// The terms to be defined before `root` can be printed, in order of need. Numbers them, so
    /// the caller prints each definition before anything else.
    pub fn definitions(&mut self, pool: &TermPool, root: Term) -> Vec<Term> {
        let mut found = Vec::new();
        let mut stack = vec![(root, false)];
        while let Some((t, opened)) = stack.pop() {
            let Some(info) = self.info.get_mut(&t) else {
                continue;
            };
            match info.state {
                State::Defined(_) | State::Visited => {}
                State::Pending if opened => {
                    info.state = State::Defined(self.next);
                    self.next += 1;
                    found.push(t);
                }
                state => {
                    if state == State::Pending {
                        stack.push((t, true));
                    } else {
                        info.state = State::Visited;
                    }
                    stack.extend(pool.args(t).rev().map(|a| (a, false)));
                }
            }
        }
        found
    }
}
