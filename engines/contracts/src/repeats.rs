//! Calls that come again: what a procedure did the last time it was called like this.
//!
//! A procedure that reads nothing from outside and touches no arrays does the same whenever its arguments and the globals that it
//! touches are the same. An execution that steps over such calls sees each activation once: Fibonacci's function takes as
//! many steps as its argument is large, not as many as its result. Of one that reads from outside, what it did once it may do again; it is
//! stepped over in executions that have become long.

use crate::samples::{is_scalar, number};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use trellis_ivl::{Action, Call, CmdView, Edge, Machine, Modules, Proc, Program, Scope, Var};

/// Calls that are remembered, at most.
const MAX_KNOWN: usize = 200_000;

/// What decides how a procedure ends.
pub type Key = (Proc, Vec<u64>);

/// The way round one call: an edge that sets what the call would have set, in the order of the callee's outcome.
struct Detour {
    edge: Edge,
    /// Which number of the outcome goes where, in the order in which the edge asks.
    order: Vec<usize>,
}

/// Procedures whose calls may be stepped over, and what is known of them.
pub struct Repeats {
    /// What decides, by procedure: parameters, then global variables.
    deciding: BTreeMap<Proc, Vec<Var>>,
    /// What is different at the exit, by procedure: results, then global variables.
    outcome: BTreeMap<Proc, Vec<Var>>,
    /// Those that read from outside, or call who does.
    asking: BTreeSet<Proc>,
    detours: BTreeMap<Edge, Detour>,
    known: FxHashMap<Key, Vec<u64>>,
}

impl Repeats {
    /// Adds a way round every call of `program` that can be stepped over.
    pub fn new(modules: &Modules, program: &mut Program) -> Repeats {
        let modified = modules.modified();
        let (touched, asking) = touched(modules, &modified);
        let mut repeats = Repeats {
            deciding: BTreeMap::new(),
            outcome: BTreeMap::new(),
            asking,
            detours: BTreeMap::new(),
            known: FxHashMap::default(),
        };
        for (p, data) in program.procs.iter() {
            let Some(globals) = touched.get(&p) else {
                continue;
            };
            let changed = modified.get(&p).into_iter().flatten();
            let deciding: Vec<Var> = data.params.iter().chain(globals).copied().collect();
            let outcome: Vec<Var> = data.results.iter().chain(changed).copied().collect();
            let mut all = deciding.iter().chain(&outcome);
            if all.all(|&v| is_scalar(program.pool.var_ty(v))) {
                repeats.deciding.insert(p, deciding);
                repeats.outcome.insert(p, outcome);
            }
        }
        for e in program.edges.keys().collect::<Vec<_>>() {
            if let Action::Call(call) = &program.edges[e].action
                && let Some(outcome) = repeats.outcome.get(&call.callee)
            {
                let call = call.clone();
                let detour = detour(program, e, &call, outcome);
                repeats.detours.insert(e, detour);
            }
        }
        repeats
    }

    /// What decides how `p` ends, where it has just been entered.
    pub fn key(&self, machine: &Machine<'_>, p: Proc) -> Option<Key> {
        let deciding = self.deciding.get(&p)?;
        let values = deciding.iter().map(|&v| number(machine.value(v)));
        Some((p, values.collect()))
    }

    /// The edge round a call that was seen before, and the numbers it asks for.
    pub fn round(
        &self,
        machine: &mut Machine<'_>,
        edge: Edge,
        call: &Call,
        is_long: bool,
    ) -> Option<(Edge, Vec<u64>)> {
        let detour = self.detours.get(&edge)?;
        if self.asking.contains(&call.callee) && !is_long {
            return None;
        }
        let deciding = self.deciding.get(&call.callee)?;
        let mut values = Vec::with_capacity(deciding.len());
        for &a in &call.args {
            values.push(number(&machine.eval(a)));
        }
        let globals = deciding.iter().skip(call.args.len());
        values.extend(globals.map(|&g| number(machine.value(g))));
        let outcome = self.known.get(&(call.callee, values))?;
        Some((
            detour.edge,
            detour.order.iter().map(|&i| outcome[i]).collect(),
        ))
    }

    /// Remembers how a call ended.
    pub fn remember(&mut self, key: Key, machine: &Machine<'_>) {
        if self.known.len() < MAX_KNOWN
            && let Some(vars) = self.outcome.get(&key.0)
        {
            let values = vars.iter().map(|&v| number(machine.value(v)));
            self.known.insert(key, values.collect());
        }
    }
}

/// Global variables that procedures read or change, by themselves or by what they call, and the procedures that read from
/// outside.
fn touched(
    modules: &Modules,
    modified: &BTreeMap<Proc, BTreeSet<Var>>,
) -> (BTreeMap<Proc, BTreeSet<Var>>, BTreeSet<Proc>) {
    let program = &modules.program;
    let (mut touched, mut asking) = (modified.clone(), BTreeSet::new());
    let mut calls: Vec<(Proc, Proc)> = Vec::new();
    for data in program.edges.values() {
        let p = program.locs[data.from].proc;
        let read = match &data.action {
            Action::Cmd(c) => {
                let mut asks = false;
                program.cmds.for_each_leaf(*c, |leaf| {
                    asks |= matches!(leaf, CmdView::Havoc(_));
                });
                if asks {
                    asking.insert(p);
                }
                program.cmds.terms(*c)
            }
            Action::Call(call) => {
                calls.push((p, call.callee));
                call.args.clone()
            }
        };
        let vars = program.pool.free_vars(read).into_iter();
        let globals = vars.filter(|&v| program.pool.var_data(v).scope == Scope::Global);
        touched.entry(p).or_default().extend(globals);
    }
    loop {
        let mut grown = false;
        for &(caller, callee) in &calls {
            let below = touched.get(&callee).cloned().unwrap_or_default();
            let own = touched.entry(caller).or_default();
            let before = own.len();
            own.extend(below);
            grown |= own.len() > before;
            grown |= asking.contains(&callee) && asking.insert(caller);
        }
        if !grown {
            return (touched, asking);
        }
    }
}

/// An edge beside a call that sets what the call sets.
fn detour(program: &mut Program, edge: Edge, call: &Call, outcome: &[Var]) -> Detour {
    let (mut items, mut order) = (Vec::new(), Vec::new());
    let data = &program.edges[edge];
    let (from, to, span) = (data.from, data.to, data.span);
    for (i, &v) in outcome.iter().enumerate() {
        // What is assigned to a global variable at the return comes after what the callee did with it.
        let target = match call.results.get(i) {
            Some(&result) => result,
            None if call.results.contains(&v) => continue,
            None => v,
        };
        let ty = program.pool.var_ty(target);
        items.push((target, program.add_input("detour", ty, span)));
        order.push(i);
    }
    let cmd = program.cmds.havoc(&items);
    Detour {
        edge: program.add_edge(from, to, cmd, span),
        order,
    }
}
