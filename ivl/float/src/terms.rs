//! What in a program is a float: variables, operations and constants.

use crate::recognise::{Application, FORMATS, Operand, Recogniser};
use crate::shape::{self, Field};
use crate::{Floats, Format};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use trellis_ivl::{Bv, Op, Term, TermPool, Var};

/// Terms beyond this many are not looked at for operations.
const MAX_RESULTS: usize = 400;

/// The floats of a program.
#[derive(Clone, Debug, Default)]
pub struct FloatTerms {
    /// The variables that are floats, as far as the program shows it.
    pub variables: BTreeMap<Var, Format>,
    /// The terms that are operations; only where asked for.
    pub applications: FxHashMap<Term, Application>,
    /// The numbers that the program compares floats with, gives them, or computes with.
    pub constants: BTreeSet<(Format, Bv)>,
}

impl FloatTerms {
    /// Reads a program off the conditions and values of its edges; `values` are those of variables, `guards` the rest.
    pub fn read(
        pool: &TermPool,
        guards: &[Term],
        values: &[(Var, Term)],
        with_operations: bool,
    ) -> FloatTerms {
        let roots = guards.iter().chain(values.iter().map(|(_, t)| t)).copied();
        let nodes = pool.post_order(roots);
        let mut found = FloatTerms::default();
        for &t in &nodes {
            if let Some((format, Field::Exponent, x)) = shape::field_of(pool, t)
                && let Some(v) = pool.as_var(x)
            {
                found.variables.insert(v, format);
            }
        }
        if found.variables.is_empty() {
            return found;
        }
        if with_operations {
            found.operations(pool, &nodes);
        }
        while found.follow(pool, values) {}
        for &t in &nodes {
            found.comparison(pool, t);
        }
        found
    }

    fn operations(&mut self, pool: &TermPool, nodes: &[Term]) {
        let mut recogniser = Recogniser::default();
        let is_result = |t: &&Term| {
            let width = pool.ty(**t).width();
            let shaped = matches!(pool.op(**t), Op::Ite | Op::Concat | Op::ZeroExt);
            shaped && FORMATS.iter().any(|f| Some(f.width()) == width)
        };
        for &t in nodes.iter().filter(is_result).take(MAX_RESULTS) {
            let Some(application) = recogniser.recognise(pool, t) else {
                continue;
            };
            for operand in &application.operands {
                if let Operand::Constant(c) = operand
                    && c.width() == application.format.width()
                {
                    self.constants.insert((application.format, c.clone()));
                }
            }
            self.applications.insert(t, application);
        }
    }

    /// The format of `t`, where it is known to be a float.
    pub fn format(&self, pool: &TermPool, t: Term) -> Option<Format> {
        match pool.as_var(t) {
            Some(v) => self.variables.get(&v).copied(),
            None => self.applications.get(&t).map(|a| a.format),
        }
    }

    /// What is given to a float is one, and what is given a float; whether that is new of a variable.
    fn follow(&mut self, pool: &TermPool, values: &[(Var, Term)]) -> bool {
        let before = self.variables.len();
        for &(v, value) in values {
            let leaves = leaves(pool, value);
            let of_leaves = leaves.iter().find_map(|&l| self.format(pool, l));
            let Some(format) = self.variables.get(&v).copied().or(of_leaves) else {
                continue;
            };
            self.variables.insert(v, format);
            for leaf in leaves {
                if let Some(c) = pool.as_bv(leaf) {
                    self.constants.insert((format, c));
                } else if let Some(u) = pool.as_var(leaf) {
                    self.variables.insert(u, format);
                }
            }
        }
        self.variables.len() > before
    }

    fn comparison(&mut self, pool: &TermPool, t: Term) {
        if !matches!(pool.op(t), Op::Eq | Op::BvSlt | Op::BvSle) {
            return;
        }
        let (a, b) = (pool.arg(t, 0), pool.arg(t, 1));
        for (x, c) in [(a, b), (b, a)] {
            if let (Some(format), Some(c)) = (self.format(pool, x), pool.as_bv(c)) {
                self.constants.insert((format, c));
            }
        }
    }
}

/// What a value may be, through if-then-elses; whole results of operations count as such.
fn leaves(pool: &TermPool, t: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![t];
    while let Some(u) = open.pop() {
        if !seen.insert(u) || seen.len() > 256 {
            continue;
        }
        match pool.op(u) {
            Op::Ite => open.extend([pool.arg(u, 1), pool.arg(u, 2)]),
            _ => found.push(u),
        }
    }
    found.push(t);
    found
}

/// The place of a pattern in the order of numbers: 0 for zeros, as far from it as the magnitude is; `None` for what is not a number.
pub fn key(format: Format, pattern: &Bv) -> Option<i128> {
    let w = format.width();
    let magnitude = (0..w - 1)
        .filter(|&i| pattern.bit(i))
        .fold(0i128, |n, i| n | 1 << i);
    let infinity = infinity_key(format);
    if magnitude > infinity {
        return None;
    }
    Some(if pattern.is_negative() {
        -magnitude
    } else {
        magnitude
    })
}

/// The place of infinity.
pub fn infinity_key(format: Format) -> i128 {
    ((1i128 << format.exponent_bits()) - 1) << format.fraction_bits()
}

/// The pattern at a place; that of zero is the positive one.
pub fn pattern(format: Format, key: i128) -> Bv {
    let w = format.width();
    let magnitude = key.unsigned_abs();
    let mut bits: Vec<bool> = (0..w).map(|i| magnitude >> i & 1 == 1).collect();
    bits[w as usize - 1] = key < 0;
    Bv::from_bits(&bits)
}

/// That `x` is at least (or, with `upper`, at most) the number at a place, or not a number where that is `or_nan`.
pub fn bound(
    pool: &mut TermPool,
    format: Format,
    x: Term,
    (key, upper): (i128, bool),
    or_nan: bool,
) -> Term {
    let c = pool.bv(pattern(format, key));
    let mut floats = Floats::new(pool);
    let holds = match upper {
        true => floats.le(format, x, c),
        false => floats.le(format, c, x),
    };
    if !or_nan {
        return holds;
    }
    let nan = floats.is_nan(format, x);
    pool.or(nan, holds)
}
