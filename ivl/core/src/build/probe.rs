//! What tests see of the rules: which fired, and what becomes of one that is broken.
//!
//! A pool carries its own probe, so that tests do not share any.

use crate::bv::Bv;
use crate::entity::Term;
use crate::op::Op;
use crate::pool::TermPool;
use crate::ty::Type;
use crate::value::Value;
use std::collections::BTreeMap;

/// How a rule is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Its result is wrong for all values of the variables.
    Everywhere,
    /// Its result is wrong only where all variables in it are zero.
    AtZero,
}

/// The rules that fired, by name, and the one that is broken.
#[derive(Clone, Default)]
pub struct Probe {
    /// How often each rule fired.
    pub fired: BTreeMap<&'static str, u64>,
    /// The broken rule.
    pub broken: Option<(&'static str, Fault)>,
}

impl TermPool {
    /// Notes that the rule fired; its result, or a wrong one.
    pub(super) fn fired(&mut self, rule: &'static str, result: Term) -> Term {
        *self.probe.fired.entry(rule).or_default() += 1;
        match self.probe.broken {
            Some((broken, fault)) if broken == rule => self.wrong(fault, result),
            _ => result,
        }
    }

    /// A term that differs from `t`, of nodes in which no loop of a rule goes on, so that building ends.
    fn wrong(&mut self, fault: Fault, t: Term) -> Term {
        let other = match self.ty(t) {
            Type::Bool => {
                let no = self.fls();
                self.intern(Op::Eq, &[t, no])
            }
            Type::Bv(_) => self.complement(t),
            Type::Array { index, .. } => {
                let i = self.bv(Bv::zero(index));
                let e = self.intern(Op::Select, &[t, i]);
                let e = self.complement(e);
                self.intern(Op::Store, &[t, i, e])
            }
        };
        match fault {
            Fault::Everywhere => other,
            Fault::AtZero => {
                let here = self.all_zero(t);
                self.intern(Op::Ite, &[here, other, t])
            }
        }
    }

    fn complement(&mut self, t: Term) -> Term {
        let ones = self.bv(Bv::ones(self.width(t)));
        self.intern(Op::BvXor, &[t, ones])
    }

    /// Whether all variables of `t` are zero, as a term.
    fn all_zero(&mut self, t: Term) -> Term {
        let mut all = self.tru();
        for v in self.free_vars([t]) {
            let zero = self.value(&Value::zero(self.var_ty(v)));
            let v = self.var(v);
            let is_zero = self.intern(Op::Eq, &[v, zero]);
            all = self.intern(Op::And, &[all, is_zero]);
        }
        all
    }
}
