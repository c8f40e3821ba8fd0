//! Ranks and sets in the words of the source.

use super::Subject;
use std::collections::BTreeMap;
use trellis_ivl::text::TermPrinter;
use trellis_ivl::{Op, Term, TermPool, Var};
use trellis_witness::c_print;

/// A linear expression: coefficients of what is not one itself, and a constant.
#[derive(Default)]
struct Linear {
    parts: BTreeMap<String, i128>,
    constant: i128,
}

/// A component of a rank, read as a whole number: extensions are left out, and so is the constant that makes it
/// unsigned.
pub(super) fn linear(subject: &Subject<'_>, pool: &TermPool, t: Term) -> String {
    let width = pool.width(t);
    let mut sum = Linear::default();
    let mut open = vec![(t, 1i128)];
    while let Some((t, factor)) = open.pop() {
        let number = |t: Term| {
            pool.as_bv(t)
                .and_then(|v| i128::try_from(v.to_bigint()).ok())
        };
        match pool.op(t) {
            Op::BvAdd => open.extend(pool.args(t).map(|a| (a, factor))),
            Op::BvSub => open.extend([(pool.arg(t, 0), factor), (pool.arg(t, 1), -factor)]),
            Op::BvNeg => open.push((pool.arg(t, 0), -factor)),
            Op::BvNot => {
                // All ones without it.
                open.push((pool.arg(t, 0), -factor));
                sum.constant -= factor;
            }
            Op::ZeroExt | Op::SignExt => open.push((pool.arg(t, 0), factor)),
            Op::BvConst if width == 1 => {
                // A flag.
                sum.constant += factor * i128::from(!pool.as_bv(t).is_some_and(|v| v.is_zero()));
            }
            Op::BvConst if number(t).is_some() => {
                sum.constant += factor * number(t).unwrap_or_default();
            }
            Op::BvMul if number(pool.arg(t, 1)).is_some() => {
                let by = number(pool.arg(t, 1)).unwrap_or_default();
                open.push((pool.arg(t, 0), factor.saturating_mul(by)));
            }
            _ => *sum.parts.entry(leaf(subject, pool, t)).or_default() += factor,
        }
    }
    // Half of the range is added to a whole number to make it unsigned.
    if (2..126).contains(&width) {
        let (range, half) = (1i128 << width, 1i128 << (width - 1));
        let moved = sum.constant.rem_euclid(range) - half;
        if moved.abs() < half / 2 {
            sum.constant = moved;
        }
    }
    sum.text()
}

impl Linear {
    fn text(&self) -> String {
        let mut out = String::new();
        let parts = self.parts.iter().filter(|(_, c)| **c != 0);
        let (plus, minus): (Vec<_>, Vec<_>) = parts.partition(|(_, c)| **c > 0);
        for (name, &c) in plus.into_iter().chain(minus) {
            let sign = if c < 0 { "-" } else { "+" };
            match (out.is_empty(), sign) {
                (true, "+") => {}
                (true, _) => out += "-",
                (false, _) => out += &format!(" {sign} "),
            }
            match c.unsigned_abs() {
                1 => out += name,
                n => out += &format!("{n}*{name}"),
            }
        }
        match (out.is_empty(), self.constant) {
            (true, c) => c.to_string(),
            (false, 0) => out,
            (false, c) if c < 0 => format!("{out} - {}", c.unsigned_abs()),
            (false, c) => format!("{out} + {c}"),
        }
    }
}

/// A variable by its name, and anything else as it is.
fn leaf(subject: &Subject<'_>, pool: &TermPool, t: Term) -> String {
    let name = pool.as_var(t).and_then(|v| subject.name(v));
    if let Some(name) = name {
        return name.to_string();
    }
    if pool.op(t) == Op::Ite {
        let when = condition(subject, pool, pool.arg(t, 0));
        let [yes, no] = [1, 2].map(|i| case(subject, pool, pool.arg(t, i)));
        return format!("({when} ? {yes} : {no})");
    }
    TermPrinter::new(pool).print(t)
}

/// What a component is in one case; the least number is less than whatever counts in the other.
fn case(subject: &Subject<'_>, pool: &TermPool, t: Term) -> String {
    match pool.as_bv(t) {
        Some(v) if v.is_zero() && v.width() > 1 => "least".into(),
        _ => linear(subject, pool, t),
    }
}

/// A set of states.
pub(super) fn condition(subject: &Subject<'_>, pool: &TermPool, t: Term) -> String {
    let scope = scope(subject);
    let said = c_print::invariant(pool, t, &scope, &|_| false);
    said.unwrap_or_else(|| TermPrinter::new(pool).print(t))
}

fn scope<'a>(subject: &'a Subject<'a>) -> impl Fn(Var) -> Option<(String, bool)> + 'a {
    |v| {
        let origin = subject.origin(v)?;
        let signed = subject.loaded.names.info(origin).is_some_and(|i| i.signed);
        Some((subject.name(v)?.to_string(), signed))
    }
}
