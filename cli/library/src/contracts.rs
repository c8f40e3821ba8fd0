//! Contracts of functions in the words of C: ACSL's `requires`, `assigns` and `ensures`.
//!
//! As in ACSL a parameter in what is ensured is what was given, `\\old(x)` is what a global variable was at the call, and
//! `\\result` is what is returned. A clause that C has no words for is told as the language of programs says it.

use crate::judge::Contracted;
use crate::load::Loaded;
use crate::report::Place;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;
use trellis_ivl::text::TermPrinter;
use trellis_ivl::{Proc, Scope, Term, Var};
use trellis_witness::c_print;
use trellis_witness::names::place;

/// What a function requires of its callers, what it may change, and what it ensures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ContractReport {
    /// The function.
    pub function: String,
    /// Where it is.
    pub place: String,
    /// What holds at every call.
    pub requires: Vec<String>,
    /// Global variables and memory that it may change.
    pub assigns: Vec<String>,
    /// What holds when it returns.
    pub ensures: Vec<String>,
}

impl ContractReport {
    /// Where the function is, in parts.
    pub fn at(&self) -> Option<Place> {
        let mut parts = self.place.rsplitn(3, ':');
        let (column, line, file) = (parts.next()?, parts.next()?, parts.next()?);
        Some(Place {
            file: file.into(),
            line: line.parse().ok()?,
            column: column.parse().ok()?,
        })
    }

    /// The clauses on one line.
    pub fn clauses(&self) -> String {
        let text = self.to_string();
        let clauses: Vec<&str> = text.lines().skip(1).map(str::trim).collect();
        clauses.join(" ")
    }
}

impl fmt::Display for ContractReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "contract: {} {}", self.place, self.function)?;
        for clause in &self.requires {
            writeln!(f, "  requires {clause};")?;
        }
        match self.assigns.is_empty() {
            true => writeln!(f, "  assigns \\nothing;")?,
            false => writeln!(f, "  assigns {};", self.assigns.join(", "))?,
        }
        for clause in &self.ensures {
            writeln!(f, "  ensures {clause};")?;
        }
        Ok(())
    }
}

/// The contracts of a proof, in the order of the program; functions of which the proof needs to know nothing have none.
pub fn words(loaded: &Loaded, proof: &Contracted) -> Vec<ContractReport> {
    let modules = &proof.modules;
    let program = &modules.program;
    let modified = modules.modified();
    let mut told = Vec::new();
    for (&p, contract) in &proof.certificate.contracts {
        let words = Words {
            loaded,
            proof,
            own: p,
        };
        let changed = modified.get(&p).into_iter().flatten();
        let assigns: BTreeSet<String> = changed
            .map(|&v| match words.global(v) {
                Some((name, _)) if !name.is_empty() => name,
                _ => program.pool.var_data(v).name.clone(),
            })
            .collect();
        told.push(ContractReport {
            function: program.procs[p].name.clone(),
            place: place(loaded.program(), program.procs[p].span),
            requires: words.clauses(&contract.requires, &|v| words.at_call(v)),
            assigns: assigns.into_iter().collect(),
            ensures: words.clauses(&contract.ensures, &|v| words.at_exit(v)),
        });
    }
    told
}

/// The names of one function's contract.
struct Words<'a> {
    loaded: &'a Loaded,
    proof: &'a Contracted,
    own: Proc,
}

impl Words<'_> {
    /// The name of a variable, and whether it is signed.
    fn named(&self, v: Var) -> Option<(String, bool)> {
        let name = self.loaded.names.name(self.loaded.program(), v)?;
        let signed = (self.loaded.names.info(v)).is_some_and(|info| info.signed);
        Some((name.to_string(), signed))
    }

    fn global(&self, v: Var) -> Option<(String, bool)> {
        let pool = &self.proof.modules.program.pool;
        let is_global = pool.var_data(v).scope == Scope::Global;
        is_global.then(|| self.named(v)).flatten()
    }

    fn is_param(&self, v: Var) -> bool {
        let procs = &self.proof.modules.program.procs;
        procs[self.own].params.contains(&v)
    }

    /// What C calls a variable where the function is called.
    fn at_call(&self, v: Var) -> Option<(String, bool)> {
        let param = self.is_param(v).then(|| self.named(v)).flatten();
        param.or_else(|| self.global(v))
    }

    /// What C calls a variable where the function returns.
    fn at_exit(&self, v: Var) -> Option<(String, bool)> {
        let modules = &self.proof.modules;
        if modules.program.procs[self.own].results.contains(&v) {
            let signed = (self.loaded.names.result(v)).is_some_and(|info| info.signed);
            return Some(("\\result".into(), signed));
        }
        let before = modules.old.iter().find(|(_, old)| **old == v);
        match before {
            Some((&now, _)) if self.is_param(now) => self.named(now),
            Some((&now, _)) => {
                let (name, signed) = self.global(now)?;
                Some((format!("\\old({name})"), signed))
            }
            None => self.global(v),
        }
    }

    fn clauses(
        &self,
        clauses: &[Term],
        scope: &dyn Fn(Var) -> Option<(String, bool)>,
    ) -> Vec<String> {
        let pool = &self.proof.modules.program.pool;
        let of_c = self.loaded.names.is_of_c();
        let text = |&t: &Term| {
            let said = of_c.then(|| c_print::boolean(pool, t, scope)).flatten();
            said.map_or_else(|| TermPrinter::new(pool).print(t), |text| bare(&text))
        };
        clauses.iter().map(text).collect()
    }
}

/// Without parentheses around the whole.
pub(crate) fn bare(text: &str) -> String {
    let inner = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
    let mut depth = 0i32;
    match inner {
        Some(inner)
            if inner.chars().all(|c| {
                depth += i32::from(c == '(') - i32::from(c == ')');
                depth >= 0
            }) =>
        {
            inner.into()
        }
        _ => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::bare;

    #[test]
    fn outer_parentheses_go() {
        for (text, expected) in [
            ("(a == b)", "a == b"),
            ("((a) || (b))", "(a) || (b)"),
            ("(a) || (b)", "(a) || (b)"),
            ("!(a)", "!(a)"),
        ] {
            assert_eq!(bare(text), expected);
        }
    }
}
