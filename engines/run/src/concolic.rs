//! Asks a solver for inputs: an execution is repeated with symbols for its inputs, and where it passed a branch whose other
//! side nobody has seen, the solver is asked for inputs that take the other side.
//!
//! So it is where an execution passed a branch for the first, second, ... time and took the other side than any execution before at
//! that time: a text that is compared character by character, or a number that is read digit by digit, comes about by one
//! question after the other.
//!
//! What has no symbol in it stays concrete ([`crate::symbols`]), so an answer may miss; it is
//! executed like any other guess, and nothing rests on it.

use crate::guide::{Given, Record};
use crate::symbols::{Symbolic, Symbols};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::time::Duration;
use trellis_ivl::cmd::CmdView;
use trellis_ivl::graph::Adjacency;
use trellis_ivl::program::Action;
use trellis_ivl::script::Reader;
use trellis_ivl::{
    Edge, Input, Loc, Machine, Proc, Program, Scope, Script, Step, Term, TermPool, Trace, Type,
    Value, Var,
};
use trellis_solver_api::smt::SmtSession;
use trellis_solver_api::{Answer, Limits};

/// Steps of an execution that is followed.
const STEPS: usize = 3_000;
/// Questions about one execution, and how many of them are about sides that other executions have passed.
const QUESTIONS: usize = 24;
const AGAIN: usize = 8;
/// Passes of a branch that are told apart.
const PASSES: u32 = 40;
/// Time for one.
const PATIENCE: Duration = Duration::from_millis(400);
/// How often the same edge is asked for, at the same pass of a branch with a side that nobody has seen, and in all.
const TRIES: u32 = 3;
const MOST_TRIES: u32 = 60;
/// Terms that may be made.
const TERMS: usize = 2_000_000;

/// Inputs and initial values that are said to lead elsewhere.
pub struct Elsewhere {
    /// In the order of reading.
    pub inputs: Vec<(Input, Given)>,
    /// Of variables.
    pub initial: BTreeMap<Var, Value>,
}

/// What is kept between executions.
pub struct Concolic<'p> {
    program: &'p Program,
    pool: TermPool,
    adjacency: Adjacency,
    locals: Vec<Vec<Var>>,
    tried: FxHashMap<Edge, u32>,
    tried_at: FxHashMap<(Edge, u32), u32>,
    /// Edges that were taken at these passes.
    taken: FxHashSet<(Edge, u32)>,
    made: usize,
}

/// A call in progress.
struct Activation {
    edge: Edge,
    callee: Proc,
    /// The callee's locals as they were before the call, with their symbols.
    saved: Vec<(Var, (Value, Option<Symbolic>))>,
}

/// An execution with symbols.
struct Shadow {
    state: Symbols,
    calls: Vec<Activation>,
    loc: Loc,
    /// The symbol of each input that has one, with its number in the order of reading.
    inputs: Vec<(usize, Var)>,
    read: usize,
}

impl<'p> Concolic<'p> {
    /// Nothing asked yet.
    pub fn new(program: &'p Program) -> Concolic<'p> {
        let mut locals = vec![Vec::new(); program.procs.len()];
        for (v, data) in program.pool.vars() {
            if let Scope::Local(p) = data.scope
                && let Some(own) = locals.get_mut(p.as_u32() as usize)
            {
                own.push(v);
            }
        }
        Concolic {
            program,
            pool: program.pool.clone(),
            adjacency: Adjacency::new(program),
            locals,
            tried: FxHashMap::default(),
            tried_at: FxHashMap::default(),
            taken: FxHashSet::default(),
            made: program.pool.len(),
        }
    }

    /// Inputs that lead where an execution did not go; `is_open` says whether a location has a side that nobody has seen.
    pub fn ask(
        &mut self,
        record: &Record,
        script: &Script,
        session: &mut dyn SmtSession,
        is_open: impl Fn(Loc) -> bool,
    ) -> Vec<Elsewhere> {
        let mut found = Vec::new();
        if self.pool.len() > self.made + TERMS {
            return found;
        }
        session.set_limits(Limits::wall(PATIENCE));
        let mut shadow = self.shadow(script);
        let (mut questions, mut again) = (0, 0);
        let steps = self.steps(script);
        let mut asked = FxHashSet::default();
        let mut passes: FxHashMap<Loc, u32> = FxHashMap::default();
        for step in steps.iter().map(Some).chain([None]) {
            let taken = step.map(|s| s.edge);
            let out = self.adjacency.out(shadow.loc).to_vec();
            if out.len() > 1 {
                let pass = passes.entry(shadow.loc).or_default();
                *pass += 1;
                let pass = (*pass).min(PASSES);
                self.taken.extend(taken.map(|e| (e, pass)));
                let is_open = is_open(shadow.loc) && asked.insert((shadow.loc, shadow.read));
                for e in out {
                    let is_new = again < AGAIN && !self.taken.contains(&(e, pass));
                    if taken == Some(e)
                        || !(is_open || is_new)
                        || questions >= QUESTIONS
                        || !self.may_try(e, pass, if is_open { TRIES } else { 1 })
                    {
                        continue;
                    }
                    let Some(goal) = self.goal(&mut shadow, e) else {
                        continue;
                    };
                    *self.tried.entry(e).or_default() += 1;
                    *self.tried_at.entry((e, pass)).or_default() += 1;
                    questions += 1;
                    again += usize::from(!is_open);
                    if let Ok(Answer::Sat) = session.check(&self.pool, &goal) {
                        found.extend(self.elsewhere(&shadow, (record, script), session));
                    }
                }
            }
            let Some(step) = step else { break };
            for condition in self.follow(&mut shadow, step) {
                if session.assert(&self.pool, condition).is_err() {
                    return found;
                }
            }
        }
        found
    }

    fn may_try(&self, e: Edge, pass: u32, most: u32) -> bool {
        let tries = |n: Option<&u32>| n.copied().unwrap_or(0);
        tries(self.tried.get(&e)) < MOST_TRIES && tries(self.tried_at.get(&(e, pass))) < most
    }

    /// The steps of a script, as far as they are followed.
    fn steps(&self, script: &Script) -> Vec<Step> {
        let initial = Trace {
            initial: script.initial.clone(),
            steps: Vec::new(),
        };
        let Ok(mut machine) = Machine::for_trace(self.program, &initial) else {
            return Vec::new();
        };
        let mut reader = Reader::new(self.program, script);
        let mut steps = Vec::new();
        while steps.len() < STEPS && !machine.is_final() {
            match machine.step(&mut reader) {
                Some(step) if reader.check(false).is_ok() => steps.push(step),
                _ => break,
            }
        }
        steps
    }

    fn shadow(&self, script: &Script) -> Shadow {
        Shadow {
            state: Symbols::new(self.program, script),
            calls: Vec::new(),
            loc: self.program.entry(),
            inputs: Vec::new(),
            read: 0,
        }
    }

    /// The guard of an edge, if it has symbols, with what it takes for granted.
    fn goal(&mut self, shadow: &mut Shadow, e: Edge) -> Option<Vec<Term>> {
        let mut c = self.program.edge_cmd(e)?;
        if let CmdView::Seq(cs) = self.program.cmds.view(c) {
            c = cs[0];
        }
        let CmdView::Assume(t) = self.program.cmds.view(c) else {
            return None;
        };
        let goal = shadow.state.condition(&mut self.pool, t);
        let mut all = shadow.state.take_held();
        all.push(goal?);
        Some(all)
    }

    /// Makes a step; the conditions with symbols that it passes.
    fn follow(&mut self, shadow: &mut Shadow, step: &Step) -> Vec<Term> {
        let mut conditions = Vec::new();
        let program = self.program;
        let data = &program.edges[step.edge];
        match &data.action {
            Action::Cmd(c) => {
                let mut todo = vec![*c];
                let mut choices = step.choices.iter();
                let mut inputs = step.inputs.iter();
                while let Some(c) = todo.pop() {
                    match program.cmds.view(c) {
                        CmdView::Skip => {}
                        CmdView::Seq(cs) => todo.extend(cs.iter().rev()),
                        CmdView::Choice(cs) => {
                            let choice = choices.next().map_or(0, |&c| c as usize);
                            todo.extend(cs.get(choice));
                        }
                        CmdView::Assume(t) => {
                            conditions.extend(shadow.state.condition(&mut self.pool, t));
                        }
                        CmdView::Assign(items) => self.assign(shadow, items),
                        CmdView::Havoc(items) => {
                            for &(v, _) in items {
                                let Some((_, value)) = inputs.next() else {
                                    break;
                                };
                                self.read(shadow, v, value.clone());
                            }
                        }
                    }
                }
                shadow.loc = data.to;
            }
            Action::Call(_) => self.call(shadow, step.edge),
        }
        self.leave(shadow);
        conditions.extend(shadow.state.take_held());
        conditions
    }

    fn assign(&mut self, shadow: &mut Shadow, items: &[(Var, Term)]) {
        let eval = |&(v, t): &(Var, Term)| (v, shadow.state.eval(&mut self.pool, t));
        let new: Vec<_> = items.iter().map(eval).collect();
        for (v, value) in new {
            shadow.state.set(v, value);
        }
    }

    fn read(&mut self, shadow: &mut Shadow, v: Var, value: Value) {
        let ty = value.ty();
        let symbol = match ty {
            Type::Bool | Type::Bv(_) => {
                let symbol = self.pool.fresh(format!("input{}", shadow.read), ty);
                shadow.inputs.push((shadow.read, symbol));
                Some(Symbolic::Word(self.pool.var(symbol)))
            }
            Type::Array { .. } => None,
        };
        shadow.read += 1;
        shadow.state.set(v, (value, symbol));
    }

    fn call(&mut self, shadow: &mut Shadow, edge: Edge) {
        let program = self.program;
        let Action::Call(call) = &program.edges[edge].action else {
            return;
        };
        let eval = |&t: &Term| shadow.state.eval(&mut self.pool, t);
        let args: Vec<_> = call.args.iter().map(eval).collect();
        let mut saved = Vec::new();
        for &v in &self.locals[call.callee.as_u32() as usize] {
            saved.push((v, shadow.state.get(v)));
            let zero = Value::zero(program.pool.var_ty(v));
            shadow.state.set(v, (zero, None));
        }
        let callee = &program.procs[call.callee];
        for (&p, value) in callee.params.iter().zip(args) {
            shadow.state.set(p, value);
        }
        shadow.calls.push(Activation {
            edge,
            callee: call.callee,
            saved,
        });
        shadow.loc = callee.entry;
    }

    /// Returns from every call whose exit is reached.
    fn leave(&mut self, shadow: &mut Shadow) {
        let program = self.program;
        while let Some(Activation { callee, .. }) = shadow.calls.last() {
            let callee = &program.procs[*callee];
            if callee.exit != Some(shadow.loc) {
                return;
            }
            let Some(Activation { edge, saved, .. }) = shadow.calls.pop() else {
                return;
            };
            let results = callee.results.iter().map(|&r| shadow.state.get(r));
            let results: Vec<_> = results.collect();
            for (v, value) in saved {
                shadow.state.set(v, value);
            }
            let data = &program.edges[edge];
            if let Action::Call(call) = &data.action {
                for (&v, value) in call.results.iter().zip(results) {
                    shadow.state.set(v, value);
                }
            }
            shadow.loc = data.to;
        }
    }

    /// The inputs up to here and the initial values as the model has them.
    fn elsewhere(
        &mut self,
        shadow: &Shadow,
        (record, script): (&Record, &Script),
        session: &mut dyn SmtSession,
    ) -> Option<Elsewhere> {
        let mut inputs = record.inputs.get(..shadow.read)?.to_vec();
        for &(at, symbol) in &shadow.inputs {
            let term = self.pool.var(symbol);
            let value = session.value(&self.pool, term).ok()?;
            inputs[at].1 = match &value {
                Value::Bool(b) => Given::Word(u64::from(*b)),
                Value::Bv(v) if v.width() <= 64 => Given::Word(v.to_u64()?),
                _ => Given::Value(Box::new(value)),
            };
        }
        let mut initial = script.initial.clone();
        for (v, at, symbol) in shadow.state.cells() {
            let ty = self.program.pool.var_ty(v);
            let old = initial.entry(v).or_insert_with(|| Value::zero(ty));
            let content = session.value(&self.pool, symbol).ok()?;
            if let (Value::Array(cells), Value::Bv(content)) = (&*old, content) {
                *old = cells.store(at.clone(), content).into();
            }
        }
        Some(Elsewhere { inputs, initial })
    }
}
