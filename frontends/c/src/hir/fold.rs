//! The values of constant expressions: integers, single and double numbers, and addresses as far as
//! integers come from them (`offsetof`).
//!
//! Floating operations round to nearest in the type they are written in, as gcc folds them; what it
//! computes in wider types (`long double`) has no value here.

use super::{Expr, ExprKind as H, Hir, UnOp};
use crate::ast::BinOp;
use crate::types::convert::wrap;
use crate::types::{FloatKind, Ty, TyKind};

/// A floating constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Float {
    /// `float`
    Single(f32),
    /// `double`
    Double(f64),
}

impl Float {
    /// The same number as a double.
    pub fn wide(self) -> f64 {
        match self {
            Float::Single(f) => f.into(),
            Float::Double(f) => f,
        }
    }

    /// Its bits.
    pub fn bits(self) -> u64 {
        match self {
            Float::Single(f) => f.to_bits().into(),
            Float::Double(f) => f.to_bits(),
        }
    }

    /// By a parsed spelling, rounded once.
    fn parse(text: &str, single: bool) -> Option<Float> {
        let hex = text.starts_with("0x") || text.starts_with("0X");
        Some(match (single, hex) {
            (false, _) => Float::Double(parse_double(text)?),
            (true, false) => Float::Single(text.parse().ok()?),
            (true, true) => {
                let wide = parse_double(text)?;
                let narrow = wide as f32;
                (f64::from(narrow) == wide).then_some(Float::Single(narrow))?
            }
        })
    }

    fn of_kind(value: f64, single: bool) -> Float {
        if single {
            Float::Single(value as f32)
        } else {
            Float::Double(value)
        }
    }

    fn apply(
        self,
        other: Float,
        single: impl Fn(f32, f32) -> f32,
        double: impl Fn(f64, f64) -> f64,
    ) -> Option<Float> {
        match (self, other) {
            (Float::Single(x), Float::Single(y)) => Some(Float::Single(single(x, y))),
            (Float::Double(x), Float::Double(y)) => Some(Float::Double(double(x, y))),
            _ => None,
        }
    }
}

/// Decimal or hexadecimal floating constants without suffix; none where the result would not be exact
/// or rounded once.
fn parse_double(text: &str) -> Option<f64> {
    let lower = text.to_ascii_lowercase();
    let Some(hex) = lower.strip_prefix("0x") else {
        return lower.parse().ok();
    };
    let (mantissa, exponent) = hex.split_once('p')?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
    let exponent = exponent.parse::<i32>().ok()? - 4 * fraction.len() as i32;
    // Exact as long as the digits fit the mantissa and the result is a normal number.
    (digits < 1 << 53 && (-1000..=900).contains(&exponent))
        .then(|| digits as f64 * 2f64.powi(exponent))
}

impl Hir {
    /// The value of a typed floating expression, when it is constant.
    pub fn eval_float(&self, e: Expr) -> Option<Float> {
        let data = &self.exprs[e];
        let single = match self.types.kind(data.ty.ty) {
            TyKind::Float(FloatKind::Float) => true,
            TyKind::Float(FloatKind::Double) => false,
            _ => return None,
        };
        match &data.kind {
            H::Float(text) => Float::parse(text, single),
            H::Cast(a) if self.types.is_integer(self.ty(*a)) => {
                let value = self.eval_int(*a)?;
                let unsigned = !self.types.is_signed(self.ty(*a));
                Some(match (single, unsigned && value < 0) {
                    (true, false) => Float::Single(value as f32),
                    (false, false) => Float::Double(value as f64),
                    (true, true) => Float::Single(value as u128 as f32),
                    (false, true) => Float::Double(value as u128 as f64),
                })
            }
            H::Cast(a) => Some(Float::of_kind(self.eval_float(*a)?.wide(), single)),
            H::Unary(UnOp::Neg, a) => Some(match self.eval_float(*a)? {
                Float::Single(f) => Float::Single(-f),
                Float::Double(f) => Float::Double(-f),
            }),
            H::Binary(op, a, b) => {
                let (x, y) = (self.eval_float(*a)?, self.eval_float(*b)?);
                match op {
                    BinOp::Add => x.apply(y, |x, y| x + y, |x, y| x + y),
                    BinOp::Sub => x.apply(y, |x, y| x - y, |x, y| x - y),
                    BinOp::Mul => x.apply(y, |x, y| x * y, |x, y| x * y),
                    BinOp::Div => x.apply(y, |x, y| x / y, |x, y| x / y),
                    _ => None,
                }
            }
            H::Cond(c, a, b) => self.eval_float(if self.eval_truth(*c)? { *a } else { *b }),
            H::Call { callee, args } if args.is_empty() => {
                let H::FuncAddr(f) = self.exprs[*callee].kind else {
                    return None;
                };
                match self.funcs[f].name.strip_prefix("__builtin_")? {
                    "inf" | "inff" | "huge_val" | "huge_valf" => {
                        Some(Float::of_kind(f64::INFINITY, single))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
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
            return self.eval_float(e).map(|f| f.wide() != 0.0);
        }
        self.eval_int(e).map(|v| v != 0)
    }

    /// A floating constant as an integer type has it, where that holds it.
    fn float_to_int(&self, e: Expr, to: Ty) -> Option<i128> {
        let value = self.eval_float(e)?.wide().trunc();
        // Exact: casts of floats to integers saturate, and far below the limits of i128.
        let whole = value as i128;
        let fits = value.abs() < 1e30 && self.types.wrap(whole, to) == whole;
        fits.then_some(whole)
    }

    fn compare_floats(&self, op: BinOp, a: Expr, b: Expr) -> Option<bool> {
        let (x, y) = (self.eval_float(a)?.wide(), self.eval_float(b)?.wide());
        Some(match op {
            BinOp::Lt => x < y,
            BinOp::Gt => x > y,
            BinOp::Le => x <= y,
            BinOp::Ge => x >= y,
            BinOp::Eq => x == y,
            BinOp::Ne => x != y,
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

    fn literal_length(&self, e: Expr) -> Option<i128> {
        let literal = match self.exprs[e].kind {
            H::Cast(a) => return self.literal_length(a),
            H::Decay(place) => place,
            _ => return None,
        };
        let H::Str(s) = self.exprs[literal].kind else {
            return None;
        };
        let units = &self.strings[s].units;
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
