//! `__atomic_*` and `__sync_*`: in a program with one thread they are plain reads and writes.
//!
//! Each becomes a statement expression that evaluates its arguments once. Memory orders say nothing
//! here; a weak exchange is a strong one, as on x86; arithmetic wraps.

use super::Sema;
use crate::ast::{self, BinOp};
use crate::hir::{self, ExprKind as H, StmtKind, UnOp};
use crate::source::Span;
use crate::types::{IntKind, Ty, TyKind};

/// How a read-modify-write makes the new value.
#[derive(Clone, Copy)]
enum Modify {
    Binary(BinOp),
    Nand,
}

/// `fetch_add`, `add_fetch`, `fetch_and_add`, `add_and_fetch`: the operation, and whether the result is
/// the old value.
fn modification(name: &str) -> Option<(Modify, bool)> {
    let (op, old) = match name.strip_prefix("fetch_") {
        Some(op) => (op.strip_prefix("and_").unwrap_or(op), true),
        None => {
            let op = name.strip_suffix("_fetch")?;
            (op.strip_suffix("_and").unwrap_or(op), false)
        }
    };
    let modify = match op {
        "add" => Modify::Binary(BinOp::Add),
        "sub" => Modify::Binary(BinOp::Sub),
        "and" => Modify::Binary(BinOp::BitAnd),
        "or" => Modify::Binary(BinOp::BitOr),
        "xor" => Modify::Binary(BinOp::BitXor),
        "nand" => Modify::Nand,
        _ => return None,
    };
    Some((modify, old))
}

/// A statement expression under construction.
struct Steps {
    body: Vec<hir::Stmt>,
    span: Span,
}

impl Sema<'_> {
    /// The meaning of an atomic builtin; `None` when it has none here.
    pub(super) fn atomic_builtin(
        &mut self,
        text: &str,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<hir::Expr> {
        let void = self.hir.types.void;
        let sync = text.strip_prefix("__sync_");
        let name = sync.or(text.strip_prefix("__atomic_"))?;
        if matches!(name, "synchronize" | "thread_fence" | "signal_fence") {
            let nothing = self.int_expr(0, self.hir.types.int, span);
            return Some(self.push_expr(H::Cast(nothing), void, span));
        }
        let values: Vec<hir::Expr> = args.iter().map(|a| self.rvalue(*a)).collect();
        let first = *values.first()?;
        if name == "always_lock_free" || name == "is_lock_free" {
            let bytes = self.eval_int(first)?;
            let int = self.hir.types.int;
            return (1..=8)
                .contains(&bytes)
                .then(|| self.int_expr(1, int, span));
        }
        let mut steps = Steps {
            body: Vec::new(),
            span,
        };
        let byte = self.hir.types.int_ty(IntKind::UChar);
        if matches!(name, "test_and_set" | "clear") {
            // On a flag, which is a byte whatever its type.
            let to = self.hir.types.pointer(byte.into());
            let flag = self.convert(first, to);
            let flag = self.keep(&mut steps, to, flag);
            let set = self.int_expr(i128::from(name == "test_and_set"), byte, span);
            let old = self.read(&mut steps, flag, byte);
            self.write(&mut steps, flag, byte, set);
            if name == "clear" {
                return Some(self.finish(steps, None, void));
            }
            let (old, bool) = (self.value_of(old, span), self.hir.types.bool);
            let old = self.convert(old, bool);
            return Some(self.finish(steps, Some(old), bool));
        }
        let ty = self.hir.types.pointee(self.hir.ty(first))?.ty;
        let integer = matches!(self.hir.types.kind(ty), TyKind::Int(_) | TyKind::Enum(_));
        let pointer_ty = self.hir.ty(first);
        let at = self.keep(&mut steps, pointer_ty, first);
        // Further arguments, by value or through a pointer.
        let given = |sema: &mut Self, steps: &mut Steps, i: usize, indirect: bool| {
            let value = *values.get(i)?;
            if !indirect {
                let value = sema.assign_convert(value, ty, span, "passing");
                return Some(sema.keep(steps, ty, value));
            }
            let pointer_ty = sema.hir.ty(value);
            sema.hir.types.pointee(pointer_ty)?;
            let pointer = sema.keep(steps, pointer_ty, value);
            Some(sema.read(steps, pointer, ty))
        };
        let whole = !name.ends_with("_n") && sync.is_none();
        match name {
            "load_n" => {
                let old = self.read(&mut steps, at, ty);
                let old = self.value_of(old, span);
                Some(self.finish(steps, Some(old), ty))
            }
            "load" => {
                let result = *values.get(1)?;
                let result_ty = self.hir.ty(result);
                let to = self.keep(&mut steps, result_ty, result);
                let old = self.read(&mut steps, at, ty);
                let old = self.value_of(old, span);
                self.write(&mut steps, to, ty, old);
                Some(self.finish(steps, None, void))
            }
            "store_n" | "store" => {
                let new = given(self, &mut steps, 1, whole)?;
                let new = self.value_of(new, span);
                self.write(&mut steps, at, ty, new);
                Some(self.finish(steps, None, void))
            }
            "lock_release" => {
                let zero = self.int_expr(0, self.hir.types.int, span);
                let zero = self.convert(zero, ty);
                self.write(&mut steps, at, ty, zero);
                Some(self.finish(steps, None, void))
            }
            "exchange_n" | "lock_test_and_set" | "exchange" => {
                let new = given(self, &mut steps, 1, whole)?;
                let old = self.read(&mut steps, at, ty);
                let new = self.value_of(new, span);
                self.write(&mut steps, at, ty, new);
                let old = self.value_of(old, span);
                if !whole {
                    return Some(self.finish(steps, Some(old), ty));
                }
                let result = *values.get(2)?;
                let result_ty = self.hir.ty(result);
                let to = self.keep(&mut steps, result_ty, result);
                self.write(&mut steps, to, ty, old);
                Some(self.finish(steps, None, void))
            }
            "compare_exchange_n" | "compare_exchange" if self.hir.types.is_scalar(ty) => {
                let expected = *values.get(1)?;
                let expected_ty = self.hir.ty(expected);
                let expected = self.keep(&mut steps, expected_ty, expected);
                let new = given(self, &mut steps, 2, whole)?;
                let wanted = self.read(&mut steps, expected, ty);
                let (old, same) = self.exchange_if(&mut steps, at, ty, wanted, new);
                // What was found is told where it was not what was expected.
                let found = self.value_of(old, span);
                self.write(&mut steps, expected, ty, found);
                let same = self.value_of(same, span);
                Some(self.finish(steps, Some(same), self.hir.types.bool))
            }
            "bool_compare_and_swap" | "val_compare_and_swap" => {
                let wanted = given(self, &mut steps, 1, false)?;
                let new = given(self, &mut steps, 2, false)?;
                let (old, same) = self.exchange_if(&mut steps, at, ty, wanted, new);
                let boolean = name == "bool_compare_and_swap";
                let result = self.value_of(if boolean { same } else { old }, span);
                let ty = if boolean { self.hir.types.bool } else { ty };
                Some(self.finish(steps, Some(result), ty))
            }
            _ if integer => {
                let (modify, wants_old) = modification(name)?;
                let by = given(self, &mut steps, 1, false)?;
                let old = self.read(&mut steps, at, ty);
                let new = self.modified(modify, old, by, ty, span);
                let new = self.keep(&mut steps, ty, new);
                let value = self.value_of(new, span);
                self.write(&mut steps, at, ty, value);
                let result = self.value_of(if wants_old { old } else { new }, span);
                Some(self.finish(steps, Some(result), ty))
            }
            _ => None,
        }
    }

    /// Sets the object if it is as expected: what it was, and whether.
    fn exchange_if(
        &mut self,
        steps: &mut Steps,
        at: hir::Var,
        ty: Ty,
        wanted: hir::Var,
        new: hir::Var,
    ) -> (hir::Var, hir::Var) {
        let (int, bool, span) = (self.hir.types.int, self.hir.types.bool, steps.span);
        let old = self.read(steps, at, ty);
        let (x, y) = (self.value_of(old, span), self.value_of(wanted, span));
        let same = self.push_expr(H::Binary(BinOp::Eq, x, y), int, span);
        let same = self.convert(same, bool);
        let same = self.keep(steps, bool, same);
        let (c, x, y) = (
            self.value_of(same, span),
            self.value_of(new, span),
            self.value_of(old, span),
        );
        let value = self.push_expr(H::Cond(c, x, y), ty, span);
        self.write(steps, at, ty, value);
        (old, same)
    }

    /// The new value, computed without signs so that it wraps.
    fn modified(
        &mut self,
        modify: Modify,
        old: hir::Var,
        by: hir::Var,
        ty: Ty,
        span: Span,
    ) -> hir::Expr {
        let promoted = self.hir.types.promote(ty, None);
        let kind = self.hir.types.int_kind(promoted).unwrap_or(IntKind::UInt);
        let compute = self.hir.types.int_ty(kind.to_unsigned());
        let operand = |sema: &mut Self, var: hir::Var| {
            let value = sema.value_of(var, span);
            sema.convert(value, compute)
        };
        let (x, y) = (operand(self, old), operand(self, by));
        let new = match modify {
            Modify::Binary(op) => self.push_expr(H::Binary(op, x, y), compute, span),
            Modify::Nand => {
                let both = self.push_expr(H::Binary(BinOp::BitAnd, x, y), compute, span);
                self.push_expr(H::Unary(UnOp::BitNot, both), compute, span)
            }
        };
        self.convert(new, ty)
    }

    /// A variable with a value.
    fn keep(&mut self, steps: &mut Steps, ty: Ty, value: hir::Expr) -> hir::Var {
        let span = steps.span;
        let var = self.new_temp("<atomic>", ty.into(), hir::Storage::Local, span);
        let item = hir::InitItem {
            path: Vec::new(),
            ty: ty.into(),
            value,
        };
        let init = Some(hir::Init {
            zero: false,
            items: vec![item],
        });
        steps
            .body
            .push(self.push_stmt(StmtKind::Decl { var, init }, span));
        var
    }

    fn value_of(&mut self, var: hir::Var, span: Span) -> hir::Expr {
        let ty = self.hir.vars[var].ty.ty;
        let place = self.push_expr(H::Var(var), ty, span);
        self.push_expr(H::Load(place), ty, span)
    }

    fn target(&mut self, pointer: hir::Var, ty: Ty, span: Span) -> hir::Expr {
        let pointer = self.value_of(pointer, span);
        self.push_expr(H::Deref(pointer), ty, span)
    }

    /// A variable with what a pointer leads to.
    fn read(&mut self, steps: &mut Steps, pointer: hir::Var, ty: Ty) -> hir::Var {
        let place = self.target(pointer, ty, steps.span);
        let value = self.push_expr(H::Load(place), ty, steps.span);
        self.keep(steps, ty, value)
    }

    fn write(&mut self, steps: &mut Steps, pointer: hir::Var, ty: Ty, value: hir::Expr) {
        let place = self.target(pointer, ty, steps.span);
        let assign = self.push_expr(H::Assign(place, value), ty, steps.span);
        steps
            .body
            .push(self.push_stmt(StmtKind::Expr(assign), steps.span));
    }

    fn finish(&mut self, steps: Steps, value: Option<hir::Expr>, ty: Ty) -> hir::Expr {
        let Steps { body, span } = steps;
        self.push_expr(H::StmtExpr { body, value }, ty, span)
    }
}
