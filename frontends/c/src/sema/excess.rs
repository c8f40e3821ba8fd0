//! Excess precision: `FLT_EVAL_METHOD` 2, where float and double are computed in the format of long double.
//!
//! C has it that such a value is rounded to its type by assignment and cast, and that its type is what it always was. So an expression that is computed in the wider
//! format is a conversion from there to its type, which whoever computes on looks through ([`Sema::wide`]). As gcc does with `-fexcess-precision=standard`,
//! conversions to other types start from the wider value too. Models of the library are not the program's text: what they compute has no excess.

use super::Sema;
use crate::hir::{self, ExprKind as H};
use crate::source::Span;
use crate::types::{FloatKind, Ty, TyKind};

impl Sema<'_> {
    /// Whether expressions of this type are computed in long double.
    pub(super) fn is_computed_wide(&self, ty: Ty) -> bool {
        let kind = self.hir.types.kind(ty);
        self.hir.types.excess
            && !self.library
            && matches!(kind, TyKind::Float(FloatKind::Float | FloatKind::Double))
    }

    /// The value as it was computed: in long double, where it has excess precision.
    pub(super) fn wide(&self, e: hir::Expr) -> hir::Expr {
        match self.hir.exprs[e].kind {
            H::Cast(inner) if self.excess.contains(&e) => inner,
            _ => e,
        }
    }

    /// The value as long double.
    pub(super) fn widened(&mut self, e: hir::Expr) -> hir::Expr {
        let (e, long_double) = (self.wide(e), self.long_double());
        self.convert(e, long_double)
    }

    /// A value of type `ty` that was computed as `wide`.
    pub(super) fn with_excess(&mut self, wide: hir::Expr, ty: Ty, span: Span) -> hir::Expr {
        let e = self.push_expr(H::Cast(wide), ty, span);
        self.excess.insert(e);
        e
    }

    pub(super) fn long_double(&mut self) -> Ty {
        let kind = TyKind::Float(FloatKind::LongDouble);
        self.hir.types.intern(kind)
    }
}
