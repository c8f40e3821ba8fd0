//! From an obligation at the entry to an execution.
//!
//! Every state of an obligation's region reaches its parent's through the edge between them, so an execution is found forwards, one
//! small query per step for the inputs; no backtracking.

use crate::model::{Eval, Model};
use crate::obligation::Id;
use crate::run::Run;
use trellis_plugin_sdk::EngineError;
use trellis_plugin_sdk::ivl::{Evaluator, LocKind, Step, Term, Trace, replay};

impl Run<'_> {
    /// The execution that begins in the region of obligation `first`, at the entry.
    pub(crate) fn trace(&mut self, first: Id) -> Result<Trace, EngineError> {
        let mut state = (*self.obligations.get(first).witness).clone();
        let mut trace = Trace::default();
        for v in self.program.program_vars().collect::<Vec<_>>() {
            if let Some(value) = state.known(v) {
                trace.initial.insert(v, value.clone());
            }
        }
        for id in self.obligations.path(first) {
            state = self.step(id, &state, &mut trace)?;
        }
        let end = replay(self.program, &trace)
            .map_err(|e| EngineError::Internal(format!("the trace does not replay: {e}")))?;
        if self.program.locs[end].kind == LocKind::Plain {
            return Err(EngineError::Internal(format!("the trace ends at {end}")));
        }
        Ok(trace)
    }

    /// Takes the edge of obligation `id` from `state` into the parent's region.
    fn step(&mut self, id: Id, state: &Model, trace: &mut Trace) -> Result<Model, EngineError> {
        let obligation = self.obligations.get(id);
        let edge = obligation.edge;
        let parent = obligation.parent;
        let cube = parent.map_or_else(Vec::new, |p| self.obligations.get(p).cube.clone());
        // Every variable has a value now; what the trace does not mention starts at zero.
        let mut whole = Model::default();
        for v in self.program.program_vars().collect::<Vec<_>>() {
            whole.set(v, state.get(&self.program.pool, v));
        }
        let transfer = self.cfa.transfer(edge).clone();
        let known = whole.as_map(&mut self.program.pool);
        let mut terms = vec![transfer.guard];
        for literal in cube {
            terms.push(transfer.after(&mut self.program.pool, literal));
        }
        let pool = &mut self.program.pool;
        let terms: Vec<Term> = terms.iter().map(|&t| pool.substitute(t, &known)).collect();
        let (queries, mut on) = self.queries();
        let Some(inputs) = queries.satisfy(&mut on, &terms)? else {
            return Err(EngineError::Internal(format!(
                "the trace ends before {edge}"
            )));
        };
        for &v in &transfer.inputs {
            let value = inputs.get(&self.program.pool, v);
            whole.set(v, value);
        }
        let pool = &self.program.pool;
        let (choices, values) = transfer.decode(|v| whole.get(pool, v));
        trace.steps.push(Step {
            edge,
            choices,
            inputs: values,
        });
        let mut evaluator = Evaluator::new();
        let mut eval = Eval::new(&mut evaluator, &whole);
        let mut next = whole.state(self.program);
        for (&v, &t) in &transfer.updates {
            next.set(v, eval.value(pool, t));
        }
        Ok(next)
    }
}
