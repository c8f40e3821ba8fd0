//! Solver queries: can an edge lead from a frame into a cube?
//!
//! There are no primed variables: a literal after an edge is the literal with the edge's updates substituted, so
//! the query F(j, from) & guard & literals is over the state before the edge and its inputs. Clauses of
//! frames are asserted once per session, each implied by the activation literal of its level; these imply one another
//! upwards, so that a query assumes a single one. Literals are assumptions, and the core is read off these.
//!
//! A solver gives every variable it knows a value before it answers, so whatever was asked once costs in every later query.
//! Sessions are therefore made anew now and then, and told the lemmas that are left; the more rarely, the larger the edge is that
//! has to be encoded again.

use crate::automaton::Automaton;
use crate::counts::{Counts, EQUATIONS, GENERALISE, PUSH};
use crate::frames::{FOREVER, Frames};
use crate::memory::Memory;
use crate::model::Model;
use crate::options::{Options, Sessions};
use crate::scratch::Scratch;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::rc::Rc;
use trellis_engine_common::go_on;
use trellis_plugin_sdk::ivl::{Edge, Program, Term, TermPool, Type, Var};
use trellis_plugin_sdk::solver::smt::{QueryKind, SmtSession};
use trellis_plugin_sdk::solver::{Answer, Capabilities, Limits, UnknownReason};
use trellis_plugin_sdk::{EngineError, Host};

/// Terms of an edge for which one `refresh` pays.
const SMALL: u32 = 50;

/// The answer to one query.
#[derive(Clone, Debug)]
pub enum Reply {
    /// The edge leads there: by this state before it, with these inputs.
    Sat(Rc<Model>),
    /// It does not, because of these literals (sorted).
    Unsat(Vec<Term>),
    /// The solver gave up within its effort.
    Unknown,
}

struct Session {
    solver: Box<dyn SmtSession>,
    /// How much of its location's log is asserted.
    told: usize,
    /// The highest level whose activation literal is linked.
    linked: u32,
    /// How many more queries it is fast for.
    left: u32,
}

/// Sessions and what is remembered about their answers.
pub struct Queries {
    layout: Sessions,
    /// How many queries a session of a small edge without lemmas is used for.
    refresh: Option<u32>,
    /// How many queries may be asked.
    last: Option<u64>,
    /// Of queries that may stay open.
    effort: Limits,
    /// Of queries that must be answered.
    patience: Limits,
    sessions: BTreeMap<u32, Session>,
    scratch: Scratch,
    /// The activation literal of each level.
    levels: Vec<Term>,
    after: FxHashMap<(Edge, Term), Term>,
    memory: Option<Memory>,
    /// Figures by kind.
    pub counts: Counts,
}

/// What every query needs to look at.
pub struct Surroundings<'a> {
    /// The program, whose pool grows.
    pub program: &'a mut Program,
    /// Its automaton.
    pub cfa: &'a Automaton,
    /// Its frames.
    pub frames: &'a Frames,
    /// Lends sessions.
    pub host: &'a mut dyn Host,
}

impl Queries {
    /// No session yet.
    pub fn new(options: &Options) -> Queries {
        Queries {
            layout: options.sessions,
            refresh: options.refresh,
            last: options.queries,
            effort: limit(options.effort),
            patience: limit(options.conflicts),
            sessions: BTreeMap::new(),
            scratch: Scratch::default(),
            levels: Vec::new(),
            after: FxHashMap::default(),
            memory: options.cache.then(Memory::default),
            counts: Counts::default(),
        }
    }

    /// `t` after edge `e`, over the state before it and its inputs.
    pub fn after(&mut self, program: &mut Program, cfa: &Automaton, e: Edge, t: Term) -> Term {
        let pool = &mut program.pool;
        let known = self.after.entry((e, t));
        *known.or_insert_with(|| cfa.transfer(e).after(pool, t))
    }

    /// The literals of `cube` after edge `e`, in its order.
    fn cube_after(&mut self, on: &mut Surroundings<'_>, e: Edge, cube: &[Term]) -> Vec<Term> {
        let literals = cube.iter();
        literals
            .map(|&t| self.after(on.program, on.cfa, e, t))
            .collect()
    }

    /// Whether `e` leads from F(level, from) into `cube` (sorted); with `outside`, from states outside of the
    /// cube only, which is right where the cube is about to be learnt at `from` as well.
    pub fn edge(
        &mut self,
        on: &mut Surroundings<'_>,
        e: Edge,
        level: u32,
        cube: &[Term],
        outside: bool,
        kind: QueryKind,
    ) -> Result<Reply, EngineError> {
        let from = on.cfa.from(e);
        if from != on.cfa.entry && level == 0 || outside && cube.is_empty() {
            return Ok(Reply::Unsat(Vec::new()));
        }
        let after = self.cube_after(on, e, cube);
        if outside && after == cube {
            // Whatever part of the cube is learnt: who was outside of it before the edge is so after it.
            return Ok(Reply::Unsat(Vec::new()));
        }
        let key = (e, outside, cube.to_vec());
        if let Some(memory) = &mut self.memory {
            if let Some(core) = memory.refuted(on, &key, level) {
                self.counts.remembered(kind);
                return Ok(Reply::Unsat(core));
            }
            if let Some(model) = memory.step(on, &key, level, &after) {
                self.counts.remembered(kind);
                return Ok(Reply::Sat(model));
            }
        }
        let mut hypotheses = Vec::new();
        if outside {
            let pool = &mut on.program.pool;
            let inside = pool.and_all(cube.iter().copied());
            hypotheses.push(pool.not(inside));
        }
        if from != on.cfa.entry {
            hypotheses.push(self.level(on.program, level));
        }
        let answer = self.edge_under(on, e, &hypotheses, cube, kind)?;
        if let Some(memory) = &mut self.memory {
            match &answer {
                Reply::Unsat(core) => memory.refute(key, level, core),
                Reply::Sat(model) => memory.remember(on, e, level, model),
                Reply::Unknown => {}
            }
        }
        Ok(answer)
    }

    /// Whether `e` leads from states where `hypotheses` hold into `cube`.
    pub fn edge_under(
        &mut self,
        on: &mut Surroundings<'_>,
        e: Edge,
        hypotheses: &[Term],
        cube: &[Term],
        kind: QueryKind,
    ) -> Result<Reply, EngineError> {
        let mut sources: FxHashMap<Term, Term> = FxHashMap::default();
        let mut assumptions = vec![on.cfa.transfer(e).guard];
        let after = self.cube_after(on, e, cube);
        for (&literal, &after) in cube.iter().zip(&after) {
            match on.program.pool.as_bool(after) {
                Some(true) => {}
                Some(false) => return Ok(Reply::Unsat(vec![literal])),
                None => {
                    if sources.insert(after, literal).is_none() {
                        assumptions.push(after);
                    }
                }
            }
        }
        assumptions.extend(hypotheses);
        match self.ask(on, e, &assumptions, kind)? {
            Reply::Unsat(_) => Ok(Reply::Unsat(self.core(e, on, &sources, cube)?)),
            answer => Ok(answer),
        }
    }

    /// A model of `assumptions` about what is before `e`, whether or not that can be taken, as far as the effort goes; an
    /// unsatisfiable answer has no core.
    pub fn before(
        &mut self,
        on: &mut Surroundings<'_>,
        e: Edge,
        assumptions: &[Term],
    ) -> Result<Reply, EngineError> {
        let pool = &on.program.pool;
        if assumptions.iter().any(|&t| pool.as_bool(t) == Some(false)) {
            return Ok(Reply::Unsat(Vec::new()));
        }
        self.ask(on, e, assumptions, EQUATIONS)
    }

    /// The literals of the last unsatisfiable query that were needed.
    fn core(
        &mut self,
        e: Edge,
        on: &Surroundings<'_>,
        sources: &FxHashMap<Term, Term>,
        cube: &[Term],
    ) -> Result<Vec<Term>, EngineError> {
        let key = self.key(on, e);
        let session = self.sessions.get_mut(&key).expect("just asked");
        let can = session.solver.capabilities();
        if !can.contains(Capabilities::UNSAT_CORE) {
            return Ok(cube.to_vec());
        }
        let core = session.solver.unsat_core()?;
        let mut literals: Vec<Term> = core
            .iter()
            .filter_map(|t| sources.get(t).copied())
            .collect();
        literals.sort_unstable();
        Ok(literals)
    }

    fn key(&self, on: &Surroundings<'_>, e: Edge) -> u32 {
        match self.layout {
            Sessions::Edge => e.as_u32(),
            Sessions::Location => on.cfa.from(e).as_u32(),
        }
    }

    /// The activation literal of a level.
    fn level(&mut self, program: &mut Program, level: u32) -> Term {
        while self.levels.len() <= level as usize {
            let n = self.levels.len();
            let v = program.pool.fresh(format!("level{n}"), Type::Bool);
            let t = program.pool.var(v);
            self.levels.push(t);
        }
        self.levels[level as usize]
    }

    /// Asks the session of `e`, brought up to date; an unsatisfiable answer has no core yet.
    fn ask(
        &mut self,
        on: &mut Surroundings<'_>,
        e: Edge,
        assumptions: &[Term],
        kind: QueryKind,
    ) -> Result<Reply, EngineError> {
        go_on(on.host)?;
        if let Some(last) = self.last.filter(|&last| self.counts.total() >= last) {
            return Err(EngineError::Limit(format!("no answer in {last} queries")));
        }
        let key = self.key(on, e);
        if self.refresh.is_some() {
            match self.sessions.get_mut(&key) {
                Some(session) if session.left == 0 => {
                    self.sessions.remove(&key);
                }
                Some(session) => session.left -= 1,
                None => {}
            }
        }
        if let Entry::Vacant(place) = self.sessions.entry(key) {
            place.insert(Session {
                solver: on.host.smt_session()?,
                told: 0,
                linked: 0,
                left: 0,
            });
            self.tell_all(on, e, key)?;
        }
        self.update(on, e, key)?;
        let session = self.sessions.get_mut(&key).expect("just made");
        session.solver.set_kind(kind);
        let optional = [GENERALISE, PUSH, EQUATIONS].contains(&kind);
        session
            .solver
            .set_limits(if optional { self.effort } else { self.patience });
        let answer = session.solver.check(&on.program.pool, assumptions)?;
        self.counts.asked(kind, &answer);
        let memory = self.memory.as_mut();
        reply(answer, optional, || {
            // A step is remembered with all that makes its state belong to the frame.
            let mut vars = on.program.pool.free_vars(assumptions.iter().copied());
            if let Some(memory) = memory {
                vars.extend(memory.mentioned(on, on.cfa.from(e)));
                vars.sort_unstable();
                vars.dedup();
            }
            read(&mut *session.solver, on.program, vars)
        })
    }

    /// Tells a new session the lemmas of its location, as far as they are not replaced by others.
    fn tell_all(
        &mut self,
        on: &mut Surroundings<'_>,
        e: Edge,
        key: u32,
    ) -> Result<(), EngineError> {
        let from = on.cfa.from(e);
        self.level(on.program, on.frames.top() + 1);
        let session = self.sessions.get_mut(&key).expect("just made");
        let pool = &mut on.program.pool;
        let mut count = 0;
        for lemma in on.frames.lemmas(from, 1) {
            let held = held(pool, &self.levels, lemma.level, lemma.clause);
            session.solver.assert(pool, held)?;
            count += 1;
        }
        session.told = on.frames.news(from, 0).len();
        let transfer = on.cfa.transfer(e);
        let roots = transfer.updates.values().copied().chain([transfer.guard]);
        let size = u32::try_from(pool.post_order(roots).len()).unwrap_or(u32::MAX);
        let worth = (size / SMALL).saturating_add(1);
        let refresh = self.refresh.unwrap_or(u32::MAX);
        session.left = refresh.saturating_mul(worth).saturating_add(count);
        Ok(())
    }

    /// Tells a session what was learnt at its location since it was asked last.
    fn update(&mut self, on: &mut Surroundings<'_>, e: Edge, key: u32) -> Result<(), EngineError> {
        let top = on.frames.top();
        self.level(on.program, top + 1);
        let levels = &self.levels;
        let session = self.sessions.get_mut(&key).expect("just made");
        let pool = &mut on.program.pool;
        while session.linked <= top {
            let below = levels[session.linked as usize];
            let above = levels[session.linked as usize + 1];
            let link = pool.implies(below, above);
            session.solver.assert(pool, link)?;
            session.linked += 1;
        }
        for &(level, clause) in on.frames.news(on.cfa.from(e), session.told) {
            let held = held(pool, levels, level, clause);
            session.solver.assert(pool, held)?;
            session.told += 1;
        }
        Ok(())
    }

    /// The values of a common model of `terms`, whatever the frames say. `None` where there is none.
    pub fn satisfy(
        &mut self,
        on: &mut Surroundings<'_>,
        terms: &[Term],
    ) -> Result<Option<Rc<Model>>, EngineError> {
        let Queries {
            scratch, counts, ..
        } = self;
        match scratch.consistent(on, counts, terms, self.patience, false)? {
            Reply::Sat(model) => Ok(Some(model)),
            _ => Ok(None),
        }
    }

    /// Whether `terms` have a common model, whatever the frames say, as far as the effort goes.
    pub fn consistent(
        &mut self,
        on: &mut Surroundings<'_>,
        terms: &[Term],
    ) -> Result<Reply, EngineError> {
        let Queries {
            scratch, counts, ..
        } = self;
        scratch.consistent(on, counts, terms, self.effort, true)
    }

    /// An interpolant between `a` and `b`, where the solver has one.
    pub fn interpolant(
        &mut self,
        on: &mut Surroundings<'_>,
        a: Term,
        b: Term,
    ) -> Result<Option<Term>, EngineError> {
        self.scratch.interpolant(on, &mut self.counts, a, b)
    }
}

/// `clause`, which holds up to `level`, as what is asserted.
fn held(pool: &mut TermPool, levels: &[Term], level: u32, clause: Term) -> Term {
    match level {
        FOREVER => clause,
        _ => pool.implies(levels[level as usize], clause),
    }
}

fn limit(conflicts: Option<u64>) -> Limits {
    conflicts.map_or(Limits::NONE, Limits::conflicts)
}

/// An answer of a solver, whose `model` is read where there is one; where it gives up, the run ends unless the query is
/// `optional`.
pub fn reply(
    answer: Answer,
    optional: bool,
    model: impl FnOnce() -> Result<Model, EngineError>,
) -> Result<Reply, EngineError> {
    match answer {
        Answer::Sat => Ok(Reply::Sat(Rc::new(model()?))),
        Answer::Unsat => Ok(Reply::Unsat(Vec::new())),
        Answer::Unknown(UnknownReason::Interrupted) => Err(EngineError::Cancelled),
        Answer::Unknown(_) if optional => Ok(Reply::Unknown),
        Answer::Unknown(reason) => Err(EngineError::GaveUp(reason)),
    }
}

/// The values of `vars` in the last satisfiable query.
pub fn read(
    solver: &mut dyn SmtSession,
    program: &mut Program,
    vars: Vec<Var>,
) -> Result<Model, EngineError> {
    let mut model = Model::default();
    for v in vars {
        let t = program.pool.var(v);
        let value = solver.value(&program.pool, t)?;
        model.set(v, value);
    }
    Ok(model)
}
