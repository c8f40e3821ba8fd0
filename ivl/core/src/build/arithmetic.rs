//! Bitwise operations, arithmetic, shifts.

use crate::bv::Bv;
use crate::entity::Term;
use crate::op::Op;
use crate::pool::TermPool;

impl TermPool {
    /// Bitwise complement.
    pub fn bvnot(&mut self, a: Term) -> Term {
        if let Some(v) = self.as_bv(a) {
            return rule!(self, "bvnot-constant", self.bv(v.not()));
        }
        if self.op(a) == Op::BvNot {
            return rule!(self, "bvnot-bvnot", self.arg(a, 0));
        }
        self.intern(Op::BvNot, &[a])
    }

    /// Negation.
    pub fn bvneg(&mut self, a: Term) -> Term {
        if let Some(v) = self.as_bv(a) {
            return rule!(self, "neg-constant", self.bv(v.neg()));
        }
        match self.op(a) {
            Op::BvNeg => rule!(self, "neg-neg", self.arg(a, 0)),
            Op::BvSub => rule!(self, "neg-sub", self.bvsub(self.arg(a, 1), self.arg(a, 0))),
            _ => self.intern(Op::BvNeg, &[a]),
        }
    }

    /// Bitwise and.
    pub fn bvand(&mut self, a: Term, b: Term) -> Term {
        if let Some(t) = self.bit_lattice(Op::BvAnd, a, b) {
            return t;
        }
        self.folded(Op::BvAnd, a, b)
    }

    /// Bitwise or.
    pub fn bvor(&mut self, a: Term, b: Term) -> Term {
        if let Some(t) = self.bit_lattice(Op::BvOr, a, b) {
            return t;
        }
        self.folded(Op::BvOr, a, b)
    }

    fn bit_lattice(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let (a, b) = self.ordered(a, b);
        let is_and = op == Op::BvAnd;
        if a == b {
            return Some(rule!(self, "bits-same", a));
        }
        if let Some(k) = self.as_bv(b) {
            let (absorbs, neutral) = if is_and {
                (k.is_zero(), k.is_ones())
            } else {
                (k.is_ones(), k.is_zero())
            };
            if absorbs {
                return Some(rule!(self, "bits-absorbing", b));
            }
            if neutral {
                return Some(rule!(self, "bits-neutral", a));
            }
        }
        let opposite = |x: Term, y: Term| self.op(x) == Op::BvNot && self.arg(x, 0) == y;
        if opposite(a, b) || opposite(b, a) {
            let w = self.width(a);
            let k = if is_and { Bv::zero(w) } else { Bv::ones(w) };
            return Some(rule!(self, "bits-opposite", self.bv(k)));
        }
        None
    }

    /// Bitwise exclusive or.
    pub fn bvxor(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        if a == b {
            let w = self.width(a);
            return rule!(self, "xor-same", self.num(w, 0));
        }
        if let Some(k) = self.as_bv(b)
            && !self.is_const(a)
        {
            if k.is_zero() {
                return rule!(self, "xor-zero", a);
            }
            if k.is_ones() {
                return rule!(self, "xor-ones", self.bvnot(a));
            }
        }
        self.folded(Op::BvXor, a, b)
    }

    /// `a` as `x + k` with constant `k`, when it has that shape.
    pub fn offset(&self, a: Term) -> Option<(Term, Bv)> {
        (self.op(a) == Op::BvAdd)
            .then(|| Some((self.arg(a, 0), self.as_bv(self.arg(a, 1))?)))
            .flatten()
    }

    /// Addition. Constants collect in the outermost right argument.
    pub fn bvadd(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        if let Some(k) = self.as_bv(b) {
            return self.add_constant(a, k);
        }
        let ((x, j), (y, k)) = (self.without_offset(a), self.without_offset(b));
        if (x, y) == (a, b) {
            return self.sum(a, b);
        }
        let (x, y) = self.ordered(x, y);
        let sum = self.sum(x, y);
        rule!(self, "add-offsets", self.add_constant(sum, j.add(&k)))
    }

    /// `a + k`; collects the constants of a chain.
    fn add_constant(&mut self, a: Term, k: Bv) -> Term {
        let (x, d) = self.without_offset(a);
        let k = k.add(&d);
        if let Some(x) = self.as_bv(x) {
            return rule!(self, "add-constants", self.bv(x.add(&k)));
        }
        if k.is_zero() {
            return rule!(self, "add-zero", x);
        }
        let k = self.bv(k);
        let sum = self.intern(Op::BvAdd, &[x, k]);
        if x == a {
            return sum;
        }
        rule!(self, "add-chain", sum)
    }

    /// The sum of two ordered terms, neither of which carries a constant.
    fn sum(&mut self, a: Term, b: Term) -> Term {
        for (x, y) in [(a, b), (b, a)] {
            if self.op(y) == Op::BvNeg {
                let (y, negative) = self.sign(y);
                return if negative {
                    rule!(self, "add-negative", self.bvsub(x, y))
                } else {
                    rule!(self, "add-positive", self.bvadd(x, y))
                };
            }
            if self.op(y) == Op::BvSub && self.arg(y, 1) == x {
                return rule!(self, "add-cancels", self.arg(y, 0));
            }
        }
        self.folded(Op::BvAdd, a, b)
    }

    /// Subtraction. Subtracting a constant is adding its negation.
    pub fn bvsub(&mut self, a: Term, b: Term) -> Term {
        if let Some(k) = self.as_bv(b) {
            return rule!(self, "sub-constant", self.add_constant(a, k.neg()));
        }
        let ((x, j), (y, k)) = (self.without_offset(a), self.without_offset(b));
        if (x, y) == (a, b) {
            return self.difference(a, b);
        }
        let difference = self.difference(x, y);
        rule!(
            self,
            "sub-offsets",
            self.add_constant(difference, j.sub(&k))
        )
    }

    /// `a` as a term that carries no constant, plus a constant.
    fn without_offset(&self, mut a: Term) -> (Term, Bv) {
        let mut k = Bv::zero(self.width(a));
        while let Some((x, d)) = self.offset(a) {
            k = k.add(&d);
            a = x;
        }
        (a, k)
    }

    /// `a` without the negations around it, and whether their number is odd.
    fn sign(&self, mut a: Term) -> (Term, bool) {
        let mut negative = false;
        while self.op(a) == Op::BvNeg {
            a = self.arg(a, 0);
            negative = !negative;
        }
        (a, negative)
    }

    /// `a - b` for terms that carry no constant.
    fn difference(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            let w = self.width(a);
            return rule!(self, "sub-same", self.num(w, 0));
        }
        if let Some(k) = self.as_bv(b) {
            return rule!(self, "sub-bare-constant", self.add_constant(a, k.neg()));
        }
        if self.as_bv(a).is_some_and(|k| k.is_zero()) {
            return rule!(self, "sub-from-zero", self.bvneg(b));
        }
        if self.op(b) == Op::BvNeg {
            let (b, negative) = self.sign(b);
            return if negative {
                rule!(self, "sub-negative", self.bvadd(a, b))
            } else {
                rule!(self, "sub-positive", self.bvsub(a, b))
            };
        }
        if self.op(a) == Op::BvAdd {
            if self.arg(a, 0) == b {
                return rule!(self, "sub-first-summand", self.arg(a, 1));
            }
            if self.arg(a, 1) == b {
                return rule!(self, "sub-second-summand", self.arg(a, 0));
            }
        }
        self.intern(Op::BvSub, &[a, b])
    }

    /// Multiplication.
    pub fn bvmul(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        if let Some(k) = self.as_bv(b)
            && !self.is_const(a)
        {
            if k.is_zero() {
                return rule!(self, "mul-zero", b);
            }
            if k.is_one() {
                return rule!(self, "mul-one", a);
            }
            if k.is_ones() {
                return rule!(self, "mul-minus-one", self.bvneg(a));
            }
            let (mut x, mut k) = (a, k);
            while self.op(x) == Op::BvMul
                && let Some(j) = self.as_bv(self.arg(x, 1))
            {
                k = k.mul(&j);
                x = self.arg(x, 0);
            }
            if x != a {
                let k = self.bv(k);
                return rule!(self, "mul-chain", self.bvmul(x, k));
            }
        }
        self.folded(Op::BvMul, a, b)
    }

    /// Division and remainder.
    pub(super) fn division(&mut self, op: Op, a: Term, b: Term) -> Term {
        if let Some(k) = self.as_bv(b)
            && k.is_one()
            && k.width() > 1
        {
            return match op {
                Op::BvUdiv | Op::BvSdiv => rule!(self, "divide-by-one", a),
                _ => rule!(self, "remainder-by-one", self.num(k.width(), 0)),
            };
        }
        self.folded(op, a, b)
    }

    /// Unsigned division.
    pub fn bvudiv(&mut self, a: Term, b: Term) -> Term {
        self.division(Op::BvUdiv, a, b)
    }

    /// Unsigned remainder.
    pub fn bvurem(&mut self, a: Term, b: Term) -> Term {
        self.division(Op::BvUrem, a, b)
    }

    /// Signed division.
    pub fn bvsdiv(&mut self, a: Term, b: Term) -> Term {
        self.division(Op::BvSdiv, a, b)
    }

    /// Signed remainder, sign of the dividend.
    pub fn bvsrem(&mut self, a: Term, b: Term) -> Term {
        self.division(Op::BvSrem, a, b)
    }

    /// Signed remainder, sign of the divisor.
    pub fn bvsmod(&mut self, a: Term, b: Term) -> Term {
        self.division(Op::BvSmod, a, b)
    }

    pub(super) fn shift(&mut self, op: Op, a: Term, b: Term) -> Term {
        if let Some(k) = self.as_bv(b) {
            if k.is_zero() {
                return rule!(self, "shift-by-zero", a);
            }
            let w = k.width();
            let beyond = k.to_u64().is_none_or(|d| d >= u64::from(w));
            if beyond && op != Op::BvAshr {
                return rule!(self, "shift-out", self.num(w, 0));
            }
        }
        if self.as_bv(a).is_some_and(|k| k.is_zero()) {
            return rule!(self, "shift-of-zero", a);
        }
        self.folded(op, a, b)
    }

    /// Shift left.
    pub fn bvshl(&mut self, a: Term, b: Term) -> Term {
        self.shift(Op::BvShl, a, b)
    }

    /// Logical shift right.
    pub fn bvlshr(&mut self, a: Term, b: Term) -> Term {
        self.shift(Op::BvLshr, a, b)
    }

    /// Arithmetic shift right.
    pub fn bvashr(&mut self, a: Term, b: Term) -> Term {
        self.shift(Op::BvAshr, a, b)
    }

    /// `bvnand`.
    pub fn bvnand(&mut self, a: Term, b: Term) -> Term {
        let t = self.bvand(a, b);
        self.bvnot(t)
    }

    /// `bvnor`.
    pub fn bvnor(&mut self, a: Term, b: Term) -> Term {
        let t = self.bvor(a, b);
        self.bvnot(t)
    }

    /// `bvxnor`.
    pub fn bvxnor(&mut self, a: Term, b: Term) -> Term {
        let t = self.bvxor(a, b);
        self.bvnot(t)
    }

    /// A boolean as one bit.
    pub fn bool_to_bv(&mut self, b: Term) -> Term {
        let (one, zero) = (self.num(1, 1), self.num(1, 0));
        self.ite(b, one, zero)
    }

    /// One bit as a boolean.
    pub fn bv_to_bool(&mut self, t: Term) -> Term {
        let one = self.num(1, 1);
        self.eq(t, one)
    }
}
