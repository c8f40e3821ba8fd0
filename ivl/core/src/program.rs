//! Programs: procedures made of locations and edges labelled with commands.

use crate::cmd::CmdPool;
use crate::entity::{Cmd, Edge, File, Input, Loc, Proc, Region, Term, Var};
use crate::pool::{Scope, TermPool, VarData};
use crate::source::Span;
use crate::ty::Type;
use cranelift_entity::PrimaryMap;
use std::sync::Arc;

/// What it means to reach a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LocKind {
    /// Nothing special.
    Plain,
    /// A property is violated; the name is the property's, e.g. `unreach-call`.
    Error(Arc<str>),
    /// The model ends here for the given reason: a construct that is not understood, a limit.
    /// No verdict but unknown rests on what lies beyond.
    Incomplete(Arc<str>),
}

/// A control location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocData {
    /// The procedure it belongs to.
    pub proc: Proc,
    /// What reaching it means.
    pub kind: LocKind,
    /// A label for people, often none.
    pub name: Option<Arc<str>>,
    /// Its place in the source.
    pub span: Span,
}

/// What an edge does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Executes a command.
    Cmd(Cmd),
    /// Calls a procedure.
    Call(Box<Call>),
}

impl Action {
    /// The command, where it is none to call.
    pub fn cmd(&self) -> Option<Cmd> {
        match self {
            Action::Cmd(c) => Some(*c),
            Action::Call(_) => None,
        }
    }
}

/// A procedure call: arguments are copied to the parameters, the callee's other locals start at
/// zero, and at its exit the callee's results are copied to `results` of the caller. A front end
/// whose locals start arbitrary says so by `havoc`, so every such value has a named input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The procedure called.
    pub callee: Proc,
    /// One term per parameter, over variables visible in the caller.
    pub args: Vec<Term>,
    /// One variable per result of the callee, each at most once.
    pub results: Vec<Var>,
}

/// A control-flow edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EdgeData {
    /// Source location.
    pub from: Loc,
    /// Target location, in the same procedure.
    pub to: Loc,
    /// What it does.
    pub action: Action,
    /// Its place in the source.
    pub span: Span,
}

/// A procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcData {
    /// Its name; unique.
    pub name: String,
    /// Parameters, in order: locals of the procedure.
    pub params: Vec<Var>,
    /// Results, in order: locals of the procedure, distinct from one another.
    pub results: Vec<Var>,
    /// Where it begins.
    pub entry: Loc,
    /// Where it returns; `None` for one that never does. Has no outgoing edges.
    pub exit: Option<Loc>,
    /// Its place in the source.
    pub span: Span,
}

/// A place where nondeterministic values enter: a call of `__VERIFIER_nondet_int`, an
/// uninitialised local, an input wire. Passes keep it when they copy a `havoc`, so a trace on any
/// derived program names the same inputs as one on the original.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputData {
    /// A name for people: the function called, the variable, the wire.
    pub name: String,
    /// Type of its values.
    pub ty: Type,
    /// Its place in the source.
    pub span: Span,
}

/// An object in a memory array.
///
/// The promise behind a region, made by the front end and used by the points-to pass: wherever a
/// memory is read or written, the address lies within a region whose `base` has flowed into it,
/// and regions alive at one time do not overlap. The pass relies on it only for speed; what it
/// derives is certified against the program it started from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegionData {
    /// A name for people.
    pub name: String,
    /// The memory it lies in: a variable of array type.
    pub memory: Var,
    /// The variable that holds its first address.
    pub base: Var,
    /// Number of elements, where fixed.
    pub size: Option<u64>,
    /// Its place in the source.
    pub span: Span,
}

/// The control tables of a program: what passes rebuild.
#[derive(Clone)]
pub struct Control {
    /// Procedures.
    pub procs: PrimaryMap<Proc, ProcData>,
    /// Locations of all procedures.
    pub locs: PrimaryMap<Loc, LocData>,
    /// Edges of all procedures.
    pub edges: PrimaryMap<Edge, EdgeData>,
    /// Where execution begins.
    pub main: Proc,
}

/// A program.
///
/// Two kinds of tables: *arenas* (terms, variables, commands, inputs, regions, files) only ever
/// grow, and the *control tables* (procedures, locations, edges) are what passes rebuild, always
/// dense. A program before a pass therefore remains readable with the arenas after it: its
/// [`Control`] alone is enough to bring it back.
#[derive(Clone)]
pub struct Program {
    /// Terms and variables.
    pub pool: TermPool,
    /// Commands.
    pub cmds: CmdPool,
    /// Source files.
    pub files: PrimaryMap<File, String>,
    /// Places where nondeterministic values enter.
    pub inputs: PrimaryMap<Input, InputData>,
    /// Memory objects.
    pub regions: PrimaryMap<Region, RegionData>,
    /// Procedures.
    pub procs: PrimaryMap<Proc, ProcData>,
    /// Locations of all procedures.
    pub locs: PrimaryMap<Loc, LocData>,
    /// Edges of all procedures.
    pub edges: PrimaryMap<Edge, EdgeData>,
    /// Where execution begins; its locals and all globals hold arbitrary values then.
    pub main: Proc,
}

impl Default for Program {
    fn default() -> Self {
        Self::new()
    }
}

impl Program {
    /// A program without procedures; `main` refers to the first one to be added.
    pub fn new() -> Program {
        Program {
            pool: TermPool::new(),
            cmds: CmdPool::new(),
            files: PrimaryMap::new(),
            inputs: PrimaryMap::new(),
            regions: PrimaryMap::new(),
            procs: PrimaryMap::new(),
            locs: PrimaryMap::new(),
            edges: PrimaryMap::new(),
            main: Proc::from_u32(0),
        }
    }

    /// A copy of the control tables.
    pub fn control(&self) -> Control {
        Control {
            procs: self.procs.clone(),
            locs: self.locs.clone(),
            edges: self.edges.clone(),
            main: self.main,
        }
    }

    /// Exchanges the control tables.
    pub fn swap_control(&mut self, control: &mut Control) {
        std::mem::swap(&mut self.procs, &mut control.procs);
        std::mem::swap(&mut self.locs, &mut control.locs);
        std::mem::swap(&mut self.edges, &mut control.edges);
        std::mem::swap(&mut self.main, &mut control.main);
    }

    /// Adds a procedure with a fresh entry location, no exit, parameters or results.
    pub fn add_proc(&mut self, name: impl Into<String>, span: Span) -> Proc {
        let proc = self.procs.next_key();
        let entry = self.add_loc(proc, span);
        self.procs.push(ProcData {
            name: name.into(),
            params: Vec::new(),
            results: Vec::new(),
            entry,
            exit: None,
            span,
        })
    }

    /// Adds a plain location.
    pub fn add_loc(&mut self, proc: Proc, span: Span) -> Loc {
        self.locs.push(LocData {
            proc,
            kind: LocKind::Plain,
            name: None,
            span,
        })
    }

    /// Adds an error location for `property`.
    pub fn add_error(&mut self, proc: Proc, property: impl Into<Arc<str>>, span: Span) -> Loc {
        let loc = self.add_loc(proc, span);
        self.locs[loc].kind = LocKind::Error(property.into());
        loc
    }

    /// Adds an incomplete location.
    pub fn add_incomplete(&mut self, proc: Proc, reason: impl Into<Arc<str>>, span: Span) -> Loc {
        let loc = self.add_loc(proc, span);
        self.locs[loc].kind = LocKind::Incomplete(reason.into());
        loc
    }

    /// Adds an edge that executes a command.
    pub fn add_edge(&mut self, from: Loc, to: Loc, cmd: Cmd, span: Span) -> Edge {
        self.edges.push(EdgeData {
            from,
            to,
            action: Action::Cmd(cmd),
            span,
        })
    }

    /// Adds an edge that calls a procedure.
    pub fn add_call(&mut self, from: Loc, to: Loc, call: Call, span: Span) -> Edge {
        self.edges.push(EdgeData {
            from,
            to,
            action: Action::Call(Box::new(call)),
            span,
        })
    }

    /// Declares a global variable.
    pub fn add_global(&mut self, name: impl Into<String>, ty: Type, span: Span) -> Var {
        self.pool.declare(VarData {
            name: name.into(),
            ty,
            scope: Scope::Global,
            span,
        })
    }

    /// Declares a local variable of `proc`.
    pub fn add_local(&mut self, proc: Proc, name: impl Into<String>, ty: Type, span: Span) -> Var {
        self.pool.declare(VarData {
            name: name.into(),
            ty,
            scope: Scope::Local(proc),
            span,
        })
    }

    /// Declares an input.
    pub fn add_input(&mut self, name: impl Into<String>, ty: Type, span: Span) -> Input {
        self.inputs.push(InputData {
            name: name.into(),
            ty,
            span,
        })
    }

    /// `havoc x` with an input of its own, named after the variable.
    pub fn havoc(&mut self, x: Var, span: Span) -> Cmd {
        let data = self.pool.var_data(x);
        let (name, ty) = (data.name.clone(), data.ty);
        let input = self.add_input(name, ty, span);
        self.cmds.havoc(&[(x, input)])
    }

    /// The command of an edge that is not a call.
    pub fn edge_cmd(&self, e: Edge) -> Option<Cmd> {
        self.edges[e].action.cmd()
    }

    /// The entry of the main procedure.
    pub fn entry(&self) -> Loc {
        self.procs[self.main].entry
    }

    /// Whether the program is one flat automaton: one procedure, no calls.
    pub fn is_flat(&self) -> bool {
        self.procs.len() == 1
            && self
                .edges
                .values()
                .all(|e| matches!(e.action, Action::Cmd(_)))
    }

    /// The error locations, by number.
    pub fn errors(&self) -> impl Iterator<Item = Loc> + '_ {
        self.locs
            .iter()
            .filter(|(_, d)| matches!(d.kind, LocKind::Error(_)))
            .map(|(l, _)| l)
    }

    /// The incomplete locations, by number.
    pub fn incompletes(&self) -> impl Iterator<Item = Loc> + '_ {
        self.locs
            .iter()
            .filter(|(_, d)| matches!(d.kind, LocKind::Incomplete(_)))
            .map(|(l, _)| l)
    }

    /// The variables that commands may mention (all but auxiliary symbols), by number.
    pub fn program_vars(&self) -> impl Iterator<Item = Var> + '_ {
        self.pool
            .vars()
            .iter()
            .filter(|(_, d)| d.scope != Scope::Auxiliary)
            .map(|(v, _)| v)
    }
}
