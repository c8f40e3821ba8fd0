//! The verifier: what a well-formed program is, rule by rule.
//!
//! Every front end and every pass produces well-formed programs, and every consumer may rely on
//! these rules. All violations are collected, each with the entity it is about.
//!
//! # Numbers
//! - **N1** Every number in a table refers to an existing entity: locations, procedures, terms,
//!   variables, inputs, commands. (Only the scope of a variable may name a procedure that is gone:
//!   variables are never removed.)
//! - **N2** Every span refers to an existing file.
//!
//! # Types
//! - **T1** Variables, inputs and all terms in use have widths from 1 to [`Type::MAX_WIDTH`].
//! - **T2** The condition of an `assume` is boolean.
//! - **T3** An assigned term has the type of its variable.
//! - **T4** An input has the type of the variable it is given to by `havoc`.
//!
//! Inside a term the types decide alone, and the pool cannot hold a term that breaks these:
//! - Arguments have the types that their operation takes: equal widths, arrays with their index.
//! - Nothing has no bits: a slice `[hi:lo]` has `lo <= hi`, below the width; so both sides of a
//!   concatenation have a bit, and so have index and element of an array.
//! - An extension goes to at least the width that its argument has.
//!
//! A term that does nothing is well-formed: an extension to the same width, a slice of all bits, a
//! shift by zero, an operation on constants. Nobody has to simplify, and no consumer may assume that
//! somebody did. Text, wire image and builder take the same terms; the builder alone changes them.
//!
//! # Commands
//! - **C1** Commands, arguments and results of calls mention only global variables and locals of
//!   their own procedure: no other locals, no auxiliary variables.
//! - **C2** A parallel assignment, a `havoc` and the results of a call name no variable twice.
//! - **C3** Commands nest at most [`MAX_NESTING`](crate::text::MAX_NESTING) levels deep.
//!
//! # Control
//! - **L1** An edge leads from a location to one of the same procedure.
//! - **L2** Entry and exit belong to their procedure; the exit is a plain location.
//! - **L3** Exit, error and incomplete locations have no outgoing edges.
//!
//! # Procedures
//! - **P1** No two procedures have one name.
//! - **P2** Parameters are locals of their procedure, none twice; so are results. A variable may
//!   be both.
//! - **P3** A call passes as many arguments and takes as many results as its callee declares, of
//!   the same types.
//! - **P4** `main` exists and has no parameters.
//!
//! # Regions
//! - **R1** The memory of a region is a variable of array type, its base a bit-vector variable of
//!   the array's index width. The memory is not auxiliary; a region whose base is (the local of a
//!   procedure that was expanded) has no address any more.
//!
//! # What is asked of a program
//! That no error location is reachable (safety), or that every execution ends (termination, [`crate::termination`]): an execution
//! ends where no edge can be taken, be it because an assumption blocks it.
//!
//! # Not checked
//! - Whether locations are reachable, calls return, or loops end.
//! - The promise that regions make about addresses ([`RegionData`](crate::RegionData)).
//! - Names of variables, inputs and locations: they are for people, and need not be unique.
//! - Terms, commands, inputs and variables that no edge uses.
//! - What the pool cannot hold (above, under types).

mod edges;

use crate::cmd::CmdView;
use crate::entity::{Cmd, Edge, Input, Loc, Proc, Region, Term, Var};
use crate::pool::Scope;
use crate::program::{LocKind, Program};
use crate::source::Span;
use crate::ty::Type;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, SecondaryMap};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

/// What an error is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Entity {
    /// The program as a whole.
    Program,
    /// A variable.
    Var(Var),
    /// An input.
    Input(Input),
    /// A region.
    Region(Region),
    /// A procedure.
    Proc(Proc),
    /// A location.
    Loc(Loc),
    /// An edge.
    Edge(Edge),
}

impl fmt::Display for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Entity::Program => f.write_str("program"),
            Entity::Var(x) => write!(f, "{x}"),
            Entity::Input(x) => write!(f, "{x}"),
            Entity::Region(x) => write!(f, "{x}"),
            Entity::Proc(x) => write!(f, "{x}"),
            Entity::Loc(x) => write!(f, "{x}"),
            Entity::Edge(x) => write!(f, "{x}"),
        }
    }
}

/// A violated rule. The message begins with the rule's name in the documentation above.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, thiserror::Error)]
#[error("{entity}: {rule}: {message}")]
pub struct VerifyError {
    /// What the error is about.
    pub entity: Entity,
    /// The rule, as in the documentation above.
    pub rule: &'static str,
    /// What is wrong.
    pub message: String,
}

/// All violations, at least one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct VerifyErrors(pub Vec<VerifyError>);

impl fmt::Display for VerifyErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        lines(f, &self.0)
    }
}

/// Writes errors one per line.
pub(crate) fn lines(f: &mut fmt::Formatter<'_>, errors: &[impl fmt::Display]) -> fmt::Result {
    for (i, e) in errors.iter().enumerate() {
        if i > 0 {
            f.write_str("\n")?;
        }
        write!(f, "{e}")?;
    }
    Ok(())
}

/// Checks all rules; linear in the program.
pub fn verify(program: &Program) -> Result<(), VerifyErrors> {
    let mut verifier = Verifier::new(program);
    verifier.variables();
    verifier.regions();
    verifier.procedures();
    verifier.locations();
    verifier.edges();
    if verifier.errors.is_empty() {
        Ok(())
    } else {
        Err(VerifyErrors(verifier.errors))
    }
}

struct Verifier<'a> {
    p: &'a Program,
    errors: Vec<VerifyError>,
    /// The procedure in which a term was last looked at.
    seen: SecondaryMap<Term, PackedOption<Proc>>,
    /// Nesting by command number.
    depth: Vec<u32>,
}

impl<'a> Verifier<'a> {
    fn new(p: &'a Program) -> Verifier<'a> {
        // Children come before their parents in the pool.
        let mut depth = vec![0u32; p.cmds.len()];
        for i in 0..depth.len() {
            if let CmdView::Seq(cs) | CmdView::Choice(cs) = p.cmds.view(Cmd::new(i)) {
                let below = cs.iter().map(|c| depth[c.index()]).max();
                depth[i] = below.unwrap_or(0).saturating_add(1);
            }
        }
        Verifier {
            p,
            errors: Vec::new(),
            seen: SecondaryMap::new(),
            depth,
        }
    }

    fn error(&mut self, entity: Entity, rule: &'static str, message: impl Into<String>) {
        self.errors.push(VerifyError {
            entity,
            rule,
            message: message.into(),
        });
    }

    fn span(&mut self, entity: Entity, span: Span) {
        if let Some(f) = span.file()
            && !self.p.files.is_valid(f)
        {
            self.error(entity, "N2", format!("there is no file {f}"));
        }
    }

    fn ty(&mut self, entity: Entity, ty: Type) {
        if !ty.is_valid() {
            self.error(entity, "T1", format!("{ty} is no type"));
        }
    }

    /// Whether the variable exists; an error if not.
    fn var_exists(&mut self, entity: Entity, v: Var) -> bool {
        let exists = self.p.pool.vars().is_valid(v);
        if !exists {
            self.error(entity, "N1", format!("there is no variable {v}"));
        }
        exists
    }

    fn loc_exists(&mut self, entity: Entity, l: Loc) -> bool {
        let exists = self.p.locs.is_valid(l);
        if !exists {
            self.error(entity, "N1", format!("there is no location {l}"));
        }
        exists
    }

    /// A variable with its name, for messages.
    fn name(&self, v: Var) -> String {
        format!("{v} `{}`", self.p.pool.var_data(v).name)
    }

    fn variables(&mut self) {
        for (v, d) in self.p.pool.vars().iter() {
            self.ty(Entity::Var(v), d.ty);
            self.span(Entity::Var(v), d.span);
        }
        for (i, d) in self.p.inputs.iter() {
            self.ty(Entity::Input(i), d.ty);
            self.span(Entity::Input(i), d.span);
        }
    }

    fn regions(&mut self) {
        for (r, d) in self.p.regions.iter() {
            let entity = Entity::Region(r);
            self.span(entity, d.span);
            let exist = self.var_exists(entity, d.memory) & self.var_exists(entity, d.base);
            if !exist {
                continue;
            }
            if self.p.pool.var_data(d.memory).scope == Scope::Auxiliary {
                let message = format!("{} is auxiliary", self.name(d.memory));
                self.error(entity, "R1", message);
            }
            let base = self.p.pool.var_ty(d.base);
            match self.p.pool.var_ty(d.memory) {
                Type::Array { index, .. } if base == Type::Bv(index) => {}
                Type::Array { index, .. } => {
                    let message = format!("the base is {base}, the index bv{index}");
                    self.error(entity, "R1", message);
                }
                ty => {
                    let message = format!("the memory {} is {ty}, no array", self.name(d.memory));
                    self.error(entity, "R1", message);
                }
            }
        }
    }

    fn procedures(&mut self) {
        let p = self.p;
        match p.procs.get(p.main) {
            None => self.error(
                Entity::Program,
                "P4",
                format!("there is no procedure {}", p.main),
            ),
            Some(d) if !d.params.is_empty() => {
                let message = format!("{} `{}` is `main` and has parameters", p.main, d.name);
                self.error(Entity::Proc(p.main), "P4", message);
            }
            Some(_) => {}
        }
        let mut names: FxHashMap<&str, Proc> = FxHashMap::default();
        for (proc, d) in p.procs.iter() {
            let entity = Entity::Proc(proc);
            self.span(entity, d.span);
            if let Some(first) = names.insert(&d.name, proc) {
                self.error(entity, "P1", format!("{first} is named `{}` too", d.name));
            }
            self.signature(proc, "parameter", &d.params);
            self.signature(proc, "result", &d.results);
            for (what, loc) in [("entry", Some(d.entry)), ("exit", d.exit)] {
                let Some(l) = loc else { continue };
                if self.loc_exists(entity, l) && p.locs[l].proc != proc {
                    let message = format!("the {what} {l} belongs to {}", p.locs[l].proc);
                    self.error(entity, "L2", message);
                }
            }
            if let Some(exit) = d.exit.and_then(|l| p.locs.get(l))
                && exit.kind != LocKind::Plain
            {
                self.error(entity, "L2", "the exit is not a plain location");
            }
        }
    }

    fn signature(&mut self, proc: Proc, what: &str, vars: &[Var]) {
        let entity = Entity::Proc(proc);
        let mut seen = FxHashSet::default();
        for &v in vars {
            if !self.var_exists(entity, v) {
                continue;
            }
            if self.p.pool.var_data(v).scope != Scope::Local(proc) {
                let message = format!("the {what} {} is no local", self.name(v));
                self.error(entity, "P2", message);
            }
            if !seen.insert(v) {
                let message = format!("the {what} {} comes twice", self.name(v));
                self.error(entity, "P2", message);
            }
        }
    }

    fn locations(&mut self) {
        for (l, d) in self.p.locs.iter() {
            self.span(Entity::Loc(l), d.span);
            if !self.p.procs.is_valid(d.proc) {
                let message = format!("there is no procedure {}", d.proc);
                self.error(Entity::Loc(l), "N1", message);
            }
        }
    }
}
