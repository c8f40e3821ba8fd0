//! Where C leaves the order of evaluation open and it matters.
//!
//! Operands of most operators and arguments of a call may be evaluated in any order; the model has gcc's. It matters where
//! one of them may write what the other reads or writes. What an expression touches is known by variables in registers
//! and by classes of memory; what a function touches, by a fixpoint over the functions it calls.

use super::Lowerer;
use super::escape::{Walk, root};
use super::libc_effects::{self, Effect};
use super::pointsto::Node;
use crate::assumptions::Assumption;
use crate::hir::{self, ExprKind as H, Hir};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Something that is read or written.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Item {
    Var(hir::Var),
    Memory(Node),
}

/// What is touched.
#[derive(Clone, Default)]
struct Touched {
    reads: FxHashSet<Item>,
    writes: FxHashSet<Item>,
}

impl Touched {
    fn conflicts(&self, other: &Touched) -> bool {
        let meets = |a: &FxHashSet<Item>, b: &FxHashSet<Item>| a.iter().any(|i| b.contains(i));
        meets(&self.writes, &other.reads)
            || meets(&self.writes, &other.writes)
            || meets(&self.reads, &other.writes)
    }

    fn size(&self) -> usize {
        self.reads.len() + self.writes.len()
    }

    fn add(&mut self, other: &Touched) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
    }
}

/// What functions touch besides their own variables.
#[derive(Default)]
pub struct Summaries(FxHashMap<hir::Func, Touched>);

impl Lowerer<'_> {
    /// Rests on gcc's order where that of two expressions is open and matters.
    pub(super) fn rely_on_order(&mut self, a: hir::Expr, b: hir::Expr, what: &str) {
        if !self.live() || (!self.facts.effects[a] && !self.facts.effects[b]) {
            return;
        }
        let summaries = self.summaries();
        let (x, y) = (self.touched(a, &summaries), self.touched(b, &summaries));
        if x.conflicts(&y) {
            self.grant_or_give_up(Assumption::EvaluationOrder, what);
        }
    }

    /// The same for the arguments of a call.
    pub(super) fn rely_on_order_of(&mut self, args: &[hir::Expr]) {
        if args.len() < 2 || !args.iter().any(|a| self.facts.effects[*a]) {
            return;
        }
        for (i, a) in args.iter().enumerate() {
            for b in &args[i + 1..] {
                self.rely_on_order(*a, *b, "arguments of a call");
            }
        }
    }

    fn touched(&self, e: hir::Expr, summaries: &Summaries) -> Touched {
        let mut touched = Touched::default();
        let mut callees = Vec::new();
        Walk::of_expr(self.hir, e).run(|e| self.touch(e, &mut touched, &mut callees));
        for f in callees {
            if let Some(summary) = summaries.0.get(&f) {
                touched.add(summary);
            }
        }
        touched
    }

    fn item(&self, place: hir::Expr) -> Item {
        match root(self.hir, place) {
            Some(v) if !self.facts.in_memory[v] => Item::Var(v),
            _ => Item::Memory(self.classes.of_expr(place)),
        }
    }

    /// What one node of an expression does by itself, and whom it calls.
    fn touch(&self, e: hir::Expr, touched: &mut Touched, callees: &mut Vec<hir::Func>) {
        let hir = self.hir;
        match &hir.exprs[e].kind {
            H::Load(place) => _ = touched.reads.insert(self.item(*place)),
            H::Assign(lhs, _) => _ = touched.writes.insert(self.item(*lhs)),
            H::AssignOp { lhs, .. } | H::AssignPtr { lhs, .. } | H::IncDec { lhs, .. } => {
                touched.reads.insert(self.item(*lhs));
                touched.writes.insert(self.item(*lhs));
            }
            H::Call { callee, args } => match hir.exprs[*callee].kind {
                H::FuncAddr(f) if hir.funcs[f].body.is_some() => callees.push(f),
                H::FuncAddr(f) => self.touch_library(&hir.funcs[f].name, args, touched),
                _ => callees.extend(taken(hir)),
            },
            _ => {}
        }
    }

    fn touch_library(&self, name: &str, args: &[hir::Expr], touched: &mut Touched) {
        let class = |i: usize| args.get(i).map(|a| Item::Memory(self.classes.of_expr(*a)));
        let effect = libc_effects::of(name);
        let (written, read) = match effect {
            Effect::Copies | Effect::CopiesBytes => (class(0), class(1)),
            Effect::Fills { .. } | Effect::Forgets { .. } => (class(0), None),
            Effect::Stores => (class(2), None),
            Effect::ReadsBytes => (None, class(0).or(class(1))),
            _ => (None, None),
        };
        touched.writes.extend(written);
        touched.reads.extend(read);
    }

    fn summaries(&mut self) -> Rc<Summaries> {
        if let Some(summaries) = &self.summaries {
            return summaries.clone();
        }
        let hir = self.hir;
        let mut all = Summaries::default();
        let mut calls: Vec<(hir::Func, Vec<hir::Func>)> = Vec::new();
        for (f, data) in hir.funcs.iter() {
            let Some(body) = data.body else { continue };
            let (mut touched, mut callees) = (Touched::default(), Vec::new());
            Walk::new(hir, body).run(|e| self.touch(e, &mut touched, &mut callees));
            // Nobody else sees its own variables.
            let seen = |item: &Item| match item {
                Item::Var(v) => hir.vars[*v].owner.is_none() || is_static(hir, *v),
                Item::Memory(_) => true,
            };
            touched.reads.retain(seen);
            touched.writes.retain(seen);
            all.0.insert(f, touched);
            calls.push((f, callees));
        }
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (f, callees) in &calls {
                let mut touched = all.0.get(f).cloned().unwrap_or_default();
                let before = touched.size();
                for callee in callees {
                    if let Some(more) = all.0.get(callee) {
                        touched.add(more);
                    }
                }
                changed |= touched.size() > before;
                all.0.insert(*f, touched);
            }
        }
        let all = Rc::new(all);
        self.summaries = Some(all.clone());
        all
    }
}

fn is_static(hir: &Hir, v: hir::Var) -> bool {
    matches!(
        hir.vars[v].storage,
        hir::Storage::Global | hir::Storage::Static
    )
}

/// What a call through a pointer may call.
fn taken(hir: &Hir) -> impl Iterator<Item = hir::Func> {
    let taken = hir
        .funcs
        .iter()
        .filter(|(_, f)| f.address_taken && f.body.is_some());
    taken.map(|(f, _)| f)
}
