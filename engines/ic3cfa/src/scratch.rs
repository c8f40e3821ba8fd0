//! Queries that no frame takes part in: whether terms have a common model, and interpolants.

use crate::counts::{Counts, GENERALISE, PREDECESSOR};
use crate::edge_query::{Reply, Surroundings, read, reply};
use trellis_plugin_sdk::EngineError;
use trellis_plugin_sdk::ivl::Term;
use trellis_plugin_sdk::solver::smt::SmtSession;
use trellis_plugin_sdk::solver::{Answer, Capabilities, Limits};

/// After so many unrelated queries a session knows too many terms to be fast.
const USES: u32 = 300;

/// A session that is replaced now and then.
#[derive(Default)]
pub struct Scratch {
    session: Option<Box<dyn SmtSession>>,
    uses: u32,
}

impl Scratch {
    fn session(&mut self, on: &mut Surroundings<'_>) -> Result<&mut dyn SmtSession, EngineError> {
        self.uses += 1;
        if self.session.is_none() || self.uses.is_multiple_of(USES) {
            self.session = Some(on.host.smt_session()?);
        }
        Ok(&mut **self.session.as_mut().expect("just made"))
    }

    /// Whether `terms` have a common model.
    pub fn consistent(
        &mut self,
        on: &mut Surroundings<'_>,
        counts: &mut Counts,
        terms: &[Term],
        limits: Limits,
        optional: bool,
    ) -> Result<Reply, EngineError> {
        let session = self.session(on)?;
        session.set_kind(PREDECESSOR);
        session.set_limits(limits);
        let answer = session.check(&on.program.pool, terms)?;
        counts.asked(PREDECESSOR, &answer);
        reply(answer, optional, || {
            let vars = on.program.pool.free_vars(terms.iter().copied());
            read(session, on.program, vars)
        })
    }

    /// An interpolant between `a` and `b`, where the solver has one.
    pub fn interpolant(
        &mut self,
        on: &mut Surroundings<'_>,
        counts: &mut Counts,
        a: Term,
        b: Term,
    ) -> Result<Option<Term>, EngineError> {
        let session = self.session(on)?;
        if !session.capabilities().contains(Capabilities::INTERPOLATION) {
            return Ok(None);
        }
        session.set_kind(GENERALISE);
        let interpolant = session.interpolate(&mut on.program.pool, a, b)?;
        counts.asked(GENERALISE, &Answer::Unsat);
        Ok(interpolant)
    }
}
