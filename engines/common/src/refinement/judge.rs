//! How a run that refines begins, judges its counterexamples, and ends.

use super::interpolants::{Interpolant, Interpolation};
use super::path::{Checked, Path, Ssa};
use crate::cfa::Cfa;
use crate::error::EngineError;
use crate::verdict::{Outcome, Proof, Verdict};
use std::collections::BTreeMap;
use trellis_ivl::{Edge, Loc, LocKind, Program, Term, Trace};
use trellis_solver_api::smt::SmtSession;

/// Wrong behaviour, for tests that show that it is noticed.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Refinement forgets what it found.
    pub forget: bool,
}

/// What there is to do with a program.
pub enum Beginning {
    /// It is prepared.
    Ready(Box<Cfa>),
    /// Its entry decides it.
    Over(Box<Outcome>),
}

/// Prepares a flat program.
///
/// # Errors
/// When it is not flat.
pub fn begin(program: &Program) -> Result<Beginning, EngineError> {
    let cfa = Cfa::without_selectors(program)?;
    let verdict = match &cfa.program.locs[cfa.program.entry()].kind {
        LocKind::Plain => return Ok(Beginning::Ready(Box::new(cfa))),
        LocKind::Error(_) => Verdict::Unsafe(Trace::default()),
        LocKind::Incomplete(reason) => Verdict::Unknown(format!("incomplete: {reason}")),
    };
    let outcome = Outcome::new(Ok(verdict), cfa, BTreeMap::new())?;
    Ok(Beginning::Over(Box::new(outcome)))
}

/// What a counterexample comes to.
pub enum Judged {
    /// The run is over.
    Over(Verdict),
    /// It ends where nothing is known; an error may still be reached elsewhere.
    GivenUp,
    /// It cannot be taken, because of these conjuncts, sorted.
    Spurious(Path, Vec<Term>),
}

/// The counterexamples of a run.
pub struct Judge {
    /// The last refinement; 0 goes on for ever.
    limit: u32,
    done: u32,
    /// Incomplete locations that are reached, with their reasons.
    given_up: BTreeMap<Loc, String>,
    /// The symbols of paths.
    ssa: Ssa,
}

impl Judge {
    /// None yet; with more than `limit` spurious ones the run is over, unless it is 0.
    pub fn new(limit: u32) -> Judge {
        Judge {
            limit,
            done: 0,
            given_up: BTreeMap::new(),
            ssa: Ssa::default(),
        }
    }

    /// How many were spurious.
    pub fn refinements(&self) -> u32 {
        self.done
    }

    /// Whether `target` is reached and tells nothing.
    pub fn is_given_up(&self, target: Loc) -> bool {
        self.given_up.contains_key(&target)
    }

    /// Judges the path of `edges` from the entry to a target.
    ///
    /// # Errors
    /// When the solver fails or gives up.
    pub fn judge(
        &mut self,
        cfa: &mut Cfa,
        session: &mut dyn SmtSession,
        edges: &[Edge],
    ) -> Result<Judged, EngineError> {
        let path = Path::new(cfa, &mut self.ssa, edges);
        session.set_kind("counterexample");
        match path.check(cfa, session)? {
            Checked::Feasible(trace) => {
                let last = edges[edges.len() - 1];
                let target = cfa.program.edges[last].to;
                if let LocKind::Incomplete(reason) = &cfa.program.locs[target].kind {
                    self.given_up.insert(target, reason.to_string());
                    return Ok(Judged::GivenUp);
                }
                Ok(Judged::Over(Verdict::Unsafe(trace)))
            }
            Checked::Infeasible(core) => {
                if self.limit > 0 && self.done >= self.limit {
                    let why = format!("no proof in {} refinements", self.limit);
                    return Ok(Judged::Over(Verdict::Unknown(why)));
                }
                self.done += 1;
                Ok(Judged::Spurious(path, core))
            }
        }
    }

    /// The interpolants of a spurious path; a verdict where there are none. `interpolation` takes the symbols of paths.
    ///
    /// # Errors
    /// When the solver fails or gives up.
    pub fn interpolants<'a>(
        &'a self,
        path: &Path,
        core: &[Term],
        interpolation: impl FnOnce(&'a Ssa) -> Interpolation<'a>,
    ) -> Result<Result<Vec<Interpolant>, Verdict>, EngineError> {
        let sequence = interpolation(&self.ssa).sequence(path, core)?;
        Ok(sequence.ok_or_else(|| {
            let why = "a spurious counterexample has no interpolants: the predicates do not suffice, and the solver \
                       has none";
            Verdict::Unknown(why.into())
        }))
    }

    /// The verdict of a run that has excluded every target that was not given up.
    pub fn excluded(&self, proof: impl FnOnce() -> Proof) -> Verdict {
        match self.given_up.values().next() {
            Some(reason) => Verdict::Unknown(format!("incomplete: {reason}")),
            None => Verdict::Safe(proof()),
        }
    }

    /// The outcome of a run that ended with `result`: at a limit it says as well what was incomplete.
    ///
    /// # Errors
    /// Failures that are no limits.
    pub fn end(
        &self,
        result: Result<Verdict, EngineError>,
        cfa: Cfa,
        stats: BTreeMap<&'static str, u64>,
    ) -> Result<Outcome, EngineError> {
        let result = match (result, self.given_up.values().next()) {
            (Err(e), Some(reason)) if e.is_limit() => {
                Ok(Verdict::Unknown(format!("incomplete: {reason} ({e})")))
            }
            (result, _) => result,
        };
        Outcome::new(result, cfa, stats)
    }
}

/// The verdict of a run in which refinement had no effect.
pub fn no_progress(what: &str) -> Verdict {
    Verdict::Unknown(format!("refinement makes no progress: {what}"))
}
