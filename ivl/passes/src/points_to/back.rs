//! The way back of `points-to`: memories from their parts.
//!
//! *Traces* take the same steps. What a memory holds initially follows from what its parts hold:
//! a variable gives the elements of its object, an array the elements that the trace reads from it.
//!
//! *Invariants* speak of a part as its memory: a variable is what the memory holds at its object,
//! and reading an array is reading the memory. A comparison of whole arrays says more than is true
//! of the memory and is dropped. What stores to other parts leave alone rests on where pointers
//! point, so invariants and the heads of loops without one get what is known there of the values of
//! variables.

use super::plan::Part;
use crate::back::{BackError, BackMap, Invariants};
use crate::propagate;
use crate::weaken::weaken;
use cranelift_entity::PrimaryMap;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use trellis_ivl::{
    ArrayValue, Bv, Cmd, CmdView, Edge, Evaluator, Loc, Op, Program, Step, Term, TermPool, Trace,
    Type, Value, Var,
};

/// Nodes of the terms that say what a variable holds: a base plus a constant.
const FACT_LIMIT: usize = 3;

pub(super) struct PartsBack {
    pub parts: Vec<Part>,
    /// The commands after the pass.
    pub commands: PrimaryMap<Edge, Cmd>,
}

impl BackMap for PartsBack {
    fn trace(&self, program: &Program, trace: Trace) -> Result<Trace, BackError> {
        let mut run = Run::new(self, program, &trace);
        for step in &trace.steps {
            run.step(step).ok_or(BackError::Foreign(step.edge))?;
        }
        let memories = run.memories;
        let Trace { mut initial, steps } = trace;
        for part in &self.parts {
            initial.remove(&part.var);
        }
        initial.extend(memories.into_iter().map(|(v, a)| (v, Value::Array(a))));
        Ok(Trace { initial, steps })
    }

    fn invariants(&self, program: &mut Program, invariants: Invariants) -> Invariants {
        // Most programs have no lemmas, and facts cost an analysis.
        if invariants.is_empty() {
            return invariants;
        }
        let wanted = |l: Loc, _: bool| invariants.contains_key(&l);
        let facts = propagate::facts_at(program, FACT_LIMIT, wanted);
        let names = self.names(program);
        let mut result = Invariants::new();
        for (l, t) in invariants {
            let t = without_whole_arrays(&mut program.pool, t, &names);
            let t = program.pool.substitute(t, &names);
            let facts = facts.get(&l).copied();
            let all = program.pool.and_all(facts.into_iter().chain([t]));
            result.insert(l, all);
        }
        result
    }

    fn lemmas(&self, program: &mut Program, known: &Invariants, lemmas: Invariants) -> Invariants {
        let wanted = |l: Loc, is_head: bool| is_head && !known.contains_key(&l);
        let mut result = propagate::facts_at(program, FACT_LIMIT, wanted);
        result.extend(self.invariants(program, lemmas));
        result
    }
}

impl PartsBack {
    /// Every part as a term over its memory.
    fn names(&self, program: &mut Program) -> FxHashMap<Var, Term> {
        let pool = &mut program.pool;
        let mut names = FxHashMap::default();
        for part in &self.parts {
            let memory = pool.var(part.memory);
            let term = match &part.cell {
                None => memory,
                Some(cell) => {
                    let base = pool.var(cell.base);
                    let width = pool.width(base);
                    let mut at = |k: u64| {
                        let k = pool.num(width, k);
                        let address = pool.bvadd(base, k);
                        pool.select(memory, address)
                    };
                    let first = at(cell.first);
                    let rest: Vec<Term> = (1..cell.len).map(|k| at(cell.first + k)).collect();
                    rest.into_iter()
                        .fold(first, |low, high| pool.concat(high, low))
                }
            };
            names.insert(part.var, term);
        }
        names
    }
}

/// A consequence of `t` without comparisons of arrays that are parts.
fn without_whole_arrays(pool: &mut TermPool, t: Term, parts: &FxHashMap<Var, Term>) -> Term {
    let mut mentions: FxHashSet<Term> = FxHashSet::default();
    let mut new: FxHashMap<Term, Term> = FxHashMap::default();
    let mut dropped = Vec::new();
    for u in pool.post_order([t]) {
        let is_part = pool.as_var(u).is_some_and(|v| parts.contains_key(&v));
        if is_part || pool.args(u).any(|a| mentions.contains(&a)) {
            mentions.insert(u);
        }
        let whole = pool.op(u) == Op::Eq
            && matches!(pool.ty(pool.arg(u, 0)), Type::Array { .. })
            && mentions.contains(&u);
        let term = if whole {
            let v = pool.fresh("whole", Type::Bool);
            dropped.push(v);
            pool.var(v)
        } else {
            let args: Vec<Term> = pool.args(u).map(|a| new[&a]).collect();
            match pool.args(u).eq(args.iter().copied()) {
                true => u,
                false => pool.rebuild(u, &args),
            }
        };
        new.insert(u, term);
    }
    weaken(pool, new[&t], &|v| dropped.binary_search(&v).is_err())
}

/// Follows a trace of the program after, and collects what the memories must hold at first.
struct Run<'a> {
    back: &'a PartsBack,
    program: &'a Program,
    /// Arrays that are parts: their memory, and what they hold at first.
    arrays: FxHashMap<Var, (Var, ArrayValue)>,
    state: FxHashMap<Var, Value>,
    memories: BTreeMap<Var, ArrayValue>,
    /// The elements of memories that are settled.
    settled: FxHashSet<(Var, Bv)>,
    evaluator: Evaluator,
}

impl<'a> Run<'a> {
    fn new(back: &'a PartsBack, program: &'a Program, trace: &Trace) -> Run<'a> {
        let mut run = Run {
            back,
            program,
            arrays: FxHashMap::default(),
            state: trace.initial.clone().into_iter().collect(),
            memories: BTreeMap::new(),
            settled: FxHashSet::default(),
            evaluator: Evaluator::new(),
        };
        for part in &back.parts {
            let value = run.lookup(part.var);
            let Type::Array { index, elem } = program.pool.var_ty(part.memory) else {
                unreachable!("a memory is an array");
            };
            let zero = ArrayValue::constant(index, Bv::zero(elem));
            run.memories.entry(part.memory).or_insert(zero);
            match (&part.cell, value) {
                (Some(cell), Value::Bv(word)) => {
                    for k in 0..cell.len {
                        let at = cell.address.add(&Bv::new(index, cell.first + k));
                        let lo = k as u32 * elem;
                        run.settle(part.memory, at, word.extract(lo + elem - 1, lo));
                    }
                }
                (None, Value::Array(array)) => {
                    run.arrays.insert(part.var, (part.memory, array));
                }
                _ => {}
            }
        }
        run
    }

    fn lookup(&self, v: Var) -> Value {
        let known = self.state.get(&v).cloned();
        known.unwrap_or_else(|| Value::zero(self.program.pool.var_ty(v)))
    }

    fn settle(&mut self, memory: Var, at: Bv, element: Bv) {
        if self.settled.insert((memory, at.clone()))
            && let Some(array) = self.memories.get_mut(&memory)
        {
            *array = array.store(at, element);
        }
    }

    /// Executes one step; `None` when it does not fit its edge.
    fn step(&mut self, step: &Step) -> Option<()> {
        let mut choices = step.choices.iter();
        let mut inputs = step.inputs.iter();
        let mut todo = vec![*self.back.commands.get(step.edge)?];
        while let Some(c) = todo.pop() {
            match self.program.cmds.view(c) {
                CmdView::Skip => {}
                CmdView::Assume(t) => self.reads(t),
                CmdView::Assign(items) => {
                    let values: Vec<Value> = items
                        .iter()
                        .map(|&(_, t)| {
                            self.reads(t);
                            self.eval(t)
                        })
                        .collect();
                    let vars = items.iter().map(|&(v, _)| v);
                    self.state.extend(vars.zip(values));
                }
                CmdView::Havoc(items) => {
                    for &(v, _) in items {
                        let (_, value) = inputs.next()?;
                        self.state.insert(v, value.clone());
                    }
                }
                CmdView::Seq(cs) => todo.extend(cs.iter().rev()),
                CmdView::Choice(cs) => todo.push(*cs.get(*choices.next()? as usize)?),
            }
            self.evaluator.new_round();
        }
        Some(())
    }

    fn eval(&mut self, t: Term) -> Value {
        let mut evaluator = std::mem::take(&mut self.evaluator);
        let value = evaluator.eval(&self.program.pool, t, |v| self.lookup(v));
        self.evaluator = evaluator;
        value
    }

    /// Settles the elements that `t` reads from parts.
    fn reads(&mut self, t: Term) {
        let pool = &self.program.pool;
        for u in pool.post_order([t]) {
            if pool.op(u) != Op::Select {
                continue;
            }
            let mut stack = vec![pool.arg(u, 0)];
            while let Some(a) = stack.pop() {
                match pool.op(a) {
                    Op::Store => stack.push(pool.arg(a, 0)),
                    Op::Ite => stack.extend([pool.arg(a, 1), pool.arg(a, 2)]),
                    Op::Var => {
                        let v = pool.as_var(a).expect("a variable node");
                        let Some((memory, array)) = self.arrays.get(&v).cloned() else {
                            continue;
                        };
                        if let Value::Bv(at) = self.eval(pool.arg(u, 1)) {
                            let element = array.select(&at).clone();
                            self.settle(memory, at, element);
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}
