//! Blocking: obligations are refuted by all edges that enter their location, or handed on to one that does not; what
//! is refuted is generalised and learnt, and moved up where it holds.

use crate::obligation::{Id, Obligation};
use crate::query::Step;
use crate::{Mode, Run};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use trellis_engine_common::ask;
use trellis_ivl::{Edge, Loc, Term, Value, Var};
use trellis_plugin_sdk::EngineError;
use trellis_solver_api::smt::QueryKind;

/// Whether a cube is entered from the frames of a level.
pub(crate) enum Entered {
    /// By this edge; its model can be read.
    By(Edge),
    /// By none, because of these literals, sorted.
    No(Vec<Term>),
}

impl Run<'_> {
    /// Whether an edge leads from the frames of `level - 1` into `cube` at `loc`.
    pub(crate) fn entered(
        &mut self,
        loc: Loc,
        level: u32,
        cube: &[Term],
        kind: QueryKind,
    ) -> Result<Entered, EngineError> {
        let mut core = BTreeSet::new();
        for e in self.incoming.get(&loc).cloned().unwrap_or_default() {
            let from = self.cfa.program.edges[e].from;
            let step = self
                .queries
                .step(self.cfa, e, level - 1, cube, from == loc, kind)?;
            match step {
                Step::Leads => return Ok(Entered::By(e)),
                Step::Refuted(needed) => core.extend(needed),
            }
        }
        Ok(Entered::No(core.into_iter().collect()))
    }

    /// Blocks an obligation, or adds the one before it; the latter where it is at the entry.
    pub(crate) fn handle(&mut self, level: u32, id: Id) -> Result<Option<Id>, EngineError> {
        let obligation = self.obligations.get(id);
        let (loc, cube) = (obligation.loc, obligation.cube.clone());
        if self.frames.blocks(loc, level, &cube) {
            self.again(id, level);
            return Ok(None);
        }
        match self.entered(loc, level, &cube, "induction")? {
            Entered::No(core) => {
                let lemma = self.generalise(loc, level, &core)?;
                self.learn(loc, level, &lemma)?;
                self.again(id, level);
                Ok(None)
            }
            Entered::By(e) => {
                if self.options.mode == Mode::CtigarEager {
                    let state = self.obligations.get(id).state.clone();
                    let inputs = self.read(e)?;
                    if let Some(core) = self.separate_state(loc, level, &state)? {
                        self.learn(loc, level, &core)?;
                        self.again(id, level);
                        return Ok(None);
                    }
                    let derived = self.derive_from(e, Some(id), inputs)?;
                    return Ok(self.hand_on(level, id, derived));
                }
                let derived = self.derive(e, Some(id))?;
                Ok(self.hand_on(level, id, derived))
            }
        }
    }

    fn hand_on(&mut self, level: u32, id: Id, derived: Id) -> Option<Id> {
        if self.obligations.get(derived).loc == self.cfa.program.entry() {
            return Some(derived);
        }
        self.obligations.enqueue(derived, level - 1);
        self.obligations.enqueue(id, level);
        None
    }

    /// An obligation that is blocked is one of the next level.
    fn again(&mut self, id: Id, level: u32) {
        if level < self.bound {
            self.obligations.enqueue(id, level + 1);
        }
    }

    /// Drops literals as long as no edge enters the cube.
    fn generalise(
        &mut self,
        loc: Loc,
        level: u32,
        core: &[Term],
    ) -> Result<Vec<Term>, EngineError> {
        let mut cube = core.to_vec();
        // The core of several edges need not refute a loop without the literals that went.
        if let Entered::By(_) = self.entered(loc, level, &cube, "generalise")? {
            return Err(trellis_solver_api::SolverError::Backend {
                solver: self.queries.session.signature().into(),
                message: "a core of literals has a model".into(),
            }
            .into());
        }
        let (mut i, mut misses) = (cube.len(), 0);
        while i > 0 && misses < self.options.drop_limit {
            i -= 1;
            let mut fewer = cube.clone();
            fewer.remove(i);
            match self.entered(loc, level, &fewer, "generalise")? {
                Entered::No(core) => {
                    cube = core;
                    i = i.min(cube.len());
                }
                Entered::By(_) => misses += 1,
            }
        }
        Ok(cube)
    }

    pub(crate) fn learn(&mut self, loc: Loc, level: u32, cube: &[Term]) -> Result<(), EngineError> {
        if self.frames.learn(loc, level, cube) {
            self.queries.block(self.cfa, loc, level, cube)?;
        }
        Ok(())
    }

    /// Moves lemmas to the next level where they hold there; a level that has no lemma of its own any more.
    pub(crate) fn propagate(&mut self) -> Result<Option<u32>, EngineError> {
        for level in 1..=self.bound {
            for (loc, cube) in self.frames.of_level(level) {
                self.check_cancelled()?;
                if let Entered::No(_) = self.entered(loc, level + 1, &cube, "propagate")? {
                    self.learn(loc, level + 1, &cube)?;
                }
            }
            if self.frames.of_level(level).is_empty() {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    /// State and inputs of the model of a query of `e`.
    fn read(&mut self, e: Edge) -> Result<(State, State), EngineError> {
        let from = self.cfa.program.edges[e].from;
        let live = self.cfa.live(from).to_vec();
        let inputs = self.cfa.transfer(e).inputs.clone();
        let state = self.queries.values(self.cfa, &live)?;
        let inputs = self.queries.values(self.cfa, &inputs)?;
        Ok((state, inputs))
    }

    /// The obligation before `e`, whose query has a model.
    pub(crate) fn derive(&mut self, e: Edge, parent: Option<Id>) -> Result<Id, EngineError> {
        let model = self.read(e)?;
        self.derive_from(e, parent, model)
    }

    fn derive_from(
        &mut self,
        e: Edge,
        parent: Option<Id>,
        (state, inputs): (State, State),
    ) -> Result<Id, EngineError> {
        let loc = self.cfa.program.edges[e].from;
        let astray = self.astray(e, parent, &inputs);
        let cube = self.valuation(loc, &state);
        let mut lifted = self.lift(&cube, astray)?;
        if lifted.is_none()
            && self.options.mode == Mode::CtigarEager
            && self.separate_step(loc, &state, astray)?
        {
            let cube = self.valuation(loc, &state);
            lifted = self.lift(&cube, astray)?;
        }
        let exact = lifted.is_some();
        let cube = match lifted {
            Some(cube) => cube,
            None => self.valuation(loc, &state),
        };
        Ok(self.obligations.add(Obligation {
            loc,
            cube,
            state,
            inputs,
            exact,
            edge: e,
            parent,
        }))
    }

    /// The states that do not take `e` into the parent's cube with these inputs.
    pub(crate) fn astray(&mut self, e: Edge, parent: Option<Id>, inputs: &State) -> Term {
        let mut parts = vec![self.cfa.transfer(e).guard];
        if let Some(parent) = parent {
            for t in self.obligations.get(parent).cube.clone() {
                parts.push(self.cfa.after(e, t));
            }
        }
        let pool = &mut self.cfa.program.pool;
        let map: FxHashMap<Var, Term> = inputs
            .iter()
            .map(|(&v, value)| (v, pool.value(value)))
            .collect();
        let all = pool.and_all(parts);
        let all = pool.substitute(all, &map);
        pool.not(all)
    }

    /// The predicates of `loc` as literals that hold in `state`, sorted.
    pub(crate) fn valuation(&mut self, loc: Loc, state: &State) -> Vec<Term> {
        self.evaluator.new_round();
        let mut cube = Vec::new();
        for &t in self.predicates.get(&loc).into_iter().flatten() {
            let pool = &self.cfa.program.pool;
            let value = |v: Var| match state.get(&v) {
                Some(value) => value.clone(),
                None => Value::zero(pool.var_ty(v)),
            };
            let holds = self.evaluator.eval(pool, t, value) == Value::Bool(true);
            cube.push(if holds {
                t
            } else {
                self.cfa.program.pool.not(t)
            });
        }
        cube.sort_unstable();
        cube
    }

    /// Literals of `cube` that keep all their states from going astray; `None` where not even all do.
    fn lift(&mut self, cube: &[Term], astray: Term) -> Result<Option<Vec<Term>>, EngineError> {
        let pool = &self.cfa.program.pool;
        match pool.as_bool(astray) {
            Some(false) => return Ok(Some(Vec::new())),
            Some(true) => return Ok(None),
            None => {}
        }
        self.queries.session.set_kind("lift");
        let mut query = cube.to_vec();
        query.push(astray);
        if ask(self.queries.session, pool, &query)? {
            return Ok(None);
        }
        let mut core = self.queries.session.unsat_core()?;
        core.retain(|t| *t != astray || cube.binary_search(t).is_ok());
        core.retain(|t| cube.binary_search(t).is_ok());
        core.sort_unstable();
        core.dedup();
        Ok(Some(core))
    }
}

/// Values of variables.
pub(crate) type State = FxHashMap<Var, Value>;
