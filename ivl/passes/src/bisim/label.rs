//! Labels: one number for all commands of the same structure.
//!
//! Terms are hash-consed, so two leaves are equal when their variables, terms and inputs are. The
//! items of one parallel assignment or havoc have no order; the branches of a choice have, since
//! traces name them by number.

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;
use trellis_ivl::{Cmd, CmdPool, CmdView, Input, Term, Var};

#[derive(PartialEq, Eq, Hash)]
enum Key {
    Skip,
    Assume(Term),
    Assign(Box<[(Var, Term)]>),
    Havoc(Box<[(Var, Input)]>),
    Seq(Box<[u32]>),
    Choice(Box<[u32]>),
}

/// Numbers commands by structure.
#[derive(Default)]
pub(super) struct Labels {
    numbers: FxHashMap<Key, u32>,
    done: SecondaryMap<Cmd, Option<u32>>,
}

fn sorted<T: Copy + Ord>(items: &[T]) -> Box<[T]> {
    let mut items: Box<[T]> = items.into();
    items.sort_unstable();
    items
}

impl Labels {
    /// The number of `cmd`'s structure.
    pub(super) fn of(&mut self, cmds: &CmdPool, cmd: Cmd) -> u32 {
        let mut stack = vec![cmd];
        while let Some(&c) = stack.last() {
            if self.done[c].is_some() {
                stack.pop();
                continue;
            }
            let key = match cmds.view(c) {
                CmdView::Skip => Some(Key::Skip),
                CmdView::Assume(t) => Some(Key::Assume(t)),
                CmdView::Assign(items) => Some(Key::Assign(sorted(items))),
                CmdView::Havoc(items) => Some(Key::Havoc(sorted(items))),
                CmdView::Seq(cs) => self.children(cs).map(Key::Seq),
                CmdView::Choice(cs) => self.children(cs).map(Key::Choice),
            };
            match (key, cmds.view(c)) {
                (Some(key), _) => {
                    let next = self.numbers.len() as u32;
                    self.done[c] = Some(*self.numbers.entry(key).or_insert(next));
                    stack.pop();
                }
                (None, CmdView::Seq(cs) | CmdView::Choice(cs)) => {
                    stack.extend(cs.iter().filter(|&&c| self.done[c].is_none()));
                }
                (None, _) => unreachable!("leaves have a key"),
            }
        }
        self.done[cmd].expect("the root was numbered last")
    }

    /// The numbers of all children, once they have one.
    fn children(&self, cs: &[Cmd]) -> Option<Box<[u32]>> {
        cs.iter().map(|&c| self.done[c]).collect()
    }
}
