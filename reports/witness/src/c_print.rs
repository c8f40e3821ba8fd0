//! Terms as C expressions, with exactly the meaning of the term.
//!
//! A bit-vector of width w is an unsigned number below 2^w in a container of 32 or 64 bits, so that
//! neither promotion nor undefined overflow can change anything; plain signed variables are
//! compared as they are, which is what people expect to read. What C cannot say (arrays as a whole, overflow
//! predicates, widths beyond 64, variables without a name in scope) has no expression.

use std::collections::BTreeMap;
use trellis_ivl::{Op, Term, TermPool, Type, Value, Var};

/// Longest expression.
const LONGEST: usize = 4000;

/// What C calls a variable, and whether it is signed; `None` when it is not in scope.
pub type Scope<'a> = dyn Fn(Var) -> Option<(String, bool)> + 'a;

/// The conjuncts of `t` that C can say, joined; `None` when there are none. A variable without a name is
/// called by that of another where `t` says that they are equal. What holds of an address alone, elsewhere
/// than at zero, holds only where objects lie as they do here, so it is not said.
pub fn invariant(
    pool: &TermPool,
    t: Term,
    scope: &Scope<'_>,
    is_address: &dyn Fn(Var) -> bool,
) -> Option<String> {
    let mut all: Vec<Term> = pool.conjuncts(t).collect();
    all.retain(|&t| !is_absolute(pool, t, is_address));
    let other_names = other_names(pool, &all, scope);
    let scope = |v: Var| scope(v).or_else(|| other_names.get(&v).and_then(|&o| scope(o)));
    // An equation that gives a name says nothing else.
    let gives_name = |t: Term| {
        let mut names = pool.args(t).map(|a| scope(pool.as_var(a)?));
        let (left, right) = (names.next().flatten(), names.next().flatten());
        pool.op(t) == Op::Eq && left.is_some() && left == right
    };
    let said = all
        .iter()
        .filter_map(|&t| boolean(pool, t, &scope).map(|text| (t, text)));
    let said = said.filter(|(t, text)| text != "1" && !gives_name(*t));
    let parts: Vec<String> = said.map(|(_, text)| text).collect();
    (!parts.is_empty()).then(|| parts.join(" && "))
}

/// Whether `t` compares one address with numbers.
fn is_absolute(pool: &TermPool, t: Term, is_address: &dyn Fn(Var) -> bool) -> bool {
    let mut addresses = pool.free_vars([t]).into_iter().filter(|&v| is_address(v));
    let (Some(one), None) = (addresses.next(), addresses.next()) else {
        return false;
    };
    let width = pool.var_ty(one);
    let is_number = |&t: &Term| pool.ty(t) == width && pool.is_const(t) && !is_zero(pool, t);
    pool.post_order([t]).iter().any(is_number)
}

fn is_zero(pool: &TermPool, t: Term) -> bool {
    pool.as_bv(t).is_some_and(|v| v.to_u64() == Some(0))
}

fn other_names(pool: &TermPool, all: &[Term], scope: &Scope<'_>) -> BTreeMap<Var, Var> {
    let mut names = BTreeMap::new();
    for &t in all.iter().filter(|&&t| pool.op(t) == Op::Eq) {
        let sides: Vec<Option<Var>> = pool.args(t).map(|a| pool.as_var(a)).collect();
        if let [Some(a), Some(b)] = sides[..] {
            match (scope(a).is_some(), scope(b).is_some()) {
                (true, false) => names.insert(b, a),
                (false, true) => names.insert(a, b),
                _ => None,
            };
        }
    }
    names
}

fn bounded(text: String) -> Option<String> {
    (text.len() <= LONGEST).then_some(text)
}

/// A boolean term, in parentheses where it needs them.
pub fn boolean(pool: &TermPool, t: Term, scope: &Scope<'_>) -> Option<String> {
    let args: Vec<Term> = pool.args(t).collect();
    let b = |i: usize| boolean(pool, args[i], scope);
    let u = |i: usize| unsigned(pool, args[i], scope);
    let compared = |sign: &str| {
        let (x, y) = (signed(pool, args[0], scope), signed(pool, args[1], scope));
        Some(format!("({} {sign} {})", x?, y?))
    };
    bounded(match pool.op(t) {
        Op::BoolConst => match pool.const_value(t)? {
            Value::Bool(true) => "1".into(),
            _ => "0".into(),
        },
        Op::Not => format!("!{}", b(0)?),
        Op::And => format!("({} && {})", b(0)?, b(1)?),
        Op::Or => format!("({} || {})", b(0)?, b(1)?),
        Op::Ite => format!("({} ? {} : {})", b(0)?, b(1)?, b(2)?),
        Op::Eq => match pool.ty(args[0]) {
            Type::Bool => format!("({} == {})", b(0)?, b(1)?),
            Type::Bv(_) => match compared("==") {
                // As signed numbers where both are written like that anyway.
                Some(text) if plain(pool, args[0], scope) && plain(pool, args[1], scope) => text,
                _ => format!("({} == {})", u(0)?, u(1)?),
            },
            Type::Array { .. } => return None,
        },
        Op::BvUlt => format!("({} < {})", u(0)?, u(1)?),
        Op::BvUle => format!("({} <= {})", u(0)?, u(1)?),
        Op::BvSlt => compared("<")?,
        Op::BvSle => compared("<=")?,
        _ => return None,
    })
}

/// Whether a term is a signed variable or a constant.
fn plain(pool: &TermPool, t: Term, scope: &Scope<'_>) -> bool {
    match pool.op(t) {
        Op::BvConst => true,
        Op::Var => pool
            .as_var(t)
            .and_then(scope)
            .is_some_and(|(_, signed)| signed),
        _ => false,
    }
}

/// The width of a term, where a container holds it.
fn width(pool: &TermPool, t: Term) -> Option<u32> {
    match pool.ty(t) {
        Type::Bv(w) if w <= 64 => Some(w),
        _ => None,
    }
}

fn container(width: u32) -> (&'static str, &'static str, u32) {
    match width {
        0..=32 => ("unsigned int", "u", 32),
        _ => ("unsigned long long", "ull", 64),
    }
}

fn ones(width: u32) -> u64 {
    match width {
        64 => u64::MAX,
        w => (1 << w) - 1,
    }
}

/// As a signed number of its width.
fn signed(pool: &TermPool, t: Term, scope: &Scope<'_>) -> Option<String> {
    let w = width(pool, t)?;
    if let Some(Value::Bv(bv)) = pool.const_value(t) {
        let n = bv.to_i64()?;
        return Some(match n {
            i64::MIN => "(-9223372036854775807LL - 1)".into(),
            n if n == i64::from(i32::MIN) && w == 32 => "(-2147483647 - 1)".into(),
            n if i32::try_from(n).is_err() => format!("{n}LL"),
            n => n.to_string(),
        });
    }
    if let Some((name, true)) = pool.as_var(t).and_then(scope) {
        return Some(name);
    }
    let text = unsigned(pool, t, scope)?;
    Some(match w {
        8 => format!("(int)(signed char){text}"),
        16 => format!("(int)(short){text}"),
        32 => format!("(int){text}"),
        64 => format!("(long long){text}"),
        _ => {
            // Flip the sign bit and subtract it: both within the signed container.
            let half = 1u64 << (w - 1);
            let ty = if w < 32 { "int" } else { "long long" };
            format!("(({ty})({text} ^ {half}) - {half})")
        }
    })
}

/// As an unsigned number below 2^width.
fn unsigned(pool: &TermPool, t: Term, scope: &Scope<'_>) -> Option<String> {
    let w = width(pool, t)?;
    let (ty, suffix, size) = container(w);
    let args: Vec<Term> = pool.args(t).collect();
    let u = |i: usize| unsigned(pool, args[i], scope);
    let cut = |text: String| match w == size {
        true => text,
        false => format!("({text} & {}{suffix})", ones(w)),
    };
    let binary = |sign: &str| Some(cut(format!("({} {sign} {})", u(0)?, u(1)?)));
    let nonzero = |i: usize| match pool.const_value(args[i]) {
        Some(Value::Bv(bv)) => !bv.is_zero(),
        _ => false,
    };
    bounded(match pool.op(t) {
        Op::BvConst => match pool.const_value(t)? {
            Value::Bv(bv) => format!("{}{suffix}", bv.to_u64()?),
            _ => return None,
        },
        Op::Var => {
            let (name, _) = pool.as_var(t).and_then(scope)?;
            match w {
                8 => format!("({ty})(unsigned char){name}"),
                16 => format!("({ty})(unsigned short){name}"),
                32 | 64 => format!("({ty}){name}"),
                // Booleans and bit-fields.
                _ => cut(format!("({ty}){name}")),
            }
        }
        Op::Select => {
            let (name, _) = pool.as_var(args[0]).and_then(scope)?;
            let element = format!("{name}[{}]", u(1)?);
            match w {
                8 => format!("({ty})(unsigned char){element}"),
                16 => format!("({ty})(unsigned short){element}"),
                32 | 64 => format!("({ty}){element}"),
                _ => return None,
            }
        }
        Op::Ite => format!(
            "({} ? {} : {})",
            boolean(pool, args[0], scope)?,
            u(1)?,
            u(2)?
        ),
        Op::BvNot => cut(format!("~{}", u(0)?)),
        Op::BvNeg => cut(format!("(0{suffix} - {})", u(0)?)),
        Op::BvAnd => binary("&")?,
        Op::BvOr => binary("|")?,
        Op::BvXor => binary("^")?,
        Op::BvAdd => binary("+")?,
        Op::BvSub => binary("-")?,
        Op::BvMul => binary("*")?,
        Op::BvUdiv if nonzero(1) => binary("/")?,
        Op::BvUrem if nonzero(1) => binary("%")?,
        // Beyond the width C says nothing of shifts.
        Op::BvShl => format!("({} < {w}{suffix} ? {} : 0{suffix})", u(1)?, binary("<<")?),
        Op::BvLshr => format!("({} < {w}{suffix} ? {} : 0{suffix})", u(1)?, binary(">>")?),
        Op::ZeroExt => format!("({ty}){}", u(0)?),
        Op::SignExt => cut(format!("({ty}){}", signed(pool, args[0], scope)?)),
        Op::Extract => {
            let (_, low) = pool.extract_bounds(t)?;
            let (_, inner, _) = container(width(pool, args[0])?);
            let mask = ones(w);
            format!("({ty})(({} >> {low}) & {mask}{inner})", u(0)?)
        }
        Op::Concat => {
            let low = width(pool, args[1])?;
            format!("((({ty}){} << {low}) | ({ty}){})", u(0)?, u(1)?)
        }
        _ => return None,
    })
}
