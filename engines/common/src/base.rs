//! The base case: executions from the entry, one more segment at a time.
//!
//! Errors are asked for segment by segment, so the first one found is a shortest, counted in visits of
//! loop heads. What is refuted is asserted, which the solver may use from then on.

use crate::ask::ask;
use crate::cfa::Cfa;
use crate::induction::{Targets, reached, visited};
use crate::unroll::Unrolling;
use trellis_ivl::{LocKind, Term, Trace, Value};
use trellis_plugin_sdk::{EngineError, Host};
use trellis_solver_api::smt::SmtSession;

/// The base case of induction, and all of bounded model checking.
pub struct Base {
    /// The unrolling.
    pub unrolling: Unrolling,
    /// The reason of an incomplete location that is reached, once one is.
    pub incomplete: Option<String>,
    /// Whether every execution ends within the unrolling.
    pub complete: bool,
}

impl Base {
    /// No segment yet.
    pub fn new(cfa: &mut Cfa) -> Base {
        Base {
            unrolling: Unrolling::from_entry(cfa),
            incomplete: None,
            complete: !cfa.has_targets(),
        }
    }

    /// Adds a segment and looks for an error in it.
    pub fn deepen(
        &mut self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        host: &mut dyn Host,
    ) -> Result<Option<Trace>, EngineError> {
        self.unrolling.extend(cfa, session, host)?;
        let segment = self.unrolling.segments();
        session.set_kind("base");
        let error = reached(cfa, &self.unrolling, segment, Targets::Errors);
        if self.refute(cfa, session, error)? {
            return Ok(Some(self.unrolling.trace(cfa, session)?));
        }
        if self.incomplete.is_none() {
            session.set_kind("incomplete");
            let incomplete = reached(cfa, &self.unrolling, segment, Targets::Incompletes);
            if self.refute(cfa, session, incomplete)? {
                self.incomplete = self.reason(cfa, session, segment)?;
            }
        }
        Ok(None)
    }

    /// The forward condition: whether no execution makes another visit of a head.
    pub fn find_complete(
        &mut self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
    ) -> Result<bool, EngineError> {
        session.set_kind("forward condition");
        let layer = self.unrolling.segments();
        let visited = visited(cfa, &self.unrolling, layer);
        self.complete |= !self.refute(cfa, session, visited)?;
        Ok(self.complete)
    }

    /// Whether `t` is possible; asserts that it is not where it is not.
    fn refute(
        &self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        t: Term,
    ) -> Result<bool, EngineError> {
        if cfa.program.pool.as_bool(t) == Some(false) {
            return Ok(false);
        }
        let possible = ask(session, &cfa.program.pool, &[t])?;
        if !possible {
            let never = cfa.program.pool.not(t);
            session.assert(&cfa.program.pool, never)?;
        }
        Ok(possible)
    }

    /// The reason of the incomplete location that the model reaches.
    fn reason(
        &self,
        cfa: &Cfa,
        session: &mut dyn SmtSession,
        segment: usize,
    ) -> Result<Option<String>, EngineError> {
        for (&l, &guard) in self.unrolling.targets(segment) {
            if let LocKind::Incomplete(reason) = &cfa.program.locs[l].kind
                && session.value(&cfa.program.pool, guard)? == Value::Bool(true)
            {
                return Ok(Some(reason.to_string()));
            }
        }
        Ok(None)
    }
}
