//! Concatenation, extraction, extension and what derives from them.

use crate::entity::Term;
use crate::op::{Op, Params};
use crate::pool::TermPool;

impl TermPool {
    /// Concatenation; `hi` becomes the high part.
    pub fn concat(&mut self, hi: Term, lo: Term) -> Term {
        if let Some(t) = self.fold(Op::Concat, Params { hi: 0, lo: 0 }, &[hi, lo]) {
            return t;
        }
        if self.as_bv(hi).is_some_and(|k| k.is_zero()) {
            let w = self.width(hi) + self.width(lo);
            return rule!(self, "concat-zero", self.zext(w, lo));
        }
        if let (Some((h1, l1)), Some((h2, l2))) = (self.extract_bounds(hi), self.extract_bounds(lo))
            && self.arg(hi, 0) == self.arg(lo, 0)
            && l1 == h2 + 1
        {
            return rule!(
                self,
                "concat-neighbours",
                self.extract(h1, l2, self.arg(hi, 0))
            );
        }
        self.intern(Op::Concat, &[hi, lo])
    }

    /// Bits `hi` down to `lo`, both included.
    pub fn extract(&mut self, hi: u32, lo: u32, t: Term) -> Term {
        let (mut hi, mut lo, mut t) = (hi, lo, t);
        loop {
            let w = self.width(t);
            if lo == 0 && hi + 1 == w {
                return rule!(self, "extract-all", t);
            }
            if let Some(k) = self.as_bv(t) {
                return rule!(self, "extract-constant", self.bv(k.extract(hi, lo)));
            }
            (hi, lo, t) = match self.op(t) {
                Op::Extract => {
                    let (_, base) = self.extract_bounds(t).expect("an extract has bounds");
                    let x = rule!(self, "extract-extract", self.arg(t, 0));
                    (hi + base, lo + base, x)
                }
                Op::Concat => {
                    let (h, l) = (self.arg(t, 0), self.arg(t, 1));
                    let split = self.width(l);
                    if hi < split {
                        (hi, lo, rule!(self, "extract-low-part", l))
                    } else if lo >= split {
                        let h = rule!(self, "extract-high-part", h);
                        (hi - split, lo - split, h)
                    } else {
                        break;
                    }
                }
                Op::ZeroExt | Op::SignExt => {
                    let x = self.arg(t, 0);
                    let inner = self.width(x);
                    if hi < inner {
                        (hi, lo, rule!(self, "extract-extended", x))
                    } else if self.op(t) == Op::ZeroExt && lo >= inner {
                        return rule!(self, "extract-zeros", self.num(hi - lo + 1, 0));
                    } else if lo == 0 {
                        return if self.op(t) == Op::ZeroExt {
                            rule!(self, "extract-zext", self.zext(hi + 1, x))
                        } else {
                            rule!(self, "extract-sext", self.sext(hi + 1, x))
                        };
                    } else {
                        break;
                    }
                }
                _ => break,
            };
        }
        self.intern_extract(hi, lo, t)
    }

    /// Zero extension to `width` bits, which may be those it has.
    pub fn zext(&mut self, width: u32, t: Term) -> Term {
        if self.width(t) == width {
            return rule!(self, "zext-none", t);
        }
        if let Some(k) = self.as_bv(t) {
            return rule!(self, "zext-constant", self.bv(k.zext(width)));
        }
        if self.op(t) == Op::ZeroExt {
            let x = rule!(self, "zext-zext", self.arg(t, 0));
            return self.intern_extend(Op::ZeroExt, width, x);
        }
        self.intern_extend(Op::ZeroExt, width, t)
    }

    /// Sign extension to `width` bits, which may be those it has.
    pub fn sext(&mut self, width: u32, t: Term) -> Term {
        if self.width(t) == width {
            return rule!(self, "sext-none", t);
        }
        if let Some(k) = self.as_bv(t) {
            return rule!(self, "sext-constant", self.bv(k.sext(width)));
        }
        match self.op(t) {
            Op::SignExt => {
                let x = rule!(self, "sext-sext", self.arg(t, 0));
                self.intern_extend(Op::SignExt, width, x)
            }
            // The sign bit is 0 where bits were added, and only there.
            Op::ZeroExt if self.width(self.arg(t, 0)) < self.width(t) => {
                rule!(self, "sext-zext", self.zext(width, t))
            }
            _ => self.intern_extend(Op::SignExt, width, t),
        }
    }

    /// Rotation left by `n`.
    pub fn rotate_left(&mut self, n: u32, t: Term) -> Term {
        let w = self.width(t);
        let n = n % w;
        if n == 0 {
            return t;
        }
        let (hi, lo) = (self.extract(w - n - 1, 0, t), self.extract(w - 1, w - n, t));
        self.concat(hi, lo)
    }

    /// Rotation right by `n`.
    pub fn rotate_right(&mut self, n: u32, t: Term) -> Term {
        let w = self.width(t);
        self.rotate_left(w - n % w, t)
    }

    /// `n` copies of `t` side by side; `n` at least 1.
    pub fn repeat(&mut self, n: u32, t: Term) -> Term {
        (1..n).fold(t, |acc, _| self.concat(acc, t))
    }
}
