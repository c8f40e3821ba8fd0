//! Which candidates hold: the largest set of clauses that is inductive, found by dropping what a model breaks (Houdini, Flanagan and
//! Leino, FME'01), and of those the ones that a proof needs.
//!
//! All candidates are in one flat program, the modules of the program, each behind a selector: where the selector is true it is
//! assumed at calls and at heads, and has to hold where it is promised. Selectors never change, so one session answers all queries, and
//! dropping a candidate is an assertion.

use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use trellis_engine_common::induction::instantiate;
use trellis_engine_common::{Cfa, Induction, Unrolling, ask, go_on, in_words, try_ask};
use trellis_ivl::{Contracts, Edge, Loc, LocKind, Modules, Op, Program, Term, Type, Value, Var};
use trellis_plugin_sdk::{EngineError, Host};
use trellis_solver_api::smt::SmtSession;

/// Where a candidate belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// What a procedure requires.
    Requires(trellis_ivl::Proc),
    /// What it ensures.
    Ensures(trellis_ivl::Proc),
    /// What holds at a loop head.
    Head(Loc),
}

/// A candidate.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Where it belongs.
    pub claim: Claim,
    /// What it says, over the variables of the modules.
    pub term: Term,
}

/// Which candidates a proof needs, or the error that the inductive ones do not exclude.
pub enum Selected {
    /// By number.
    Proof(BTreeSet<usize>),
    /// The error or the reason of an incomplete location that is left.
    Left(String),
}

/// All queries about one set of candidates.
struct Selection<'a> {
    cfa: Cfa,
    session: &'a mut dyn SmtSession,
    /// The selector of each candidate.
    selectors: Vec<Term>,
    /// When a candidate is broken.
    broken: Vec<Vec<Term>>,
    /// Errors and incomplete locations of the program itself.
    errors: Vec<(Loc, Term)>,
    alive: BTreeSet<usize>,
    /// Whether a candidate is an equation, perhaps under a condition.
    says_equal: Vec<bool>,
}

/// What is kept of the candidates that are inductive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// What the proof needs.
    Needed,
    /// Everything that does not follow from the rest at its place: somebody else will ask more of the program.
    All,
}

/// Selects among `candidates`, whose terms live in the pool of `modules`; `session` must be fresh.
///
/// # Errors
/// When the solver gives up or it is time to stop.
pub fn select(
    mut modules: Modules,
    candidates: &[Candidate],
    keep: Keep,
    session: &mut dyn SmtSession,
    host: &mut dyn Host,
) -> Result<Selected, EngineError> {
    let span = trellis_ivl::Span::NONE;
    let vars: Vec<Var> = (0..candidates.len())
        .map(|_| modules.program.add_global("use", Type::Bool, span))
        .collect();
    let pool = &mut modules.program.pool;
    let selectors: Vec<Term> = vars.iter().map(|&v| pool.var(v)).collect();
    let mut contracts = Contracts::new();
    let mut at_heads: BTreeMap<Loc, Vec<usize>> = BTreeMap::new();
    for (i, c) in candidates.iter().enumerate() {
        let clause = pool.implies(selectors[i], c.term);
        match c.claim {
            Claim::Requires(p) => contracts.entry(p).or_default().requires.push(clause),
            Claim::Ensures(p) => contracts.entry(p).or_default().ensures.push(clause),
            Claim::Head(l) => at_heads.entry(l).or_default().push(i),
        }
    }
    let flat = modules
        .expand(&contracts)
        .map_err(|e| EngineError::Internal(e.to_string()))?;
    let of_var: FxHashMap<Var, usize> = vars.iter().copied().zip(0..).collect();
    let cfa = Cfa::new(&flat, session, host)?;
    let equal = |t: Term| cfa.program.pool.op(t) == Op::Eq;
    let says_equal = |c: &Candidate| cfa.program.pool.operands(Op::Or, [c.term]).any(equal);
    let mut selection = Selection {
        says_equal: candidates.iter().map(says_equal).collect(),
        broken: vec![Vec::new(); candidates.len()],
        alive: (0..candidates.len()).collect(),
        errors: Vec::new(),
        selectors,
        session,
        cfa,
    };
    selection.unroll(&of_var, &at_heads, candidates, host)?;
    selection.drop_broken(host)?;
    match (selection.proof(keep, host)?, keep) {
        (Selected::Proof(_), Keep::All) => selection.independent(candidates, host),
        (selected, _) => Ok(selected),
    }
}

/// The candidate whose breach the edges into an error location ask for, if any.
fn candidate_of(program: &Program, error: Loc, of_var: &FxHashMap<Var, usize>) -> Option<usize> {
    let into = |e: &Edge| program.edges[*e].to == error;
    let edge = program.edges.keys().find(into)?;
    let terms = program.cmds.terms(program.edge_cmd(edge)?);
    let mentioned = program.pool.free_vars(terms);
    mentioned.iter().find_map(|v| of_var.get(v).copied())
}

impl Selection<'_> {
    /// One segment from the entry and one from any head: what may be reached on it, and which candidates would be broken.
    fn unroll(
        &mut self,
        of_var: &FxHashMap<Var, usize>,
        at_heads: &BTreeMap<Loc, Vec<usize>>,
        candidates: &[Candidate],
        host: &mut dyn Host,
    ) -> Result<(), EngineError> {
        let mut of_error: BTreeMap<Loc, usize> = BTreeMap::new();
        for (l, data) in self.cfa.program.locs.iter() {
            if matches!(data.kind, LocKind::Error(_))
                && let Some(i) = candidate_of(&self.cfa.program, l, of_var)
            {
                of_error.insert(l, i);
            }
        }
        let mut unrollings = vec![Unrolling::from_entry(&mut self.cfa)];
        if !self.cfa.heads().is_empty() {
            unrollings.push(Induction::new(&mut self.cfa).unrolling);
        }
        for mut unrolling in unrollings {
            unrolling.extend(&mut self.cfa, self.session, host)?;
            self.bind(&unrolling, of_var)?;
            self.assume_heads(&unrolling, at_heads, candidates)?;
            for (&l, &guard) in unrolling.targets(1) {
                match of_error.get(&l) {
                    Some(&i) => self.broken[i].push(guard),
                    None => self.errors.push((l, guard)),
                }
            }
            for (head, list) in at_heads {
                let Some(state) = unrolling.front(1).get(head) else {
                    continue;
                };
                for &i in list {
                    let pool = &mut self.cfa.program.pool;
                    let here = instantiate(pool, &state.env, candidates[i].term);
                    let not = pool.not(here);
                    let broken = pool.and_all([self.selectors[i], state.guard, not]);
                    self.broken[i].push(broken);
                }
            }
        }
        // A fact about what is not followed to a head cannot be shown there.
        for (head, list) in at_heads {
            for &i in list {
                if !self.cfa.is_head(*head) || !self.cfa.can_say(*head, candidates[i].term) {
                    self.discard(i)?;
                }
            }
        }
        Ok(())
    }

    /// Selectors are the same wherever an unrolling begins.
    fn bind(
        &mut self,
        unrolling: &Unrolling,
        of_var: &FxHashMap<Var, usize>,
    ) -> Result<(), EngineError> {
        for (v, &symbol) in unrolling.start() {
            if let Some(&i) = of_var.get(v) {
                let same = self.cfa.program.pool.eq(symbol, self.selectors[i]);
                self.session.assert(&self.cfa.program.pool, same)?;
            }
        }
        Ok(())
    }

    /// Where an unrolling begins at heads, what is selected holds there.
    fn assume_heads(
        &mut self,
        unrolling: &Unrolling,
        at_heads: &BTreeMap<Loc, Vec<usize>>,
        candidates: &[Candidate],
    ) -> Result<(), EngineError> {
        for (head, list) in at_heads {
            let Some(state) = unrolling.front(0).get(head) else {
                continue;
            };
            for &i in list {
                let pool = &mut self.cfa.program.pool;
                let here = instantiate(pool, &state.env, candidates[i].term);
                let holds = pool.implies(state.guard, here);
                let selected = pool.implies(self.selectors[i], holds);
                self.session.assert(pool, selected)?;
            }
        }
        Ok(())
    }

    fn discard(&mut self, i: usize) -> Result<(), EngineError> {
        if self.alive.remove(&i) {
            let not = self.cfa.program.pool.not(self.selectors[i]);
            self.session.assert(&self.cfa.program.pool, not)?;
        }
        Ok(())
    }

    fn selected(&self) -> Vec<Term> {
        self.alive.iter().map(|&i| self.selectors[i]).collect()
    }

    /// Drops what models break, until nothing that is left can be broken.
    fn drop_broken(&mut self, host: &mut dyn Host) -> Result<(), EngineError> {
        self.session.set_kind("houdini");
        loop {
            go_on(host)?;
            let alive: Vec<usize> = self.alive.iter().copied().collect();
            let all: Vec<Term> = alive.iter().flat_map(|&i| self.broken[i].clone()).collect();
            let some = self.cfa.program.pool.or_all(all);
            let mut query = self.selected();
            query.push(some);
            if !ask(self.session, &self.cfa.program.pool, &query)? {
                return Ok(());
            }
            let mut dropped = Vec::new();
            for &i in &alive {
                for &t in &self.broken[i] {
                    if self.session.value(&self.cfa.program.pool, t)? == Value::Bool(true) {
                        dropped.push(i);
                        break;
                    }
                }
            }
            if dropped.is_empty() {
                let why = "a model breaks candidates, but none of them";
                return Err(EngineError::Internal(why.into()));
            }
            host.progress("candidates", (alive.len() - dropped.len()) as u64);
            for i in dropped {
                self.discard(i)?;
            }
        }
    }

    /// Whether errors are out of reach, and by which candidates: those in the cores of the answer, and of what shows
    /// these in turn.
    fn proof(&mut self, keep: Keep, host: &mut dyn Host) -> Result<Selected, EngineError> {
        self.session.set_kind("errors");
        let mut needed: BTreeSet<usize> = BTreeSet::new();
        let mut work: Vec<usize> = Vec::new();
        for (l, guard) in self.errors.clone() {
            go_on(host)?;
            match self.core(guard)? {
                Some(core) => work.extend(core),
                None => {
                    return Ok(Selected::Left(in_words(&self.cfa.program, l)));
                }
            }
        }
        if keep == Keep::All {
            return Ok(Selected::Proof(needed));
        }
        while let Some(i) = work.pop() {
            if !needed.insert(i) {
                continue;
            }
            go_on(host)?;
            for t in self.broken[i].clone() {
                let Some(core) = self.core(t)? else {
                    let why = "a candidate that was inductive is not";
                    return Err(EngineError::Internal(why.into()));
                };
                work.extend(core);
            }
        }
        self.shrink(needed, host).map(Selected::Proof)
    }

    /// What is inductive, without clauses that follow from the others at the same place. Equations stay where there is a choice.
    fn independent(
        &mut self,
        candidates: &[Candidate],
        host: &mut dyn Host,
    ) -> Result<Selected, EngineError> {
        self.session.set_kind("independent");
        let mut kept = self.alive.clone();
        let mut order: Vec<usize> = kept.iter().copied().collect();
        order.sort_by_key(|&i| (self.says_equal[i], std::cmp::Reverse(i)));
        for i in order {
            go_on(host)?;
            let here = |&j: &usize| j != i && candidates[j].claim == candidates[i].claim;
            let others = kept.iter().copied().filter(here);
            let mut query: Vec<Term> = others.map(|j| candidates[j].term).collect();
            query.push(self.cfa.program.pool.not(candidates[i].term));
            if try_ask(self.session, &self.cfa.program.pool, &query)? == Some(false) {
                kept.remove(&i);
            }
        }
        Ok(Selected::Proof(kept))
    }

    /// Leaves out one clause after the other as long as the rest is a proof: what people read is worth a few queries. Equations
    /// say more than comparisons, and stay.
    fn shrink(
        &mut self,
        mut needed: BTreeSet<usize>,
        host: &mut dyn Host,
    ) -> Result<BTreeSet<usize>, EngineError> {
        self.session.set_kind("shrink");
        let mut order: Vec<usize> = needed.iter().copied().collect();
        order.sort_by_key(|&i| (self.says_equal[i], std::cmp::Reverse(i)));
        for i in order {
            go_on(host)?;
            needed.remove(&i);
            let mut bad: Vec<Term> = self.errors.iter().map(|&(_, t)| t).collect();
            bad.extend(needed.iter().flat_map(|&j| self.broken[j].clone()));
            let some = self.cfa.program.pool.or_all(bad);
            let mut query: Vec<Term> = needed.iter().map(|&j| self.selectors[j]).collect();
            query.push(some);
            if ask(self.session, &self.cfa.program.pool, &query)? {
                needed.insert(i);
            }
        }
        Ok(needed)
    }

    /// The candidates that make `t` impossible; `None` where it is possible.
    fn core(&mut self, t: Term) -> Result<Option<Vec<usize>>, EngineError> {
        let mut query = self.selected();
        query.push(t);
        if self.cfa.program.pool.as_bool(t) == Some(false) {
            return Ok(Some(Vec::new()));
        }
        if ask(self.session, &self.cfa.program.pool, &query)? {
            return Ok(None);
        }
        let core: BTreeSet<Term> = self.session.unsat_core()?.into_iter().collect();
        let in_core = |&i: &usize| core.contains(&self.selectors[i]);
        Ok(Some(self.alive.iter().copied().filter(in_core).collect()))
    }
}
