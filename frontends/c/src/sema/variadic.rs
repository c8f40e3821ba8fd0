//! `va_start`, `va_arg`, `va_copy`, `va_end` in terms of plain pointers.
//!
//! The caller lays the arguments without a parameter down in memory, each behind a word that tells its
//! type, and a zero word behind the last. A `va_list` holds the address of the next one: in its third
//! member on x86-64, where it is an array of a struct, and itself on i386. So lists may be copied and
//! passed on. Reading an argument as another type, or one too many, is incomplete.

use super::Sema;
use crate::ast::{self, BinOp};
use crate::hir::{self, ExprKind as H, StmtKind};
use crate::source::Span;
use crate::types::Ty;

/// The member of a `va_list` that holds the address.
const NEXT: u32 = 2;

impl Sema<'_> {
    /// The pointer to the next argument in a `va_list`, as an lvalue.
    fn next_argument(&mut self, list: ast::Expr, span: Span) -> Option<hir::Expr> {
        let list = self.expr(list);
        let ty = self.hir.ty(list);
        if ty == self.hir.types.char_ptr {
            return self.hir.is_lvalue(list).then_some(list);
        }
        let list = self.load(list);
        let to = self.hir.types.pointee(self.hir.ty(list))?;
        let va_list = self.hir.types.va_list;
        let is_list = matches!(self.hir.types.kind(va_list), crate::types::TyKind::Array(elem, _)
            if elem.ty == to.ty);
        if !is_list {
            return None;
        }
        let record = self.push_expr(H::Deref(list), to, span);
        Some(self.follow(record, &[NEXT], span))
    }

    /// Sets the pointer in a list.
    fn set_next(&mut self, list: ast::Expr, value: hir::Expr, span: Span) -> Option<hir::Expr> {
        let place = self.next_argument(list, span)?;
        let ty = self.hir.ty(place);
        let value = self.convert(value, ty);
        let assign = self.push_expr(H::Assign(place, value), ty, span);
        let void = self.hir.types.void;
        Some(self.push_expr(H::Cast(assign), void, span))
    }

    /// `va_start`, `va_copy` and `va_end`.
    pub(super) fn va_builtin(
        &mut self,
        text: &str,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<hir::Expr> {
        let void = self.hir.types.void;
        let known = match (text, args) {
            ("__builtin_va_start", [list, ..]) => {
                let pointer = self.hir.types.void_ptr;
                let area = self.push_expr(H::VaArea, pointer, span);
                self.set_next(*list, area, span)
            }
            ("__builtin_va_copy", [to, from]) => {
                let from = self.next_argument(*from, span);
                let value = from.map(|place| self.load(place));
                value.and_then(|value| self.set_next(*to, value, span))
            }
            ("__builtin_va_end", [list]) => {
                let list = self.expr(*list);
                Some(self.push_expr(H::Cast(list), void, span))
            }
            _ => return None,
        };
        let refused =
            |sema: &mut Self| sema.push_expr(H::Unsupported(format!("'{text}'")), void, span);
        Some(known.unwrap_or_else(|| refused(self)))
    }

    /// `va_arg`.
    pub(super) fn va_arg(&mut self, list: ast::Expr, ty: Ty, span: Span) -> hir::Expr {
        let refused = H::Unsupported("'va_arg'".to_owned());
        let (Some(tag), Some(size)) = (self.hir.types.va_tag(ty), self.hir.types.size_of(ty))
        else {
            return self.push_expr(refused, ty, span);
        };
        let Some(next) = self.next_argument(list, span) else {
            return self.push_expr(refused, ty, span);
        };
        let (char_ptr, void, int) = {
            let types = &self.hir.types;
            (types.char_ptr, types.void, types.int)
        };
        let word_ty = self.hir.types.size_t();
        let word = u64::from(self.hir.types.pointer_bits() / 8);
        // The address of the list's pointer, so that the list is evaluated once.
        let next_ty = self.hir.exprs[next].ty;
        let place_ty = self.hir.types.pointer(next_ty);
        let place = self.push_expr(H::AddrOf(next), place_ty, span);
        let mut body = Vec::new();
        let place = self.held(place_ty, place, &mut body, span);
        let at = |sema: &mut Self| {
            let place = sema.va_value(place, span);
            sema.push_expr(H::Deref(place), next_ty, span)
        };
        let here = at(self);
        let here = self.load(here);
        let here = self.convert(here, char_ptr);
        let here = self.held(char_ptr, here, &mut body, span);
        let moved = |sema: &mut Self, by: u64| {
            let ptr = sema.va_value(here, span);
            let index = sema.int_expr(i128::from(by), int, span);
            let subtract = false;
            let sum = H::PtrAdd {
                ptr,
                index,
                subtract,
            };
            sema.push_expr(sum, char_ptr, span)
        };
        // The word in front tells the type.
        let word_ptr = self.hir.types.pointer(word_ty.into());
        let found = self.va_value(here, span);
        let found = self.convert(found, word_ptr);
        let found = self.push_expr(H::Deref(found), word_ty, span);
        let found = self.push_expr(H::Load(found), word_ty, span);
        let wanted = self.int_expr(i128::from(tag), word_ty, span);
        let same = self.push_expr(H::Binary(BinOp::Eq, found, wanted), int, span);
        let nothing = self.int_expr(0, int, span);
        let nothing = self.push_expr(H::Cast(nothing), void, span);
        let reason = "'va_arg' of a type that the argument does not have".to_owned();
        let other = self.push_expr(H::Unsupported(reason), void, span);
        let check = self.push_expr(H::Cond(same, nothing, other), void, span);
        body.push(self.push_stmt(StmtKind::Expr(check), span));
        let after = moved(self, word + size.next_multiple_of(word));
        let after = self.convert(after, next_ty.ty);
        let place = at(self);
        let assign = self.push_expr(H::Assign(place, after), next_ty.ty, span);
        body.push(self.push_stmt(StmtKind::Expr(assign), span));
        let pointer_ty = self.hir.types.pointer(ty.into());
        let value = moved(self, word);
        let value = self.convert(value, pointer_ty);
        let value = self.push_expr(H::Deref(value), ty, span);
        let value = Some(self.push_expr(H::Load(value), ty, span));
        self.push_expr(H::StmtExpr { body, value }, ty, span)
    }

    /// A variable that holds a value, so that it is evaluated once.
    pub(super) fn held(
        &mut self,
        ty: Ty,
        value: hir::Expr,
        body: &mut Vec<hir::Stmt>,
        span: Span,
    ) -> hir::Var {
        let var = self.new_temp("<value>", ty.into(), hir::Storage::Local, span);
        let items = vec![hir::InitItem {
            path: Vec::new(),
            ty: ty.into(),
            value,
        }];
        let init = Some(hir::Init { zero: false, items });
        body.push(self.push_stmt(StmtKind::Decl { var, init }, span));
        var
    }

    fn va_value(&mut self, var: hir::Var, span: Span) -> hir::Expr {
        let ty = self.hir.vars[var].ty.ty;
        let place = self.push_expr(H::Var(var), ty, span);
        self.push_expr(H::Load(place), ty, span)
    }
}
