//! The largest value of a term, by binary search with models.

use crate::row::{Abstract, number, vector};
use trellis_engine_common::{Cfa, try_ask};
use trellis_ivl::Term;
use trellis_plugin_sdk::EngineError;
use trellis_solver_api::smt::SmtSession;

/// What is searched for: the largest value of `e` under `fixed`. With `param`, hypotheses in `fixed` bound
/// `e` before the step by `param`, and `e` must reach `param` after it.
pub struct Search<'a> {
    /// Assumed.
    pub fixed: &'a [Term],
    /// What is to be large.
    pub e: Term,
    /// Its bound before the step.
    pub param: Option<Term>,
    /// Where to look first: values near the constants of the program, ascending.
    pub thresholds: &'a [i128],
}

impl Search<'_> {
    /// The largest value, at least `low`; `max` itself says nothing. Also nothing where the solver gives up.
    pub fn maximise(
        &self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        low: i128,
        max: i128,
    ) -> Result<Abstract, EngineError> {
        let mut query = self.fixed.to_vec();
        if let Some(param) = self.param {
            query.push(cfa.program.pool.bvsle(param, self.e));
        }
        let (mut low, mut high) = (low, max);
        // First the extremes: most bounds are either lost at once or where they were.
        let mut probe = max;
        let mut stride = 1;
        while low < high {
            match self.reaches(cfa, session, &mut query, probe)? {
                None => return Ok(Abstract::Top),
                Some(Some(value)) => {
                    low = value.clamp(probe, max);
                    stride *= 4;
                }
                Some(None) => high = probe - 1,
            }
            let threshold = self.thresholds.partition_point(|&t| t <= low);
            let near = &self.thresholds[threshold..];
            let near = &near[..near.partition_point(|&t| t <= high)];
            let middle = low + (high - low + 1) / 2;
            probe = match near {
                _ if stride == 1 => low + 1,
                [] => middle.min(low.saturating_add(stride)),
                near => near[near.len() / 2],
            };
        }
        Ok(if low >= max {
            Abstract::Top
        } else {
            Abstract::Bound(low)
        })
    }

    /// A value of at least `m`, if there is one; `None` where the solver gives up.
    fn reaches(
        &self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        query: &mut Vec<Term>,
        m: i128,
    ) -> Result<Option<Option<i128>>, EngineError> {
        let pool = &mut cfa.program.pool;
        let goal = self.param.unwrap_or(self.e);
        let m = vector(pool.width(goal), m);
        let m = pool.bv(m);
        query.push(pool.bvsle(m, goal));
        let answer = try_ask(session, pool, query)?;
        query.pop();
        Ok(match answer {
            None => None,
            Some(false) => Some(None),
            Some(true) => {
                let found = session.value(pool, goal)?;
                Some(Some(number(
                    found.as_bv().expect("a bound is a bit-vector"),
                )))
            }
        })
    }
}
