//! Procedure calls by expansion: one flat automaton from many procedures.
//!
//! This is the meaning of calls for everything that wants a single automaton: engines through the
//! `inline` pass, and the checker. It is deterministic, so that both see the same numbers, and it
//! does nothing clever, because the checker trusts it: no rule rewrites the terms of a copy. Tests
//! compare it with the interpreter, which executes calls on a stack.
//!
//! Every call site gets a copy of the callee per calling context. A call beyond the recursion or
//! size limit leads to an incomplete location instead, so no limit can make a wrong verdict.
//!
//! [`flatten_entering`] adds what endless recursion is a loop in: every recursive procedure has one more copy, without return. A call that
//! does not return may go there, with the locals as a call makes them: nobody reads those of the activations below it again.
//! So every execution of the flat program begins one of the program, and those whose recursion never ends are loops. What
//! reaches the exit of such a copy ends there, where the program goes on.

use crate::cmd::CmdView;
use crate::entity::{Cmd, Edge, Loc, Proc, Region, Term, Var};
use crate::pool::{Scope, VarData};
use crate::program::{Action, Call, LocData, LocKind, Program, RegionData};
use crate::source::Span;
use crate::value::Value;
use crate::walk::Substitution;
use cranelift_entity::PrimaryMap;
use rustc_hash::{FxHashMap, FxHashSet};

/// How far to expand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlattenOptions {
    /// How many activations of one procedure may be open at once.
    pub recursion: u32,
    /// Expansion stops when the flat program has this many edges.
    pub max_edges: usize,
}

impl Default for FlattenOptions {
    fn default() -> Self {
        FlattenOptions {
            recursion: 16,
            max_edges: 2_000_000,
        }
    }
}

/// Where the entities of the flat program come from.
pub struct FlattenMap {
    /// For each flat edge the edge it copies; `None` for a return, which is no step of its own.
    pub edges: PrimaryMap<Edge, Option<Edge>>,
    /// For each flat location the location it copies; a call that was not expanded is the call's
    /// source location.
    pub locs: PrimaryMap<Loc, Loc>,
}

/// A copy of a procedure still to be filled in.
struct Pending {
    proc: Proc,
    /// Entry of the copy, already made.
    entry: Loc,
    /// Where a return goes, with the caller's result variables.
    ret: Option<(Loc, Vec<Var>, Span)>,
    /// The variables that stand for the callee's locals; `None` for main, which keeps its own.
    locals: Option<FxHashMap<Var, Var>>,
    /// The procedures that are open, outermost first.
    open: Vec<Proc>,
    /// Whether it is the copy for calls that do not return.
    endless: bool,
}

/// The copy of a procedure for calls that do not return.
#[derive(Clone)]
struct Endless {
    entry: Loc,
    /// As in [`Pending`].
    locals: FxHashMap<Var, Var>,
}

struct Flattener<'a> {
    program: &'a mut Program,
    old: crate::program::Control,
    proc_locs: Vec<Vec<Loc>>,
    proc_edges: Vec<Vec<Edge>>,
    proc_vars: Vec<Vec<Var>>,
    /// The regions whose base is a local, by that local.
    local_regions: FxHashMap<Var, Vec<Region>>,
    options: FlattenOptions,
    /// What each recursive procedure calls, directly or not, where calls may not return.
    below: FxHashMap<Proc, FxHashSet<Proc>>,
    endless: FxHashMap<Proc, Endless>,
    map: FlattenMap,
    work: Vec<Pending>,
}

/// Replaces the procedures of `program` by one flat main.
pub fn flatten(program: &mut Program, options: &FlattenOptions) -> FlattenMap {
    flatten_with(program, options, FxHashMap::default())
}

/// The same, where endless recursion is a loop.
pub fn flatten_entering(program: &mut Program, options: &FlattenOptions) -> FlattenMap {
    let below = recursive(program);
    flatten_with(program, options, below)
}

/// The recursive procedures, each with those that it calls, directly or not.
fn recursive(program: &Program) -> FxHashMap<Proc, FxHashSet<Proc>> {
    let mut callees: FxHashMap<Proc, Vec<Proc>> = FxHashMap::default();
    for data in program.edges.values() {
        if let Action::Call(call) = &data.action {
            let caller = program.locs[data.from].proc;
            callees.entry(caller).or_default().push(call.callee);
        }
    }
    let mut below = FxHashMap::default();
    for &p in callees.keys() {
        let mut seen: FxHashSet<Proc> = FxHashSet::default();
        let mut work = vec![p];
        while let Some(q) = work.pop() {
            let next = callees.get(&q).into_iter().flatten();
            work.extend(next.copied().filter(|&r| seen.insert(r)));
        }
        if seen.contains(&p) {
            below.insert(p, seen);
        }
    }
    below
}

fn flatten_with(
    program: &mut Program,
    options: &FlattenOptions,
    below: FxHashMap<Proc, FxHashSet<Proc>>,
) -> FlattenMap {
    let mut old = program.control();
    let main = old.main;
    program.swap_control(&mut crate::program::Control {
        procs: PrimaryMap::new(),
        locs: PrimaryMap::new(),
        edges: PrimaryMap::new(),
        main: Proc::from_u32(0),
    });
    let mut data = old.procs[main].clone();
    let n = old.procs.len();
    let (mut proc_locs, mut proc_edges, mut proc_vars) = (
        vec![Vec::new(); n],
        vec![Vec::new(); n],
        vec![Vec::new(); n],
    );
    for (l, d) in old.locs.iter() {
        proc_locs[d.proc.as_u32() as usize].push(l);
    }
    for (e, d) in old.edges.iter() {
        proc_edges[old.locs[d.from].proc.as_u32() as usize].push(e);
    }
    for (v, d) in program.pool.vars().iter() {
        // A variable may outlive its procedure, and nothing mentions it then.
        if let Scope::Local(p) = d.scope
            && let Some(vars) = proc_vars.get_mut(p.as_u32() as usize)
        {
            vars.push(v);
        }
    }
    // The flat program has one procedure, number 0; locals of main become its locals.
    for &v in &proc_vars[main.as_u32() as usize] {
        let name = program.pool.var_data(v).name.clone();
        program
            .pool
            .rename_var(v, name, Scope::Local(Proc::from_u32(0)));
    }
    let mut local_regions: FxHashMap<Var, Vec<Region>> = FxHashMap::default();
    for (r, d) in program.regions.iter() {
        local_regions.entry(d.base).or_default().push(r);
    }
    let mut f = Flattener {
        local_regions,
        map: FlattenMap {
            edges: PrimaryMap::new(),
            locs: PrimaryMap::new(),
        },
        program,
        proc_locs,
        proc_edges,
        proc_vars,
        options: *options,
        below,
        endless: FxHashMap::default(),
        work: Vec::new(),
        old: {
            old.main = main;
            old
        },
    };
    let entry = f.copy_loc(data.entry);
    f.work.push(Pending {
        proc: main,
        entry,
        ret: None,
        locals: None,
        open: vec![main],
        endless: false,
    });
    let mut exit = None;
    while let Some(pending) = f.work.pop() {
        let is_main = pending.locals.is_none();
        let copied_exit = f.expand(pending);
        if is_main {
            exit = copied_exit;
        }
    }
    data.entry = entry;
    data.exit = exit;
    f.program.procs.push(data);
    f.retire_unused_locals(main);
    f.map
}

impl Flattener<'_> {
    fn copy_loc(&mut self, old: Loc) -> Loc {
        let data = LocData {
            proc: Proc::from_u32(0),
            ..self.old.locs[old].clone()
        };
        self.map.locs.push(old);
        self.program.locs.push(data)
    }

    /// The regions at `local` lie at its copy too.
    fn copy_regions(&mut self, local: Var, copy: Var) {
        for &r in self.local_regions.get(&local).into_iter().flatten() {
            let region = RegionData {
                base: copy,
                ..self.program.regions[r].clone()
            };
            self.program.regions.push(region);
        }
    }

    /// Locals of expanded procedures are mentioned no more; as auxiliary symbols they keep their
    /// numbers without belonging to a procedure that is gone.
    fn retire_unused_locals(&mut self, main: Proc) {
        for (p, vars) in self.proc_vars.iter().enumerate() {
            if p as u32 != main.as_u32() {
                for &v in vars {
                    let name = self.program.pool.var_data(v).name.clone();
                    self.program.pool.rename_var(v, name, Scope::Auxiliary);
                }
            }
        }
    }

    /// Copies one procedure; the copy of its exit, if it has one.
    fn expand(&mut self, p: Pending) -> Option<Loc> {
        let index = p.proc.as_u32() as usize;
        let proc = self.old.procs[p.proc].clone();
        let mut locs: FxHashMap<Loc, Loc> = FxHashMap::default();
        locs.insert(proc.entry, p.entry);
        for i in 0..self.proc_locs[index].len() {
            let l = self.proc_locs[index][i];
            if l != proc.entry {
                let copy = self.copy_loc(l);
                locs.insert(l, copy);
            }
        }
        let rename = p.locals.clone().unwrap_or_default();
        let terms: FxHashMap<Var, Term> = rename
            .iter()
            .map(|(&v, &w)| (v, self.program.pool.var(w)))
            .collect();
        let mut subst = Substitution::plain(&terms);
        for i in 0..self.proc_edges[index].len() {
            let e = self.proc_edges[index][i];
            let data = self.old.edges[e].clone();
            let (from, to) = (locs[&data.from], locs[&data.to]);
            match data.action {
                Action::Cmd(c) => {
                    let cmd = self.copy_cmd(c, &rename, &mut subst);
                    self.add_edge(Some(e), from, to, cmd, data.span);
                }
                Action::Call(call) => {
                    let call = Call {
                        callee: call.callee,
                        args: call
                            .args
                            .iter()
                            .map(|&t| subst.apply(&mut self.program.pool, t))
                            .collect(),
                        results: call
                            .results
                            .iter()
                            .map(|v| rename.get(v).copied().unwrap_or(*v))
                            .collect(),
                    };
                    if self.may_enter(call.callee, &p) {
                        self.enter(e, from, &call, data.span);
                    }
                    self.expand_call(e, from, to, call, data.span, &p.open);
                }
            }
        }
        let exit = proc.exit.map(|x| locs[&x]);
        if let (Some((to, results, span)), Some(exit)) = (p.ret, exit) {
            let items: Vec<(Var, Term)> = results
                .iter()
                .zip(&proc.results)
                .map(|(&target, r)| (target, terms[r]))
                .collect();
            let cmd = self.program.cmds.assign_all(&items);
            self.add_edge(None, exit, to, cmd, span);
        }
        exit
    }

    fn add_edge(&mut self, origin: Option<Edge>, from: Loc, to: Loc, cmd: Cmd, span: Span) {
        self.program.add_edge(from, to, cmd, span);
        self.map.edges.push(origin);
    }

    fn expand_call(&mut self, e: Edge, from: Loc, to: Loc, call: Call, span: Span, open: &[Proc]) {
        let name = self.old.procs[call.callee].name.clone();
        let depth = open.iter().filter(|&&p| p == call.callee).count();
        let refusal = if depth >= self.options.recursion as usize {
            Some(format!("recursion of {name} deeper than {depth}"))
        } else if self.program.edges.len() >= self.options.max_edges {
            let limit = self.options.max_edges;
            Some(format!("call of {name} beyond the limit of {limit} edges"))
        } else {
            None
        };
        if let Some(reason) = refusal {
            let stop = self.program.locs.push(LocData {
                proc: Proc::from_u32(0),
                kind: LocKind::Incomplete(reason.into()),
                name: None,
                span,
            });
            self.map.locs.push(self.old.edges[e].from);
            let skip = self.program.cmds.skip();
            self.add_edge(Some(e), from, stop, skip, span);
            return;
        }
        let locals = self.copy_locals(call.callee);
        let setup = self.setup(&call, &locals);
        let callee_entry = self.old.procs[call.callee].entry;
        let entry = self.copy_loc(callee_entry);
        let cmd = self.program.cmds.assign_all(&setup);
        self.add_edge(Some(e), from, entry, cmd, span);
        let mut open = open.to_vec();
        open.push(call.callee);
        self.work.push(Pending {
            proc: call.callee,
            entry,
            ret: Some((to, call.results, span)),
            locals: Some(locals),
            open,
            endless: false,
        });
    }

    /// Variables for the locals of a procedure.
    fn copy_locals(&mut self, callee: Proc) -> FxHashMap<Var, Var> {
        let name = self.old.procs[callee].name.clone();
        let mut locals = FxHashMap::default();
        for i in 0..self.proc_vars[callee.as_u32() as usize].len() {
            let v = self.proc_vars[callee.as_u32() as usize][i];
            let data = self.program.pool.var_data(v);
            let copy = VarData {
                name: format!("{name}.{}", data.name),
                ty: data.ty,
                scope: Scope::Local(Proc::from_u32(0)),
                span: data.span,
            };
            let copy = self.program.pool.declare(copy);
            locals.insert(v, copy);
            self.copy_regions(v, copy);
        }
        locals
    }

    /// What a call does to the callee's locals: parameters are the arguments, the others zero.
    fn setup(&mut self, call: &Call, locals: &FxHashMap<Var, Var>) -> Vec<(Var, Term)> {
        let params = &self.old.procs[call.callee].params;
        let own = &self.proc_vars[call.callee.as_u32() as usize];
        let mut setup = Vec::with_capacity(own.len());
        for &v in own {
            let start = match params.iter().position(|&p| p == v) {
                Some(i) => call.args[i],
                None => {
                    let ty = self.program.pool.var_ty(v);
                    self.program.pool.value(&Value::zero(ty))
                }
            };
            setup.push((locals[&v], start));
        }
        setup
    }

    /// Whether a call within this copy may go to the one that does not return: as the first of its recursion, or from another such copy.
    fn may_enter(&self, callee: Proc, within: &Pending) -> bool {
        let Some(below) = self.below.get(&callee) else {
            return false;
        };
        let calls_back =
            |p: &&Proc| self.below.get(p).is_some_and(|b| b.contains(&callee)) && below.contains(p);
        let open = within.open.iter().filter(calls_back).count();
        open == 0 || open == 1 && within.endless
    }

    /// The call, if it does not return.
    fn enter(&mut self, e: Edge, from: Loc, call: &Call, span: Span) {
        let endless = match self.endless.get(&call.callee) {
            Some(endless) => endless.clone(),
            None => {
                let entry = self.copy_loc(self.old.procs[call.callee].entry);
                let locals = self.copy_locals(call.callee);
                self.work.push(Pending {
                    proc: call.callee,
                    entry,
                    ret: None,
                    locals: Some(locals.clone()),
                    open: vec![call.callee],
                    endless: true,
                });
                let endless = Endless { entry, locals };
                self.endless.insert(call.callee, endless.clone());
                endless
            }
        };
        let setup = self.setup(call, &endless.locals);
        let cmd = self.program.cmds.assign_all(&setup);
        self.add_edge(Some(e), from, endless.entry, cmd, span);
    }

    fn copy_cmd(&mut self, c: Cmd, rename: &FxHashMap<Var, Var>, subst: &mut Substitution) -> Cmd {
        if rename.is_empty() {
            return c;
        }
        let pool = &mut self.program.pool;
        let target = |v: Var| rename.get(&v).copied().unwrap_or(v);
        self.program
            .cmds
            .map_leaves(c, &mut |cmds, leaf| match cmds.view(leaf) {
                CmdView::Assume(t) => {
                    let t = subst.apply(pool, t);
                    cmds.assume(t)
                }
                CmdView::Assign(items) => {
                    let items: Vec<_> = items
                        .iter()
                        .map(|&(v, t)| (target(v), subst.apply(pool, t)))
                        .collect();
                    cmds.assign_all(&items)
                }
                CmdView::Havoc(items) => {
                    let items: Vec<_> = items.iter().map(|&(v, i)| (target(v), i)).collect();
                    cmds.havoc(&items)
                }
                _ => leaf,
            })
    }
}
