//! Why a path cannot be taken: a formula between each two edges, implied by what is before it, refuting what is
//! after it.
//!
//! As sequence interpolants by models and cores (Chockler, Ivrii, Matsliah, "Computing Interpolants without Proofs",
//! HVC 2012): while the last interpolant and the next edge have a model that no cube covers, the literals that hold in it
//! are tried against the edges to come, and a small core of them is the next cube. Ours differ in the literals: not
//! bits but predicates, those in use first, then those the program suggests, then weakest preconditions, then
//! templates; a group is asked only when those before it do not suffice. So refinement speaks of few predicates,
//! again and again of the same. Where predicates do not suffice, the solver's own interpolants do.
//!
//! Each interpolant is computed from the one before it, so that the sequence is inductive however each was found.

use super::atoms::atoms;
use super::core::refuting;
use super::path::{Path, Ssa};
use super::vocabulary::{Sources, Vocabulary, templates};
use crate::ask::ask;
use crate::cfa::Cfa;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use trellis_ivl::walk::Substitution;
use trellis_ivl::{Evaluator, Loc, Term, TermPool, Type, Value, Var};
use trellis_plugin_sdk::EngineError;
use trellis_plugin_sdk::option_enum;
use trellis_solver_api::smt::SmtSession;
use trellis_solver_api::{Capabilities, SolverError, UnknownReason};

/// Cubes of one interpolant before the solver is asked for one.
const MAX_CUBES: usize = 40;
/// Cubes of one interpolant where the solver has none.
const MOST_CUBES: usize = 400;
/// Weakest preconditions that are considered at one place.
const MAX_WP: usize = 80;

option_enum! {
    /// Who makes interpolants.
    pub enum Source {
        /// Predicates, models and cores; the solver where they do not suffice.
        Predicates = "predicates",
        /// The solver: its own, or those that the host adds to any solver.
        Solver = "solver",
    }
}

/// A disjunction of cubes over the variables of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interpolant {
    /// Conjunctions of literals.
    pub cubes: Vec<Vec<Term>>,
}

impl Interpolant {
    /// True.
    pub fn tru() -> Interpolant {
        Interpolant {
            cubes: vec![Vec::new()],
        }
    }

    /// False.
    pub fn fls() -> Interpolant {
        Interpolant { cubes: Vec::new() }
    }

    /// Whether it is the constant true.
    pub fn is_true(&self) -> bool {
        self.cubes.iter().any(Vec::is_empty)
    }

    /// Whether it is the constant false.
    pub fn is_false(&self) -> bool {
        self.cubes.is_empty()
    }

    /// The formula.
    pub fn term(&self, pool: &mut TermPool) -> Term {
        let cubes: Vec<Term> = self
            .cubes
            .iter()
            .map(|cube| pool.and_all(cube.iter().copied()))
            .collect();
        pool.or_all(cubes)
    }

    /// Its atoms, by number.
    pub fn atoms(&self, pool: &mut TermPool) -> Vec<Term> {
        let literals: Vec<Term> = self.cubes.iter().flatten().copied().collect();
        let mut all: Vec<Term> = literals.into_iter().flat_map(|t| atoms(pool, t)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// The making of sequences.
pub struct Interpolation<'a> {
    /// The program.
    pub cfa: &'a mut Cfa,
    /// Its solver.
    pub session: &'a mut dyn SmtSession,
    /// What the program suggests.
    pub vocabulary: &'a Vocabulary,
    /// Which predicates are tried.
    pub sources: Sources,
    /// Who makes interpolants.
    pub source: Source,
    /// The symbols of paths.
    pub ssa: &'a Ssa,
    /// Atoms in use by location.
    pub in_use: &'a BTreeMap<Loc, Vec<Term>>,
}

/// One place between two edges.
struct Cut<'p> {
    path: &'p Path,
    at: usize,
    last: &'p Interpolant,
    past: Vec<Term>,
    future: Vec<Term>,
    /// Variables whose values matter, sorted.
    vars: Vec<Var>,
    /// From variables to symbols and back.
    to_symbols: FxHashMap<Var, Term>,
    to_vars: FxHashMap<Var, Term>,
}

impl Interpolation<'_> {
    /// Interpolants before the first edge, between each two, and after the last, of a path that cannot be taken because
    /// of `core`; `None` where neither predicates nor the solver have one.
    pub fn sequence(
        &mut self,
        path: &Path,
        core: &[Term],
    ) -> Result<Option<Vec<Interpolant>>, EngineError> {
        self.session.set_kind("interpolation");
        let relevant: Vec<Vec<Term>> = path
            .parts
            .iter()
            .map(|part| {
                let part = part.iter().copied();
                part.filter(|t| core.binary_search(t).is_ok()).collect()
            })
            .collect();
        let mut suggested: Option<Vec<Vec<Term>>> = None;
        let mut sequence = vec![Interpolant::tru()];
        for at in 1..path.edges.len() {
            let last = &sequence[at - 1];
            let next = if last.is_false() || relevant[at - 1].is_empty() {
                last.clone()
            } else {
                let cut = self.cut(path, &relevant, at, last);
                match self.between(&cut, &relevant, &mut suggested)? {
                    Some(next) => next,
                    None => return Ok(None),
                }
            };
            sequence.push(next);
        }
        sequence.push(Interpolant::fls());
        Ok(Some(sequence))
    }

    fn cut<'p>(
        &mut self,
        path: &'p Path,
        relevant: &[Vec<Term>],
        at: usize,
        last: &'p Interpolant,
    ) -> Cut<'p> {
        let pool = &mut self.cfa.program.pool;
        let before = last.term(pool);
        let mut past = vec![pool.substitute(before, &path.names[at - 1])];
        past.extend(&relevant[at - 1]);
        past.retain(|&t| pool.as_bool(t) != Some(true));
        let future: Vec<Term> = relevant[at..].iter().flatten().copied().collect();
        let mut common = pool.free_vars(past.iter().copied());
        let after = pool.free_vars(future.iter().copied());
        common.retain(|v| after.binary_search(v).is_ok());
        let mut vars = Vec::with_capacity(common.len());
        let (mut to_symbols, mut to_vars) = (FxHashMap::default(), FxHashMap::default());
        for symbol in common {
            let v = self.ssa.origin(symbol);
            vars.push(v);
            to_symbols.insert(v, pool.var(symbol));
            to_vars.insert(symbol, pool.var(v));
        }
        vars.sort_unstable();
        Cut {
            path,
            at,
            last,
            past,
            future,
            vars,
            to_symbols,
            to_vars,
        }
    }

    fn between(
        &mut self,
        cut: &Cut<'_>,
        relevant: &[Vec<Term>],
        suggested: &mut Option<Vec<Vec<Term>>>,
    ) -> Result<Option<Interpolant>, EngineError> {
        if cut.vars.is_empty() {
            let possible = ask(self.session, &self.cfa.program.pool, &cut.past)?;
            return Ok(Some(if possible {
                Interpolant::tru()
            } else {
                Interpolant::fls()
            }));
        }
        let by_predicates = match self.source {
            Source::Predicates => self.by_predicates(cut, relevant, suggested, MAX_CUBES)?,
            Source::Solver => None,
        };
        if by_predicates.is_some() {
            return Ok(by_predicates);
        }
        match self.by_solver(cut)? {
            Some(found) => Ok(Some(found)),
            None => self.by_predicates(cut, relevant, suggested, MOST_CUBES),
        }
    }

    /// An interpolant of the solver, over the variables of the program.
    fn by_solver(&mut self, cut: &Cut<'_>) -> Result<Option<Interpolant>, EngineError> {
        let can = self.session.capabilities();
        if !can.contains(Capabilities::INTERPOLATION) {
            return Ok(None);
        }
        let pool = &mut self.cfa.program.pool;
        let past = pool.and_all(cut.past.iter().copied());
        let future = pool.and_all(cut.future.iter().copied());
        let found = match self.session.interpolate(pool, past, future) {
            Err(SolverError::GaveUp { reason, .. }) if reason != UnknownReason::Interrupted => None,
            answer => answer?,
        };
        Ok(found.map(|t| {
            let t = pool.substitute(t, &cut.to_vars);
            match pool.as_bool(t) {
                Some(true) => Interpolant::tru(),
                Some(false) => Interpolant::fls(),
                None => Interpolant {
                    cubes: vec![pool.split_conjuncts(t)],
                },
            }
        }))
    }

    /// An interpolant of predicates; `None` where they do not suffice or more than `most` cubes are needed.
    fn by_predicates(
        &mut self,
        cut: &Cut<'_>,
        relevant: &[Vec<Term>],
        suggested: &mut Option<Vec<Vec<Term>>>,
        most: usize,
    ) -> Result<Option<Interpolant>, EngineError> {
        let mut groups = self.groups(cut);
        let mut cubes: Vec<Vec<Term>> = Vec::new();
        let mut query = cut.past.clone();
        while ask(self.session, &self.cfa.program.pool, &query)? {
            if cubes.len() == most {
                return Ok(None);
            }
            let values = self.values(cut)?;
            let Some(cube) = self.cube(cut, relevant, suggested, &mut groups, &values)? else {
                return Ok(None);
            };
            let pool = &mut self.cfa.program.pool;
            let covered = pool.and_all(cube.iter().copied());
            let covered = pool.substitute(covered, &cut.to_symbols);
            query.push(pool.not(covered));
            cubes.push(cube);
        }
        Ok(Some(Interpolant { cubes }))
    }

    /// The values of the variables that matter in the model of the past.
    fn values(&mut self, cut: &Cut<'_>) -> Result<FxHashMap<Var, Value>, EngineError> {
        let mut values = FxHashMap::default();
        for &v in &cut.vars {
            let value = self
                .session
                .value(&self.cfa.program.pool, cut.to_symbols[&v])?;
            values.insert(v, value);
        }
        Ok(values)
    }

    /// The groups of predicates that do not depend on the model, but for weakest preconditions, which are made
    /// when they are needed.
    fn groups(&mut self, cut: &Cut<'_>) -> Vec<Vec<Term>> {
        let pool = &mut self.cfa.program.pool;
        let within = |pool: &TermPool, t: Term| {
            let own = pool.free_vars([t]);
            own.iter().all(|v| cut.vars.binary_search(v).is_ok())
        };
        let to = self.cfa.program.edges[cut.path.edges[cut.at - 1]].to;
        let mut first = cut.last.atoms(pool);
        first.extend(self.in_use.get(&to).into_iter().flatten());
        first.retain(|&t| within(pool, t));
        let mut groups = vec![first];
        if self.sources.guards {
            groups.push(self.vocabulary.about(pool, &cut.vars));
        }
        groups
    }

    /// Few literals that hold in the model and refute the future.
    fn cube(
        &mut self,
        cut: &Cut<'_>,
        relevant: &[Vec<Term>],
        suggested: &mut Option<Vec<Vec<Term>>>,
        groups: &mut Vec<Vec<Term>>,
        values: &FxHashMap<Var, Value>,
    ) -> Result<Option<Vec<Term>>, EngineError> {
        let mut evaluator = Evaluator::new();
        let mut literals: Vec<Term> = Vec::new();
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let preconditions = 1 + usize::from(self.sources.guards);
        let mut turn = 0;
        loop {
            if turn == preconditions && groups.len() == turn && self.sources.wp {
                let all = suggested.get_or_insert_with(|| {
                    weakest_preconditions(&mut self.cfa.program.pool, cut.path, relevant)
                });
                let pool = &mut self.cfa.program.pool;
                groups.push(own_words(pool, &all[cut.at], cut));
            }
            let (group, last) = match groups.get(turn) {
                Some(group) => (group.clone(), false),
                None if self.sources.templates => {
                    let pool = &mut self.cfa.program.pool;
                    let (mut relations, exact) = templates(pool, &cut.vars, values);
                    relations.extend(exact);
                    relations.extend(self.vocabulary.cells_at(pool, &cut.vars, values));
                    (relations, true)
                }
                None => return Ok(None),
            };
            turn += 1;
            let pool = &mut self.cfa.program.pool;
            let (mut weak, mut strong) = (Vec::new(), Vec::new());
            for t in group {
                if !seen.insert(t) {
                    continue;
                }
                let holds = evaluator.eval(pool, t, |v| values[&v].clone()) == Value::Bool(true);
                if holds && pool.op(t) == trellis_ivl::Op::Eq {
                    strong.push(t);
                } else if !last || holds {
                    weak.push(if holds { t } else { pool.not(t) });
                }
            }
            literals.extend(weak);
            literals.extend(strong);
            if let Some(core) = self.refuting(cut, &literals)? {
                return Ok(Some(core));
            }
            if last {
                return Ok(None);
            }
        }
    }

    /// Few of the literals that refute the future, if all do; later ones are given up first.
    fn refuting(
        &mut self,
        cut: &Cut<'_>,
        literals: &[Term],
    ) -> Result<Option<Vec<Term>>, EngineError> {
        let pool = &mut self.cfa.program.pool;
        let mut renaming = Substitution::new(&cut.to_symbols);
        let mut originals: FxHashMap<Term, Term> = FxHashMap::default();
        let mut core: Vec<Term> = Vec::with_capacity(literals.len());
        for &t in literals {
            let renamed = renaming.apply(pool, t);
            originals.insert(renamed, t);
            core.push(renamed);
        }
        let pool = &self.cfa.program.pool;
        let core = refuting(self.session, pool, &cut.future, &core)?;
        Ok(core.map(|core| core.into_iter().map(|t| originals[&t]).collect()))
    }
}

/// Per place of the path the atoms of what is to come, over the symbols there; near ones first.
fn weakest_preconditions(
    pool: &mut TermPool,
    path: &Path,
    relevant: &[Vec<Term>],
) -> Vec<Vec<Term>> {
    let n = path.edges.len();
    let mut all: Vec<Vec<Term>> = vec![Vec::new(); n + 1];
    for k in (0..n).rev() {
        let mut found: Vec<Term> = Vec::new();
        let defined = &path.definitions[k];
        for &t in &relevant[k] {
            let own = pool.free_vars([t]);
            if !own.iter().any(|v| defined.contains_key(v)) {
                found.extend(atoms(pool, t));
            }
        }
        let later = all[k + 1].clone();
        let mut substitution = Substitution::new(defined);
        let moved: Vec<Term> = later
            .into_iter()
            .map(|t| substitution.apply(pool, t))
            .collect();
        for t in moved {
            found.extend(atoms(pool, t));
        }
        let mut seen = FxHashSet::default();
        found.retain(|&t| seen.insert(t));
        found.truncate(MAX_WP);
        all[k] = found;
    }
    all
}

/// The terms over the symbols of a cut in terms of the program's variables; others are left out.
fn own_words(pool: &mut TermPool, terms: &[Term], cut: &Cut<'_>) -> Vec<Term> {
    let mut found = Vec::new();
    for &t in terms {
        let own = pool.free_vars([t]);
        if own.iter().all(|v| cut.to_vars.contains_key(v)) {
            debug_assert_eq!(pool.ty(t), Type::Bool);
            found.push(pool.substitute(t, &cut.to_vars));
        }
    }
    found
}
