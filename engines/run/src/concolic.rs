//! Asks a solver for inputs: an execution is repeated with symbols for its inputs, and where it passed a branch whose other
//! side nobody has seen, the solver is asked for inputs that take the other side.
//!
//! What has no symbol in it stays concrete. Arrays with many cells stay concrete, too, so an answer may miss; it is
//! executed like any other guess, and nothing rests on it.

use crate::guide::{Given, Record};
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Duration;
use trellis_ivl::cmd::CmdView;
use trellis_ivl::graph::Adjacency;
use trellis_ivl::program::Action;
use trellis_ivl::script::Reader;
use trellis_ivl::{
    Edge, Evaluator, Input, Loc, Machine, Proc, Program, Scope, Script, Step, Term, TermPool,
    Trace, Type, Value, Var,
};
use trellis_solver_api::smt::SmtSession;
use trellis_solver_api::{Answer, Limits};

/// Steps of an execution that is followed.
const STEPS: usize = 3_000;
/// Cells of an array that may get symbols.
const CELLS: usize = 64;
/// Questions about one execution.
const QUESTIONS: usize = 24;
/// Time for one.
const PATIENCE: Duration = Duration::from_millis(400);
/// How often the same edge is asked for.
const TRIES: u32 = 3;
/// Terms that may be made.
const TERMS: usize = 2_000_000;

/// Inputs that are said to lead elsewhere.
pub type Tape = Vec<(Input, Given)>;

/// What is kept between executions.
pub struct Concolic<'p> {
    program: &'p Program,
    pool: TermPool,
    adjacency: Adjacency,
    locals: Vec<Vec<Var>>,
    tried: FxHashMap<Edge, u32>,
    made: usize,
}

/// A call in progress.
struct Activation {
    edge: Edge,
    callee: Proc,
    /// The callee's locals as they were before the call, with their symbols.
    saved: Vec<(Var, Value, Option<Term>)>,
}

/// An execution with symbols.
struct Shadow {
    values: Vec<Value>,
    symbols: FxHashMap<Var, Term>,
    calls: Vec<Activation>,
    loc: Loc,
    /// The symbol of each input that has one, with its number in the order of reading.
    inputs: Vec<(usize, Var)>,
    read: usize,
    evaluator: Evaluator,
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
    ) -> Vec<Tape> {
        let mut tapes = Vec::new();
        if self.pool.len() > self.made + TERMS {
            return tapes;
        }
        session.set_limits(Limits::wall(PATIENCE));
        let mut shadow = self.shadow(script);
        let mut questions = 0;
        let steps = self.steps(script);
        let mut asked = FxHashSet::default();
        for step in steps.iter().map(Some).chain([None]) {
            let taken = step.map(|s| s.edge);
            if is_open(shadow.loc) && asked.insert((shadow.loc, shadow.inputs.len())) {
                for e in self.adjacency.out(shadow.loc).to_vec() {
                    let tries = self.tried.entry(e).or_default();
                    if taken == Some(e) || *tries >= TRIES || questions >= QUESTIONS {
                        continue;
                    }
                    let Some(goal) = self.goal(&mut shadow, e) else {
                        continue;
                    };
                    *self.tried.entry(e).or_default() += 1;
                    questions += 1;
                    if let Ok(Answer::Sat) = session.check(&self.pool, &[goal]) {
                        tapes.extend(self.tape(&shadow, record, session));
                    }
                }
            }
            let Some(step) = step else { break };
            for condition in self.follow(&mut shadow, step) {
                if session.assert(&self.pool, condition).is_err() {
                    return tapes;
                }
            }
        }
        tapes
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
        let vars = self.program.pool.vars().iter();
        let value = |(v, d): (Var, &trellis_ivl::VarData)| {
            let given = script.initial.get(&v).cloned();
            given.unwrap_or_else(|| Value::zero(d.ty))
        };
        Shadow {
            values: vars.map(value).collect(),
            symbols: FxHashMap::default(),
            calls: Vec::new(),
            loc: self.program.entry(),
            inputs: Vec::new(),
            read: 0,
            evaluator: Evaluator::new(),
        }
    }

    /// The guard of an edge, if it has symbols.
    fn goal(&mut self, shadow: &mut Shadow, e: Edge) -> Option<Term> {
        let mut c = self.program.edge_cmd(e)?;
        if let CmdView::Seq(cs) = self.program.cmds.view(c) {
            c = cs[0];
        }
        let CmdView::Assume(t) = self.program.cmds.view(c) else {
            return None;
        };
        self.symbolic(shadow, t)
    }

    /// The term over symbols, if there are any in it.
    fn symbolic(&mut self, shadow: &Shadow, t: Term) -> Option<Term> {
        if shadow.symbols.is_empty() {
            return None;
        }
        let free = self.pool.free_vars([t]);
        if !free.iter().any(|v| shadow.symbols.contains_key(v)) {
            return None;
        }
        let mut map = FxHashMap::default();
        for v in free {
            let term = match shadow.symbols.get(&v) {
                Some(&term) => term,
                None => {
                    let value = &shadow.values[v.as_u32() as usize];
                    let cells = value.as_array().map_or(0, |a| a.entries().count());
                    if cells > CELLS {
                        return None;
                    }
                    self.pool.value(value)
                }
            };
            map.insert(v, term);
        }
        let term = self.pool.substitute(t, &map);
        (!self.pool.is_const(term)).then_some(term)
    }

    fn value(&self, shadow: &mut Shadow, t: Term) -> Value {
        let values = &shadow.values;
        let var = |v: Var| values[v.as_u32() as usize].clone();
        shadow.evaluator.new_round();
        shadow.evaluator.eval(&self.program.pool, t, var)
    }

    fn set(shadow: &mut Shadow, v: Var, value: Value, symbolic: Option<Term>) {
        shadow.values[v.as_u32() as usize] = value;
        match symbolic {
            Some(term) => shadow.symbols.insert(v, term),
            None => shadow.symbols.remove(&v),
        };
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
                        CmdView::Assume(t) => conditions.extend(self.symbolic(shadow, t)),
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
        conditions
    }

    fn assign(&mut self, shadow: &mut Shadow, items: &[(Var, Term)]) {
        let mut new = Vec::with_capacity(items.len());
        for &(v, t) in items {
            let symbolic = self.symbolic(shadow, t);
            new.push((v, self.value(shadow, t), symbolic));
        }
        for (v, value, symbolic) in new {
            Self::set(shadow, v, value, symbolic);
        }
    }

    fn read(&mut self, shadow: &mut Shadow, v: Var, value: Value) {
        let ty = value.ty();
        let symbol = match ty {
            Type::Bool | Type::Bv(_) => {
                let symbol = self.pool.fresh(format!("input{}", shadow.read), ty);
                shadow.inputs.push((shadow.read, symbol));
                Some(self.pool.var(symbol))
            }
            Type::Array { .. } => None,
        };
        shadow.read += 1;
        Self::set(shadow, v, value, symbol);
    }

    fn call(&mut self, shadow: &mut Shadow, edge: Edge) {
        let program = self.program;
        let Action::Call(call) = &program.edges[edge].action else {
            return;
        };
        let mut args = Vec::with_capacity(call.args.len());
        for &t in &call.args {
            let symbolic = self.symbolic(shadow, t);
            args.push((self.value(shadow, t), symbolic));
        }
        let mut saved = Vec::new();
        for &v in &self.locals[call.callee.as_u32() as usize] {
            let old = shadow.values[v.as_u32() as usize].clone();
            saved.push((v, old, shadow.symbols.get(&v).copied()));
            Self::set(shadow, v, Value::zero(program.pool.var_ty(v)), None);
        }
        let callee = &program.procs[call.callee];
        for (&p, (value, symbolic)) in callee.params.iter().zip(args) {
            Self::set(shadow, p, value, symbolic);
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
            let result = |&r: &Var| {
                let value = shadow.values[r.as_u32() as usize].clone();
                (value, shadow.symbols.get(&r).copied())
            };
            let results: Vec<_> = callee.results.iter().map(result).collect();
            for (v, value, symbolic) in saved {
                Self::set(shadow, v, value, symbolic);
            }
            let data = &program.edges[edge];
            if let Action::Call(call) = &data.action {
                for (&v, (value, symbolic)) in call.results.iter().zip(results) {
                    Self::set(shadow, v, value, symbolic);
                }
            }
            shadow.loc = data.to;
        }
    }

    /// The inputs up to here as the model has them.
    fn tape(
        &mut self,
        shadow: &Shadow,
        record: &Record,
        session: &mut dyn SmtSession,
    ) -> Option<Tape> {
        let mut tape = record.inputs.get(..shadow.read)?.to_vec();
        for &(at, symbol) in &shadow.inputs {
            let term = self.pool.var(symbol);
            let value = session.value(&self.pool, term).ok()?;
            tape[at].1 = match &value {
                Value::Bool(b) => Given::Word(u64::from(*b)),
                Value::Bv(v) if v.width() <= 64 => Given::Word(v.to_u64()?),
                _ => Given::Value(Box::new(value)),
            };
        }
        Some(tape)
    }
}
