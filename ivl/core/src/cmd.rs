//! Guarded commands in an append-only pool.
//!
//! A command is a tree of `skip`, `assume`, parallel assignment, `havoc`, sequence and choice.
//! Lists live in flat arrays shared by all commands, so a command is twelve bytes plus its items,
//! and passes share subtrees instead of copying them.

use crate::entity::{Cmd, Input, Term, Var};
use cranelift_entity::{EntityRef, PrimaryMap};
use std::ops::Range;

/// A command as stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Data {
    Skip,
    Assume(Term),
    Assign(List),
    Havoc(List),
    Seq(List),
    Choice(List),
}

/// A slice of one of the pool's flat arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct List {
    start: u32,
    len: u32,
}

impl List {
    fn range(self) -> Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

/// A command as seen by a reader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CmdView<'a> {
    /// Does nothing.
    Skip,
    /// Goes on only where the condition holds.
    Assume(Term),
    /// Assigns all at once: every right-hand side reads the state before.
    Assign(&'a [(Var, Term)]),
    /// Gives each variable any value; the input says where that value enters the program.
    Havoc(&'a [(Var, Input)]),
    /// One after the other; at least two, none of them a sequence or `skip`.
    Seq(&'a [Cmd]),
    /// Any one of them; at least two.
    Choice(&'a [Cmd]),
}

/// All commands of a program.
#[derive(Clone)]
pub struct CmdPool {
    data: PrimaryMap<Cmd, Data>,
    assigns: Vec<(Var, Term)>,
    havocs: Vec<(Var, Input)>,
    children: Vec<Cmd>,
}

impl Default for CmdPool {
    fn default() -> Self {
        Self::new()
    }
}

fn append<T: Copy>(to: &mut Vec<T>, items: &[T]) -> List {
    let start = u32::try_from(to.len()).expect("fewer than 2^32 list items fit in memory");
    to.extend_from_slice(items);
    List {
        start,
        len: items.len() as u32,
    }
}

impl CmdPool {
    /// A pool that holds `skip` only.
    pub fn new() -> CmdPool {
        let mut data = PrimaryMap::new();
        data.push(Data::Skip);
        CmdPool {
            data,
            assigns: Vec::new(),
            havocs: Vec::new(),
            children: Vec::new(),
        }
    }

    /// Number of commands ever made.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// Whether there is nothing but `skip`.
    pub fn is_empty(&self) -> bool {
        self.data.len() == 1
    }

    /// `skip`.
    pub fn skip(&self) -> Cmd {
        Cmd::new(0)
    }

    /// `assume t`.
    pub fn assume(&mut self, t: Term) -> Cmd {
        self.data.push(Data::Assume(t))
    }

    /// `x := t`.
    pub fn assign(&mut self, x: Var, t: Term) -> Cmd {
        self.assign_all(&[(x, t)])
    }

    /// `x, y := s, t` at once; each variable at most once.
    pub fn assign_all(&mut self, items: &[(Var, Term)]) -> Cmd {
        if items.is_empty() {
            return self.skip();
        }
        let list = append(&mut self.assigns, items);
        self.data.push(Data::Assign(list))
    }

    /// `havoc x, y`; each variable at most once.
    pub fn havoc(&mut self, items: &[(Var, Input)]) -> Cmd {
        if items.is_empty() {
            return self.skip();
        }
        let list = append(&mut self.havocs, items);
        self.data.push(Data::Havoc(list))
    }

    /// The commands one after the other. Flattens sequences and drops `skip`.
    pub fn seq(&mut self, items: &[Cmd]) -> Cmd {
        let mut flat = Vec::with_capacity(items.len());
        for &c in items {
            match self.data[c] {
                Data::Skip => {}
                Data::Seq(list) => flat.extend_from_slice(&self.children[list.range()]),
                _ => flat.push(c),
            }
        }
        match flat[..] {
            [] => self.skip(),
            [c] => c,
            _ => {
                let list = append(&mut self.children, &flat);
                self.data.push(Data::Seq(list))
            }
        }
    }

    /// Any one of the commands. Keeps the order and number of branches: traces refer to them.
    ///
    /// # Panics
    /// On an empty slice: a choice among nothing is `assume false`, which needs a term.
    pub fn choice(&mut self, items: &[Cmd]) -> Cmd {
        match items {
            [] => panic!("a choice among no commands"),
            [c] => *c,
            _ => {
                let list = append(&mut self.children, items);
                self.data.push(Data::Choice(list))
            }
        }
    }

    /// The command `c`.
    pub fn view(&self, c: Cmd) -> CmdView<'_> {
        match self.data[c] {
            Data::Skip => CmdView::Skip,
            Data::Assume(t) => CmdView::Assume(t),
            Data::Assign(l) => CmdView::Assign(&self.assigns[l.range()]),
            Data::Havoc(l) => CmdView::Havoc(&self.havocs[l.range()]),
            Data::Seq(l) => CmdView::Seq(&self.children[l.range()]),
            Data::Choice(l) => CmdView::Choice(&self.children[l.range()]),
        }
    }

    /// Calls `visit` for every leaf (`skip`, assume, assign, havoc) of `c` in textual order.
    pub fn for_each_leaf<'a>(&'a self, c: Cmd, mut visit: impl FnMut(CmdView<'a>)) {
        let mut stack = vec![c];
        while let Some(c) = stack.pop() {
            match self.view(c) {
                CmdView::Seq(cs) | CmdView::Choice(cs) => stack.extend(cs.iter().rev()),
                leaf => visit(leaf),
            }
        }
    }

    /// The terms in `c`, in textual order, with repetitions.
    pub fn terms(&self, c: Cmd) -> Vec<Term> {
        let mut terms = Vec::new();
        self.for_each_leaf(c, |leaf| match leaf {
            CmdView::Assume(t) => terms.push(t),
            CmdView::Assign(items) => terms.extend(items.iter().map(|&(_, t)| t)),
            _ => {}
        });
        terms
    }

    /// The variables that `c` may change, sorted, each once.
    pub fn modified(&self, c: Cmd) -> Vec<Var> {
        let mut vars = Vec::new();
        self.for_each_leaf(c, |leaf| match leaf {
            CmdView::Assign(items) => vars.extend(items.iter().map(|&(v, _)| v)),
            CmdView::Havoc(items) => vars.extend(items.iter().map(|&(v, _)| v)),
            _ => {}
        });
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    /// Number of basic operations (assumes, single assignments, single havocs) in `c`: the
    /// measure of large-block encoding's limit.
    pub fn operations(&self, c: Cmd) -> usize {
        let mut n = 0;
        self.for_each_leaf(c, |leaf| {
            n += match leaf {
                CmdView::Assume(_) => 1,
                CmdView::Assign(items) => items.len(),
                CmdView::Havoc(items) => items.len(),
                _ => 0,
            }
        });
        n
    }

    /// A copy of `c` with every leaf mapped; the structure of choices stays as it is.
    pub fn map_leaves(&mut self, c: Cmd, leaf: &mut impl FnMut(&mut CmdPool, Cmd) -> Cmd) -> Cmd {
        let (is_seq, list) = match self.data[c] {
            Data::Seq(list) => (true, list),
            Data::Choice(list) => (false, list),
            _ => return leaf(self, c),
        };
        let mut mapped = Vec::with_capacity(list.len as usize);
        for i in list.range() {
            let child = self.children[i];
            mapped.push(self.map_leaves(child, leaf));
        }
        if mapped == self.children[list.range()] {
            c
        } else if is_seq {
            self.seq(&mapped)
        } else {
            self.choice(&mapped)
        }
    }
}
