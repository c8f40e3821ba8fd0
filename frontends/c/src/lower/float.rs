//! Floating point: a value is the bit pattern of its format, and an operation a term of `trellis-ivl-float`.
//!
//! Each operation is done in the type that C gives it and rounded once (`FLT_EVAL_METHOD` 0, no contraction); where
//! gcc does otherwise unless told, that is an entry of the ledger. The direction is to nearest, unless the program sets
//! one: then it is read from a variable. The NaN of an operation is the positive quiet one. Of a `long double` the low 80 bits
//! count; what is above them is padding, zero in the results of operations.

use super::Lowerer;
use crate::assumptions::Assumption;
use crate::ast::BinOp;
use crate::hir::float::Float;
use crate::hir::{self, Hir};
use crate::types::{DataModel, FloatKind, Ty, TyKind};
use trellis_ivl::{Term, Type};
use trellis_ivl_float::{Floats, Format, Mode, Rounding};

/// Where the direction of rounding is kept, by name: the variable of the library's model, and CBMC's.
const DIRECTIONS: &[(&str, u64)] = &[
    (crate::library::ROUNDING_OBJECT, 10),
    (crate::library::CPROVER_ROUNDING, 0),
];

/// The variable that the direction of rounding is read from, with the number of bits below it.
#[derive(Clone, Copy)]
pub struct Direction {
    var: hir::Var,
    shift: u64,
}

impl Direction {
    /// That of a program that sets it.
    pub fn find(hir: &Hir) -> Option<Direction> {
        hir.vars.iter().find_map(|(var, data)| {
            let (_, shift) = DIRECTIONS.iter().find(|(name, _)| *name == data.name)?;
            Some(Direction { var, shift: *shift })
        })
    }
}

/// The format of a kind.
pub fn format_of(kind: FloatKind) -> Format {
    match kind {
        FloatKind::Half => Format::HALF,
        FloatKind::Float => Format::SINGLE,
        FloatKind::Double => Format::DOUBLE,
        FloatKind::LongDouble => Format::X87,
        FloatKind::Float128 => Format::QUAD,
    }
}

impl Lowerer<'_> {
    /// Makes terms over floats.
    pub(super) fn floats(&mut self) -> Floats<'_> {
        Floats::new(&mut self.p.pool)
    }

    pub(super) fn float_kind(&self, ty: Ty) -> Option<FloatKind> {
        match self.hir.types.kind(ty) {
            TyKind::Float(kind) => Some(*kind),
            _ => None,
        }
    }

    /// The format of a real floating type.
    pub(super) fn format(&self, ty: Ty) -> Option<Format> {
        self.float_kind(ty).map(format_of)
    }

    /// The bits of a value that count.
    pub(super) fn pattern(&mut self, value: Term, format: Format) -> Term {
        self.resize(value, format.width(), false)
    }

    /// A pattern as a value of a type: with padding.
    pub(super) fn in_storage(&mut self, pattern: Term, ty: Ty) -> Term {
        let bits = self.bits(ty);
        self.resize(pattern, bits, false)
    }

    pub(super) fn float_constant(&mut self, value: Float, ty: Ty) -> Term {
        let bits = self.bits(ty);
        self.constant(bits, value.bits as i128)
    }

    /// The direction in which operations round here.
    pub(super) fn direction(&mut self) -> Mode {
        let Some(Direction { var, shift }) = self.rounding else {
            return Rounding::NearestEven.into();
        };
        let int = self.hir.types.int;
        let checks = std::mem::replace(&mut self.props.valid_deref, false);
        let place = self.var_place(var);
        let value = self.load_place(&place, int);
        self.props.valid_deref = checks;
        // As x86 numbers them.
        let low = shift as u32;
        let number = self.p.pool.extract(low + 1, low, value);
        let order = [
            Rounding::NearestEven,
            Rounding::Downward,
            Rounding::Upward,
            Rounding::TowardZero,
        ];
        let mut mode = self.p.pool.num(Rounding::WIDTH, order[0].number());
        for (i, rounding) in order.iter().enumerate().skip(1) {
            let this = self.p.pool.num(2, i as u64);
            let is_this = self.p.pool.eq(number, this);
            let value = self.p.pool.num(Rounding::WIDTH, rounding.number());
            mode = self.p.pool.ite(is_this, value, mode);
        }
        Mode::Term(mode)
    }

    /// gcc computes in wider types where the machine has no operations of this one.
    fn rely_on_evaluation(&mut self, ty: Ty) {
        let wider = match self.float_kind(ty) {
            Some(FloatKind::Half) => Some("_Float16"),
            Some(FloatKind::Float) => Some("float"),
            Some(FloatKind::Double) => Some("double"),
            _ => None,
        };
        let wider =
            wider.filter(|name| *name == "_Float16" || self.hir.types.model == DataModel::Ilp32);
        if let Some(name) = wider {
            self.grant_or_give_up(Assumption::FloatEvaluation, name);
        }
    }

    /// `+ - * /` of values of a floating type.
    pub(super) fn float_arithmetic(&mut self, op: BinOp, x: Term, y: Term, ty: Ty) -> Term {
        let Some(format) = self.format(ty) else {
            return self.unsupported("complex arithmetic", ty);
        };
        self.rely_on_evaluation(ty);
        let mode = self.direction();
        let (x, y) = (self.pattern(x, format), self.pattern(y, format));
        let mut floats = self.floats();
        let result = match op {
            BinOp::Add => floats.add(format, mode, x, y),
            BinOp::Sub => floats.sub(format, mode, x, y),
            BinOp::Mul => floats.mul(format, mode, x, y),
            BinOp::Div => floats.div(format, mode, x, y),
            _ => return self.zero(ty),
        };
        self.in_storage(result, ty)
    }

    pub(super) fn float_negation(&mut self, x: Term, ty: Ty) -> Term {
        let Some(format) = self.format(ty) else {
            return self.unsupported("complex arithmetic", ty);
        };
        let x = self.pattern(x, format);
        let result = self.floats().neg(format, x);
        self.in_storage(result, ty)
    }

    pub(super) fn compare_floats(&mut self, op: BinOp, x: Term, y: Term, ty: Ty) -> Term {
        let Some(format) = self.format(ty) else {
            self.incomplete("a comparison of complex numbers");
            return self.p.pool.fls();
        };
        let (x, y) = (self.pattern(x, format), self.pattern(y, format));
        let mut floats = self.floats();
        match op {
            BinOp::Eq => floats.eq(format, x, y),
            BinOp::Lt => floats.lt(format, x, y),
            BinOp::Gt => floats.lt(format, y, x),
            BinOp::Le => floats.le(format, x, y),
            BinOp::Ge => floats.le(format, y, x),
            _ => {
                let equal = floats.eq(format, x, y);
                self.p.pool.not(equal)
            }
        }
    }

    /// Only the two zeros are zero; a NaN is not.
    pub(super) fn float_nonzero(&mut self, x: Term, ty: Ty) -> Term {
        let Some(format) = self.format(ty) else {
            self.incomplete("a complex number as a condition");
            return self.p.pool.fls();
        };
        let x = self.pattern(x, format);
        let zero = self.floats().is_zero(format, x);
        self.p.pool.not(zero)
    }

    /// A conversion from or to a floating type.
    pub(super) fn float_cast(&mut self, value: Term, from: Ty, to: Ty) -> Term {
        let types = &self.hir.types;
        let complex = |ty: Ty| matches!(types.kind(ty), TyKind::Complex(_));
        if complex(from) || complex(to) {
            return self.unsupported("complex arithmetic", to);
        }
        match (self.format(from), self.format(to)) {
            (Some(a), Some(b)) => {
                let value = self.pattern(value, a);
                let mode = self.direction();
                let result = self.floats().convert(a, b, mode, value);
                self.in_storage(result, to)
            }
            (None, Some(format)) => {
                let mode = self.direction();
                let result = match types.is_signed(from) {
                    true => self.floats().from_signed(format, mode, value),
                    false => self.floats().from_unsigned(format, mode, value),
                };
                self.in_storage(result, to)
            }
            (Some(format), None) => {
                let toward_zero = Rounding::TowardZero.into();
                self.float_to_integer(value, format, toward_zero, to)
            }
            (None, None) => self.zero(to),
        }
    }

    /// A number rounded to an integer type; what that does not hold has any result.
    pub(super) fn float_to_integer(
        &mut self,
        value: Term,
        format: Format,
        mode: Mode,
        to: Ty,
    ) -> Term {
        let value = self.pattern(value, format);
        let bits = self.bits(to);
        let (result, fits) = match self.hir.types.is_signed(to) {
            true => self.floats().to_signed(format, mode, value, bits),
            false => self.floats().to_unsigned(format, mode, value, bits),
        };
        if self.p.pool.as_bool(fits) == Some(true) {
            return result;
        }
        let any = self.any_value(to, "a floating number that the integer type does not hold");
        self.p.pool.ite(fits, result, any)
    }

    /// Any value of a floating type; of x87's patterns only those that are numbers or NaNs.
    pub(super) fn any_float(&mut self, kind: FloatKind, ty: Ty, name: &str) -> Term {
        let format = format_of(kind);
        let var = self.temp(Type::Bv(format.width()));
        self.havoc(var, name);
        let value = self.p.pool.var(var);
        if format.has_explicit_integer() {
            let at = format.fraction_bits();
            let integer = self.p.pool.extract(at, at, value);
            let integer = self.p.pool.bv_to_bool(integer);
            let exponent = self
                .p
                .pool
                .extract(at + format.exponent_bits(), at + 1, value);
            let zero = self.p.pool.num(format.exponent_bits(), 0);
            let subnormal = self.p.pool.eq(exponent, zero);
            let canonical = self.p.pool.ne(integer, subnormal);
            self.assume(canonical);
        }
        self.in_storage(value, ty)
    }
}
