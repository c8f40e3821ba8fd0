//! Builtins that compute with bits: counting, reversing, rotating, arithmetic with an overflow flag.

use super::Lowerer;
use crate::types::{Ty, TyKind};
use trellis_ivl::Term;

impl Lowerer<'_> {
    /// The value of a builtin of bits by its plain name; `None` when there is none.
    pub(super) fn bit_function(
        &mut self,
        base: &str,
        args: &[(Term, Ty)],
        ret: Ty,
    ) -> Option<Term> {
        let starts = |families: &[&str]| families.iter().any(|f| base.starts_with(f));
        Some(match args {
            _ if base.ends_with("_overflow") || base.ends_with("_overflow_p") => {
                self.checked_arithmetic(base, args, ret)?
            }
            [(x, _)] if starts(&["bswap"]) => {
                let bits = self.bits(ret);
                let x = self.resize(*x, bits, false);
                let bytes = self.split_bytes(x, u64::from(bits / 8));
                self.joined(&bytes)
            }
            [(x, _)] if starts(&["bitreverse"]) => {
                let bits = self.bits(ret);
                let x = self.resize(*x, bits, false);
                let single: Vec<Term> = (0..bits).map(|i| self.p.pool.extract(i, i, x)).collect();
                self.joined(&single)
            }
            [(x, _), (by, _)] if starts(&["rotateleft", "rotateright"]) => {
                self.rotated(*x, *by, base.starts_with("rotateleft"))
            }
            [(x, _)] if starts(&["clrsb"]) => self.sign_copies(*x),
            [(x, _)] if starts(&["clz", "ctz"]) => {
                // Undefined for zero.
                let any = self.any_value(self.hir.types.int, "count of the bits of zero");
                let zero = self.constant(self.p.pool.width(*x), 0);
                let none = self.p.pool.eq(*x, zero);
                if self.props.shift_range {
                    let some = self.p.pool.not(none);
                    self.check(some, "shift-range");
                }
                let count = self.count_bits(base, *x);
                self.p.pool.ite(none, any, count)
            }
            [(x, _)] if starts(&["popcount", "parity"]) => self.count_bits(base, *x),
            _ => return None,
        })
    }

    /// Parts side by side, the first on top.
    fn joined(&mut self, parts: &[Term]) -> Term {
        let mut value = parts[0];
        for part in &parts[1..] {
            value = self.p.pool.concat(value, *part);
        }
        value
    }

    fn rotated(&mut self, x: Term, by: Term, left: bool) -> Term {
        let bits = self.p.pool.width(x);
        let by = self.resize(by, bits, false);
        let mask = self.constant(bits, i128::from(bits - 1));
        let by = self.p.pool.bvand(by, mask);
        let minus = self.p.pool.bvneg(by);
        let rest = self.p.pool.bvand(minus, mask);
        let (up, down) = if left { (by, rest) } else { (rest, by) };
        let (high, low) = (self.p.pool.bvshl(x, up), self.p.pool.bvlshr(x, down));
        self.p.pool.bvor(high, low)
    }

    /// The number of bits below the sign that equal it.
    fn sign_copies(&mut self, x: Term) -> Term {
        let width = self.p.pool.width(x);
        let zero = self.constant(width, 0);
        let negative = self.p.pool.bvslt(x, zero);
        let inverse = self.p.pool.bvnot(x);
        let magnitude = self.p.pool.ite(negative, inverse, x);
        let leading = self.count_bits("clz", magnitude);
        let one = self.p.pool.num(32, 1);
        self.p.pool.bvsub(leading, one)
    }

    fn count_bits(&mut self, name: &str, x: Term) -> Term {
        let width = self.p.pool.width(x);
        let bit = |this: &mut Self, i: u32| {
            let b = this.p.pool.extract(i, i, x);
            this.p.pool.bv_to_bool(b)
        };
        if name.starts_with("popcount") || name.starts_with("parity") {
            let mut sum = self.p.pool.num(32, 0);
            for i in 0..width {
                let b = self.p.pool.extract(i, i, x);
                let b = self.p.pool.zext(32, b);
                sum = self.p.pool.bvadd(sum, b);
            }
            let one = self.p.pool.num(32, 1);
            return if name.starts_with("parity") {
                self.p.pool.bvand(sum, one)
            } else {
                sum
            };
        }
        // The position of the first set bit from one end; undefined for zero.
        let leading = name.starts_with("clz");
        let mut result = self.p.pool.num(32, width.into());
        let order: Vec<u32> = if leading {
            (0..width).collect()
        } else {
            (0..width).rev().collect()
        };
        for i in order {
            let value = if leading { width - 1 - i } else { i };
            let value = self.p.pool.num(32, value.into());
            let set = bit(self, i);
            result = self.p.pool.ite(set, value, result);
        }
        result
    }

    /// `__builtin_*_overflow`: the exact result in a wide type, then whether the target holds it. The
    /// variants that end in `_p` store nothing.
    fn checked_arithmetic(&mut self, name: &str, args: &[(Term, Ty)], ret: Ty) -> Option<Term> {
        let hir = self.hir;
        let [(x, x_ty), (y, y_ty), (to, to_ty)] = *args else {
            return None;
        };
        let stores = !name.ends_with("_p");
        let target = match stores {
            true => hir.types.pointee(to_ty)?.ty,
            false => to_ty,
        };
        if !matches!(hir.types.kind(target), TyKind::Int(_) | TyKind::Enum(_)) {
            return None;
        }
        let widths = [self.p.pool.width(x), self.p.pool.width(y)];
        let wide = 2 * widths[0].max(widths[1]).max(self.bits(target)) + 2;
        let x = self.resize(x, wide, hir.types.is_signed(x_ty));
        let y = self.resize(y, wide, hir.types.is_signed(y_ty));
        let operation = ["add", "sub", "mul"]
            .into_iter()
            .find(|o| name.contains(o))?;
        let exact = match operation {
            "add" => self.p.pool.bvadd(x, y),
            "sub" => self.p.pool.bvsub(x, y),
            _ => self.p.pool.bvmul(x, y),
        };
        let bits = self.bits(target);
        let stored = self.p.pool.extract(bits - 1, 0, exact);
        let signed = hir.types.is_signed(target);
        let back = self.resize(stored, wide, signed);
        let overflow = self.p.pool.ne(back, exact);
        let result = self.bool_value(overflow, ret);
        let result = self.save(result);
        if stores {
            let stored = self.save(stored);
            let class = self.arg_classes.get(2).copied().unwrap_or(0);
            let place = self.located(class, to, target);
            self.store_place(&place, target, stored);
        }
        Some(result)
    }
}
