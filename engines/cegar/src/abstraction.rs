//! Abstract successors: which valuations of the predicates of a location an edge leads to.
//!
//! There are no primed variables: a predicate after an edge is the predicate with the edge's updates substituted. Of a
//! label only the literals that share variables with the edge and the predicates asked for, directly or not, go
//! into a query, and answers are remembered by that: most steps of a large program are asked once.

use crate::{Abstraction, Options};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;
use trellis_engine_common::{Cfa, ask};
use trellis_ivl::{Edge, Loc, Term, TermPool, Value, Var};
use trellis_plugin_sdk::EngineError;
use trellis_solver_api::smt::SmtSession;

/// What is tracked at each location.
#[derive(Default)]
pub(crate) struct Precision {
    /// Atoms, by location, in the order they were found.
    pub atoms: BTreeMap<Loc, Vec<Term>>,
    /// Interpolants that are no conjunctions, as a whole.
    pub formulas: BTreeMap<Loc, Vec<Term>>,
}

impl Precision {
    /// Number of predicates, counted per location.
    pub fn len(&self) -> usize {
        let all = self.atoms.values().chain(self.formulas.values());
        all.map(Vec::len).sum()
    }
}

/// An edge, the literals before it that matter, and what is asked after it.
type Question = (Edge, Vec<Term>, Vec<Term>);
/// Literals of each successor.
type Cubes = Rc<Vec<Vec<Term>>>;

/// Computes and remembers abstract successors.
#[derive(Default)]
pub(crate) struct Posts {
    known: FxHashMap<Question, Cubes>,
    vars: FxHashMap<Term, Rc<[Var]>>,
    pub asked: u64,
    pub remembered: u64,
    /// Successors with so many valuations that they were joined.
    pub joined: u64,
}

impl Posts {
    fn vars(&mut self, pool: &TermPool, t: Term) -> Rc<[Var]> {
        let known = self.vars.entry(t);
        known.or_insert_with(|| pool.free_vars([t]).into()).clone()
    }

    /// The labels that `e` leads to from `label`, in terms of what is tracked at its target; none where the edge
    /// cannot be taken.
    pub fn post(
        &mut self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        options: &Options,
        precision: &Precision,
        label: &[Term],
        e: Edge,
    ) -> Result<Cubes, EngineError> {
        let to = cfa.program.edges[e].to;
        let mut fixed: Vec<Term> = Vec::new();
        let mut open: Vec<(Term, Term)> = Vec::new();
        let tracked: Vec<Term> = precision.atoms.get(&to).cloned().unwrap_or_default();
        let formulas: Vec<Term> = precision.formulas.get(&to).cloned().unwrap_or_default();
        for &p in &tracked {
            let after = cfa.after(e, p);
            let pool = &mut cfa.program.pool;
            let negated = pool.not(after);
            match pool.as_bool(after) {
                Some(true) => fixed.push(p),
                Some(false) => fixed.push(pool.not(p)),
                None if label.binary_search(&after).is_ok() => fixed.push(p),
                None if label.binary_search(&negated).is_ok() => fixed.push(pool.not(p)),
                None => open.push((p, after)),
            }
        }
        let mut whole: Vec<(Term, Term)> = Vec::new();
        for &p in &formulas {
            let after = cfa.after(e, p);
            let holds = cfa.program.pool.as_bool(after) == Some(true)
                || label.binary_search(&after).is_ok();
            // A Boolean label decides the atoms of a formula; the formula itself would only keep it from covering.
            if holds && options.abstraction == Abstraction::Cartesian {
                fixed.push(p);
            } else if cfa.program.pool.as_bool(after) != Some(false) {
                whole.push((p, after));
            }
        }
        let guard = cfa.transfer(e).guard;
        let relevant = self.cone(&cfa.program.pool, label, guard, open.iter().chain(&whole));
        let asked: Vec<Term> = open.iter().chain(&whole).map(|&(p, _)| p).collect();
        let key = (e, relevant, asked);
        let cubes = if let Some(known) = self.known.get(&key) {
            self.remembered += 1;
            known.clone()
        } else {
            self.asked += 1;
            let mut query = key.1.clone();
            query.push(guard);
            query.retain(|&t| cfa.program.pool.as_bool(t) != Some(true));
            let cubes = self.successors(cfa, session, options, query, &open, &whole)?;
            let cubes = Rc::new(cubes);
            self.known.insert(key, cubes.clone());
            cubes
        };
        if fixed.is_empty() {
            return Ok(cubes);
        }
        let with_fixed = |cube: &Vec<Term>| {
            let mut all: Vec<Term> = cube.iter().chain(&fixed).copied().collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        Ok(Rc::new(cubes.iter().map(with_fixed).collect()))
    }

    /// The literals of `label` that may say something about the guard and what is asked.
    fn cone<'a>(
        &mut self,
        pool: &TermPool,
        label: &[Term],
        guard: Term,
        asked: impl Iterator<Item = &'a (Term, Term)>,
    ) -> Vec<Term> {
        let mut reached: FxHashSet<Var> = self.vars(pool, guard).iter().copied().collect();
        for &(_, after) in asked {
            reached.extend(self.vars(pool, after).iter());
        }
        let mut inside = vec![false; label.len()];
        loop {
            let mut changed = false;
            for (i, &t) in label.iter().enumerate() {
                if inside[i] {
                    continue;
                }
                let vars = self.vars(pool, t);
                if vars.iter().any(|v| reached.contains(v)) {
                    inside[i] = true;
                    changed = true;
                    reached.extend(vars.iter());
                }
            }
            if !changed {
                break;
            }
        }
        let kept = label.iter().zip(inside).filter(|(_, inside)| *inside);
        kept.map(|(&t, _)| t).collect()
    }

    /// The successors of `query`, label and guard, in terms of the predicates.
    fn successors(
        &mut self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        options: &Options,
        query: Vec<Term>,
        atoms: &[(Term, Term)],
        formulas: &[(Term, Term)],
    ) -> Result<Vec<Vec<Term>>, EngineError> {
        session.set_kind("abstraction");
        if !ask(session, &cfa.program.pool, &query)? {
            return Ok(Vec::new());
        }
        if atoms.is_empty() && formulas.is_empty() {
            return Ok(vec![Vec::new()]);
        }
        if options.abstraction == Abstraction::Boolean {
            match valuations(cfa, session, options, query.clone(), atoms)? {
                Some(cubes) => return Ok(cubes),
                None => {
                    self.joined += 1;
                    if !ask(session, &cfa.program.pool, &query)? {
                        return Ok(Vec::new());
                    }
                }
            }
        }
        Ok(vec![implied(cfa, session, query, atoms, formulas)?])
    }
}

/// The literal of predicate `p` whose value is that of `after` in the model.
fn literal(
    cfa: &mut Cfa,
    session: &mut dyn SmtSession,
    p: Term,
    after: Term,
) -> Result<Term, EngineError> {
    let holds = session.value(&cfa.program.pool, after)? == Value::Bool(true);
    Ok(if holds { p } else { cfa.program.pool.not(p) })
}

/// Boolean abstraction: all valuations of the atoms; `None` where there are too many. The session has a model of
/// `query`.
fn valuations(
    cfa: &mut Cfa,
    session: &mut dyn SmtSession,
    options: &Options,
    mut query: Vec<Term>,
    atoms: &[(Term, Term)],
) -> Result<Option<Vec<Vec<Term>>>, EngineError> {
    let mut cubes = Vec::new();
    loop {
        let (mut cube, mut here) = (Vec::new(), Vec::new());
        for &(p, after) in atoms {
            let literal = literal(cfa, session, p, after)?;
            here.push(if literal == p {
                after
            } else {
                cfa.program.pool.not(after)
            });
            cube.push(literal);
        }
        cube.sort_unstable();
        cubes.push(cube);
        if atoms.is_empty() {
            return Ok(Some(cubes));
        }
        if cubes.len() > options.max_cubes as usize {
            return Ok(None);
        }
        let pool = &mut cfa.program.pool;
        let here = pool.and_all(here);
        query.push(pool.not(here));
        if !ask(session, &cfa.program.pool, &query)? {
            return Ok(Some(cubes));
        }
    }
}

/// Cartesian abstraction: the literals of atoms that hold in all successors, and the formulas that do. The session has a
/// model of `query`.
fn implied(
    cfa: &mut Cfa,
    session: &mut dyn SmtSession,
    query: Vec<Term>,
    atoms: &[(Term, Term)],
    formulas: &[(Term, Term)],
) -> Result<Vec<Term>, EngineError> {
    let mut candidates: Vec<(Term, Term)> = Vec::new();
    for &(p, after) in atoms {
        let literal = literal(cfa, session, p, after)?;
        let pool = &mut cfa.program.pool;
        let here = if literal == p { after } else { pool.not(after) };
        candidates.push((literal, here));
    }
    candidates.extend(formulas);
    loop {
        let mut kept = Vec::new();
        for &(literal, after) in &candidates {
            if session.value(&cfa.program.pool, after)? == Value::Bool(true) {
                kept.push((literal, after));
            }
        }
        candidates = kept;
        if candidates.is_empty() {
            return Ok(Vec::new());
        }
        let pool = &mut cfa.program.pool;
        let all = pool.and_all(candidates.iter().map(|c| c.1));
        let mut broken = query.clone();
        broken.push(pool.not(all));
        if !ask(session, &cfa.program.pool, &broken)? {
            let mut label: Vec<Term> = candidates.into_iter().map(|c| c.0).collect();
            label.sort_unstable();
            return Ok(label);
        }
    }
}
