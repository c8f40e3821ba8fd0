//! Non-termination by sets of states that some execution enters and need never leave.
//!
//! After Gupta, Henzinger, Majumdar, Rybalchenko and Xu ("Proving non-termination", POPL'08), on bit-vectors: a way round a loop
//! is chosen, with values for its inputs, and then it is a function f of the state with a condition. Candidates for the set are the conjuncts of the
//! condition, the same after f, that variables keep their values under f, and what is known of their lowest bits; those that hold in
//! a state that can go round a few times are assumed, and those that f does not keep are dropped (Houdini). If what is left implies the
//! condition, it is never left. A state that comes back after one round is the case where variables keep their values.
//!
//! Before that some executions with random inputs are watched, which is what large programs need: a state that comes back is a lasso.
//!
//! Open first: [`ways`] for the ways round, [`sets`] for the sets of one and [`mod@together`] for those of several, [`mod@stem`] for how an execution gets there; [`mod@walk`] for executions.
//!
//! Deliberately absent: states that no random execution comes back to and that come back after several rounds only, which the safety engines
//! find on programs that watch a loop.

pub mod plugin;
pub mod sets;
pub mod stem;
pub mod together;
pub mod walk;
pub mod ways;

pub use plugin::Options;

use crate::together::together;
use crate::walk::{Reach, walk};
use crate::ways::WayRound;
use trellis_engine_common::go_on;
use trellis_ivl::termination::loops;
use trellis_ivl::walk::Importer;
use trellis_ivl::{Program, Term, TermPool, Trace};
use trellis_plugin_sdk::{Divergence, EngineError, Host, Recurrent, Verdict, Way};
use trellis_solver_api::Limits;

/// How far executions go before anything else is tried, and where nothing else has helped.
const SHORT: Reach = Reach {
    all: 30_000,
    each: 2_000,
};
const LONG: Reach = Reach {
    all: 1_500_000,
    each: 30_000,
};

/// Looks for an execution of the flat `program` that does not end; terms of the answer are put into `pool`, which is the program's.
///
/// # Errors
/// When the program is not flat, the solver fails, or it is time to stop.
pub fn run(
    program: &Program,
    pool: &mut TermPool,
    options: &Options,
    host: &mut dyn Host,
) -> Result<Verdict, EngineError> {
    if !program.is_flat() {
        return Err(EngineError::not_flat());
    }
    let limits = Limits {
        conflicts: Some(options.conflicts),
        ..Limits::NONE
    };
    let all = loops(program);
    let endless = |lasso| Verdict::Diverges(Divergence::Lasso(lasso));
    if let Some(lasso) = walk(program, &all, SHORT, host)? {
        return Ok(endless(lasso));
    }
    for of in &all {
        let mut work = program.clone();
        let mut session = host.smt_session()?;
        session.set_limits(limits);
        let ways = ways::ways(&mut work, of, options.ways as usize);
        for way in &ways {
            go_on(host)?;
            let found = sets::sets(&mut work, of, way, session.as_mut(), options, host)?;
            for set in found {
                go_on(host)?;
                let stem = stem::stem(program, &work.pool, of.head, set.term, options, host)?;
                let Some(stem) = stem else {
                    continue;
                };
                let guard = work.pool.tru();
                let cases = vec![(way, guard, set.inputs)];
                return Ok(recurrent(pool, &work.pool, stem, set.term, cases));
            }
        }
        let (session, host) = (session.as_mut(), &mut *host);
        if let Some(t) = together(program, &mut work, of, &ways, session, options, host)? {
            let cases = t.cases.into_iter();
            let cases = cases.map(|(i, guard, inputs)| (&ways[i], guard, inputs));
            return Ok(recurrent(pool, &work.pool, t.stem, t.set, cases.collect()));
        }
    }
    if let Some(lasso) = walk(program, &all, LONG, host)? {
        return Ok(endless(lasso));
    }
    Ok(Verdict::Unknown(
        "no set of states is found that is never left".into(),
    ))
}

/// The claim that a set is never left, whose terms are put into `pool`: for each way when it is taken, and its inputs.
fn recurrent(
    pool: &mut TermPool,
    from: &TermPool,
    stem: Trace,
    set: Term,
    cases: Vec<(&WayRound, Term, Vec<Term>)>,
) -> Verdict {
    let mut importer = Importer::default();
    let mut copy = |t| importer.import(pool, from, t, &mut |own, v| own.var(v));
    let set = copy(set);
    let cases = cases.into_iter().map(|(way, guard, inputs)| Way {
        guard: copy(guard),
        steps: way.steps.clone(),
        inputs: inputs.into_iter().map(&mut copy).collect(),
    });
    let cases = cases.collect();
    Verdict::Diverges(Divergence::Recurrent(Recurrent { stem, set, cases }))
}
