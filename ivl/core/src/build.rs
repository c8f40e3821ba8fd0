//! The simplifying builder: constants fold, and cheap local rewrites apply as terms are made.
//!
//! Each rule looks at the node and at most two levels below it, so building stays linear. Rules
//! only ever replace a term by an equal one of the same type; none introduces a more expensive
//! operation than it removes. Commutative arguments are ordered by number with constants last, so
//! `a + b` and `b + a` are one term.
//!
//! Arguments may be any terms: a pool holds what was interned as it was written, constant
//! operations and extensions by no bits included. A rule therefore assumes nothing about its
//! arguments but what it looks at.
//!
//! Every rule has a name and passes its result through `rule!`, which is nothing but that result
//! outside of this crate's tests. The tests (`rule_test`) find every name in these sources, fire
//! every rule on arguments that nobody simplified, compare with the evaluator, and break every
//! rule to see that the comparison notices. Where no rule fires, the node is the one asked for, but
//! for the order of commutative arguments.

/// The result of the rule that is named; tests count it, or break it.
macro_rules! rule {
    ($pool:expr, $name:literal, $result:expr) => {{
        let result = $result;
        #[cfg(test)]
        let result = $pool.fired($name, result);
        result
    }};
}

mod arithmetic;
mod array;
mod boolean;
mod compare;
#[cfg(test)]
pub(crate) mod probe;
#[cfg(test)]
mod rule_test;
mod slice;

use crate::bv::Bv;
use crate::entity::Term;
use crate::op::{Op, Params};
use crate::pool::TermPool;
use crate::value::Value;

impl TermPool {
    /// `true`.
    pub fn tru(&mut self) -> Term {
        self.bool(true)
    }

    /// `false`.
    pub fn fls(&mut self) -> Term {
        self.bool(false)
    }

    /// The constant `v` modulo `2^width`.
    pub fn num(&mut self, width: u32, v: u64) -> Term {
        self.bv(Bv::new(width, v))
    }

    /// The term that denotes `v`.
    pub fn value(&mut self, v: &Value) -> Term {
        match v {
            Value::Bool(b) => self.bool(*b),
            Value::Bv(v) => self.bv(v.clone()),
            Value::Array(a) => {
                let default = self.bv(a.default().clone());
                let mut t = self.const_array(a.index_width(), default);
                for (i, e) in a.entries() {
                    let (i, e) = (self.bv(i.clone()), self.bv(e.clone()));
                    t = self.intern(Op::Store, &[t, i, e]);
                }
                t
            }
        }
    }

    /// The value of a constant term of type bool or bit-vector.
    pub fn const_value(&self, t: Term) -> Option<Value> {
        match self.op(t) {
            Op::BoolConst => self.as_bool(t).map(Value::Bool),
            Op::BvConst => self.as_bv(t).map(Value::Bv),
            _ => None,
        }
    }

    /// Folds an operation whose arguments are all constants.
    fn fold(&mut self, op: Op, params: Params, args: &[Term]) -> Option<Term> {
        let v = self.evaluated(op, params, args)?;
        Some(rule!(self, "fold", self.value(&v)))
    }

    /// The node `op(args)`, simplified. Dispatches to the named functions below.
    pub fn make(&mut self, op: Op, args: &[Term]) -> Term {
        use Op::*;
        match (op, args) {
            (Not, &[a]) => self.not(a),
            (And, &[a, b]) => self.and(a, b),
            (Or, &[a, b]) => self.or(a, b),
            (Eq, &[a, b]) => self.eq(a, b),
            (Ite, &[c, a, b]) => self.ite(c, a, b),
            (BvNot, &[a]) => self.bvnot(a),
            (BvNeg, &[a]) => self.bvneg(a),
            (BvAnd, &[a, b]) => self.bvand(a, b),
            (BvOr, &[a, b]) => self.bvor(a, b),
            (BvXor, &[a, b]) => self.bvxor(a, b),
            (BvAdd, &[a, b]) => self.bvadd(a, b),
            (BvSub, &[a, b]) => self.bvsub(a, b),
            (BvMul, &[a, b]) => self.bvmul(a, b),
            (BvUdiv | BvUrem | BvSdiv | BvSrem | BvSmod, &[a, b]) => self.division(op, a, b),
            (BvShl | BvLshr | BvAshr, &[a, b]) => self.shift(op, a, b),
            (BvUlt, &[a, b]) => self.bvult(a, b),
            (BvUle, &[a, b]) => self.bvule(a, b),
            (BvSlt, &[a, b]) => self.bvslt(a, b),
            (BvSle, &[a, b]) => self.bvsle(a, b),
            (BvUaddo | BvSaddo | BvUsubo | BvSsubo | BvUmulo | BvSmulo, &[a, b]) => {
                self.overflow(op, a, b)
            }
            (Concat, &[a, b]) => self.concat(a, b),
            (Select, &[a, i]) => self.select(a, i),
            (Store, &[a, i, e]) => self.store(a, i, e),
            _ => self.intern(op, args),
        }
    }

    /// The node of `t` over new arguments, simplified.
    pub fn rebuild(&mut self, t: Term, args: &[Term]) -> Term {
        let params = self.params(t);
        self.make_with(self.op(t), params, args)
    }

    pub(crate) fn make_with(&mut self, op: Op, params: Params, args: &[Term]) -> Term {
        match op {
            Op::Extract => self.extract(params.hi, params.lo, args[0]),
            Op::ZeroExt => self.zext(params.hi, args[0]),
            Op::SignExt => self.sext(params.hi, args[0]),
            Op::ConstArray => self.const_array(params.hi, args[0]),
            _ => self.make(op, args),
        }
    }

    fn ordered(&self, a: Term, b: Term) -> (Term, Term) {
        match (self.is_const(a), self.is_const(b)) {
            (true, false) => (b, a),
            (false, true) => (a, b),
            _ => (a.min(b), a.max(b)),
        }
    }

    /// The node, folded and with its arguments in order.
    fn folded(&mut self, op: Op, a: Term, b: Term) -> Term {
        if let Some(t) = self.fold(op, Params { hi: 0, lo: 0 }, &[a, b]) {
            return t;
        }
        let (a, b) = if op.is_commutative() {
            self.ordered(a, b)
        } else {
            (a, b)
        };
        self.intern(op, &[a, b])
    }
}
