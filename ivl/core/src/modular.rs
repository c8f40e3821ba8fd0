//! Procedure calls by contracts: one flat automaton in which every procedure stands once.
//!
//! A contract says what a procedure requires of its callers and what it ensures for them. The *modules* of a program
//! are a flat program with the same locations: each procedure that may be called is entered from one common entry
//! in any state that its contract allows, and a call is what the callee's contract says of it. Where a clause of a contract does not
//! hold there is an error of its own. If no error is reachable in the modules, none is in the program: by induction over the steps of
//! an execution, whatever happens in one activation of a procedure happens in its module.
//!
//! Whether the program terminates is asked of modules in which a recursive call may also be *entered*, never to return
//! ([`Modules::expand_entering`]). Take an infinite execution. Either one activation takes infinitely many steps, and all its calls return:
//! then its module has an infinite execution. Or every activation but the first is called by one before it that never goes on: from
//! some activation on, all of them belong to one cycle of the call graph, and the modules have an infinite execution that begins there, steps
//! over the calls that return, and enters those that do not. So if the contracts hold and no execution of these modules is infinite, the
//! program terminates, and what falls from one visit of a procedure's entry to the next is what falls at its recursive calls.
//!
//! As [`flatten`](mod@crate::flatten), this is what the checker trusts: it does nothing clever, and no rule rewrites a term. What a
//! procedure may change is found here, not claimed. Recursion has no limit.

use crate::entity::{Cmd, Loc, Proc, Term, Var};
use crate::op::Op;
use crate::pool::{Scope, VarData};
use crate::program::{Action, Call, EdgeData, ProcData, Program};
use crate::source::Span;
use crate::value::Value;
use crate::walk::Substitution;
use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// What a procedure requires and ensures, clause by clause.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Contract {
    /// What holds at every call: over global variables and parameters.
    pub requires: Vec<Term>,
    /// What holds at the exit: over global variables, results, and the [old](Modules::old) values of global variables and
    /// parameters.
    pub ensures: Vec<Term>,
}

/// Contracts by procedure; one that is not listed requires and ensures nothing.
pub type Contracts = BTreeMap<Proc, Contract>;

/// A contract or an invariant that speaks of what it cannot see.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct ContractError(pub String);

/// A program on the way to its modules: it has names for old values already, with which contracts are written.
#[derive(Clone)]
pub struct Modules {
    /// The program; variables for old values come after its own.
    pub program: Program,
    /// The variable that holds what a global variable or a parameter held when the procedure was entered.
    pub old: BTreeMap<Var, Var>,
}

/// What stands for the values of one callee's contract at its calls.
struct Interface {
    /// Global variables that a call may change.
    modified: Vec<Var>,
    /// Where arguments and old values are kept during the call.
    before: BTreeMap<Var, Var>,
    /// Where results arrive.
    results: Vec<Var>,
}

impl Modules {
    /// Declares old values. Their numbers depend on the program alone.
    pub fn new(program: &Program) -> Modules {
        let mut program = program.clone();
        let params: BTreeSet<Var> = program
            .procs
            .values()
            .flat_map(|p| p.params.iter().copied())
            .collect();
        let seen: Vec<Var> = program
            .pool
            .vars()
            .iter()
            .filter(|(v, d)| d.scope == Scope::Global || params.contains(v))
            .map(|(v, _)| v)
            .collect();
        let old = seen
            .into_iter()
            .map(|v| (v, declare(&mut program, "old", v)))
            .collect();
        Modules { program, old }
    }

    /// The procedures that an execution may call, main among them.
    pub fn called(&self) -> BTreeSet<Proc> {
        reached(&self.callees(), self.program.main)
    }

    /// What each procedure calls itself.
    fn callees(&self) -> BTreeMap<Proc, BTreeSet<Proc>> {
        let mut callees: BTreeMap<Proc, BTreeSet<Proc>> = BTreeMap::new();
        for (caller, call) in self.calls() {
            callees.entry(caller).or_default().insert(call.callee);
        }
        callees
    }
    /// The global variables that each procedure may change, by itself or by what it calls.
    pub fn modified(&self) -> BTreeMap<Proc, BTreeSet<Var>> {
        let program = &self.program;
        let mut modified: BTreeMap<Proc, BTreeSet<Var>> = BTreeMap::new();
        for data in program.edges.values() {
            let own = modified.entry(program.locs[data.from].proc).or_default();
            let changed = match &data.action {
                Action::Cmd(c) => program.cmds.modified(*c),
                Action::Call(call) => call.results.clone(),
            };
            let is_global = |v: &Var| program.pool.var_data(*v).scope == Scope::Global;
            own.extend(changed.into_iter().filter(is_global));
        }
        loop {
            let mut grown = false;
            for (caller, call) in self.calls() {
                let of_callee = modified.get(&call.callee).cloned().unwrap_or_default();
                let own = modified.entry(caller).or_default();
                let before = own.len();
                own.extend(of_callee);
                grown |= own.len() > before;
            }
            if !grown {
                return modified;
            }
        }
    }

    fn calls(&self) -> impl Iterator<Item = (Proc, &Call)> {
        let program = &self.program;
        program.edges.values().filter_map(|d| match &d.action {
            Action::Call(call) => Some((program.locs[d.from].proc, &**call)),
            Action::Cmd(_) => None,
        })
    }

    /// Whether every clause speaks of what its contract can see, and main requires nothing.
    ///
    /// # Errors
    /// The first clause that does not.
    pub fn check(&self, contracts: &Contracts) -> Result<(), ContractError> {
        let program = &self.program;
        for (&p, contract) in contracts {
            let Some(data) = program.procs.get(p) else {
                return Err(ContractError(format!("the program has no {p}")));
            };
            let name = &data.name;
            if p == program.main && !contract.requires.is_empty() {
                let why = format!("nobody establishes what {name} requires: it is main");
                return Err(ContractError(why));
            }
            let global = |v: Var| program.pool.var_data(v).scope == Scope::Global;
            let at_call = |v: Var| global(v) || data.params.contains(&v);
            let at_exit = |v: Var| {
                let is_old = |&(&now, &old): &(&Var, &Var)| old == v && at_call(now);
                global(v) || data.results.contains(&v) || self.old.iter().any(|o| is_old(&o))
            };
            self.sees(&contract.requires, name, "requires", &at_call)?;
            self.sees(&contract.ensures, name, "ensures", &at_exit)?;
        }
        Ok(())
    }

    fn sees(
        &self,
        clauses: &[Term],
        name: &str,
        what: &str,
        visible: &dyn Fn(Var) -> bool,
    ) -> Result<(), ContractError> {
        let pool = &self.program.pool;
        let mut mentioned = pool.free_vars(clauses.iter().copied()).into_iter();
        match mentioned.find(|&v| !visible(v)) {
            None => Ok(()),
            Some(v) => {
                let var = &pool.var_data(v).name;
                let why =
                    format!("what {name} {what} mentions {var} ({v}), which is not seen there");
                Err(ContractError(why))
            }
        }
    }

    /// The modules of the program under `contracts`, whose terms live in [`Modules::program`]: a flat program with the locations of
    /// the program, and more.
    ///
    /// # Errors
    /// When a clause mentions what its contract cannot see.
    pub fn expand(self, contracts: &Contracts) -> Result<Program, ContractError> {
        self.expand_with(contracts, &BTreeMap::new())
    }

    /// The same modules, in which a call within a cycle of the call graph may also be entered, never to return.
    ///
    /// # Errors
    /// When a clause mentions what its contract cannot see.
    pub fn expand_entering(self, contracts: &Contracts) -> Result<Program, ContractError> {
        let callees = self.callees();
        let below = callees.keys().map(|&p| (p, reached(&callees, p)));
        let below = below.collect();
        self.expand_with(contracts, &below)
    }

    /// `below` has, for each procedure whose calls may be entered, what it calls, directly or not.
    fn expand_with(
        self,
        contracts: &Contracts,
        below: &BTreeMap<Proc, BTreeSet<Proc>>,
    ) -> Result<Program, ContractError> {
        self.check(contracts)?;
        let (called, modified) = (self.called(), self.modified());
        let Modules { mut program, old } = self;
        let only = Proc::from_u32(0);
        let span = program.procs[program.main].span;
        let (procs, main) = (std::mem::take(&mut program.procs), program.main);
        let edges = std::mem::take(&mut program.edges);
        let mut locals: BTreeMap<Proc, Vec<Var>> = BTreeMap::new();
        for (v, d) in program.pool.vars().iter() {
            if let Scope::Local(p) = d.scope {
                locals.entry(p).or_default().push(v);
            }
        }
        for &v in locals.values().flatten().chain(old.values()) {
            let name = program.pool.var_data(v).name.clone();
            program.pool.rename_var(v, name, Scope::Local(only));
        }
        let of_loc: BTreeMap<Loc, Proc> = program.locs.iter().map(|(l, d)| (l, d.proc)).collect();
        for data in program.locs.values_mut() {
            data.proc = only;
        }
        program.main = only;
        let entry = program.add_loc(only, span);
        program.procs.push(ProcData {
            name: "modules".into(),
            params: Vec::new(),
            results: Vec::new(),
            entry,
            exit: None,
            span,
        });
        let none = Contract::default();
        let mut x = Expansion {
            interfaces: BTreeMap::new(),
            program,
            old: &old,
            procs: &procs,
            modified: &modified,
        };
        for &p in &called {
            let contract = contracts.get(&p).unwrap_or(&none);
            let of_proc = locals.get(&p).map_or(&[][..], Vec::as_slice);
            // Main may begin an execution, with any values.
            let zeroed = if p == main { &[] } else { of_proc };
            x.enter(entry, &procs[p], contract, zeroed);
            x.leave(&procs[p], contract);
        }
        for data in edges.values() {
            match &data.action {
                Action::Cmd(c) => {
                    x.program.add_edge(data.from, data.to, *c, data.span);
                }
                Action::Call(call) => {
                    let contract = contracts.get(&call.callee).unwrap_or(&none);
                    let caller = of_loc[&data.from];
                    let is_cycle = below.get(&call.callee).is_some_and(|b| b.contains(&caller));
                    let entered = match is_cycle {
                        true => Some(locals.get(&call.callee).map_or(&[][..], Vec::as_slice)),
                        false => None,
                    };
                    x.call(data, call, contract, entered);
                }
            }
        }
        Ok(x.program)
    }
}

/// The procedures that `first` may call, directly or not, and itself.
fn reached(callees: &BTreeMap<Proc, BTreeSet<Proc>>, first: Proc) -> BTreeSet<Proc> {
    let mut seen = BTreeSet::from([first]);
    let mut work = vec![first];
    while let Some(p) = work.pop() {
        for &q in callees.get(&p).into_iter().flatten() {
            if seen.insert(q) {
                work.push(q);
            }
        }
    }
    seen
}

/// A variable of the modules for the value of `v`.
fn declare(program: &mut Program, prefix: &str, v: Var) -> Var {
    let data = program.pool.var_data(v);
    let data = VarData {
        name: format!("{prefix}.{}", data.name),
        ty: data.ty,
        scope: Scope::Local(Proc::from_u32(0)),
        span: data.span,
    };
    program.pool.declare(data)
}

struct Expansion<'a> {
    program: Program,
    old: &'a BTreeMap<Var, Var>,
    procs: &'a PrimaryMap<Proc, ProcData>,
    modified: &'a BTreeMap<Proc, BTreeSet<Var>>,
    interfaces: BTreeMap<Proc, Interface>,
}

impl Expansion<'_> {
    /// Into a procedure, from any state that its contract allows: locals but parameters are zero, and old values are those now.
    fn enter(&mut self, entry: Loc, proc: &ProcData, contract: &Contract, zeroed: &[Var]) {
        let program = &mut self.program;
        let mut cmds: Vec<Cmd> = Vec::new();
        let mut zero: Vec<(Var, Term)> = Vec::new();
        for &v in zeroed.iter().filter(|v| !proc.params.contains(v)) {
            let ty = program.pool.var_ty(v);
            zero.push((v, program.pool.value(&Value::zero(ty))));
        }
        cmds.push(program.cmds.assign_all(&zero));
        cmds.extend(contract.requires.iter().map(|&t| program.cmds.assume(t)));
        let mut keep: Vec<(Var, Term)> = Vec::new();
        for (&now, &old) in self.old {
            let is_global = program.pool.var_data(now).scope == Scope::Global;
            if is_global || proc.params.contains(&now) {
                keep.push((old, program.pool.var(now)));
            }
        }
        cmds.push(program.cmds.assign_all(&keep));
        let cmd = program.cmds.seq(&cmds);
        program.add_edge(entry, proc.entry, cmd, proc.span);
    }

    /// At the exit every clause has to hold.
    fn leave(&mut self, proc: &ProcData, contract: &Contract) {
        let Some(exit) = proc.exit else { return };
        for (i, &clause) in contract.ensures.iter().enumerate() {
            let what = format!("postcondition {} of {}", i + 1, proc.name);
            self.require(exit, clause, what, proc.span);
        }
    }

    /// An error of its own where `clause` does not hold at `at`.
    fn require(&mut self, at: Loc, clause: Term, what: String, span: Span) {
        let program = &mut self.program;
        let broken = program.pool.plain(Op::Not, &[clause]);
        if program.pool.as_bool(broken) == Some(false) {
            return;
        }
        let error = program.add_error(Proc::from_u32(0), what, span);
        let cmd = program.cmds.assume(broken);
        program.add_edge(at, error, cmd, span);
    }

    /// Into the callee of a call, which does not return: its parameters are the arguments, its other locals zero, and old values
    /// those now.
    fn enter_call(
        &mut self,
        edge: &EdgeData,
        callee: &ProcData,
        locals: &[Var],
        with_args: &FxHashMap<Var, Term>,
        required: &[Term],
    ) {
        let program = &mut self.program;
        let mut start: Vec<(Var, Term)> = Vec::new();
        for &v in locals.iter().filter(|v| !with_args.contains_key(v)) {
            let ty = program.pool.var_ty(v);
            start.push((v, program.pool.value(&Value::zero(ty))));
        }
        start.extend(callee.params.iter().map(|&p| (p, with_args[&p])));
        for (&now, &old) in self.old {
            if program.pool.var_data(now).scope == Scope::Global {
                start.push((old, program.pool.var(now)));
            } else if let Some(&arg) = with_args.get(&now) {
                start.push((old, arg));
            }
        }
        let mut cmds: Vec<Cmd> = required.iter().map(|&t| program.cmds.assume(t)).collect();
        cmds.push(program.cmds.assign_all(&start));
        let cmd = program.cmds.seq(&cmds);
        program.add_edge(edge.from, callee.entry, cmd, edge.span);
    }

    fn interface(&mut self, callee: Proc) -> &Interface {
        let (program, data) = (&mut self.program, &self.procs[callee]);
        let modified = self.modified.get(&callee).into_iter().flatten().copied();
        let modified: Vec<Var> = modified.collect();
        self.interfaces.entry(callee).or_insert_with(|| {
            let mut keep = |v: Var| declare(program, &format!("call.{}", data.name), v);
            let before = modified
                .iter()
                .chain(&data.params)
                .map(|&v| (v, keep(v)))
                .collect();
            let results = data.results.iter().map(|&v| keep(v)).collect();
            Interface {
                modified,
                before,
                results,
            }
        })
    }

    /// A call as its contract says: what is required has to hold; then what the callee may change and what it
    /// returns is anything that it ensures. With the callee's locals, it may also be entered.
    fn call(&mut self, edge: &EdgeData, call: &Call, contract: &Contract, entered: Option<&[Var]>) {
        let data = &self.procs[call.callee];
        self.interface(call.callee);
        let interface = &self.interfaces[&call.callee];
        let (before, results, modified) = (
            interface.before.clone(),
            interface.results.clone(),
            interface.modified.clone(),
        );
        let with_args: FxHashMap<Var, Term> = data
            .params
            .iter()
            .copied()
            .zip(call.args.iter().copied())
            .collect();
        let mut required = Vec::new();
        for (i, &clause) in contract.requires.iter().enumerate() {
            let here = Substitution::plain(&with_args).apply(&mut self.program.pool, clause);
            let what = format!("precondition {} of {}", i + 1, data.name);
            self.require(edge.from, here, what, edge.span);
            required.push(here);
        }
        if let Some(locals) = entered {
            self.enter_call(edge, data, locals, &with_args, &required);
        }
        if data.exit.is_none() {
            return;
        }
        let program = &mut self.program;
        let mut values: FxHashMap<Var, Term> = FxHashMap::default();
        for (&now, &old) in self.old {
            // What the callee does not change is what it was.
            let kept = before.get(&now).copied().unwrap_or(now);
            values.insert(old, program.pool.var(kept));
        }
        for (&r, &arrived) in data.results.iter().zip(&results) {
            values.insert(r, program.pool.var(arrived));
        }
        let mut start: Vec<(Var, Term)> = Vec::new();
        for (&v, &kept) in &before {
            let now = match with_args.get(&v) {
                Some(&arg) => arg,
                None => program.pool.var(v),
            };
            start.push((kept, now));
        }
        let mut cmds: Vec<Cmd> = required.iter().map(|&t| program.cmds.assume(t)).collect();
        cmds.push(program.cmds.assign_all(&start));
        let havocs: Vec<Var> = modified.iter().chain(&results).copied().collect();
        let havocs: Vec<_> = havocs
            .into_iter()
            .map(|v| {
                let d = program.pool.var_data(v);
                let (name, ty) = (d.name.clone(), d.ty);
                (v, program.add_input(name, ty, edge.span))
            })
            .collect();
        cmds.push(program.cmds.havoc(&havocs));
        for &clause in &contract.ensures {
            let here = Substitution::plain(&values).apply(&mut program.pool, clause);
            cmds.push(program.cmds.assume(here));
        }
        let arrive: Vec<(Var, Term)> = call
            .results
            .iter()
            .zip(&results)
            .map(|(&to, &r)| (to, program.pool.var(r)))
            .collect();
        cmds.push(program.cmds.assign_all(&arrive));
        let cmd = program.cmds.seq(&cmds);
        program.add_edge(edge.from, edge.to, cmd, edge.span);
    }
}
