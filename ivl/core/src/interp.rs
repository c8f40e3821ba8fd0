//! The interpreter: the meaning of a program as executable code.
//!
//! A [`Machine`] stands at a location with a value for every variable and a stack of calls. It
//! goes one edge at a time, either where an [`Oracle`] leads (chosen or random inputs) or exactly
//! as a recorded [`Step`] says. An edge whose command cannot complete (every way through it ends
//! in a false `assume`) is not taken, and the state is as before. Where no edge can be taken the execution has ended: blocked
//! is not endless.

use crate::cmd::CmdView;
use crate::entity::{Cmd, Edge, Input, Loc, Proc, Term, Var};
use crate::eval::Evaluator;
use crate::graph::Adjacency;
use crate::op::Op;
use crate::pool::{Scope, TermPool};
use crate::program::{Action, LocKind, Program};
use crate::trace::{Step, Trace};
use crate::ty::Type;
use crate::value::Value;

/// Decides what the program leaves open.
pub trait Oracle {
    /// The value of `input`, of type `ty`.
    fn input(&mut self, input: Input, ty: Type) -> Value;
    /// A number below `n`: which of `n` edges or branches to try first.
    fn pick(&mut self, n: usize) -> usize;
}

/// Why a recorded step cannot be taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// The edge does not leave the location the machine is at.
    #[error("{edge} does not leave {at}")]
    WrongLocation {
        /// The edge of the step.
        edge: Edge,
        /// Where the machine stands.
        at: Loc,
    },
    /// The program has no such edge.
    #[error("the program has no edge {0}")]
    NoSuchEdge(Edge),
    /// An assumption on the chosen path does not hold.
    #[error("an assumption on {0} does not hold")]
    Blocked(Edge),
    /// The step lists other choices than its path has.
    #[error("{0} does not have the listed choices")]
    Choices(Edge),
    /// The step lists other inputs than its path reads, or values of another type.
    #[error("{0} does not read the listed inputs")]
    Inputs(Edge),
    /// An initial value for a variable that has none, or of another type.
    #[error("the initial value of {0} does not fit the program")]
    Initial(Var),
}

/// How many times one edge may backtrack over its choices before it counts as blocked.
pub(crate) const BACKTRACK_LIMIT: usize = 10_000;

/// A call in progress.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// The edge that called.
    pub(crate) edge: Edge,
    pub(crate) callee: Proc,
    /// The callee's locals as they were before the call (its own earlier activation).
    pub(crate) saved: Vec<(Var, Value)>,
}

/// The state of an execution of some program, apart from it.
#[derive(Clone, Debug)]
pub struct State {
    /// The values of all variables, by number.
    pub(crate) values: Vec<Value>,
    /// The calls in progress.
    pub(crate) calls: Vec<Frame>,
    /// Where it is.
    pub(crate) loc: Loc,
}

/// An execution under way.
pub struct Machine<'p> {
    program: &'p Program,
    adjacency: Adjacency,
    locals: Vec<Vec<Var>>,
    values: Vec<Value>,
    frames: Vec<Frame>,
    loc: Loc,
    evaluator: Evaluator,
}

/// Where the decisions of one command come from.
enum Source<'a> {
    Oracle(&'a mut dyn Oracle),
    Step {
        choices: std::slice::Iter<'a, u32>,
        inputs: std::slice::Iter<'a, (Input, Value)>,
    },
}

impl<'p> Machine<'p> {
    /// A machine at the entry; `initial` gives the values of globals and main's locals.
    pub fn new(program: &'p Program, mut initial: impl FnMut(Var, Type) -> Value) -> Machine<'p> {
        let vars = program.pool.vars().iter();
        let values = vars.map(|(v, d)| match d.scope {
            Scope::Local(p) if p == program.main => initial(v, d.ty),
            Scope::Global => initial(v, d.ty),
            Scope::Local(_) | Scope::Auxiliary => Value::zero(d.ty),
        });
        let state = State {
            values: values.collect(),
            calls: Vec::new(),
            loc: program.entry(),
        };
        Machine::resume(program, state)
    }

    /// A machine in the middle of an execution of `program`.
    pub fn resume(program: &'p Program, state: State) -> Machine<'p> {
        let mut locals = vec![Vec::new(); program.procs.len()];
        for (v, d) in program.pool.vars() {
            // A variable may outlive its procedure.
            if let Scope::Local(p) = d.scope
                && let Some(own) = locals.get_mut(p.as_u32() as usize)
            {
                own.push(v);
            }
        }
        Machine {
            program,
            adjacency: Adjacency::new(program),
            locals,
            values: state.values,
            frames: state.calls,
            loc: state.loc,
            evaluator: Evaluator::new(),
        }
    }

    /// A machine in the initial state of `trace`.
    pub fn for_trace(program: &'p Program, trace: &Trace) -> Result<Machine<'p>, ReplayError> {
        for (&v, value) in &trace.initial {
            match program.pool.vars().get(v) {
                Some(d) if d.ty == value.ty() && d.scope != Scope::Auxiliary => {}
                _ => return Err(ReplayError::Initial(v)),
            }
        }
        Ok(Machine::new(program, |v, ty| {
            let given = trace.initial.get(&v).cloned();
            given.unwrap_or_else(|| Value::zero(ty))
        }))
    }

    /// Where the machine stands.
    pub fn loc(&self) -> Loc {
        self.loc
    }

    /// The value of `v`.
    pub fn value(&self, v: Var) -> &Value {
        &self.values[v.as_u32() as usize]
    }

    /// The edges of the calls in progress, outermost first.
    pub fn call_stack(&self) -> impl Iterator<Item = Edge> + '_ {
        self.frames.iter().map(|f| f.edge)
    }

    /// The value of a term in the current state.
    pub fn eval(&mut self, t: Term) -> Value {
        let values = &self.values;
        self.evaluator.eval(&self.program.pool, t, |v| {
            values[v.as_u32() as usize].clone()
        })
    }

    /// Whether the machine is at an error or incomplete location or at the end of main.
    pub fn is_final(&self) -> bool {
        self.program.locs[self.loc].kind != LocKind::Plain
            || self.adjacency.out(self.loc).is_empty()
    }

    fn set(&mut self, v: Var, value: Value) -> Value {
        self.evaluator.new_round();
        std::mem::replace(&mut self.values[v.as_u32() as usize], value)
    }

    /// Takes some edge the oracle leads to; `None` when every edge is blocked or there is none.
    pub fn step(&mut self, oracle: &mut dyn Oracle) -> Option<Step> {
        let out = self.adjacency.out(self.loc).to_vec();
        let first = match is_decided(self.program, &out) {
            true => 0,
            false => oracle.pick(out.len()),
        };
        for k in 0..out.len() {
            let edge = out[(first + k) % out.len()];
            if let Some(step) = self.try_edge(edge, oracle) {
                return Some(step);
            }
        }
        None
    }

    /// Takes `edge` (which must leave the current location) where the oracle leads, if it can be
    /// completed.
    pub fn try_edge(&mut self, edge: Edge, oracle: &mut dyn Oracle) -> Option<Step> {
        debug_assert_eq!(self.program.edges[edge].from, self.loc);
        match &self.program.edges[edge].action {
            Action::Cmd(c) => {
                let mut source = Source::Oracle(oracle);
                let (choices, inputs) = self.execute(*c, &mut source).ok()?;
                self.arrive(edge);
                Some(Step {
                    edge,
                    choices,
                    inputs,
                })
            }
            Action::Call(_) => {
                self.call(edge);
                Some(Step::plain(edge))
            }
        }
    }

    /// Takes exactly the recorded step, or reports why it cannot and stays where it is.
    pub fn replay(&mut self, step: &Step) -> Result<(), ReplayError> {
        let edge = step.edge;
        let data = match self.program.edges.get(edge) {
            Some(data) => data,
            None => return Err(ReplayError::NoSuchEdge(edge)),
        };
        if data.from != self.loc {
            return Err(ReplayError::WrongLocation { edge, at: self.loc });
        }
        match &data.action {
            Action::Cmd(c) => {
                let mut source = Source::Step {
                    choices: step.choices.iter(),
                    inputs: step.inputs.iter(),
                };
                self.execute(*c, &mut source).map_err(|why| match why {
                    Stop::Blocked => ReplayError::Blocked(edge),
                    Stop::Choices => ReplayError::Choices(edge),
                    Stop::Inputs => ReplayError::Inputs(edge),
                })?;
                self.arrive(edge);
            }
            Action::Call(_) if !step.choices.is_empty() => return Err(ReplayError::Choices(edge)),
            Action::Call(_) if !step.inputs.is_empty() => return Err(ReplayError::Inputs(edge)),
            Action::Call(_) => self.call(edge),
        }
        Ok(())
    }

    fn call(&mut self, edge: Edge) {
        let Action::Call(call) = &self.program.edges[edge].action else {
            unreachable!("the caller has matched a call");
        };
        let args: Vec<Value> = call.args.iter().map(|&t| self.eval(t)).collect();
        let callee = &self.program.procs[call.callee];
        let locals = self.locals[call.callee.as_u32() as usize].clone();
        let mut saved = Vec::with_capacity(locals.len());
        for v in locals {
            let zero = Value::zero(self.program.pool.var_ty(v));
            saved.push((v, self.set(v, zero)));
        }
        for (&p, a) in callee.params.iter().zip(args) {
            self.set(p, a);
        }
        self.frames.push(Frame {
            edge,
            callee: call.callee,
            saved,
        });
        self.loc = callee.entry;
        self.leave_finished_calls();
    }

    fn arrive(&mut self, edge: Edge) {
        self.loc = self.program.edges[edge].to;
        self.leave_finished_calls();
    }

    /// Returns from every call whose exit is reached.
    fn leave_finished_calls(&mut self) {
        while let Some(frame) = self.frames.last() {
            let callee = &self.program.procs[frame.callee];
            if callee.exit != Some(self.loc) {
                return;
            }
            let frame = self.frames.pop().expect("just seen");
            let results: Vec<Value> = callee
                .results
                .iter()
                .map(|&r| self.value(r).clone())
                .collect();
            for (v, old) in frame.saved {
                self.set(v, old);
            }
            let data = &self.program.edges[frame.edge];
            let Action::Call(call) = &data.action else {
                unreachable!("a frame's edge is a call");
            };
            for (&v, value) in call.results.iter().zip(results) {
                self.set(v, value);
            }
            self.loc = data.to;
        }
    }

    /// Executes `cmd`; on failure the state is as before.
    fn execute(&mut self, cmd: Cmd, source: &mut Source<'_>) -> Result<Decisions, Stop> {
        let mut undo: Vec<(Var, Value)> = Vec::new();
        let result = self.attempt(cmd, source, &mut undo);
        if result.is_err() {
            self.roll_back(&mut undo, 0);
        }
        result
    }

    fn roll_back(&mut self, undo: &mut Vec<(Var, Value)>, to: usize) {
        while undo.len() > to {
            let (v, old) = undo.pop().expect("longer than the mark");
            self.set(v, old);
        }
    }

    fn attempt(
        &mut self,
        cmd: Cmd,
        source: &mut Source<'_>,
        undo: &mut Vec<(Var, Value)>,
    ) -> Result<Decisions, Stop> {
        let program = self.program;
        let mut todo = vec![cmd];
        let mut choices: Vec<u32> = Vec::new();
        let mut inputs: Vec<(Input, Value)> = Vec::new();
        // Open alternatives, innermost last: what to restore and which branch to try next.
        let mut open: Vec<ChoicePoint> = Vec::new();
        let mut backtracks = 0;
        while let Some(c) = todo.pop() {
            match program.cmds.view(c) {
                CmdView::Skip => {}
                CmdView::Seq(cs) => todo.extend(cs.iter().rev()),
                CmdView::Assume(t) => {
                    if self.eval(t) == Value::Bool(true) {
                        continue;
                    }
                    backtracks += 1;
                    let Some(point) = open.last_mut() else {
                        return Err(Stop::Blocked);
                    };
                    if backtracks > BACKTRACK_LIMIT {
                        return Err(Stop::Blocked);
                    }
                    let branch = point.next_branch(program);
                    todo.clone_from(&point.todo);
                    choices.truncate(point.choices);
                    inputs.truncate(point.inputs);
                    let undo_to = point.undo;
                    choices.push(branch.0);
                    todo.push(branch.1);
                    if point.tried == point.of {
                        open.pop();
                    }
                    self.roll_back(undo, undo_to);
                }
                CmdView::Assign(items) => {
                    let new: Vec<Value> = items.iter().map(|&(_, t)| self.eval(t)).collect();
                    for (&(v, _), value) in items.iter().zip(new) {
                        let old = self.set(v, value);
                        undo.push((v, old));
                    }
                }
                CmdView::Havoc(items) => {
                    for &(v, input) in items {
                        let ty = program.pool.var_ty(v);
                        let value = source.input(input, ty)?;
                        inputs.push((input, value.clone()));
                        let old = self.set(v, value);
                        undo.push((v, old));
                    }
                }
                CmdView::Choice(cs) => {
                    let (first, exact) = source.choice(cs.len())?;
                    if !exact {
                        open.push(ChoicePoint {
                            choice: c,
                            first,
                            tried: 1,
                            of: cs.len(),
                            todo: todo.clone(),
                            choices: choices.len(),
                            inputs: inputs.len(),
                            undo: undo.len(),
                        });
                    }
                    choices.push(first as u32);
                    todo.push(cs[first]);
                }
            }
        }
        source.finish()?;
        Ok((choices, inputs))
    }
}

/// Choices and inputs of an executed command.
type Decisions = (Vec<u32>, Vec<(Input, Value)>);

/// Why a command did not complete.
enum Stop {
    Blocked,
    Choices,
    Inputs,
}

/// A choice with branches left to try.
struct ChoicePoint {
    choice: Cmd,
    first: usize,
    tried: usize,
    of: usize,
    todo: Vec<Cmd>,
    choices: usize,
    inputs: usize,
    undo: usize,
}

impl ChoicePoint {
    fn next_branch(&mut self, program: &Program) -> (u32, Cmd) {
        let CmdView::Choice(cs) = program.cmds.view(self.choice) else {
            unreachable!("a choice point refers to a choice");
        };
        let branch = (self.first + self.tried) % self.of;
        self.tried += 1;
        (branch as u32, cs[branch])
    }
}

impl Source<'_> {
    fn input(&mut self, input: Input, ty: Type) -> Result<Value, Stop> {
        match self {
            Source::Oracle(oracle) => Ok(oracle.input(input, ty)),
            Source::Step { inputs, .. } => match inputs.next() {
                Some((i, value)) if *i == input && value.ty() == ty => Ok(value.clone()),
                _ => Err(Stop::Inputs),
            },
        }
    }

    /// The branch to take, and whether no other may be tried.
    fn choice(&mut self, of: usize) -> Result<(usize, bool), Stop> {
        match self {
            Source::Oracle(oracle) => Ok((oracle.pick(of) % of, false)),
            Source::Step { choices, .. } => match choices.next() {
                Some(&c) if (c as usize) < of => Ok((c as usize, true)),
                _ => Err(Stop::Choices),
            },
        }
    }

    fn finish(&mut self) -> Result<(), Stop> {
        match self {
            Source::Step { choices, .. } if choices.len() > 0 => Err(Stop::Choices),
            Source::Step { inputs, .. } if inputs.len() > 0 => Err(Stop::Inputs),
            _ => Ok(()),
        }
    }
}

/// The condition that an edge begins with.
pub(crate) fn guard(program: &Program, e: Edge) -> Option<Term> {
    let mut c = program.edge_cmd(e)?;
    if let CmdView::Seq(cs) = program.cmds.view(c) {
        c = cs[0];
    }
    match program.cmds.view(c) {
        CmdView::Assume(t) => Some(t),
        _ => None,
    }
}

/// Whether at most one of the edges that leave a location can be taken, as their guards show at a glance: there is nothing to pick.
pub(crate) fn is_decided(program: &Program, out: &[Edge]) -> bool {
    match *out {
        [] | [_] => true,
        [a, b] => match (guard(program, a), guard(program, b)) {
            (Some(s), Some(t)) => negates(&program.pool, s, t),
            _ => false,
        },
        _ => false,
    }
}

/// Whether `s` is `t` negated, as the builder negates or with a plain negation.
fn negates(pool: &TermPool, s: Term, t: Term) -> bool {
    let swapped = |op: Op| {
        pool.op(t) == op && pool.arg(s, 0) == pool.arg(t, 1) && pool.arg(s, 1) == pool.arg(t, 0)
    };
    let is_not = |s: Term, t: Term| pool.op(s) == Op::Not && pool.arg(s, 0) == t;
    let is_converse = match pool.op(s) {
        Op::BvUlt => swapped(Op::BvUle),
        Op::BvUle => swapped(Op::BvUlt),
        Op::BvSlt => swapped(Op::BvSle),
        Op::BvSle => swapped(Op::BvSlt),
        _ => false,
    };
    is_converse || is_not(s, t) || is_not(t, s)
}

/// Replays a whole trace; the location it ends at.
pub fn replay(program: &Program, trace: &Trace) -> Result<Loc, ReplayError> {
    let mut machine = Machine::for_trace(program, trace)?;
    for step in &trace.steps {
        machine.replay(step)?;
    }
    Ok(machine.loc())
}
