//! Property direction: proof obligations from failed induction.
//!
//! After Beyer and Dangl ("Software Verification with PDR", Alg. 1, KIPDR). A failed step shows a state
//! from which a bad state follows. *Lift* makes it a set of states, all of which lead there: the path's
//! last segment with its inputs fixed to the model's values is a function of the state before it, so the
//! preimage is a formula. (Without fixing them a reachable obligation would prove nothing; and a reachable
//! one is only a hint here, the verdict false comes from the base case with its trace.) *Strengthen* drops
//! conjuncts of the set as long as its complement stays k-inductive.
//!
//! Differs from the paper: obligations begin at the last visit before the bad state, not at the first of
//! the k visits, which keeps their formulas to one segment; an obligation stays below its predecessor until
//! that is blocked, as in IC3; and where a set is not inductive its conjuncts are tried one by one.

use crate::facts::Facts;
use crate::infer::Template;
use rustc_hash::FxHashMap;
use trellis_engine_common::induction::{instantiate, reached};
use trellis_engine_common::{Base, Cfa, Induction, Targets, try_ask};
use trellis_ivl::{Loc, Term, Value, Var};
use trellis_plugin_sdk::EngineError;
use trellis_solver_api::smt::SmtSession;

/// States at a head that lead to an error, as a conjunction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// Where.
    pub head: Loc,
    /// The conjuncts.
    pub cube: Vec<Term>,
}

/// What a failed step leads to at its end.
#[derive(Clone, Copy)]
enum Goal<'a> {
    Targets(Targets),
    States(&'a Obligation),
}

/// What became of an obligation.
enum Attempt {
    /// A fact excludes it now.
    Blocked,
    /// It has this predecessor.
    Predecessor(Option<Obligation>),
    /// It is reached from the entry: so is an error.
    Reached,
}

/// The parts of a run that obligations need.
pub struct Context<'a> {
    /// The program.
    pub cfa: &'a mut Cfa,
    /// The solver.
    pub session: &'a mut dyn SmtSession,
    /// The base case.
    pub base: &'a Base,
    /// The step.
    pub step: &'a mut Induction,
    /// The current template values, which are facts too.
    pub template: &'a Template,
    /// What is known.
    pub facts: &'a mut Facts,
    /// The current k.
    pub k: usize,
    /// Which locations are to be proved unreachable.
    pub targets: Targets,
    /// Whether the last failed step left a model.
    pub has_model: bool,
}

impl Context<'_> {
    /// The current template values at the visits of the step.
    fn hypothesis(&mut self) -> Vec<Term> {
        self.template.hypothesis(self.cfa, self.k, None)
    }

    /// Whether the step for the targets holds.
    pub fn is_safe(&mut self) -> Result<bool, EngineError> {
        self.facts
            .assert(self.cfa, self.session, self.step, self.k)?;
        self.session.set_kind("step");
        let mut query = self.hypothesis();
        query.push(self.goal(Goal::Targets(self.targets), self.k));
        let sat = try_ask(self.session, &self.cfa.program.pool, &query)?;
        self.has_model = sat == Some(true);
        Ok(sat == Some(false))
    }

    /// Works on obligations until the step holds or `limit` attempts are used up; whether it holds.
    /// Called in a failed state of [`Context::is_safe`].
    pub fn strengthen(&mut self, limit: u32) -> Result<bool, EngineError> {
        let mut stack: Vec<Obligation> = Vec::new();
        stack.extend(self.lift(Goal::Targets(self.targets))?);
        for _ in 0..limit {
            let Some(top) = stack.last().cloned() else {
                if self.is_safe()? {
                    return Ok(true);
                }
                match self.lift(Goal::Targets(self.targets))? {
                    Some(o) => stack.push(o),
                    None => return Ok(false),
                }
                continue;
            };
            match self.attempt(&top)? {
                Attempt::Reached => return Ok(false),
                Attempt::Blocked => {
                    stack.pop();
                }
                Attempt::Predecessor(Some(o)) if !stack.contains(&o) => stack.push(o),
                // A circle: a larger k may break it.
                Attempt::Predecessor(_) => return self.is_safe(),
            }
        }
        self.is_safe()
    }

    fn goal(&mut self, goal: Goal, segment: usize) -> Term {
        match goal {
            Goal::Targets(targets) => reached(self.cfa, &self.step.unrolling, segment, targets),
            Goal::States(o) => {
                let Some(state) = self.step.unrolling.front(segment).get(&o.head) else {
                    return self.cfa.program.pool.fls();
                };
                let pool = &mut self.cfa.program.pool;
                let states = pool.and_all(o.cube.clone());
                let here = self
                    .step
                    .instances
                    .get(pool, segment, o.head, state, states);
                pool.and(state.guard, here)
            }
        }
    }

    /// Tries to block `o`.
    fn attempt(&mut self, o: &Obligation) -> Result<Attempt, EngineError> {
        self.session.set_kind("obligation");
        if self.in_base(o)? {
            return Ok(Attempt::Reached);
        }
        if self.is_inductive(o)? {
            let shrunk = self.drop_conjuncts(o.clone())?;
            self.learn(&shrunk)?;
            return Ok(Attempt::Blocked);
        }
        // In the state of the failed query.
        let predecessor = self.lift(Goal::States(o))?;
        if o.cube.len() > 1 {
            for &c in &o.cube {
                let single = Obligation {
                    head: o.head,
                    cube: vec![c],
                };
                if !self.in_base(&single)? && self.is_inductive(&single)? {
                    self.learn(&single)?;
                    return Ok(Attempt::Blocked);
                }
            }
        }
        Ok(Attempt::Predecessor(predecessor))
    }

    fn learn(&mut self, o: &Obligation) -> Result<(), EngineError> {
        let pool = &mut self.cfa.program.pool;
        let states = pool.and_all(o.cube.clone());
        let fact = pool.not(states);
        self.facts.add(self.cfa, o.head, fact);
        self.facts.assert(self.cfa, self.session, self.step, self.k)
    }

    /// Whether a visit of the base case is among the states.
    fn in_base(&mut self, o: &Obligation) -> Result<bool, EngineError> {
        let mut hits = Vec::new();
        let pool = &mut self.cfa.program.pool;
        let states = pool.and_all(o.cube.clone());
        for layer in 0..=self.base.unrolling.segments() {
            if let Some(state) = self.base.unrolling.front(layer).get(&o.head) {
                let here = instantiate(pool, &state.env, states);
                hits.push(pool.and(state.guard, here));
            }
        }
        let any = pool.or_all(hits);
        // Not known to be unreached is as good as reached.
        Ok(try_ask(self.session, pool, &[any])? != Some(false))
    }

    /// Whether excluding the states is k-inductive.
    fn is_inductive(&mut self, o: &Obligation) -> Result<bool, EngineError> {
        let mut query = self.hypothesis();
        for layer in 0..self.k {
            let here = self.goal(Goal::States(o), layer);
            query.push(self.cfa.program.pool.not(here));
        }
        query.push(self.goal(Goal::States(o), self.k));
        let sat = try_ask(self.session, &self.cfa.program.pool, &query)?;
        self.has_model = sat == Some(true);
        Ok(sat == Some(false))
    }

    /// A larger set of states, by dropping conjuncts, that is still unreached and inductively excluded.
    fn drop_conjuncts(&mut self, mut o: Obligation) -> Result<Obligation, EngineError> {
        let mut i = 0;
        while o.cube.len() > 1 && i < o.cube.len() {
            let mut fewer = o.clone();
            fewer.cube.remove(i);
            if !self.in_base(&fewer)? && self.is_inductive(&fewer)? {
                o = fewer;
            } else {
                i += 1;
            }
        }
        Ok(o)
    }

    /// The states that reach `goal` in one segment as the model of the failed step does in its last.
    fn lift(&mut self, goal: Goal) -> Result<Option<Obligation>, EngineError> {
        if !self.has_model {
            return Ok(None);
        }
        let last = self.k - 1;
        let mut at = None;
        let front: Vec<(Loc, Term)> = self
            .step
            .unrolling
            .front(last)
            .iter()
            .map(|(&h, s)| (h, s.guard))
            .collect();
        for (head, guard) in front {
            if self.session.value(&self.cfa.program.pool, guard)? == Value::Bool(true) {
                at = Some(head);
            }
        }
        let Some(head) = at else {
            return Ok(None);
        };
        if self.k > 1 && !self.replay_last(head, goal)? {
            return Ok(None);
        }
        let pool = &mut self.cfa.program.pool;
        let mut map: FxHashMap<Var, Term> = self.step.unrolling.start_at(pool, head);
        let inputs = self.step.unrolling.inputs(self.cfa, 1);
        for t in inputs {
            let pool = &mut self.cfa.program.pool;
            let v = pool.as_var(t).expect("an input is a variable");
            let value = self.session.value(pool, t)?;
            map.insert(v, pool.value(&value));
        }
        let goal = self.goal(goal, 1);
        let pool = &mut self.cfa.program.pool;
        let states = self.step.unrolling.unfold(pool, goal, &map);
        let cube = pool.conjuncts(states).collect();
        Ok(self
            .cfa
            .can_say(head, states)
            .then_some(Obligation { head, cube }))
    }

    /// Moves the last segment of the model to the first one of the unrolling; whether the solver managed.
    fn replay_last(&mut self, head: Loc, goal: Goal) -> Result<bool, EngineError> {
        let state = self.step.unrolling.front(self.k - 1)[&head].clone();
        let mut query = vec![self.step.unrolling.front(0)[&head].guard];
        for v in self.cfa.live(head).to_vec() {
            let pool = &mut self.cfa.program.pool;
            let value = self.session.value(pool, state.env[&v])?;
            let value = pool.value(&value);
            query.push(pool.eq(self.step.unrolling.start()[&v], value));
        }
        query.push(self.goal(goal, 1));
        match try_ask(self.session, &self.cfa.program.pool, &query)? {
            Some(false) => {
                let why = format!("a model describes no execution from {head} on");
                Err(EngineError::Internal(why))
            }
            sat => Ok(sat == Some(true)),
        }
    }
}
