//! Contracts of procedures: proofs of recursive programs, and of programs whose calls multiply.
//!
//! Executions are recorded (`samples`), what they have in common becomes candidates for contracts and loop
//! invariants (`rows`), and of these the largest inductive set is kept (`select`). Where it excludes the errors, those that
//! were needed are the certificate. The program is taken as the front end made it, with its procedures; nothing is expanded.
//!
//! Open first: `select`, which has the queries. Deliberately absent: errors (executing finds them), abstraction refinement. A contract
//! that executions do not suggest is not found.

pub mod plugin;
pub mod rows;
pub mod samples;
pub mod select;

use crate::samples::{Place, Samples};
use crate::select::{Candidate, Claim, Selected, select};
use std::collections::{BTreeMap, BTreeSet};
use trellis_engine_common::{Figures, Outcome};
use trellis_ivl::{Contracts, Loc, Modules, Program, Scope, Term, Type, Var, calls};
use trellis_plugin_sdk::{ContractProof, EngineError, Host, Verdict};
use trellis_solver_api::smt::SmtSession;

/// Looks for contracts of `program`, which may have procedures; `session` must be fresh.
///
/// # Errors
/// When the solver fails; limits are unknown verdicts.
pub fn run(
    program: &Program,
    session: &mut dyn SmtSession,
    seed: u64,
    host: &mut dyn Host,
) -> Result<Outcome, EngineError> {
    let mut modules = Modules::new(program);
    let mut stats = Figures::new();
    let verdict = match find(&mut modules, session, seed, &mut stats, host) {
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
    session: &mut dyn SmtSession,
    seed: u64,
    stats: &mut Figures,
    host: &mut dyn Host,
) -> Result<Verdict, EngineError> {
    if !calls::multiply(&modules.program) {
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
    candidates.extend(of_other_exits(modules, &samples, &candidates));
    candidates.extend(unchanged_arrays(modules));
    let rows: usize = samples.points.values().map(|p| p.rows.len()).sum();
    stats.insert("sampled states", rows as u64);
    stats.insert("candidates", candidates.len() as u64);
    match select(modules.clone(), &candidates, session, host)? {
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

/// For procedures that no execution was seen to leave, perhaps because what they do takes long: what others do with global
/// variables.
fn of_other_exits(
    modules: &Modules,
    samples: &Samples,
    candidates: &[Candidate],
) -> Vec<Candidate> {
    let pool = &modules.program.pool;
    let is_global = |v: Var| pool.var_data(v).scope == Scope::Global;
    let old_globals: BTreeSet<Var> = modules
        .old
        .iter()
        .filter(|(now, _)| is_global(**now))
        .map(|(_, &old)| old)
        .collect();
    let speaks_of_globals = |t: Term| {
        let mut vars = pool.free_vars([t]).into_iter();
        vars.all(|v| is_global(v) || old_globals.contains(&v))
    };
    let shared: BTreeSet<Term> = candidates
        .iter()
        .filter(|c| matches!(c.claim, Claim::Ensures(_)) && pool.as_bool(c.term).is_none())
        .map(|c| c.term)
        .filter(|&t| speaks_of_globals(t))
        .collect();
    let unseen = samples
        .points
        .iter()
        .filter(|(_, point)| point.rows.is_empty());
    let unseen = unseen.filter_map(|(place, _)| match place {
        Place::Exit(p) => Some(Claim::Ensures(*p)),
        _ => None,
    });
    unseen
        .flat_map(|claim| shared.iter().map(move |&term| Candidate { claim, term }))
        .collect()
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
