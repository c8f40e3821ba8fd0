//! Bounded model checking, incrementally.
//!
//! Searches for errors in one more segment (a visit of a loop head to the next) at a time, so
//! counterexamples are shortest ones. Where the forward condition shows that no execution is longer, the program is
//! safe, by invariants where some are found and by the unwinding itself otherwise; a bound that is reached proves nothing. An incomplete
//! location that is reached leaves errors elsewhere to be found, but no proof.
//!
//! Deliberately absent: induction. The unrolling is `trellis_engine_common`'s.

pub mod plugin;

use std::collections::BTreeMap;
use trellis_engine_common::{
    Base, Cfa, EngineError, Hooks, Induction, Outcome, Verdict, complete, go_on,
};
use trellis_ivl::Program;
use trellis_solver_api::smt::SmtSession;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many segments to unroll at most; `None` goes on for ever.
    pub bound: Option<u32>,
    /// Whether to ask after each segment if the unrolling is complete.
    pub forward_condition: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            bound: None,
            forward_condition: true,
        }
    }
}

/// Decides the flat `program` as far as `options` allow; `session` must be fresh.
///
/// # Errors
/// When the program is not flat or the solver fails; limits are unknown verdicts.
pub fn run(
    program: &Program,
    session: &mut dyn SmtSession,
    options: &Options,
    hooks: &mut dyn Hooks,
) -> Result<Outcome, EngineError> {
    let mut cfa = Cfa::new(program, session, hooks)?;
    let mut base = Base::new(&mut cfa);
    let result = search(&mut cfa, session, &mut base, options, hooks);
    let result = match (result, &base.incomplete) {
        (Err(e), Some(reason)) if e.is_limit() => {
            Ok(Verdict::Unknown(format!("incomplete: {reason} ({e})")))
        }
        (result, _) => result,
    };
    let mut stats = BTreeMap::from([("segments", base.unrolling.segments() as u64)]);
    base.unrolling.stats().report(&mut stats);
    Outcome::new(result, cfa, stats)
}

fn search(
    cfa: &mut Cfa,
    session: &mut dyn SmtSession,
    base: &mut Base,
    options: &Options,
    hooks: &mut dyn Hooks,
) -> Result<Verdict, EngineError> {
    while !base.complete {
        let depth = base.unrolling.segments();
        if options.bound.is_some_and(|bound| depth >= bound as usize) {
            let why = match &base.incomplete {
                Some(reason) => format!("incomplete: {reason}"),
                None => format!("no error within the bound of {depth} visits of loop heads"),
            };
            return Ok(Verdict::Unknown(why));
        }
        go_on(hooks)?;
        if let Some(trace) = base.deepen(cfa, session, hooks)? {
            return Ok(Verdict::Unsafe(trace));
        }
        hooks.progress(&format!("no error in {} segments", depth + 1));
        if options.forward_condition {
            base.find_complete(cfa, session)?;
        }
    }
    if let Some(reason) = &base.incomplete {
        return Ok(Verdict::Unknown(format!("incomplete: {reason}")));
    }
    let mut induction = Induction::new(cfa);
    complete::verdict(cfa, session, hooks, &base.unrolling, &mut induction)
}
