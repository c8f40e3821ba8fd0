//! Locals whose every life needs an address of its own.
//!
//! A local of a function that does not call itself has one fixed address, which makes proofs cheap. But a block that is entered
//! again, or a function that is called again, gives its locals new lives, and a pointer from an earlier life must not
//! become valid with the next one. So a local has fresh addresses where something may hold a pointer to it that outlives it: a
//! static object, the heap, a variable of a block around it or of a function that calls its function.

use super::escape::{CallGraph, Facts, Walk};
use super::object::has_fixed_address;
use super::pointsto::{Classes, Node};
use crate::hir::{self, ExprKind as H, Hir, StmtKind as S, Storage};
use rustc_hash::{FxHashMap, FxHashSet};

/// A block of a function; the body has number 0.
type Block = usize;

/// The locals that something which outlives them may point to.
pub fn outlived(
    hir: &Hir,
    facts: &Facts,
    classes: &Classes,
    calls: &CallGraph,
    entry: hir::Func,
) -> Vec<hir::Var> {
    let is_local = |v: hir::Var| matches!(hir.vars[v].storage, Storage::Local | Storage::Param);
    let locals: Vec<hir::Var> = hir
        .vars
        .keys()
        .filter(|v| is_local(*v) && facts.in_memory[*v] && has_fixed_address(hir, facts, *v))
        .collect();
    if locals.is_empty() {
        return Vec::new();
    }
    let lasting = lasting_contents(hir, facts, classes);
    let mut holders: FxHashMap<Node, Vec<hir::Var>> = FxHashMap::default();
    for v in hir.vars.keys().filter(|v| is_local(*v)) {
        for content in classes.contents_of(classes.of_var(v)) {
            holders.entry(content).or_default().push(v);
        }
    }
    let mut blocks = Blocks::default();
    let mut is_outlived = |x: hir::Var| {
        let Some(owner) = hir.vars[x].owner else {
            return true;
        };
        let inside = blocks.of(hir, owner, x);
        if owner == entry && inside == Some(0) {
            // It lives once.
            return false;
        }
        let class = classes.of_var(x);
        let held = holders.get(&class).into_iter().flatten();
        lasting.contains(&class)
            || held.copied().any(|v| match hir.vars[v].owner {
                Some(f) if f == owner => {
                    let around = blocks.of(hir, owner, v);
                    blocks.is_around(owner, around, inside)
                }
                Some(f) => calls.reaches(f, owner),
                None => true,
            })
    };
    locals.into_iter().filter(|x| is_outlived(*x)).collect()
}

/// What static objects and the heap may point to.
fn lasting_contents(hir: &Hir, facts: &Facts, classes: &Classes) -> FxHashSet<Node> {
    let mut locals: FxHashMap<Node, u32> = FxHashMap::default();
    let mut lasting = FxHashSet::default();
    for (v, data) in hir.vars.iter() {
        let class = classes.of_var(v);
        match data.storage {
            Storage::Global | Storage::Static => lasting.extend(classes.contents_of(class)),
            _ if facts.in_memory[v] => *locals.entry(class).or_default() += 1,
            _ => {}
        }
    }
    for class in classes.all() {
        let more = classes.facts(class).objects > locals.get(&class).copied().unwrap_or(0);
        if more {
            lasting.extend(classes.contents_of(class));
        }
    }
    lasting
}

/// The blocks in which variables are declared.
#[derive(Default)]
struct Blocks {
    functions: FxHashMap<hir::Func, FunctionBlocks>,
}

#[derive(Default)]
struct FunctionBlocks {
    parents: Vec<Block>,
    vars: FxHashMap<hir::Var, Block>,
}

impl Blocks {
    /// The block of a variable; parameters are in the body. Nothing for what no declaration names: compound literals.
    fn of(&mut self, hir: &Hir, f: hir::Func, var: hir::Var) -> Option<Block> {
        if hir.vars[var].storage == Storage::Param {
            return Some(0);
        }
        let blocks = self.functions.entry(f).or_insert_with(|| {
            let mut blocks = FunctionBlocks::default();
            if let Some(body) = hir.funcs[f].body {
                blocks.enter(hir, body);
            }
            blocks
        });
        blocks.vars.get(&var).copied()
    }

    /// Whether a block is strictly around another; where one is not known, it may be.
    fn is_around(&self, f: hir::Func, outer: Option<Block>, inner: Option<Block>) -> bool {
        let (Some(outer), Some(mut inner)) = (outer, inner) else {
            return true;
        };
        let Some(blocks) = self.functions.get(&f) else {
            return true;
        };
        while inner > outer {
            inner = blocks.parents[inner];
            if inner == outer {
                return true;
            }
        }
        false
    }
}

impl FunctionBlocks {
    fn enter(&mut self, hir: &Hir, body: hir::Stmt) {
        // Statements with the block around them; the body opens block 0.
        let mut work = vec![(body, None)];
        while let Some((stmt, around)) = work.pop() {
            let open = |this: &mut Self| {
                this.parents.push(around.unwrap_or(0));
                this.parents.len() - 1
            };
            match &hir.stmts[stmt].kind {
                S::Decl { var, .. } => {
                    self.vars.insert(*var, around.unwrap_or(0));
                }
                S::Block(list) => {
                    let block = Some(open(self));
                    work.extend(list.iter().map(|s| (*s, block)));
                }
                S::For { init, body, .. } => {
                    let block = Some(open(self));
                    work.extend(init.iter().map(|s| (*s, block)));
                    work.push((*body, block));
                }
                S::If { then, other, .. } => {
                    work.push((*then, around));
                    work.extend(other.map(|s| (s, around)));
                }
                S::While { body, .. }
                | S::DoWhile { body, .. }
                | S::Switch { body, .. }
                | S::Case(_, body)
                | S::Label(_, body) => work.push((*body, around)),
                _ => {}
            }
            // Statements in expressions are blocks of their own.
            Walk::own_expressions(hir, stmt).for_each(|e| {
                if let H::StmtExpr { body, .. } = &hir.exprs[e].kind {
                    let block = Some(open(self));
                    work.extend(body.iter().map(|s| (*s, block)));
                }
            });
        }
    }
}
