//! A SAT session as DIMACS clauses with lines of assumptions.
//!
//! The format is `inccnf` (as in the incremental track of the SAT competitions): a header `p inccnf`,
//! clauses as in DIMACS, and for each query a line `a LITERALS 0`. The answer follows as a comment
//! `c answer unsat`.

use crate::write_error;
use std::io::Write;
use trellis_solver_api::sat::{Lit, SatSession};
use trellis_solver_api::{Answer, Result, SolverError, delegate_sat};

/// A session whose clauses and queries are written down.
pub struct RecordedSat<W: Write> {
    inner: Box<dyn SatSession>,
    out: W,
    assumed: Vec<Lit>,
    /// The first failure to write, to be reported by the next query.
    failure: Option<SolverError>,
}

impl<W: Write> RecordedSat<W> {
    /// Records `inner`, which has no clauses yet.
    pub fn new(inner: Box<dyn SatSession>, mut out: W) -> Result<RecordedSat<W>> {
        let signature = inner.signature().replace('\n', " ");
        write!(out, "c recorded from {signature}\np inccnf\n").map_err(|e| write_error(&e))?;
        Ok(RecordedSat {
            inner,
            out,
            assumed: Vec::new(),
            failure: None,
        })
    }

    fn line(&mut self, prefix: &str, lits: &[Lit]) {
        let mut text = prefix.to_string();
        for lit in lits {
            text += &format!("{lit} ");
        }
        text += "0\n";
        if let Err(e) = self.out.write_all(text.as_bytes()) {
            self.failure.get_or_insert(write_error(&e));
        }
    }
}

impl<W: Write> SatSession for RecordedSat<W> {
    delegate_sat!(inner: signature capabilities new_var max_var reserve value failed phase set_limits interrupter stats);

    fn add_clause(&mut self, clause: &[Lit]) {
        self.line("", clause);
        self.inner.add_clause(clause);
    }

    fn assume(&mut self, lit: Lit) {
        self.assumed.push(lit);
        self.inner.assume(lit);
    }

    fn solve(&mut self) -> Result<Answer> {
        let assumed = std::mem::take(&mut self.assumed);
        self.line("a ", &assumed);
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        self.out.flush().map_err(|e| write_error(&e))?;
        let answer = self.inner.solve()?;
        writeln!(self.out, "c answer {answer}").map_err(|e| write_error(&e))?;
        Ok(answer)
    }
}
