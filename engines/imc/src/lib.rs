//! Interpolation-based model checking: what interpolants say of a refuted unrolling is made an invariant.
//!
//! The program must be a transition system (one loop location: what hardware front ends make and the pass `monolithic` establishes).
//!
//! - *imc* (McMillan, "Interpolation and SAT-based model checking", CAV 2003): A is the image of a set R of states, B all that leads to an error
//!   within k steps. An interpolant holds of the image and is no such state; R grows by it until it says nothing new, and then R is
//!   an invariant. Where A and B have a model, R was too much, unless it is the initial states alone: k grows, and R begins anew.
//!   Ours differs in that the initial states are taken as an interpolant as well, because they may be given by inputs, which an invariant
//!   cannot speak of.
//! - *isb* (Vizel and Grumberg, "Interpolation-sequence based model checking", FMCAD 2009): the unrolling to k steps
//!   is refuted, and its sequence interpolant has a member for each step. The conjunctions F(j) of the j-th members of all
//!   sequences over-approximate what is reached in j steps. Where F(j) implies the disjunction of those before, that is an invariant:
//!   steps lead from each to the next, and none has an error.
//!
//! Both use whatever the session's interpolants are; pipelines ask for those from proofs of the SAT solver.
//!
//! Open first: this file, then [`unrolled`]. Deliberately absent: trust in an interpolant; what comes of them is
//! checked as any invariant.

pub mod plugin;
mod unrolled;

pub use plugin::{Mode, Options};

use std::collections::BTreeMap;
use trellis_engine_common::{Figures, Outcome, ask, go_on};
use trellis_ivl::{LocKind, Program, Term};
use trellis_ivl_passes::transition::{TransitionSystem, check_shape};
use trellis_plugin_sdk::{Certificate, EngineError, Host, Verdict};
use trellis_solver_api::SolverError;
use trellis_solver_api::smt::SmtSession;
use unrolled::Unrolled;

/// Decides the `program`, a transition system, as far as `options` allow; `session` must be fresh.
///
/// # Errors
/// When the program has another shape or the solver fails; limits are unknown verdicts.
pub fn run(
    program: &Program,
    session: &mut dyn SmtSession,
    options: &Options,
    host: &mut dyn Host,
) -> Result<Outcome, EngineError> {
    let mut own = program.clone();
    let system =
        TransitionSystem::new(&mut own).map_err(|e| EngineError::Program(e.to_string()))?;
    let mut stats = Figures::new();
    let mut kinds = vec![true];
    let mut incomplete = None;
    let mut verdict = Verdict::Unknown(String::new());
    // Errors and incomplete locations first; if one of these is reached, errors may still be found, but nothing be proved.
    while let Some(all) = kinds.pop() {
        let is_error = |kind: &LocKind| matches!(kind, LocKind::Error(_));
        let wanted = (0..system.bads.len())
            .filter(|&i| all || is_error(&own.locs[system.bads[i].loc].kind))
            .collect();
        let mut search = Search {
            unrolled: Unrolled::new(&mut own, &system, wanted),
            session: &mut *session,
            host: &mut *host,
            options,
            bound: 0,
            interpolants: 0,
        };
        let found = search.decide();
        stats.insert("bound", u64::from(search.bound));
        *stats.entry("interpolants").or_default() += search.interpolants;
        verdict = match found {
            Err(e) => e.into_verdict()?,
            Ok(Found::Safe(_)) if !all => Verdict::Unknown(String::new()),
            Ok(Found::Safe(invariant)) => {
                let head = check_shape(program)
                    .map_err(|e| EngineError::Internal(e.to_string()))?
                    .head;
                Verdict::Safe(Certificate {
                    invariants: BTreeMap::from([(head, invariant)]),
                    ..Certificate::default()
                })
            }
            Ok(Found::Reached(bad, path)) => match &program.locs[system.bads[bad].loc].kind {
                LocKind::Incomplete(reason) => {
                    incomplete = Some(format!("incomplete: {reason}"));
                    kinds.push(false);
                    continue;
                }
                _ => Verdict::Unsafe(system.trace(&own, &path)),
            },
        };
    }
    if let (Verdict::Unknown(_), Some(why)) = (&verdict, incomplete) {
        verdict = Verdict::Unknown(why);
    }
    Ok(Outcome {
        verdict,
        pool: own.pool,
        stats,
    })
}

/// That the solver gave up is a limit.
fn or_limit(e: SolverError) -> EngineError {
    match e {
        SolverError::GaveUp { reason, .. } => EngineError::GaveUp(reason),
        e => e.into(),
    }
}

/// What a search has found.
enum Found {
    /// An invariant, over the state.
    Safe(Term),
    /// A way to a bad condition.
    Reached(usize, trellis_ivl_passes::transition::Path),
}

struct Search<'a> {
    unrolled: Unrolled<'a>,
    session: &'a mut dyn SmtSession,
    host: &'a mut dyn Host,
    options: &'a Options,
    bound: u32,
    interpolants: u64,
}

impl Search<'_> {
    fn decide(&mut self) -> Result<Found, EngineError> {
        if self.unrolled.system.bads.is_empty() {
            return Ok(Found::Safe(self.unrolled.program.pool.tru()));
        }
        match self.options.mode {
            Mode::Image => self.images(),
            Mode::Sequence => self.sequences(),
        }
    }

    /// One more step to look ahead.
    fn deeper(&mut self, by: u32) -> Result<usize, EngineError> {
        go_on(self.host)?;
        self.bound += by;
        if let Some(limit) = self.options.bound.filter(|&limit| self.bound > limit) {
            return Err(EngineError::Limit(format!("no proof within {limit} steps")));
        }
        self.host.progress("bound", u64::from(self.bound));
        Ok(self.bound as usize)
    }

    fn interpolant(&mut self, a: Term, b: Term) -> Result<Option<Term>, EngineError> {
        go_on(self.host)?;
        self.interpolants += 1;
        let pool = &mut self.unrolled.program.pool;
        self.session.interpolate(pool, a, b).map_err(or_limit)
    }

    /// Whether `a` implies `b`.
    fn implies(&mut self, a: Term, b: Term) -> Result<bool, EngineError> {
        let pool = &mut self.unrolled.program.pool;
        let not_b = pool.not(b);
        Ok(!ask(self.session, pool, &[a, not_b])?)
    }

    /// The way to a bad condition within `bound` steps, which exists.
    fn counterexample(&mut self, bound: usize) -> Result<Found, EngineError> {
        let mut parts = vec![self.unrolled.init()];
        // The shortest, one step after the other.
        for last in 0..=bound {
            let bad = self.unrolled.bad(last);
            parts.push(bad);
            if ask(self.session, &self.unrolled.program.pool, &parts)? {
                let path = self.unrolled.path(self.session, last)?;
                let bad = path.as_ref().and_then(|p| Some(p.bad.as_ref()?.0));
                return match (bad, path) {
                    (Some(bad), Some(path)) => Ok(Found::Reached(bad, path)),
                    _ => Err(EngineError::Internal("a model without an error".into())),
                };
            }
            parts.pop();
            parts.push(self.unrolled.step(last));
        }
        Err(EngineError::Internal("the error has gone".into()))
    }

    /// All that leads to an error within so many steps, over step 0.
    fn ahead(&mut self, bound: usize) -> Term {
        let mut within = self.unrolled.bad(bound);
        for step in (0..bound).rev() {
            let (bad, on) = (self.unrolled.bad(step), self.unrolled.step(step));
            let pool = &mut self.unrolled.program.pool;
            let later = pool.and(on, within);
            within = pool.or(bad, later);
        }
        within
    }

    fn images(&mut self) -> Result<Found, EngineError> {
        let mut by = 0;
        loop {
            let bound = self.deeper(by)?;
            let ahead = self.ahead(bound);
            let init = self.unrolled.init();
            let Some(mut reached) = self.interpolant(init, ahead)? else {
                return self.counterexample(bound);
            };
            let step = self.unrolled.step_before();
            by = 0;
            loop {
                by += 1;
                let before = self.unrolled.at_before(reached);
                let image = self.unrolled.program.pool.and(before, step);
                let Some(next) = self.interpolant(image, ahead)? else {
                    break;
                };
                if self.implies(next, reached)? {
                    return Ok(Found::Safe(reached));
                }
                reached = self.unrolled.program.pool.or(reached, next);
            }
        }
    }

    fn sequences(&mut self) -> Result<Found, EngineError> {
        // What holds after so many steps.
        let mut frames: Vec<Term> = Vec::new();
        let mut parts = vec![self.unrolled.init()];
        let mut by = 0;
        loop {
            let bound = self.deeper(by)?;
            by = 1;
            parts.push(self.unrolled.bad(bound));
            self.interpolants += 1;
            let pool = &mut self.unrolled.program.pool;
            let sequence = self.session.interpolate_sequence(pool, &parts);
            let sequence = sequence.map_err(or_limit)?;
            let Some(sequence) = sequence else {
                return self.counterexample(bound);
            };
            parts.pop();
            frames.push(self.unrolled.program.pool.tru());
            for (step, frame) in frames.iter_mut().enumerate() {
                let member = self.unrolled.back(sequence[step + 1], step);
                *frame = self.unrolled.program.pool.and(*frame, member);
            }
            let mut before = frames[0];
            for &frame in &frames[1..] {
                go_on(self.host)?;
                if self.implies(frame, before)? {
                    return Ok(Found::Safe(before));
                }
                before = self.unrolled.program.pool.or(before, frame);
            }
            parts.push(self.unrolled.step(bound));
        }
    }
}
