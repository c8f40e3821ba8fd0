//! What the first visits of executions need of a template's values.

use super::{Goal, MAX_GIVEN_UP, Template, find_possible};
use crate::row::{Abstract, Kind, Row};
use crate::search::Search;
use trellis_engine_common::{Cfa, State};
use trellis_ivl::{Loc, Term};
use trellis_plugin_sdk::EngineError;
use trellis_solver_api::smt::SmtSession;

impl Template {
    /// Joins the states of one visit.
    pub(super) fn cover_base(
        &mut self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        head: Loc,
        state: &State,
    ) -> Result<(), EngineError> {
        let slots = self.heads[&head].clone();
        let mut exprs = Vec::with_capacity(slots.len());
        for &i in &slots {
            exprs.push(self.slots[i].row.at(&mut cfa.program.pool, &state.env));
        }
        loop {
            let goals = if self.base_reached[&head] {
                self.base_goals(cfa, &slots, &exprs)
            } else {
                vec![(cfa.program.pool.tru(), None)]
            };
            let mut hard = Vec::new();
            let fixed = [state.guard];
            let found = find_possible(cfa, session, &fixed, &goals, &mut hard, MAX_GIVEN_UP)?;
            for i in hard {
                self.slots[i].base = Abstract::Top;
            }
            match found {
                Some(true) => self.join_base(cfa, session, head, state.guard, &exprs)?,
                Some(false) => return Ok(()),
                None => {
                    for i in slots {
                        self.slots[i].base = Abstract::Top;
                    }
                    self.base_reached.insert(head, true);
                    return Ok(());
                }
            }
        }
    }

    /// What breaks the values so far, where the rows `slots` speak of `exprs`.
    fn base_goals(&self, cfa: &mut Cfa, slots: &[usize], exprs: &[Term]) -> Vec<Goal> {
        let pool = &mut cfa.program.pool;
        let mut goals = Vec::new();
        for (&i, &expr) in slots.iter().zip(exprs) {
            let slot = &self.slots[i];
            if slot.base != Abstract::Top {
                let row = slot.row.clone();
                let holds = Row { expr, ..row }.statement(pool, slot.base);
                goals.push((pool.not(holds), Some(i)));
            }
        }
        goals.sort_by_key(|&(_, row)| row.is_some_and(|i| self.slots[i].hard));
        goals
    }

    /// Joins the state of the session's model, and grows bounds as far as `guard` lets them.
    fn join_base(
        &mut self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        head: Loc,
        guard: Term,
        exprs: &[Term],
    ) -> Result<(), EngineError> {
        let first = !self.base_reached[&head];
        self.base_reached.insert(head, true);
        let mut values = Vec::with_capacity(exprs.len());
        for &e in exprs {
            values.push(session.value(&cfa.program.pool, e)?);
        }
        let slots = self.heads[&head].clone();
        for ((&i, &e), value) in slots.iter().zip(exprs).zip(&values) {
            let slot = &self.slots[i];
            let seen = Abstract::of(&slot.row, value);
            let joined = if first { seen } else { slot.base.join(seen) };
            if joined == slot.base && !first {
                continue;
            }
            let joined = match (joined, slot.row.kind) {
                (Abstract::Bound(low), Kind::Bound { max }) => {
                    let search = Search {
                        fixed: &[guard],
                        e,
                        param: None,
                        thresholds: &self.thresholds,
                    };
                    search.maximise(cfa, session, low, max)?
                }
                _ => joined,
            };
            self.slots[i].base = joined;
        }
        Ok(())
    }
}
