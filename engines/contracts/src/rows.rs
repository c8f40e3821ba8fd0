//! What might hold at a point, from what was seen there.
//!
//! Linear equations modulo 2^w, also of powers of two, constants, comparisons with each other and with numbers of the program; the same
//! where a condition on what was given holds; and, where few different things were given, what each of them led to. All of it holds in what was
//! seen; whether it holds is asked elsewhere.

use crate::samples::{FEW_VALUES, Point};
use std::collections::{BTreeMap, BTreeSet};
use trellis_engine_common::space::Space;
use trellis_ivl::{Bv, Op, Term, TermPool, Type, Var};

/// Rows of a table at most.
const MAX_TABLE: usize = 64;
/// Variables in one space of equations at most.
const MAX_SPACE: usize = 10;
/// Variables whose powers of two are looked at, at most.
const MAX_POWERS: usize = 3;
/// Clauses of one point at most.
const MAX_CLAUSES: usize = 1_500;

/// The other side of a comparison.
#[derive(Clone, Copy)]
enum Side {
    Var(usize),
    Number(u64),
}

/// A comparison of a variable of a point.
#[derive(Clone, Copy)]
struct Comparison {
    op: Op,
    negated: bool,
    a: usize,
    b: Side,
}

/// The number as a signed one.
fn signed(n: u64, width: u32) -> i64 {
    let shift = 64 - width;
    ((n << shift) as i64) >> shift
}

struct Rows<'a> {
    pool: &'a mut TermPool,
    point: &'a Point,
    numbers: &'a BTreeMap<u32, Vec<u64>>,
    found: Vec<Term>,
    known: BTreeSet<Term>,
}

/// Candidates at a point, over its variables.
pub fn clauses(pool: &mut TermPool, point: &Point, numbers: &BTreeMap<u32, Vec<u64>>) -> Vec<Term> {
    if point.rows.is_empty() {
        // What was never seen may be impossible.
        return vec![pool.fls()];
    }
    let mut rows = Rows {
        pool,
        point,
        numbers,
        found: Vec::new(),
        known: BTreeSet::new(),
    };
    let all: Vec<usize> = (0..point.rows.len()).collect();
    rows.describe(None, &all);
    rows.tabulate();
    for guard in rows.guards() {
        let (yes, no): (Vec<usize>, Vec<usize>) =
            all.iter().partition(|&&r| guard.holds(point, r, rows.pool));
        if yes.len() > 1 && !no.is_empty() {
            let t = guard.term(point, rows.pool);
            rows.describe(Some(t), &yes);
        }
        if rows.found.len() > MAX_CLAUSES {
            break;
        }
    }
    rows.found
}

/// By which power of two the variables after the given ones differ from those before, one by one: counters that go up in even
/// steps.
pub fn strides(pool: &mut TermPool, point: &Point) -> Vec<Term> {
    let mut found = Vec::new();
    for (i, (&before, &after)) in point
        .vars
        .iter()
        .zip(&point.vars[point.given..])
        .enumerate()
    {
        let Type::Bv(w @ 2..=64) = pool.var_ty(after) else {
            continue;
        };
        let step = |r: &Vec<u64>| r[point.given + i].wrapping_sub(r[i]);
        let common = point.rows.iter().fold(0, |bits, r| bits | step(r));
        let zeros = common.trailing_zeros();
        if (1..w).contains(&zeros) {
            let (a, b) = (pool.var(after), pool.var(before));
            let factor = pool.num(w, 1u64 << (w - zeros));
            let (a, b) = (pool.bvmul(a, factor), pool.bvmul(b, factor));
            found.push(pool.eq(a, b));
        }
    }
    found
}

impl Comparison {
    fn holds(&self, point: &Point, row: usize, pool: &TermPool) -> bool {
        let width = width(pool, point.vars[self.a]);
        let a = point.rows[row][self.a];
        let b = match self.b {
            Side::Var(i) => point.rows[row][i],
            Side::Number(n) => n,
        };
        let holds = match self.op {
            Op::Eq => a == b,
            Op::BvSle => signed(a, width) <= signed(b, width),
            Op::BvSlt => signed(a, width) < signed(b, width),
            Op::BvUle => a <= b,
            _ => a < b,
        };
        holds != self.negated
    }

    fn term(&self, point: &Point, pool: &mut TermPool) -> Term {
        let var = point.vars[self.a];
        let a = pool.var(var);
        let b = match self.b {
            Side::Var(i) => pool.var(point.vars[i]),
            Side::Number(n) => number(pool, var, n),
        };
        let t = pool.make(self.op, &[a, b]);
        if self.negated { pool.not(t) } else { t }
    }
}

fn width(pool: &TermPool, v: Var) -> u32 {
    match pool.var_ty(v) {
        Type::Bv(w) => w,
        _ => 1,
    }
}

/// The value `n` of the type of `v`.
fn number(pool: &mut TermPool, v: Var, n: u64) -> Term {
    match pool.var_ty(v) {
        Type::Bv(w) => pool.bv(Bv::new(w, n)),
        _ => pool.bool(n != 0),
    }
}

impl Rows<'_> {
    fn add(&mut self, guard: Option<Term>, fact: Term) {
        if self.pool.as_bool(fact) == Some(true) || self.known.contains(&fact) {
            return;
        }
        if guard.is_none() {
            self.known.insert(fact);
        }
        let clause = match guard {
            Some(g) => self.pool.implies(g, fact),
            None => fact,
        };
        if self.pool.as_bool(clause).is_none() && !self.found.contains(&clause) {
            self.found.push(clause);
        }
    }

    fn is_vector(&self, i: usize) -> bool {
        matches!(self.pool.var_ty(self.point.vars[i]), Type::Bv(2..))
    }

    fn same_width(&self, i: usize, j: usize) -> bool {
        let ty = |i: usize| self.pool.var_ty(self.point.vars[i]);
        self.is_vector(i) && ty(i) == ty(j)
    }

    /// What the rows have in common, where the guard holds.
    fn describe(&mut self, guard: Option<Term>, rows: &[usize]) {
        let first = if guard.is_some() { self.point.given } else { 0 };
        for i in first..self.point.vars.len() {
            let n = self.point.rows[rows[0]][i];
            if rows.iter().all(|&r| self.point.rows[r][i] == n) {
                let (var, value) = {
                    let v = self.point.vars[i];
                    (self.pool.var(v), number(self.pool, v, n))
                };
                let fact = self.pool.eq(var, value);
                self.add(guard, fact);
            }
        }
        if rows.len() > 1 {
            self.equations(guard, rows);
            self.powers(guard, rows);
            self.comparisons(guard, rows, first);
        }
    }

    fn equations(&mut self, guard: Option<Term>, rows: &[usize]) {
        let widths: BTreeSet<u32> = (0..self.point.vars.len())
            .filter(|&i| self.is_vector(i))
            .map(|i| width(self.pool, self.point.vars[i]))
            .collect();
        for w in widths {
            // What comes last is what is asked about.
            let mut of_width: Vec<usize> = (0..self.point.vars.len())
                .filter(|&i| self.is_vector(i) && width(self.pool, self.point.vars[i]) == w)
                .collect();
            let surplus = of_width.len().saturating_sub(MAX_SPACE);
            of_width.drain(..surplus);
            if of_width.len() < 2 || rows.len() < of_width.len() {
                continue;
            }
            let at = |r: usize| of_width.iter().map(|&i| self.point.rows[r][i]).collect();
            let vars = of_width.iter().map(|&i| vec![self.point.vars[i]]).collect();
            let start: Vec<u64> = at(rows[0]);
            let mut space = Space::point(w, vars, &start);
            for &r in &rows[1..] {
                let point: Vec<u64> = at(r);
                space.join(&point);
            }
            for fact in space.equations(self.pool, |pool, v| pool.var(v)) {
                self.add(guard, fact);
            }
        }
    }

    /// Equations between an outcome, what was given, and powers of two with exponents that were given: what doubles with every
    /// activation.
    fn powers(&mut self, guard: Option<Term>, rows: &[usize]) {
        let point = self.point;
        for outcome in (point.given..point.vars.len())
            .filter(|&i| self.is_vector(i))
            .collect::<Vec<_>>()
        {
            let w = width(self.pool, point.vars[outcome]);
            let power = |n: u64| match n < u64::from(w) {
                true => 1u64 << n,
                false => 0,
            };
            let varies = |of: &dyn Fn(usize) -> u64| rows.iter().any(|&r| of(r) != of(rows[0]));
            let given: Vec<usize> = (0..point.given)
                .filter(|&i| self.same_width(outcome, i) && varies(&|r| point.rows[r][i]))
                .take(MAX_POWERS)
                .collect();
            let raised: Vec<usize> = (given.iter().copied())
                .filter(|&i| varies(&|r| power(point.rows[r][i])))
                .collect();
            let columns = given.len() + raised.len() + 1;
            // A few more rows than unknowns, lest anything fits.
            if raised.is_empty() || rows.len() < columns + 3 {
                continue;
            }
            let at = |r: usize| -> Vec<u64> {
                let row = &point.rows[r];
                let plain = given.iter().map(|&i| row[i]);
                let plain = plain.chain(raised.iter().map(|&i| power(row[i])));
                plain.chain([row[outcome]]).collect()
            };
            let mut terms: Vec<Term> = Vec::with_capacity(columns);
            terms.extend(given.iter().map(|&i| self.pool.var(point.vars[i])));
            for &i in &raised {
                let (one, by) = (self.pool.num(w, 1), self.pool.var(point.vars[i]));
                terms.push(self.pool.make(Op::BvShl, &[one, by]));
            }
            terms.push(self.pool.var(point.vars[outcome]));
            // Columns go by their numbers.
            let names = (0..columns as u32).map(|i| vec![Var::from_u32(i)]);
            let mut space = Space::point(w, names.collect(), &at(rows[0]));
            for &r in &rows[1..] {
                space.join(&at(r));
            }
            for fact in space.equations(self.pool, |_, v| terms[v.as_u32() as usize]) {
                let parts = self.pool.post_order([fact]);
                let is_raised = parts.iter().any(|&t| self.pool.op(t) == Op::BvShl);
                if is_raised && parts.contains(&terms[columns - 1]) {
                    self.add(guard, fact);
                }
            }
        }
    }

    fn comparisons(&mut self, guard: Option<Term>, rows: &[usize], first: usize) {
        let point = self.point;
        for a in (first..point.vars.len())
            .filter(|&a| self.is_vector(a))
            .collect::<Vec<_>>()
        {
            let w = width(self.pool, point.vars[a]);
            let known = self.numbers.get(&w).cloned().unwrap_or_else(|| vec![0, 1]);
            let few = if guard.is_some() { 3 } else { known.len() };
            let mut sides: Vec<Side> = known.into_iter().take(few).map(Side::Number).collect();
            sides.extend((0..a).filter(|&b| self.same_width(a, b)).map(Side::Var));
            for b in sides {
                for (op, negated) in [
                    (Op::BvSlt, false),
                    (Op::BvSle, false),
                    (Op::BvSlt, true),
                    (Op::BvSle, true),
                    (Op::BvUle, false),
                    (Op::BvUlt, true),
                    (Op::Eq, true),
                ] {
                    let c = Comparison { op, negated, a, b };
                    if rows.iter().all(|&r| c.holds(point, r, self.pool)) {
                        let fact = c.term(point, self.pool);
                        self.add(guard, fact);
                    }
                }
            }
        }
    }

    /// Conditions on what was given.
    fn guards(&self) -> Vec<Comparison> {
        let mut guards = Vec::new();
        let mut both = |op, a, b| {
            guards.extend([false, true].map(|negated| Comparison { op, negated, a, b }));
        };
        for a in (0..self.point.given).filter(|&a| self.is_vector(a)) {
            let w = width(self.pool, self.point.vars[a]);
            let known = self.numbers.get(&w).into_iter().flatten().take(8);
            let known: Vec<u64> = known.copied().collect();
            for &n in &known {
                both(Op::BvSle, a, Side::Number(n));
                both(Op::Eq, a, Side::Number(n));
            }
            let values: BTreeSet<u64> = self.point.rows.iter().map(|r| r[a]).collect();
            if values.len() <= FEW_VALUES {
                let further = values.into_iter().filter(|n| !known.contains(n));
                further.for_each(|n| both(Op::Eq, a, Side::Number(n)));
            }
            for b in (0..a).filter(|&b| self.same_width(a, b)) {
                both(Op::BvSle, a, Side::Var(b));
            }
        }
        guards
    }

    /// What each of a few given values led to; at an entry, that it is one of a few.
    fn tabulate(&mut self) {
        let (point, n) = (self.point, self.point.given);
        let key = |row: &[u64]| {
            if n == 0 {
                row.to_vec()
            } else {
                row[..n].to_vec()
            }
        };
        let keys: BTreeSet<Vec<u64>> = point.rows.iter().map(|r| key(r)).collect();
        if keys.len() > MAX_TABLE || keys.len() < 2 {
            return;
        }
        let mut any = Vec::new();
        for key_row in keys {
            let mut parts = Vec::new();
            for (i, &x) in key_row.iter().enumerate() {
                let v = point.vars[i];
                let (var, value) = (self.pool.var(v), number(self.pool, v, x));
                parts.push(self.pool.eq(var, value));
            }
            let is_key = self.pool.and_all(parts);
            any.push(is_key);
            if n > 0 {
                let rows: Vec<usize> = (0..point.rows.len())
                    .filter(|&r| point.rows[r][..n] == key_row[..])
                    .collect();
                self.describe(Some(is_key), &rows);
            }
        }
        let fact = self.pool.or_all(any);
        self.add(None, fact);
    }
}
