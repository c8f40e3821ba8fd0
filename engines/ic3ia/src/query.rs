//! Queries in one session: can an edge lead from a frame into a cube?
//!
//! Implicit abstraction asks for states with the same predicate values as two states that a concrete edge
//! connects (EQ(X, Y) in the paper). Frames and cubes here are made of predicates only, so those formulas are equal on X
//! and Y, and the copies fall away: a query is the concrete one. There are no primed variables either: a literal
//! after an edge is the literal with the edge's updates substituted.

use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use trellis_engine_common::{Cfa, ask};
use trellis_ivl::{Edge, Loc, Term, Type, Value, Var};
use trellis_plugin_sdk::EngineError;
use trellis_solver_api::smt::{QueryKind, SmtSession};

/// The session and what it knows.
pub(crate) struct Queries<'a> {
    pub session: &'a mut dyn SmtSession,
    /// The activation literal of each level of a location; each implies the next.
    levels: BTreeMap<Loc, Vec<Term>>,
}

/// What an edge does with a cube.
pub(crate) enum Step {
    /// It leads there; the model can be read.
    Leads,
    /// It does not, because of these literals.
    Refuted(Vec<Term>),
}

impl<'a> Queries<'a> {
    pub fn new(session: &'a mut dyn SmtSession) -> Queries<'a> {
        Queries {
            session,
            levels: BTreeMap::new(),
        }
    }

    fn level(&mut self, cfa: &mut Cfa, loc: Loc, level: u32) -> Result<Term, EngineError> {
        let known = self.levels.entry(loc).or_default();
        let pool = &mut cfa.program.pool;
        while known.len() <= level as usize {
            let v = pool.fresh(format!("frame{}", known.len()), Type::Bool);
            let t = pool.var(v);
            if let Some(&below) = known.last() {
                let link = pool.implies(below, t);
                self.session.assert(pool, link)?;
            }
            known.push(t);
        }
        Ok(known[level as usize])
    }

    /// Tells the session that `cube` is blocked at `loc` up to `level`.
    pub fn block(
        &mut self,
        cfa: &mut Cfa,
        loc: Loc,
        level: u32,
        cube: &[Term],
    ) -> Result<(), EngineError> {
        let active = self.level(cfa, loc, level)?;
        let pool = &mut cfa.program.pool;
        let cube = pool.and_all(cube.iter().copied());
        let clause = pool.not(cube);
        let held = pool.implies(active, clause);
        Ok(self.session.assert(pool, held)?)
    }

    /// The states before `e` within the frame of `level`, that take it: as assumptions.
    pub fn source(
        &mut self,
        cfa: &mut Cfa,
        e: Edge,
        level: u32,
    ) -> Result<Option<Vec<Term>>, EngineError> {
        let from = cfa.program.edges[e].from;
        let guard = cfa.transfer(e).guard;
        let mut query = vec![guard];
        if from != cfa.program.entry() {
            if level == 0 {
                return Ok(None);
            }
            query.push(self.level(cfa, from, level)?);
        }
        query.retain(|&t| cfa.program.pool.as_bool(t) != Some(true));
        Ok(Some(query))
    }

    /// Whether `e` leads from the frame of `level` into `cube`; with `outside`, from states outside of it only.
    pub fn step(
        &mut self,
        cfa: &mut Cfa,
        e: Edge,
        level: u32,
        cube: &[Term],
        outside: bool,
        kind: QueryKind,
    ) -> Result<Step, EngineError> {
        let Some(mut query) = self.source(cfa, e, level)? else {
            return Ok(Step::Refuted(Vec::new()));
        };
        if outside {
            let pool = &mut cfa.program.pool;
            let inside = pool.and_all(cube.iter().copied());
            query.push(pool.not(inside));
        }
        let mut literals: FxHashMap<Term, Term> = FxHashMap::default();
        for &t in cube {
            let after = cfa.after(e, t);
            match cfa.program.pool.as_bool(after) {
                Some(true) => {}
                Some(false) => return Ok(Step::Refuted(vec![t])),
                None => {
                    literals.entry(after).or_insert(t);
                    query.push(after);
                }
            }
        }
        self.session.set_kind(kind);
        if ask(self.session, &cfa.program.pool, &query)? {
            return Ok(Step::Leads);
        }
        if query
            .iter()
            .any(|&t| cfa.program.pool.as_bool(t) == Some(false))
        {
            return Ok(Step::Refuted(Vec::new()));
        }
        let core = self.session.unsat_core()?;
        let needed = core.into_iter().filter_map(|t| literals.get(&t).copied());
        Ok(Step::Refuted(needed.collect()))
    }

    /// The values of `vars` in the model.
    pub fn values(
        &mut self,
        cfa: &mut Cfa,
        vars: &[Var],
    ) -> Result<FxHashMap<Var, Value>, EngineError> {
        let mut values = FxHashMap::default();
        for &v in vars {
            let t = cfa.program.pool.var(v);
            let value = self.session.value(&cfa.program.pool, t)?;
            values.insert(v, value);
        }
        Ok(values)
    }
}
