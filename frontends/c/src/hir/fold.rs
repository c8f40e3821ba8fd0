//! The values of constant expressions: integers, floating numbers, and addresses as far as integers come
//! from them (`offsetof`).

use super::float::Float;
use super::{Expr, ExprKind as H, Hir, UnOp};
use crate::ast::BinOp;
use crate::types::convert::wrap;
use crate::types::{FloatKind, Ty, TyKind};
use std::cmp::Ordering;

impl Hir {
    /// The value of a typed floating expression, when it is constant.
    pub fn eval_float(&self, e: Expr) -> Option<Float> {
        let data = &self.exprs[e];
        let TyKind::Float(kind) = *self.types.kind(data.ty.ty) else {
            return None;
        };
        match &data.kind {
            H::Float(text) => Float::parse(text, kind),
            H::Cast(a) if self.types.is_integer(self.ty(*a)) => {
                let value = self.eval_int(*a)?;
                let unsigned = !self.types.is_signed(self.ty(*a));
                Some(Float::from_integer(value, unsigned, kind))
            }
            H::Cast(a) => Some(self.eval_float(*a)?.convert(kind)),
            H::Unary(UnOp::Neg, a) => Some(self.eval_float(*a)?.negate()),
            H::Binary(op, a, b) => self.eval_float(*a)?.apply(*op, self.eval_float(*b)?),
            H::Cond(c, a, b) => self.eval_float(if self.eval_truth(*c)? { *a } else { *b }),
            H::CondOmitted(c, b) => {
                let value = self.eval_float(*c)?;
                match value.is_zero() {
                    true => self.eval_float(*b),
                    false => Some(value),
                }
            }
            H::Call { callee, args } => self.eval_float_call(*callee, args, kind),
            _ => None,
        }
    }

    /// Builtins with floating results that gcc evaluates in constant expressions.
    fn eval_float_call(&self, callee: Expr, args: &[Expr], kind: FloatKind) -> Option<Float> {
        let H::FuncAddr(f) = self.exprs[callee].kind else {
            return None;
        };
        let data = &self.funcs[f];
        let library = data.body.is_none() && data.name.starts_with("nan");
        let bare = library.then_some(data.name.as_str());
        let name = data.name.strip_prefix("__builtin_").or(bare)?;
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
        // One letter tells the type, but for double's.
        let plain = match kind {
            FloatKind::Double => name,
            FloatKind::LongDouble => name.strip_suffix('l')?,
            _ => name.strip_suffix(['f', 'q'])?,
        };
        match (plain, args) {
            ("inf" | "huge_val", []) => Some(Float::infinity(kind)),
            ("nan" | "nans", [text]) => {
                let payload = self.payload(*text)?;
                Some(Float::nan(kind, payload, plain == "nan"))
            }
            ("fabs", [x]) => {
                let x = self.eval_float(*x)?;
                Some(if x.is_negative() { x.negate() } else { x })
            }
            ("copysign", [x, y]) => Some(self.eval_float(*x)?.copy_sign(self.eval_float(*y)?)),
            _ => None,
        }
    }

    /// The payload that the string of `nan` says, as `strtoull` reads it.
    pub fn payload(&self, e: Expr) -> Option<u128> {
        let units = &self.strings[self.literal(e)?].units;
        let text: String = units
            .iter()
            .take_while(|u| **u != 0)
            .map(|u| char::from_u32(*u))
            .collect::<Option<_>>()?;
        let lower = text.to_ascii_lowercase();
        let (radix, digits) = match lower.as_bytes() {
            [] => return Some(0),
            [b'0', b'x', _, ..] => (16, &lower[2..]),
            [b'0', _, ..] => (8, &lower[1..]),
            _ => (10, &lower[..]),
        };
        u64::from_str_radix(digits, radix).ok().map(u128::from)
    }

    /// The integer value of a typed expression, when it is constant.
    pub fn eval_int(&self, e: Expr) -> Option<i128> {
        let data = &self.exprs[e];
        let ty = data.ty.ty;
        let value = match &data.kind {
            H::Int(v) => *v,
            H::Cast(inner) => {
                let from = self.ty(*inner);
                if ty == self.types.bool {
                    i128::from(self.eval_truth(*inner)?)
                } else if self.types.is_floating(from) {
                    self.float_to_int(*inner, ty)?
                } else {
                    self.eval_int(*inner)?
                }
            }
            H::Unary(UnOp::Not, a) => i128::from(!self.eval_truth(*a)?),
            H::Unary(op, a) => {
                let v = self.eval_int(*a)?;
                match op {
                    UnOp::Neg => v.wrapping_neg(),
                    UnOp::BitNot => !v,
                    UnOp::Not => return None,
                }
            }
            H::Binary(op, a, b) if self.types.is_floating(self.ty(*a)) => {
                i128::from(self.compare_floats(*op, *a, *b)?)
            }
            H::Binary(op, a, b) => self.eval_binary(*op, *a, *b)?,
            H::And(a, b) => i128::from(self.eval_truth(*a)? && self.eval_truth(*b)?),
            H::Or(a, b) => i128::from(self.eval_truth(*a)? || self.eval_truth(*b)?),
            H::Cond(c, a, b) => {
                let chosen = if self.eval_truth(*c)? { *a } else { *b };
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
            H::Call { callee, args } => self.eval_call(*callee, args)?,
            _ => return None,
        };
        self.types.is_scalar(ty).then(|| self.types.wrap(value, ty))
    }

    fn pointee_size(&self, ptr: Expr) -> Option<i128> {
        let to = self.types.pointee(self.ty(ptr))?;
        match self.types.kind(to.ty) {
            TyKind::Void | TyKind::Function(_) => Some(1),
            _ => self.types.size_of(to.ty).map(i128::from),
        }
    }

    /// Whether a scalar constant is not zero.
    fn eval_truth(&self, e: Expr) -> Option<bool> {
        if self.types.is_floating(self.ty(e)) {
            return self.eval_float(e).map(|f| !f.is_zero());
        }
        self.eval_int(e).map(|v| v != 0)
    }

    /// A floating constant as an integer type has it, where that holds it.
    fn float_to_int(&self, e: Expr, to: Ty) -> Option<i128> {
        let bits = self.types.value_bits(to)?;
        self.eval_float(e)?
            .to_integer(bits, self.types.is_signed(to))
    }

    fn compare_floats(&self, op: BinOp, a: Expr, b: Expr) -> Option<bool> {
        let order = self.eval_float(a)?.order(self.eval_float(b)?);
        Some(match op {
            BinOp::Lt => order == Some(Ordering::Less),
            BinOp::Gt => order == Some(Ordering::Greater),
            BinOp::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            BinOp::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
            BinOp::Eq => order == Some(Ordering::Equal),
            BinOp::Ne => order != Some(Ordering::Equal),
            _ => return None,
        })
    }

    /// Classifications of floating numbers; which number but zero `signbit` gives is not told.
    fn eval_float_test(&self, name: &str, args: &[Expr]) -> Option<i128> {
        if name == "fpclassify" {
            let (x, classes) = args.split_last()?;
            let x = self.eval_float(*x)?;
            let class = if x.is_nan() {
                0
            } else if x.is_infinite() {
                1
            } else if x.is_normal() {
                2
            } else if x.is_zero() {
                4
            } else {
                3
            };
            return self.eval_int(*classes.get(class)?);
        }
        let [x] = args else { return None };
        let x = self.eval_float(*x)?;
        Some(match name {
            "isnan" => i128::from(x.is_nan()),
            "isinf" => i128::from(x.is_infinite()),
            "isinf_sign" if x.is_negative() => -i128::from(x.is_infinite()),
            "isinf_sign" => i128::from(x.is_infinite()),
            "isfinite" => i128::from(!x.is_nan() && !x.is_infinite()),
            "isnormal" => i128::from(x.is_normal()),
            "signbit" if !x.is_negative() => 0,
            _ => return None,
        })
    }

    /// Builtins that gcc evaluates in constant expressions.
    fn eval_call(&self, callee: Expr, args: &[Expr]) -> Option<i128> {
        let H::FuncAddr(f) = self.exprs[callee].kind else {
            return None;
        };
        let name = self.funcs[f].name.strip_prefix("__builtin_")?;
        let first = *args.first()?;
        if name == "strlen" {
            return self.literal_length(first);
        }
        if args.iter().any(|a| self.types.is_floating(self.ty(*a))) {
            return self.eval_float_test(name, args);
        }
        let value = self.eval_int(first)?;
        let bits = self.types.value_bits(self.ty(first))?;
        let unsigned = wrap(value, bits, false);
        let zeros = i128::from(unsigned.trailing_zeros());
        Some(match name {
            "clz" | "clzl" | "clzll" | "ctz" | "ctzl" | "ctzll" if unsigned == 0 => return None,
            "clz" | "clzl" | "clzll" => {
                i128::from(bits) - (128 - i128::from(unsigned.leading_zeros()))
            }
            "ctz" | "ctzl" | "ctzll" => zeros,
            "ffs" | "ffsl" | "ffsll" if unsigned == 0 => 0,
            "ffs" | "ffsl" | "ffsll" => zeros + 1,
            "popcount" | "popcountl" | "popcountll" => unsigned.count_ones().into(),
            "parity" | "parityl" | "parityll" => i128::from(unsigned.count_ones() % 2),
            "bswap16" => i128::from((unsigned as u16).swap_bytes()),
            "bswap32" => i128::from((unsigned as u32).swap_bytes()),
            "bswap64" => i128::from((unsigned as u64).swap_bytes()),
            "abs" | "labs" | "llabs" => value.checked_abs()?,
            "expect" => value,
            _ => return None,
        })
    }

    /// The string literal that a pointer points to.
    fn literal(&self, e: Expr) -> Option<super::Str> {
        match self.exprs[e].kind {
            H::Cast(a) => self.literal(a),
            H::Decay(place) => match self.exprs[place].kind {
                H::Str(s) => Some(s),
                _ => None,
            },
            _ => None,
        }
    }

    fn literal_length(&self, e: Expr) -> Option<i128> {
        let units = &self.strings[self.literal(e)?].units;
        units.iter().position(|u| *u == 0).map(|n| n as i128)
    }

    fn eval_binary(&self, op: BinOp, a: Expr, b: Expr) -> Option<i128> {
        let (x, y) = (self.eval_int(a)?, self.eval_int(b)?);
        let ty = self.ty(a);
        let unsigned = !self.types.is_signed(ty);
        // 128-bit unsigned values are kept as i128 bit patterns.
        let wide = unsigned && self.types.value_bits(ty) == Some(128);
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
                let bits = self.types.value_bits(ty)?;
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
    fn eval_place(&self, place: Expr) -> Option<i128> {
        match &self.exprs[place].kind {
            H::Deref(p) => self.eval_int(*p),
            H::Field { base, field } => {
                let record = self.types.record_of(self.ty(*base))?;
                let offset = self.types.records[record].fields[*field as usize].offset();
                Some(self.eval_place(*base)? + i128::from(offset))
            }
            H::Index { base, index } => {
                let size = self.types.size_of(self.ty(place))?;
                let delta = self.eval_int(*index)?.checked_mul(i128::from(size))?;
                Some(self.eval_place(*base)? + delta)
            }
            _ => None,
        }
    }
}
