//! The model of the last satisfiable answer: values of variables, read once each, and terms evaluated
//! over them by the IVL's own evaluator.
//!
//! So a backend translates only values of variables, a term means in every backend what the IVL says,
//! and a variable the solver has never met has the same value for every later reading.

use rustc_hash::FxHashMap;
use trellis_ivl::{Evaluator, Term, TermPool, Value, Var};

/// Values of variables in one model.
#[derive(Default)]
pub struct ModelCache {
    values: FxHashMap<Var, Value>,
    evaluator: Evaluator,
}

impl ModelCache {
    /// A cache for no model yet.
    pub fn new() -> ModelCache {
        ModelCache {
            values: FxHashMap::default(),
            evaluator: Evaluator::new(),
        }
    }

    /// Forgets everything: another model is about to be read.
    pub fn clear(&mut self) {
        self.values.clear();
        self.evaluator.new_round();
    }

    /// Sets the value of a variable.
    pub fn insert(&mut self, v: Var, value: Value) {
        self.values.insert(v, value);
    }

    /// The value of a variable, if it is known.
    pub fn get(&self, v: Var) -> Option<&Value> {
        self.values.get(&v)
    }

    /// The value of `t`. `read` gives the values of all variables that are not known yet, in their
    /// order; `None` for a variable without a value, which becomes zero.
    pub fn value<E>(
        &mut self,
        pool: &TermPool,
        t: Term,
        read: impl FnOnce(&[Var]) -> Result<Vec<Option<Value>>, E>,
    ) -> Result<Value, E> {
        // Variables are the most frequent questions.
        let mut unknown = match pool.as_var(t) {
            Some(v) => vec![v],
            None => pool.free_vars([t]),
        };
        unknown.retain(|v| !self.values.contains_key(v));
        if !unknown.is_empty() {
            let values = read(&unknown)?;
            for (v, value) in unknown.into_iter().zip(values) {
                let value = value.unwrap_or_else(|| Value::zero(pool.var_ty(v)));
                self.values.insert(v, value);
            }
        }
        let values = &self.values;
        Ok(self.evaluator.eval(pool, t, |v| values[&v].clone()))
    }
}
