//! Bounded model checking, incrementally.
//!
//! Searches for errors in one more segment (a visit of a loop head to the next) at a time, so
//! counterexamples are shortest ones. Where the forward condition shows that no execution is longer, the program is
//! safe, by invariants where some are found and by the unwinding itself otherwise; a bound that is reached proves nothing. An incomplete
//! location that is reached leaves errors elsewhere to be found, but no proof. With the option `unwind` loops are first unwound one by
//! one, each to its end, which suits programs of many bounded loops.
//!
//! Deliberately absent: induction. The unrolling is `trellis_engine_common`'s.

pub mod plugin;

pub use plugin::Options;

use trellis_engine_common::unwind::Limits;
use trellis_engine_common::{
    Base, Cfa, Figures, Induction, Outcome, UnrollStats, Unwound, complete, go_on, unwind,
};
use trellis_ivl::Program;
use trellis_plugin_sdk::{EngineError, Host, Verdict};
use trellis_solver_api::smt::SmtSession;

/// The most edges of an unwinding loop by loop; more are left to the search by segments.
const MAX_EDGES: u64 = 2_000_000;

/// Decides the flat `program` as far as `options` allow; `session` must be fresh.
///
/// # Errors
/// When the program is not flat or the solver fails; limits are unknown verdicts.
pub fn run(
    program: &Program,
    session: &mut dyn SmtSession,
    options: &Options,
    host: &mut dyn Host,
) -> Result<Outcome, EngineError> {
    let mut cfa = Cfa::new(program, session, host)?;
    let mut unwinding = UnrollStats::default();
    let first = unwound(&mut cfa, session, options, host, &mut unwinding);
    let mut base = Base::new(&mut cfa);
    let result = match first {
        Ok(None) => search(&mut cfa, session, &mut base, options, host),
        Ok(Some(verdict)) => Ok(verdict),
        Err(e) => Err(e),
    };
    let mut stats = Figures::from([("segments", base.unrolling.segments() as u64)]);
    base.unrolling.stats().report(&mut stats);
    unwinding.report(&mut stats);
    Outcome::new(result, base.incomplete.as_deref(), cfa, stats)
}

/// Decides by an unwinding loop by loop, if that is asked for and comes to an end.
fn unwound(
    cfa: &mut Cfa,
    session: &mut dyn SmtSession,
    options: &Options,
    host: &mut dyn Host,
    stats: &mut UnrollStats,
) -> Result<Option<Verdict>, EngineError> {
    if options.unwind == 0 {
        return Ok(None);
    }
    let limits = Limits {
        rounds: options.unwind,
        edges: MAX_EDGES,
    };
    Ok(match unwind(cfa, session, host, limits, stats)? {
        Unwound::Complete(visits) => Some(Verdict::Unwound { visits }),
        Unwound::Unsafe(trace) => Some(Verdict::Unsafe(trace)),
        Unwound::GaveUp => None,
    })
}

fn search(
    cfa: &mut Cfa,
    session: &mut dyn SmtSession,
    base: &mut Base,
    options: &Options,
    host: &mut dyn Host,
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
        go_on(host)?;
        if let Some(trace) = base.deepen(cfa, session, host)? {
            return Ok(Verdict::Unsafe(trace));
        }
        host.progress("no error up to segment", depth as u64 + 1);
        if options.forward_condition {
            base.find_complete(cfa, session)?;
        }
    }
    if let Some(reason) = &base.incomplete {
        return Ok(Verdict::Unknown(format!("incomplete: {reason}")));
    }
    let mut induction = Induction::new(cfa);
    complete::verdict(cfa, session, host, &base.unrolling, &mut induction)
}
