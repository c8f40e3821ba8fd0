//! A session that does nothing: it finds everything satisfiable by zeros. For what wraps sessions: to measure
//! the wrapper alone, and to see a wrong answer caught.

use crate::smt::{QueryKind, SmtSession, SmtStats};
use crate::{Answer, Capabilities, Interrupter, Limits, Result};
use trellis_ivl::{Term, TermPool, Value};

/// The session.
#[derive(Clone, Copy, Debug, Default)]
pub struct IdleSession;

impl SmtSession for IdleSession {
    fn signature(&self) -> &str {
        "idle"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::MODELS
    }

    fn assert(&mut self, _: &TermPool, t: Term) -> Result<()> {
        std::hint::black_box(t);
        Ok(())
    }

    fn push(&mut self) -> Result<()> {
        Ok(())
    }

    fn pop(&mut self, _: usize) -> Result<()> {
        Ok(())
    }

    fn level(&self) -> usize {
        0
    }

    fn check(&mut self, _: &TermPool, assumptions: &[Term]) -> Result<Answer> {
        std::hint::black_box(assumptions);
        Ok(Answer::Sat)
    }

    fn value(&mut self, pool: &TermPool, t: Term) -> Result<Value> {
        Ok(Value::zero(pool.ty(t)))
    }

    fn unsat_core(&mut self) -> Result<Vec<Term>> {
        Ok(Vec::new())
    }

    fn set_kind(&mut self, _: QueryKind) {}

    fn set_limits(&mut self, _: Limits) {}

    fn interrupter(&self) -> Interrupter {
        Interrupter::new()
    }

    fn stats(&self) -> SmtStats {
        SmtStats::default()
    }
}
