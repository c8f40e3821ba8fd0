//! What the analysis asks of types and expressions: kinds, steps, factors.

use super::facts::{Root, gcd};
use crate::ast::BinOp;
use crate::hir::{self, ExprKind as H, Hir};
use crate::lower::escape::root;
use crate::types::{Ty, TyKind};

/// 0 for pointers, 1 for all else.
pub(super) fn kind_of(hir: &Hir, ty: Ty) -> usize {
    usize::from(!hir.types.is_pointer(ty))
}

pub(super) fn is_aggregate(hir: &Hir, ty: Ty) -> bool {
    hir.types.is_record(ty) || hir.types.is_array(ty)
}

/// The type of the elements of an array of any dimension.
pub(super) fn strip(hir: &Hir, mut ty: Ty) -> Ty {
    while let TyKind::Array(elem, _) = hir.types.kind(ty) {
        ty = elem.ty;
    }
    ty
}

/// A number that divides the size of a type, also of variable-length arrays.
pub(super) fn unit(hir: &Hir, ty: Ty) -> u64 {
    match hir.types.size_of(ty) {
        Some(size) => size,
        None => hir.types.size_of(strip(hir, ty)).unwrap_or(1),
    }
}

pub(super) fn pointee_unit(hir: &Hir, ptr: Ty) -> u64 {
    match hir.types.pointee(ptr) {
        Some(to) if !matches!(hir.types.kind(to.ty), TyKind::Void | TyKind::Function(_)) => {
            unit(hir, to.ty)
        }
        _ => 1,
    }
}

/// The type of the variable or dereference that a place is a part of.
pub(super) fn base_type(hir: &Hir, place: hir::Expr) -> Option<Ty> {
    match &hir.exprs[place].kind {
        H::Var(_) | H::CompoundLit { .. } | H::Deref(_) | H::Str(_) => Some(hir.ty(place)),
        H::Field { base, .. } | H::Index { base, .. } => base_type(hir, *base),
        _ => None,
    }
}

/// Whether an array lvalue is an object of its class itself, not a member of one.
pub(super) fn root_is_direct_array(hir: &Hir, place: hir::Expr) -> bool {
    match &hir.exprs[place].kind {
        H::Field { .. } => false,
        H::Index { base, .. } => root_is_direct_array(hir, *base),
        _ => root(hir, place).is_some() || matches!(hir.exprs[place].kind, H::Deref(_) | H::Str(_)),
    }
}

/// Whether a place is a part of a struct.
pub(super) fn is_inner(hir: &Hir, place: hir::Expr) -> bool {
    match &hir.exprs[place].kind {
        H::Field { .. } => true,
        H::Index { base, .. } => is_inner(hir, *base),
        _ => false,
    }
}

pub(super) fn bit_field(hir: &Hir, mut ty: Ty, path: &[hir::Step]) -> bool {
    let mut last = false;
    for step in path {
        last = false;
        match (hir.types.kind(ty), step) {
            (TyKind::Array(elem, _), hir::Step::Index(_)) => ty = elem.ty,
            (TyKind::Record(r), hir::Step::Field(i)) => {
                let field = &hir.types.records[*r].fields[*i as usize];
                last = field.width.is_some();
                ty = field.ty.ty;
            }
            _ => return false,
        }
    }
    last
}

/// A number that divides the value of an expression.
pub(super) fn factor(hir: &Hir, e: hir::Expr) -> u64 {
    let power_of_two = |n: u64| if n == 0 { 0 } else { 1 << n.trailing_zeros() };
    match &hir.exprs[e].kind {
        H::Int(v) => u64::try_from(*v).unwrap_or(1),
        // Wrapping keeps only powers of two.
        H::Cast(a) => power_of_two(factor(hir, *a)),
        H::Binary(BinOp::Mul, a, b) => {
            let (a, b) = (factor(hir, *a), factor(hir, *b));
            power_of_two(a.max(1))
                .saturating_mul(power_of_two(b.max(1)))
                .min(1 << 31)
        }
        H::Binary(BinOp::Add | BinOp::Sub, a, b) => {
            power_of_two(gcd(factor(hir, *a), factor(hir, *b)))
        }
        _ => 1,
    }
}

pub(super) fn root_of(hir: &Hir, base: Ty) -> Root {
    match hir.types.kind(base) {
        TyKind::Record(_) if has_mixed_union(hir, base) => Root::Mixed,
        TyKind::Record(_) => Root::Record(base),
        _ => Root::Scalar {
            size: hir.types.size_of(base).unwrap_or(0),
            pointer: hir.types.is_pointer(base),
        },
    }
}

/// Widths and kinds of the scalars of a type; false when some are not whole bytes of their own.
pub(super) fn leaves(hir: &Hir, ty: Ty, widths: &mut Vec<u64>, kinds: &mut [bool; 2]) -> bool {
    match hir.types.kind(ty) {
        TyKind::Array(elem, _) => leaves(hir, elem.ty, widths, kinds),
        TyKind::Record(r) => {
            let record = &hir.types.records[*r];
            let mut plain = true;
            for field in &record.fields {
                plain &= field.width.is_none() && leaves(hir, field.ty.ty, widths, kinds);
            }
            plain
        }
        _ => {
            kinds[kind_of(hir, ty)] = true;
            widths.push(hir.types.size_of(ty).unwrap_or(1));
            true
        }
    }
}

/// Whether a union in a type lays pointers over other values.
fn has_mixed_union(hir: &Hir, ty: Ty) -> bool {
    let Some(r) = hir.types.record_of(strip(hir, ty)) else {
        return false;
    };
    let record = &hir.types.records[r];
    let mut kinds = [false; 2];
    if record.union {
        leaves(hir, ty, &mut Vec::new(), &mut kinds);
    }
    kinds == [true; 2] || record.fields.iter().any(|f| has_mixed_union(hir, f.ty.ty))
}
