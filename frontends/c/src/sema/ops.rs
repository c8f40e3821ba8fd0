//! Operators and conversions (C11 6.3, 6.5).

use super::Sema;
use crate::ast::{self, BinOp, Quals};
use crate::hir::{self, ExprKind as H};
use crate::source::Span;
use crate::types::{Field, QualTy, Ty, TyKind};

impl Sema<'_> {
    /// Integer promotion of a value; those of bit-fields have the type that their width gives them.
    pub(super) fn promote(&mut self, e: hir::Expr) -> hir::Expr {
        let ty = self.hir.ty(e);
        let to = self.hir.types.promote(ty, None);
        self.convert(e, to)
    }

    /// Conversion without question; nothing when the types agree.
    pub(super) fn convert(&mut self, e: hir::Expr, to: Ty) -> hir::Expr {
        let from = self.hir.ty(e);
        if from == to || from == self.hir.types.error || to == self.hir.types.error {
            return e;
        }
        if self.excess.contains(&e) {
            return self.convert(self.wide(e), to);
        }
        let span = self.hir.exprs[e].span;
        if let H::Int(value) = self.hir.exprs[e].kind
            && (self.hir.types.is_integer(to) || self.hir.types.is_pointer(to))
        {
            let value = self.hir.types.wrap(value, to);
            return self.int_expr(value, to, span);
        }
        self.push_expr(H::Cast(e), to, span)
    }

    pub(super) fn explicit_cast(&mut self, e: hir::Expr, to: Ty, span: Span) -> hir::Expr {
        let types = &self.hir.types;
        let from = self.hir.ty(e);
        if to == types.error || self.is_error(e) {
            return self.error_expr(span);
        }
        if to == types.void || (types.is_record(to) && types.compatible(from, to)) {
            return self.push_expr(H::Cast(e), to, span);
        }
        if self.vector_element(to).is_some() || self.vector_element(from).is_some() {
            return self.vector_expr(to, span);
        }
        let types = &self.hir.types;
        if types.is_record(to) && types.record_of(to).is_some_and(|r| types.records[r].union) {
            return self.union_cast(e, to, span);
        }
        let float_pointer = (types.is_floating(from) && types.is_pointer(to))
            || (types.is_pointer(from) && types.is_floating(to));
        if !types.is_scalar(to) || !types.is_scalar(from) || float_pointer {
            let message = if !types.is_scalar(to) {
                "conversion to non-scalar type requested".to_owned()
            } else if float_pointer {
                "pointer value used where a floating-point was expected".to_owned()
            } else {
                format!(
                    "operand of type '{}' where arithmetic or pointer type is required",
                    self.type_name(from)
                )
            };
            self.error(span, message);
            return self.error_expr(span);
        }
        // A cast takes excess precision away, also from what has the type already.
        self.convert(self.wide(e), to)
    }

    /// The value of `place`, in the type gcc gives it: a bit-field's own one, of its width, which is kept by
    /// `,`, `?:` and assignments and promoted later. Narrow declared types promote to int either way.
    pub(super) fn field_value(&mut self, value: hir::Expr, place: hir::Expr) -> hir::Expr {
        let ty = self.hir.ty(value);
        match (self.hir.bit_width(place), self.hir.types.value_bits(ty)) {
            (Some(width), Some(bits)) if bits >= 32 => {
                let to = self.hir.types.promote(ty, Some(width));
                self.convert(value, to)
            }
            _ => value,
        }
    }

    /// Conversion as if by assignment. gcc only warns about mixing integers and pointers.
    pub(super) fn assign_convert(
        &mut self,
        e: hir::Expr,
        to: Ty,
        span: Span,
        what: &str,
    ) -> hir::Expr {
        let types = &self.hir.types;
        let from = self.hir.ty(e);
        if from == to || self.is_error(e) || to == types.error {
            return e;
        }
        let scalar = |t: Ty| types.is_integer(t) || types.is_pointer(t);
        let ok = (types.is_arithmetic(from) && types.is_arithmetic(to))
            || (scalar(from) && scalar(to))
            || (types.is_record(from) && types.compatible(from, to));
        if ok {
            return if types.is_record(to) {
                e
            } else {
                self.convert(e, to)
            };
        }
        if self.vector_element(to).is_some() || self.vector_element(from).is_some() {
            return self.vector_expr(to, span);
        }
        if let Some(value) = self.transparent(e, to, span) {
            return value;
        }
        let types = &self.hir.types;
        let message = if from == types.void {
            "void value not ignored as it ought to be".to_owned()
        } else {
            let (f, t) = (self.type_name(from), self.type_name(to));
            format!("incompatible types when {what} type '{t}' from type '{f}'")
        };
        self.error(span, message);
        self.error_expr(span)
    }

    /// An argument for a transparent union: a value of the first member that takes it.
    fn transparent(&mut self, e: hir::Expr, to: Ty, span: Span) -> Option<hir::Expr> {
        let types = &self.hir.types;
        let record = &types.records[types.record_of(to)?];
        if !record.transparent || self.function.is_none() {
            return None;
        }
        let from = self.hir.ty(e);
        let pointers = |a: Ty, b: Ty| match (types.pointee(a), types.pointee(b)) {
            (Some(p), Some(q)) => {
                p.ty == types.void || q.ty == types.void || types.compatible(p.ty, q.ty)
            }
            _ => false,
        };
        let null = matches!(self.hir.exprs[e].kind, H::Int(0));
        let fits = |ty: Ty| {
            types.compatible(from, ty) || pointers(from, ty) || (null && types.is_pointer(ty))
        };
        let at = record.fields.iter().position(|f| fits(f.ty.ty))?;
        Some(self.union_of(e, to, at, span))
    }

    /// GNU's cast to a union: the member that has the operand's type is set.
    fn union_cast(&mut self, e: hir::Expr, to: Ty, span: Span) -> hir::Expr {
        let types = &self.hir.types;
        let from = self.hir.ty(e);
        let fields = types.record_of(to).map(|r| &types.records[r].fields);
        let plain = |f: &Field| f.width.is_none() && types.compatible(from, f.ty.ty);
        let at = fields.and_then(|fields| fields.iter().position(plain));
        match at {
            Some(at) if self.function.is_some() => self.union_of(e, to, at, span),
            Some(_) => self.push_expr(H::Unsupported("cast to a union".into()), to, span),
            None => {
                self.error(span, "cast to union type from type not present in union");
                self.error_expr(span)
            }
        }
    }

    /// A union with a value as its member at a position.
    fn union_of(&mut self, e: hir::Expr, to: Ty, at: usize, span: Span) -> hir::Expr {
        let record = self.hir.types.record_of(to);
        let Some(record) = record.map(|r| &self.hir.types.records[r]) else {
            return self.error_expr(span);
        };
        let member = QualTy {
            align: 0,
            ..record.fields[at].ty
        };
        let value = self.convert(e, member.ty);
        let var = self.new_temp("<compound literal>", to.into(), hir::Storage::Local, span);
        let init = hir::Init {
            zero: true,
            items: vec![hir::InitItem {
                path: vec![hir::Step::Field(at as u32)],
                ty: member,
                value,
            }],
        };
        let literal = self.push_expr(H::CompoundLit { var, init }, to, span);
        self.push_expr(H::Load(literal), to, span)
    }

    fn invalid_operands(&mut self, op: BinOp, a: hir::Expr, b: hir::Expr, span: Span) -> hir::Expr {
        let (x, y) = (
            self.type_name(self.hir.ty(a)),
            self.type_name(self.hir.ty(b)),
        );
        self.error(
            span,
            format!(
                "invalid operands to binary {} (have '{x}' and '{y}')",
                op.text()
            ),
        );
        self.error_expr(span)
    }

    pub(super) fn binary_expr(
        &mut self,
        op: BinOp,
        a: ast::Expr,
        b: ast::Expr,
        span: Span,
    ) -> hir::Expr {
        let int = self.hir.types.int;
        if matches!(op, BinOp::And | BinOp::Or | BinOp::Implies) {
            let mut a = self.condition(a);
            let b = self.condition(b);
            if op == BinOp::Implies {
                a = self.push_expr(H::Unary(hir::UnOp::Not, a), int, span);
            }
            let kind = if op == BinOp::And {
                H::And(a, b)
            } else {
                H::Or(a, b)
            };
            return self.push_expr(kind, int, span);
        }
        let a = self.rvalue(a);
        let b = self.rvalue(b);
        self.binary(op, a, b, span)
    }

    fn binary(&mut self, op: BinOp, a: hir::Expr, b: hir::Expr, span: Span) -> hir::Expr {
        if self.is_error(a) || self.is_error(b) {
            return self.error_expr(span);
        }
        let (x, y) = (self.hir.ty(a), self.hir.ty(b));
        if let Some(vector) = [x, y]
            .into_iter()
            .find(|t| self.vector_element(*t).is_some())
        {
            return self.vector_expr(vector, span);
        }
        let (px, py) = (self.hir.types.is_pointer(x), self.hir.types.is_pointer(y));
        match op {
            BinOp::Add if px && self.hir.types.is_integer(y) => self.pointer_add(a, b, false, span),
            BinOp::Add if py && self.hir.types.is_integer(x) => self.pointer_add(b, a, false, span),
            BinOp::Sub if px && self.hir.types.is_integer(y) => self.pointer_add(a, b, true, span),
            BinOp::Sub if px && py => self.pointer_difference(a, b, span),
            BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge if px || py => {
                self.pointer_compare(op, a, b, span)
            }
            BinOp::Shl | BinOp::Shr => {
                if !self.hir.types.is_integer(x) || !self.hir.types.is_integer(y) {
                    return self.invalid_operands(op, a, b, span);
                }
                let a = self.promote(a);
                let b = self.promote(b);
                let ty = self.hir.ty(a);
                self.push_expr(H::Binary(op, a, b), ty, span)
            }
            _ => {
                let bits = matches!(
                    op,
                    BinOp::Rem | BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor
                );
                let ok = |s: &Self, t: Ty| {
                    if bits {
                        s.hir.types.is_integer(t)
                    } else {
                        s.hir.types.is_arithmetic(t)
                    }
                };
                if !ok(self, x) || !ok(self, y) {
                    return self.invalid_operands(op, a, b, span);
                }
                let compare = matches!(
                    op,
                    BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge
                );
                let common = self.hir.types.usual(x, y);
                let wide = self.is_computed_wide(common);
                let (a, b) = match wide {
                    true => (self.widened(a), self.widened(b)),
                    false => self.usual(a, b),
                };
                let ty = if compare {
                    self.hir.types.int
                } else {
                    self.hir.ty(a)
                };
                let result = self.push_expr(H::Binary(op, a, b), ty, span);
                match wide && !compare {
                    true => self.with_excess(result, common, span),
                    false => result,
                }
            }
        }
    }

    /// Both operands in their common type.
    pub(super) fn usual(&mut self, a: hir::Expr, b: hir::Expr) -> (hir::Expr, hir::Expr) {
        let promoted = |s: &mut Self, e: hir::Expr| {
            if s.hir.types.is_integer(s.hir.ty(e)) {
                s.promote(e)
            } else {
                e
            }
        };
        let a = promoted(self, a);
        let b = promoted(self, b);
        let (x, y) = (self.hir.ty(a), self.hir.ty(b));
        let common = self.hir.types.usual(x, y);
        (self.convert(a, common), self.convert(b, common))
    }

    pub(super) fn pointer_add(
        &mut self,
        ptr: hir::Expr,
        index: hir::Expr,
        subtract: bool,
        span: Span,
    ) -> hir::Expr {
        let ty = self.hir.ty(ptr);
        let to = self
            .hir
            .types
            .pointee(ty)
            .map_or(self.hir.types.error, |q| q.ty);
        let sized = self.hir.types.is_complete(to)
            || matches!(self.hir.types.kind(to), TyKind::Void | TyKind::Function(_));
        if !sized {
            let name = self.type_name(to);
            self.error(
                span,
                format!("invalid use of undefined type '{name}' in pointer arithmetic"),
            );
            return self.error_expr(span);
        }
        let index = self.promote(index);
        self.push_expr(
            H::PtrAdd {
                ptr,
                index,
                subtract,
            },
            ty,
            span,
        )
    }

    fn pointer_difference(&mut self, a: hir::Expr, b: hir::Expr, span: Span) -> hir::Expr {
        let to = self
            .hir
            .types
            .pointee(self.hir.ty(a))
            .map_or(self.hir.types.error, |q| q.ty);
        let sized = self.hir.types.is_complete(to)
            || matches!(self.hir.types.kind(to), TyKind::Void | TyKind::Function(_));
        if !sized {
            return self.invalid_operands(BinOp::Sub, a, b, span);
        }
        let ty = self.hir.types.ptrdiff_t();
        self.push_expr(H::PtrDiff(a, b), ty, span)
    }

    fn pointer_compare(&mut self, op: BinOp, a: hir::Expr, b: hir::Expr, span: Span) -> hir::Expr {
        let (x, y) = (self.hir.ty(a), self.hir.ty(b));
        let ok = |s: &Self, t: Ty| s.hir.types.is_pointer(t) || s.hir.types.is_integer(t);
        if !ok(self, x) || !ok(self, y) {
            return self.invalid_operands(op, a, b, span);
        }
        // Mixed comparisons happen as unsigned integers of pointer width.
        let common = if self.hir.types.is_pointer(x) { x } else { y };
        let a = self.convert(a, common);
        let b = self.convert(b, common);
        let int = self.hir.types.int;
        self.push_expr(H::Binary(op, a, b), int, span)
    }

    pub(super) fn conditional(
        &mut self,
        c: ast::Expr,
        a: Option<ast::Expr>,
        b: ast::Expr,
        span: Span,
    ) -> hir::Expr {
        let Some(a) = a else {
            let c = self.condition(c);
            let b = self.rvalue(b);
            return match self.common_branch(c, b, span) {
                Some((a, b, ty)) => {
                    let (a, b) = (self.convert(a, ty), self.convert(b, ty));
                    self.push_expr(H::CondOmitted(a, b), ty, span)
                }
                None => self.error_expr(span),
            };
        };
        let c = self.condition(c);
        let a = self.rvalue(a);
        let b = self.rvalue(b);
        match self.common_branch(a, b, span) {
            Some((a, b, ty)) if self.is_computed_wide(ty) => {
                let (a, b) = (self.widened(a), self.widened(b));
                let long_double = self.long_double();
                let value = self.push_expr(H::Cond(c, a, b), long_double, span);
                self.with_excess(value, ty, span)
            }
            Some((a, b, ty)) => self.push_expr(H::Cond(c, a, b), ty, span),
            None => self.error_expr(span),
        }
    }

    /// The branches of `?:` in their common type (C11 6.5.15), or as they are where that is computed wide.
    fn common_branch(
        &mut self,
        a: hir::Expr,
        b: hir::Expr,
        span: Span,
    ) -> Option<(hir::Expr, hir::Expr, Ty)> {
        if self.is_error(a) || self.is_error(b) {
            return None;
        }
        let (x, y) = (self.hir.ty(a), self.hir.ty(b));
        let types = &self.hir.types;
        if types.is_arithmetic(x) && types.is_arithmetic(y) {
            let common = self.hir.types.usual(x, y);
            if self.is_computed_wide(common) {
                return Some((a, b, common));
            }
            let (a, b) = self.usual(a, b);
            return Some((a, b, self.hir.ty(a)));
        }
        if x == types.void || y == types.void {
            return Some((a, b, types.void));
        }
        if types.is_record(x) && types.compatible(x, y) {
            return Some((a, b, x));
        }
        let scalar = |t: Ty| types.is_pointer(t) || types.is_integer(t);
        if !scalar(x) || !scalar(y) {
            let (x, y) = (self.type_name(x), self.type_name(y));
            self.error(
                span,
                format!("type mismatch in conditional expression (have '{x}' and '{y}')"),
            );
            return None;
        }
        let ty = self.pointer_branch(a, b);
        Some((self.convert(a, ty), self.convert(b, ty), ty))
    }

    fn pointer_branch(&mut self, a: hir::Expr, b: hir::Expr) -> Ty {
        let (x, y) = (self.hir.ty(a), self.hir.ty(b));
        let null = |s: &mut Self, e: hir::Expr| s.is_null_constant(e);
        match (self.hir.types.pointee(x), self.hir.types.pointee(y)) {
            (Some(p), Some(q)) => {
                if null(self, a) {
                    return y;
                }
                if null(self, b) {
                    return x;
                }
                let quals = p.quals.with(q.quals);
                let void = self.hir.types.void;
                let to = if p.ty == void || q.ty == void || !self.hir.types.compatible(p.ty, q.ty) {
                    void
                } else {
                    self.hir.types.composite(p.ty, q.ty)
                };
                self.hir.types.pointer(QualTy {
                    ty: to,
                    quals,
                    align: 0,
                    odd: p.odd.max(q.odd),
                })
            }
            (Some(_), None) => x,
            _ => y,
        }
    }

    /// `0`, or `(void *)0`.
    pub(super) fn is_null_constant(&mut self, e: hir::Expr) -> bool {
        let ty = self.hir.ty(e);
        let void_ptr = self
            .hir
            .types
            .pointee(ty)
            .is_some_and(|q| q.ty == self.hir.types.void && q.quals == Quals::NONE);
        (self.hir.types.is_integer(ty) || void_ptr) && self.eval_int(e) == Some(0)
    }

    // Assignments.

    fn modifiable(&mut self, e: hir::Expr, span: Span, what: &str) -> bool {
        if self.is_error(e) {
            return false;
        }
        let ty = self.hir.exprs[e].ty;
        if !self.hir.is_lvalue(e) || self.hir.types.is_function(ty.ty) {
            self.error(span, format!("lvalue required as {what}"));
            return false;
        }
        if self.hir.types.is_array(ty.ty) {
            self.error(span, "assignment to expression with array type");
            return false;
        }
        if ty.quals.has(Quals::CONST) {
            let target = match &self.hir.exprs[e].kind {
                H::Var(v) => format!("variable '{}'", self.hir.vars[*v].name),
                H::Field { .. } => "member".to_owned(),
                _ => "location".to_owned(),
            };
            self.error(span, format!("assignment of read-only {target}"));
            return false;
        }
        if !self.hir.types.is_complete(ty.ty) {
            let name = self.type_name(ty.ty);
            self.error(span, format!("invalid use of incomplete type '{name}'"));
            return false;
        }
        true
    }

    pub(super) fn assignment(
        &mut self,
        op: Option<BinOp>,
        lhs: ast::Expr,
        rhs: ast::Expr,
        span: Span,
    ) -> hir::Expr {
        let lhs_span = self.span_of(lhs);
        let rhs_span = self.span_of(rhs);
        let lhs = self.expr(lhs);
        let rhs = self.rvalue(rhs);
        if !self.modifiable(lhs, lhs_span, "left operand of assignment") || self.is_error(rhs) {
            return self.error_expr(span);
        }
        let ty = self.hir.ty(lhs);
        if op.is_some() && self.vector_element(ty).is_some() {
            return self.vector_expr(ty, span);
        }
        let Some(op) = op else {
            let rhs = self.assign_convert(rhs, ty, rhs_span, "assigning to");
            let value = self.push_expr(H::Assign(lhs, rhs), ty, span);
            return self.field_value(value, lhs);
        };
        if self.hir.types.is_pointer(ty) && matches!(op, BinOp::Add | BinOp::Sub) {
            return self.assign_pointer(lhs, rhs, op == BinOp::Sub, span);
        }
        let y = self.hir.ty(rhs);
        let bits = !matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div);
        let ok = |s: &Self, t: Ty| {
            if bits {
                s.hir.types.is_integer(t)
            } else {
                s.hir.types.is_arithmetic(t)
            }
        };
        if !ok(self, ty) || !ok(self, y) {
            return self.invalid_operands(op, lhs, rhs, span);
        }
        let promoted = match self.hir.types.is_integer(ty) {
            true => {
                let width = self.hir.bit_width(lhs);
                self.hir.types.promote(ty, width)
            }
            false => ty,
        };
        let (compute, rhs) = if matches!(op, BinOp::Shl | BinOp::Shr) {
            (promoted, self.promote(rhs))
        } else {
            let rhs = if self.hir.types.is_integer(y) {
                self.promote(rhs)
            } else {
                rhs
            };
            let rhs_ty = self.hir.ty(rhs);
            let common = self.hir.types.usual(promoted, rhs_ty);
            match self.is_computed_wide(common) {
                true => (self.long_double(), self.widened(rhs)),
                false => (common, self.convert(rhs, common)),
            }
        };
        let kind = H::AssignOp {
            lhs,
            op,
            rhs,
            compute,
        };
        let value = self.push_expr(kind, ty, span);
        self.field_value(value, lhs)
    }

    fn assign_pointer(
        &mut self,
        lhs: hir::Expr,
        index: hir::Expr,
        subtract: bool,
        span: Span,
    ) -> hir::Expr {
        let op = if subtract { BinOp::Sub } else { BinOp::Add };
        let ty = self.hir.ty(lhs);
        if !self.hir.types.is_integer(self.hir.ty(index)) {
            return self.invalid_operands(op, lhs, index, span);
        }
        let index = self.promote(index);
        self.push_expr(
            H::AssignPtr {
                lhs,
                index,
                subtract,
            },
            ty,
            span,
        )
    }

    pub(super) fn inc_dec(
        &mut self,
        increment: bool,
        postfix: bool,
        operand: ast::Expr,
        span: Span,
    ) -> hir::Expr {
        let lhs = self.expr(operand);
        let what = if increment {
            "increment operand"
        } else {
            "decrement operand"
        };
        if !self.modifiable(lhs, span, what) {
            return self.error_expr(span);
        }
        let ty = self.hir.ty(lhs);
        if !self.hir.types.is_scalar(ty) {
            let what = if increment { "increment" } else { "decrement" };
            self.error(span, format!("wrong type argument to {what}"));
            return self.error_expr(span);
        }
        let kind = H::IncDec {
            lhs,
            increment,
            postfix,
        };
        let value = self.push_expr(kind, ty, span);
        self.field_value(value, lhs)
    }
}
