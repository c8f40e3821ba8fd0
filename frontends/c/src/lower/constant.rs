//! Which initialisers of static objects the lowering can compute.

use crate::hir::{self, ExprKind as H, Hir};

/// Whether the value of a static initialiser is known; otherwise so little is known of the object that
/// any use of it is incomplete.
pub fn is_modelled(hir: &Hir, init: &hir::Init) -> bool {
    init.items.iter().all(|item| is_value(hir, item.value))
}

fn is_value(hir: &Hir, e: hir::Expr) -> bool {
    let kind = &hir.exprs[e].kind;
    let floating = |e: hir::Expr| hir.types.is_floating(hir.ty(e));
    let from_float = match kind {
        H::Cast(a) | H::Unary(_, a) | H::Binary(_, a, _) => floating(*a),
        _ => false,
    };
    if floating(e) || from_float || matches!(kind, H::Call { .. }) {
        return hir.eval_int(e).is_some() || hir.eval_float(e).is_some();
    }
    match kind {
        H::Int(_) | H::LabelAddr(_) => true,
        H::FuncAddr(f) | H::FuncRef(f) => hir.funcs[*f].odd.is_none(),
        H::Cast(a) | H::Unary(_, a) => is_value(hir, *a),
        H::Binary(_, a, b) | H::And(a, b) | H::Or(a, b) | H::CondOmitted(a, b) => {
            is_value(hir, *a) && is_value(hir, *b)
        }
        H::PtrAdd { ptr, index, .. } => is_value(hir, *ptr) && is_value(hir, *index),
        H::PtrDiff(a, b) => {
            let label = |e: hir::Expr| matches!(hir.exprs[e].kind, H::LabelAddr(_));
            !label(*a) && !label(*b) && is_value(hir, *a) && is_value(hir, *b)
        }
        H::Cond(c, a, b) => [c, a, b].into_iter().all(|e| is_value(hir, *e)),
        H::AddrOf(place) | H::Decay(place) | H::Load(place) => is_place(hir, *place),
        _ => false,
    }
}

fn is_place(hir: &Hir, place: hir::Expr) -> bool {
    match &hir.exprs[place].kind {
        H::Var(v) => hir.vars[*v].odd.is_none(),
        H::Str(_) => true,
        H::CompoundLit { init, .. } => is_modelled(hir, init),
        H::Deref(p) => is_value(hir, *p),
        H::Field { base, .. } => is_place(hir, *base),
        H::Index { base, index } => is_place(hir, *base) && is_value(hir, *index),
        _ => false,
    }
}
