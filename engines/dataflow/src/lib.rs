//! Invariants from data flow: an abstract interpreter on the IVL.
//!
//! Intervals (signed and unsigned, and of floats), congruences modulo powers of two and equalities between variables, computed
//! forwards to a fixpoint with widening to the program's constants and then narrowed. What holds at loop heads
//! is published when the ascending phase ends and after every pass that improves it, so that other
//! engines can use it early; where it excludes every error, it is the proof. All invariants are 1-inductive
//! by construction; a proof has those of them that it needs, and is checked to be one before it is claimed.
//!
//! Open first: [`state`] for the trait that a domain implements, [`fixpoint`] for the iteration; [`numbers`],
//! [`equalities`] and [`floats`] are the domains.
//!
//! Deliberately absent: path sensitivity beyond one edge, relations other than equality; kiki's templates have them.

pub mod condition;
pub mod equalities;
pub mod fixpoint;
pub mod floats;
pub mod interval;
pub mod number;
pub mod numbers;
pub mod plugin;
pub mod state;

pub use plugin::Options;

use crate::equalities::Equalities;
use crate::fixpoint::Analysis;
use crate::floats::Floats;
use crate::numbers::Numbers;
use crate::state::AbstractState;
use std::collections::BTreeMap;
use trellis_engine_common::complete::holds_in;
use trellis_engine_common::induction::conjunctions;
use trellis_engine_common::{Base, Cfa, Figures, Invariants, Outcome, in_words, trim};
use trellis_ivl::{Loc, Program, Term, Var};
use trellis_ivl_float::terms::FloatTerms;
use trellis_plugin_sdk::{Certificate, EngineError, Host, Lemma, Verdict};
use trellis_solver_api::Limits;
use trellis_solver_api::smt::SmtSession;

/// Conflicts for the proof that the invariants exclude every error.
const CERTIFICATE_CONFLICTS: u64 = 50_000;

/// The domains that are run together.
type Domains = ((Numbers, Equalities), Floats);

/// Analyses the flat `program`; `session` must be fresh.
///
/// # Errors
/// When the program is not flat or the solver fails; limits are unknown verdicts.
pub fn run(
    program: &Program,
    session: &mut dyn SmtSession,
    options: &Options,
    host: &mut dyn Host,
) -> Result<Outcome, EngineError> {
    trellis_engine_common::outcome::run(program, session, host, |cfa, session, host, stats| {
        analyse(cfa, session, host, stats, options.narrowing)
    })
}

fn analyse(
    cfa: &mut Cfa,
    session: &mut dyn SmtSession,
    host: &mut dyn Host,
    stats: &mut Figures,
    narrowing: u32,
) -> Result<Verdict, EngineError> {
    if !cfa.has_targets() {
        return Ok(Verdict::Safe(Certificate::inductive(1, Invariants::new())));
    }
    let floats = Floats::new(float_terms(cfa));
    let top = ((Numbers::default(), Equalities::default()), floats);
    let mut analysis: Analysis<Domains> = Analysis::new(cfa, top);
    if analysis.ascend(cfa, &mut || host.cancelled()) {
        return Err(EngineError::Cancelled);
    }
    let mut facts = invariants(cfa, &analysis);
    publish(cfa, host, &facts);
    for pass in 1..=narrowing {
        if host.cancelled() || !analysis.descend(cfa) {
            break;
        }
        stats.insert("narrowing passes", pass.into());
        facts = invariants(cfa, &analysis);
        publish(cfa, host, &facts);
    }
    stats.insert("facts", facts.values().map(|f| f.len() as u64).sum());
    let invariants = conjunctions(cfa, &facts);
    // The solver looks at whole segments, so it may exclude what the analysis of single edges does not.
    session.set_kind("certificate");
    session.set_limits(Limits::conflicts(CERTIFICATE_CONFLICTS));
    let mut base = Base::new(cfa);
    if let Some(trace) = base.deepen(cfa, session, host)? {
        return Ok(Verdict::Unsafe(trace));
    }
    if let Some(reason) = base.incomplete {
        return Ok(Verdict::Unknown(format!("incomplete: {reason}")));
    }
    if holds_in(cfa, session, &base.unrolling, &invariants)?
        && let Some(proof) = trim::proof(cfa, session, host, &facts, 1)?
    {
        return Ok(Verdict::Safe(proof));
    }
    Ok(Verdict::Unknown(match analysis.targets(cfa).first() {
        Some(&l) => format!("data flow does not exclude {}", in_words(&cfa.program, l)),
        None => {
            "the invariants of data flow exclude every error, but are not inductive by themselves"
                .into()
        }
    }))
}

/// What the program has of floats.
fn float_terms(cfa: &Cfa) -> FloatTerms {
    let transfers = || cfa.edges().map(|e| cfa.transfer(e));
    let guards: Vec<Term> = transfers().map(|t| t.guard).collect();
    let values: Vec<(Var, Term)> = transfers()
        .flat_map(|t| t.updates.iter().map(|(&v, &value)| (v, value)))
        .collect();
    FloatTerms::read(&cfa.program.pool, &guards, &values, true)
}

/// What holds at each head; `false` at one that is not reached.
fn invariants(cfa: &mut Cfa, analysis: &Analysis<Domains>) -> BTreeMap<Loc, Vec<Term>> {
    let mut facts = BTreeMap::new();
    for head in cfa.heads().to_vec() {
        let list = match analysis.state(head) {
            Some(state) => state.facts(&mut cfa.program.pool),
            None => vec![cfa.program.pool.fls()],
        };
        facts.insert(head, list);
    }
    facts
}

fn publish(cfa: &Cfa, host: &mut dyn Host, facts: &BTreeMap<Loc, Vec<Term>>) {
    let lemmas: Vec<Lemma> = facts
        .iter()
        .flat_map(|(&loc, list)| list.iter().map(move |&fact| Lemma::candidate(loc, fact)))
        .collect();
    if !lemmas.is_empty() {
        host.publish(&cfa.program.pool, &lemmas);
    }
}
