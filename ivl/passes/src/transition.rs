//! Transition systems: the view of hardware engines on a program with one loop location.
//!
//! The shape, as hardware front ends make it and the `monolithic` pass establishes it:
//!
//! ```text
//! entry -> loop     the initial states
//! loop  -> loop     a step: inputs as havocs, constraints as assumes
//! loop  -> e        when e, an error or incomplete location, is reached
//! ```
//!
//! Each kind of edge may occur several times (parallel edges are a choice) and there are no other
//! edges. [`TransitionSystem`] gives initial states, next-state functions, inputs, constraint and
//! bad conditions as terms, through [`Transfer`]. Its state is what can matter: variables that
//! the constraint or a bad condition reads, now or after steps (cone of influence), so inputs kept
//! in variables are none. A [`Path`] found on the system becomes a [`Trace`] of the program.

use cranelift_entity::EntitySet;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use trellis_ivl::{Cmd, Edge, Loc, LocKind, Program, Step, Term, Trace, Transfer, Value, Var};

/// Why a program is no transition system. (User input: a pass is missing.)
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ShapeError {
    /// There are procedures.
    #[error("the program has calls; run the pass 'inline' first")]
    Calls,
    /// The entry, which must be a plain location, leads nowhere.
    #[error("no edge leads from the entry to a loop location")]
    NoLoop,
    /// An edge is neither initial, nor a step, nor leads to an error or incomplete location.
    #[error("{0} does not fit a program with one loop location; run the pass 'monolithic' first")]
    Edge(Edge),
}

/// The edges of a program with one loop location, by role.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The loop location.
    pub head: Loc,
    /// From the entry to the loop.
    pub init: Vec<Edge>,
    /// From the loop to itself.
    pub step: Vec<Edge>,
    /// From the loop to each error or incomplete location.
    pub bads: BTreeMap<Loc, Vec<Edge>>,
}

/// The roles of the edges, if the program has the shape.
pub fn check_shape(program: &Program) -> Result<Shape, ShapeError> {
    if !program.is_flat() {
        return Err(ShapeError::Calls);
    }
    let entry = program.entry();
    let plain = |l: Loc| program.locs[l].kind == LocKind::Plain;
    let first = program.edges.values().find(|d| d.from == entry);
    let head = match first {
        Some(d) if plain(entry) && plain(d.to) && d.to != entry => d.to,
        _ => return Err(ShapeError::NoLoop),
    };
    let mut shape = Shape {
        head,
        init: Vec::new(),
        step: Vec::new(),
        bads: BTreeMap::new(),
    };
    for (e, d) in program.edges.iter() {
        if d.from == entry && d.to == head {
            shape.init.push(e);
        } else if d.from == head && d.to == head {
            shape.step.push(e);
        } else if d.from == head && !plain(d.to) {
            shape.bads.entry(d.to).or_default().push(e);
        } else {
            return Err(ShapeError::Edge(e));
        }
    }
    Ok(shape)
}

/// A formula with its own input symbols, which are existential.
#[derive(Clone, Debug)]
pub struct Formula {
    /// The formula, over state and inputs.
    pub term: Term,
    /// The inputs.
    pub inputs: Vec<Var>,
}

/// A bad condition.
#[derive(Clone, Debug)]
pub struct Bad {
    /// The error or incomplete location that is reached.
    pub loc: Loc,
    /// When it is reached, over state and inputs of its own.
    pub condition: Formula,
    group: Group,
}

/// The view.
#[derive(Clone, Debug)]
pub struct TransitionSystem {
    /// State variables, by number.
    pub state: Vec<Var>,
    /// The initial states.
    pub init: Formula,
    /// The next value of every state variable, over state and [`inputs`](Self::inputs).
    pub next: BTreeMap<Var, Term>,
    /// Inputs of a step: fresh symbols in `next` and `constraint`.
    pub inputs: Vec<Var>,
    /// When a step is possible, over state and inputs.
    pub constraint: Term,
    /// Bad conditions, by location.
    pub bads: Vec<Bad>,
    /// Symbols in `init` for values of variables at the entry, where the variable itself stands
    /// for its value at the loop.
    before: BTreeMap<Var, Var>,
    first: Group,
    step: Option<Group>,
}

/// Values of symbols; what is missing is zero.
pub type Model = BTreeMap<Var, Value>;

/// A path of a transition system.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Path {
    /// The state after initialisation, and the inputs of `init`.
    pub init: Model,
    /// The inputs of each step.
    pub steps: Vec<Model>,
    /// The bad condition that holds in the last state, by position, with its inputs.
    pub bad: Option<(usize, Model)>,
}

/// Parallel edges with the transfer function of the choice among them.
#[derive(Clone, Debug)]
struct Group {
    edges: Vec<Edge>,
    transfer: Transfer,
}

impl Group {
    fn new(program: &mut Program, edges: Vec<Edge>) -> Group {
        let cmds: Vec<Cmd> = edges
            .iter()
            .map(|&e| program.edge_cmd(e).expect("a flat program has no calls"))
            .collect();
        let cmd = program.cmds.choice(&cmds);
        let transfer = Transfer::new(&mut program.pool, &program.cmds, cmd);
        Group { edges, transfer }
    }

    /// The step that the model describes.
    fn decode(&self, program: &Program, model: &Model) -> Step {
        let (mut choices, inputs) = self.transfer.decode(|v| value(program, model, v));
        let edge = match self.edges[..] {
            [edge] => edge,
            _ => self.edges[choices.remove(0) as usize],
        };
        Step {
            edge,
            choices,
            inputs,
        }
    }
}

fn value(program: &Program, model: &Model, v: Var) -> Value {
    let given = model.get(&v).cloned();
    given.unwrap_or_else(|| Value::zero(program.pool.var_ty(v)))
}

impl TransitionSystem {
    /// The view on `program`, whose arenas grow by the terms of the view.
    pub fn new(program: &mut Program) -> Result<TransitionSystem, ShapeError> {
        let shape = check_shape(program)?;
        let first = Group::new(program, shape.init);
        let step = match shape.step.is_empty() {
            true => None,
            false => Some(Group::new(program, shape.step)),
        };
        let bads: Vec<Bad> = shape
            .bads
            .into_iter()
            .map(|(loc, edges)| {
                let group = Group::new(program, edges);
                let condition = Formula {
                    term: group.transfer.guard,
                    inputs: group.transfer.inputs.clone(),
                };
                Bad {
                    loc,
                    condition,
                    group,
                }
            })
            .collect();
        let constraint = match &step {
            Some(group) => group.transfer.guard,
            None => program.pool.fls(),
        };
        let roots = bads.iter().map(|b| b.condition.term).chain([constraint]);
        let state = cone(program, roots.collect(), step.as_ref());
        let next = state
            .iter()
            .map(|&v| {
                let update = step.as_ref().and_then(|g| g.transfer.updates.get(&v));
                (v, update.copied().unwrap_or_else(|| program.pool.var(v)))
            })
            .collect();
        let (init, before) = initial(program, &first.transfer, &state);
        Ok(TransitionSystem {
            state,
            init,
            next,
            inputs: step
                .as_ref()
                .map_or(Vec::new(), |g| g.transfer.inputs.clone()),
            constraint,
            bads,
            before,
            first,
            step,
        })
    }

    /// The trace of `program` that the path describes. A path with steps although there is no step
    /// edge, or with a bad condition that does not exist, ends where it leaves the system.
    pub fn trace(&self, program: &Program, path: &Path) -> Trace {
        let mut initial: BTreeMap<Var, Value> = self
            .state
            .iter()
            .map(|&v| (v, value(program, &path.init, v)))
            .collect();
        for (&v, &at_entry) in &self.before {
            initial.insert(v, value(program, &path.init, at_entry));
        }
        let mut steps = vec![self.first.decode(program, &path.init)];
        if let Some(group) = &self.step {
            steps.extend(path.steps.iter().map(|m| group.decode(program, m)));
        }
        if let Some((i, model)) = &path.bad
            && let Some(bad) = self.bads.get(*i)
        {
            steps.push(bad.group.decode(program, model));
        }
        Trace { initial, steps }
    }
}

/// The program variables that the roots read, now or after steps, by number.
fn cone(program: &Program, roots: Vec<Term>, step: Option<&Group>) -> Vec<Var> {
    let inputs: EntitySet<Var> = EntitySet::new();
    let (mut state, mut seen, mut stack) = (Vec::new(), inputs, roots);
    let mut visited: EntitySet<Term> = EntitySet::new();
    while let Some(t) = stack.pop() {
        if !visited.insert(t) {
            continue;
        }
        stack.extend(program.pool.args(t));
        if let Some(v) = program.pool.as_var(t)
            && program.pool.var_data(v).scope != trellis_ivl::Scope::Auxiliary
            && seen.insert(v)
        {
            state.push(v);
            stack.extend(step.and_then(|g| g.transfer.updates.get(&v)));
        }
    }
    state.sort_unstable();
    state
}

/// The initial states: `guard and x == update(x0)`, where `x0` is the value at the entry of a
/// variable that changes on the way or is no state.
fn initial(
    program: &mut Program,
    first: &Transfer,
    state: &[Var],
) -> (Formula, BTreeMap<Var, Var>) {
    let updates: Vec<(Var, Term)> = state
        .iter()
        .filter_map(|v| Some((*v, *first.updates.get(v)?)))
        .collect();
    let mut inputs = first.inputs.clone();
    let mut before = BTreeMap::new();
    let mut at_entry = FxHashMap::default();
    let terms = updates.iter().map(|&(_, t)| t).chain([first.guard]);
    for v in program.pool.free_vars(terms) {
        let data = program.pool.var_data(v);
        let stays = state.binary_search(&v).is_ok() && !first.updates.contains_key(&v);
        if stays || data.scope == trellis_ivl::Scope::Auxiliary {
            continue;
        }
        let (name, ty) = (format!("{}@entry", data.name), data.ty);
        let fresh = program.pool.fresh(name, ty);
        inputs.push(fresh);
        before.insert(v, fresh);
        at_entry.insert(v, program.pool.var(fresh));
    }
    let mut subst = trellis_ivl::walk::Substitution::new(&at_entry);
    let mut parts = vec![subst.apply(&mut program.pool, first.guard)];
    for (v, t) in updates {
        let (v, t) = (program.pool.var(v), subst.apply(&mut program.pool, t));
        parts.push(program.pool.eq(v, t));
    }
    let term = program.pool.and_all(parts);
    (Formula { term, inputs }, before)
}
