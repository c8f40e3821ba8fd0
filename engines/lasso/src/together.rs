//! Sets that several ways round keep together: where one cannot be taken another can.
//!
//! The execution that comes to the head first says which candidates hold there. Those that some way breaks are dropped; if in what is
//! left some way can always be taken, it is never left.

use crate::plugin::Options;
use crate::sets::{Function, Kept, functions, kept};
use crate::stem::stem;
use crate::ways::WayRound;
use rustc_hash::FxHashSet;
use trellis_engine_common::{go_on, try_ask};
use trellis_ivl::termination::Loop;
use trellis_ivl::{Machine, Program, Term, Trace, Value};
use trellis_plugin_sdk::{EngineError, Host};
use trellis_solver_api::smt::SmtSession;

/// A set with the ways that keep it.
pub struct Together {
    /// An execution into it.
    pub stem: Trace,
    /// Its states.
    pub set: Term,
    /// For some ways, by number: when it is taken, and what its inputs are.
    pub cases: Vec<(usize, Term, Vec<Term>)>,
}

/// A set that the ways keep together, if what holds at the first visit has one.
pub fn together(
    original: &Program,
    work: &mut Program,
    of: &Loop,
    ways: &[WayRound],
    session: &mut dyn SmtSession,
    options: &Options,
    host: &mut dyn Host,
) -> Result<Option<Together>, EngineError> {
    let mut taken: Vec<(usize, Function)> = Vec::new();
    for (i, way) in ways.iter().enumerate() {
        go_on(host)?;
        let function = functions(work, way, 1, session)?.into_iter().next();
        taken.extend(function.map(|f| (i, f)));
    }
    let tru = work.pool.tru();
    if taken.len() < 2 {
        return Ok(None);
    }
    let Some(stem) = stem(original, &work.pool, of.head, tru, options, host)? else {
        return Ok(None);
    };
    let mut all = holding(work, &stem, &taken);
    let closed: Vec<Term> = (taken.iter())
        .map(|(_, f)| work.pool.and_all(f.conditions.iter().copied()))
        .collect();
    session.set_kind("houdini");
    let mut i = 0;
    while i < taken.len() {
        go_on(host)?;
        match kept(&mut work.pool, &taken[i].1, &all, Some(closed[i]), session)? {
            Kept::All => i += 1,
            Kept::Fewer(fewer) => (all, i) = (fewer, 0),
            Kept::Unclear => return Ok(None),
        }
    }
    let pool = &mut work.pool;
    let goes = pool.or_all(closed.iter().copied());
    let mut assumed = all.clone();
    assumed.push(pool.not(goes));
    if try_ask(session, pool, &assumed)? != Some(false) {
        return Ok(None);
    }
    let cases = taken.into_iter().zip(closed);
    Ok(Some(Together {
        stem,
        set: pool.and_all(all),
        cases: cases.map(|((i, f), guard)| (i, guard, f.inputs)).collect(),
    }))
}

/// The conditions of ways, either way round, that hold where the execution ends.
fn holding(work: &mut Program, stem: &Trace, taken: &[(usize, Function)]) -> Vec<Term> {
    let conditions = taken.iter().flat_map(|(_, f)| f.conditions.iter().copied());
    let mut seen = FxHashSet::default();
    let mut candidates = Vec::new();
    for t in conditions.collect::<Vec<_>>() {
        if seen.insert(t) && !work.pool.is_const(t) {
            candidates.extend([t, work.pool.not(t)]);
        }
    }
    let Ok(mut machine) = Machine::for_trace(work, stem) else {
        return Vec::new();
    };
    if stem.steps.iter().any(|s| machine.replay(s).is_err()) {
        return Vec::new();
    }
    candidates.retain(|&t| machine.eval(t) == Value::Bool(true));
    candidates
}
