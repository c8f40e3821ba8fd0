//! Comparisons and overflow predicates.

use crate::bv::Bv;
use crate::entity::Term;
use crate::op::Op;
use crate::pool::TermPool;

impl TermPool {
    /// Unsigned less-than.
    pub fn bvult(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return rule!(self, "ult-same", self.fls());
        }
        if let Some(k) = self.as_bv(b) {
            if k.is_zero() {
                return rule!(self, "ult-zero", self.fls());
            }
            if k.is_one() {
                let zero = self.num(k.width(), 0);
                return rule!(self, "ult-one", self.eq(a, zero));
            }
            if k.is_ones() {
                return rule!(self, "ult-ones", self.ne(a, b));
            }
        }
        if let Some(k) = self.as_bv(a) {
            if k.is_zero() {
                return rule!(self, "zero-ult", self.ne(b, a));
            }
            if k.is_ones() {
                return rule!(self, "ones-ult", self.fls());
            }
        }
        self.folded(Op::BvUlt, a, b)
    }

    /// Unsigned at-most.
    pub fn bvule(&mut self, a: Term, b: Term) -> Term {
        let gt = self.bvult(b, a);
        rule!(self, "ule", self.not(gt))
    }

    /// Signed less-than.
    pub fn bvslt(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return rule!(self, "slt-same", self.fls());
        }
        let w = self.width(a);
        let (min, max) = (Bv::min_signed(w), Bv::min_signed(w).not());
        if let Some(k) = self.as_bv(b) {
            if k == min {
                return rule!(self, "slt-smallest", self.fls());
            }
            if k == max {
                return rule!(self, "slt-largest", self.ne(a, b));
            }
        }
        if let Some(k) = self.as_bv(a) {
            if k == max {
                return rule!(self, "largest-slt", self.fls());
            }
            if k == min {
                return rule!(self, "smallest-slt", self.ne(a, b));
            }
        }
        self.folded(Op::BvSlt, a, b)
    }

    /// Signed at-most.
    pub fn bvsle(&mut self, a: Term, b: Term) -> Term {
        let gt = self.bvslt(b, a);
        rule!(self, "sle", self.not(gt))
    }

    /// One of the six overflow predicates.
    pub fn overflow(&mut self, op: Op, a: Term, b: Term) -> Term {
        if let Some(k) = self.as_bv(b) {
            let harmless = match op {
                Op::BvUaddo | Op::BvSaddo | Op::BvUsubo | Op::BvSsubo => k.is_zero(),
                Op::BvUmulo => k.is_zero() || k.is_one(),
                // In one bit, 1 is the number -1 and (-1) * (-1) overflows.
                Op::BvSmulo => k.is_zero() || (k.is_one() && k.width() > 1),
                _ => false,
            };
            if harmless {
                return rule!(self, "overflow-never", self.fls());
            }
        }
        self.folded(op, a, b)
    }

    /// Negation overflows: the argument is the smallest signed number.
    pub fn bvnego(&mut self, a: Term) -> Term {
        let min = self.bv(Bv::min_signed(self.width(a)));
        self.eq(a, min)
    }

    /// Signed division overflows: smallest number by minus one.
    pub fn bvsdivo(&mut self, a: Term, b: Term) -> Term {
        let w = self.width(a);
        let minus_one = self.bv(Bv::ones(w));
        let (x, y) = (self.bvnego(a), self.eq(b, minus_one));
        self.and(x, y)
    }
}
