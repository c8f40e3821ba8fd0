//! Which cells: what counters say.

use crate::shape::Counter;
use rustc_hash::FxHashMap;
use trellis_ivl::{Op, Term, TermPool};

impl Counter {
    fn at_most(&self, pool: &mut TermPool, a: Term, b: Term) -> Term {
        match self.signed {
            true => pool.bvsle(a, b),
            false => pool.bvule(a, b),
        }
    }

    fn below(&self, pool: &mut TermPool, a: Term, b: Term) -> Term {
        match self.signed {
            true => pool.bvslt(a, b),
            false => pool.bvult(a, b),
        }
    }

    /// The cells that are passed, those before the end, and those that are left. `beside` are further ends.
    pub(super) fn guards(&self, pool: &mut TermPool, ghost: Term, beside: &[Term]) -> Vec<Term> {
        let own = pool.var(self.var);
        let mut guards = Vec::new();
        let mut ends = self.ends(pool, ghost);
        ends.extend(beside);
        for &start in &self.starts {
            let passed = match (self.up, self.signed) {
                (true, false) => {
                    let (a, b) = (pool.bvsub(ghost, start), pool.bvsub(own, start));
                    pool.bvult(a, b)
                }
                (false, false) => {
                    let (a, b) = (pool.bvsub(start, ghost), pool.bvsub(start, own));
                    pool.bvult(a, b)
                }
                (up, true) => {
                    let (low, high) = if up { (start, own) } else { (own, start) };
                    let a = match up {
                        true => self.at_most(pool, low, ghost),
                        false => self.below(pool, low, ghost),
                    };
                    let b = match up {
                        true => self.below(pool, ghost, high),
                        false => self.at_most(pool, ghost, high),
                    };
                    pool.and(a, b)
                }
            };
            let on_the_way = match self.up {
                true => self.at_most(pool, start, ghost),
                false => self.at_most(pool, ghost, start),
            };
            let mut from_start = vec![passed];
            for &end in &ends {
                from_start.push(pool.and(on_the_way, end));
            }
            for g in from_start {
                guards.push(self.in_step(pool, ghost, start, g));
            }
        }
        let left = match self.up {
            true => self.at_most(pool, own, ghost),
            false => self.at_most(pool, ghost, own),
        };
        guards.push(left);
        for end in ends {
            guards.push(pool.and(left, end));
        }
        guards
    }

    /// The counter's own conditions, of the ghost.
    fn ends(&self, pool: &mut TermPool, ghost: Term) -> Vec<Term> {
        let own = pool.var(self.var);
        let map = FxHashMap::from_iter([(self.var, ghost)]);
        let mut ends = Vec::new();
        for &c in &self.conditions {
            let inner = pool.op(c) == Op::Not && pool.op(pool.arg(c, 0)) == Op::Eq;
            if !inner {
                ends.push(pool.substitute(c, &map));
                continue;
            }
            // A loop that runs while i != n ends at n.
            let equal = pool.arg(c, 0);
            let (a, b) = (pool.arg(equal, 0), pool.arg(equal, 1));
            let end = if a == own { b } else { a };
            if (a == own || b == own) && pool.ty(end) == pool.ty(ghost) {
                ends.push(match self.up {
                    true => self.below(pool, ghost, end),
                    false => self.below(pool, end, ghost),
                });
            }
        }
        ends
    }

    /// Cells at multiples of the step only.
    fn in_step(&self, pool: &mut TermPool, ghost: Term, start: Term, guard: Term) -> Term {
        if self.stride < 2 {
            return guard;
        }
        let width = pool.width(ghost);
        let stride = pool.num(width, self.stride);
        let zero = pool.num(width, 0);
        let distance = pool.bvsub(ghost, start);
        let rest = pool.make(Op::BvUrem, &[distance, stride]);
        let multiple = pool.eq(rest, zero);
        pool.and(guard, multiple)
    }

    /// That both counters have made the same number of steps.
    pub(super) fn in_lockstep(&self, pool: &mut TermPool, other: &Counter) -> Option<Term> {
        let (&start, &others) = (self.starts.first()?, other.starts.first()?);
        let mut passed = |c: &Counter, start: Term| {
            let own = pool.var(c.var);
            match c.up {
                true => pool.bvsub(own, start),
                false => pool.bvsub(start, own),
            }
        };
        let (a, b) = (passed(self, start), passed(other, others));
        let width = pool.width(a).max(pool.width(b));
        let (a, b) = (pool.zext(width, a), pool.zext(width, b));
        if self.stride == other.stride {
            return Some(pool.eq(a, b));
        }
        let (x, y) = (pool.num(width, other.stride), pool.num(width, self.stride));
        let (a, b) = (pool.bvmul(a, x), pool.bvmul(b, y));
        Some(pool.eq(a, b))
    }

    /// Which of both is ahead, where they move together: the faster one, whose bounds are then those of the slower one as well.
    pub(super) fn ahead(&self, pool: &mut TermPool, other: &Counter) -> Vec<Term> {
        let (own, others) = (pool.var(self.var), pool.var(other.var));
        if pool.ty(own) != pool.ty(others) || self.up != other.up || self.strides == other.strides {
            return Vec::new();
        }
        vec![pool.bvsle(own, others), pool.bvsle(others, own)]
    }

    /// The values that this counter may have when another one, which takes steps of one beside it, is at `at`.
    pub(super) fn beside(&self, pool: &mut TermPool, other: &Counter, at: Term) -> Vec<Term> {
        let mut values = Vec::new();
        for &start in &self.starts[..self.own_starts] {
            for &others in &other.starts[..other.own_starts] {
                if other.stride != 1 || pool.ty(start) != pool.ty(others) {
                    continue;
                }
                let steps = match other.up {
                    true => pool.bvsub(at, others),
                    false => pool.bvsub(others, at),
                };
                for &stride in &self.strides {
                    let stride = pool.num(pool.width(start), stride);
                    let way = pool.bvmul(steps, stride);
                    let value = match self.up {
                        true => pool.bvadd(start, way),
                        false => pool.bvsub(start, way),
                    };
                    if !values.contains(&value) {
                        values.push(value);
                    }
                }
            }
        }
        values
    }

    /// The conditions of this counter where another one is at the ghost.
    pub(super) fn ends_beside(
        &self,
        pool: &mut TermPool,
        other: &Counter,
        ghost: Term,
    ) -> Vec<Term> {
        let mut ends = Vec::new();
        for value in self.beside(pool, other, ghost) {
            let map = FxHashMap::from_iter([(self.var, value)]);
            // So far away that this counter has come round again is no way.
            let zero = pool.num(pool.width(ghost), 0);
            let (from, way) = (
                self.at_most(pool, zero, ghost),
                self.at_most(pool, ghost, value),
            );
            for &c in &self.conditions {
                let end = pool.substitute(c, &map);
                ends.push(pool.and_all([from, way, end]));
            }
        }
        ends
    }

    /// What holds of the counter itself.
    pub(super) fn bounds(&self, pool: &mut TermPool) -> Vec<Term> {
        let own = pool.var(self.var);
        let mut rows = Vec::new();
        for &start in &self.starts {
            // Also those of a counter that is compared with nothing, and so has no sign.
            let (low, high) = if self.up { (start, own) } else { (own, start) };
            rows.extend([pool.bvsle(low, high), pool.bvule(low, high)]);
            if self.stride > 1 {
                let tru = pool.tru();
                rows.push(self.in_step(pool, own, start, tru));
            }
        }
        rows
    }
}
