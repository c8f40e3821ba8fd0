//! Constant expressions: integers, and addresses as far as integers come from them (`offsetof`).

use super::Sema;
use crate::ast::{self, BinOp};
use crate::hir::{self, ExprKind as H, UnOp};
use crate::types::TyKind;

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
        let data = &self.hir.exprs[e];
        let ty = data.ty.ty;
        let value = match &data.kind {
            H::Int(v) => *v,
            H::Cast(inner) => {
                let from = self.hir.ty(*inner);
                if self.hir.types.is_floating(from) && self.hir.types.is_integer(ty) {
                    return self
                        .float_to_int(*inner)
                        .map(|v| self.hir.types.wrap(v, ty));
                }
                self.eval_int(*inner)?
            }
            H::Unary(op, a) => {
                let v = self.eval_int(*a)?;
                match op {
                    UnOp::Neg => v.wrapping_neg(),
                    UnOp::BitNot => !v,
                    UnOp::Not => i128::from(v == 0),
                }
            }
            H::Binary(op, a, b) => self.eval_binary(*op, *a, *b)?,
            H::And(a, b) => match self.eval_int(*a)? {
                0 => 0,
                _ => i128::from(self.eval_int(*b)? != 0),
            },
            H::Or(a, b) => match self.eval_int(*a)? {
                0 => i128::from(self.eval_int(*b)? != 0),
                _ => 1,
            },
            H::Cond(c, a, b) => {
                let chosen = if self.eval_int(*c)? != 0 { *a } else { *b };
                self.eval_int(chosen)?
            }
            H::CondOmitted(c, b) => match self.eval_int(*c)? {
                0 => self.eval_int(*b)?,
                v => v,
            },
            H::AddrOf(place) | H::Decay(place) => self.eval_place(*place)?,
            H::PtrAdd {
                ptr,
                index,
                subtract,
            } => {
                let size = self.pointee_size(*ptr)?;
                let index = self.eval_int(*index)?;
                let delta = index.checked_mul(size)?;
                let base = self.eval_int(*ptr)?;
                if *subtract {
                    base - delta
                } else {
                    base + delta
                }
            }
            H::PtrDiff(a, b) => {
                let size = self.pointee_size(*a)?;
                (self.eval_int(*a)? - self.eval_int(*b)?).checked_div(size)?
            }
            _ => return None,
        };
        self.hir
            .types
            .is_scalar(ty)
            .then(|| self.hir.types.wrap(value, ty))
    }

    fn pointee_size(&self, ptr: hir::Expr) -> Option<i128> {
        let to = self.hir.types.pointee(self.hir.ty(ptr))?;
        match self.hir.types.kind(to.ty) {
            TyKind::Void | TyKind::Function(_) => Some(1),
            _ => self.hir.types.size_of(to.ty).map(i128::from),
        }
    }

    /// A floating constant cast to an integer.
    fn float_to_int(&self, e: hir::Expr) -> Option<i128> {
        match &self.hir.exprs[e].kind {
            H::Float(text) => text.parse::<f64>().ok().map(|v| v as i128),
            H::Unary(UnOp::Neg, a) => self.float_to_int(*a).map(|v| -v),
            H::Cast(a) if self.hir.types.is_integer(self.hir.ty(*a)) => self.eval_int(*a),
            _ => None,
        }
    }

    fn eval_binary(&self, op: BinOp, a: hir::Expr, b: hir::Expr) -> Option<i128> {
        let (x, y) = (self.eval_int(a)?, self.eval_int(b)?);
        let ty = self.hir.ty(a);
        let unsigned = !self.hir.types.is_signed(ty);
        // 128-bit unsigned values are kept as i128 bit patterns.
        let wide = unsigned && self.hir.types.value_bits(ty) == Some(128);
        let less = |x: i128, y: i128| {
            if wide {
                (x as u128) < (y as u128)
            } else {
                x < y
            }
        };
        Some(match op {
            BinOp::Mul => x.wrapping_mul(y),
            BinOp::Div | BinOp::Rem if y == 0 => return None,
            BinOp::Div if wide => ((x as u128) / (y as u128)) as i128,
            BinOp::Rem if wide => ((x as u128) % (y as u128)) as i128,
            BinOp::Div => x.wrapping_div(y),
            BinOp::Rem => x.wrapping_rem(y),
            BinOp::Add => x.wrapping_add(y),
            BinOp::Sub => x.wrapping_sub(y),
            BinOp::Shl | BinOp::Shr => {
                let bits = self.hir.types.value_bits(ty)?;
                let by = u32::try_from(y).ok().filter(|by| *by < bits)?;
                match op {
                    BinOp::Shl => x.wrapping_shl(by),
                    _ if wide => ((x as u128) >> by) as i128,
                    _ => x >> by,
                }
            }
            BinOp::Lt => i128::from(less(x, y)),
            BinOp::Gt => i128::from(less(y, x)),
            BinOp::Le => i128::from(!less(y, x)),
            BinOp::Ge => i128::from(!less(x, y)),
            BinOp::Eq => i128::from(x == y),
            BinOp::Ne => i128::from(x != y),
            BinOp::BitAnd => x & y,
            BinOp::BitXor => x ^ y,
            BinOp::BitOr => x | y,
            BinOp::And | BinOp::Or | BinOp::Implies => return None,
        })
    }

    /// The address of an lvalue based on a constant pointer.
    fn eval_place(&self, place: hir::Expr) -> Option<i128> {
        match &self.hir.exprs[place].kind {
            H::Deref(p) => self.eval_int(*p),
            H::Field { base, field } => {
                let record = self.hir.types.record_of(self.hir.ty(*base))?;
                let offset = self.hir.types.records[record].fields[*field as usize].offset();
                Some(self.eval_place(*base)? + i128::from(offset))
            }
            H::Index { base, index } => {
                let size = self.hir.types.size_of(self.hir.ty(place))?;
                let delta = self.eval_int(*index)?.checked_mul(i128::from(size))?;
                Some(self.eval_place(*base)? + delta)
            }
            _ => None,
        }
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
            H::CondOmitted(a, b) => self.is_static_constant(*a) && self.is_static_constant(*b),
            H::PtrAdd { ptr, index, .. } => {
                self.is_static_constant(*ptr) && self.is_static_constant(*index)
            }
            H::AddrOf(p) | H::Decay(p) => self.is_static_place(*p),
            // gcc folds the value of a compound literal or a const object's initialiser in.
            H::Load(p) => {
                matches!(self.hir.exprs[*p].kind, H::CompoundLit { .. })
                    || self.is_static_literal(*p)
            }
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
