//! A node as asked for against what the builder makes of it.

use super::terms::{Random, Signature};
use crate::bv::Bv;
use crate::entity::{Term, Var};
use crate::eval::Evaluator;
use crate::op::{Op, Params};
use crate::pool::TermPool;
use crate::rng::Rng;
use crate::text::TermPrinter;
use crate::ty::Type;
use crate::value::{ArrayValue, Value};
use std::collections::BTreeMap;

/// Cases that are kept for each rule, to be asked again with the rule broken.
const KEPT: usize = 64;
/// Assignments that are tried where there are too many for all of them.
const SAMPLES: usize = 24;

/// An application that the builder is asked for.
#[derive(Clone, Debug)]
pub struct Case {
    op: Op,
    params: Params,
    args: Vec<Term>,
}

impl Case {
    pub fn new(signature: &Signature, args: &[Term]) -> Case {
        Case {
            op: signature.op,
            params: signature.params,
            args: args.to_vec(),
        }
    }

    fn raw(&self, pool: &mut TermPool) -> Term {
        pool.intern_like(self.op, self.params, &self.args)
    }

    fn built(&self, pool: &mut TermPool) -> Term {
        pool.make_with(self.op, self.params, &self.args)
    }

    fn plain(&self, pool: &mut TermPool) -> Term {
        pool.plain_with(self.op, self.params, &self.args)
    }
}

/// Compares, and counts what was compared.
pub struct Comparison {
    pub firings: BTreeMap<&'static str, u64>,
    pub applications: u64,
    pub rewritten: u64,
    /// Applications that the plain constructor did not leave as they are.
    pub decided: u64,
    pub evaluations: u64,
    /// Bits of all variables of a case up to which all their values are tried.
    exhaustive: u32,
    cases: BTreeMap<&'static str, Vec<Case>>,
    evaluator: Evaluator,
    rng: Random,
}

impl Comparison {
    pub fn new(exhaustive: u32) -> Comparison {
        Comparison {
            firings: BTreeMap::new(),
            applications: 0,
            rewritten: 0,
            decided: 0,
            evaluations: 0,
            exhaustive,
            cases: BTreeMap::new(),
            evaluator: Evaluator::new(),
            rng: Random(Rng::new(1)),
        }
    }

    /// Requires that the builder and the plain constructor keep the meaning.
    pub fn agree(&mut self, pool: &mut TermPool, case: &Case) {
        let raw = case.raw(pool);
        pool.probe.fired.clear();
        let built = case.built(pool);
        let fired = std::mem::take(&mut pool.probe.fired);
        self.applications += 1;
        for (&rule, n) in &fired {
            *self.firings.entry(rule).or_default() += n;
            let kept = self.cases.entry(rule).or_default();
            if kept.len() < KEPT {
                kept.push(case.clone());
            }
        }
        if fired.is_empty() {
            let mut flipped = case.clone();
            flipped.args.reverse();
            let as_given = built == raw || case.op.is_commutative() && built == flipped.raw(pool);
            assert!(as_given, "changed by no rule: {}", show(pool, raw, built));
        }
        let plain = case.plain(pool);
        if plain != raw {
            self.decided += 1;
            assert!(
                self.equal(pool, raw, plain),
                "plain: {}",
                show(pool, raw, plain)
            );
        }
        if built != raw {
            self.rewritten += 1;
            assert!(
                self.equal(pool, raw, built),
                "{fired:?}: {}",
                show(pool, raw, built)
            );
        }
    }

    /// Whether some case in which the rule fires no longer agrees, now that the pool breaks it.
    pub fn notices(&mut self, pool: &mut TermPool, rule: &str) -> bool {
        let cases = self.cases[rule].clone();
        cases.iter().any(|case| {
            let (raw, built) = (case.raw(pool), case.built(pool));
            !self.equal(pool, raw, built)
        })
    }

    /// Whether the terms have one type, and one value wherever it was looked.
    fn equal(&mut self, pool: &TermPool, a: Term, b: Term) -> bool {
        if pool.ty(a) != pool.ty(b) {
            return false;
        }
        let vars = pool.free_vars([a, b]);
        let bits: u64 = vars.iter().map(|&v| size(pool.var_ty(v))).sum();
        let all = bits <= u64::from(self.exhaustive);
        let count = if all { 1 << bits } else { SAMPLES };
        let mut values = Vec::new();
        (0..count).all(|n| {
            values.clear();
            if all {
                numbered(pool, &vars, n, &mut values);
            } else {
                self.sampled(pool, &vars, n, &mut values);
            }
            self.evaluator.new_round();
            self.evaluations += 2;
            let value = |v: Var| values[vars.iter().position(|&w| w == v).expect("listed")].clone();
            self.evaluator.eval(pool, a, value) == self.evaluator.eval(pool, b, value)
        })
    }

    /// Values, corners of their types more often than not; the first are zero.
    fn sampled(&mut self, pool: &TermPool, vars: &[Var], n: usize, values: &mut Vec<Value>) {
        for &v in vars {
            let ty = pool.var_ty(v);
            let value = if n == 0 {
                Value::zero(ty)
            } else {
                self.rng.value(ty)
            };
            values.push(value);
        }
    }
}

/// Bits that it takes to write a value of the type down.
fn size(ty: Type) -> u64 {
    match ty {
        Type::Bool => 1,
        Type::Bv(w) => u64::from(w),
        Type::Array { index, elem } => u64::from(elem) << index.min(32),
    }
}

/// The values with number `n`, in whose bits they lie one after the other.
fn numbered(pool: &TermPool, vars: &[Var], mut n: usize, values: &mut Vec<Value>) {
    let mut take = |bits: u32| {
        let low = n & ((1 << bits) - 1);
        n >>= bits;
        low as u64
    };
    for &v in vars {
        values.push(match pool.var_ty(v) {
            Type::Bool => Value::Bool(take(1) == 1),
            Type::Bv(w) => Value::Bv(Bv::new(w, take(w))),
            Type::Array { index, elem } => {
                let mut a = ArrayValue::constant(index, Bv::zero(elem));
                for i in 0..1 << index {
                    a = a.store(Bv::new(index, i), Bv::new(elem, take(elem)));
                }
                Value::Array(a)
            }
        });
    }
}

fn show(pool: &TermPool, raw: Term, built: Term) -> String {
    let print = |t| TermPrinter::new(pool).print(t);
    format!("{}\nbecame\n{}", print(raw), print(built))
}
