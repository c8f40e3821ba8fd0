//! How many dynamic objects a run makes at most, and whether that is any number.
//!
//! Where it is not, the address space can be cut for the few there are, and nothing has to be assumed of their number. What is
//! not seen here is told as incomplete where it happens, so a mistake costs an answer.

use super::escape::{Facts, Walk};
use super::libc_effects::{self, Effect};
use super::object::has_fixed_address;
use crate::hir::{self, ExprKind as H, Hir, StmtKind as S};
use rustc_hash::{FxHashMap, FxHashSet};

/// As many are any number.
const MANY: u64 = 1 << 20;

/// What makes objects in the body of a function.
enum Maker {
    /// One object, by an allocating function or a declaration.
    Object,
    /// As many as a function makes.
    Call(hir::Func),
    /// As many as any function makes whose address is taken.
    Pointer,
}

/// The number of dynamic objects that a run makes at most; `None` where it may be any.
pub fn dynamic_objects(hir: &Hir, entry: hir::Func, facts: &Facts) -> Option<u64> {
    let mut makers: FxHashMap<hir::Func, Vec<(Maker, bool)>> = FxHashMap::default();
    for (f, data) in hir.funcs.iter() {
        if let Some(body) = data.body {
            makers.insert(f, makers_of(hir, facts, f, body));
        }
    }
    let mut made: FxHashMap<hir::Func, u64> = FxHashMap::default();
    loop {
        let mut changed = false;
        for (f, data) in hir.funcs.iter() {
            let Some(list) = makers.get(&f).filter(|_| data.body.is_some()) else {
                continue;
            };
            let by_pointer = || {
                let taken = hir.funcs.iter().filter(|(_, g)| g.address_taken);
                let most = taken.map(|(g, _)| made.get(&g).copied().unwrap_or(0));
                most.max().unwrap_or(0)
            };
            let mut sum = 0u64;
            for (maker, again) in list {
                let number = match maker {
                    Maker::Object => 1,
                    Maker::Call(g) => made.get(g).copied().unwrap_or(0),
                    Maker::Pointer => by_pointer(),
                };
                let many = number > 0 && (*again || facts.recursive.contains(&f));
                sum = (sum + if many { MANY } else { number }).min(MANY);
            }
            if made.insert(f, sum).unwrap_or(0) != sum {
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    // Constructors, and what runs at the end.
    let around = super::lifecycle::constructors(hir);
    let around = around.into_iter().chain(super::lifecycle::at_the_end(hir));
    let total = around.chain([entry]).fold(0u64, |sum, f| {
        let number = made.get(&f).copied().unwrap_or(0);
        (sum + number).min(MANY)
    });
    (total < MANY).then_some(total)
}

/// What makes objects in a body, and whether it may do so more than once.
fn makers_of(hir: &Hir, facts: &Facts, f: hir::Func, body: hir::Stmt) -> Vec<(Maker, bool)> {
    let jumps = |s: hir::Stmt| matches!(hir.stmts[s].kind, S::Goto(_) | S::GotoComputed(_));
    let jumps = Walk::statements(hir, body).any(jumps);
    let mut again: (FxHashSet<hir::Expr>, FxHashSet<hir::Stmt>) = Default::default();
    for s in Walk::statements(hir, body) {
        let is_loop = matches!(
            hir.stmts[s].kind,
            S::While { .. } | S::DoWhile { .. } | S::For { .. }
        );
        if is_loop && again.1.insert(s) {
            Walk::new(hir, s).run(|e| _ = again.0.insert(e));
            again.1.extend(Walk::statements(hir, s));
        }
    }
    let mut makers = Vec::new();
    Walk::new(hir, body).run(|e| {
        let H::Call { callee, .. } = &hir.exprs[e].kind else {
            return;
        };
        let maker = match hir.exprs[*callee].kind {
            H::FuncAddr(g) if hir.funcs[g].body.is_some() => Maker::Call(g),
            H::FuncAddr(g) => match libc_effects::of(&hir.funcs[g].name) {
                Effect::Allocates { .. } | Effect::Reallocates | Effect::Duplicates => {
                    Maker::Object
                }
                _ => return,
            },
            _ => Maker::Pointer,
        };
        makers.push((maker, jumps || again.0.contains(&e)));
    });
    let moves = |v: hir::Var| facts.in_memory[v] && !has_fixed_address(hir, facts, v);
    for s in Walk::statements(hir, body) {
        if let S::Decl { var, .. } = hir.stmts[s].kind
            && moves(var)
        {
            makers.push((Maker::Object, jumps || again.1.contains(&s)));
        }
    }
    let params = hir
        .vars
        .iter()
        .filter(|(_, data)| data.storage == hir::Storage::Param && data.owner == Some(f));
    for (v, _) in params {
        if moves(v) {
            makers.push((Maker::Object, jumps));
        }
    }
    makers
}
