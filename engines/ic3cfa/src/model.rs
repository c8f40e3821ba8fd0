//! Values of variables from a satisfiable query, and the evaluation of terms in them.

use rustc_hash::FxHashMap;
use trellis_plugin_sdk::ivl::{Evaluator, Program, Term, TermPool, Value, Var};

/// Values of variables; what is missing is zero.
#[derive(Clone, Debug, Default)]
pub struct Model {
    values: FxHashMap<Var, Value>,
}

impl Model {
    /// Sets the value of `v`.
    pub fn set(&mut self, v: Var, value: Value) {
        self.values.insert(v, value);
    }

    /// The value of `v`.
    pub fn get(&self, pool: &TermPool, v: Var) -> Value {
        let known = self.values.get(&v).cloned();
        known.unwrap_or_else(|| Value::zero(pool.var_ty(v)))
    }

    /// The value of `v`, if it was read.
    pub fn known(&self, v: Var) -> Option<&Value> {
        self.values.get(&v)
    }

    /// Only the values of `program`'s variables: a state.
    pub fn state(&self, program: &Program) -> Model {
        let vars = program.program_vars();
        let values = vars.filter_map(|v| Some((v, self.values.get(&v)?.clone())));
        Model {
            values: values.collect(),
        }
    }

    /// The variables with values, with terms for these.
    pub fn as_map(&self, pool: &mut TermPool) -> FxHashMap<Var, Term> {
        let values = self.values.iter();
        values.map(|(&v, value)| (v, pool.value(value))).collect()
    }
}

/// Evaluates terms in one model.
pub struct Eval<'a> {
    evaluator: &'a mut Evaluator,
    model: &'a Model,
}

impl<'a> Eval<'a> {
    /// An evaluation in `model`, with the buffers of `evaluator`.
    pub fn new(evaluator: &'a mut Evaluator, model: &'a Model) -> Eval<'a> {
        evaluator.new_round();
        Eval { evaluator, model }
    }

    /// The value of `t`.
    pub fn value(&mut self, pool: &TermPool, t: Term) -> Value {
        let model = self.model;
        self.evaluator.eval(pool, t, |v| model.get(pool, v))
    }

    /// Whether the boolean `t` is true.
    pub fn holds(&mut self, pool: &TermPool, t: Term) -> bool {
        self.value(pool, t) == Value::Bool(true)
    }
}
