//! A counterexample of the abstraction on the program: with arrays as they are, or the read that cannot be.
//!
//! The run of the abstraction says what every read gives. What an array holds at first is what is read first, and from
//! then on what is written decides. Reads that give something else are mended one at a time; one without which the run
//! does not reach its error is worth watching.

use crate::memory::cells::{Cells, Place, Read, Watch, arrays_below};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use trellis_ivl_passes::transition::{Path, TransitionSystem};
use trellis_plugin_sdk::ivl::{
    ArrayValue, Bv, Evaluator, Machine, Op, Program, Term, Trace, Type, Value, Var, replay,
};

/// Mended runs that are tried at most.
const MAX_TRIALS: usize = 200;

/// What a counterexample comes to.
pub enum Concrete {
    /// An execution of the program.
    Real(Trace),
    /// Reads that arrays do not give, the most useful to watch first.
    Spurious(Vec<Watch>),
}

type Values = FxHashMap<Var, Value>;

/// What is known of an array.
#[derive(Clone)]
struct Memory {
    /// Where nothing is known, it is as this array was at first.
    first: Option<Var>,
    values: ArrayValue,
    /// Where something is known: one.
    known: ArrayValue,
}

impl Memory {
    fn open(v: Var, index: u32, elem: u32) -> Memory {
        Memory {
            first: Some(v),
            values: ArrayValue::constant(index, Bv::zero(elem)),
            known: ArrayValue::constant(index, Bv::zero(1)),
        }
    }

    fn constant(index: u32, value: Bv) -> Memory {
        Memory {
            first: None,
            values: ArrayValue::constant(index, value),
            known: ArrayValue::constant(index, Bv::one(1)),
        }
    }

    fn store(&self, index: Bv, value: Bv) -> Memory {
        Memory {
            first: self.first,
            known: self.known.store(index.clone(), Bv::one(1)),
            values: self.values.store(index, value),
        }
    }
}

/// A read that gives what the array does not hold.
struct Mismatch {
    step: usize,
    read: Read,
    holds: Bv,
}

struct Run<'a> {
    cells: &'a Cells,
    ts: &'a TransitionSystem,
    program: &'a Program,
    /// Per step of the view: all variables before it, and its inputs; the last one is that of the bad condition.
    steps: Vec<Values>,
    init: Values,
    /// The number of the bad condition.
    bad: usize,
    evaluator: Evaluator,
    /// What arrays hold at first.
    first: BTreeMap<(Var, Bv), Bv>,
}

/// The counterexample on `program`, whose view is `ts`; `None` where it does not replay.
pub fn concrete(
    program: &Program,
    ts: &TransitionSystem,
    cells: &Cells,
    trace: &Trace,
) -> Option<Concrete> {
    let mut run = Run::new(program, ts, cells, trace)?;
    let mismatches = run.mismatches();
    if let Some(trace) = run.trace() {
        return Some(Concrete::Real(trace));
    }
    Some(Concrete::Spurious(run.worth_watching(&mismatches)))
}

impl<'a> Run<'a> {
    fn new(
        program: &'a Program,
        ts: &'a TransitionSystem,
        cells: &'a Cells,
        trace: &Trace,
    ) -> Option<Run<'a>> {
        let mut machine = Machine::for_trace(&cells.program, trace).ok()?;
        let held = |machine: &Machine<'_>, v: Var| (v, machine.value(v).clone());
        let own: Vec<Var> = variables(ts, cells);
        let (mut steps, mut init, mut bad) = (Vec::new(), Values::default(), None);
        for (n, step) in trace.steps.iter().enumerate() {
            let before: Values = own.iter().map(|&v| held(&machine, v)).collect();
            machine.replay(step).ok()?;
            let last = n + 1 == trace.steps.len();
            let place = if n == 0 {
                Place::Init
            } else if last {
                // Edges to bad locations come after those of initial states and steps, in order.
                bad = Some((step.edge.as_u32() as usize).checked_sub(2)?);
                Place::Bad(bad?)
            } else {
                Place::Step
            };
            let part = cells.parts.get(&place)?;
            let mut all = before;
            let inputs = part.inputs.iter().map(|i| i.1);
            let reads = part.reads.iter().map(|r| r.value);
            all.extend(inputs.chain(reads).map(|v| held(&machine, v)));
            match place {
                Place::Init => init = all,
                _ => steps.push(all),
            }
        }
        Some(Run {
            cells,
            ts,
            program,
            steps,
            init,
            bad: bad?,
            evaluator: Evaluator::new(),
            first: BTreeMap::new(),
        })
    }

    fn place(&self, step: usize) -> Place {
        match step + 1 == self.steps.len() {
            true => Place::Bad(self.bad),
            false => Place::Step,
        }
    }

    fn eval(&mut self, t: Term, values: &Values) -> Value {
        let pool = &self.cells.program.pool;
        let value = |v: Var| match values.get(&v) {
            Some(value) => value.clone(),
            None => Value::zero(pool.var_ty(v)),
        };
        self.evaluator.eval(pool, t, value)
    }

    fn word(&mut self, t: Term, values: &Values) -> Bv {
        match self.eval(t, values) {
            Value::Bv(word) => word,
            Value::Bool(bit) => Bv::new(1, u64::from(bit)),
            Value::Array(array) => array.default().clone(),
        }
    }

    /// What an array term of a place is, given what the variables hold.
    fn array(
        &mut self,
        root: Term,
        place: Place,
        values: &Values,
        held: &FxHashMap<Var, Memory>,
    ) -> Memory {
        let cells = self.cells;
        let (pool, part) = (&cells.program.pool, &cells.parts[&place]);
        let mut made: FxHashMap<Term, Memory> = FxHashMap::default();
        for t in arrays_below(pool, root) {
            let memory = match pool.op(t) {
                Op::Store => {
                    let (below, at, value) = (pool.arg(t, 0), pool.arg(t, 1), pool.arg(t, 2));
                    let at = self.word(part.terms[&at], values);
                    let value = self.word(part.terms[&value], values);
                    made[&below].store(at, value)
                }
                Op::Ite => {
                    let holds = self.eval(part.terms[&pool.arg(t, 0)], values);
                    let taken = if holds == Value::Bool(true) { 1 } else { 2 };
                    made[&pool.arg(t, taken)].clone()
                }
                op => {
                    let Type::Array { index, elem } = pool.ty(t) else {
                        unreachable!("an array has the type of arrays");
                    };
                    match pool.as_var(t) {
                        Some(v) => match held.get(&v) {
                            Some(memory) => memory.clone(),
                            None => Memory::open(v, index, elem),
                        },
                        None => {
                            debug_assert_eq!(op, Op::ConstArray);
                            let value = self.word(part.terms[&pool.arg(t, 0)], values);
                            Memory::constant(index, value)
                        }
                    }
                }
            };
            made.insert(t, memory);
        }
        made.remove(&root).expect("the root was made last")
    }

    /// What the arrays of the state hold at first.
    fn initial(&mut self) -> FxHashMap<Var, Memory> {
        let pool = &self.program.pool;
        let mut held: FxHashMap<Var, Memory> = FxHashMap::default();
        for &v in &self.ts.state {
            if let Type::Array { index, elem } = pool.var_ty(v) {
                held.insert(v, Memory::open(v, index, elem));
            }
        }
        let values = self.init.clone();
        self.evaluator.new_round();
        for part in pool.conjuncts(self.ts.init.term) {
            if pool.op(part) != Op::Eq {
                continue;
            }
            let (a, b) = (pool.arg(part, 0), pool.arg(part, 1));
            let sides = [(a, b), (b, a)];
            let own = sides.iter().find_map(|&(x, y)| {
                let v = pool.as_var(x).filter(|v| held.contains_key(v))?;
                let open = pool.as_var(y).is_some_and(|u| !held.contains_key(&u));
                (!open).then_some((v, y))
            });
            if let Some((v, t)) = own {
                let memory = self.array(t, Place::Init, &values, &held);
                held.insert(v, memory);
            }
        }
        held
    }

    /// The reads that give what arrays do not hold, and what arrays hold at first.
    fn mismatches(&mut self) -> Vec<Mismatch> {
        let cells = self.cells;
        let mut held = self.initial();
        let mut found = Vec::new();
        for cell in &cells.cells {
            let index = cells.indices[cell.watch];
            let (Some(at), Some(value)) =
                (self.steps[0].get(&index), self.steps[0].get(&cell.content))
            else {
                continue;
            };
            if let (Value::Bv(at), Value::Bv(value)) = (at.clone(), value.clone())
                && let Some(memory) = held.get(&cell.array)
                && memory.known.select(&at).is_zero()
                && let Some(first) = memory.first
            {
                self.first.entry((first, at)).or_insert(value);
            }
        }
        for n in 0..self.steps.len() {
            let place = self.place(n);
            let values = self.steps[n].clone();
            self.evaluator.new_round();
            for &read in &cells.parts[&place].reads {
                let Some(memory) = held.get(&read.id.array) else {
                    continue;
                };
                let (known, at) = (memory.clone(), self.word(read.index, &values));
                let given = self.word(read.result, &values);
                let holds = match known.first {
                    Some(v) if known.known.select(&at).is_zero() => {
                        let first = self.first.entry((v, at)).or_insert_with(|| given.clone());
                        first.clone()
                    }
                    _ => known.values.select(&at).clone(),
                };
                if holds != given {
                    let step = n;
                    found.push(Mismatch { step, read, holds });
                }
            }
            if place == Place::Step {
                let mut after = held.clone();
                for &v in held.keys() {
                    after.insert(v, self.array(self.ts.next[&v], place, &values, &held));
                }
                held = after;
            }
        }
        found
    }

    /// The execution with these inputs, if it is one that reaches the error.
    fn trace(&self) -> Option<Trace> {
        let given = |place: Place, values: &Values| -> BTreeMap<Var, Value> {
            let inputs = self.cells.parts[&place].inputs.iter();
            inputs
                .filter_map(|(v, own)| Some((*v, values.get(own)?.clone())))
                .collect()
        };
        let mut path = Path {
            init: given(Place::Init, &self.init),
            ..Path::default()
        };
        for &v in &self.ts.state {
            let value = match self.program.pool.var_ty(v) {
                Type::Array { index, elem } => {
                    let mut array = ArrayValue::constant(index, Bv::zero(elem));
                    for ((u, at), value) in &self.first {
                        if *u == v {
                            array = array.store(at.clone(), value.clone());
                        }
                    }
                    Value::Array(array)
                }
                _ => self.steps[0].get(&v)?.clone(),
            };
            path.init.insert(v, value);
        }
        // An array that is open at first may be so by a symbol of the initial states.
        for part in self.program.pool.conjuncts(self.ts.init.term) {
            let pool = &self.program.pool;
            if pool.op(part) == Op::Eq {
                let (a, b) = (
                    pool.as_var(pool.arg(part, 0)),
                    pool.as_var(pool.arg(part, 1)),
                );
                for (x, y) in [(a, b), (b, a)] {
                    if let (Some(x), Some(y)) = (x, y)
                        && self.ts.init.inputs.contains(&x)
                        && let Some(value @ Value::Array(_)) = path.init.get(&y).cloned()
                    {
                        path.init.insert(x, value);
                    }
                }
            }
        }
        let (last, steps) = self.steps.split_last()?;
        path.steps = steps.iter().map(|s| given(Place::Step, s)).collect();
        path.bad = Some((self.bad, given(Place::Bad(self.bad), last)));
        let trace = self.ts.trace(self.program, &path);
        replay(self.program, &trace).is_ok().then_some(trace)
    }

    /// Watches for mismatches without which the run fails, the latest first; then for the others.
    fn worth_watching(&mut self, mismatches: &[Mismatch]) -> Vec<Watch> {
        let (mut needed, mut others) = (Vec::new(), Vec::new());
        for (trial, mismatch) in mismatches.iter().rev().enumerate() {
            let watch = Watch {
                read: mismatch.read.id,
                bad: self.bad,
                delay: self.steps.len() - 1 - mismatch.step,
            };
            match trial < MAX_TRIALS && !self.reaches(mismatch) {
                true => needed.push(watch),
                false => others.push(watch),
            }
        }
        needed.append(&mut others);
        needed
    }

    /// Whether the run reaches its error with this read mended.
    fn reaches(&mut self, mended: &Mismatch) -> bool {
        let cells = self.cells;
        let mut values = self.steps[mended.step].clone();
        values.insert(mended.read.value, Value::Bv(mended.holds.clone()));
        for n in mended.step..self.steps.len() {
            let place = self.place(n);
            self.evaluator.new_round();
            let condition = cells.parts[&place].condition.expect("every place has one");
            if self.eval(condition, &values) != Value::Bool(true) {
                return false;
            }
            if place != Place::Step {
                break;
            }
            let next: Vec<(Var, Value)> = cells
                .next
                .iter()
                .map(|&(v, t)| (v, self.eval(t, &values)))
                .collect();
            // What does not change, and the inputs of the next step.
            let mut after = self.steps[n + 1].clone();
            after.extend(next);
            values = after;
        }
        true
    }
}

/// All variables of the state of the abstraction.
fn variables(ts: &TransitionSystem, cells: &Cells) -> Vec<Var> {
    let pool = &cells.program.pool;
    let scalar = |v: &&Var| !matches!(pool.var_ty(**v), Type::Array { .. });
    let mut all: Vec<Var> = ts.state.iter().filter(scalar).copied().collect();
    all.extend(&cells.indices);
    all.extend(cells.cells.iter().map(|c| c.content));
    all.extend(cells.flags.iter().flatten());
    all
}
