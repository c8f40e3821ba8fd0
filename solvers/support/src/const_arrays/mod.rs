//! Constant arrays for a solver that has arrays without them.
//!
//! Each constant array becomes a variable `k`, and `k[i] = e` is asserted for every index term `i` that
//! is linked to it by stores, if-then-elses and equations (complete instantiation in the manner of
//! Bradley, Manna and Sipma, "What's decidable about arrays?", VMCAI 2006). Instances are true of the
//! constant array, so an unsatisfiable answer stands. A model is repaired at the indices no term names
//! and then evaluated by the IVL; when two different constant arrays are linked, an index that separates
//! them is added and the solver asked again. Index types are finite, so this ends.
//!
//! The wrapper keeps a pool of its own, because a session may not add terms to its caller's.

mod lowering;
mod repair;

use crate::ModelCache;
use lowering::Lowering;
use repair::{Repair, repair};
use rustc_hash::{FxHashMap, FxHashSet};
use trellis_ivl::walk::Importer;
use trellis_ivl::{Op, Term, TermPool, Value, Var};
use trellis_solver_api::smt::{QueryKind, SmtSession, SmtStats};
use trellis_solver_api::{
    Answer, Capabilities, Result, SessionState, SmtBooks, SolverError, StopClock, UnknownReason,
    delegate_smt,
};

/// Rounds of separating linked constant arrays before a query is given up.
const MAX_ROUNDS: usize = 1 << 12;

/// A session over a solver without constant arrays.
pub struct ConstArrays {
    inner: Box<dyn SmtSession>,
    lowering: Lowering,
    /// Source terms asserted and instances asserted, per level.
    levels: Vec<Level>,
    pending: Vec<Term>,
    /// The last assumptions: copy and source.
    assumptions: Vec<(Term, Term)>,
    model: ModelCache,
    books: SmtBooks,
}

#[derive(Default)]
struct Level {
    asserted: Vec<Term>,
    instances: Vec<Term>,
}

impl ConstArrays {
    /// Wraps a session with nothing asserted.
    pub fn new(inner: Box<dyn SmtSession>) -> ConstArrays {
        ConstArrays {
            books: SmtBooks::new(inner.interrupter()),
            inner,
            lowering: Lowering::default(),
            levels: vec![Level::default()],
            pending: Vec::new(),
            assumptions: Vec::new(),
            model: ModelCache::new(),
        }
    }

    fn run(&mut self, pool: &TermPool, assumptions: &[Term], clock: &StopClock) -> Result<Answer> {
        self.model.clear();
        self.assumptions.clear();
        for &a in assumptions {
            let copy = self.lowering.lower(pool, a);
            self.assumptions.push((copy, a));
        }
        let lowered: Vec<Term> = self.assumptions.iter().map(|&(copy, _)| copy).collect();
        for _ in 0..MAX_ROUNDS {
            self.pending.extend(self.lowering.new_instances());
            for instance in self.pending.split_off(0) {
                self.inner.assert(&self.lowering.pool, instance)?;
                let level = self.levels.last_mut().expect("level 0 is never closed");
                level.instances.push(instance);
            }
            self.inner.set_limits(clock.remaining(&self.books.limits));
            let answer = self.inner.check(&self.lowering.pool, &lowered)?;
            if answer != Answer::Sat || self.lowering.bases.is_empty() {
                return Ok(answer);
            }
            if self.complete(pool)? {
                return Ok(Answer::Sat);
            }
            if let Some(reason) = clock.stop_reason() {
                return Ok(Answer::Unknown(reason));
            }
        }
        let why = "linked constant arrays over too many indices".to_string();
        Ok(Answer::Unknown(UnknownReason::Incomplete(why)))
    }

    /// Whether the model of the solver becomes one of the source terms. When it does not, there are new
    /// instances.
    fn complete(&mut self, pool: &TermPool) -> Result<bool> {
        let mut formulas: Vec<Term> = self.assumptions.iter().map(|&(copy, _)| copy).collect();
        let mut sources: Vec<Term> = self.assumptions.iter().map(|&(_, source)| source).collect();
        for level in &self.levels {
            formulas.extend(&level.instances);
            for &t in &level.asserted {
                formulas.push(self.lowering.lower(pool, t));
                sources.push(t);
            }
        }
        let mut values = FxHashMap::default();
        for v in self.lowering.pool.free_vars(formulas.iter().copied()) {
            let t = self.lowering.pool.var(v);
            values.insert(v, self.inner.value(&self.lowering.pool, t)?);
        }
        match repair(&mut self.lowering, &formulas, |v| known(&values, v)) {
            Repair::Done(changes) => values.extend(changes),
            Repair::Split(indices) => {
                for (array, index) in indices {
                    let index = self.lowering.pool.bv(index);
                    self.lowering.add_constant_index(array, index);
                }
                return Ok(false);
            }
        }
        for (v, value) in values {
            if let Some(source) = self.lowering.source_var(v) {
                self.model.insert(source, value);
            }
        }
        for t in sources {
            if self.read(pool, t)? != Value::Bool(true) {
                return Err(SolverError::Backend {
                    solver: self.inner.signature().into(),
                    message: "a model does not satisfy what was asserted, after completion of \
                              constant arrays"
                        .into(),
                });
            }
        }
        Ok(true)
    }

    fn read(&mut self, pool: &TermPool, t: Term) -> Result<Value> {
        let (lowering, inner) = (&mut self.lowering, &mut self.inner);
        self.model.value(pool, t, |vars| {
            let mut read = |&v: &Var| {
                let Some(ours) = lowering.lowered_var(v) else {
                    return Ok(None);
                };
                let t = lowering.pool.var(ours);
                inner.value(&lowering.pool, t).map(Some)
            };
            vars.iter().map(&mut read).collect()
        })
    }

    /// The term of our pool as a term of the caller's.
    fn raise(&mut self, pool: &mut TermPool, t: Term) -> Result<Term> {
        let vars = self.lowering.pool.free_vars([t]);
        if let Some(&v) = vars
            .iter()
            .find(|&&v| self.lowering.source_var(v).is_none())
        {
            let name = &self.lowering.pool.var_data(v).name;
            return Err(SolverError::Unsupported {
                solver: self.inner.signature().into(),
                missing: Capabilities::NONE,
                what: format!("a result over constant arrays mentions the symbol `{name}`"),
            });
        }
        let lowering = &self.lowering;
        let mut var =
            |pool: &mut TermPool, v: Var| pool.var(lowering.source_var(v).expect("checked above"));
        Ok(Importer::default().import(pool, &lowering.pool, t, &mut var))
    }

    /// Interpolants and generalisations may not speak of the variables for constant arrays.
    fn refuse_const_arrays(&self, pool: &TermPool, terms: &[Term]) -> Result<()> {
        let mut order = pool.post_order(terms.iter().copied()).into_iter();
        if order.any(|t| pool.op(t) == Op::ConstArray) {
            return Err(SolverError::Unsupported {
                solver: self.inner.signature().into(),
                missing: Capabilities::NONE,
                what: "interpolation and generalisation over constant arrays".into(),
            });
        }
        Ok(())
    }
}

fn known(values: &FxHashMap<Var, Value>, v: Var) -> Value {
    values[&v].clone()
}

impl SmtSession for ConstArrays {
    delegate_smt!(inner: signature capabilities);
    delegate_smt!(books: set_limits interrupter);

    fn assert(&mut self, pool: &TermPool, t: Term) -> Result<()> {
        self.books.state = SessionState::Input;
        let copy = self.lowering.lower(pool, t);
        self.inner.assert(&self.lowering.pool, copy)?;
        let level = self.levels.last_mut().expect("level 0 is never closed");
        level.asserted.push(t);
        Ok(())
    }

    fn push(&mut self) -> Result<()> {
        self.books.state = SessionState::Input;
        self.inner.push()?;
        self.levels.push(Level::default());
        Ok(())
    }

    fn pop(&mut self, levels: usize) -> Result<()> {
        self.inner.pop(levels)?;
        self.books.state = SessionState::Input;
        for level in self.levels.split_off(self.levels.len() - levels) {
            self.pending.extend(level.instances);
        }
        Ok(())
    }

    fn level(&self) -> usize {
        self.levels.len() - 1
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Result<Answer> {
        let query = self.books.begin();
        let answer = self.run(pool, assumptions, &query.clock)?;
        self.books.end(&query, &answer);
        Ok(answer)
    }

    fn value(&mut self, pool: &TermPool, t: Term) -> Result<Value> {
        self.books.state.require_sat("value")?;
        self.read(pool, t)
    }

    fn unsat_core(&mut self) -> Result<Vec<Term>> {
        self.books.state.require_unsat("unsat_core")?;
        let mut core: FxHashSet<Term> = self.inner.unsat_core()?.into_iter().collect();
        let used = |&(copy, source): &(Term, Term)| core.remove(&copy).then_some(source);
        Ok(self.assumptions.iter().filter_map(used).collect())
    }

    fn generalize(&mut self, pool: &mut TermPool, formulas: &[Term], keep: &[Var]) -> Result<Term> {
        self.books.state.require_sat("generalize")?;
        self.refuse_const_arrays(pool, formulas)?;
        let lowered: Vec<Term> = formulas
            .iter()
            .map(|&t| self.lowering.lower(pool, t))
            .collect();
        let keep: Vec<Var> = keep
            .iter()
            .filter_map(|&v| self.lowering.lowered_var(v))
            .collect();
        let t = self
            .inner
            .generalize(&mut self.lowering.pool, &lowered, &keep)?;
        self.raise(pool, t)
    }

    fn interpolate(&mut self, pool: &mut TermPool, a: Term, b: Term) -> Result<Option<Term>> {
        self.books.state = SessionState::Input;
        self.refuse_const_arrays(pool, &[a, b])?;
        let (a, b) = (self.lowering.lower(pool, a), self.lowering.lower(pool, b));
        self.inner.set_limits(self.books.limits);
        match self.inner.interpolate(&mut self.lowering.pool, a, b)? {
            Some(t) => self.raise(pool, t).map(Some),
            None => Ok(None),
        }
    }

    fn set_kind(&mut self, kind: QueryKind) {
        self.books.set_kind(kind);
        self.inner.set_kind(kind);
    }

    fn stats(&self) -> SmtStats {
        SmtStats {
            counters: self.inner.stats().counters,
            ..self.books.stats()
        }
    }
}
