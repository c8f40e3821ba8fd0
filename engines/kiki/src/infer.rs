//! The k-inductive invariant of a template, by strategy iteration with binary search.
//!
//! After 2LS (Sect. 5.1.2 and 6.1). Values start from what the first k visits of the base case need and grow
//! until the step preserves them. A row of a finite kind grows by joining models (model enumeration). A bound
//! grows to the largest d such that some step leads from states within d to one at d or above, found by
//! binary search: the effort does not depend on the number of iterations. (Differing from 2LS, one row at a
//! time instead of the sum of all rows that grow; the search begins with the largest value, which ends it for rows
//! that are lost, goes on with the least, and prefers values near the constants of the program.) A query that
//! uses up its conflicts costs the row, or all rows where it is the check itself.
//!
//! The solver sees each row once per layer, with symbols for its parameters; queries choose values by
//! assumptions, so growing values encode nothing but comparisons of a symbol with a constant.

use crate::domain::Domain;
use crate::related::Related;
use crate::row::{Abstract, Kind, Params, Row, number, vector};
use std::collections::BTreeMap;
use trellis_engine_common::{Base, Cfa, EngineError, Induction, Invariants, State, try_ask};
use trellis_ivl::{Loc, Term, Type, Value};
use trellis_solver_api::smt::SmtSession;

/// A row that has grown this often is given up: the acceleration does not fit it.
const MAX_GROWTH: u32 = 10;

struct Slot {
    row: Row,
    params: Params,
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
    /// Rows left out because there were more than the limit.
    pub omitted: usize,
}

impl Template {
    /// The product of `domains` for all heads, with at most `max_rows` rows per head.
    pub fn new(
        cfa: &mut Cfa,
        related: &Related,
        domains: &[Box<dyn Domain>],
        max_rows: usize,
    ) -> Template {
        let mut template = Template {
            slots: Vec::new(),
            heads: BTreeMap::new(),
            base_reached: BTreeMap::new(),
            reached: BTreeMap::new(),
            absent: BTreeMap::new(),
            layers: Vec::new(),
            base_layers: 0,
            thresholds: related.thresholds(),
            omitted: 0,
        };
        for head in cfa.heads().to_vec() {
            let mut rows: Vec<Row> = Vec::new();
            for d in domains {
                for row in d.rows(cfa, related, head) {
                    if !rows
                        .iter()
                        .any(|r| (r.expr, r.kind) == (row.expr, row.kind))
                    {
                        rows.push(row);
                    }
                }
            }
            template.omitted += rows.len().saturating_sub(max_rows);
            rows.truncate(max_rows);
            let from = template.slots.len();
            for row in rows {
                template.slots.push(Slot {
                    params: Params::new(&mut cfa.program.pool, &row),
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
        template
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.slots.len()
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
        for slot in &mut self.slots {
            slot.value = slot.base;
            slot.grown = 0;
        }
        session.set_kind("template step");
        self.encode_layers(cfa, session, step, k)?;
        while self.grow(cfa, session, step, k)? {}
        Ok(())
    }

    /// Joins the states of one visit in the base case.
    fn cover_base(
        &mut self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        head: Loc,
        state: &State,
    ) -> Result<(), EngineError> {
        let slots = self.heads[&head].clone();
        let reached = self.base_reached[&head];
        let mut exprs = Vec::with_capacity(slots.len());
        for &i in &slots {
            exprs.push(self.slots[i].row.at(&mut cfa.program.pool, &state.env));
        }
        let mut first = !reached;
        loop {
            let pool = &mut cfa.program.pool;
            let mut broken = Vec::new();
            for (&i, &e) in slots.iter().zip(&exprs) {
                let slot = &self.slots[i];
                if !first && slot.base != Abstract::Top {
                    let about = Row {
                        expr: e,
                        ..slot.row.clone()
                    };
                    let holds = about.statement(pool, slot.base);
                    broken.push(pool.not(holds));
                }
            }
            let any = if first {
                pool.tru()
            } else {
                pool.or_all(broken)
            };
            match try_ask(session, pool, &[state.guard, any])? {
                Some(true) => {}
                Some(false) => return Ok(()),
                None => {
                    slots
                        .iter()
                        .for_each(|&i| self.slots[i].base = Abstract::Top);
                    self.base_reached.insert(head, true);
                    return Ok(());
                }
            }
            let mut values = Vec::with_capacity(slots.len());
            for &e in &exprs {
                values.push(session.value(&cfa.program.pool, e)?);
            }
            for ((&i, &e), value) in slots.iter().zip(&exprs).zip(&values) {
                let slot = &self.slots[i];
                let seen = Abstract::of(&slot.row, value);
                let joined = if first { seen } else { slot.base.join(seen) };
                if joined == slot.base && !first {
                    continue;
                }
                let joined = match (joined, slot.row.kind) {
                    (Abstract::Bound(low), Kind::Bound { max }) => {
                        let search = Search {
                            fixed: &[state.guard],
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
            if first {
                self.base_reached.insert(head, true);
                first = false;
            }
        }
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
        let mut query = self.hypothesis(cfa, k, None);
        let pool = &mut cfa.program.pool;
        let mut broken = Vec::new();
        for (head, state) in front {
            let mut here = Vec::new();
            for &i in &self.heads[head] {
                let slot = &self.slots[i];
                if slot.value != Abstract::Top {
                    let e = slot.row.at(pool, &state.env);
                    let holds = slot.params.statement(pool, e);
                    here.push(pool.not(holds));
                }
            }
            let violated = if self.reached[head] {
                pool.or_all(here)
            } else {
                pool.tru()
            };
            broken.push(pool.and(state.guard, violated));
        }
        query.push(pool.or_all(broken));
        match try_ask(session, pool, &query)? {
            Some(true) => {}
            Some(false) => return Ok(false),
            None => {
                self.give_up();
                return Ok(false);
            }
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

    /// Says nothing any more.
    fn give_up(&mut self) {
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

/// What is searched for: the largest value of `e` under `fixed`. With `param`, hypotheses in `fixed` bound
/// `e` before the step by `param`, and `e` must reach `param` after it.
struct Search<'a> {
    fixed: &'a [Term],
    e: Term,
    param: Option<Term>,
    /// Where to look first: values near the constants of the program, ascending.
    thresholds: &'a [i128],
}

impl Search<'_> {
    /// The largest value, at least `low`; `max` itself says nothing. Also nothing where the solver gives up.
    fn maximise(
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
