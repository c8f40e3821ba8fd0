//! How an execution gets into a set: a bounded search for the head of the loop in a state of the set.

use crate::plugin::Options;
use trellis_engine_common::{Base, Cfa, go_on};
use trellis_ivl::termination::ends_only;
use trellis_ivl::{Loc, Program, Span, Term, TermPool, Trace};
use trellis_plugin_sdk::{EngineError, Host};
use trellis_solver_api::Limits;

/// A trace to `head` in a state of `set`, which is of `pool`.
pub fn stem(
    program: &Program,
    pool: &TermPool,
    head: Loc,
    set: Term,
    options: &Options,
    host: &mut dyn Host,
) -> Result<Option<Trace>, EngineError> {
    let mut target = ends_only(program);
    let set = target.pool.import(pool, set, &mut |own, v| own.var(v));
    let main = target.main;
    let there = target.add_error(main, "recurrent", Span::NONE);
    let enter = target.cmds.assume(set);
    target.add_edge(head, there, enter, Span::NONE);
    let mut session = host.smt_session()?;
    session.set_limits(Limits {
        conflicts: Some(options.conflicts),
        ..Limits::NONE
    });
    let mut cfa = Cfa::new(&target, session.as_mut(), host)?;
    let mut base = Base::new(&mut cfa);
    while base.unrolling.segments() < options.stem as usize {
        go_on(host)?;
        let found = match base.deepen(&mut cfa, session.as_mut(), host) {
            Err(e) if e.is_limit() && !host.cancelled() => return Ok(None),
            found => found?,
        };
        if let Some(mut trace) = found {
            trace.steps.pop();
            let own = program.pool.vars();
            trace.initial.retain(|v, _| own.is_valid(*v));
            return Ok(Some(trace));
        }
        if base.find_complete(&mut cfa, session.as_mut())? {
            return Ok(None);
        }
    }
    Ok(None)
}
