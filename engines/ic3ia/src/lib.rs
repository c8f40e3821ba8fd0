//! IC3 over predicates that are refined on the way, with frames per location.
//!
//! With *implicit abstraction* (Cimatti, Griggio, Mover, Tonetta, "IC3 modulo theories via implicit predicate
//! abstraction", TACAS 2014; Listing 5 of the survey in the manual) cubes are valuations of the predicates of a location; a
//! counterexample is simulated by one path formula, and interpolants of a spurious one are new predicates. With *ctigar*
//! (Birgmeier, Bradley, Weissenbacher, CAV 2014; Listing 6) predicates are refined from single obligations: where not
//! every state of a cube goes where its model went, or where a cube is entered though its model's state is not;
//! eagerly, or lazily when a counterexample needs them.
//!
//! Open first: [`run`], then [`query`], which says where EQ has gone, [`block`] and [`refine`].
//!
//! Deliberately absent: any solver; trust in a counterexample: what is reported is the execution of a path formula.

mod block;
mod frames;
mod obligation;
pub mod plugin;
mod query;
mod refine;

pub use plugin::{Mode, Options};
#[doc(hidden)]
pub use trellis_engine_common::refinement::Faults;
pub use trellis_engine_common::refinement::Source;

use frames::Frames;
use obligation::{Id, Obligations};
use query::{Queries, Step};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use trellis_engine_common::refinement::{self, Judge, Judged, Vocabulary};
use trellis_engine_common::{Cfa, Figures, Invariants, Outcome, go_on};
use trellis_ivl::{Edge, Evaluator, Loc, LocKind, Program, Term};
use trellis_plugin_sdk::{Certificate, EngineError, Host, Verdict};
use trellis_solver_api::smt::SmtSession;

/// Decides the flat `program` as far as `options` allow; `session` must be fresh.
///
/// # Errors
/// When the program is not flat or the solver fails; limits are unknown verdicts.
pub fn run(
    program: &Program,
    session: &mut dyn SmtSession,
    options: &Options,
    faults: Faults,
    host: &mut dyn Host,
) -> Result<Outcome, EngineError> {
    refinement::run(program, options.refinements, |cfa, judge| {
        let mut incoming: BTreeMap<Loc, Vec<Edge>> = BTreeMap::new();
        for e in cfa.edges() {
            let to = cfa.program.edges[e].to;
            incoming.entry(to).or_default().push(e);
        }
        let mut run = Run {
            vocabulary: Vocabulary::new(cfa),
            cfa,
            queries: Queries::new(session),
            options,
            faults,
            host,
            incoming,
            frames: Frames::default(),
            obligations: Obligations::default(),
            predicates: BTreeMap::new(),
            judge,
            evaluator: Evaluator::new(),
            refuted: FxHashMap::default(),
            bound: 0,
        };
        let result = run.prove();
        (result, run.figures())
    })
}

/// A run of the engine.
pub(crate) struct Run<'a> {
    pub(crate) cfa: &'a mut Cfa,
    pub(crate) queries: Queries<'a>,
    pub(crate) options: &'a Options,
    pub(crate) faults: Faults,
    host: &'a mut dyn Host,
    pub(crate) vocabulary: Vocabulary,
    pub(crate) incoming: BTreeMap<Loc, Vec<Edge>>,
    pub(crate) frames: Frames,
    pub(crate) obligations: Obligations,
    /// The predicates of each location.
    pub(crate) predicates: BTreeMap<Loc, Vec<Term>>,
    pub(crate) judge: &'a mut Judge,
    pub(crate) evaluator: Evaluator,
    /// How often a path was refuted.
    refuted: FxHashMap<Vec<Edge>, u32>,
    pub(crate) bound: u32,
}

impl Run<'_> {
    fn figures(&self) -> Figures {
        let predicates: usize = self.predicates.values().map(Vec::len).sum();
        Figures::from([
            ("iterations", u64::from(self.bound)),
            ("lemmas", self.frames.len() as u64),
            ("predicates", predicates as u64),
            ("refinements", u64::from(self.judge.refinements())),
        ])
    }

    /// The outer loop: one more level at a time.
    fn prove(&mut self) -> Result<Verdict, EngineError> {
        loop {
            self.bound += 1;
            let limit = self.options.iterations.filter(|&limit| self.bound > limit);
            if let Some(limit) = limit {
                return Ok(Verdict::Unknown(format!("no proof in {limit} iterations")));
            }
            let predicates: usize = self.predicates.values().map(Vec::len).sum();
            let figures = format!(
                "{} refinements, {predicates} predicates, {} lemmas, iteration",
                self.judge.refinements(),
                self.frames.len()
            );
            self.host.progress(&figures, u64::from(self.bound));
            while let Some(first) = self.strengthen()? {
                if let Some(verdict) = self.counterexample(first)? {
                    return Ok(verdict);
                }
            }
            if let Some(level) = self.propagate()? {
                let proof = || certificate(self.cfa, &self.frames, level);
                return Ok(self.judge.excluded(proof));
            }
        }
    }

    pub(crate) fn check_cancelled(&mut self) -> Result<(), EngineError> {
        go_on(self.host)
    }

    /// Blocks obligations until no target is reached from the last frame; an obligation at the entry otherwise.
    fn strengthen(&mut self) -> Result<Option<Id>, EngineError> {
        loop {
            while let Some((level, id)) = self.obligations.pop() {
                self.check_cancelled()?;
                if let Some(first) = self.handle(level, id)? {
                    return Ok(Some(first));
                }
            }
            self.obligations.clear();
            let Some(id) = self.find_obligation()? else {
                return Ok(None);
            };
            if self.obligations.get(id).loc == self.cfa.program.entry() {
                return Ok(Some(id));
            }
            self.obligations.enqueue(id, self.bound);
        }
    }

    /// An obligation from an edge that leads from the last frame to a target.
    fn find_obligation(&mut self) -> Result<Option<Id>, EngineError> {
        for (target, edges) in self.incoming.clone() {
            if self.cfa.program.locs[target].kind == LocKind::Plain
                || self.judge.is_given_up(target)
            {
                continue;
            }
            for e in edges {
                let step = self
                    .queries
                    .step(self.cfa, e, self.bound, &[], false, "target")?;
                if matches!(step, Step::Leads) {
                    return Ok(Some(self.derive(e, None)?));
                }
            }
        }
        Ok(None)
    }

    /// Simulates a counterexample: a verdict where it ends the run; new predicates otherwise.
    fn counterexample(&mut self, first: Id) -> Result<Option<Verdict>, EngineError> {
        let ids = self.obligations.path(first);
        let edges: Vec<Edge> = ids
            .iter()
            .map(|&id| self.obligations.get(id).edge)
            .collect();
        match self.judge.judge(self.cfa, self.queries.session, &edges)? {
            Judged::Over(verdict) => Ok(Some(verdict)),
            Judged::GivenUp => {
                self.obligations.clear();
                Ok(None)
            }
            Judged::Spurious(path, core) => {
                let times = self.refuted.entry(edges).or_default();
                *times += 1;
                let times = *times;
                let verdict = self.refine(&ids, &path, &core, times)?;
                self.obligations.clear();
                Ok(verdict)
            }
        }
    }
}

/// The invariants of the frames above `level`.
fn certificate(cfa: &mut Cfa, frames: &Frames, level: u32) -> Certificate {
    let mut invariants = Invariants::new();
    for head in cfa.heads().to_vec() {
        let pool = &mut cfa.program.pool;
        let mut clauses = Vec::new();
        for lemma in frames.at(head).iter().filter(|l| l.level > level) {
            let cube = pool.and_all(lemma.cube.iter().copied());
            clauses.push(pool.not(cube));
        }
        let invariant = pool.and_all(clauses);
        invariants.insert(head, invariant);
    }
    Certificate::inductive(1, invariants)
}
