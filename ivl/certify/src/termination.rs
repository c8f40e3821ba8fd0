//! The checker of termination: every loop is watched, and the watched programs are safe.
//!
//! # What is checked
//! On the expansion of the program, by [`trellis_ivl::termination`]:
//!
//! - **complete**: no incomplete location is reachable;
//! - **loop**: for every loop the program that watches it has no reachable error. Incomplete locations count as ends
//!   there, which they may, because none is reached.
//!
//! Instead of the expansion it may be the modules that contracts make of the program, in which recursive calls may be entered
//! ([`check_entering`]); the contracts are then the proof that it is complete, and the loops are those of the procedures and of recursion.
//!
//! Each is a question of safety, and any proof of safety will do. The checker makes the watched programs itself: of
//! what the claimant has in mind, only the measure and the proof are taken. Why this is enough is said where the programs are made.

use crate::certificate::{ContractCertificate, SafetyCertificate, Unwinding};
use crate::check::{OwnGhosts, Rejection, check_safe, describe, import_terms};
use crate::contracts::check_entering;
use crate::unwind::check_unwinding;
use std::collections::{BTreeMap, BTreeSet};
use trellis_ivl::termination::{Loop, Measure, Watched, gaps_only, loops, watch};
use trellis_ivl::{FlattenOptions, Loc, Program, Scope, TermPool, Type, Var, flatten};
use trellis_solver_api::SolverError;
use trellis_solver_api::smt::SmtSession;

/// Why no error of a program is reachable.
#[derive(Clone)]
pub enum SafetyProof {
    /// By induction.
    Inductive(SafetyCertificate),
    /// Because all executions that matter are over.
    Unwound(Unwinding),
}

/// Why no execution stays in a loop for ever.
#[derive(Clone)]
pub struct LoopProof {
    /// What is remembered at its head.
    pub measure: Measure,
    /// The claimant's terms: those of the measure, and those of the proof, whose variables are the watched program's.
    pub pool: TermPool,
    /// Why the program that watches the loop is safe.
    pub proof: SafetyProof,
}

/// Why every execution of a program ends.
#[derive(Clone)]
pub struct Termination {
    /// What is made of calls.
    pub calls: Calls,
    /// By head of the flat program.
    pub loops: BTreeMap<Loc, LoopProof>,
}

/// What is made of the calls of a program whose termination is claimed.
#[derive(Clone)]
pub enum Calls {
    /// They are expanded.
    Expanded {
        /// Why no incomplete location is reachable, with the claimant's terms; not needed where there is none.
        complete: Option<(TermPool, SafetyProof)>,
        /// Limits of the expansion.
        expansion: FlattenOptions,
    },
    /// They are what contracts say of them, which also show that no incomplete location is reachable.
    Contracts(TermPool, ContractCertificate),
}

/// Makes sessions: every program that is checked has terms of its own, and a session those of one program.
pub type Sessions<'a> = dyn FnMut() -> Result<Box<dyn SmtSession>, SolverError> + 'a;

/// Accepts a claim of termination, or says what is wrong with it. Once `stopped` holds, the answer is undecided.
pub fn check_terminates(
    program: &Program,
    certificate: &Termination,
    sessions: &mut Sessions<'_>,
    stopped: &dyn Fn() -> bool,
) -> Result<(), Rejection> {
    let flat = match &certificate.calls {
        Calls::Expanded {
            complete,
            expansion,
        } => expanded(program, complete.as_ref(), expansion, sessions, stopped)?,
        Calls::Contracts(pool, contracts) => {
            check_entering(program, pool, contracts, sessions()?.as_mut())?
        }
    };
    let all = loops(&flat);
    let heads: BTreeSet<Loc> = all.iter().map(|l| l.head).collect();
    if let Some(head) = certificate.loops.keys().find(|h| !heads.contains(h)) {
        return Err(Rejection::Malformed(format!("{head} is no head of a loop")));
    }
    for of in &all {
        let Some(proof) = certificate.loops.get(&of.head) else {
            let head = describe(&flat, of.head);
            return Err(Rejection::Malformed(format!(
                "the loop at {head} has no proof"
            )));
        };
        check_loop(&flat, of, proof, sessions()?.as_mut(), stopped)?;
    }
    Ok(())
}

/// The expansion of the program, in which no incomplete location is reachable.
fn expanded(
    program: &Program,
    complete: Option<&(TermPool, SafetyProof)>,
    expansion: &FlattenOptions,
    sessions: &mut Sessions<'_>,
    stopped: &dyn Fn() -> bool,
) -> Result<Program, Rejection> {
    let mut flat = program.clone();
    if !flat.is_flat() {
        flatten(&mut flat, expansion);
    }
    if flat.incompletes().next().is_some() {
        let Some((pool, proof)) = complete else {
            return Err(Rejection::Malformed(
                "that no incomplete location is reached has no proof".into(),
            ));
        };
        let gaps = gaps_only(&flat);
        check_proof(&gaps, pool, proof, sessions()?.as_mut(), stopped)?;
    }
    Ok(flat)
}

/// Accepts the proof of one loop of the flat program, or says what is wrong with it. The session must be fresh.
pub fn check_loop(
    flat: &Program,
    of: &Loop,
    proof: &LoopProof,
    session: &mut dyn SmtSession,
    stopped: &dyn Fn() -> bool,
) -> Result<(), Rejection> {
    let watched = watched(flat, of, proof)?;
    check_proof(
        &watched.program,
        &proof.pool,
        &proof.proof,
        session,
        stopped,
    )
}

/// Accepts different variables of the program, of which a snapshot may be taken.
pub(crate) fn check_snapshot(program: &Program, vars: &[Var]) -> Result<(), Rejection> {
    let malformed = |why: String| Err(Rejection::Malformed(why));
    let distinct: BTreeSet<Var> = vars.iter().copied().collect();
    if distinct.len() != vars.len() {
        return malformed("a snapshot names a variable twice".into());
    }
    for &v in vars {
        let known = program.pool.vars().get(v);
        if known.is_none_or(|d| d.scope == Scope::Auxiliary) {
            return malformed(format!("{v} is no variable of the program"));
        }
    }
    Ok(())
}

/// The program that watches the loop by the claimant's measure.
fn watched(flat: &Program, of: &Loop, proof: &LoopProof) -> Result<Watched, Rejection> {
    let malformed = |why: String| Err(Rejection::Malformed(why));
    match &proof.measure {
        Measure::Snapshot(vars) => {
            check_snapshot(flat, vars)?;
            Ok(watch(flat, of, &proof.measure))
        }
        Measure::Rank(tuple) => {
            if let Some(&t) = tuple
                .iter()
                .find(|&&t| !matches!(proof.pool.ty(t), Type::Bv(_)))
            {
                let ty = proof.pool.ty(t);
                return malformed(format!("a component of a rank is {ty}, no bit-vector"));
            }
            // What was added to watch the loop is no part of a measure.
            let own = flat.pool.vars().len();
            let vars = proof.pool.free_vars(tuple.iter().copied());
            if let Some(v) = vars.into_iter().find(|v| v.as_u32() as usize >= own) {
                return malformed(format!("{v} is no variable of the program"));
            }
            let mut flat = flat.clone();
            let tuple = import_terms(&mut flat, &proof.pool, tuple, &OwnGhosts::default())?;
            Ok(watch(&flat, of, &Measure::Rank(tuple)))
        }
    }
}

/// Accepts any proof of safety.
pub(crate) fn check_proof(
    program: &Program,
    pool: &TermPool,
    proof: &SafetyProof,
    session: &mut dyn SmtSession,
    stopped: &dyn Fn() -> bool,
) -> Result<(), Rejection> {
    match proof {
        SafetyProof::Inductive(certificate) => check_safe(program, pool, certificate, session),
        SafetyProof::Unwound(unwinding) => {
            check_unwinding(program, pool, unwinding, session, stopped)
        }
    }
}
