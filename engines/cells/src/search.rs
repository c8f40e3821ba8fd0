//! Houdini: the largest set of candidates that is inductive, and what of it a proof needs.

use crate::plugin::Options;
use crate::rows::{Row, Rows};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use trellis_engine_common::induction::{Targets, conjunctions, instantiate, reached};
use trellis_engine_common::{Cfa, Induction, State, Unrolling, affine, go_on, trim, try_ask};
use trellis_ivl::{Loc, Term, Type, Value, Var};
use trellis_plugin_sdk::{Certificate, EngineError, Host};
use trellis_solver_api::Limits;
use trellis_solver_api::smt::SmtSession;

/// A candidate at a head.
#[derive(Clone)]
struct Candidate {
    head: Loc,
    /// The number of its row, where it is one.
    row: Option<usize>,
    fact: Term,
    /// The symbol that makes it a hypothesis.
    assumed: Term,
    /// When a segment from the entry breaks it.
    at_first: Term,
    /// When a segment from a head does.
    broken: Term,
    /// Whether it is known that no segment from the entry breaks it.
    holds_first: bool,
}

/// The states at a head, before and after a segment.
struct Visits {
    head: Loc,
    /// After a segment from the entry, or at the entry.
    first: Vec<State>,
    before: Option<State>,
    after: Option<State>,
    /// Values at which facts are used, by width.
    values: BTreeMap<u32, Vec<Term>>,
}

/// The rows of a head that are no candidates yet.
struct Waiting {
    visits: Visits,
    rows: Vec<(Term, Vec<usize>)>,
    /// By number of the row.
    states: Vec<RowState>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum RowState {
    Waits,
    Stands,
    Fell,
}

/// The search for facts.
pub struct Search {
    ghosts: Vec<Var>,
    values: Vec<Term>,
    /// Those that still stand.
    candidates: Vec<Candidate>,
    /// Those that wait until what says the same of more cells has fallen, by head.
    waiting: BTreeMap<Loc, Waiting>,
    /// All that were ever tried.
    all: Vec<Candidate>,
    base: Unrolling,
    step: Induction,
    /// When a segment from the entry reaches an error or incomplete location.
    first_targets: Term,
    /// When a segment from a head does.
    targets: Term,
    conflicts: u64,
    /// Whether what stands is inductive.
    weakened: bool,
}

impl Search {
    /// Encodes one segment from the entry and one from any head, and the candidates at both ends.
    ///
    /// # Errors
    /// When the solver fails or it is time to stop.
    pub fn new(
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        host: &mut dyn Host,
        rows: &Rows,
        options: &Options,
    ) -> Result<Search, EngineError> {
        let mut base = Unrolling::from_entry(cfa);
        base.extend(cfa, session, host)?;
        let mut step = Induction::new(cfa);
        step.extend_to(cfa, session, host, 1)?;
        let mut search = Search {
            ghosts: rows.ghosts(),
            values: Vec::new(),
            candidates: Vec::new(),
            waiting: BTreeMap::new(),
            all: Vec::new(),
            first_targets: reached(cfa, &base, 1, Targets::All),
            targets: reached(cfa, &step.unrolling, 1, Targets::All),
            conflicts: options.conflicts,
            weakened: false,
            base,
            step,
        };
        let at_most = options.max_values as usize;
        for (&head, list) in &rows.by_head {
            let values = search.values_at(cfa, head, rows, at_most);
            let visits = search.visits(head, values);
            let state = |r: &Row| match r.stands {
                true => RowState::Waits,
                false => RowState::Fell,
            };
            let waiting = Waiting {
                visits,
                states: list.iter().map(state).collect(),
                rows: list.iter().map(|r| (r.fact, r.stronger.clone())).collect(),
            };
            search.waiting.insert(head, waiting);
        }
        Ok(search)
    }

    /// Makes candidates of the rows that wait for nothing any more; whether there are such. At once when what they waited for falls: then
    /// what a model breaks would be broken with them in its place as well, and no fact is lost for want of them.
    fn admit(
        &mut self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        host: &mut dyn Host,
    ) -> Result<bool, EngineError> {
        let mut new = false;
        let mut waiting = std::mem::take(&mut self.waiting);
        for w in waiting.values_mut() {
            for (i, (fact, stronger)) in w.rows.iter().enumerate() {
                let fell = |j: &usize| w.states[*j] == RowState::Fell;
                if w.states[i] != RowState::Waits || !stronger.iter().all(fell) {
                    continue;
                }
                go_on(host)?;
                w.states[i] = RowState::Stands;
                self.add(cfa, session, &w.visits, *fact, Some(i))?;
                self.all.extend(self.candidates.last().cloned());
                new = true;
            }
        }
        self.waiting = waiting;
        Ok(new)
    }

    fn fell(&mut self, c: &Candidate) {
        if let (Some(i), Some(w)) = (c.row, self.waiting.get_mut(&c.head)) {
            w.states[i] = RowState::Fell;
        }
    }

    fn visits(&self, head: Loc, values: BTreeMap<u32, Vec<Term>>) -> Visits {
        let first = [self.base.front(0), self.base.front(1)];
        let step = &self.step.unrolling;
        Visits {
            head,
            first: first.iter().filter_map(|f| f.get(&head).cloned()).collect(),
            before: step.front(0).get(&head).cloned(),
            after: step.front(1).get(&head).cloned(),
            values,
        }
    }

    /// Adds the linear equations that hold of scalars, given what stands of the candidates; whether there are new ones. Then all candidates are tried once
    /// more: some may have lacked nothing else.
    ///
    /// # Errors
    /// When the solver fails or it is time to stop.
    pub fn equate(
        &mut self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        host: &mut dyn Host,
    ) -> Result<bool, EngineError> {
        go_on(host)?;
        let given: Vec<Term> = match self.weakened {
            true => self.candidates.iter().map(|c| c.assumed).collect(),
            false => Vec::new(),
        };
        session.set_limits(Limits::conflicts(self.conflicts));
        let found = affine::infer(cfa, session, &self.base, &self.step, &given, true);
        session.set_limits(Limits::NONE);
        let mut new = false;
        for (head, fact) in found?.into_iter().flatten() {
            let known = |c: &Candidate| c.head == head && c.fact == fact;
            if cfa.program.pool.as_bool(fact).is_some() || self.all.iter().any(known) {
                continue;
            }
            let before = self.candidates.len();
            let visits = self.visits(head, BTreeMap::new());
            self.add(cfa, session, &visits, fact, None)?;
            self.all.extend_from_slice(&self.candidates[before..]);
            new = true;
        }
        if new {
            self.candidates.clone_from(&self.all);
        }
        Ok(new)
    }

    /// Values at `head` by width, the ghosts first.
    fn values_at(
        &mut self,
        cfa: &mut Cfa,
        head: Loc,
        rows: &Rows,
        at_most: usize,
    ) -> BTreeMap<u32, Vec<Term>> {
        let mut values: BTreeMap<u32, Vec<Term>> = BTreeMap::new();
        for (&width, list) in &rows.values {
            let here: Vec<Term> = list
                .iter()
                .copied()
                .filter(|&t| cfa.can_say(head, t))
                .take(at_most)
                .collect();
            for &t in &here {
                if !self.values.contains(&t) {
                    self.values.push(t);
                }
            }
            values.insert(width, here);
        }
        values
    }

    fn add(
        &mut self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        visits: &Visits,
        fact: Term,
        row: Option<usize>,
    ) -> Result<(), EngineError> {
        let pool = &mut cfa.program.pool;
        let symbol = pool.fresh("assumed", Type::Bool);
        let assumed = pool.var(symbol);
        if let Some(state) = &visits.before {
            let used = pool.and(assumed, state.guard);
            let ghost = self
                .ghosts
                .iter()
                .copied()
                .find(|g| pool.free_vars([fact]).contains(g));
            let mut facts = vec![fact];
            if let Some(g) = ghost {
                let width = pool.var_ty(g).width().unwrap_or(0);
                for &value in visits.values.get(&width).into_iter().flatten() {
                    facts.push(pool.substitute(fact, &FxHashMap::from_iter([(g, value)])));
                }
            }
            for fact in facts {
                let here = instantiate(pool, &state.env, fact);
                let clause = pool.implies(used, here);
                session.assert(pool, clause)?;
            }
        }
        let mut fails = |state: &State| {
            let here = instantiate(pool, &state.env, fact);
            let fails = pool.not(here);
            pool.and(state.guard, fails)
        };
        let first: Vec<Term> = visits.first.iter().map(&mut fails).collect();
        let after: Vec<Term> = visits.after.iter().map(&mut fails).collect();
        self.candidates.push(Candidate {
            head: visits.head,
            row,
            fact,
            assumed,
            at_first: pool.or_all(first),
            broken: pool.or_all(after),
            holds_first: false,
        });
        Ok(())
    }

    /// What stands, by head.
    pub fn facts(&self) -> Vec<(Loc, Term)> {
        self.candidates.iter().map(|c| (c.head, c.fact)).collect()
    }

    /// Number of candidates that stand.
    pub fn candidates(&self) -> usize {
        self.candidates.len()
    }

    /// Drops candidates until those that are left are inductive.
    ///
    /// # Errors
    /// When the solver fails or it is time to stop.
    pub fn weaken(
        &mut self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        host: &mut dyn Host,
    ) -> Result<(), EngineError> {
        session.set_kind("houdini");
        session.set_limits(Limits::conflicts(self.conflicts));
        self.admit(cfa, session, host)?;
        loop {
            self.weaken_first(cfa, session, host)?;
            go_on(host)?;
            host.progress("candidates", self.candidates.len() as u64);
            let broken: Vec<Term> = self.candidates.iter().map(|c| c.broken).collect();
            let goal = cfa.program.pool.or_all(broken);
            let mut query = vec![goal];
            query.extend(self.candidates.iter().map(|c| c.assumed));
            match try_ask(session, &cfa.program.pool, &query)? {
                Some(false) => break,
                Some(true) => self.drop_where(cfa, session, host, |c| c.broken)?,
                None => self.one_by_one(cfa, session, host)?,
            }
            self.admit(cfa, session, host)?;
        }
        session.set_limits(Limits::NONE);
        self.weakened = true;
        Ok(())
    }

    /// Drops what does not hold at the first visits. Without hypotheses: candidates may exclude one another, and whoever assumed
    /// them all could show anything.
    fn weaken_first(
        &mut self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        host: &mut dyn Host,
    ) -> Result<(), EngineError> {
        loop {
            go_on(host)?;
            let new = self.candidates.iter().filter(|c| !c.holds_first);
            let first: Vec<Term> = new.map(|c| c.at_first).collect();
            let goal = cfa.program.pool.or_all(first);
            match try_ask(session, &cfa.program.pool, &[goal])? {
                Some(false) => {
                    for c in &mut self.candidates {
                        c.holds_first = true;
                    }
                    return Ok(());
                }
                Some(true) => self.drop_where(cfa, session, host, |c| c.at_first)?,
                None => return Err(EngineError::Limit("the first visits are too hard".into())),
            }
            self.admit(cfa, session, host)?;
        }
    }

    /// Drops the candidates that the model breaks.
    fn drop_where(
        &mut self,
        cfa: &Cfa,
        session: &mut dyn SmtSession,
        host: &dyn Host,
        when: impl Fn(&Candidate) -> Term,
    ) -> Result<(), EngineError> {
        let pool = &cfa.program.pool;
        let mut kept = Vec::with_capacity(self.candidates.len());
        for c in std::mem::take(&mut self.candidates) {
            go_on(host)?;
            match session.value(pool, when(&c))? {
                Value::Bool(true) => self.fell(&c),
                _ => kept.push(c),
            }
        }
        self.candidates = kept;
        Ok(())
    }

    /// All at once is too hard: each alone, and what is too hard alone is dropped.
    fn one_by_one(
        &mut self,
        cfa: &Cfa,
        session: &mut dyn SmtSession,
        host: &mut dyn Host,
    ) -> Result<(), EngineError> {
        let mut i = 0;
        while i < self.candidates.len() {
            go_on(host)?;
            let mut query = vec![self.candidates[i].broken];
            query.extend(self.candidates.iter().map(|c| c.assumed));
            match try_ask(session, &cfa.program.pool, &query)? {
                Some(false) => i += 1,
                Some(true) => self.drop_where(cfa, session, host, |c| c.broken)?,
                None => {
                    let c = self.candidates.remove(i);
                    self.fell(&c);
                }
            }
        }
        Ok(())
    }

    /// A certificate of as few facts as suffice, if all of them do.
    ///
    /// # Errors
    /// When the solver fails or it is time to stop.
    pub fn proof(
        &mut self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        host: &mut dyn Host,
    ) -> Result<Option<Certificate>, EngineError> {
        session.set_kind("proof");
        if try_ask(session, &cfa.program.pool, &[self.first_targets])? != Some(false) {
            return Ok(None);
        }
        let assumed: Vec<Term> = self.candidates.iter().map(|c| c.assumed).collect();
        let needed = trim::needed(cfa, session, &assumed, self.targets, |cfa, new| {
            go_on(host)?;
            let broken = new.iter().map(|&i| self.candidates[i].broken);
            Ok(cfa.program.pool.or_all(broken.collect::<Vec<_>>()))
        })?;
        let Some(needed) = needed else {
            return Ok(None);
        };
        let mut by_head: BTreeMap<Loc, Vec<Term>> = BTreeMap::new();
        for i in needed {
            let c = &self.candidates[i];
            by_head.entry(c.head).or_default().push(c.fact);
        }
        let invariants = conjunctions(cfa, &by_head);
        let mut certificate = Certificate::inductive(1, invariants).for_all(self.ghosts.clone());
        certificate.hints = self.values.clone();
        Ok(Some(certificate))
    }
}
