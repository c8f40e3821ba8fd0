//! Constant expressions, as far as they are a matter of the syntax tree; their values: [`hir::fold`].

use super::Sema;
use crate::ast;
use crate::hir::{self, ExprKind as H};

impl Sema<'_> {
    /// The value of an integer constant expression of the tree.
    pub(super) fn constant(&mut self, e: ast::Expr) -> Option<i128> {
        let e = self.rvalue(e);
        if self.is_error(e) {
            // Diagnosed already; any value will do.
            return Some(1);
        }
        if !self.hir.types.is_integer(self.hir.ty(e)) {
            return None;
        }
        self.eval_int(e)
    }

    /// The integer value of a typed expression, when it is constant.
    pub(super) fn eval_int(&self, e: hir::Expr) -> Option<i128> {
        self.hir.eval_int(e)
    }

    /// Whether an expression may initialise a static object (C11 6.6): arithmetic constants and addresses.
    pub(super) fn is_static_constant(&self, e: hir::Expr) -> bool {
        match &self.hir.exprs[e].kind {
            H::Int(_) | H::Float(_) | H::FuncAddr(_) | H::LabelAddr(_) | H::Unsupported(_) => true,
            H::Cast(a) | H::Unary(_, a) => self.is_static_constant(*a),
            H::Binary(_, a, b) | H::And(a, b) | H::Or(a, b) | H::PtrDiff(a, b) => {
                self.is_static_constant(*a) && self.is_static_constant(*b)
            }
            H::Cond(c, a, b) => [c, a, b].iter().all(|e| self.is_static_constant(**e)),
            H::PtrAdd { ptr, index, .. } => {
                self.is_static_constant(*ptr) && self.is_static_constant(*index)
            }
            H::AddrOf(p) | H::Decay(p) => self.is_static_place(*p),
            // gcc folds the value of a compound literal or a const object's initialiser in.
            H::Load(p) => {
                matches!(self.hir.exprs[*p].kind, H::CompoundLit { .. })
                    || self.is_static_literal(*p)
            }
            H::Call { .. } => self.hir.eval_int(e).is_some() || self.hir.eval_float(e).is_some(),
            _ => false,
        }
    }

    fn is_static_literal(&self, place: hir::Expr) -> bool {
        match &self.hir.exprs[place].kind {
            H::Var(v) => self.hir.vars[*v].name == "<compound literal>",
            _ => false,
        }
    }

    fn is_static_place(&self, place: hir::Expr) -> bool {
        match &self.hir.exprs[place].kind {
            H::Var(v) => matches!(
                self.hir.vars[*v].storage,
                hir::Storage::Global | hir::Storage::Static
            ),
            H::Str(_) | H::CompoundLit { .. } => true,
            H::Deref(p) => self.is_static_constant(*p),
            H::Field { base, .. } => self.is_static_place(*base),
            H::Index { base, index } => {
                self.is_static_place(*base) && self.is_static_constant(*index)
            }
            _ => false,
        }
    }
}
