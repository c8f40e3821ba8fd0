//! Linear equations between the variables at loop heads, found by models.
//!
//! Symbolic abstraction (Reps, Sagiv, Yorsh, VMCAI'04; for equations modulo 2^w Elder, Lim, Sharma, Andersen,
//! Reps, TOPLAS'14): a model of a step that leaves the spaces found so far is joined to them, until there
//! is none. Every join takes away an equation or a bit of one, so few models are needed. What is found
//! is 1-inductive together with the facts that the session knows.

use crate::space::Space;
use std::collections::BTreeMap;
use trellis_engine_common::unroll::Env;
use trellis_engine_common::{Base, Cfa, EngineError, Induction, State, try_ask};
use trellis_ivl::{Loc, Term, Type, Value, Var};
use trellis_solver_api::smt::SmtSession;

/// More variables of one width than this are related to no others.
const MAX_VARS: usize = 24;
/// Models at most; whoever needs more has no equations worth having.
const MAX_MODELS: usize = 400;

/// The spaces of one head by width; `None` while it is not reached.
type Spaces = Option<Vec<Space>>;

/// The variables of a head that are related, by width.
fn groups(cfa: &Cfa, head: Loc) -> Vec<(u32, Vec<Var>)> {
    let mut groups: BTreeMap<u32, Vec<Var>> = BTreeMap::new();
    for &v in cfa.live(head) {
        if let Type::Bv(w @ 2..=64) = cfa.program.pool.var_ty(v) {
            groups.entry(w).or_default().push(v);
        }
    }
    groups.retain(|_, vars| vars.len() > 1);
    for vars in groups.values_mut() {
        vars.truncate(MAX_VARS);
    }
    groups.into_iter().collect()
}

struct Search<'a> {
    cfa: &'a mut Cfa,
    session: &'a mut dyn SmtSession,
    found: BTreeMap<Loc, Spaces>,
    models: usize,
}

/// Equations that hold at every visit of the heads, as facts; `false` for heads that are not reached. None where
/// the solver gives up.
pub fn infer(
    cfa: &mut Cfa,
    session: &mut dyn SmtSession,
    base: &Base,
    step: &Induction,
) -> Result<Vec<(Loc, Term)>, EngineError> {
    session.set_kind("equations");
    let found = cfa.heads().iter().map(|&h| (h, None)).collect();
    let mut search = Search {
        cfa,
        session,
        found,
        models: 0,
    };
    for layer in 0..=1 {
        let front = base.unrolling.front(layer);
        if !search.cover(&[], front)? {
            return Ok(Vec::new());
        }
    }
    loop {
        let before = search.models;
        let hypothesis = search.hypothesis(step.unrolling.front(0));
        if !search.cover_once(&hypothesis, step.unrolling.front(1))? {
            return Ok(Vec::new());
        }
        if search.models == before {
            return Ok(search.facts());
        }
    }
}

impl Search<'_> {
    /// Joins states of `front` under `assumed` until none is left; false where the effort is too much.
    fn cover(
        &mut self,
        assumed: &[Term],
        front: &BTreeMap<Loc, State>,
    ) -> Result<bool, EngineError> {
        loop {
            let before = self.models;
            if !self.cover_once(assumed, front)? {
                return Ok(false);
            }
            if self.models == before {
                return Ok(true);
            }
        }
    }

    /// Joins one state of `front`, if one is left.
    fn cover_once(
        &mut self,
        assumed: &[Term],
        front: &BTreeMap<Loc, State>,
    ) -> Result<bool, EngineError> {
        let mut outside = Vec::new();
        for (head, state) in front {
            let Some(spaces) = self.found.get(head) else {
                continue;
            };
            let pool = &mut self.cfa.program.pool;
            let inside = match spaces {
                Some(spaces) => {
                    let equations = spaces
                        .iter()
                        .flat_map(|s| s.equations(pool, |_, v| state.env[&v]))
                        .collect::<Vec<_>>();
                    pool.and_all(equations)
                }
                None => pool.fls(),
            };
            let not_inside = pool.not(inside);
            outside.push(pool.and(state.guard, not_inside));
        }
        let mut query = assumed.to_vec();
        query.push(self.cfa.program.pool.or_all(outside));
        match try_ask(self.session, &self.cfa.program.pool, &query)? {
            Some(true) => {}
            Some(false) => return Ok(true),
            None => return Ok(false),
        }
        self.models += 1;
        let mut points = Vec::new();
        for (&head, state) in front {
            if !self.found.contains_key(&head)
                || self.session.value(&self.cfa.program.pool, state.guard)? != Value::Bool(true)
            {
                continue;
            }
            for (width, vars) in groups(self.cfa, head) {
                let point = self.point(&state.env, &vars)?;
                points.push((head, width, vars, point));
            }
            if self.found[&head].is_none() {
                self.found.insert(head, Some(Vec::new()));
            }
        }
        for (head, width, vars, point) in points {
            let spaces = self.found.get_mut(&head).and_then(Option::as_mut);
            let spaces = spaces.expect("the head is reached");
            match spaces.iter_mut().find(|s| s.vars() == vars) {
                Some(space) => space.join(&point),
                None => spaces.push(Space::point(width, vars, &point)),
            }
        }
        Ok(self.models <= MAX_MODELS)
    }

    fn point(&mut self, env: &Env, vars: &[Var]) -> Result<Vec<u64>, EngineError> {
        let mut point = Vec::with_capacity(vars.len());
        for v in vars {
            let value = self.session.value(&self.cfa.program.pool, env[v])?;
            let number = value.as_bv().and_then(|b| b.to_u64());
            point.push(number.expect("at most 64 bits"));
        }
        Ok(point)
    }

    /// That every state of `front` is in the spaces.
    fn hypothesis(&mut self, front: &BTreeMap<Loc, State>) -> Vec<Term> {
        let mut assumed = Vec::new();
        for (head, state) in front {
            let pool = &mut self.cfa.program.pool;
            match &self.found[head] {
                None => assumed.push(pool.not(state.guard)),
                Some(spaces) => {
                    for e in spaces
                        .iter()
                        .flat_map(|s| s.equations(pool, |_, v| state.env[&v]))
                        .collect::<Vec<_>>()
                    {
                        assumed.push(pool.implies(state.guard, e));
                    }
                }
            }
        }
        assumed
    }

    fn facts(&mut self) -> Vec<(Loc, Term)> {
        let mut facts = Vec::new();
        let pool = &mut self.cfa.program.pool;
        for (&head, spaces) in &self.found {
            match spaces {
                None => facts.push((head, pool.fls())),
                Some(spaces) => {
                    for s in spaces {
                        let equations = s.equations(pool, |pool, v| pool.var(v));
                        facts.extend(equations.into_iter().map(|e| (head, e)));
                    }
                }
            }
        }
        facts
    }
}
