//! What is remembered of earlier answers, as long as it stays true.
//!
//! Frames only grow stronger. So an edge that does not lead into a cube from some level does not do so from any below, and from
//! those above as long as the frames there are the same. And a step that a query found, a state with inputs that take the
//! edge, answers every later query into a cube that it leads to, from every frame that does not exclude the state: evaluating a few
//! terms is cheaper than asking the solver, and most attempts to weaken a cube fail for the same few reasons.

use crate::edge_query::Surroundings;
use crate::frames::FOREVER;
use crate::model::{Eval, Model};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use trellis_plugin_sdk::ivl::cranelift_entity::SecondaryMap;
use trellis_plugin_sdk::ivl::{Edge, Evaluator, Loc, Term, Var};

/// How many steps are remembered per edge.
const STEPS: usize = 8;

/// An edge, whether it is taken from outside of the cube, and the cube.
pub type Question = (Edge, bool, Vec<Term>);

/// A way through an edge.
#[derive(Clone)]
struct Step {
    /// The state before it, and the inputs.
    model: Rc<Model>,
    /// The highest level whose frame may exclude the state.
    excluded: u32,
    /// How much of the location's log that takes into account.
    seen: usize,
}

/// Answers of the past.
#[derive(Default)]
pub struct Memory {
    /// The highest level at which an edge is known not to lead into a cube, with the core.
    refuted: FxHashMap<Question, (u32, Vec<Term>)>,
    /// Steps, those that answered a question last first.
    steps: SecondaryMap<Edge, Vec<Step>>,
    /// The variables of all clauses of a location, and how many clauses that are.
    mentioned: SecondaryMap<Loc, (usize, BTreeSet<Var>)>,
    evaluator: Evaluator,
}

impl Memory {
    /// The literals because of which an edge does not lead from F(level) into a cube, if that is known.
    pub fn refuted(&self, on: &Surroundings<'_>, key: &Question, level: u32) -> Option<Vec<Term>> {
        let (upto, core) = self.refuted.get(key)?;
        let from = on.cfa.from(key.0);
        let known =
            *upto >= level || from == on.cfa.entry || on.frames.are_equal(from, *upto, level);
        known.then(|| core.clone())
    }

    /// Notes that an edge does not lead from F(level) into a cube.
    pub fn refute(&mut self, key: Question, level: u32, core: &[Term]) {
        self.refuted.insert(key, (level, core.to_vec()));
    }

    /// A step that leads from F(level) into the cube of `key`, whose literals are `after` when seen from before the edge.
    pub fn step(
        &mut self,
        on: &Surroundings<'_>,
        key: &Question,
        level: u32,
        after: &[Term],
    ) -> Option<Rc<Model>> {
        let (e, outside, cube) = key;
        let from = on.cfa.from(*e);
        let pool = &on.program.pool;
        let steps = &mut self.steps[*e];
        let fits = |step: &mut Step| {
            let mut eval = Eval::new(&mut self.evaluator, &step.model);
            let news = on.frames.news(from, step.seen);
            step.seen += news.len();
            for &(at, clause) in news {
                if at > step.excluded && !eval.holds(pool, clause) {
                    step.excluded = at;
                }
            }
            (level > step.excluded || from == on.cfa.entry)
                && after.iter().all(|&t| eval.holds(pool, t))
                && !(*outside && cube.iter().all(|&t| eval.holds(pool, t)))
        };
        let at = steps.iter_mut().position(fits)?;
        steps[..=at].rotate_right(1);
        Some(steps[0].model.clone())
    }

    /// Notes a step that begins in F(level).
    pub fn remember(&mut self, on: &Surroundings<'_>, e: Edge, level: u32, model: &Rc<Model>) {
        let from = on.cfa.from(e);
        let steps = &mut self.steps[e];
        steps.retain(|step| step.excluded < FOREVER);
        steps.truncate(STEPS - 1);
        let step = Step {
            model: model.clone(),
            excluded: level.saturating_sub(1),
            seen: on.frames.news(from, 0).len(),
        };
        steps.insert(0, step);
    }

    /// The variables that clauses at `l` constrain.
    pub fn mentioned(&mut self, on: &Surroundings<'_>, l: Loc) -> &BTreeSet<Var> {
        let (seen, vars) = &mut self.mentioned[l];
        let news = on.frames.news(l, *seen);
        *seen += news.len();
        let clauses = news.iter().map(|&(_, clause)| clause);
        vars.extend(on.program.pool.free_vars(clauses));
        vars
    }
}
