//! The way back: traces and invariants of a transformed program, on the program before.
//!
//! Nothing here is trusted: a trace is replayed and an invariant is checked on the original
//! program, so a mistake costs an answer, not soundness.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use trellis_ivl::{
    Action, Cmd, CmdView, Edge, FlattenOptions, Input, Loc, Program, ReplayError, Step, Term,
    Trace, Value, Var,
};

/// Invariants at locations; a location without one is unconstrained.
pub type Invariants = BTreeMap<Loc, Term>;

/// Why a trace has no counterpart before the pass.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BackError {
    /// The trace does not fit the program it is said to be of.
    #[error("the trace does not fit the transformed program at {0}")]
    Foreign(Edge),
    /// Following the trace on the program before fails.
    #[error("the trace cannot be followed before the pass: {0}")]
    Replay(#[from] ReplayError),
    /// The pass dropped a part of the program that the trace would have to cross, and no way
    /// through it was found.
    #[error("no way found through the part removed at {0}")]
    NoWay(Loc),
}

/// Translates from the program after a pass to the program before it.
///
/// `program` holds the control tables of the program *before* with the arenas of the program
/// after (arenas only grow).
pub trait BackMap {
    /// The trace on the program before.
    fn trace(&self, program: &Program, trace: Trace) -> Result<Trace, BackError>;
    /// The invariants on the program before, where there is one after; a location that gets one
    /// becomes a cutpoint of the proof if it is a loop head.
    fn invariants(&self, program: &mut Program, invariants: Invariants) -> Invariants;
    /// How the pass expanded calls, if it did: invariants are about that expansion.
    fn expansion(&self) -> Option<FlattenOptions> {
        None
    }
    /// What is known at heads of loops that have none of the `known` invariants (those of the program before),
    /// from the `lemmas` of the program after and from what the pass knows itself.
    fn lemmas(&self, program: &mut Program, known: &Invariants, lemmas: Invariants) -> Invariants {
        let _ = known;
        match lemmas.is_empty() {
            true => lemmas,
            false => self.invariants(program, lemmas),
        }
    }
}

/// How one step through an edge of the program after is a walk through the program before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Walk {
    /// No step at all.
    Empty,
    /// Through one edge; its choices are the step's next ones.
    Edge(Edge),
    /// One after the other.
    Seq(Vec<Walk>),
    /// The step's next choice says which.
    Choice(Vec<Walk>),
}

/// The way back for passes that rearrange control and rewrite commands in place.
#[derive(Clone, Default)]
pub struct ControlMap {
    /// For each edge after, the walk before.
    pub walks: PrimaryMap<Edge, Walk>,
    /// For each location before, the location after whose invariant it shares.
    pub locs: SecondaryMap<Loc, PackedOption<Loc>>,
    /// Facts the pass used: they hold at these locations of the program before.
    pub facts: Invariants,
    /// Variables that exist only after, as terms over the variables before.
    pub rename: FxHashMap<Var, Term>,
    /// What the pass knows at heads of loops of the program before; no loop is cut there because of it.
    pub lemmas: Invariants,
}

impl ControlMap {
    /// The identity on the control of `program`; a pass that only rewrites commands starts here.
    pub fn identity(program: &Program) -> ControlMap {
        let mut map = ControlMap::default();
        for e in program.edges.keys() {
            map.walks.push(Walk::Edge(e));
        }
        for l in program.locs.keys() {
            map.locs[l] = l.into();
        }
        map
    }
}

impl BackMap for ControlMap {
    fn trace(&self, program: &Program, trace: Trace) -> Result<Trace, BackError> {
        let mut steps = Vec::with_capacity(trace.steps.len());
        for step in &trace.steps {
            let walk = self
                .walks
                .get(step.edge)
                .ok_or(BackError::Foreign(step.edge))?;
            unfold(program, walk, step, &mut steps)?;
        }
        Ok(Trace {
            initial: trace.initial,
            steps,
        })
    }

    fn invariants(&self, program: &mut Program, invariants: Invariants) -> Invariants {
        let mut result = Invariants::new();
        for l in program.locs.keys() {
            let own = self.locs[l].expand().and_then(|m| invariants.get(&m));
            let mut parts = Vec::new();
            if let Some(&t) = own {
                parts.push(program.pool.substitute(t, &self.rename));
            }
            parts.extend(self.facts.get(&l));
            if !parts.is_empty() {
                result.insert(l, program.pool.and_all(parts));
            }
        }
        result
    }

    fn lemmas(&self, program: &mut Program, cut: &Invariants, lemmas: Invariants) -> Invariants {
        let mut result = match lemmas.is_empty() {
            true => lemmas,
            false => self.invariants(program, lemmas),
        };
        for (&l, &own) in self.lemmas.iter().filter(|(l, _)| !cut.contains_key(l)) {
            let known = result.get(&l).copied();
            let both = program.pool.and_all(known.into_iter().chain([own]));
            result.insert(l, both);
        }
        result
    }
}

/// Appends the steps of `walk` with the decisions of `step`.
pub fn unfold(
    program: &Program,
    walk: &Walk,
    step: &Step,
    steps: &mut Vec<Step>,
) -> Result<(), BackError> {
    let mut decisions = Decisions {
        choices: step.choices.iter(),
        inputs: step.inputs.clone(),
    };
    let mut todo = vec![walk];
    while let Some(walk) = todo.pop() {
        match walk {
            Walk::Empty => {}
            Walk::Seq(walks) => todo.extend(walks.iter().rev()),
            Walk::Choice(walks) => {
                let branch = decisions.choices.next().map(|&c| c as usize);
                let chosen = branch.and_then(|b| walks.get(b));
                todo.push(chosen.ok_or(BackError::Foreign(step.edge))?);
            }
            Walk::Edge(e) => {
                let mut one = Step::plain(*e);
                if let Action::Cmd(c) = program.edges[*e].action {
                    decisions
                        .replay(program, c, &mut one)
                        .ok_or(BackError::Foreign(step.edge))?;
                }
                steps.push(one);
            }
        }
    }
    Ok(())
}

/// The decisions of a step that are not used up yet.
struct Decisions<'a> {
    choices: std::slice::Iter<'a, u32>,
    inputs: Vec<(Input, Value)>,
}

impl Decisions<'_> {
    /// Fills `step` with the decisions of `cmd`. An input that the transformed program no longer
    /// reads gets zero: its value cannot matter.
    fn replay(&mut self, program: &Program, cmd: Cmd, step: &mut Step) -> Option<()> {
        let mut todo = vec![cmd];
        while let Some(c) = todo.pop() {
            match program.cmds.view(c) {
                CmdView::Skip | CmdView::Assume(_) | CmdView::Assign(_) => {}
                CmdView::Seq(cs) => todo.extend(cs.iter().rev()),
                CmdView::Choice(cs) => {
                    let &branch = self.choices.next()?;
                    todo.push(*cs.get(branch as usize)?);
                    step.choices.push(branch);
                }
                CmdView::Havoc(items) => {
                    for &(v, input) in items {
                        let value = match self.inputs.iter().position(|(i, _)| *i == input) {
                            Some(at) => self.inputs.remove(at).1,
                            None => Value::zero(program.pool.var_ty(v)),
                        };
                        step.inputs.push((input, value));
                    }
                }
            }
        }
        Some(())
    }
}
