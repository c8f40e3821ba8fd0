//! How a run that refines begins, judges its counterexamples, and ends.

use super::interpolants::{Interpolant, Interpolation};
use super::path::{Checked, Path, Ssa};
use crate::cfa::Cfa;
use crate::outcome::{Figures, Outcome};
use std::collections::BTreeMap;
use trellis_ivl::{Edge, Loc, LocKind, Program, Term, Trace};
use trellis_plugin_sdk::{Certificate, EngineError, Verdict};
use trellis_solver_api::smt::SmtSession;

/// Wrong behaviour, for tests that show that it is noticed.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Refinement forgets what it found.
    pub forget: bool,
}

/// Runs an engine that refines on a flat program, unless its entry decides it: `go` explores, and gives its answer and its
/// figures. With more than `limit` spurious counterexamples the run is over.
///
/// # Errors
/// When the program is not flat; failures of `go` that are no limits.
pub fn run(
    program: &Program,
    limit: Option<u32>,
    go: impl FnOnce(&mut Cfa, &mut Judge) -> (Result<Verdict, EngineError>, Figures),
) -> Result<Outcome, EngineError> {
    let mut cfa = Cfa::without_selectors(program)?;
    let mut judge = Judge::new(limit);
    let (result, stats) = match &cfa.program.locs[cfa.program.entry()].kind {
        LocKind::Plain => go(&mut cfa, &mut judge),
        LocKind::Error(_) => (Ok(Verdict::Unsafe(Trace::default())), Figures::new()),
        LocKind::Incomplete(reason) => {
            let why = format!("incomplete: {reason}");
            (Ok(Verdict::Unknown(why)), Figures::new())
        }
    };
    let incomplete = judge.given_up.values().next();
    Outcome::new(result, incomplete.map(String::as_str), cfa, stats)
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
    /// The last refinement, if there is one.
    limit: Option<u32>,
    done: u32,
    /// Incomplete locations that are reached, with their reasons.
    given_up: BTreeMap<Loc, String>,
    /// The symbols of paths.
    ssa: Ssa,
}

impl Judge {
    fn new(limit: Option<u32>) -> Judge {
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
                if let Some(limit) = self.limit.filter(|&limit| self.done >= limit) {
                    let why = format!("no proof in {limit} refinements");
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
    pub fn excluded(&self, proof: impl FnOnce() -> Certificate) -> Verdict {
        match self.given_up.values().next() {
            Some(reason) => Verdict::Unknown(format!("incomplete: {reason}")),
            None => Verdict::Safe(proof()),
        }
    }
}

/// The verdict of a run in which refinement had no effect.
pub fn no_progress(what: &str) -> Verdict {
    Verdict::Unknown(format!("refinement makes no progress: {what}"))
}
