//! Booleans, equality and if-then-else.

use crate::entity::Term;
use crate::op::{Op, Params};
use crate::pool::TermPool;
use crate::ty::Type;

impl TermPool {
    /// Negation. Pushed into comparisons: `!(a < b)` is `b <= a`.
    pub fn not(&mut self, a: Term) -> Term {
        match self.op(a) {
            Op::BoolConst => {
                let b = self.as_bool(a) == Some(true);
                rule!(self, "not-constant", self.bool(!b))
            }
            Op::Not => rule!(self, "not-not", self.arg(a, 0)),
            Op::BvUlt => rule!(self, "not-ult", self.swapped(Op::BvUle, a)),
            Op::BvUle => rule!(self, "not-ule", self.swapped(Op::BvUlt, a)),
            Op::BvSlt => rule!(self, "not-slt", self.swapped(Op::BvSle, a)),
            Op::BvSle => rule!(self, "not-sle", self.swapped(Op::BvSlt, a)),
            _ => self.intern(Op::Not, &[a]),
        }
    }

    /// `op` over the two arguments of `a` in the other order.
    fn swapped(&mut self, op: Op, a: Term) -> Term {
        self.intern(op, &[self.arg(a, 1), self.arg(a, 0)])
    }

    /// Whether `a` is syntactically the negation of `b`.
    fn complementary(&self, a: Term, b: Term) -> bool {
        let flipped = |a: Term, b: Term, strict: Op, weak: Op| {
            self.op(a) == strict
                && self.op(b) == weak
                && self.arg(a, 0) == self.arg(b, 1)
                && self.arg(a, 1) == self.arg(b, 0)
        };
        (self.op(a) == Op::Not && self.arg(a, 0) == b)
            || (self.op(b) == Op::Not && self.arg(b, 0) == a)
            || flipped(a, b, Op::BvUlt, Op::BvUle)
            || flipped(b, a, Op::BvUlt, Op::BvUle)
            || flipped(a, b, Op::BvSlt, Op::BvSle)
            || flipped(b, a, Op::BvSlt, Op::BvSle)
    }

    /// `And` or `Or`; `absorbing` is the constant that wins (false for and, true for or).
    fn lattice(&mut self, op: Op, absorbing: bool, mut a: Term, mut b: Term) -> Term {
        'again: loop {
            for (x, y) in [(a, b), (b, a)] {
                match self.as_bool(x) {
                    Some(c) if c == absorbing => return rule!(self, "lattice-absorbing", x),
                    Some(_) => return rule!(self, "lattice-neutral", y),
                    None => {}
                }
                let dual = if op == Op::And { Op::Or } else { Op::And };
                if self.op(y) == op || self.op(y) == dual {
                    let same = self.op(y) == op;
                    let (y0, y1) = (self.arg(y, 0), self.arg(y, 1));
                    if y0 == x || y1 == x {
                        return if same {
                            rule!(self, "lattice-contained", y)
                        } else {
                            rule!(self, "lattice-absorbed", x)
                        };
                    }
                    let not0 = self.complementary(x, y0);
                    if not0 || self.complementary(x, y1) {
                        if same {
                            return rule!(self, "lattice-contradicts", self.bool(absorbing));
                        }
                        let rest = if not0 { y1 } else { y0 };
                        (a, b) = (x, rule!(self, "lattice-resolves", rest));
                        continue 'again;
                    }
                }
            }
            break;
        }
        if a == b {
            return rule!(self, "lattice-same", a);
        }
        if self.complementary(a, b) {
            return rule!(self, "lattice-complementary", self.bool(absorbing));
        }
        let (a, b) = self.ordered(a, b);
        self.intern(op, &[a, b])
    }

    /// Conjunction.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        self.lattice(Op::And, false, a, b)
    }

    /// Disjunction.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        self.lattice(Op::Or, true, a, b)
    }

    /// Conjunction of all, as a balanced tree.
    pub fn and_all(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let unit = self.tru();
        self.balanced(terms.into_iter().collect(), unit, Self::and)
    }

    /// Disjunction of all, as a balanced tree.
    pub fn or_all(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let unit = self.fls();
        self.balanced(terms.into_iter().collect(), unit, Self::or)
    }

    /// All of `terms` by `join`, as a balanced tree.
    pub(crate) fn balanced(
        &mut self,
        mut terms: Vec<Term>,
        unit: Term,
        join: impl Fn(&mut Self, Term, Term) -> Term,
    ) -> Term {
        while terms.len() > 1 {
            let half = terms.len().div_ceil(2);
            for i in 0..terms.len() / 2 {
                terms[i] = join(self, terms[2 * i], terms[2 * i + 1]);
            }
            if terms.len() % 2 == 1 {
                terms[half - 1] = terms[terms.len() - 1];
            }
            terms.truncate(half);
        }
        terms.pop().unwrap_or(unit)
    }

    /// Implication.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let na = self.not(a);
        self.or(na, b)
    }

    /// Exclusive or of booleans.
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let e = self.eq(a, b);
        self.not(e)
    }

    /// Disequality.
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let e = self.eq(a, b);
        self.not(e)
    }

    /// Equality.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return rule!(self, "eq-same", self.tru());
        }
        let (a, b) = self.ordered(a, b);
        if let Some(t) = self.fold(Op::Eq, Params { hi: 0, lo: 0 }, &[a, b]) {
            return t;
        }
        match self.ty(a) {
            Type::Bool => self.eq_bool(a, b),
            Type::Bv(_) => self.eq_bv(a, b),
            Type::Array { .. } => self.intern(Op::Eq, &[a, b]),
        }
    }

    fn eq_bool(&mut self, a: Term, b: Term) -> Term {
        match self.as_bool(b) {
            Some(true) => return rule!(self, "eq-true", a),
            Some(false) => return rule!(self, "eq-false", self.not(a)),
            None => {}
        }
        if self.complementary(a, b) {
            return rule!(self, "eq-complementary", self.fls());
        }
        if self.op(a) == Op::Not && self.op(b) == Op::Not {
            let (a, b) = self.ordered(self.arg(a, 0), self.arg(b, 0));
            return rule!(self, "eq-nots", self.intern(Op::Eq, &[a, b]));
        }
        self.intern(Op::Eq, &[a, b])
    }

    fn eq_bv(&mut self, mut a: Term, mut b: Term) -> Term {
        // `a` unwraps until it is no longer a constant away from a simpler term.
        while let Some(k) = self.as_bv(b) {
            let (inner, k) = match self.op(a) {
                Op::Ite => {
                    let (c, x, y) = (self.arg(a, 0), self.arg(a, 1), self.arg(a, 2));
                    if let (Some(x), Some(y)) = (self.as_bv(x), self.as_bv(y)) {
                        return match (x == k, y == k) {
                            (true, true) => rule!(self, "eq-ite-both", self.tru()),
                            (true, false) => rule!(self, "eq-ite-first", c),
                            (false, true) => rule!(self, "eq-ite-second", self.not(c)),
                            (false, false) => rule!(self, "eq-ite-none", self.fls()),
                        };
                    }
                    break;
                }
                Op::BvAdd => match self.offset(a) {
                    Some((x, d)) => (rule!(self, "eq-offset", x), k.sub(&d)),
                    None => break,
                },
                Op::BvNot => (rule!(self, "eq-bvnot", self.arg(a, 0)), k.not()),
                Op::BvNeg => (rule!(self, "eq-neg", self.arg(a, 0)), k.neg()),
                Op::ZeroExt | Op::SignExt => {
                    let x = self.arg(a, 0);
                    let low = k.extract(self.width(x) - 1, 0);
                    let back = if self.op(a) == Op::ZeroExt {
                        low.zext(k.width())
                    } else {
                        low.sext(k.width())
                    };
                    if back != k {
                        return rule!(self, "eq-out-of-range", self.fls());
                    }
                    (rule!(self, "eq-extended-constant", x), low)
                }
                _ => break,
            };
            if let Some(x) = self.as_bv(inner) {
                return rule!(self, "eq-constants", self.bool(x == k));
            }
            a = inner;
            b = self.bv(k);
        }
        if self.op(a) == self.op(b) && matches!(self.op(a), Op::ZeroExt | Op::SignExt) {
            let (x, y) = (self.arg(a, 0), self.arg(b, 0));
            if self.ty(x) == self.ty(y) {
                // Extensions of extensions exist only where nobody simplified; one level is enough.
                let (x, y) = self.ordered(x, y);
                return rule!(self, "eq-extensions", self.intern(Op::Eq, &[x, y]));
            }
        }
        self.intern(Op::Eq, &[a, b])
    }

    /// If-then-else.
    pub fn ite(&mut self, c: Term, a: Term, b: Term) -> Term {
        match self.as_bool(c) {
            Some(true) => return rule!(self, "ite-true", a),
            Some(false) => return rule!(self, "ite-false", b),
            None => {}
        }
        if self.op(c) == Op::Not {
            return rule!(self, "ite-not", self.ite(self.arg(c, 0), b, a));
        }
        let a = self.under(c, a, true);
        let b = self.under(c, b, false);
        if a == b {
            return rule!(self, "ite-same", a);
        }
        if self.ty(a) == Type::Bool {
            match (self.as_bool(a), self.as_bool(b)) {
                (Some(true), _) => return rule!(self, "ite-or", self.or(c, b)),
                (_, Some(false)) => return rule!(self, "ite-and", self.and(c, a)),
                (Some(false), _) => {
                    let nc = self.not(c);
                    return rule!(self, "ite-and-not", self.and(nc, b));
                }
                (_, Some(true)) => {
                    let nc = self.not(c);
                    return rule!(self, "ite-or-not", self.or(nc, a));
                }
                _ => {}
            }
        }
        self.intern(Op::Ite, &[c, a, b])
    }

    /// A branch of an if-then-else whose condition is known to be `c == known`.
    fn under(&mut self, c: Term, t: Term, known: bool) -> Term {
        if t == c {
            return rule!(self, "ite-condition", self.bool(known));
        }
        if self.op(t) == Op::Ite && self.arg(t, 0) == c {
            let branch = self.arg(t, if known { 1 } else { 2 });
            return rule!(self, "ite-ite", branch);
        }
        t
    }
}
