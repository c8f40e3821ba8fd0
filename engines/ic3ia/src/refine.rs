//! New predicates: from interpolants of a path, or from single obligations.
//!
//! With interpolants a refuted path never comes back: along it every cube is a valuation, or a part of one all of
//! whose states go on, so by induction each has a state in the interpolant of its place, and the last one has none
//! that takes the last edge. Refinement from obligations gives no such promise for a whole path; when a path comes back,
//! interpolants refute it for good.

use crate::block::{Entered, State};
use crate::obligation::Id;
use crate::{Mode, Run};
use trellis_engine_common::refinement::atoms::{atom, atoms};
use trellis_engine_common::refinement::core::refuting;
use trellis_engine_common::refinement::vocabulary::templates;
use trellis_engine_common::refinement::{Interpolation, Path, no_progress};
use trellis_ivl::{Loc, Scope, Term, Value, Var};
use trellis_plugin_sdk::{EngineError, Verdict};

impl Run<'_> {
    /// Finds predicates that refute a spurious counterexample, which was refuted so many `times`.
    pub(crate) fn refine(
        &mut self,
        ids: &[Id],
        path: &Path,
        core: &[Term],
        times: u32,
    ) -> Result<Option<Verdict>, EngineError> {
        if self.options.mode != Mode::Implicit && times == 1 && self.refine_obligations(ids)? {
            return Ok(None);
        }
        let last_time = match self.options.mode {
            Mode::Implicit => 1,
            _ => 2,
        };
        if times > last_time {
            return Ok(Some(no_progress("a refuted counterexample came back")));
        }
        let sequence = self.judge.interpolants(path, core, |ssa| Interpolation {
            cfa: self.cfa,
            session: self.queries.session,
            vocabulary: &self.vocabulary,
            sources: self.options.sources(),
            source: self.options.interpolants,
            ssa,
            in_use: &self.predicates,
        })?;
        let sequence = match sequence {
            Ok(sequence) => sequence,
            Err(verdict) => return Ok(Some(verdict)),
        };
        for (k, &e) in path.edges.iter().enumerate() {
            let loc = self.cfa.program.edges[e].from;
            let atoms = sequence[k].atoms(&mut self.cfa.program.pool);
            self.track(loc, atoms);
        }
        Ok(None)
    }

    /// Adds predicates of a location; whether one is new.
    fn track(&mut self, loc: Loc, atoms: Vec<Term>) -> bool {
        if self.faults.forget {
            return false;
        }
        let own = self.predicates.entry(loc).or_default();
        let before = own.len();
        for t in atoms {
            if !own.contains(&t) {
                own.push(t);
            }
        }
        own.len() > before
    }

    /// Whether single obligations may give no more predicates of `loc`: each is special to one state, and all of them are in
    /// every cube.
    fn is_full(&self, loc: Loc) -> bool {
        let known = self.predicates.get(&loc).map_or(0, Vec::len);
        let limit = self.options.max_predicates;
        limit.is_some_and(|limit| known >= limit as usize)
    }

    /// Refines every obligation that stands for states that go elsewhere; whether there is a new predicate.
    fn refine_obligations(&mut self, ids: &[Id]) -> Result<bool, EngineError> {
        let mut found = false;
        for &id in ids {
            let obligation = self.obligations.get(id);
            if obligation.exact {
                continue;
            }
            let (loc, state) = (obligation.loc, obligation.state.clone());
            let (edge, parent, inputs) = (
                obligation.edge,
                obligation.parent,
                obligation.inputs.clone(),
            );
            let astray = self.astray(edge, parent, &inputs);
            found |= self.separate_step(loc, &state, astray)?;
        }
        Ok(found)
    }

    /// Predicates that tell `state` from the states that go `astray`; whether one is new.
    pub(crate) fn separate_step(
        &mut self,
        loc: Loc,
        state: &State,
        astray: Term,
    ) -> Result<bool, EngineError> {
        if self.is_full(loc) {
            return Ok(false);
        }
        let pool = &mut self.cfa.program.pool;
        let mut vars = pool.free_vars([astray]);
        vars.retain(|&v| state.contains_key(&v) && pool.var_data(v).scope != Scope::Auxiliary);
        let mut words = self.vocabulary.about(pool, &vars);
        words.extend(atoms(pool, astray));
        self.queries.session.set_kind("separate");
        for exact in [false, true] {
            let literals = self.literals(loc, &vars, &words, state, exact);
            let pool = &self.cfa.program.pool;
            if let Some(core) = refuting(self.queries.session, pool, &[astray], &literals)? {
                let pool = &mut self.cfa.program.pool;
                let atoms = core.into_iter().map(|t| atom(pool, t)).collect();
                return Ok(self.track(loc, atoms));
            }
        }
        Ok(false)
    }

    /// Literals that hold in `state` and that no edge enters from the frames of `level - 1`, though one enters
    /// the abstract state; their predicates are tracked.
    pub(crate) fn separate_state(
        &mut self,
        loc: Loc,
        level: u32,
        state: &State,
    ) -> Result<Option<Vec<Term>>, EngineError> {
        if self.is_full(loc) {
            return Ok(None);
        }
        let live: Vec<Var> = self.cfa.live(loc).to_vec();
        let words = self.vocabulary.about(&mut self.cfa.program.pool, &live);
        // Words of the program are worth more than values: a value is a predicate of one state.
        for exact in [false, true] {
            let mut literals = self.literals(loc, &live, &words, state, exact);
            literals.sort_unstable();
            literals.dedup();
            let Entered::No(core) = self.entered(loc, level, &literals, "separate")? else {
                continue;
            };
            let core = match self.entered(loc, level, &core, "separate")? {
                Entered::No(smaller) => smaller,
                Entered::By(_) => core,
            };
            let pool = &mut self.cfa.program.pool;
            let atoms = core.iter().map(|&t| atom(pool, t)).collect();
            self.track(loc, atoms);
            return Ok(Some(core));
        }
        Ok(None)
    }

    /// Literals that hold in `state`: of the predicates of `loc`, of `words`, and with `exact` of its values.
    fn literals(
        &mut self,
        loc: Loc,
        vars: &[Var],
        words: &[Term],
        state: &State,
        exact: bool,
    ) -> Vec<Term> {
        let mut literals = self.valuation(loc, state);
        self.evaluator.new_round();
        for &t in words {
            let pool = &self.cfa.program.pool;
            let known = pool.free_vars([t]).iter().all(|v| state.contains_key(v));
            if !known {
                continue;
            }
            let holds = self.evaluator.eval(pool, t, |v| state[&v].clone()) == Value::Bool(true);
            literals.push(if holds {
                t
            } else {
                self.cfa.program.pool.not(t)
            });
        }
        if exact {
            let (_, values) = templates(&mut self.cfa.program.pool, vars, state);
            literals.extend(values);
            let pool = &mut self.cfa.program.pool;
            let mut known = vars.to_vec();
            known.sort_unstable();
            literals.extend(self.vocabulary.cells_at(pool, &known, state));
        }
        let mut seen = rustc_hash::FxHashSet::default();
        literals.retain(|&t| seen.insert(t));
        literals
    }
}
