//! An SMT session as SMT-LIB 2.
//!
//! Each call becomes one command; terms are defined where they are first used, and definitions are global,
//! so that a level popped takes no name with it. A query is written before it is asked, so that a
//! solver that crashes leaves the query that crashed it; its answer follows as
//! `(set-info :answer unsat)`, which every solver ignores and [`Script`](crate::Script) compares with.
//!
//! What SMT-LIB has no words for (limits, kinds of queries, interpolation, generalisation) is a comment.

use crate::write_error;
use std::fmt::Write as _;
use std::io::Write;
use trellis_ivl::{Term, TermPool, Value, Var};
use trellis_solver_api::smt::{QueryKind, SmtSession};
use trellis_solver_api::{Answer, Result};
use trellis_solver_smtlib::print::Printer;

/// A session whose calls are written down.
pub struct Recorded<W: Write> {
    inner: Box<dyn SmtSession>,
    out: W,
    printer: Printer,
}

const HEADER: &str = "(set-option :global-declarations true)
(set-option :produce-models true)
(set-option :produce-unsat-assumptions true)
(set-logic QF_ABV)
";

impl<W: Write> Recorded<W> {
    /// Records `inner`, in which nothing is asserted yet.
    pub fn new(inner: Box<dyn SmtSession>, mut out: W) -> Result<Recorded<W>> {
        let signature = inner.signature().replace('\n', " ");
        write!(out, "; recorded from {signature}\n{HEADER}").map_err(|e| write_error(&e))?;
        Ok(Recorded {
            inner,
            out,
            printer: Printer::new(true),
        })
    }

    fn write(&mut self, text: &str) -> Result<()> {
        self.out
            .write_all(text.as_bytes())
            .map_err(|e| write_error(&e))
    }

    /// The definitions of terms, followed by a command that refers to them.
    fn command(
        &mut self,
        pool: &TermPool,
        terms: &[Term],
        command: impl Fn(&str) -> String,
    ) -> Result<()> {
        let mut text = String::new();
        self.printer.define(&mut text, pool, terms);
        let names: Vec<String> = terms
            .iter()
            .map(|&t| self.printer.reference(pool, t))
            .collect();
        let _ = writeln!(text, "{}", command(&names.join(" ")));
        self.write(&text)
    }
}

impl<W: Write> SmtSession for Recorded<W> {
    trellis_solver_api::delegate_smt!(inner: signature capabilities level set_limits interrupter stats);

    fn assert(&mut self, pool: &TermPool, t: Term) -> Result<()> {
        self.inner.assert(pool, t)?;
        self.command(pool, &[t], |t| format!("(assert {t})"))
    }

    fn push(&mut self) -> Result<()> {
        self.inner.push()?;
        self.write("(push 1)\n")
    }

    fn pop(&mut self, levels: usize) -> Result<()> {
        self.inner.pop(levels)?;
        self.write(&format!("(pop {levels})\n"))
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Result<Answer> {
        self.command(pool, assumptions, |list| match list {
            "" => "(check-sat)".to_string(),
            _ => format!("(check-sat-assuming ({list}))"),
        })?;
        self.out.flush().map_err(|e| write_error(&e))?;
        let answer = self.inner.check(pool, assumptions);
        self.write(&match &answer {
            Ok(Answer::Sat) => "(set-info :answer sat)\n".to_string(),
            Ok(Answer::Unsat) => "(set-info :answer unsat)\n".to_string(),
            Ok(Answer::Unknown(reason)) => {
                format!("(set-info :answer unknown) ; {}\n", one_line(reason))
            }
            Err(e) => format!("; failed: {}\n", one_line(e)),
        })?;
        answer
    }

    fn value(&mut self, pool: &TermPool, t: Term) -> Result<Value> {
        let value = self.inner.value(pool, t)?;
        self.command(pool, &[t], |t| format!("(get-value ({t}))"))?;
        Ok(value)
    }

    fn unsat_core(&mut self) -> Result<Vec<Term>> {
        let core = self.inner.unsat_core()?;
        self.write("(get-unsat-assumptions)\n")?;
        Ok(core)
    }

    fn generalize(&mut self, pool: &mut TermPool, formulas: &[Term], keep: &[Var]) -> Result<Term> {
        let t = self.inner.generalize(pool, formulas, keep)?;
        self.command(pool, formulas, |list| format!("; generalized: {list}"))?;
        Ok(t)
    }

    fn interpolate(&mut self, pool: &mut TermPool, a: Term, b: Term) -> Result<Option<Term>> {
        let t = self.inner.interpolate(pool, a, b)?;
        self.command(pool, &[a, b], |list| format!("; interpolated: {list}"))?;
        Ok(t)
    }

    fn set_kind(&mut self, kind: QueryKind) {
        // A failure to write shows at the next query.
        let _ = self.write(&format!("; kind: {kind}\n"));
        self.inner.set_kind(kind);
    }
}

fn one_line(text: &impl ToString) -> String {
    text.to_string().replace(['\n', '\r'], " ")
}
