//! Array reads and writes.

use crate::bv::Bv;
use crate::entity::Term;
use crate::op::Op;
use crate::pool::TermPool;

impl TermPool {
    /// Array read. Looks through writes at provably different or equal indices.
    pub fn select(&mut self, a: Term, i: Term) -> Term {
        let mut a = a;
        // Bounded, so that building a long chain of reads stays linear.
        for _ in 0..64 {
            match self.op(a) {
                Op::ConstArray => return rule!(self, "select-constant", self.arg(a, 0)),
                Op::Store => {
                    let j = self.arg(a, 1);
                    if i == j {
                        return rule!(self, "select-same", self.arg(a, 2));
                    }
                    if !self.distinct(i, j) {
                        break;
                    }
                    a = rule!(self, "select-distinct", self.arg(a, 0));
                }
                _ => break,
            }
        }
        self.intern(Op::Select, &[a, i])
    }

    /// Whether two indices differ by constants alone: `3` and `5`, `x` and `x + 1`.
    fn distinct(&self, i: Term, j: Term) -> bool {
        let split = |t: Term| match (self.as_bv(t), self.offset(t)) {
            (Some(k), _) => (None, k),
            (_, Some((x, k))) => (Some(x), k),
            _ => (Some(t), Bv::zero(self.width(t))),
        };
        let ((x, j), (y, k)) = (split(i), split(j));
        x == y && j != k
    }

    /// Array write.
    pub fn store(&mut self, a: Term, i: Term, e: Term) -> Term {
        if self.op(e) == Op::Select && self.arg(e, 0) == a && self.arg(e, 1) == i {
            return rule!(self, "store-back", a);
        }
        let a = if self.op(a) == Op::Store && self.arg(a, 1) == i {
            rule!(self, "store-over", self.arg(a, 0))
        } else {
            a
        };
        self.intern(Op::Store, &[a, i, e])
    }
}
