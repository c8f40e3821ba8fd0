//! What the process at the other end has: levels, definitions, assertions, assumption literals.
//!
//! A session says what it wants ([`AssertionStack`]), the mirror writes the commands that lead there from
//! what the process has. A new process has nothing, so a restart needs no code of its own; and levels
//! pushed and popped between two queries are never sent.

use crate::dialect::{Cores, Dialect};
use crate::print::Printer;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;
use trellis_ivl::{Op, Term, TermPool, Var};
use trellis_solver_support::AssertionStack;

/// A level that the process has.
#[derive(Default)]
struct Level {
    /// Where the printer's names of this level begin.
    mark: usize,
    /// Assumption literals whose meaning was asserted here.
    literals: Vec<Term>,
}

pub(crate) struct Mirror {
    printer: Printer,
    levels: Vec<Level>,
    /// The level for assumptions that are assertions is open.
    transient: Option<usize>,
    /// Terms with an assumption literal in force, and terms whose literal is declared.
    literals: FxHashSet<Term>,
    declared: FxHashSet<Term>,
    global: bool,
    cores: Cores,
}

impl Mirror {
    /// A process that has just started.
    pub fn new(dialect: &Dialect) -> Mirror {
        Mirror {
            printer: Printer::new(dialect.overflow_predicates),
            levels: vec![Level::default()],
            transient: None,
            literals: FxHashSet::default(),
            declared: FxHashSet::default(),
            global: dialect.global_declarations,
            cores: dialect.cores,
        }
    }

    /// Whether the process knows this variable.
    pub fn knows(&self, v: Var) -> bool {
        self.printer.declared(v)
    }

    /// Commands after which the process has what is wanted.
    pub fn sync(&mut self, out: &mut String, pool: &TermPool, stack: &mut AssertionStack) {
        if let Some(mark) = self.transient.take() {
            let _ = writeln!(out, "(pop 1)");
            self.forget_names(pool, mark);
        }
        let superfluous = stack.superfluous();
        if superfluous > 0 {
            let _ = writeln!(out, "(pop {superfluous})");
            let closed = self.levels.split_off(self.levels.len() - superfluous);
            self.forget_names(pool, closed[0].mark);
            for t in closed.iter().flat_map(|l| &l.literals) {
                self.literals.remove(t);
                if !self.global {
                    self.declared.remove(t);
                }
            }
            stack.popped(superfluous);
        }
        loop {
            let mut missing = Vec::new();
            while let Some(t) = stack.next_assertion() {
                missing.push(t);
                stack.asserted();
            }
            self.printer.define(out, pool, &missing);
            for t in missing {
                let _ = writeln!(out, "(assert {})", self.printer.reference(pool, t));
            }
            if !stack.missing_level() {
                break;
            }
            let _ = writeln!(out, "(push 1)");
            stack.pushed();
            self.levels.push(Level {
                mark: self.printer.mark(),
                literals: Vec::new(),
            });
        }
    }

    fn forget_names(&mut self, pool: &TermPool, mark: usize) {
        if !self.global {
            self.printer.forget(pool, mark);
        }
    }

    /// Commands that ask for a model under assumptions, and what the names in a core stand for.
    pub fn check(
        &mut self,
        out: &mut String,
        pool: &TermPool,
        assumptions: &[Term],
    ) -> FxHashMap<(String, bool), Term> {
        let mut names = FxHashMap::default();
        if assumptions.is_empty() {
            out.push_str("(check-sat)\n");
            return names;
        }
        if self.cores == Cores::Assumptions {
            let mut list = String::new();
            for &t in assumptions {
                let (name, positive) = self.literal(out, pool, t);
                let _ = match positive {
                    true => write!(list, " {name}"),
                    false => write!(list, " (not {name})"),
                };
                let bare = name.trim_matches('|').to_string();
                names.entry((bare, positive)).or_insert(t);
            }
            let _ = writeln!(out, "(check-sat-assuming ({}))", list.trim_start());
            return names;
        }
        let mark = self.printer.mark();
        out.push_str("(push 1)\n");
        self.transient = Some(mark);
        self.printer.define(out, pool, assumptions);
        for &t in assumptions {
            let (text, name) = (self.printer.reference(pool, t), format!("a{}", t.as_u32()));
            if names.insert((name.clone(), true), t).is_some() {
                continue; // A second assertion of it would have no name.
            }
            let _ = match self.cores {
                Cores::Named => writeln!(out, "(assert (! {text} :named {name}))"),
                _ => writeln!(out, "(assert {text})"),
            };
        }
        out.push_str("(check-sat)\n");
        names
    }

    /// A literal that implies `t`: `t` itself where it is one.
    fn literal(&mut self, out: &mut String, pool: &TermPool, t: Term) -> (String, bool) {
        self.printer.define(out, pool, &[t]);
        if pool.as_var(t).is_some() {
            return (self.printer.reference(pool, t), true);
        }
        if pool.op(t) == Op::Not && pool.as_var(pool.arg(t, 0)).is_some() {
            return (self.printer.reference(pool, pool.arg(t, 0)), false);
        }
        let name = format!("a{}", t.as_u32());
        if self.declared.insert(t) {
            let _ = writeln!(out, "(declare-const {name} Bool)");
        }
        if self.literals.insert(t) {
            let _ = writeln!(
                out,
                "(assert (=> {name} {}))",
                self.printer.reference(pool, t)
            );
            let level = self.levels.last_mut().expect("level 0 is never closed");
            level.literals.push(t);
        }
        (name, true)
    }
}
