//! Shapes of float terms: fields of patterns, and the atoms that comparisons and classifications are made of.

use crate::Format;
use crate::recognise::FORMATS;
use trellis_ivl::{Bv, Op, Term, TermPool, Type};

/// A part of a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    /// The whole pattern.
    All,
    /// The sign bit.
    Sign,
    /// Exponent and fraction.
    Magnitude,
    /// The exponent.
    Exponent,
    /// The fraction.
    Fraction,
}

impl Field {
    /// All of them.
    pub const ALL: [Field; 5] = [
        Field::All,
        Field::Sign,
        Field::Magnitude,
        Field::Exponent,
        Field::Fraction,
    ];

    /// The highest and the lowest bit of the field in an interchange format.
    fn bounds(self, format: Format) -> (u32, u32) {
        let (w, f) = (format.width(), format.fraction_bits());
        match self {
            Field::All => (w - 1, 0),
            Field::Sign => (w - 1, w - 1),
            Field::Magnitude => (w - 2, 0),
            Field::Exponent => (w - 2, f),
            Field::Fraction => (f - 1, 0),
        }
    }
}

/// A field of `x`.
pub fn field(pool: &mut TermPool, format: Format, x: Term, field: Field) -> Term {
    let (hi, lo) = field.bounds(format);
    pool.extract(hi, lo, x)
}

/// Exponent and fraction.
pub(crate) fn fields(pool: &mut TermPool, format: Format, x: Term) -> (Term, Term) {
    (
        field(pool, format, x, Field::Exponent),
        field(pool, format, x, Field::Fraction),
    )
}

/// The float of which `t` is the field, where it is an extraction from one.
pub fn field_of(pool: &TermPool, t: Term) -> Option<(Format, Field, Term)> {
    let bounds = pool.extract_bounds(t)?;
    let x = pool.arg(t, 0);
    let format = FORMATS.into_iter().find(|f| f.width() == pool.width(x))?;
    let field = Field::ALL
        .into_iter()
        .find(|f| f.bounds(format) == bounds)?;
    Some((format, field, x))
}

/// The float that has these fields.
pub(crate) fn owner(pool: &TermPool, format: Format, fields: (Term, Term)) -> Option<Term> {
    match (field_of(pool, fields.0)?, field_of(pool, fields.1)?) {
        ((f, Field::Exponent, x), (g, Field::Fraction, y)) => {
            (x == y && f == format && g == format).then_some(x)
        }
        _ => None,
    }
}

/// A term that is compared with a constant for equality, with the constant on the right.
fn equals(pool: &TermPool, t: Term) -> Option<(Term, Bv)> {
    if pool.op(t) != Op::Eq {
        return None;
    }
    let (a, b) = (pool.arg(t, 0), pool.arg(t, 1));
    pool.as_bv(b)
        .map(|b| (a, b))
        .or_else(|| pool.as_bv(a).map(|a| (b, a)))
}

/// The format, exponent and fraction of what is not a number just if `t` holds.
pub(crate) fn is_nan(pool: &TermPool, t: Term) -> Option<(Format, (Term, Term))> {
    if pool.op(t) != Op::And {
        return None;
    }
    for (x, y) in [(0, 1), (1, 0)].map(|(i, j)| (pool.arg(t, i), pool.arg(t, j))) {
        if pool.op(y) != Op::Not {
            continue;
        }
        let (Some((exponent, top)), Some((fraction, zero))) =
            (equals(pool, x), equals(pool, pool.arg(y, 0)))
        else {
            continue;
        };
        let format = FORMATS
            .into_iter()
            .find(|f| (f.exponent_bits(), f.fraction_bits()) == (top.width(), zero.width()));
        if let Some(format) = format
            && top.is_ones()
            && zero.is_zero()
        {
            return Some((format, (exponent, fraction)));
        }
    }
    None
}

/// What an atom says of floats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Atom {
    /// `x` is not a number.
    Nan(Term),
    /// The sign bit of `x` is one.
    Negative(Term),
    /// The exponent of `x` is the highest one: it is infinite, or not a number.
    Special(Term),
    /// The exponent of `x` is the lowest one: it is zero, or subnormal.
    Tiny(Term),
    /// The fraction of `x` is zero.
    Whole(Term),
    /// `a` is below `b`, or they are `-0` and `+0`; where both are numbers.
    Less(Term, Term),
}

/// What `t` says, if it is one of the atoms that comparisons and classifications consist of.
pub fn atom(pool: &TermPool, t: Term) -> Option<(Format, Atom)> {
    match pool.op(t) {
        Op::And => {
            let (format, fields) = is_nan(pool, t)?;
            Some((format, Atom::Nan(owner(pool, format, fields)?)))
        }
        Op::Eq => {
            let (x, c) = equals(pool, t)?;
            let (format, field, x) = field_of(pool, x)?;
            let atom = match field {
                Field::Sign if c.is_ones() => Atom::Negative(x),
                Field::Exponent if c.is_ones() => Atom::Special(x),
                Field::Exponent if c.is_zero() => Atom::Tiny(x),
                Field::Fraction if c.is_zero() => Atom::Whole(x),
                _ => return None,
            };
            Some((format, atom))
        }
        Op::Ite => less(pool, t),
        _ => None,
    }
}

/// `ite(a and b are negative, b < a, a < b)` on patterns.
fn less(pool: &TermPool, t: Term) -> Option<(Format, Atom)> {
    let (c, backward, forward) = (pool.arg(t, 0), pool.arg(t, 1), pool.arg(t, 2));
    if pool.op(backward) != Op::BvSlt || pool.op(forward) != Op::BvSlt {
        return None;
    }
    let (a, b) = (pool.arg(forward, 0), pool.arg(forward, 1));
    if (pool.arg(backward, 0), pool.arg(backward, 1)) != (b, a) {
        return None;
    }
    let format = FORMATS.into_iter().find(|f| f.width() == pool.width(a))?;
    let sign = |x: Term, s: Term| match atom(pool, s) {
        Some((_, Atom::Negative(of))) => of == x,
        _ => false,
    };
    let negative = |x: Term| match pool.as_bv(x) {
        Some(k) => k.is_negative(),
        None => false,
    };
    let both = match pool.op(c) {
        Op::And => {
            let (s, u) = (pool.arg(c, 0), pool.arg(c, 1));
            (sign(a, s) && sign(b, u)) || (sign(a, u) && sign(b, s))
        }
        _ => (sign(a, c) && negative(b)) || (sign(b, c) && negative(a)),
    };
    both.then_some((format, Atom::Less(a, b)))
}

/// The node `u` of `from` over arguments of `pool`, by the rewriting constructors.
pub(crate) fn remake(pool: &mut TermPool, from: &TermPool, u: Term, args: &[Term]) -> Term {
    match from.op(u) {
        Op::BoolConst => pool.bool(from.as_bool(u) == Some(true)),
        Op::BvConst => pool.bv(from.as_bv(u).expect("a constant")),
        Op::Extract => {
            let (hi, lo) = from.extract_bounds(u).expect("an extraction");
            pool.extract(hi, lo, args[0])
        }
        Op::ZeroExt => pool.zext(from.width(u), args[0]),
        Op::SignExt => pool.sext(from.width(u), args[0]),
        Op::ConstArray => match from.ty(u) {
            Type::Array { index, .. } => pool.const_array(index, args[0]),
            _ => unreachable!("a constant array is an array"),
        },
        op => pool.make(op, args),
    }
}
