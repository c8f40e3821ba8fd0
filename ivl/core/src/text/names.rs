//! Which variable a bare name means, seen from a place: the one rule that printer and parser
//! share, so that what the printer writes bare is what the parser finds.
//!
//! Inside a procedure a name is a local of that procedure, else a global or auxiliary variable.
//! Elsewhere it is a global or auxiliary variable, else a local whose name is unique.

#![cfg_attr(
    not(feature = "parse"),
    allow(dead_code, reason = "reading uses the rest")
)]

use crate::entity::{Proc, Var};
use crate::pool::{Scope, TermPool};
use rustc_hash::FxHashMap;

/// What a name means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    One(Var),
    Several,
}

/// The variables by name.
#[derive(Default)]
pub struct VarNames<'a> {
    /// By scope and name; `None` for global and auxiliary variables.
    scoped: FxHashMap<(Option<Proc>, &'a str), Meaning>,
    /// All locals by name.
    locals: FxHashMap<&'a str, Meaning>,
}

impl<'a> VarNames<'a> {
    /// The names of the variables of a pool.
    pub fn of_pool(pool: &'a TermPool) -> VarNames<'a> {
        let vars = pool.vars().iter();
        VarNames::new(vars.map(|(v, d)| (v, d.scope, d.name.as_str())))
    }

    pub fn new(vars: impl Iterator<Item = (Var, Scope, &'a str)>) -> VarNames<'a> {
        let mut names = VarNames::default();
        for (v, scope, name) in vars {
            let proc = local(scope);
            if proc.is_some() {
                let entry = names.locals.entry(name);
                entry
                    .and_modify(|m| *m = Meaning::Several)
                    .or_insert(Meaning::One(v));
            }
            names
                .scoped
                .entry((proc, name))
                .and_modify(|m| *m = Meaning::Several)
                .or_insert(Meaning::One(v));
        }
        names
    }

    /// What `name` means inside `within`, or outside of all procedures.
    pub fn lookup(&self, within: Option<Proc>, name: &str) -> Option<Meaning> {
        if within.is_some()
            && let Some(&m) = self.scoped.get(&(within, name))
        {
            return Some(m);
        }
        if let Some(&m) = self.scoped.get(&(None, name)) {
            return Some(m);
        }
        match within {
            Some(_) => None,
            None => self.locals.get(name).copied(),
        }
    }

    /// The names visible inside `within`, for suggestions.
    pub fn visible(&self, within: Option<Proc>) -> impl Iterator<Item = &'a str> + '_ {
        let keys = self.scoped.keys();
        keys.filter(move |(p, _)| p.is_none() || within.is_none() || *p == within)
            .map(|&(_, name)| name)
    }
}

/// The procedure of a local variable.
pub fn local(scope: Scope) -> Option<Proc> {
    match scope {
        Scope::Local(p) => Some(p),
        Scope::Global | Scope::Auxiliary => None,
    }
}
