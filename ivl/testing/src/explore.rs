//! Explicit-state exploration: the reference answer for small flat programs.
//!
//! Enumerates every initial value, every input and every choice, so what it says about
//! reachability is exact.

use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use trellis_ivl::graph::Adjacency;
use trellis_ivl::{
    ArrayValue, Bv, Cmd, CmdView, Edge, Evaluator, Input, Loc, LocKind, Program, Scope, Step, Term,
    Trace, Type, Value, Var,
};

/// All reachable states of a flat program.
pub struct Reachable {
    vars: Vec<Var>,
    states: Vec<(Loc, Box<[Value]>)>,
    /// Predecessor state and step for each state that is not initial.
    parents: Vec<Option<(usize, Step)>>,
}

/// One partial execution of a command.
#[derive(Clone)]
struct Partial {
    values: Box<[Value]>,
    choices: Vec<u32>,
    inputs: Vec<(Input, Value)>,
}

/// All values of a type, or `None` when there are more than `limit`.
pub fn all_values(ty: Type, limit: usize) -> Option<Vec<Value>> {
    let count = |bits: u32| {
        1usize
            .checked_shl(bits)
            .filter(|&n| bits < 32 && n <= limit)
    };
    Some(match ty {
        Type::Bool => vec![false.into(), true.into()],
        Type::Bv(w) => (0..count(w)? as u64)
            .map(|v| Bv::new(w, v).into())
            .collect(),
        Type::Array { index, elem } => {
            let cells = count(index)? as u32;
            let n = count(cells.checked_mul(elem)?)?;
            (0..n as u64)
                .map(|code| {
                    let mut a = ArrayValue::constant(index, Bv::zero(elem));
                    for i in 0..u64::from(cells) {
                        a = a.store(
                            Bv::new(index, i),
                            Bv::new(elem, code >> (i * u64::from(elem))),
                        );
                    }
                    a.into()
                })
                .collect()
        }
    })
}

/// Enumerates the executions of commands over states of a fixed list of variables.
pub struct Enumerator<'p> {
    program: &'p Program,
    /// Position of each variable in a state.
    slot: FxHashMap<Var, usize>,
    evaluator: Evaluator,
    limit: usize,
}

/// The reachable states of a flat program, or `None` beyond `limit` states.
pub fn explore(program: &Program, limit: usize) -> Option<Reachable> {
    assert!(program.is_flat(), "exploration wants a flat program");
    let vars = mentioned(program);
    let mut explorer = Enumerator::new(program, &vars, limit);
    let mut reachable = Reachable {
        states: Vec::new(),
        parents: Vec::new(),
        vars,
    };
    let mut index: FxHashMap<(Loc, Box<[Value]>), usize> = FxHashMap::default();
    for values in explorer.initial(&reachable.vars)? {
        let state = (program.entry(), values);
        index.insert(state.clone(), reachable.states.len());
        reachable.states.push(state);
        reachable.parents.push(None);
    }
    let adjacency = Adjacency::new(program);
    let mut next = 0;
    while next < reachable.states.len() {
        let (loc, values) = reachable.states[next].clone();
        for &edge in adjacency.out(loc) {
            for (values, step) in explorer.successors(edge, &values)? {
                let state = (program.edges[edge].to, values);
                if index.contains_key(&state) {
                    continue;
                }
                if reachable.states.len() >= limit {
                    return None;
                }
                index.insert(state.clone(), reachable.states.len());
                reachable.states.push(state);
                reachable.parents.push(Some((next, step)));
            }
        }
        next += 1;
    }
    Some(reachable)
}

/// Whether some execution of a flat program does not end, or `None` beyond `limit` states.
pub fn diverges(program: &Program, limit: usize) -> Option<bool> {
    let reachable = explore(program, limit)?;
    let mut explorer = Enumerator::new(program, &reachable.vars, limit);
    let states = reachable.states.iter().cloned();
    let index: FxHashMap<(Loc, Box<[Value]>), usize> = states.zip(0..).collect();
    let adjacency = Adjacency::new(program);
    let mut successors = Vec::with_capacity(reachable.len());
    let mut arriving = vec![0usize; reachable.len()];
    for (loc, values) in &reachable.states {
        let mut own = FxHashSet::default();
        for &edge in adjacency.out(*loc) {
            for (values, _) in explorer.successors(edge, values)? {
                own.insert(index[&(program.edges[edge].to, values)]);
            }
        }
        for &next in &own {
            arriving[next] += 1;
        }
        successors.push(own);
    }
    // What is left when states that nothing arrives at are taken away, again and again, lies on or behind a cycle.
    let mut open: Vec<usize> = (0..arriving.len()).filter(|&i| arriving[i] == 0).collect();
    let mut taken = open.len();
    while let Some(i) = open.pop() {
        for &next in &successors[i] {
            arriving[next] -= 1;
            if arriving[next] == 0 {
                open.push(next);
                taken += 1;
            }
        }
    }
    Some(taken < arriving.len())
}

/// The program variables that commands mention; no other variable can matter.
pub fn mentioned(program: &Program) -> Vec<Var> {
    let mut vars = Vec::new();
    for e in program.edges.keys() {
        let c = program.edge_cmd(e).expect("flat");
        vars.extend(program.cmds.modified(c));
        vars.extend(program.pool.free_vars(program.cmds.terms(c)));
    }
    vars.sort_unstable();
    vars.dedup();
    vars.retain(|&v| program.pool.var_data(v).scope != Scope::Auxiliary);
    vars
}

impl<'p> Enumerator<'p> {
    /// An enumerator of states over `vars`, which must include all that the commands mention.
    pub fn new(program: &'p Program, vars: &[Var], limit: usize) -> Enumerator<'p> {
        Enumerator {
            program,
            slot: vars.iter().enumerate().map(|(i, &v)| (v, i)).collect(),
            evaluator: Evaluator::new(),
            limit,
        }
    }

    /// All states over `vars`, or `None` beyond the limit.
    pub fn initial(&self, vars: &[Var]) -> Option<Vec<Box<[Value]>>> {
        let mut states: Vec<Vec<Value>> = vec![Vec::new()];
        for &v in vars {
            let values = all_values(self.program.pool.var_ty(v), self.limit)?;
            if states.len().checked_mul(values.len())? > self.limit {
                return None;
            }
            states = states
                .into_iter()
                .flat_map(|s| {
                    values.iter().map(move |value| {
                        let mut s = s.clone();
                        s.push(value.clone());
                        s
                    })
                })
                .collect();
        }
        Some(states.into_iter().map(Vec::into_boxed_slice).collect())
    }

    /// The value of `t` in a state.
    pub fn eval(&mut self, values: &[Value], t: Term) -> Value {
        let slot = &self.slot;
        self.evaluator.new_round();
        self.evaluator
            .eval(&self.program.pool, t, |v| values[slot[&v]].clone())
    }

    fn successors(&mut self, edge: Edge, values: &[Value]) -> Option<Vec<(Box<[Value]>, Step)>> {
        let start = Partial {
            values: values.into(),
            choices: Vec::new(),
            inputs: Vec::new(),
        };
        let cmd = self.program.edge_cmd(edge).expect("flat");
        let ends = self.outcomes(cmd, vec![start])?;
        Some(
            ends.into_iter()
                .map(|p| {
                    let step = Step {
                        edge,
                        choices: p.choices,
                        inputs: p.inputs,
                    };
                    (p.values, step)
                })
                .collect(),
        )
    }

    /// The states in which `cmd` may end from `values`.
    pub fn ends(&mut self, cmd: Cmd, values: &[Value]) -> Option<FxHashSet<Box<[Value]>>> {
        let start = Partial {
            values: values.into(),
            choices: Vec::new(),
            inputs: Vec::new(),
        };
        let ends = self.outcomes(cmd, vec![start])?;
        Some(ends.into_iter().map(|p| p.values).collect())
    }

    fn outcomes(&mut self, cmd: Cmd, from: Vec<Partial>) -> Option<Vec<Partial>> {
        let program = self.program;
        if from.len() > self.limit {
            return None;
        }
        Some(match program.cmds.view(cmd) {
            CmdView::Skip => from,
            CmdView::Assume(t) => from
                .into_iter()
                .filter(|p| self.eval(&p.values, t) == Value::Bool(true))
                .collect(),
            CmdView::Assign(items) => from
                .into_iter()
                .map(|mut p| {
                    let new: Vec<Value> = items
                        .iter()
                        .map(|&(_, t)| self.eval(&p.values, t))
                        .collect();
                    for (&(v, _), value) in items.iter().zip(new) {
                        p.values[self.slot[&v]] = value;
                    }
                    p
                })
                .collect(),
            CmdView::Havoc(items) => {
                let mut current = from;
                for &(v, input) in items {
                    let values = all_values(program.pool.var_ty(v), self.limit)?;
                    current = current
                        .into_iter()
                        .flat_map(|p| {
                            let slot = self.slot[&v];
                            values.iter().map(move |value| {
                                let mut p = p.clone();
                                p.values[slot] = value.clone();
                                p.inputs.push((input, value.clone()));
                                p
                            })
                        })
                        .collect();
                }
                current
            }
            CmdView::Seq(cs) => {
                let mut current = from;
                for &c in cs {
                    current = self.outcomes(c, current)?;
                }
                current
            }
            CmdView::Choice(cs) => {
                let mut all = Vec::new();
                for (i, &c) in cs.iter().enumerate() {
                    let mut branch = from.clone();
                    for p in &mut branch {
                        p.choices.push(i as u32);
                    }
                    all.extend(self.outcomes(c, branch)?);
                }
                all
            }
        })
    }
}

impl Reachable {
    /// Number of states.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Never true: a program has initial states.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The error and incomplete locations reached, by kind, each with a trace.
    pub fn targets(&self, program: &Program) -> BTreeMap<String, Trace> {
        let mut found = BTreeMap::new();
        for (i, (loc, _)) in self.states.iter().enumerate() {
            let name = kind_name(&program.locs[*loc].kind);
            if let Some(name) = name {
                found.entry(name).or_insert_with(|| self.trace(i));
            }
        }
        found
    }

    /// The trace to state `i`.
    fn trace(&self, i: usize) -> Trace {
        let mut steps = Vec::new();
        let mut at = i;
        while let Some((parent, step)) = &self.parents[at] {
            steps.push(step.clone());
            at = *parent;
        }
        steps.reverse();
        let initial = self
            .vars
            .iter()
            .copied()
            .zip(self.states[at].1.iter().cloned());
        Trace {
            initial: initial.collect(),
            steps,
        }
    }

    /// The states as location and values of the variables mentioned.
    pub fn states(&self) -> impl Iterator<Item = (Loc, impl Iterator<Item = (Var, &Value)>)> {
        self.states
            .iter()
            .map(|(l, values)| (*l, self.vars.iter().copied().zip(values.iter())))
    }

    /// The strongest invariant of every location as a disjunction of its states.
    pub fn invariants(&self, program: &mut Program) -> BTreeMap<Loc, Term> {
        let mut per_loc: BTreeMap<Loc, Vec<Term>> = BTreeMap::new();
        for l in program.locs.keys() {
            per_loc.insert(l, Vec::new());
        }
        for (loc, values) in &self.states {
            let parts: Vec<Term> = self
                .vars
                .iter()
                .zip(values.iter())
                .map(|(&v, value)| {
                    let (v, value) = (program.pool.var(v), program.pool.value(value));
                    program.pool.eq(v, value)
                })
                .collect();
            let state = program.pool.and_all(parts);
            per_loc.get_mut(loc).expect("all locations").push(state);
        }
        per_loc
            .into_iter()
            .map(|(l, states)| (l, program.pool.or_all(states)))
            .collect()
    }
}

/// A name for what reaching a location means; `None` for plain ones.
pub fn kind_name(kind: &LocKind) -> Option<String> {
    match kind {
        LocKind::Plain => None,
        LocKind::Error(p) => Some(format!("error {p}")),
        LocKind::Incomplete(r) => Some(format!("incomplete {r}")),
    }
}
