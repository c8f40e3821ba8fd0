//! Rewrites commands from memories to their parts.

use super::plan::{Place, Plan};
use rustc_hash::FxHashMap;
use trellis_ivl::{Cmd, CmdView, Op, Program, Term, Type, Var};

/// What is asked of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    /// The term over the parts.
    Value(Term),
    /// A part of a state of memory.
    Part(Term, usize),
}

pub(super) struct Splitter<'a> {
    plan: &'a mut Plan,
    done: FxHashMap<Key, Term>,
}

impl<'a> Splitter<'a> {
    pub fn new(plan: &'a mut Plan) -> Splitter<'a> {
        Splitter {
            plan,
            done: FxHashMap::default(),
        }
    }

    /// `cmd` over the parts; its choices and inputs stay.
    pub fn command(&mut self, program: &mut Program, cmd: Cmd) -> Cmd {
        let mut cmds = std::mem::take(&mut program.cmds);
        let result = cmds.map_leaves(cmd, &mut |cmds, leaf| match cmds.view(leaf) {
            CmdView::Assume(t) => {
                let new = self.get(program, Key::Value(t));
                if new == t { leaf } else { cmds.assume(new) }
            }
            CmdView::Assign(items) => {
                let old = items.to_vec();
                let new = self.assignments(program, &old);
                if new == old {
                    leaf
                } else {
                    cmds.assign_all(&new)
                }
            }
            _ => leaf,
        });
        program.cmds = cmds;
        result
    }

    fn assignments(&mut self, program: &mut Program, items: &[(Var, Term)]) -> Vec<(Var, Term)> {
        let mut new = Vec::with_capacity(items.len());
        for &(v, t) in items {
            if !self.plan.by_memory.contains_key(&v) {
                new.push((v, self.get(program, Key::Value(t))));
                continue;
            }
            for part in self.touched(program, v, t) {
                let var = self.plan.parts[part].var;
                let value = self.get(program, Key::Part(t, part));
                if program.pool.as_var(value) != Some(var) {
                    new.push((var, value));
                }
            }
        }
        new
    }

    /// The parts of `memory` that the state `t` may change, in order.
    fn touched(&mut self, program: &Program, memory: Var, t: Term) -> Vec<usize> {
        let pool = &program.pool;
        let (mut stack, mut parts) = (vec![t], Vec::new());
        while let Some(u) = stack.pop() {
            match pool.op(u) {
                Op::Store => {
                    match self.plan.place(program, memory, pool.arg(u, 1)) {
                        Place::Array(part) | Place::Cell(part, _) => parts.push(part),
                    }
                    stack.push(pool.arg(u, 0));
                }
                Op::Ite => stack.extend([pool.arg(u, 1), pool.arg(u, 2)]),
                Op::ConstArray => parts.extend(&self.plan.by_memory[&memory]),
                _ => {}
            }
        }
        parts.sort_unstable();
        parts.dedup();
        parts
    }

    fn get(&mut self, program: &mut Program, key: Key) -> Term {
        let mut stack = vec![key];
        while let Some(&key) = stack.last() {
            if self.done.contains_key(&key) {
                stack.pop();
                continue;
            }
            let needs = self.needs(program, key);
            let waiting = stack.len();
            stack.extend(needs.iter().filter(|k| !self.done.contains_key(k)));
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            let args: Vec<Term> = needs.iter().map(|k| self.done[k]).collect();
            let term = match key {
                Key::Value(t) => self.value(program, t, &args),
                Key::Part(t, part) => self.part(program, t, part, &args),
            };
            self.done.insert(key, term);
        }
        self.done[&key]
    }

    /// What `key` is made from.
    fn needs(&mut self, program: &Program, key: Key) -> Vec<Key> {
        let pool = &program.pool;
        match key {
            Key::Value(t) => match self.read(program, t) {
                Some(Place::Array(part)) => {
                    vec![Key::Part(pool.arg(t, 0), part), Key::Value(pool.arg(t, 1))]
                }
                Some(Place::Cell(part, _)) => vec![Key::Part(pool.arg(t, 0), part)],
                None => pool.args(t).map(Key::Value).collect(),
            },
            Key::Part(t, part) => match pool.op(t) {
                Op::Store => {
                    let below = Key::Part(pool.arg(t, 0), part);
                    let (address, value) = (pool.arg(t, 1), pool.arg(t, 2));
                    match self.write(program, t, part) {
                        Some(Place::Array(_)) => {
                            vec![below, Key::Value(address), Key::Value(value)]
                        }
                        Some(Place::Cell(..)) => vec![below, Key::Value(value)],
                        None => vec![below],
                    }
                }
                Op::Ite => vec![
                    Key::Value(pool.arg(t, 0)),
                    Key::Part(pool.arg(t, 1), part),
                    Key::Part(pool.arg(t, 2), part),
                ],
                Op::ConstArray => vec![Key::Value(pool.arg(t, 0))],
                _ => Vec::new(),
            },
        }
    }

    /// The place that `t` reads, if it reads a memory.
    fn read(&mut self, program: &Program, t: Term) -> Option<Place> {
        if program.pool.op(t) != Op::Select {
            return None;
        }
        let memory = self.plan.classes.memory(program.pool.arg(t, 0))?;
        Some(self.plan.place(program, memory, program.pool.arg(t, 1)))
    }

    /// The place that the write `t` changes, if it lies in `part`.
    fn write(&mut self, program: &Program, t: Term, part: usize) -> Option<Place> {
        let memory = self.plan.parts[part].memory;
        let place = self.plan.place(program, memory, program.pool.arg(t, 1));
        match place {
            Place::Array(p) | Place::Cell(p, _) if p == part => Some(place),
            _ => None,
        }
    }

    fn value(&mut self, program: &mut Program, t: Term, args: &[Term]) -> Term {
        match self.read(program, t) {
            Some(Place::Array(_)) => program.pool.select(args[0], args[1]),
            Some(Place::Cell(_, at)) => {
                let w = program.pool.width(t);
                let lo = at as u32 * w;
                program.pool.extract(lo + w - 1, lo, args[0])
            }
            None if program.pool.args(t).eq(args.iter().copied()) => t,
            None => program.pool.rebuild(t, args),
        }
    }

    fn part(&mut self, program: &mut Program, t: Term, part: usize, args: &[Term]) -> Term {
        match program.pool.op(t) {
            Op::Store => match self.write(program, t, part) {
                Some(Place::Array(_)) => program.pool.store(args[0], args[1], args[2]),
                Some(Place::Cell(_, at)) => insert(program, args[0], at as u32, args[1]),
                None => args[0],
            },
            Op::Ite => program.pool.ite(args[0], args[1], args[2]),
            Op::ConstArray => match program.pool.var_ty(self.plan.parts[part].var) {
                Type::Array { index, .. } => program.pool.const_array(index, args[0]),
                ty => {
                    let n = ty.width().unwrap_or(1) / program.pool.width(args[0]);
                    program.pool.repeat(n, args[0])
                }
            },
            _ => {
                let var = self.plan.parts[part].var;
                program.pool.var(var)
            }
        }
    }
}

/// `word` with element `at` replaced.
fn insert(program: &mut Program, word: Term, at: u32, element: Term) -> Term {
    let pool = &mut program.pool;
    let (w, n) = (pool.width(element), pool.width(word));
    let (lo, hi) = (at * w, at * w + w);
    let mut result = element;
    if lo > 0 {
        let below = pool.extract(lo - 1, 0, word);
        result = pool.concat(result, below);
    }
    if hi < n {
        let above = pool.extract(n - 1, hi, word);
        result = pool.concat(above, result);
    }
    result
}
