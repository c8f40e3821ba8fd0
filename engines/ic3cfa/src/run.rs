//! The state of a run, the outer loop (Alg. 6 and 7) and the inner loop (Alg. 8).
//!
//! Differences to the pseudo-code: an obligation is blocked only after *every* incoming edge has been refuted; an
//! obligation at the entry is a counterexample at any level; targets are asked again until no edge leads to
//! them, because a region is one cube of several.

use crate::automaton::Automaton;
use crate::counts::INDUCTION;
use crate::edge_query::{Queries, Reply, Surroundings};
use crate::frames::Frames;
use crate::model::Model;
use crate::obligation::{Id, Obligation, Obligations};
use crate::options::Options;
use crate::push::Request;
use crate::termination::Stability;
use std::collections::BTreeSet;
use std::rc::Rc;
use trellis_engine_common::go_on;
use trellis_plugin_sdk::ivl::cranelift_entity::SecondaryMap;
use trellis_plugin_sdk::ivl::{Edge, Evaluator, Loc, LocKind, Program, Term};
use trellis_plugin_sdk::{EngineError, Host, Level, Verdict};

/// Wrong conditions, for tests that show that certification catches them.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Kept obligations are blocked whatever has changed.
    pub skip: bool,
    /// Offered cubes are learnt unchecked.
    pub push: bool,
    /// A stable iteration ends the run without certificate.
    pub termination: bool,
}

/// A run of the engine.
pub(crate) struct Run<'a> {
    pub(crate) options: Options,
    pub(crate) faults: Faults,
    pub(crate) program: &'a mut Program,
    pub(crate) host: &'a mut dyn Host,
    pub(crate) cfa: Automaton,
    pub(crate) frames: Frames,
    pub(crate) queries: Queries,
    pub(crate) obligations: Obligations,
    pub(crate) evaluator: Evaluator,
    /// Cubes to be offered to successors at the end of the iteration.
    pub(crate) requests: BTreeSet<Request>,
    pub(crate) stability: Stability,
    /// Predicates of the program that learnt cubes may use.
    pub(crate) vocabulary: crate::generalise::Vocabulary,
    /// Per location the incoming edges, those that failed a query last first: they are likely to fail the next.
    pub(crate) order: SecondaryMap<Loc, Vec<Edge>>,
    /// Per location how many searches for an invariant have failed in a row.
    pub(crate) misses: SecondaryMap<Loc, u32>,
    /// How many queries the search for invariants has taken.
    pub(crate) invested: u64,
    /// How many iterations there were.
    pub(crate) iteration: u32,
    /// How many edges executions may take in the current iteration.
    pub(crate) bound: u32,
    /// Figures by name.
    pub(crate) skipped: u64,
    pub(crate) pushed: u64,
    pub(crate) equations: usize,
    pub(crate) published: crate::share::Published,
}

/// Whether a cube is unreachable in one step from the frames below.
pub(crate) enum Induction {
    /// It is, because of these literals.
    Holds(Vec<Term>),
    /// This edge leads into it, by this step.
    Fails(Edge, Rc<Model>),
    /// The solver gave up.
    Unknown,
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        options: Options,
        faults: Faults,
        program: &'a mut Program,
        host: &'a mut dyn Host,
    ) -> Run<'a> {
        let cfa = Automaton::new(program);
        let stability = Stability::new(options.termination, &cfa);
        let vocabulary = crate::generalise::Vocabulary::new(program, &cfa);
        let mut order: SecondaryMap<Loc, Vec<Edge>> = SecondaryMap::new();
        for &l in &cfa.locs {
            order[l] = cfa.inc(l).to_vec();
        }
        Run {
            queries: Queries::new(&options),
            options,
            faults,
            program,
            host,
            cfa,
            frames: Frames::default(),
            obligations: Obligations::default(),
            evaluator: Evaluator::new(),
            requests: BTreeSet::new(),
            stability,
            vocabulary,
            order,
            misses: SecondaryMap::new(),
            invested: 0,
            iteration: 0,
            bound: 0,
            skipped: 0,
            pushed: 0,
            equations: 0,
            published: crate::share::Published::default(),
        }
    }

    /// The queries, and what they look at.
    pub(crate) fn queries(&mut self) -> (&mut Queries, Surroundings<'_>) {
        let on = Surroundings {
            program: self.program,
            cfa: &self.cfa,
            frames: &self.frames,
            host: self.host,
        };
        (&mut self.queries, on)
    }

    pub(crate) fn check_cancelled(&self) -> Result<(), EngineError> {
        go_on(self.host)
    }

    /// The outer loop.
    pub(crate) fn prove(&mut self) -> Result<Verdict, EngineError> {
        let mut targets = self.cfa.targets.clone();
        let mut incomplete: Option<String> = None;
        if self.options.equations {
            self.learn_equations()?;
        }
        loop {
            if self.options.iterations == Some(self.iteration) {
                let why = format!("no proof in {} iterations", self.iteration);
                return Ok(Verdict::Unknown(why));
            }
            self.iteration += 1;
            self.bound += self.stride();
            let k = self.bound;
            self.host.progress("bound", u64::from(k));
            self.use_proved();
            while let Some((first, target)) = self.strengthen(k, &targets)? {
                let kind = self.program.locs[target].kind.clone();
                match kind {
                    LocKind::Incomplete(reason) => {
                        // Beyond it nothing is known; an error may still be reached elsewhere.
                        targets.retain(|&t| t != target);
                        self.obligations.clear();
                        incomplete.get_or_insert_with(|| format!("incomplete: {reason}"));
                    }
                    _ => return Ok(Verdict::Unsafe(self.trace(first)?)),
                }
            }
            self.push_requests()?;
            if self.options.propagate {
                self.propagate(k)?;
            }
            if self.options.trace_frames {
                let table = crate::table::table(self);
                let text = format!("after iteration {}\n{table}", self.iteration);
                self.host.log(Level::Info, &text);
            }
            if let Some(certificate) = self.certificate(k, &targets)? {
                return Ok(match incomplete {
                    Some(reason) => Verdict::Unknown(reason),
                    None => Verdict::Safe(certificate),
                });
            }
            self.publish(k);
            self.keep_obligations();
        }
    }

    /// By how much the next bound is higher than this one.
    pub(crate) fn stride(&self) -> u32 {
        let part = self.options.stride.map_or(1, |part| self.bound / part);
        part.max(1)
    }

    /// Strengthens the frames until no target is reached from F(k); a counterexample with its target
    /// otherwise.
    fn strengthen(&mut self, k: u32, targets: &[Loc]) -> Result<Option<(Id, Loc)>, EngineError> {
        if targets.contains(&self.cfa.entry) {
            return Err(EngineError::Internal("the entry is a target".into()));
        }
        loop {
            while let Some(id) = self.obligations.pop() {
                self.check_cancelled()?;
                if let Some(first) = self.handle(id)? {
                    return Ok(Some((first, self.target(first))));
                }
            }
            match self.find_obligation(k, targets)? {
                None => return Ok(None),
                Some(id) if self.obligations.get(id).loc == self.cfa.entry => {
                    return Ok(Some((id, self.target(id))));
                }
                Some(_) => {}
            }
        }
    }

    fn target(&self, id: Id) -> Loc {
        let path = self.obligations.path(id);
        let last = path[path.len() - 1];
        self.cfa.to(self.obligations.get(last).edge)
    }

    /// An obligation from an edge that leads from F(k) to a target.
    fn find_obligation(&mut self, k: u32, targets: &[Loc]) -> Result<Option<Id>, EngineError> {
        for &target in targets {
            for e in self.cfa.inc(target).to_vec() {
                let (queries, mut on) = self.queries();
                let answer = queries.edge(&mut on, e, k, &[], false, INDUCTION)?;
                if let Reply::Sat(model) = answer {
                    return Ok(Some(self.derive(e, k, &[], None, &model)?));
                }
            }
        }
        Ok(None)
    }

    /// The obligation at the source of `e`, from where the step `model` leads into `cube`.
    pub(crate) fn derive(
        &mut self,
        e: Edge,
        level: u32,
        cube: &[Term],
        parent: Option<Id>,
        model: &Model,
    ) -> Result<Id, EngineError> {
        let (region, state) = self.predecessor(e, cube, model)?;
        Ok(self.obligations.add(Obligation {
            level,
            loc: self.cfa.from(e),
            cube: region,
            witness: Rc::new(state),
            edge: e,
            parent,
            blocked: None,
        }))
    }

    /// Blocks an obligation, or adds the one before it; the latter where it is a counterexample.
    fn handle(&mut self, id: Id) -> Result<Option<Id>, EngineError> {
        let Obligation {
            level,
            loc,
            cube,
            witness,
            ..
        } = self.obligations.get(id).clone();
        if let Some(lemma) = self.frames.covering(loc, level, &cube) {
            let lemma = lemma.cube.clone();
            self.blocked(id, level, lemma);
            return Ok(None);
        }
        if self.skip(id) {
            return Ok(None);
        }
        let known = self.unchanged_edges(id);
        match self.refute(level, loc, &cube, known)? {
            Induction::Holds(core) => {
                let lemma = self.learn(level, loc, &cube, core, &witness)?;
                self.blocked(id, level, lemma);
                Ok(None)
            }
            Induction::Fails(e, model) => {
                let derived = self.derive(e, level - 1, &cube, Some(id), &model)?;
                self.obligations.enqueue(id);
                let counterexample = self.cfa.from(e) == self.cfa.entry;
                Ok(counterexample.then_some(derived))
            }
            Induction::Unknown => Err(EngineError::Internal("an unlimited query gave up".into())),
        }
    }

    /// Whether no edge but those in `known` leads into the cube of an obligation; `known` ones do not, because
    /// of the literals given.
    fn refute(
        &mut self,
        level: u32,
        loc: Loc,
        cube: &[Term],
        known: Vec<(Edge, Vec<Term>)>,
    ) -> Result<Induction, EngineError> {
        let mut core: BTreeSet<Term> = BTreeSet::new();
        for e in self.cfa.inc(loc).to_vec() {
            if let Some((_, needed)) = known.iter().find(|(k, _)| *k == e) {
                core.extend(needed);
                self.skipped += 1;
                continue;
            }
            let outside = self.cfa.from(e) == loc;
            let (queries, mut on) = self.queries();
            match queries.edge(&mut on, e, level - 1, cube, outside, INDUCTION)? {
                Reply::Sat(model) => return Ok(Induction::Fails(e, model)),
                Reply::Unsat(needed) => core.extend(needed),
                Reply::Unknown => return Ok(Induction::Unknown),
            }
        }
        Ok(Induction::Holds(core.into_iter().collect()))
    }

    /// Remembers that `e` leads into a cube.
    pub(crate) fn failed(&mut self, e: Edge) {
        let order = &mut self.order[self.cfa.to(e)];
        let at = order.iter().position(|&other| other == e);
        let at = at.expect("an incoming edge");
        order[..=at].rotate_right(1);
    }

    /// Learns `cube` (sorted) at `loc` up to `level`.
    pub(crate) fn block(&mut self, loc: Loc, level: u32, cube: &[Term]) {
        let pool = &mut self.program.pool;
        let region = pool.and_all(cube.iter().copied());
        let clause = pool.not(region);
        if self.frames.block(loc, level, cube, clause) {
            self.request_pushes(loc, level, cube);
        }
    }

    /// Notes by which lemma an obligation was blocked.
    pub(crate) fn blocked(&mut self, id: Id, level: u32, lemma: Vec<Term>) {
        self.obligations.get_mut(id).blocked = Some((level, lemma));
        self.obligations.kept.push(id);
    }

    /// Generalises the cube of an obligation that was refuted because of `core`, learns it, and returns what it
    /// learnt at `level` or above.
    fn learn(
        &mut self,
        level: u32,
        loc: Loc,
        cube: &[Term],
        core: Vec<Term>,
        witness: &Model,
    ) -> Result<Vec<Term>, EngineError> {
        let (upto, lemma) = self.generalise(level, loc, cube, core, witness)?;
        self.block(loc, upto, &lemma);
        if self.options.propagate {
            self.lift(loc, upto, &lemma)?;
        }
        Ok(lemma)
    }

    /// Figures of the run, one line each.
    pub(crate) fn figures(&self) -> Vec<String> {
        let mut lines = vec![
            format!("iterations: {}", self.iteration),
            format!("bound: {}", self.bound),
            format!("obligations: {}", self.obligations.made()),
            format!("lemmas: {}", self.frames.count()),
            format!("equations: {}", self.equations),
            format!("skipped queries: {}", self.skipped),
            format!("pushed lemmas: {}", self.pushed),
        ];
        lines.extend(self.queries.counts.lines());
        lines
    }
}
