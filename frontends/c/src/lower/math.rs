//! `math.h` where C and IEEE 754 define the result, as terms. What loops or stores through pointers is in C, in
//! `library/math.c`, and so is what is only known by bounds, in `library/libm.c`.

use super::Lowerer;
use crate::assumptions::Assumption;
use crate::library;
use crate::types::Ty;
use trellis_ivl::{Term, Type};
use trellis_ivl_float::{Format, Mode, Rounding};

/// Functions by the name for double; the others have suffixes. Sorted.
const OPERATIONS: &[&str] = &[
    "ceil",
    "copysign",
    "fabs",
    "fdim",
    "finite",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fpclassify",
    "ilogb",
    "isfinite",
    "isgreater",
    "isgreaterequal",
    "isinf",
    "isinf_sign",
    "isless",
    "islessequal",
    "islessgreater",
    "isnan",
    "isnormal",
    "isunordered",
    "ldexp",
    "llrint",
    "llround",
    "logb",
    "lrint",
    "lround",
    "nearbyint",
    "nextafter",
    "nexttoward",
    "rint",
    "round",
    "roundeven",
    "scalbln",
    "scalbn",
    "signbit",
    "sqrt",
    "trunc",
];

/// What the headers of glibc call behind its macros.
const BEHIND_MACROS: &[&str] = &["finite", "fpclassify", "isinf", "isnan", "signbit"];

/// What CBMC has of its own, with suffixes of its own.
const CPROVER: &[&str] = &["fabs", "isfinite", "isinf", "isnan", "isnormal"];

/// What tells the type at the end of a name.
const SUFFIXES: &[&str] = &["f", "l", "q", "f16", "f32", "f32x", "f64", "f64x", "f128"];

/// `FP_NAN` and its like, as glibc numbers them, in the order of the arguments of `__builtin_fpclassify`.
const CLASSES: [u64; 5] = [0, 1, 4, 3, 2];

/// glibc's error codes of `math.h`.
const EDOM: i128 = 33;
const ERANGE: i128 = 34;

/// The operation that a function is, whatever its type.
fn operation(name: &str) -> Option<&'static str> {
    let find = |name: &str| {
        let at = OPERATIONS.binary_search(&name).ok();
        at.map(|at| OPERATIONS[at])
    };
    let plain = |name: &str| {
        let typed = || SUFFIXES.iter().find_map(|s| find(name.strip_suffix(s)?));
        find(name).or_else(typed)
    };
    if let Some(name) = name.strip_prefix("__builtin_") {
        return plain(name);
    }
    if let Some(name) = name.strip_prefix("__CPROVER_") {
        let known = |bare: &str| match bare {
            "sign" => Some("signbit"),
            _ => find(bare).filter(|op| CPROVER.contains(op)),
        };
        let suffixes = ["", "d", "f", "l", "ld"];
        return suffixes.iter().find_map(|s| known(name.strip_suffix(s)?));
    }
    match name.strip_prefix("__") {
        Some(name) => plain(name).filter(|op| BEHIND_MACROS.contains(op)),
        None => plain(name),
    }
}

/// Whether a function is modelled here.
pub fn is_modelled(name: &str) -> bool {
    operation(name).is_some() || name.starts_with(library::SIGNIFICAND)
}

impl Lowerer<'_> {
    /// The result of a function of `math.h`; `None` when it is none or has other types.
    pub(super) fn math(&mut self, name: &str, args: &[(Term, Ty)], ret: Ty) -> Option<Term> {
        if name.starts_with(library::SIGNIFICAND) {
            let format = self.format(args.first()?.1)?;
            let x = self.pattern(args[0].0, format);
            let bits = self.bits(ret);
            let significand = self.significand(format, x);
            return Some(self.resize(significand, bits, false));
        }
        let op = operation(name)?;
        if op == "fpclassify" {
            return self.classify(args, ret);
        }
        let (value, ty) = *args.first()?;
        let format = self.format(ty)?;
        let x = self.pattern(value, format);
        let others: Vec<Term> = args[1..]
            .iter()
            .take_while(|(_, t)| self.format(*t) == Some(format))
            .map(|(v, _)| *v)
            .collect();
        let others: Vec<Term> = others
            .into_iter()
            .map(|v| self.pattern(v, format))
            .collect();
        if let Some(test) = self.float_test(op, format, x, &others) {
            return Some(match (op, name.starts_with("__")) {
                ("signbit", _) => self.nonzero_where(test, ret),
                ("isinf_sign", _) => self.signed_test(test, format, x, ret),
                ("isinf", true) if name.starts_with("__isinf") => {
                    self.signed_test(test, format, x, ret)
                }
                // gcc's own says 1, glibc's -1.
                ("isinf", false) => {
                    let (plain, signed) = (
                        self.bool_value(test, ret),
                        self.signed_test(test, format, x, ret),
                    );
                    let either = self.any_bit("which infinity isinf tells");
                    self.p.pool.ite(either, plain, signed)
                }
                _ => self.bool_value(test, ret),
            });
        }
        if matches!(op, "lrint" | "llrint" | "lround" | "llround" | "ilogb") {
            if !self.hir.types.is_integer(ret) {
                return None;
            }
            let mode = match op {
                "lrint" | "llrint" => self.direction(),
                _ => Rounding::NearestAway.into(),
            };
            return Some(match op {
                "ilogb" => self.ilogb(format, x, ret),
                _ => self.float_to_integer(x, format, mode, ret),
            });
        }
        if self.format(ret) != Some(format) {
            return None;
        }
        let result = match (op, &others[..]) {
            ("nexttoward", _) if args.len() == 2 => {
                let (target, target_ty) = args[1];
                let wide = self.format(target_ty)?;
                let target = self.pattern(target, wide);
                self.next_after(format, x, wide, target)
            }
            ("ldexp" | "scalbn" | "scalbln", []) if args.len() == 2 => {
                let (n, n_ty) = args[1];
                if !self.hir.types.is_signed(n_ty) {
                    return None;
                }
                self.scaled(format, x, n)
            }
            ("copysign", [y]) => self.floats().copysign(format, x, *y),
            ("nextafter", [y]) => self.next_after(format, x, format, *y),
            ("fmin" | "fmax", [y]) => self.least_or_greatest(op == "fmin", format, x, *y),
            ("fdim", [y]) => self.positive_difference(format, x, *y),
            ("fma", [y, z]) => {
                let mode = self.direction();
                self.floats().fma(format, mode, x, *y, *z)
            }
            (_, []) => self.unary_math(op, format, x)?,
            _ => return None,
        };
        Some(self.in_storage(result, ret))
    }

    /// Functions from a format to itself.
    fn unary_math(&mut self, op: &str, format: Format, x: Term) -> Option<Term> {
        let mode: Mode = match op {
            "fabs" => return Some(self.floats().abs(format, x)),
            "sqrt" => {
                let mode = self.direction();
                let result = self.floats().sqrt(format, mode, x);
                let mut floats = self.floats();
                let zero = floats.zero(format, false);
                let negative = floats.lt(format, x, zero);
                return Some(self.failing_where(negative, EDOM, result));
            }
            "logb" => return Some(self.logb(format, x)),
            "floor" => Rounding::Downward.into(),
            "ceil" => Rounding::Upward.into(),
            "trunc" => Rounding::TowardZero.into(),
            "round" => Rounding::NearestAway.into(),
            "roundeven" => Rounding::NearestEven.into(),
            "rint" | "nearbyint" => self.direction(),
            _ => return None,
        };
        Some(self.floats().round_to_integral(format, mode, x))
    }

    // Tests.

    /// Classifications and quiet comparisons, as booleans.
    fn float_test(&mut self, op: &str, format: Format, x: Term, others: &[Term]) -> Option<Term> {
        if op == "signbit" && self.p.pool.const_value(x).is_none() {
            self.grant_or_give_up(Assumption::NanIsPositive, op);
        }
        let mut floats = self.floats();
        Some(match (op, others) {
            ("isnan", []) => floats.is_nan(format, x),
            ("isinf" | "isinf_sign", []) => floats.is_infinite(format, x),
            ("isfinite" | "finite", []) => floats.is_finite(format, x),
            ("isnormal", []) => floats.is_normal(format, x),
            ("signbit", []) => floats.is_negative(format, x),
            ("isgreater", [y]) => floats.lt(format, *y, x),
            ("isgreaterequal", [y]) => floats.le(format, *y, x),
            ("isless", [y]) => floats.lt(format, x, *y),
            ("islessequal", [y]) => floats.le(format, x, *y),
            ("isunordered", [y]) => floats.unordered(format, x, *y),
            ("islessgreater", [y]) => {
                let (less, greater) = (floats.lt(format, x, *y), floats.lt(format, *y, x));
                self.p.pool.or(less, greater)
            }
            _ => return None,
        })
    }

    /// 1 or -1 by the sign of what the test holds for, or 0.
    fn signed_test(&mut self, test: Term, format: Format, x: Term, ret: Ty) -> Term {
        let bits = self.bits(ret);
        let negative = self.floats().is_negative(format, x);
        let [zero, one, minus] = [0, 1, -1].map(|n| self.constant(bits, n));
        let sign = self.p.pool.ite(negative, minus, one);
        self.p.pool.ite(test, sign, zero)
    }

    /// Any number but zero where the test holds, as C leaves it open, or 0.
    fn nonzero_where(&mut self, test: Term, ret: Ty) -> Term {
        let zero = self.zero(ret);
        if self.p.pool.as_bool(test) == Some(false) {
            return zero;
        }
        let any = self.any_value(ret, "which number but zero the C library answers");
        let none = self.p.pool.eq(any, zero);
        let bits = self.bits(ret);
        let one = self.p.pool.num(bits, 1);
        let some = self.p.pool.ite(none, one, any);
        self.p.pool.ite(test, some, zero)
    }

    fn any_bit(&mut self, name: &str) -> Term {
        let bit = self.temp(Type::Bool);
        self.havoc(bit, name);
        self.p.pool.var(bit)
    }

    /// `__builtin_fpclassify` with the numbers of the classes before the value, glibc's without.
    fn classify(&mut self, args: &[(Term, Ty)], ret: Ty) -> Option<Term> {
        let ((x, ty), classes) = args.split_last()?;
        let format = self.format(*ty)?;
        let x = self.pattern(*x, format);
        let bits = self.bits(ret);
        let classes: Vec<Term> = match classes {
            [] => CLASSES.map(|c| self.p.pool.num(bits, c)).to_vec(),
            [_, _, _, _, _] => classes
                .iter()
                .map(|(c, _)| self.resize(*c, bits, true))
                .collect(),
            _ => return None,
        };
        let mut floats = self.floats();
        let tests = [
            floats.is_nan(format, x),
            floats.is_infinite(format, x),
            floats.is_normal(format, x),
            floats.is_subnormal(format, x),
        ];
        let mut result = classes[4];
        for (test, class) in tests.into_iter().zip(classes).rev() {
            result = self.p.pool.ite(test, class, result);
        }
        Some(result)
    }

    // Choices.

    /// `fmin` and `fmax`: of two zeros either, and of a signalling NaN and a number either.
    fn least_or_greatest(&mut self, least: bool, format: Format, x: Term, y: Term) -> Term {
        let mut floats = self.floats();
        let result = match least {
            true => floats.min(format, x, y),
            false => floats.max(format, x, y),
        };
        let (zero_x, zero_y) = (floats.is_zero(format, x), floats.is_zero(format, y));
        let nan = floats.nan(format);
        let zeros = self.p.pool.and(zero_x, zero_y);
        let apart = self.p.pool.ne(x, y);
        let open = self.p.pool.and(zeros, apart);
        let result = self.either_where(open, x, y, result);
        let (x, y) = (self.is_signalling(format, x), self.is_signalling(format, y));
        let open = self.p.pool.or(x, y);
        self.either_where(open, nan, result, result)
    }

    fn is_signalling(&mut self, format: Format, x: Term) -> Term {
        let nan = self.floats().is_nan(format, x);
        let at = format.fraction_bits() - 1;
        let quiet = self.p.pool.extract(at, at, x);
        let quiet = self.p.pool.bv_to_bool(quiet);
        let loud = self.p.pool.not(quiet);
        self.p.pool.and(nan, loud)
    }

    /// One of two values where it is open which.
    fn either_where(&mut self, open: Term, a: Term, b: Term, otherwise: Term) -> Term {
        if self.p.pool.as_bool(open) == Some(false) {
            return otherwise;
        }
        let which = self.any_bit("which value the C library answers");
        let either = self.p.pool.ite(which, a, b);
        self.p.pool.ite(open, either, otherwise)
    }

    fn positive_difference(&mut self, format: Format, x: Term, y: Term) -> Term {
        let mode = self.direction();
        let mut floats = self.floats();
        let difference = floats.sub(format, mode, x, y);
        let (zero, nan) = (floats.zero(format, false), floats.nan(format));
        let at_most = floats.le(format, x, y);
        let unordered = floats.unordered(format, x, y);
        let result = self.p.pool.ite(at_most, zero, difference);
        let result = self.p.pool.ite(unordered, nan, result);
        let overflows = self.overflows(format, result, &[x, y]);
        self.failing_where(overflows, ERANGE, result)
    }

    /// Whether a result is infinite and no operand is.
    fn overflows(&mut self, format: Format, result: Term, operands: &[Term]) -> Term {
        let mut overflow = self.floats().is_infinite(format, result);
        for x in operands {
            let finite = self.floats().is_finite(format, *x);
            overflow = self.p.pool.and(overflow, finite);
        }
        overflow
    }

    // Exponents.

    /// The number in a format with so many more exponents that none is subnormal, and that format.
    fn widened(&mut self, format: Format, x: Term) -> (Format, Term) {
        let wide = Format::ieee(format.exponent_bits() + 3, format.fraction_bits());
        let x = self
            .floats()
            .convert(format, wide, Rounding::NearestEven, x);
        (wide, x)
    }

    /// Whether a number has an exponent: it is neither zero, infinite nor a NaN.
    fn has_exponent(&mut self, format: Format, x: Term) -> Term {
        let mut floats = self.floats();
        let (finite, zero) = (floats.is_finite(format, x), floats.is_zero(format, x));
        let some = self.p.pool.not(zero);
        self.p.pool.and(finite, some)
    }

    fn exponent_field(&mut self, wide: Format, x: Term) -> Term {
        let low = wide.fraction_bits();
        self.p.pool.extract(low + wide.exponent_bits() - 1, low, x)
    }

    /// The significand with its integer bit, which is set unless the number is zero.
    fn significand(&mut self, format: Format, x: Term) -> Term {
        let (wide, w) = self.widened(format, x);
        let fraction = self.p.pool.extract(wide.fraction_bits() - 1, 0, w);
        let one = self.p.pool.num(1, 1);
        let value = self.p.pool.concat(one, fraction);
        let width = self.p.pool.width(value);
        let zero = self.p.pool.num(width, 0);
        let is_zero = self.floats().is_zero(format, x);
        self.p.pool.ite(is_zero, zero, value)
    }

    /// `ilogb`, as glibc has its special values on x86.
    fn ilogb(&mut self, format: Format, x: Term, ret: Ty) -> Term {
        let exponent = self.exponent(format, x, self.bits(ret));
        let bits = self.bits(ret);
        let infinite = self.floats().is_infinite(format, x);
        let [most, least] = [i32::MAX, i32::MIN].map(|n| self.constant(bits, n.into()));
        let none = self.p.pool.ite(infinite, most, least);
        let some = self.has_exponent(format, x);
        let result = self.p.pool.ite(some, exponent, none);
        let fails = self.p.pool.not(some);
        self.perhaps_failing_where(fails, EDOM, result)
    }

    /// The exponent of a number that has one.
    fn exponent(&mut self, format: Format, x: Term, bits: u32) -> Term {
        let (wide, w) = self.widened(format, x);
        let field = self.exponent_field(wide, w);
        let field = self.p.pool.zext(bits, field);
        let bias = self.constant(bits, wide.bias().into());
        self.p.pool.bvsub(field, bias)
    }

    fn logb(&mut self, format: Format, x: Term) -> Term {
        let exponent = self.exponent(format, x, 32);
        let mut floats = self.floats();
        let number = floats.from_signed(format, Rounding::NearestEven, exponent);
        let (zero, nan) = (floats.is_zero(format, x), floats.is_nan(format, x));
        let (infinity, pole) = (
            floats.infinity(format, false),
            floats.infinity(format, true),
        );
        let not_a_number = floats.nan(format);
        let some = self.has_exponent(format, x);
        let rest = self.p.pool.ite(zero, pole, infinity);
        let rest = self.p.pool.ite(nan, not_a_number, rest);
        let result = self.p.pool.ite(some, number, rest);
        self.perhaps_failing_where(zero, ERANGE, result)
    }

    /// x times 2 to the power n, rounded once.
    fn scaled(&mut self, format: Format, x: Term, n: Term) -> Term {
        let (wide, w) = self.widened(format, x);
        let fraction_bits = wide.fraction_bits();
        let limit = i128::from(format.bias()) * 4;
        let width = self.p.pool.width(n);
        let (most, least) = (self.constant(width, limit), self.constant(width, -limit));
        let (above, below) = (self.p.pool.bvslt(most, n), self.p.pool.bvslt(n, least));
        let n = self.p.pool.ite(above, most, n);
        let n = self.p.pool.ite(below, least, n);
        let n = self.resize(n, wide.exponent_bits(), true);
        let exponent = self.exponent_field(wide, w);
        let exponent = self.p.pool.bvadd(exponent, n);
        let top = wide.width() - 1;
        let sign = self.p.pool.extract(top, top, w);
        let fraction = self.p.pool.extract(fraction_bits - 1, 0, w);
        let high = self.p.pool.concat(sign, exponent);
        let scaled = self.p.pool.concat(high, fraction);
        let mode = self.direction();
        let rounded = self.floats().convert(wide, format, mode, scaled);
        let some = self.has_exponent(format, x);
        let result = self.p.pool.ite(some, rounded, x);
        let mut floats = self.floats();
        let (large, small) = (
            floats.is_finite(format, rounded),
            floats.is_normal(format, rounded),
        );
        let plain = self.p.pool.and(large, small);
        let odd = self.p.pool.not(plain);
        let fails = self.p.pool.and(some, odd);
        self.perhaps_failing_where(fails, ERANGE, result)
    }

    /// The next number of a format in the direction of another, which may be of a wider format.
    fn next_after(&mut self, format: Format, x: Term, target_format: Format, y: Term) -> Term {
        let mut floats = self.floats();
        let wide_x = match format == target_format {
            true => x,
            false => floats.convert(format, target_format, Rounding::NearestEven, x),
        };
        let equal = floats.eq(target_format, wide_x, y);
        let less = floats.lt(target_format, wide_x, y);
        let unordered = floats.unordered(target_format, wide_x, y);
        let there = match format == target_format {
            true => y,
            false => floats.convert(target_format, format, Rounding::NearestEven, y),
        };
        let (nan, zero) = (floats.nan(format), floats.is_zero(format, x));
        let negative = floats.is_negative(format, x);
        // Exponent and fraction count on through all numbers of one sign.
        let magnitude = self.magnitude(format, x);
        let bits = self.p.pool.width(magnitude);
        let one = self.p.pool.num(bits, 1);
        let (up, down) = (
            self.p.pool.bvadd(magnitude, one),
            self.p.pool.bvsub(magnitude, one),
        );
        let outward = self.p.pool.ne(less, negative);
        let moved = self.p.pool.ite(outward, up, down);
        let moved = self.p.pool.ite(zero, one, moved);
        let downward = self.p.pool.not(less);
        let sign = self.p.pool.ite(zero, downward, negative);
        let result = self.of_magnitude(format, sign, moved);
        let result = self.p.pool.ite(equal, there, result);
        let result = self.p.pool.ite(unordered, nan, result);
        let mut floats = self.floats();
        let normal = floats.is_normal(format, result);
        let known = self.p.pool.or(equal, unordered);
        let fine = self.p.pool.or(known, normal);
        let odd = self.p.pool.not(fine);
        self.perhaps_failing_where(odd, ERANGE, result)
    }

    /// Exponent and fraction, without an integer bit.
    fn magnitude(&mut self, format: Format, x: Term) -> Term {
        let fraction_bits = format.fraction_bits();
        let low = fraction_bits + u32::from(format.has_explicit_integer());
        let exponent = self
            .p
            .pool
            .extract(low + format.exponent_bits() - 1, low, x);
        let fraction = self.p.pool.extract(fraction_bits - 1, 0, x);
        self.p.pool.concat(exponent, fraction)
    }

    fn of_magnitude(&mut self, format: Format, sign: Term, magnitude: Term) -> Term {
        let fraction_bits = format.fraction_bits();
        let top = fraction_bits + format.exponent_bits() - 1;
        let [one, none] = [1, 0].map(|n| self.p.pool.num(1, n));
        let sign = self.p.pool.ite(sign, one, none);
        if !format.has_explicit_integer() {
            return self.p.pool.concat(sign, magnitude);
        }
        let exponent = self.p.pool.extract(top, fraction_bits, magnitude);
        let fraction = self.p.pool.extract(fraction_bits - 1, 0, magnitude);
        let zero = self.p.pool.num(format.exponent_bits(), 0);
        let subnormal = self.p.pool.eq(exponent, zero);
        let integer = self.p.pool.ite(subnormal, none, one);
        let high = self.p.pool.concat(sign, exponent);
        let low = self.p.pool.concat(integer, fraction);
        self.p.pool.concat(high, low)
    }

    // Errors.

    /// The result, after `errno` was set where the function fails.
    fn failing_where(&mut self, fails: Term, code: i128, result: Term) -> Term {
        self.error_code_where(fails, code, result, false)
    }

    /// The same where some versions of the library set `errno` and others do not.
    fn perhaps_failing_where(&mut self, fails: Term, code: i128, result: Term) -> Term {
        self.error_code_where(fails, code, result, true)
    }

    fn error_code_where(&mut self, fails: Term, code: i128, result: Term, perhaps: bool) -> Term {
        if self.errno.is_none() {
            return result;
        }
        let result = self.save(result);
        let fails = match perhaps {
            true => {
                let told = self.any_bit("whether the C library sets errno");
                self.p.pool.and(fails, told)
            }
            false => fails,
        };
        let bits = self.bits(self.hir.types.int);
        let code = self.constant(bits, code);
        self.change_error_code(|this, before| this.p.pool.ite(fails, code, before));
        result
    }

    /// Sets `errno`, where the program uses it.
    pub(super) fn set_error_code(&mut self, code: Term) {
        self.change_error_code(|_, _| code);
    }

    fn change_error_code(&mut self, change: impl FnOnce(&mut Self, Term) -> Term) {
        let Some(errno) = self.errno else { return };
        let int = self.hir.types.int;
        let checks = std::mem::replace(&mut self.props.valid_deref, false);
        let place = self.var_place(errno);
        let before = self.load_place(&place, int);
        let after = change(self, before);
        self.store_place(&place, int, after);
        self.props.valid_deref = checks;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_prefixes_and_suffixes() {
        assert!(OPERATIONS.is_sorted());
        for (name, op) in [
            ("fmaf", Some("fma")),
            ("ceil", Some("ceil")),
            ("ceill", Some("ceil")),
            ("__builtin_isinf", Some("isinf")),
            ("__isinff", Some("isinf")),
            ("__fpclassifyl", Some("fpclassify")),
            ("__builtin_fabsf128", Some("fabs")),
            ("__CPROVER_isnand", Some("isnan")),
            ("__CPROVER_isinfld", Some("isinf")),
            ("__CPROVER_isnormald", Some("isnormal")),
            ("__CPROVER_signf", Some("signbit")),
            ("nanl", None),
            ("__floor", None),
            ("modf", None),
            ("f", None),
        ] {
            assert_eq!(operation(name), op, "{name}");
        }
    }
}
