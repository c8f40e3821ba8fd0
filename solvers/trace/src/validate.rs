//! Models held to what they say.
//!
//! After each satisfiable answer the values of all variables are read, and everything asserted and assumed is
//! evaluated under them by the evaluator of the language, which knows nothing of solvers. A term that
//! is false, or a value that differs from what the variables give, is an error that names the solver. The
//! cost is linear in what is asserted, per query: meant for tests and debug builds.

use rustc_hash::FxHashMap;
use trellis_ivl::{Evaluator, Term, TermPool, Value, Var};
use trellis_solver_api::smt::SmtSession;
use trellis_solver_api::{Answer, Capabilities, Result, SolverError};

/// A session whose models are evaluated.
pub struct Validated {
    inner: Box<dyn SmtSession>,
    levels: Vec<Vec<Term>>,
    /// Values of the current model read so far.
    values: FxHashMap<Var, Value>,
    evaluator: Evaluator,
}

impl Validated {
    /// Validates `inner`, in which nothing is asserted yet.
    pub fn new(inner: Box<dyn SmtSession>) -> Validated {
        Validated {
            inner,
            levels: vec![Vec::new()],
            values: FxHashMap::default(),
            evaluator: Evaluator::new(),
        }
    }

    /// The value that the model's variables give to `t`.
    fn evaluate(&mut self, pool: &TermPool, t: Term) -> Result<Value> {
        for variable in pool.post_order([t]) {
            if let Some(v) = pool.as_var(variable)
                && !self.values.contains_key(&v)
            {
                let value = self.inner.value(pool, variable)?;
                if value.ty() != pool.var_ty(v) {
                    return Err(self.wrong(pool, variable, "has a value of another type"));
                }
                self.values.insert(v, value);
            }
        }
        let values = &self.values;
        Ok(self
            .evaluator
            .eval(pool, t, |v| values.get(&v).cloned().expect("read above")))
    }

    fn wrong(&self, pool: &TermPool, t: Term, what: &str) -> SolverError {
        const LONGEST: usize = 300;
        let mut text = trellis_solver_smtlib::print::term(pool, t);
        if text.len() > LONGEST {
            let end = (0..=LONGEST).rev().find(|&i| text.is_char_boundary(i));
            text.truncate(end.unwrap_or(0));
            text += " ...";
        }
        SolverError::Backend {
            solver: self.inner.signature().into(),
            message: format!("wrong model: {text} {what}"),
        }
    }

    fn check_model(&mut self, pool: &TermPool, assumptions: &[Term]) -> Result<()> {
        let asserted = self.levels.iter().flatten();
        let roots: Vec<Term> = asserted.chain(assumptions).copied().collect();
        for t in roots {
            if self.evaluate(pool, t)? != Value::Bool(true) {
                return Err(self.wrong(pool, t, "is false"));
            }
        }
        Ok(())
    }

    fn forget_model(&mut self) {
        self.values.clear();
        self.evaluator.new_round();
    }
}

impl SmtSession for Validated {
    trellis_solver_api::delegate_smt!(inner: signature capabilities level unsat_core set_kind set_limits interrupter stats);

    fn assert(&mut self, pool: &TermPool, t: Term) -> Result<()> {
        self.inner.assert(pool, t)?;
        self.levels
            .last_mut()
            .expect("level 0 is always there")
            .push(t);
        Ok(())
    }

    fn push(&mut self) -> Result<()> {
        self.inner.push()?;
        self.levels.push(Vec::new());
        Ok(())
    }

    fn pop(&mut self, levels: usize) -> Result<()> {
        self.inner.pop(levels)?;
        self.levels.truncate(self.levels.len() - levels);
        Ok(())
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Result<Answer> {
        self.forget_model();
        let answer = self.inner.check(pool, assumptions)?;
        if answer.is_sat() && self.capabilities().contains(Capabilities::MODELS) {
            self.check_model(pool, assumptions)?;
        }
        Ok(answer)
    }

    fn value(&mut self, pool: &TermPool, t: Term) -> Result<Value> {
        let value = self.inner.value(pool, t)?;
        if self.evaluate(pool, t)? != value {
            return Err(self.wrong(pool, t, "has a value that its variables do not give"));
        }
        Ok(value)
    }

    fn generalize(&mut self, pool: &mut TermPool, formulas: &[Term], keep: &[Var]) -> Result<Term> {
        let t = self.inner.generalize(pool, formulas, keep)?;
        match self.evaluate(pool, t)? {
            Value::Bool(true) => Ok(t),
            _ => Err(self.wrong(pool, t, "generalises the model and is false in it")),
        }
    }

    fn interpolate(&mut self, pool: &mut TermPool, a: Term, b: Term) -> Result<Option<Term>> {
        self.forget_model();
        self.inner.interpolate(pool, a, b)
    }
}
