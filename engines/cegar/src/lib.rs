//! Lazy abstraction: an abstract reachability graph that is refined where a spurious counterexample shows that it is
//! too coarse.
//!
//! Two modes share the graph, the check of counterexamples and the interpolants. With *predicates* (Henzinger, Jhala,
//! Majumdar, Sutre, "Lazy abstraction", POPL 2002, on large blocks as in FMCAD 2009) a node's label is a valuation of
//! the predicates that are tracked at its location; a label of several valuations is several nodes, so that covering
//! is a matter of literals and a counterexample is narrow. With *impact* (McMillan, "Lazy abstraction with
//! interpolants", CAV 2006) labels are the interpolants themselves, nothing is abstracted, and covering is a query.
//!
//! Open first: [`run`], then [`graph`] and [`abstraction`]; [`refine`] makes progress, [`certificate`] the proof.
//! Interpolants are `trellis_engine_common::refinement`'s.
//!
//! Deliberately absent: any solver; trust in refinement: a counterexample that comes back ends the run, as unknown.

mod abstraction;
mod certificate;
mod graph;
pub mod plugin;
mod refine;

pub use plugin::{Abstraction, Mode, Options, Order};
#[doc(hidden)]
pub use trellis_engine_common::refinement::Faults;
pub use trellis_engine_common::refinement::Source;

use abstraction::{Posts, Precision};
use graph::{Graph, Id};
use rustc_hash::{FxHashMap, FxHashSet};
use trellis_engine_common::refinement::{self, Judge, Judged, Vocabulary, no_progress};
use trellis_engine_common::{Cfa, Figures, Outcome, Sessions, ask, go_on};
use trellis_ivl::{Edge, LocKind, Program, Term};
use trellis_plugin_sdk::{EngineError, Host, Verdict};
use trellis_solver_api::smt::SmtSession;

/// Sessions for successors at most; locations beyond share them.
const PLACES: u32 = 512;
/// The session for the current path.
pub(crate) const PATHS: u32 = PLACES;
/// The session for coverings.
const COVERS: u32 = PLACES + 1;

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
        let mut run = Run {
            vocabulary: Vocabulary::new(cfa),
            graph: Graph::new(cfa, options.order),
            cfa,
            sessions: Sessions::new(session),
            options,
            faults,
            host,
            posts: Posts::default(),
            precision: Precision::default(),
            judge,
            implied: FxHashMap::default(),
            refuted: FxHashSet::default(),
        };
        let result = run.explore();
        (result, run.figures())
    })
}

/// A run of the engine.
pub(crate) struct Run<'a> {
    pub(crate) cfa: &'a mut Cfa,
    pub(crate) sessions: Sessions<'a>,
    pub(crate) options: &'a Options,
    pub(crate) faults: Faults,
    pub(crate) host: &'a mut dyn Host,
    pub(crate) graph: Graph,
    pub(crate) vocabulary: Vocabulary,
    posts: Posts,
    pub(crate) precision: Precision,
    pub(crate) judge: &'a mut Judge,
    /// Whether a label implies a formula.
    implied: FxHashMap<(Vec<Term>, Term), bool>,
    /// Paths that were refuted.
    pub(crate) refuted: FxHashSet<Vec<Edge>>,
}

impl Run<'_> {
    fn figures(&self) -> Figures {
        Figures::from([
            ("nodes", self.graph.len() as u64),
            ("predicates", self.precision.len() as u64),
            ("refinements", u64::from(self.judge.refinements())),
            ("successors asked", self.posts.asked),
            ("successors joined", self.posts.joined),
            ("successors remembered", self.posts.remembered),
        ])
    }

    /// Explores until nothing waits or an error is reached.
    fn explore(&mut self) -> Result<Verdict, EngineError> {
        while let Some(id) = self.graph.next() {
            go_on(self.host)?;
            if let Some(by) = self.covering(id)? {
                self.graph.cover(self.cfa, id, by);
                continue;
            }
            if let Some(verdict) = self.expand(id)? {
                return Ok(verdict);
            }
        }
        let proof = || certificate::certificate(self.cfa, &self.graph);
        Ok(self.judge.excluded(proof))
    }

    /// Takes the edges of a node that are still to be taken, until the graph is refined.
    fn expand(&mut self, id: Id) -> Result<Option<Verdict>, EngineError> {
        while let Some(e) = self.graph.get_mut(id).todo.pop() {
            let to = self.cfa.program.edges[e].to;
            if self.judge.is_given_up(to) {
                continue;
            }
            let label = self.graph.get(id).label.clone();
            // Impact abstracts nothing: it asks whether the edge can be taken, and no more.
            let precision = match self.options.mode {
                Mode::Predicates => &self.precision,
                Mode::Impact => &Precision::default(),
            };
            let from = self.cfa.program.edges[e].from;
            let key = from.as_u32() % PLACES;
            let session = self.sessions.get(self.host, key)?;
            let successors =
                self.posts
                    .post(self.cfa, session, self.options, precision, &label, e)?;
            if self.cfa.program.locs[to].kind == LocKind::Plain {
                for label in successors.iter() {
                    self.graph.add(self.cfa, to, label.clone(), Some((id, e)));
                }
            } else if !successors.is_empty() {
                self.graph.get_mut(id).todo.push(e);
                return self.counterexample(id, e);
            }
        }
        Ok(None)
    }

    /// Judges an abstract path to a target: a verdict where it ends the run.
    fn counterexample(&mut self, id: Id, last: Edge) -> Result<Option<Verdict>, EngineError> {
        let (nodes, mut edges) = self.graph.path(id);
        edges.push(last);
        if !self.refuted.insert(edges.clone()) {
            return Ok(Some(no_progress("a refuted counterexample came back")));
        }
        self.sessions.give_back(PATHS);
        let session = self.sessions.get(self.host, PATHS)?;
        match self.judge.judge(self.cfa, session, &edges)? {
            Judged::Over(verdict) => Ok(Some(verdict)),
            Judged::GivenUp => {
                self.graph.wait(self.cfa, id);
                Ok(None)
            }
            Judged::Spurious(path, core) => {
                let figures = format!(
                    "{} predicates, {} nodes, {} waiting, refinement",
                    self.precision.len(),
                    self.graph.len(),
                    self.graph.waiting()
                );
                let at = self.judge.refinements();
                self.host.progress(&figures, u64::from(at));
                self.refine(&nodes, &path, &core)
            }
        }
    }

    /// An older node that covers `id`.
    pub(crate) fn covering(&mut self, id: Id) -> Result<Option<Id>, EngineError> {
        let node = self.graph.get(id);
        let label = node.label.clone();
        let all = self.graph.all_at(node.loc).iter().copied();
        let older: Vec<Id> = all.take_while(|&m| m < id).collect();
        for by in older {
            // Literals are compared sooner than ancestors are looked at, and these sooner than a solver is asked.
            let covers = match self.options.mode {
                Mode::Predicates => {
                    let wanted = &self.graph.get(by).label;
                    let within = wanted.iter().all(|t| label.binary_search(t).is_ok());
                    within && self.graph.is_active(by)
                }
                Mode::Impact => self.graph.is_active(by) && self.covers(&label, by)?,
            };
            if covers {
                return Ok(Some(by));
            }
        }
        Ok(None)
    }

    /// Whether whatever has `label` is in the label of `by`.
    fn covers(&mut self, label: &[Term], by: Id) -> Result<bool, EngineError> {
        let wanted = self.graph.get(by).label.clone();
        for t in wanted {
            if label.binary_search(&t).is_ok() {
                continue;
            }
            if !self.implies(label, t)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn implies(&mut self, label: &[Term], t: Term) -> Result<bool, EngineError> {
        let key = (label.to_vec(), t);
        if let Some(&known) = self.implied.get(&key) {
            return Ok(known);
        }
        let mut query = label.to_vec();
        query.push(self.cfa.program.pool.not(t));
        let session = self.sessions.get(self.host, COVERS)?;
        session.set_kind("cover");
        let implied = !ask(session, &self.cfa.program.pool, &query)?;
        self.implied.insert(key, implied);
        Ok(implied)
    }
}
