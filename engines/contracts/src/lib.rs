//! Contracts of procedures: proofs of recursive programs, and of programs whose calls multiply.
//!
//! Executions are recorded (`samples`), what they have in common becomes candidates for contracts and loop
//! invariants (`rows`), and of these the largest inductive set is kept (`select`). Where it excludes the errors, those that
//! were needed are the certificate. The program is taken as the front end made it, with its procedures; nothing is expanded.
//!
//! Open first: `select`, which has the queries. Deliberately absent: errors (executing finds them), abstraction refinement. A contract
//! that executions do not suggest is not found.

pub mod plugin;
pub mod repeats;
pub mod rows;
pub mod samples;
pub mod select;

pub use crate::plugin::Options;

use crate::samples::{Place, Point, Samples};
use crate::select::{Candidate, Claim, Keep, Selected, select};
use std::collections::{BTreeMap, BTreeSet};
use trellis_engine_common::{Figures, Outcome};
use trellis_ivl::{Contracts, Loc, Modules, Program, Term, Type, Var, calls};
use trellis_plugin_sdk::{ContractProof, EngineError, Host, Verdict};
use trellis_solver_api::smt::SmtSession;

/// A procedure that was left less often is seldom left.
const SELDOM: usize = 8;
/// Global variables that are looked at in procedures that were not seen to end, at most.
const MAX_SHARED: usize = 8;
/// States of each exit that are looked at for those, at most.
const MAX_POOLED: usize = 20;

/// Looks for contracts of `program`, which may have procedures; `session` must be fresh.
///
/// # Errors
/// When the solver fails; limits are unknown verdicts.
pub fn run(
    program: &Program,
    options: &Options,
    session: &mut dyn SmtSession,
    seed: u64,
    host: &mut dyn Host,
) -> Result<Outcome, EngineError> {
    let mut modules = Modules::new(program);
    let mut stats = Figures::new();
    let verdict = match find(&mut modules, options, session, seed, &mut stats, host) {
        Ok(verdict) => verdict,
        Err(e) => e.into_verdict()?,
    };
    Ok(Outcome {
        verdict,
        pool: modules.program.pool,
        stats,
    })
}

fn find(
    modules: &mut Modules,
    options: &Options,
    session: &mut dyn SmtSession,
    seed: u64,
    stats: &mut Figures,
    host: &mut dyn Host,
) -> Result<Verdict, EngineError> {
    if !options.always && !calls::multiply(&modules.program) {
        let why = "no procedure is recursive, and few are called: calls can be expanded";
        return Ok(Verdict::Unknown(why.into()));
    }
    let samples = samples::record(modules, seed, host)?;
    let mut candidates = Vec::new();
    for (&place, point) in &samples.points {
        let claim = match place {
            // Nobody could establish what main requires.
            Place::Entry(p) if p == modules.program.main => continue,
            Place::Entry(p) => Claim::Requires(p),
            Place::Exit(p) => Claim::Ensures(p),
            Place::Head(l, _) => Claim::Head(l),
        };
        let terms = rows::clauses(&mut modules.program.pool, point, &samples.numbers);
        candidates.extend(terms.into_iter().map(|term| Candidate { claim, term }));
    }
    candidates.extend(of_other_exits(modules, &samples));
    candidates.extend(unchanged_arrays(modules));
    let rows: usize = samples.points.values().map(|p| p.rows.len()).sum();
    stats.insert("sampled states", rows as u64);
    stats.insert("candidates", candidates.len() as u64);
    let keep = match options.all {
        true => Keep::All,
        false => Keep::Needed,
    };
    match select(modules.clone(), &candidates, keep, session, host)? {
        Selected::Left(what) => {
            let why = format!("the contracts that executions suggest do not exclude {what}");
            Ok(Verdict::Unknown(why))
        }
        Selected::Proof(needed) => {
            stats.insert("clauses", needed.len() as u64);
            Ok(Verdict::Contracts(proof(modules, &candidates, &needed)))
        }
    }
}

/// For procedures that executions were seldom or never seen to leave, perhaps because what they do takes long: what all of them together do
/// with the global variables that these change.
fn of_other_exits(modules: &mut Modules, samples: &Samples) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    let mut known: BTreeMap<Vec<Var>, Vec<Term>> = BTreeMap::new();
    let modified = modules.modified();
    for (place, point) in &samples.points {
        let (Place::Exit(p), true) = (place, point.rows.len() < SELDOM) else {
            continue;
        };
        let pool = &mut modules.program.pool;
        let is_scalar = |v: &Var| samples::is_scalar(pool.var_ty(*v));
        let changed = modified.get(p).into_iter().flatten().copied();
        let changed: Vec<Var> = changed.filter(is_scalar).take(MAX_SHARED).collect();
        let terms = known.entry(changed).or_insert_with_key(|changed| {
            let pooled = pooled(&modules.old, samples, changed);
            match pooled.rows.is_empty() {
                true => Vec::new(),
                false => {
                    let mut terms = rows::clauses(pool, &pooled, &samples.numbers);
                    terms.extend(rows::strides(pool, &pooled));
                    terms
                }
            }
        });
        let claim = Claim::Ensures(*p);
        candidates.extend(terms.iter().map(|&term| Candidate { claim, term }));
    }
    candidates
}

/// What was seen of `globals` at all exits.
fn pooled(old: &BTreeMap<Var, Var>, samples: &Samples, globals: &[Var]) -> Point {
    let vars: Vec<Var> = (globals.iter().map(|g| old[g]))
        .chain(globals.iter().copied())
        .collect();
    let exits = samples.points.iter();
    let exits = exits.filter(|(place, _)| matches!(place, Place::Exit(_)));
    let rows = exits.flat_map(|(_, point)| {
        let column = |v: Var| point.vars.iter().position(|&w| w == v);
        // What a procedure does not change is what it was.
        let before = globals.iter().map(|&g| column(old[&g]).or(column(g)));
        let columns = before.chain(globals.iter().map(|&g| column(g)));
        let columns: Option<Vec<usize>> = columns.collect();
        let rows = point.rows.iter().take(MAX_POOLED);
        rows.filter_map(move |row| Some(columns.as_ref()?.iter().map(|&i| row[i]).collect()))
    });
    Point::of_rows(vars, globals.len(), rows)
}

/// That arrays are at the exit what they were: memory that a procedure uses and leaves.
fn unchanged_arrays(modules: &mut Modules) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (p, vars) in modules.modified() {
        for v in vars {
            if matches!(modules.program.pool.var_ty(v), Type::Array { .. }) {
                let pool = &mut modules.program.pool;
                let (now, old) = (pool.var(v), pool.var(modules.old[&v]));
                let (claim, term) = (Claim::Ensures(p), pool.eq(now, old));
                candidates.push(Candidate { claim, term });
            }
        }
    }
    candidates
}

/// The certificate of the candidates that are needed.
fn proof(
    modules: &mut Modules,
    candidates: &[Candidate],
    needed: &BTreeSet<usize>,
) -> ContractProof {
    let mut contracts = Contracts::new();
    let mut at_heads: BTreeMap<Loc, Vec<Term>> = BTreeMap::new();
    for &i in needed {
        let Candidate { claim, term } = candidates[i];
        match claim {
            Claim::Requires(p) => contracts.entry(p).or_default().requires.push(term),
            Claim::Ensures(p) => contracts.entry(p).or_default().ensures.push(term),
            Claim::Head(l) => at_heads.entry(l).or_default().push(term),
        }
    }
    let pool = &mut modules.program.pool;
    let invariants = at_heads
        .into_iter()
        .map(|(l, terms)| (l, pool.and_all(terms)))
        .collect();
    ContractProof {
        contracts,
        invariants,
    }
}
