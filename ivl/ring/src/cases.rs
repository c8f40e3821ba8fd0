//! Formulas as cases: what holds in each, and whether equations refute it.

use crate::bounds::{Bound, meeting};
use crate::poly::{Ideal, Poly};
use rustc_hash::FxHashMap;
use trellis_ivl::{Op, Term, TermPool, Type};

/// Cases of one formula.
const MAX_CASES: usize = 64;
/// Terms of a formula, and steps of taking it apart, beyond which it is too large.
const MAX_SIZE: usize = 20_000;
const MAX_STEPS: usize = 200_000;
/// How deep a formula is looked into to see what is known of it.
const DEPTH: u32 = 6;
/// Widths that polynomials have.
const WIDTHS: std::ops::RangeInclusive<u32> = 1..=64;

/// Whether the formulas have no model together, as far as equations of polynomials, of sums and products modulo powers of two, can show it.
pub fn refutes(pool: &TermPool, formulas: &[Term]) -> bool {
    if pool.post_order(formulas.iter().copied()).len() > MAX_SIZE {
        return false;
    }
    let mut first = Case::default();
    let mut steps = MAX_STEPS;
    for &t in formulas {
        if first.assume(pool, t, true, &mut steps) == Some(Refuted) {
            return true;
        }
    }
    let mut open = vec![first];
    let mut cases = 1;
    while let Some(mut case) = open.pop() {
        if case.propagate(pool, &mut steps) == Some(Refuted) {
            continue;
        }
        let Some(split) = case.examine(pool, &mut steps) else {
            continue;
        };
        let Some(split) = split else {
            return false;
        };
        cases += 1;
        if cases > MAX_CASES || steps == 0 {
            return false;
        }
        for value in [false, true] {
            let mut next = case.clone();
            if next.assume(pool, split, value, &mut steps) != Some(Refuted) {
                open.push(next);
            }
        }
    }
    true
}

/// A contradiction was met.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Refuted;

/// What holds in a case.
#[derive(Clone, Default)]
struct Case {
    known: FxHashMap<Term, bool>,
    /// Disjunctions, equivalences and decisions that are not used up, with the truth value that they have.
    clauses: Vec<(Term, bool)>,
    equal: Vec<(Term, Term)>,
    unequal: Vec<(Term, Term)>,
    /// `a < b` or `a <= b`.
    less: Vec<Bound>,
}

impl Case {
    /// Takes a formula apart that has this truth value.
    fn assume(
        &mut self,
        pool: &TermPool,
        t: Term,
        value: bool,
        steps: &mut usize,
    ) -> Option<Refuted> {
        let mut open = vec![(t, value)];
        while let Some((t, value)) = open.pop() {
            // Leaving something out is never wrong.
            *steps = steps.checked_sub(1).unwrap_or_default();
            if *steps == 0 {
                return None;
            }
            match self.known.insert(t, value) {
                Some(known) if known == value => continue,
                Some(_) => return Some(Refuted),
                None => {}
            }
            let arg = |i| pool.arg(t, i);
            match pool.op(t) {
                Op::BoolConst if pool.as_bool(t) == Some(!value) => return Some(Refuted),
                Op::Not => open.push((arg(0), !value)),
                Op::And if value => open.extend([(arg(0), true), (arg(1), true)]),
                Op::Or if !value => open.extend([(arg(0), false), (arg(1), false)]),
                Op::And | Op::Or => self.clauses.push((t, value)),
                Op::Ite => self.clauses.push((t, value)),
                Op::Eq => match pool.ty(arg(0)) {
                    Type::Bool => self.clauses.push((t, value)),
                    Type::Bv(w) if WIDTHS.contains(&w) => {
                        let list = match value {
                            true => &mut self.equal,
                            false => &mut self.unequal,
                        };
                        list.push((arg(0), arg(1)));
                    }
                    _ => {}
                },
                Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle
                    if WIDTHS.contains(&pool.width(arg(0))) =>
                {
                    self.less.push(Bound::new(pool, t, value));
                }
                _ => {}
            }
        }
        None
    }

    /// What is known of a formula.
    fn value(&self, pool: &TermPool, t: Term, depth: u32) -> Option<bool> {
        if let Some(&known) = self.known.get(&t) {
            return Some(known);
        }
        let of = |i| self.value(pool, pool.arg(t, i), depth - 1);
        match pool.op(t) {
            Op::BoolConst => pool.as_bool(t),
            _ if depth == 0 => None,
            Op::Not => of(0).map(|v| !v),
            Op::And => match (of(0), of(1)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Op::Or => match (of(0), of(1)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    /// Draws what follows from clauses of which one part is left.
    fn propagate(&mut self, pool: &TermPool, steps: &mut usize) -> Option<Refuted> {
        loop {
            let mut changed = false;
            for (t, value) in std::mem::take(&mut self.clauses) {
                *steps = steps.checked_sub(1).unwrap_or_default();
                let follows = match pool.op(t) {
                    Op::Ite => self.decided(pool, t, value),
                    Op::Eq => self.equivalent(pool, t, value),
                    _ => self.left(pool, t, value),
                };
                match follows {
                    Follows::Nothing => self.clauses.push((t, value)),
                    Follows::Done => {}
                    Follows::Refuted => return Some(Refuted),
                    Follows::Also(t, value) => {
                        changed = true;
                        if self.assume(pool, t, value, steps) == Some(Refuted) {
                            return Some(Refuted);
                        }
                    }
                }
            }
            if !changed || *steps == 0 {
                return None;
            }
        }
    }

    fn decided(&self, pool: &TermPool, t: Term, value: bool) -> Follows {
        let [condition, then, otherwise] = [0, 1, 2].map(|i| pool.arg(t, i));
        match self.value(pool, condition, DEPTH) {
            Some(true) => Follows::Also(then, value),
            Some(false) => Follows::Also(otherwise, value),
            None => Follows::Nothing,
        }
    }

    fn equivalent(&self, pool: &TermPool, t: Term, value: bool) -> Follows {
        let (a, b) = (pool.arg(t, 0), pool.arg(t, 1));
        match (self.value(pool, a, DEPTH), self.value(pool, b, DEPTH)) {
            (Some(x), Some(y)) if (x == y) == value => Follows::Done,
            (Some(_), Some(_)) => Follows::Refuted,
            (Some(x), None) => Follows::Also(b, x == value),
            (None, Some(y)) => Follows::Also(a, y == value),
            (None, None) => Follows::Nothing,
        }
    }

    /// A disjunction that holds, or a conjunction that does not: what is left of it.
    fn left(&self, pool: &TermPool, t: Term, value: bool) -> Follows {
        let op = pool.op(t);
        let mut left = None;
        for part in pool.operands(op, [t]) {
            match self.value(pool, part, DEPTH) {
                Some(v) if v == value => return Follows::Done,
                Some(_) => {}
                None if left.is_some() => return Follows::Nothing,
                None => left = Some(part),
            }
        }
        left.map_or(Follows::Refuted, |part| Follows::Also(part, value))
    }

    /// Nothing where equations refute the case; otherwise the formula to decide next, if there is one.
    fn examine(&self, pool: &TermPool, steps: &mut usize) -> Option<Option<Term>> {
        let mut algebra = Algebra {
            pool,
            case: self,
            polys: FxHashMap::default(),
            undecided: None,
            steps,
        };
        let equations = self.equal.iter().filter_map(|&(a, b)| algebra.minus(a, b));
        let mut equations: Vec<Poly> = equations.collect();
        let goals = self
            .unequal
            .iter()
            .filter_map(|&(a, b)| algebra.minus(a, b));
        let goals: Vec<Poly> = goals.collect();
        let mut ideal = Ideal::new(equations.clone());
        let more = meeting(&self.less, &ideal, |t| algebra.poly(t));
        if !more.is_empty() {
            equations.extend(more);
            ideal = Ideal::new(equations);
        }
        if ideal.contradiction || goals.iter().any(|g| ideal.is_zero(g)) {
            return None;
        }
        let clause = self.clauses.iter().find_map(|&(t, _)| match pool.op(t) {
            Op::And | Op::Or => {
                let mut parts = pool.operands(pool.op(t), [t]);
                parts.find(|&part| self.value(pool, part, DEPTH).is_none())
            }
            _ => Some(pool.arg(t, 0)),
        });
        Some(algebra.undecided.or(clause))
    }
}

/// What comes of a clause.
enum Follows {
    Nothing,
    Done,
    Refuted,
    Also(Term, bool),
}

/// Terms as polynomials.
struct Algebra<'a> {
    pool: &'a TermPool,
    case: &'a Case,
    polys: FxHashMap<Term, Poly>,
    /// A condition on which a word depends, and of which nothing is known.
    undecided: Option<Term>,
    steps: &'a mut usize,
}

impl Algebra<'_> {
    fn minus(&mut self, a: Term, b: Term) -> Option<Poly> {
        let (a, b) = (self.poly(a)?, self.poly(b)?);
        Some(a.plus(&b, u64::MAX))
    }

    /// The polynomial of a word; arguments come first, without recursion.
    fn poly(&mut self, t: Term) -> Option<Poly> {
        let width = self.pool.ty(t).width().filter(|w| WIDTHS.contains(w));
        width?;
        let mut open = vec![t];
        while let Some(&u) = open.last() {
            if self.polys.contains_key(&u) {
                open.pop();
                continue;
            }
            let needs = self.needs(u);
            let before = open.len();
            open.extend(needs.iter().filter(|a| !self.polys.contains_key(a)));
            if open.len() == before {
                open.pop();
                let poly = self.node(u, &needs);
                *self.steps = self.steps.saturating_sub(poly.size());
                if *self.steps == 0 {
                    return None;
                }
                self.polys.insert(u, poly);
            }
        }
        self.polys.get(&t).cloned()
    }

    /// The arguments that the polynomial of a term is made of; none where it is an atom.
    fn needs(&mut self, t: Term) -> Vec<Term> {
        let pool = self.pool;
        match pool.op(t) {
            Op::BvAdd | Op::BvSub | Op::BvMul | Op::BvNeg | Op::BvNot => pool.args(t).collect(),
            Op::BvShl if pool.is_const(pool.arg(t, 1)) => vec![pool.arg(t, 0)],
            Op::Extract if pool.extract_bounds(t).is_some_and(|(_, lo)| lo == 0) => {
                let wide = pool.arg(t, 0);
                let fits = WIDTHS.contains(&pool.width(wide));
                if fits { vec![wide] } else { Vec::new() }
            }
            Op::Ite => {
                let condition = pool.arg(t, 0);
                match self.case.value(pool, condition, DEPTH) {
                    Some(true) => vec![pool.arg(t, 1)],
                    Some(false) => vec![pool.arg(t, 2)],
                    None => {
                        self.undecided.get_or_insert(condition);
                        Vec::new()
                    }
                }
            }
            _ => Vec::new(),
        }
    }

    fn node(&self, t: Term, needs: &[Term]) -> Poly {
        let pool = self.pool;
        let width = pool.width(t);
        let of = |i: usize| &self.polys[&needs[i]];
        let zero = Poly::constant(width, 0);
        let poly = match (pool.op(t), needs.len()) {
            (Op::BvConst, _) => {
                let value = pool.as_bv(t).and_then(|v| v.to_u64());
                value.map(|v| Poly::constant(width, v))
            }
            (_, 0) => None,
            (Op::BvAdd, _) => Some(of(0).plus(of(1), 1)),
            (Op::BvSub, _) => Some(of(0).plus(of(1), u64::MAX)),
            (Op::BvNeg, _) => Some(zero.plus(of(0), u64::MAX)),
            (Op::BvNot, _) => Some(Poly::constant(width, u64::MAX).plus(of(0), u64::MAX)),
            (Op::BvMul, _) => of(0).times(of(1)),
            (Op::BvShl, _) => {
                let by = pool.as_bv(pool.arg(t, 1)).and_then(|v| v.to_u64());
                match by {
                    Some(by) if by < u64::from(width) => Some(of(0).scaled(1 << by)),
                    // Also a number too large to be one.
                    _ => Some(zero),
                }
            }
            (Op::Extract, _) => Some(of(0).low(width)),
            (Op::Ite, _) => Some(of(0).clone()),
            _ => None,
        };
        poly.unwrap_or_else(|| Poly::atom(width, t))
    }
}
