//! Integer and pointer arithmetic with its checks, and conversions; floating point: [`super::float`].

use super::Lowerer;
use super::fault::Fault;
use super::object::Object;
use super::value::is_comparison;
use crate::assumptions::Assumption;
use crate::ast::BinOp;
use crate::hir::{self, UnOp};
use crate::types::Ty;
use trellis_ivl::{Op, Term};

impl Lowerer<'_> {
    /// An arithmetic or bit operator on values of type `ty`; a shift amount may have another.
    pub(super) fn arithmetic(&mut self, op: BinOp, x: Term, y: Term, ty: Ty) -> Term {
        if self.hir.types.is_floating(ty) {
            return self.float_arithmetic(op, x, y, ty);
        }
        let signed = self.hir.types.is_signed(ty);
        self.check_arithmetic(op, x, y, ty);
        let pool = &mut self.p.pool;
        match op {
            BinOp::Add => pool.bvadd(x, y),
            BinOp::Sub => pool.bvsub(x, y),
            BinOp::Mul => pool.bvmul(x, y),
            BinOp::Div if signed => pool.bvsdiv(x, y),
            BinOp::Div => pool.bvudiv(x, y),
            BinOp::Rem if signed => pool.bvsrem(x, y),
            BinOp::Rem => pool.bvurem(x, y),
            BinOp::BitAnd => pool.bvand(x, y),
            BinOp::BitOr => pool.bvor(x, y),
            BinOp::BitXor => pool.bvxor(x, y),
            BinOp::Shl | BinOp::Shr => {
                let width = pool.width(x);
                let y = self.shift_amount(y, width);
                match op {
                    BinOp::Shl => self.p.pool.bvshl(x, y),
                    _ if signed => self.p.pool.bvashr(x, y),
                    _ => self.p.pool.bvlshr(x, y),
                }
            }
            _ => self.zero(ty),
        }
    }

    /// The amount in the width of the operand; what is out of range is undefined in C.
    fn shift_amount(&mut self, y: Term, width: u32) -> Term {
        self.resize(y, width, false)
    }

    fn check_arithmetic(&mut self, op: BinOp, x: Term, y: Term, ty: Ty) {
        let operation = || Fault::Operation {
            operator: symbol(op),
            operands: vec![x, y],
            ty,
        };
        let signed = self.hir.types.is_signed(ty);
        if self.props.div_by_zero && matches!(op, BinOp::Div | BinOp::Rem) {
            let width = self.p.pool.width(y);
            let zero = self.p.pool.num(width, 0);
            let ok = self.p.pool.ne(y, zero);
            self.about(operation());
            self.check(ok, "div-by-zero");
        }
        if self.props.shift_range && matches!(op, BinOp::Shl | BinOp::Shr) {
            let width = self.p.pool.width(x);
            let have = self.p.pool.width(y);
            // A negative amount is large as an unsigned number.
            let limit = self.constant(have, i128::from(width));
            let ok = self.p.pool.bvult(y, limit);
            self.about(operation());
            self.check(ok, "shift-range");
        }
        if self.props.sees_overflow() && signed {
            let bad = match op {
                BinOp::Add => self.p.pool.overflow(Op::BvSaddo, x, y),
                BinOp::Sub => self.p.pool.overflow(Op::BvSsubo, x, y),
                BinOp::Mul => self.p.pool.overflow(Op::BvSmulo, x, y),
                BinOp::Div | BinOp::Rem => self.p.pool.bvsdivo(x, y),
                BinOp::Shl => self.shift_overflows(x, y),
                _ => return,
            };
            let ok = self.p.pool.not(bad);
            self.about(operation());
            self.no_overflow(ok);
        }
    }

    /// Goes on where nothing overflows. An execution that does is an error where that is asked; where its end is asked, C
    /// promises nothing beyond, neither that it ends nor that it does not.
    pub(super) fn no_overflow(&mut self, ok: Term) {
        match self.props.no_overflow {
            true => self.check(ok, "no-overflow"),
            false => self.require(ok, "a signed overflow, beyond which C promises nothing"),
        }
    }

    /// A left shift of a negative number, or one that loses bits or the sign (C11 6.5.7).
    fn shift_overflows(&mut self, x: Term, y: Term) -> Term {
        let width = self.p.pool.width(x);
        let y = self.shift_amount(y, width);
        let zero = self.p.pool.num(width, 0);
        let negative = self.p.pool.bvslt(x, zero);
        let shifted = self.p.pool.bvshl(x, y);
        let back = self.p.pool.bvashr(shifted, y);
        let lost = self.p.pool.ne(back, x);
        self.p.pool.or(negative, lost)
    }

    pub(super) fn unary(&mut self, op: UnOp, a: hir::Expr, ty: Ty) -> Term {
        let from = self.hir.ty(a);
        match op {
            UnOp::Not => {
                let c = self.condition(a);
                let c = self.p.pool.not(c);
                self.bool_value(c, ty)
            }
            UnOp::BitNot => {
                let x = self.value(a);
                if self.hir.types.is_floating(from) {
                    return self.unsupported("complex conjugation", ty);
                }
                self.p.pool.bvnot(x)
            }
            UnOp::Neg if self.hir.types.is_floating(from) => {
                let x = self.value(a);
                self.float_negation(x, ty)
            }
            UnOp::Neg => {
                let x = self.value(a);
                if self.props.sees_overflow() && self.hir.types.is_signed(ty) {
                    let bad = self.p.pool.bvnego(x);
                    let ok = self.p.pool.not(bad);
                    self.about(Fault::Operation {
                        operator: "-",
                        operands: vec![x],
                        ty,
                    });
                    self.no_overflow(ok);
                }
                self.p.pool.bvneg(x)
            }
        }
    }

    /// A comparison as a boolean term.
    pub(super) fn compare(&mut self, op: BinOp, a: hir::Expr, b: hir::Expr) -> Term {
        debug_assert!(is_comparison(op));
        let ty = self.hir.ty(a);
        let (x, y) = self.operands(a, b);
        if self.hir.types.is_floating(ty) {
            return self.compare_floats(op, x, y, ty);
        }
        if self.hir.types.is_pointer(ty) {
            match op {
                BinOp::Eq | BinOp::Ne => self.rely_on_gaps(a, b),
                _ => self.rely_on_layout((a, x), (b, y), "the order of pointers"),
            }
        }
        let signed = self.hir.types.is_signed(ty);
        let pool = &mut self.p.pool;
        match (op, signed) {
            (BinOp::Eq, _) => pool.eq(x, y),
            (BinOp::Ne, _) => pool.ne(x, y),
            (BinOp::Lt, true) => pool.bvslt(x, y),
            (BinOp::Lt, false) => pool.bvult(x, y),
            (BinOp::Gt, true) => pool.bvslt(y, x),
            (BinOp::Gt, false) => pool.bvult(y, x),
            (BinOp::Le, true) => pool.bvsle(x, y),
            (BinOp::Le, false) => pool.bvule(x, y),
            (_, true) => pool.bvsle(y, x),
            (_, false) => pool.bvule(y, x),
        }
    }

    // Pointers.

    /// An object may begin where another ends, and in the model none does.
    fn rely_on_gaps(&mut self, a: hir::Expr, b: hir::Expr) {
        let (a, b) = (self.classes.of_expr(a), self.classes.of_expr(b));
        if self.classes.may_touch(a, b) {
            let detail = "whether pointers are equal, should one lead just behind an object";
            self.grant_or_give_up(Assumption::AddressLayout, detail);
        }
    }

    /// C says nothing of the order and distance of different objects; the model has its own.
    fn rely_on_layout(&mut self, a: (hir::Expr, Term), b: (hir::Expr, Term), what: &str) {
        let classes = (self.classes.of_expr(a.0), self.classes.of_expr(b.0));
        if !self.classes.may_differ(classes.0, classes.1) {
            return;
        }
        let detail = format!("{what}, should they lead to different objects");
        if !self.take_for_granted(Assumption::AddressLayout, &detail) {
            let (x, y) = (self.slot_of(a.1), self.slot_of(b.1));
            let same = self.p.pool.eq(x, y);
            let which = Assumption::AddressLayout.name();
            self.require(
                same,
                &format!("'{which}' is not assumed: {what} that lead to different objects"),
            );
        }
    }

    pub(super) fn pointer_add(
        &mut self,
        p: Term,
        i: Term,
        signed: bool,
        ptr_ty: Ty,
        subtract: bool,
    ) -> Term {
        let to = self
            .hir
            .types
            .pointee(ptr_ty)
            .map_or(self.hir.types.void, |q| q.ty);
        let i = self.resize(i, self.ptr, signed);
        let size = self.size_term(to);
        let delta = self.p.pool.bvmul(i, size);
        let result = if subtract {
            self.p.pool.bvsub(p, delta)
        } else {
            self.p.pool.bvadd(p, delta)
        };
        // Constant steps smaller than the gap behind every object need no question.
        let small = self
            .p
            .pool
            .as_bv(delta)
            .and_then(|d| d.to_i64())
            .is_some_and(|d| d.abs() <= 16);
        if self.props.valid_deref && !small {
            self.require_near(p, result);
        }
        result
    }

    /// Leaving the slot in one step could land in another object. One past the end stays in.
    pub(super) fn require_near(&mut self, from: Term, to: Term) {
        let (a, b) = (self.slot_of(from), self.slot_of(to));
        let same = self.p.pool.eq(a, b);
        self.require_arithmetic(same, from, to);
    }

    /// Pointer arithmetic may leave its slot only within a static object larger than a slot.
    fn require_arithmetic(&mut self, same: Term, from: Term, to: Term) {
        let hir = self.hir;
        let slot = 1u64 << self.mem.slot_bits;
        let mut ok = same;
        for (var, data) in hir.vars.iter() {
            let size = hir.types.size_of(data.ty.ty).unwrap_or(0);
            let is_static = matches!(data.storage, hir::Storage::Global | hir::Storage::Static);
            if !is_static || !self.facts.in_memory[var] || size + 16 <= slot {
                continue;
            }
            let Object::Memory(base) = self.object(var) else {
                continue;
            };
            let base = self.p.pool.var(base);
            let size = self.ptr_const(size);
            let inside = |this: &mut Self, p: Term| {
                let offset = this.p.pool.bvsub(p, base);
                this.p.pool.bvule(offset, size)
            };
            let (a, b) = (inside(self, from), inside(self, to));
            let both = self.p.pool.and(a, b);
            ok = self.p.pool.or(ok, both);
        }
        self.require(ok, "pointer arithmetic far outside of any object");
    }

    pub(super) fn pointer_difference(&mut self, a: hir::Expr, b: hir::Expr, ty: Ty) -> Term {
        let to = self
            .hir
            .types
            .pointee(self.hir.ty(a))
            .map_or(self.hir.types.void, |q| q.ty);
        if super::escape::is_label(self.hir, a) || super::escape::is_label(self.hir, b) {
            return self.unsupported("the distance of labels", ty);
        }
        let (x, y) = self.operands(a, b);
        self.rely_on_layout((a, x), (b, y), "the distance of pointers");
        let bytes = self.p.pool.bvsub(x, y);
        let size = self.size_term(to);
        let result = self.p.pool.bvsdiv(bytes, size);
        let bits = self.bits(ty);
        self.resize(result, bits, true)
    }

    // Conversions.

    pub(super) fn cast_expr(&mut self, a: hir::Expr, to: Ty) -> Term {
        let hir = self.hir;
        let from = hir.ty(a);
        if to == hir.types.void {
            self.effect(a);
            return self.zero(to);
        }
        let value = self.value(a);
        let number = hir.types.is_pointer(from) && hir.types.is_integer(to) && to != hir.types.bool;
        if number && !self.p.pool.is_const(value) {
            self.grant_or_give_up(Assumption::AddressLayout, "a pointer as a number");
        }
        self.cast(value, from, to)
    }

    /// A value of one scalar type as another.
    pub(super) fn cast(&mut self, value: Term, from: Ty, to: Ty) -> Term {
        let types = &self.hir.types;
        if from == to || types.is_record(to) {
            return value;
        }
        if to == types.bool {
            let c = self.nonzero(value, from);
            return self.bool_value(c, to);
        }
        if types.is_floating(from) || types.is_floating(to) {
            return self.float_cast(value, from, to);
        }
        let signed = types.is_signed(from);
        let bits = self.bits(to);
        self.resize(value, bits, signed)
    }
}

/// An operator as C writes it.
fn symbol(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Rem => "%",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
        _ => "?",
    }
}
