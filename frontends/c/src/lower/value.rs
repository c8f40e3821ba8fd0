//! Expressions: values as terms, effects as commands in order.

use super::Lowerer;
use super::place::{Index, Place};
use crate::assumptions::Assumption;
use crate::ast::{BinOp, Quals};
use crate::hir::float::Float;
use crate::hir::{self, ExprKind as H, UnOp};
use crate::types::{Ty, TyKind};
use trellis_ivl::{Loc, Term, Type};

/// The most bytes of a value, which is one term.
const LARGEST_VALUE: u64 = 64 << 10;

impl Lowerer<'_> {
    /// The value of an expression. Its effects have happened when this returns, and the term reads
    /// the variables as they are then.
    pub(super) fn value(&mut self, e: hir::Expr) -> Term {
        self.within(e, |this| this.value_here(e))
    }

    /// Runs `work` for an expression, so that what it finds wrong is reported there.
    pub(super) fn within<T>(&mut self, e: hir::Expr, work: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.f.expr.replace(self.hir.exprs[e].span);
        let result = work(self);
        self.f.expr = outer;
        result
    }

    fn value_here(&mut self, e: hir::Expr) -> Term {
        let hir = self.hir;
        let data = &hir.exprs[e];
        let ty = data.ty.ty;
        if !self.live() {
            return self.zero(ty);
        }
        if let Some(constant) = self.folded(e) {
            return constant;
        }
        match &data.kind {
            H::Int(v) => {
                let bits = self.bits(ty);
                self.constant(bits, *v)
            }
            // Those of real types have been folded.
            H::Float(_) => self.unsupported("a complex constant", ty),
            H::Load(place) => {
                if hir
                    .types
                    .size_of(ty)
                    .is_some_and(|size| size > LARGEST_VALUE)
                {
                    return self.unsupported("a struct of more than 64 KiB as a value", ty);
                }
                let is_volatile = hir.exprs[*place].ty.quals.has(Quals::VOLATILE);
                let of = *place;
                let place = self.place(of);
                let checks = self.props.uninit;
                self.props.uninit = checks && self.copied != Some(e);
                let value = self.load_place(&place, ty);
                self.props.uninit = checks;
                match is_volatile && !self.keeps_volatile(of) {
                    true => self.any_value(ty, "volatile"),
                    false => value,
                }
            }
            H::Decay(place) | H::AddrOf(place) => self.address(*place),
            H::FuncAddr(f) | H::FuncRef(f) => self.function_address(*f, ty),
            H::LabelAddr(label) => self.label_address(*label),
            H::Cast(a) => self.cast_expr(*a, ty),
            H::Unary(op, a) => self.unary(*op, *a, ty),
            H::Binary(op, a, b) => {
                if is_comparison(*op) {
                    let c = self.compare(*op, *a, *b);
                    return self.bool_value(c, ty);
                }
                let (x, y) = self.operands(*a, *b);
                self.arithmetic(*op, x, y, hir.ty(*a))
            }
            H::And(..) | H::Or(..) => {
                let c = self.condition(e);
                self.bool_value(c, ty)
            }
            H::PtrAdd {
                ptr,
                index,
                subtract,
            } => {
                let (p, i) = self.operands(*ptr, *index);
                let signed = hir.types.is_signed(hir.ty(*index));
                self.pointer_add(p, i, signed, hir.ty(*ptr), *subtract)
            }
            H::PtrDiff(a, b) => self.pointer_difference(*a, *b, ty),
            H::Cond(c, a, b) => self.conditional(*c, *a, *b, ty),
            H::CondOmitted(c, b) => self.conditional_omitted(*c, *b, ty),
            H::Assign(lhs, rhs) => self.assign_expr(*lhs, *rhs, ty, true),
            H::AssignOp {
                lhs,
                op,
                rhs,
                compute,
            } => self.assign_op(*lhs, *op, *rhs, (*compute, ty), true),
            H::AssignPtr {
                lhs,
                index,
                subtract,
            } => self.assign_ptr(*lhs, *index, *subtract, ty, true),
            H::IncDec {
                lhs,
                increment,
                postfix,
            } => self.inc_dec(*lhs, *increment, *postfix, ty, true),
            H::Comma(a, b) => {
                self.effect(*a);
                self.value(*b)
            }
            H::Call { callee, args } => self.call(e, *callee, args, ty),
            H::StmtExpr { body, value } => {
                self.statements(body);
                match value {
                    Some(v) => self.value(*v),
                    None => self.zero(ty),
                }
            }
            H::VaArea => match self.f.va {
                Some(area) => self.p.pool.var(area),
                None => self.unsupported("'va_start' outside of a variadic function", ty),
            },
            H::SizeofVla(of) => self.size_term(*of),
            H::Unsupported(what) => self.unsupported(what, ty),
            // Places used as values: struct members of values.
            H::Var(_)
            | H::Str(_)
            | H::Deref(_)
            | H::Field { .. }
            | H::Index { .. }
            | H::CompoundLit { .. } => {
                let place = self.place(e);
                self.load_place(&place, ty)
            }
        }
    }

    /// The value of a constant expression with floating parts: gcc folds it, whatever the direction of rounding is.
    fn folded(&mut self, e: hir::Expr) -> Option<Term> {
        let hir = self.hir;
        let bits = self.bits(hir.ty(e));
        if hir.types.is_floating(hir.ty(e)) {
            let value = hir.eval_float(e)?;
            return Some(self.float_constant(value, hir.ty(e)));
        }
        match hir.exprs[e].kind {
            H::Cast(a) if hir.types.is_floating(hir.ty(a)) => {
                let value = hir.eval_int(e)?;
                Some(self.constant(bits, value))
            }
            _ => None,
        }
    }

    /// Whether a volatile object holds what the program has stored there.
    fn keeps_volatile(&mut self, place: hir::Expr) -> bool {
        let var = super::escape::root(self.hir, place);
        let name = var.map_or("a volatile object", |v| &self.hir.vars[v].name);
        self.take_for_granted(Assumption::VolatileIsMemory, name)
    }

    /// Evaluates for effects and checks only.
    pub(super) fn effect(&mut self, e: hir::Expr) {
        if self.live() && !self.facts.pure[e] {
            self.within(e, |this| this.effect_here(e));
        }
    }

    fn effect_here(&mut self, e: hir::Expr) {
        let hir = self.hir;
        match &hir.exprs[e].kind {
            H::Cast(a)
                if hir.ty(e) == hir.types.void
                    || (hir.types.is_integer(hir.ty(e)) && hir.types.is_integer(hir.ty(*a))) =>
            {
                self.effect(*a);
            }
            H::Comma(a, b) => {
                self.effect(*a);
                self.effect(*b);
            }
            H::Cond(c, a, b) => {
                let (then, other) = self.jump_if(*c);
                self.resume(then);
                self.effect(*a);
                let then = self.end_arm();
                self.resume(other);
                self.effect(*b);
                let other = self.end_arm();
                self.join(then, other);
            }
            H::StmtExpr { body, value } => {
                self.statements(body);
                if let Some(v) = value {
                    self.effect(*v);
                }
            }
            H::Call { callee, args } => {
                self.call(e, *callee, args, hir.types.void);
            }
            H::Assign(lhs, rhs) => {
                self.assign_expr(*lhs, *rhs, hir.ty(e), false);
            }
            H::AssignOp {
                lhs,
                op,
                rhs,
                compute,
            } => {
                self.assign_op(*lhs, *op, *rhs, (*compute, hir.ty(e)), false);
            }
            H::AssignPtr {
                lhs,
                index,
                subtract,
            } => {
                self.assign_ptr(*lhs, *index, *subtract, hir.ty(e), false);
            }
            H::IncDec { lhs, increment, .. } => {
                self.inc_dec(*lhs, *increment, false, hir.ty(e), false);
            }
            // The value is not used: whether anything has set it does not matter.
            H::Load(of) if hir.types.is_scalar(hir.ty(e)) => {
                let place = self.place(*of);
                self.read_unwanted(&place, hir.ty(e));
            }
            _ if hir.types.is_function(hir.ty(e)) => {}
            _ if hir.is_lvalue(e) && !hir.types.is_scalar(hir.ty(e)) => {
                let place = self.place(e);
                // A struct is read although nobody wants it; an array only becomes a pointer.
                if hir.types.is_record(hir.ty(e)) {
                    self.read_unwanted(&place, hir.ty(e));
                }
            }
            _ => {
                self.value(e);
            }
        }
    }

    pub(super) fn unsupported(&mut self, what: &str, ty: Ty) -> Term {
        self.incomplete(what);
        self.zero(ty)
    }

    /// Two operands from left to right; the first is kept when the second has effects.
    pub(super) fn operands(&mut self, a: hir::Expr, b: hir::Expr) -> (Term, Term) {
        self.rely_on_order(a, b, "operands of an operator");
        let mut x = self.value(a);
        if self.facts.effects[b] {
            x = self.save(x);
        }
        (x, self.value(b))
    }

    /// 0 or 1.
    pub(super) fn bool_value(&mut self, cond: Term, ty: Ty) -> Term {
        let bits = self.bits(ty);
        let (one, zero) = (self.p.pool.num(bits, 1), self.p.pool.num(bits, 0));
        self.p.pool.ite(cond, one, zero)
    }

    // Conditions.

    /// Whether an expression is nonzero, as a boolean term.
    pub(super) fn condition(&mut self, e: hir::Expr) -> Term {
        let hir = self.hir;
        if !self.live() {
            return self.p.pool.fls();
        }
        match &hir.exprs[e].kind {
            H::Int(v) => self.p.pool.bool(*v != 0),
            H::Unary(UnOp::Not, a) => {
                let c = self.condition(*a);
                self.p.pool.not(c)
            }
            H::Binary(op, a, b) if is_comparison(*op) => self.compare(*op, *a, *b),
            H::And(a, b) if self.facts.pure[*b] => {
                let x = self.condition(*a);
                let y = self.condition(*b);
                self.p.pool.and(x, y)
            }
            H::Or(a, b) if self.facts.pure[*b] => {
                let x = self.condition(*a);
                let y = self.condition(*b);
                self.p.pool.or(x, y)
            }
            H::And(..) | H::Or(..) => {
                let (yes, no) = self.jump_if(e);
                let result = self.temp(Type::Bool);
                let (tru, fls) = (self.p.pool.tru(), self.p.pool.fls());
                self.resume(yes);
                self.assign(result, tru);
                let yes = self.end_arm();
                self.resume(no);
                self.assign(result, fls);
                let no = self.end_arm();
                self.join(yes, no);
                self.p.pool.var(result)
            }
            _ => {
                let ty = hir.ty(e);
                let value = self.value(e);
                self.nonzero(value, ty)
            }
        }
    }

    pub(super) fn nonzero(&mut self, value: Term, ty: Ty) -> Term {
        if self.hir.types.is_floating(ty) {
            return self.float_nonzero(value, ty);
        }
        let zero = self.zero(ty);
        self.p.pool.ne(value, zero)
    }

    /// Splits on a condition: where it holds and where not. Short-circuit operators with effects or
    /// checks in them become control flow.
    pub(super) fn jump_if(&mut self, e: hir::Expr) -> (Option<Loc>, Option<Loc>) {
        let hir = self.hir;
        match &hir.exprs[e].kind {
            H::And(a, b) if !self.facts.pure[*b] => {
                let (yes, no1) = self.jump_if(*a);
                self.resume(yes);
                let (yes, no2) = self.jump_if(*b);
                (yes, self.merge(no1, no2))
            }
            H::Or(a, b) if !self.facts.pure[*b] => {
                let (yes1, no) = self.jump_if(*a);
                self.resume(no);
                let (yes2, no) = self.jump_if(*b);
                (self.merge(yes1, yes2), no)
            }
            H::Unary(UnOp::Not, a) => {
                let (yes, no) = self.jump_if(*a);
                (no, yes)
            }
            _ => {
                let cond = self.condition(e);
                self.branch(cond)
            }
        }
    }

    /// One location for two.
    pub(super) fn merge(&mut self, a: Option<Loc>, b: Option<Loc>) -> Option<Loc> {
        match (a, b) {
            (Some(a), Some(b)) => {
                let skip = self.p.cmds.skip();
                self.p.add_edge(b, a, skip, self.f.span);
                Some(a)
            }
            (one, other) => one.or(other),
        }
    }

    /// Ends an arm of a branch: where it has come to.
    pub(super) fn end_arm(&mut self) -> Option<Loc> {
        self.flush();
        self.f.cur.take()
    }

    /// Goes on after two arms.
    pub(super) fn join(&mut self, a: Option<Loc>, b: Option<Loc>) {
        let to = match (a, b) {
            (Some(a), Some(b)) => {
                let to = self.new_loc();
                let skip = self.p.cmds.skip();
                self.p.add_edge(a, to, skip, self.f.span);
                self.p.add_edge(b, to, skip, self.f.span);
                Some(to)
            }
            (one, other) => one.or(other),
        };
        self.resume(to);
    }

    fn conditional(&mut self, c: hir::Expr, a: hir::Expr, b: hir::Expr, ty: Ty) -> Term {
        if ty == self.hir.types.void {
            let (then, other) = self.jump_if(c);
            self.resume(then);
            self.effect(a);
            let then = self.end_arm();
            self.resume(other);
            self.effect(b);
            let other = self.end_arm();
            self.join(then, other);
            return self.zero(ty);
        }
        if self.facts.pure[a] && self.facts.pure[b] {
            let c = self.condition(c);
            let (x, y) = (self.value(a), self.value(b));
            return self.p.pool.ite(c, x, y);
        }
        let arms = self.jump_if(c);
        self.value_of_arms(arms, ty, |l| l.value(a), b)
    }

    /// What `value` says in the first arm, and the value of `b` in the second.
    fn value_of_arms(
        &mut self,
        (then, other): (Option<Loc>, Option<Loc>),
        ty: Ty,
        value: impl FnOnce(&mut Self) -> Term,
        b: hir::Expr,
    ) -> Term {
        let result = self.temp(Type::Bv(self.bits(ty)));
        self.resume(then);
        let x = value(self);
        self.assign(result, x);
        let then = self.end_arm();
        self.resume(other);
        let y = self.value(b);
        self.assign(result, y);
        let other = self.end_arm();
        self.join(then, other);
        self.p.pool.var(result)
    }

    fn conditional_omitted(&mut self, c: hir::Expr, b: hir::Expr, ty: Ty) -> Term {
        let value = self.value(c);
        let value = self.save(value);
        let holds = self.nonzero(value, ty);
        if self.facts.pure[b] {
            let y = self.value(b);
            return self.p.pool.ite(holds, value, y);
        }
        let arms = self.branch(holds);
        self.value_of_arms(arms, ty, |_| value, b)
    }

    // Assignments.

    /// The place of an lvalue that is updated after something else is evaluated.
    fn place_for_update(&mut self, lhs: hir::Expr, keep: bool) -> Place {
        let place = self.place(lhs);
        if keep { self.save_place(place) } else { place }
    }

    fn assign_expr(&mut self, lhs: hir::Expr, rhs: hir::Expr, ty: Ty, want: bool) -> Term {
        self.rely_on_order(lhs, rhs, "both sides of an assignment");
        let place = self.place_for_update(lhs, self.facts.effects[rhs]);
        let value = if want {
            self.value(rhs)
        } else {
            self.copied_value(rhs)
        };
        self.update(&place, ty, value, want)
    }

    fn assign_ptr(
        &mut self,
        lhs: hir::Expr,
        index: hir::Expr,
        subtract: bool,
        ty: Ty,
        want: bool,
    ) -> Term {
        let keep = self.facts.effects[index];
        let place = self.place_for_update(lhs, keep);
        let old = self.load_place(&place, ty);
        let old = if keep { self.save(old) } else { old };
        let i = self.value(index);
        let signed = self.hir.types.is_signed(self.hir.ty(index));
        let new = self.pointer_add(old, i, signed, ty, subtract);
        self.update(&place, ty, new, want)
    }

    /// Stores; when wanted, gives the value that the place now has.
    fn update(&mut self, place: &Place, ty: Ty, value: Term, want: bool) -> Term {
        if !want {
            self.store_place(place, ty, value);
            return value;
        }
        if let Place::Registers {
            shape: shape @ super::object::Shape::Leaf(_),
            index: Index::Whole,
            ..
        } = place
        {
            self.store_place(place, ty, value);
            let stored = Place::Registers {
                shape: shape.clone(),
                index: Index::Whole,
                access: None,
            };
            // It has just been set.
            let checks = std::mem::replace(&mut self.props.uninit, false);
            let value = self.load_place(&stored, ty);
            self.props.uninit = checks;
            return value;
        }
        // The value may read what the store changes.
        let value = self.save(value);
        self.store_place(place, ty, value);
        let width = match place {
            Place::Memory {
                bits: Some((_, width)),
                ..
            } => Some(*width),
            Place::Registers {
                shape: super::object::Shape::Leaf(var),
                ..
            } => match self.p.pool.var_ty(*var) {
                Type::Array { elem, .. } => Some(elem),
                _ => None,
            },
            _ => None,
        };
        match width {
            Some(width) if width < self.p.pool.width(value) => {
                let part = self.p.pool.extract(width - 1, 0, value);
                let signed = self.hir.types.is_signed(ty);
                let bits = self.bits(ty);
                self.resize(part, bits, signed)
            }
            _ => value,
        }
    }

    fn assign_op(
        &mut self,
        lhs: hir::Expr,
        op: BinOp,
        rhs: hir::Expr,
        (compute, ty): (Ty, Ty),
        want: bool,
    ) -> Term {
        let keep = self.facts.effects[rhs];
        let place = self.place_for_update(lhs, keep);
        let old = self.load_place(&place, ty);
        let old = if keep { self.save(old) } else { old };
        let y = self.value(rhs);
        let x = self.cast(old, ty, compute);
        let result = self.arithmetic(op, x, y, compute);
        let result = self.cast(result, compute, ty);
        self.update(&place, ty, result, want)
    }

    fn inc_dec(
        &mut self,
        lhs: hir::Expr,
        increment: bool,
        postfix: bool,
        ty: Ty,
        want: bool,
    ) -> Term {
        let hir = self.hir;
        let place = self.place(lhs);
        let old = self.load_place(&place, ty);
        let old = if postfix { self.save(old) } else { old };
        let new = match hir.types.kind(ty) {
            TyKind::Pointer(_) => {
                let one = self.ptr_const(1);
                self.pointer_add(old, one, false, ty, !increment)
            }
            TyKind::Bool => {
                // ++ sets to one; -- flips.
                let one = self.p.pool.num(1, 1);
                if increment {
                    one
                } else {
                    self.p.pool.bvxor(old, one)
                }
            }
            TyKind::Float(kind) => {
                let one = Float::from_integer(1, false, *kind);
                let one = self.float_constant(one, ty);
                let op = if increment { BinOp::Add } else { BinOp::Sub };
                self.float_arithmetic(op, old, one, ty)
            }
            TyKind::Complex(_) => return self.unsupported("complex arithmetic", ty),
            _ => {
                let int = hir.types.int;
                let small = self.bits(ty) < 32;
                let compute = if small { int } else { ty };
                let x = self.cast(old, ty, compute);
                let bits = self.bits(compute);
                let one = self.p.pool.num(bits, 1);
                let op = if increment { BinOp::Add } else { BinOp::Sub };
                let result = self.arithmetic(op, x, one, compute);
                self.cast(result, compute, ty)
            }
        };
        let value = self.update(&place, ty, new, want && !postfix);
        if postfix { old } else { value }
    }
}

pub fn is_comparison(op: BinOp) -> bool {
    matches!(
        op,
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge
    )
}
