//! The algorithm's state, its queries and its main loop.
//!
//! Bradley, "SAT-based model checking without unrolling" (VMCAI'11), in the form of Eén, Mishchenko
//! and Brayton (FMCAD'11): delta frames, a queue of obligations, each blocked by a lemma that is
//! generalised ([`mic`](crate::mic)) and pushed. One solver per frame holds the step relation and
//! the lemmas from that frame on; frame 0 is the initial states.

use crate::activity::Activity;
use crate::cnf::Cnf;
use crate::cube::Cube;
use crate::frames::{Frames, INFINITE, Lemma};
use crate::lit::Lit;
use crate::model::Model;
use crate::obligation::{Obligation, Obligations};
use crate::sat::{Solver, Stats};
use crate::signals::Implied;
use crate::stats::{Phase, Timer};
use crate::stuck::Places;
use crate::{Options, Stop};
use std::rc::Rc;

/// Conflicts between two looks at the clock.
const SLICE: u64 = 1000;

/// How a run ended.
pub enum Outcome {
    /// The cubes that an inductive invariant excludes.
    Safe(Vec<Rc<Cube>>),
    /// Some state of the first cube runs into a bad state by these inputs, one list per step, the
    /// last one of the bad condition.
    Unsafe(Rc<Cube>, Vec<Vec<Lit>>),
}

/// The algorithm on one model.
pub struct Ic3<'a> {
    pub(crate) model: &'a Model,
    pub(crate) options: &'a Options,
    stop: &'a mut dyn FnMut() -> bool,
    /// How many queries to frames are left.
    queries: u64,
    /// Step relation and constraints.
    template: Solver,
    pub(crate) solvers: Vec<Solver>,
    /// The lemmas that each solver was given, to see when rebuilding it pays.
    given: Vec<usize>,
    /// The step relation without constraints.
    pub(crate) lifter: Solver,
    /// Per variable: the next value, of latches and signals.
    pub(crate) next: Vec<Lit>,
    /// Per literal: whether no initial state satisfies it.
    excluded: Vec<bool>,
    pub(crate) kind: Vec<Kind>,
    pub(crate) implied: Implied,
    pub(crate) frames: Frames,
    pub(crate) places: Places,
    pub(crate) obligations: Obligations,
    pub(crate) activity: Activity,
    /// Scratch: marked literals.
    mark: Vec<bool>,
    pub(crate) timer: Timer,
    retired: Stats,
    /// Lemmas that were guessed right.
    pub(crate) predicted: usize,
}

/// What a variable is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The constant or a gate.
    Gate,
    /// An input.
    Input,
    /// A latch.
    Latch,
}

impl<'a> Ic3<'a> {
    /// Prepares the queries, at most so many; `stop` says when to give up.
    pub fn new(
        model: &'a Model,
        options: &'a Options,
        queries: u64,
        stop: &'a mut dyn FnMut() -> bool,
    ) -> Self {
        let vars = model.aig.len();
        let cnf = Cnf::new(model, options.eliminate, stop);
        let lifter = cnf.solver();
        let mut template = lifter.clone();
        for &c in &model.constraints {
            template.fix(c.var());
            template.add_clause(&[c]);
        }
        let mut kind = vec![Kind::Gate; vars];
        let mut next = vec![Lit::FALSE; vars];
        let mut excluded = vec![false; 2 * vars];
        for input in &model.inputs {
            kind[input.var as usize] = Kind::Input;
        }
        let mut initial = template.clone();
        for latch in &model.latches {
            kind[latch.var as usize] = Kind::Latch;
            next[latch.var as usize] = latch.next;
            if let Some(value) = latch.init {
                let lit = Lit::new(latch.var, value);
                excluded[(!lit).index()] = true;
                initial.add_clause(&[lit]);
            }
        }
        let mut implied = Implied::new(model);
        let first = model.latches.iter();
        let first: Vec<Lit> = first
            .filter_map(|l| Some(Lit::new(l.var, l.init?)))
            .collect();
        for lit in implied.by(&first) {
            excluded[(!lit).index()] = true;
        }
        for signal in &model.signals {
            next[signal.var as usize] = signal.next;
        }
        let latches = model.latches.iter().map(|l| l.var);
        let places = latches.chain(model.signals.iter().map(|s| s.var));
        let places = Places::new(vars, places);
        let mut frames = Frames::default();
        frames.extend();
        Ic3 {
            model,
            options,
            stop,
            queries,
            template,
            solvers: vec![initial],
            given: vec![0],
            lifter,
            next,
            excluded,
            kind,
            implied,
            frames,
            places,
            obligations: Obligations::default(),
            activity: Activity::new(vars),
            mark: vec![false; 2 * vars],
            timer: Timer::default(),
            retired: Stats::default(),
            predicted: 0,
        }
    }

    /// The highest level.
    pub fn level(&self) -> usize {
        self.solvers.len() - 1
    }

    /// Runs to the end.
    pub fn run(&mut self) -> Result<Outcome, Stop> {
        if self.template.is_broken() {
            return Ok(Outcome::Safe(Vec::new()));
        }
        loop {
            // Block all bad states of the highest frame.
            loop {
                if let Some(outcome) = self.block()? {
                    return Ok(outcome);
                }
                if !self.find_bad()? {
                    break;
                }
            }
            self.extend();
            if let Some(level) = self.propagate()? {
                return Ok(self.safe(level));
            }
        }
    }

    /// The invariant from an empty level on.
    pub(crate) fn safe(&self, level: usize) -> Outcome {
        let lemmas = self.frames.from(level);
        Outcome::Safe(lemmas.map(|l| l.cube.clone()).collect())
    }

    fn extend(&mut self) {
        self.frames.extend();
        let mut solver = self.template.clone();
        for lemma in self.frames.at(INFINITE) {
            solver.add_lemma(&lemma.cube.negated());
        }
        self.given.push(0);
        self.solvers.push(solver);
    }

    /// Looks for a bad state in the highest frame, and makes it an obligation.
    fn find_bad(&mut self) -> Result<bool, Stop> {
        let level = self.level();
        self.timer.enter(Phase::Bad);
        if !self.solve(level, &[self.model.bad], None)? {
            return Ok(false);
        }
        let bad = [self.model.bad];
        let (cube, inputs) = self.lift(level, &bad);
        let wide = self.wide(&cube);
        self.obligations.add(Obligation {
            cube: Rc::new(Cube::new(cube)),
            wide,
            level,
            depth: 0,
            inputs,
            next: None,
            activity: 0.0,
        });
        Ok(true)
    }

    /// A query to the solver of a frame.
    pub(crate) fn solve(
        &mut self,
        frame: usize,
        assumptions: &[Lit],
        clause: Option<&[Lit]>,
    ) -> Result<bool, Stop> {
        self.solvers[frame].begin(assumptions, clause, &[]);
        self.finish(frame)
    }

    /// Answers the query that was begun.
    fn finish(&mut self, frame: usize) -> Result<bool, Stop> {
        self.queries = self.queries.checked_sub(1).ok_or(Stop)?;
        answer(&mut self.solvers[frame], self.stop)
    }

    /// Answers the query that was begun with a solver that belongs to no frame.
    pub(crate) fn answer(&mut self, solver: &mut Solver) -> Result<bool, Stop> {
        answer(solver, self.stop)
    }

    /// A solver with the step relation and constraints alone.
    pub(crate) fn blank(&self) -> Solver {
        self.template.clone()
    }

    /// Whether no step leads from the frame below `level`, outside of the cube, into the cube.
    pub(crate) fn is_blocked(&mut self, level: usize, cube: &[Lit]) -> Result<bool, Stop> {
        let mut ordered = cube.to_vec();
        self.activity.descending(&mut ordered);
        let assumptions: Vec<Lit> = ordered.iter().map(|&l| self.primed(l)).collect();
        let clause: Vec<Lit> = cube.iter().map(|&l| !l).collect();
        self.solve(level - 1, &assumptions, Some(&clause))
            .map(|sat| !sat)
    }

    /// The same, where cores are made of the first literals as far as possible.
    pub(crate) fn is_blocked_in_order(&mut self, level: usize, cube: &[Lit]) -> Result<bool, Stop> {
        let assumptions: Vec<Lit> = cube.iter().map(|&l| self.primed(l)).collect();
        let clause: Vec<Lit> = cube.iter().map(|&l| !l).collect();
        self.solve(level - 1, &assumptions, Some(&clause))
            .map(|sat| !sat)
    }

    /// The cube with what it says of signals; none where there are no signals.
    pub(crate) fn wide(&mut self, cube: &[Lit]) -> Option<Rc<Cube>> {
        if self.implied.is_empty() {
            return None;
        }
        let mut wide = self.implied.by(cube);
        wide.extend_from_slice(cube);
        Some(Rc::new(Cube::new(wide)))
    }

    /// The same, with values for the literals `watched` after the step.
    pub(crate) fn is_blocked_watching(
        &mut self,
        level: usize,
        cube: &[Lit],
        watched: &[Lit],
    ) -> Result<bool, Stop> {
        let assumptions: Vec<Lit> = cube.iter().map(|&l| self.primed(l)).collect();
        let clause: Vec<Lit> = cube.iter().map(|&l| !l).collect();
        let watched: Vec<Lit> = watched.iter().map(|&l| self.primed(l)).collect();
        self.solvers[level - 1].begin(&assumptions, Some(&clause), &watched);
        self.finish(level - 1).map(|sat| !sat)
    }

    /// The literal after the step.
    #[inline]
    pub(crate) fn primed(&self, lit: Lit) -> Lit {
        self.next[lit.at()] ^ !lit.is_positive()
    }

    /// The part of the cube that the last [`Self::is_blocked`] needed, kept apart from the initial
    /// states.
    pub(crate) fn inductive_core(&mut self, level: usize, cube: &[Lit]) -> Vec<Lit> {
        for &lit in self.solvers[level - 1].core() {
            self.mark[lit.index()] = true;
        }
        let needed = |l: &Lit| self.mark[self.primed(*l).index()];
        let mut core: Vec<Lit> = cube.iter().copied().filter(needed).collect();
        if self.meets_initial(&core) {
            let apart = cube.iter().find(|l| self.excluded[l.index()]);
            core.extend(apart);
        }
        for &lit in self.solvers[level - 1].core() {
            self.mark[lit.index()] = false;
        }
        core
    }

    /// Whether the cube contains an initial state.
    pub(crate) fn meets_initial(&self, cube: &[Lit]) -> bool {
        !cube.iter().any(|l| self.excluded[l.index()])
    }

    /// Adds a lemma that holds up to `level`; the level that became empty, if one did.
    pub(crate) fn add_lemma(
        &mut self,
        level: usize,
        cube: Vec<Lit>,
        obligation: Option<usize>,
    ) -> Option<usize> {
        let cube = Rc::new(Cube::new(cube));
        let clause = cube.negated();
        let added = self.frames.add(level, Lemma::new(cube, obligation));
        for i in added.from..=level.min(self.level()) {
            self.solvers[i].add_lemma(&clause);
            self.given[i] += 1;
            self.renew(i);
        }
        added.fixpoint
    }

    /// Builds a solver again when most of the lemmas it was given have been replaced.
    fn renew(&mut self, i: usize) {
        let given = self.given[i];
        if given < 1000 || !given.is_multiple_of(100) {
            return;
        }
        let live = self.frames.from(i).count();
        if given > 3 * live + 1000 {
            let mut solver = self.template.clone();
            for lemma in self.frames.from(i) {
                solver.add_lemma(&lemma.cube.negated());
            }
            let old = std::mem::replace(&mut self.solvers[i], solver);
            self.retired.add(&old.stats);
            self.given[i] = live;
        }
    }

    /// The work of all solvers.
    pub fn stats(&self) -> Stats {
        let mut sum = self.retired;
        for solver in self.solvers.iter().chain([&self.lifter]) {
            sum.add(&solver.stats);
        }
        sum
    }
}

fn answer(solver: &mut Solver, stop: &mut dyn FnMut() -> bool) -> Result<bool, Stop> {
    loop {
        if let Some(answer) = solver.search(SLICE) {
            // A look at the clock costs as much as a small query.
            if solver.stats.queries.is_multiple_of(64) && stop() {
                return Err(Stop);
            }
            return Ok(answer);
        }
        if stop() {
            return Err(Stop);
        }
    }
}
