//! The domain of floats: an interval per variable that is a float.
//!
//! To the program a float is a word. [`FloatTerms`] says which words are floats and which terms operate on them; comparisons come as the
//! atoms that they consist of ([`trellis_ivl_float::shape`]).

use crate::condition;
use crate::interval::Interval;
use crate::state::AbstractState;
use std::collections::BTreeMap;
use std::rc::Rc;
use trellis_ivl::{Bv, Op, Term, TermPool, Var};
use trellis_ivl_float::recognise::{Application, Operand, Operation};
use trellis_ivl_float::shape::{self, Atom};
use trellis_ivl_float::terms::{FloatTerms, bound, infinity_key, key};
use trellis_ivl_float::{Floats as Terms, Format};

/// How deeply choices in a value are followed, each under its condition.
const DEPTH: u32 = 4;

/// What is known of each float; a variable that is not listed may be any.
#[derive(Clone, Debug, Default)]
pub struct Floats {
    terms: Rc<FloatTerms>,
    stops: Rc<BTreeMap<Format, Vec<i128>>>,
    values: BTreeMap<Var, Interval>,
    /// What conditions say of other terms, until the next update.
    assumed: BTreeMap<Term, Interval>,
}

/// States of one analysis differ in their values alone.
impl PartialEq for Floats {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values
    }
}

impl Floats {
    /// Nothing known of the floats of a program.
    pub fn new(terms: FloatTerms) -> Floats {
        let mut stops: BTreeMap<Format, Vec<i128>> = BTreeMap::new();
        for format in terms.variables.values() {
            let largest = infinity_key(*format) - 1;
            stops.insert(*format, vec![-largest, 0, largest]);
        }
        for (format, c) in &terms.constants {
            if let Some(k) = key(*format, c) {
                // Both signs: what is compared with a bound is often kept within it on both sides.
                stops.entry(*format).or_default().extend([k, -k]);
            }
        }
        for list in stops.values_mut() {
            list.sort_unstable();
            list.dedup();
        }
        Floats {
            terms: Rc::new(terms),
            stops: Rc::new(stops),
            values: BTreeMap::new(),
            assumed: BTreeMap::new(),
        }
    }

    fn eval(&self, pool: &mut TermPool, format: Format, t: Term, depth: u32) -> Interval {
        if let Some(c) = pool.as_bv(t) {
            return Interval::constant(format, &c);
        }
        if let Some(v) = pool.as_var(t) {
            let known = self.values.get(&v).filter(|i| i.format == format);
            return known.copied().unwrap_or(Interval::top(format));
        }
        let terms = self.terms.clone();
        let found = match terms.applications.get(&t) {
            Some(application) => self.result(pool, application, depth),
            None if pool.op(t) == Op::Ite && depth > 0 => self.choice(pool, format, t, depth - 1),
            None => Interval::top(format),
        };
        // A contradiction is left to whoever asks next.
        let assumed = self.assumed.get(&t).filter(|a| a.format == format);
        assumed.and_then(|a| found.meet(a)).unwrap_or(found)
    }

    fn choice(&self, pool: &mut TermPool, format: Format, t: Term, depth: u32) -> Interval {
        let (c, a, b) = (pool.arg(t, 0), pool.arg(t, 1), pool.arg(t, 2));
        let mut joined: Option<Interval> = None;
        for (value, branch) in [(true, a), (false, b)] {
            let mut here = self.clone();
            if condition::assume(&mut here, pool, c, value) {
                let found = here.eval(pool, format, branch, depth);
                joined = Some(joined.map_or(found, |j| j.join(&found)));
            }
        }
        joined.unwrap_or(Interval::top(format))
    }

    fn result(&self, pool: &mut TermPool, a: &Application, depth: u32) -> Interval {
        let from = match a.operation {
            Operation::Convert(from) => from,
            Operation::FromSigned | Operation::FromUnsigned => {
                return of_integer(pool, a);
            }
            _ => a.format,
        };
        let args: Vec<Interval> = a
            .operands
            .iter()
            .map(|operand| match operand {
                Operand::Term(t) => self.eval(pool, from, *t, depth),
                Operand::Constant(c) => Interval::constant(from, c),
                Operand::Result(inner) => self.result(pool, inner, depth),
            })
            .collect();
        Interval::apply(pool, a.operation, a.format, &args)
    }

    /// Restricts `t` to what is in `to`; false where there is none.
    fn refine(&mut self, pool: &mut TermPool, t: Term, to: &Interval) -> bool {
        if let Some(v) = pool.as_var(t) {
            let format = to.format;
            if pool.width(t) != format.width() {
                return true;
            }
            let now = self.eval(pool, format, t, 0);
            return match now.meet(to) {
                Some(met) => {
                    self.values.insert(v, met);
                    true
                }
                None => false,
            };
        }
        if !pool.is_const(t) {
            let now = self.assumed.get(&t).filter(|a| a.format == to.format);
            match now.map_or(Some(*to), |a| a.meet(to)) {
                Some(met) => self.assumed.insert(t, met),
                None => return false,
            };
        }
        let terms = self.terms.clone();
        match terms.applications.get(&t) {
            Some(a) => match (a.operation, &a.operands[..]) {
                (Operation::Neg, [Operand::Term(x)]) => self.refine(pool, *x, &to.neg()),
                (Operation::Abs, [Operand::Term(x)]) => {
                    let high = to.high.max(0);
                    let both = Interval {
                        low: -high,
                        high,
                        ..*to
                    };
                    to.high >= 0 && self.refine(pool, *x, &both)
                }
                _ => true,
            },
            None => true,
        }
    }

    /// Restricts `x` to numbers between two places; NaNs stay.
    fn clip(
        &mut self,
        pool: &mut TermPool,
        format: Format,
        x: Term,
        low: i128,
        high: i128,
    ) -> bool {
        let now = self.eval(pool, format, x, DEPTH);
        match now.within(low, high) {
            Some(cut) => self.refine(pool, x, &cut),
            None => false,
        }
    }

    /// Applies an atom that comparisons consist of.
    fn atom(&mut self, pool: &mut TermPool, format: Format, atom: Atom, value: bool) -> bool {
        let end = infinity_key(format);
        match (atom, value) {
            (Atom::Nan(x), false) => {
                let now = self.eval(pool, format, x, DEPTH);
                let numbers = Interval { nan: false, ..now };
                numbers.has_numbers() && self.refine(pool, x, &numbers)
            }
            (Atom::Nan(x), true) => {
                let now = self.eval(pool, format, x, DEPTH);
                let (low, high) = (1, 0);
                now.nan && self.refine(pool, x, &Interval { low, high, ..now })
            }
            (Atom::Negative(x), true) => self.clip(pool, format, x, -end, 0),
            (Atom::Negative(x), false) => self.clip(pool, format, x, 0, end),
            (Atom::Special(x), false) => {
                let now = self.eval(pool, format, x, DEPTH);
                let numbers = Interval { nan: false, ..now };
                match numbers.within(1 - end, end - 1) {
                    Some(finite) => self.refine(pool, x, &finite),
                    None => false,
                }
            }
            (Atom::Special(x), true) => {
                let now = self.eval(pool, format, x, DEPTH);
                now.nan || now.high >= end || now.low <= -end
            }
            (Atom::Tiny(x), true) => {
                let subnormal = (1i128 << format.fraction_bits()) - 1;
                let now = self.eval(pool, format, x, DEPTH);
                let numbers = Interval { nan: false, ..now };
                match numbers.within(-subnormal, subnormal) {
                    Some(tiny) => self.refine(pool, x, &tiny),
                    None => false,
                }
            }
            (Atom::Whole(x), true) => {
                let now = self.eval(pool, format, x, DEPTH);
                let normal = 1i128 << format.fraction_bits();
                if !now.nan && now.high < normal && now.low > -normal {
                    return self.clip(pool, format, x, 0, 0);
                }
                true
            }
            (Atom::Tiny(_) | Atom::Whole(_), false) => true,
            (Atom::Less(a, b), true) => self.less(pool, format, a, b, true),
            (Atom::Less(a, b), false) => self.less(pool, format, b, a, false),
        }
    }

    fn less(
        &mut self,
        pool: &mut TermPool,
        format: Format,
        a: Term,
        b: Term,
        strict: bool,
    ) -> bool {
        let (x, y) = (
            self.eval(pool, format, a, DEPTH),
            self.eval(pool, format, b, DEPTH),
        );
        if x.nan || y.nan || !x.has_numbers() || !y.has_numbers() {
            return true;
        }
        // Zeros of both signs have one place, so between them strict is not.
        let high = y.high - i128::from(strict && y.high != 0);
        let low = x.low + i128::from(strict && x.low != 0);
        let end = infinity_key(format);
        self.clip(pool, format, a, -end, high) && self.clip(pool, format, b, low, end)
    }

    /// A comparison of patterns with a constant: `x` is below `c` as a signed word, or at most `c`; or above it.
    fn against(&mut self, pool: &mut TermPool, x: Term, c: &Bv, below: bool, strict: bool) -> bool {
        let Some(format) = self.terms.format(pool, x) else {
            return true;
        };
        let Some(place) = key(format, c) else {
            return true;
        };
        let now = self.eval(pool, format, x, DEPTH);
        let end = infinity_key(format);
        let step = i128::from(strict);
        // Negative patterns ascend as their numbers descend.
        let (negative, positive) = match (c.is_negative(), below) {
            (false, true) => (Some((-end, 0)), Some((0, place - step))),
            (false, false) => (None, Some((place + step, end))),
            (true, true) => (Some((place + step, 0)), None),
            (true, false) => (Some((-end, place - step)), Some((0, end))),
        };
        let halves = [
            (now.within(-end, 0), negative),
            (now.within(0, end), positive),
        ];
        let mut joined: Option<Interval> = None;
        for (half, range) in halves {
            let (Some(half), Some((low, high))) = (half, range) else {
                continue;
            };
            if let Some(cut) = half.within(low, high) {
                joined = Some(joined.map_or(cut, |j| j.join(&cut)));
            }
        }
        match (joined, now.nan) {
            (Some(joined), _) => self.refine(pool, x, &joined),
            (None, true) => true,
            (None, false) => false,
        }
    }

    fn equal(&mut self, pool: &mut TermPool, a: Term, b: Term) -> bool {
        let of_a = self.terms.format(pool, a);
        let Some(format) = of_a.or_else(|| self.terms.format(pool, b)) else {
            return true;
        };
        let (x, y) = (
            self.eval(pool, format, a, DEPTH),
            self.eval(pool, format, b, DEPTH),
        );
        match x.meet(&y) {
            Some(met) => self.refine(pool, a, &met) && self.refine(pool, b, &met),
            None => false,
        }
    }
}

/// Keeps what both know, as far as they agree.
fn join<K: Ord>(into: &mut BTreeMap<K, Interval>, other: &BTreeMap<K, Interval>) {
    into.retain(|k, i| {
        let Some(j) = other.get(k) else {
            return false;
        };
        *i = i.join(j);
        !i.is_top()
    });
}

/// The floats of all integers that a term may be, by its width.
fn of_integer(pool: &mut TermPool, a: &Application) -> Interval {
    let [operand] = &a.operands[..] else {
        return Interval::top(a.format);
    };
    let signed = a.operation == Operation::FromSigned;
    let ends = match operand {
        Operand::Constant(c) => (c.clone(), c.clone()),
        Operand::Result(_) => return Interval::top(a.format),
        Operand::Term(t) => {
            let w = pool.width(*t);
            let op = pool.op(*t);
            match op {
                Op::ZeroExt => {
                    let inner = pool.width(pool.arg(*t, 0));
                    (Bv::new(w, 0), Bv::ones(inner).zext(w))
                }
                Op::SignExt if signed => {
                    let inner = pool.width(pool.arg(*t, 0));
                    let least = Bv::min_signed(inner);
                    (least.sext(w), least.not().sext(w))
                }
                _ if signed => (Bv::min_signed(w), Bv::min_signed(w).not()),
                _ => (Bv::new(w, 0), Bv::ones(w)),
            }
        }
    };
    Interval::of_integers(pool, a.operation, a.format, ends)
}

impl AbstractState for Floats {
    fn assume_atom(&mut self, pool: &mut TermPool, cond: Term, value: bool) -> bool {
        if self.terms.variables.is_empty() {
            return true;
        }
        if let Some((format, atom)) = shape::atom(pool, cond) {
            return self.atom(pool, format, atom, value);
        }
        let op = pool.op(cond);
        match op {
            Op::Eq if value => self.equal(pool, pool.arg(cond, 0), pool.arg(cond, 1)),
            Op::BvSlt | Op::BvSle => {
                let (a, b) = (pool.arg(cond, 0), pool.arg(cond, 1));
                let strict = (op == Op::BvSlt) == value;
                // What is not below is at least.
                if let Some(c) = pool.as_bv(b) {
                    self.against(pool, a, &c, value, strict)
                } else if let Some(c) = pool.as_bv(a) {
                    self.against(pool, b, &c, !value, strict)
                } else {
                    true
                }
            }
            _ => true,
        }
    }

    fn update(
        &self,
        pool: &mut TermPool,
        updates: &dyn Fn(Var) -> Option<Term>,
        live: &[Var],
    ) -> Self {
        let mut next = self.clone();
        next.values.clear();
        next.assumed.clear();
        for v in live {
            let Some(&format) = self.terms.variables.get(v) else {
                continue;
            };
            let value = match updates(*v) {
                Some(t) => self.eval(pool, format, t, DEPTH),
                None => match self.values.get(v) {
                    Some(known) => *known,
                    None => continue,
                },
            };
            if !value.is_top() {
                next.values.insert(*v, value);
            }
        }
        next
    }

    fn join(&mut self, _: &TermPool, other: &Self) {
        join(&mut self.values, &other.values);
        join(&mut self.assumed, &other.assumed);
    }

    fn widen(&mut self, _: &TermPool, newer: &Self, thresholds: &[u64]) {
        let stops = self.stops.clone();
        self.values.retain(|v, i| {
            let Some(j) = newer.values.get(v) else {
                return false;
            };
            // Without thresholds nothing is to stop it.
            let own = stops.get(&i.format).filter(|_| !thresholds.is_empty());
            *i = i.widen(j, own.map_or(&[], Vec::as_slice));
            !i.is_top()
        });
    }

    fn facts(&self, pool: &mut TermPool) -> Vec<Term> {
        let mut facts = Vec::new();
        for (&v, i) in &self.values {
            let x = pool.var(v);
            let end = infinity_key(i.format);
            let nan = Terms::new(pool).is_nan(i.format, x);
            if !i.has_numbers() {
                facts.push(nan);
                continue;
            }
            if !i.nan {
                facts.push(pool.not(nan));
            }
            if i.low > -end {
                facts.push(bound(pool, i.format, x, (i.low, false), i.nan));
            }
            if i.high < end {
                facts.push(bound(pool, i.format, x, (i.high, true), i.nan));
            }
        }
        facts
    }
}
