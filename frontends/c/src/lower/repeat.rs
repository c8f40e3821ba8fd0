//! Whether a run may make any number of dynamic objects.
//!
//! Where it may not, it never needs more than the address space has, and nothing has to be assumed. What is not seen here is
//! told as incomplete where it happens, so a mistake costs an answer.

use super::escape::{Facts, Walk};
use super::libc_effects::{self, Effect};
use super::object::MAX_HAVOC_BYTES;
use crate::hir::{self, ExprKind as H, Hir, StmtKind as S, Storage};

/// Whether allocation, or a call that may allocate, stands in a loop or in a function that calls itself.
pub fn allocates_again(hir: &Hir, facts: &Facts) -> bool {
    let jumps = |s: &hir::StmtData| matches!(s.kind, S::Goto(_) | S::GotoComputed(_));
    let mut loops = hir
        .stmts
        .iter()
        .filter(|(_, s)| matches!(s.kind, S::While { .. } | S::DoWhile { .. } | S::For { .. }));
    let large = hir.vars.iter().any(|(v, data)| {
        let size = hir.types.size_of(data.ty.ty).unwrap_or(u64::MAX);
        data.storage == Storage::Local && facts.in_memory[v] && size > MAX_HAVOC_BYTES
    });
    !facts.recursive.is_empty()
        || hir.stmts.values().any(jumps)
        || loops.any(|(s, _)| large || calls_allocator(hir, s))
}

/// Whether a statement calls what may allocate: an allocating function, one with a body, or any by pointer.
fn calls_allocator(hir: &Hir, s: hir::Stmt) -> bool {
    let mut found = false;
    Walk::new(hir, s).run(|e| {
        let H::Call { callee, .. } = &hir.exprs[e].kind else {
            return;
        };
        found |= match hir.exprs[*callee].kind {
            H::FuncAddr(f) => {
                let f = &hir.funcs[f];
                f.body.is_some()
                    || matches!(
                        libc_effects::of(&f.name),
                        Effect::Allocates { .. } | Effect::Reallocates | Effect::Duplicates
                    )
            }
            _ => true,
        };
    });
    found
}
