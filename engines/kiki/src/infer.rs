//! The k-inductive invariant of a template, by strategy iteration with binary search.
//!
//! After 2LS (Sect. 5.1.2 and 6.1). Values start from what the first k visits of the base case need and grow
//! until the step preserves them. A row of a finite kind grows by joining models (model enumeration). A bound
//! grows to the largest d such that some step leads from states within d to one at d or above, found by
//! binary search: the effort does not depend on the number of iterations. (Differing from 2LS, one row at a
//! time instead of the sum of all rows that grow; the search begins with the largest value, which ends it for rows
//! that are lost, goes on with the least, and prefers values near the constants of the program.) A query that
//! uses up its conflicts costs the row. Where it is the check of all rows, these are checked in halves until the
//! rows that are too hard are found, products and quotients first; too many of them cost all.
//!
//! The solver sees each row once per layer, with symbols for its parameters; queries choose values by
//! assumptions, so growing values encode nothing but comparisons of a symbol with a constant.

mod base;

use crate::domain::Domain;
use crate::related::Related;
use crate::row::{Abstract, Kind, Params, Row};
use crate::search::Search;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use trellis_engine_common::{Base, Cfa, Induction, Invariants, State, go_on, try_ask};
use trellis_ivl::{Loc, Op, Term, TermPool, Type, Value};
use trellis_plugin_sdk::{EngineError, Host};
use trellis_solver_api::smt::SmtSession;

/// A row that has grown this often is given up: the acceleration does not fit it.
const MAX_GROWTH: u32 = 10;
/// Rows that are given up one by one, before all are.
const MAX_GIVEN_UP: usize = 24;

/// A condition that breaks a row, or one about no row.
type Goal = (Term, Option<usize>);

struct Slot {
    row: Row,
    params: Params,
    /// Whether solvers of bits find it hard.
    hard: bool,
    /// What the base case needs.
    base: Abstract,
    /// The current value, where the head is reached.
    value: Abstract,
    grown: u32,
}

/// A template for all loop heads, and its current values.
pub struct Template {
    slots: Vec<Slot>,
    heads: BTreeMap<Loc, Vec<usize>>,
    /// Heads that the base case reaches, and those that count as reached now.
    base_reached: BTreeMap<Loc, bool>,
    reached: BTreeMap<Loc, bool>,
    /// Assumed for heads that count as unreached.
    absent: BTreeMap<Loc, Term>,
    /// Per layer of the step: its rows are assumed.
    layers: Vec<Term>,
    base_layers: usize,
    thresholds: Vec<i128>,
    /// Rows given up in this inference because the solver could not tell.
    gave_up: usize,
    /// Rows left out because there were more than the limit.
    pub omitted: usize,
}

impl Template {
    /// The product of `domains` for all heads, with at most `max_rows` rows per head.
    ///
    /// # Errors
    /// When it is time to stop.
    pub fn new(
        cfa: &mut Cfa,
        related: &Related,
        domains: &[Box<dyn Domain>],
        max_rows: usize,
        host: &dyn Host,
    ) -> Result<Template, EngineError> {
        let mut template = Template {
            slots: Vec::new(),
            heads: BTreeMap::new(),
            base_reached: BTreeMap::new(),
            reached: BTreeMap::new(),
            absent: BTreeMap::new(),
            layers: Vec::new(),
            base_layers: 0,
            thresholds: related.thresholds(),
            gave_up: 0,
            omitted: 0,
        };
        for head in cfa.heads().to_vec() {
            let mut rows: Vec<Row> = Vec::new();
            let mut known = FxHashSet::default();
            for d in domains {
                go_on(host)?;
                let new = d.rows(cfa, related, head).into_iter();
                rows.extend(new.filter(|r| known.insert((r.expr, r.kind))));
            }
            template.omitted += rows.len().saturating_sub(max_rows);
            rows.truncate(max_rows);
            let from = template.slots.len();
            for row in rows {
                template.slots.push(Slot {
                    params: Params::new(&mut cfa.program.pool, &row),
                    hard: is_hard(&cfa.program.pool, row.expr),
                    row,
                    base: Abstract::Top,
                    value: Abstract::Top,
                    grown: 0,
                });
            }
            template
                .heads
                .insert(head, (from..template.slots.len()).collect());
            template.base_reached.insert(head, false);
            let absent = cfa.program.pool.fresh("absent", Type::Bool);
            template.absent.insert(head, cfa.program.pool.var(absent));
        }
        template.reached = template.base_reached.clone();
        Ok(template)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.slots.len()
    }

    /// Whether some row is a bound, which is searched for.
    pub fn has_bounds(&self) -> bool {
        let is_bound = |s: &Slot| matches!(s.row.kind, Kind::Bound { .. });
        self.slots.iter().any(is_bound)
    }

    /// Computes the least values that the template's strategy finds to be k-inductive.
    pub fn infer(
        &mut self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        base: &Base,
        step: &Induction,
        k: usize,
    ) -> Result<(), EngineError> {
        session.set_kind("template base");
        while self.base_layers <= k.min(base.unrolling.segments()) {
            for (&head, state) in base.unrolling.front(self.base_layers) {
                if cfa.is_head(head) {
                    self.cover_base(cfa, session, head, state)?;
                }
            }
            self.base_layers += 1;
        }
        self.reached.clone_from(&self.base_reached);
        self.gave_up = 0;
        for slot in &mut self.slots {
            slot.value = slot.base;
            slot.grown = 0;
        }
        session.set_kind("template step");
        self.encode_layers(cfa, session, step, k)?;
        while self.grow(cfa, session, step, k)? {}
        Ok(())
    }

    /// Makes the rows hypotheses of layers below `k`, each once.
    fn encode_layers(
        &mut self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        step: &Induction,
        k: usize,
    ) -> Result<(), EngineError> {
        while self.layers.len() < k {
            let pool = &mut cfa.program.pool;
            let layer = self.layers.len();
            let here = pool.fresh("hypothesis", Type::Bool);
            let here = pool.var(here);
            self.layers.push(here);
            for (&head, state) in step.unrolling.front(layer) {
                let present = pool.and(here, state.guard);
                let absent = pool.not(self.absent[&head]);
                let clause = pool.implies(present, absent);
                session.assert(pool, clause)?;
                for &i in &self.heads[&head] {
                    let slot = &self.slots[i];
                    if self.base_reached[&head] && slot.base == Abstract::Top {
                        continue;
                    }
                    let e = slot.row.at(pool, &state.env);
                    let holds = slot.params.statement(pool, e);
                    let when = pool.and(present, slot.params.active);
                    let clause = pool.implies(when, holds);
                    session.assert(pool, clause)?;
                }
            }
        }
        Ok(())
    }

    /// The hypotheses of visits below `k` with the current values; row `free` keeps its parameter open.
    pub fn hypothesis(&self, cfa: &mut Cfa, k: usize, free: Option<usize>) -> Vec<Term> {
        let pool = &mut cfa.program.pool;
        let mut assumed = self.layers[..k.min(self.layers.len())].to_vec();
        for (head, slots) in &self.heads {
            let absent = self.absent[head];
            if !self.reached[head] {
                assumed.push(absent);
                continue;
            }
            assumed.push(pool.not(absent));
            for &i in slots {
                let slot = &self.slots[i];
                if free == Some(i) {
                    assumed.push(slot.params.active);
                } else if slot.value != Abstract::Top {
                    // A row that says nothing needs no assumption: nothing makes it active.
                    slot.params.assume(pool, slot.value, &mut assumed);
                }
            }
        }
        assumed
    }

    /// Finds a step that the current values do not cover and grows them; false when there is none.
    fn grow(
        &mut self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        step: &Induction,
        k: usize,
    ) -> Result<bool, EngineError> {
        let front = step.unrolling.front(k);
        let mut goals = self.goals(cfa, front);
        // What is hard together is mostly hard for a few rows.
        goals.sort_by_key(|&(_, row)| row.is_some_and(|i| self.slots[i].hard));
        let before = self.gave_up;
        if !self.find_violation(cfa, session, k, &goals)? {
            // Rows that were given up are hypotheses no more, so the others have to be checked again.
            return Ok(self.gave_up > before);
        }
        let mut growing: Vec<(usize, Value, Term)> = Vec::new();
        for (&head, state) in front {
            if session.value(&cfa.program.pool, state.guard)? != Value::Bool(true) {
                continue;
            }
            for i in self.heads[&head].clone() {
                let e = self.slots[i].row.at(&mut cfa.program.pool, &state.env);
                growing.push((i, session.value(&cfa.program.pool, e)?, e));
            }
            if !self.reached[&head] {
                self.reached.insert(head, true);
                for (i, value, _) in growing.drain(..) {
                    self.slots[i].value = Abstract::of(&self.slots[i].row, &value);
                }
            }
        }
        for (i, value, e) in growing {
            let guard = front[&self.slots[i].row.head].guard;
            self.grow_slot(cfa, session, k, i, &value, guard, e)?;
        }
        Ok(true)
    }

    /// What breaks the current values at `front`: rows, and visits of heads that count as unreached.
    fn goals(&self, cfa: &mut Cfa, front: &BTreeMap<Loc, State>) -> Vec<Goal> {
        let pool = &mut cfa.program.pool;
        let mut goals = Vec::new();
        for (head, state) in front {
            if !self.reached[head] {
                goals.push((state.guard, None));
                continue;
            }
            for &i in &self.heads[head] {
                let slot = &self.slots[i];
                if slot.value != Abstract::Top {
                    let e = slot.row.at(pool, &state.env);
                    let holds = slot.params.statement(pool, e);
                    let broken = pool.not(holds);
                    goals.push((pool.and(state.guard, broken), Some(i)));
                }
            }
        }
        goals
    }

    /// Whether a step reaches one of `goals`, with its model in the session; rows that are too hard to tell are
    /// given up.
    fn find_violation(
        &mut self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        k: usize,
        goals: &[Goal],
    ) -> Result<bool, EngineError> {
        let fixed = self.hypothesis(cfa, k, None);
        let mut hard = Vec::new();
        let left = MAX_GIVEN_UP.saturating_sub(self.gave_up);
        let found = find_possible(cfa, session, &fixed, goals, &mut hard, left)?;
        self.gave_up += hard.len();
        for i in hard {
            self.slots[i].value = Abstract::Top;
        }
        if found.is_none() {
            self.give_up();
        }
        Ok(found == Some(true))
    }

    /// Says nothing any more.
    fn give_up(&mut self) {
        self.gave_up += 1;
        self.slots.iter_mut().for_each(|s| s.value = Abstract::Top);
        self.reached.values_mut().for_each(|r| *r = true);
    }

    #[allow(clippy::too_many_arguments)]
    fn grow_slot(
        &mut self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        k: usize,
        i: usize,
        value: &Value,
        guard: Term,
        e: Term,
    ) -> Result<(), EngineError> {
        let slot = &self.slots[i];
        let joined = slot.value.join(Abstract::of(&slot.row, value));
        if joined == slot.value {
            return Ok(());
        }
        let grown = slot.grown + 1;
        let joined = match (joined, slot.row.kind) {
            _ if grown > MAX_GROWTH && joined != Abstract::Holds => Abstract::Top,
            (Abstract::Bound(low), Kind::Bound { max }) => {
                let mut fixed = self.hypothesis(cfa, k, Some(i));
                fixed.push(guard);
                let search = Search {
                    fixed: &fixed,
                    e,
                    param: self.slots[i].params.value,
                    thresholds: &self.thresholds,
                };
                search.maximise(cfa, session, low, max)?
            }
            _ => joined,
        };
        self.slots[i].value = joined;
        self.slots[i].grown = grown;
        Ok(())
    }

    /// The invariants with the current values, as lists of statements; `None` for a head that is never
    /// reached.
    pub fn statements(&self, cfa: &mut Cfa) -> BTreeMap<Loc, Option<Vec<Term>>> {
        let pool = &mut cfa.program.pool;
        let mut result = BTreeMap::new();
        for (&head, slots) in &self.heads {
            let list = slots
                .iter()
                .map(|&i| self.slots[i].row.statement(pool, self.slots[i].value))
                .collect::<Vec<Term>>();
            let list = list
                .into_iter()
                .filter(|&t| pool.as_bool(t) != Some(true))
                .collect();
            result.insert(head, self.reached[&head].then_some(list));
        }
        result
    }

    /// The invariants with the current values.
    pub fn invariants(&self, cfa: &mut Cfa) -> Invariants {
        let statements = self.statements(cfa);
        let pool = &mut cfa.program.pool;
        statements
            .into_iter()
            .map(|(h, list)| match list {
                Some(list) => (h, pool.and_all(list)),
                None => (h, pool.fls()),
            })
            .collect()
    }
}

/// Whether one of `goals` is possible under `fixed`, with its model in the session. Rows for which the solver cannot
/// tell go to `hard`; `None` where there are more of them than `most`, or it is no row.
fn find_possible(
    cfa: &mut Cfa,
    session: &mut dyn SmtSession,
    fixed: &[Term],
    goals: &[Goal],
    hard: &mut Vec<usize>,
    most: usize,
) -> Result<Option<bool>, EngineError> {
    let mut parts = vec![goals];
    while let Some(part) = parts.pop() {
        let pool = &mut cfa.program.pool;
        let mut query = fixed.to_vec();
        query.push(pool.or_all(part.iter().map(|&(goal, _)| goal).collect::<Vec<_>>()));
        match (try_ask(session, pool, &query)?, part) {
            (Some(true), _) => return Ok(Some(true)),
            (Some(false), _) => {}
            (None, _) if hard.len() >= most => return Ok(None),
            (None, &[(_, Some(i))]) => hard.push(i),
            (None, [_, _, ..]) => {
                let (first, second) = part.split_at(part.len() / 2);
                parts.extend([second, first]);
            }
            (None, _) => return Ok(None),
        }
    }
    Ok(Some(false))
}

/// Whether a solver of bits finds `t` hard: it has products or quotients of variables.
fn is_hard(pool: &TermPool, t: Term) -> bool {
    pool.post_order([t]).into_iter().any(|u| match pool.op(u) {
        Op::BvMul | Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod => {
            pool.args(u).all(|a| !pool.is_const(a))
        }
        _ => false,
    })
}
