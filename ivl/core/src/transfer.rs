//! The relational meaning of a command as a function with explicit inputs.
//!
//! [`Transfer`] says: under `guard`, the next value of each modified variable is a term over the
//! current state and fresh input symbols. Havocs become inputs, choices become selector inputs, so
//! the size stays linear where expanding paths would be exponential. Substituting for the inputs
//! gives one execution; [`Transfer::decode`] reads it off a model.
//!
//! Most choices come from branches of a program: the state decides them, since one branch assumes what the
//! other excludes. [`Transfer::deciding`] finds these and needs no input for them.

use crate::cmd::{CmdPool, CmdView};
use crate::entity::{Cmd, Input, Term, Var};
use crate::pool::TermPool;
use crate::ty::Type;
use crate::value::Value;
use crate::walk::Substitution;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Conjuncts of a branch among which its condition is looked for.
const MAX_CONJUNCTS: usize = 16;

/// A command as guard, updates and inputs.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// When the command completes, over state and inputs.
    pub guard: Term,
    /// Next values of the variables the command may change, over state and inputs.
    pub updates: BTreeMap<Var, Term>,
    /// The fresh symbols in guard and updates.
    pub inputs: Vec<Var>,
    /// Selectors that are no inputs, as terms over state and inputs: what decides them where the guard holds.
    pub decided: BTreeMap<Var, Term>,
    plan: Plan,
}

/// Which symbol stands for which decision, in the shape of the command.
#[derive(Clone, Debug)]
enum Plan {
    Leaf,
    Havoc(Vec<(Input, Var)>),
    Seq(Vec<Plan>),
    /// Branch `i` is taken when the path to leaf `i` of a balanced tree of selectors is chosen.
    Choice(Vec<Var>, Vec<Plan>),
}

/// The symbolic state on the way through a command.
#[derive(Clone, Default)]
struct Symbolic {
    values: FxHashMap<Var, Term>,
}

struct Encoder<'a> {
    pool: &'a mut TermPool,
    cmds: &'a CmdPool,
    inputs: Vec<Var>,
    /// The decided selectors; `None` where every choice is an input.
    decided: Option<BTreeMap<Var, Term>>,
}

impl Transfer {
    /// The transfer function of `cmd`; every choice is an input.
    pub fn new(pool: &mut TermPool, cmds: &CmdPool, cmd: Cmd) -> Transfer {
        Transfer::build(pool, cmds, cmd, None)
    }

    /// The transfer function of `cmd`, with inputs for those choices only that the state leaves open.
    pub fn deciding(pool: &mut TermPool, cmds: &CmdPool, cmd: Cmd) -> Transfer {
        Transfer::build(pool, cmds, cmd, Some(BTreeMap::new()))
    }

    fn build(
        pool: &mut TermPool,
        cmds: &CmdPool,
        cmd: Cmd,
        decided: Option<BTreeMap<Var, Term>>,
    ) -> Transfer {
        let mut state = Symbolic::default();
        let guard = pool.tru();
        let mut encoder = Encoder {
            pool,
            cmds,
            inputs: Vec::new(),
            decided,
        };
        let (guard, plan) = encoder.encode(cmd, &mut state, guard);
        Transfer {
            guard,
            updates: state.values.into_iter().collect(),
            inputs: encoder.inputs,
            decided: encoder.decided.unwrap_or_default(),
            plan,
        }
    }

    /// `t` after the command, as a term over the state before it and the inputs.
    pub fn after(&self, pool: &mut TermPool, t: Term) -> Term {
        let map: FxHashMap<Var, Term> = self.updates.iter().map(|(&v, &t)| (v, t)).collect();
        pool.substitute(t, &map)
    }

    /// The relation T(x, x'): guard and `x' = update` for every pair in `next`; variables the
    /// command does not change keep their value.
    pub fn relation(&self, pool: &mut TermPool, next: &BTreeMap<Var, Var>) -> Term {
        let mut parts = vec![self.guard];
        for (&v, &primed) in next {
            let new = match self.updates.get(&v) {
                Some(&t) => t,
                None => pool.var(v),
            };
            let primed = pool.var(primed);
            parts.push(pool.eq(primed, new));
        }
        pool.and_all(parts)
    }

    /// The choices and inputs of the execution that a model of the inputs, and of the decided selectors, describes.
    pub fn decode(&self, model: impl Fn(Var) -> Value) -> (Vec<u32>, Vec<(Input, Value)>) {
        let (mut choices, mut inputs) = (Vec::new(), Vec::new());
        decode(&self.plan, &model, &mut choices, &mut inputs);
        (choices, inputs)
    }
}

fn decode(
    plan: &Plan,
    model: &impl Fn(Var) -> Value,
    choices: &mut Vec<u32>,
    inputs: &mut Vec<(Input, Value)>,
) {
    match plan {
        Plan::Leaf => {}
        Plan::Havoc(items) => inputs.extend(items.iter().map(|&(i, v)| (i, model(v)))),
        Plan::Seq(plans) => {
            for p in plans {
                decode(p, model, choices, inputs);
            }
        }
        Plan::Choice(selectors, branches) => {
            let (mut from, mut to) = (0, branches.len());
            while to - from > 1 {
                let mid = usize::midpoint(from, to);
                // Selector `mid - 1` separates the branches below `mid` from the rest.
                if model(selectors[mid - 1]) == Value::Bool(true) {
                    to = mid;
                } else {
                    from = mid;
                }
            }
            choices.push(from as u32);
            decode(&branches[from], model, choices, inputs);
        }
    }
}

impl Encoder<'_> {
    fn input(&mut self, name: &str, ty: Type) -> Var {
        let v = self.pool.fresh(name, ty);
        self.inputs.push(v);
        v
    }

    fn encode(&mut self, c: Cmd, state: &mut Symbolic, guard: Term) -> (Term, Plan) {
        let cmds = self.cmds;
        match cmds.view(c) {
            CmdView::Skip => (guard, Plan::Leaf),
            CmdView::Assume(t) => {
                let t = Substitution::new(&state.values).apply(self.pool, t);
                (self.pool.and(guard, t), Plan::Leaf)
            }
            CmdView::Assign(items) => {
                let mut subst = Substitution::new(&state.values);
                let new: Vec<_> = items
                    .iter()
                    .map(|&(v, t)| (v, subst.apply(self.pool, t)))
                    .collect();
                state.values.extend(new);
                (guard, Plan::Leaf)
            }
            CmdView::Havoc(items) => {
                let mut plan = Vec::with_capacity(items.len());
                for &(v, i) in items {
                    let data = self.pool.var_data(v);
                    let (name, ty) = (format!("{}?", data.name), data.ty);
                    let fresh = self.input(&name, ty);
                    plan.push((i, fresh));
                    let term = self.pool.var(fresh);
                    state.values.insert(v, term);
                }
                (guard, Plan::Havoc(plan))
            }
            CmdView::Seq(cs) => {
                let (mut guard, mut plans) = (guard, Vec::with_capacity(cs.len()));
                for &c in cs {
                    let (g, p) = self.encode(c, state, guard);
                    guard = g;
                    plans.push(p);
                }
                (guard, Plan::Seq(plans))
            }
            CmdView::Choice(cs) => {
                let before = guard;
                let tru = self.pool.tru();
                let mut ends = Vec::with_capacity(cs.len());
                let mut plans = Vec::with_capacity(cs.len());
                for &c in cs {
                    let mut branch = state.clone();
                    let (g, p) = self.encode(c, &mut branch, tru);
                    ends.push((g, branch));
                    plans.push(p);
                }
                let selectors: Vec<Var> = (1..cs.len())
                    .map(|_| self.pool.fresh("choice", Type::Bool))
                    .collect();
                let (g, merged) = self.merge(&selectors, &ends, 0, ends.len());
                *state = merged;
                (self.pool.and(before, g), Plan::Choice(selectors, plans))
            }
        }
    }

    fn merge(
        &mut self,
        selectors: &[Var],
        ends: &[(Term, Symbolic)],
        from: usize,
        to: usize,
    ) -> (Term, Symbolic) {
        if to - from == 1 {
            return ends[from].clone();
        }
        let mid = usize::midpoint(from, to);
        let (g0, mut s0) = self.merge(selectors, ends, from, mid);
        let (g1, s1) = self.merge(selectors, ends, mid, to);
        let s = self.selector(selectors[mid - 1], &ends[from..mid], &ends[mid..to]);
        let guard = self.pool.ite(s, g0, g1);
        let mut changed: Vec<Var> = s0.values.keys().chain(s1.values.keys()).copied().collect();
        changed.sort_unstable();
        changed.dedup();
        for v in changed {
            let current = self.pool.var(v);
            let a = s0.values.get(&v).copied().unwrap_or(current);
            let b = s1.values.get(&v).copied().unwrap_or(current);
            let t = self.pool.ite(s, a, b);
            s0.values.insert(v, t);
        }
        (guard, s0)
    }

    /// The condition of the first group of branches: a condition that all of them assume and the others exclude
    /// where there is one, else the symbol `v` as an input.
    fn selector(&mut self, v: Var, first: &[(Term, Symbolic)], rest: &[(Term, Symbolic)]) -> Term {
        if let Some(decided) = &mut self.decided {
            let here = common_conjuncts(self.pool, first);
            let there = common_conjuncts(self.pool, rest);
            for t in here {
                let excluded = self.pool.not(t);
                if there.contains(&excluded) {
                    decided.insert(v, t);
                    return t;
                }
            }
        }
        self.inputs.push(v);
        self.pool.var(v)
    }
}

/// The conjuncts that the guards of all branches have, in the order of the first one's.
fn common_conjuncts(pool: &TermPool, ends: &[(Term, Symbolic)]) -> Vec<Term> {
    // The first ones: branches differ where they begin.
    let some = |t| pool.conjuncts(t).take(MAX_CONJUNCTS).collect::<Vec<_>>();
    let mut lists = ends.iter().map(|&(guard, _)| some(guard));
    let first = lists.next().unwrap_or_default();
    lists.fold(first, |mut common, list| {
        common.retain(|t| list.contains(t));
        common
    })
}
