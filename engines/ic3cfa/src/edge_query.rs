//! Solver queries: can an edge lead from a frame into a cube?
//!
//! There are no primed variables: a literal after an edge is the literal with the edge's updates substituted, so
//! the query F(j, from) & guard & literals is over the state before the edge and its inputs. Clauses of
//! frames are asserted once per session, each implied by the activation literal of its level; these imply one another
//! upwards, so that a query assumes a single one. Literals are assumptions, and the core is read off these.
//!
//! Answers are remembered while they stay true: frames only grow stronger, so an unsatisfiable answer holds
//! for its level and all below for ever, and for levels above as long as the frames there are the same; a satisfiable
//! one holds as long as nothing new was learnt.

use crate::automaton::Automaton;
use crate::frames::{FOREVER, Frames};
use crate::model::Model;
use crate::options::{Options, Sessions};
use crate::stop::Stop;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use trellis_plugin_sdk::Host;
use trellis_plugin_sdk::ivl::{Edge, Program, Term, Type, Value};
use trellis_plugin_sdk::solver::smt::{QueryKind, SmtSession};
use trellis_plugin_sdk::solver::{Answer, Capabilities, Limits, UnknownReason};

/// Does an obligation hold back?
pub const INDUCTION: QueryKind = "induction";
/// Does a weaker cube?
pub const GENERALISE: QueryKind = "generalise";
/// Does a lemma hold at another level or location?
pub const PUSH: QueryKind = "push";
/// What does a predecessor look like; does a cube imply a literal?
pub const PREDECESSOR: QueryKind = "predecessor";
/// Are the frames inductive?
pub const CERTIFY: QueryKind = "certify";

/// After so many unrelated queries a session knows too many terms to be fast.
const SCRATCH_USES: u32 = 300;

/// The answer to one query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The edge leads there; the model can be read.
    Sat,
    /// It does not, because of these literals (sorted).
    Unsat(Vec<Term>),
    /// The solver gave up within its effort.
    Unknown,
}

/// Queries of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Answered by the solver.
    pub asked: u64,
    /// Of these, satisfiable.
    pub sat: u64,
    /// Answered from memory.
    pub cached: u64,
}

/// An edge, whether it is taken from outside of the cube, and the cube.
type Question = (Edge, bool, Vec<Term>);

struct Session {
    solver: Box<dyn SmtSession>,
    /// How much of its location's log is asserted.
    told: usize,
    /// The highest level whose activation literal is linked.
    linked: u32,
}

/// Sessions and what is remembered about their answers.
pub struct Queries {
    layout: Sessions,
    cache: bool,
    effort: Limits,
    sessions: BTreeMap<u32, Session>,
    /// A session without frames, and how often it was asked.
    scratch: Option<Box<dyn SmtSession>>,
    scratched: u32,
    /// The activation literal of each level.
    levels: Vec<Term>,
    after: FxHashMap<(Edge, Term), Term>,
    /// The highest level at which an edge is known not to lead into a cube, with the core.
    refuted: FxHashMap<Question, (u32, Vec<Term>)>,
    /// The lowest level asked at which an edge leads into a cube, and how much was learnt from there up.
    entered: FxHashMap<Question, (u32, usize)>,
    /// Figures by kind.
    pub counts: BTreeMap<QueryKind, Count>,
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
            cache: options.cache,
            effort: match options.effort {
                0 => Limits::NONE,
                n => Limits::conflicts(n),
            },
            sessions: BTreeMap::new(),
            scratch: None,
            scratched: 0,
            levels: Vec::new(),
            after: FxHashMap::default(),
            refuted: FxHashMap::default(),
            entered: FxHashMap::default(),
            counts: BTreeMap::new(),
        }
    }

    /// `t` after edge `e`, over the state before it and its inputs.
    pub fn after(&mut self, program: &mut Program, cfa: &Automaton, e: Edge, t: Term) -> Term {
        let pool = &mut program.pool;
        let known = self.after.entry((e, t));
        *known.or_insert_with(|| cfa.transfer(e).after(pool, t))
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
    ) -> Result<Reply, Stop> {
        let from = on.cfa.from(e);
        if from != on.cfa.entry && level == 0 || outside && cube.is_empty() {
            return Ok(Reply::Unsat(Vec::new()));
        }
        if outside && self.leaves_alone(on, e, cube) {
            // Whatever part of the cube is learnt: who was outside of it before the edge is so after it.
            return Ok(Reply::Unsat(Vec::new()));
        }
        let key = self.cache.then(|| (e, outside, cube.to_vec()));
        if let Some(key) = &key
            && let Some((upto, core)) = self.refuted.get(key)
            && (*upto >= level || from == on.cfa.entry || on.frames.are_equal(from, *upto, level))
        {
            self.counts.entry(kind).or_default().cached += 1;
            return Ok(Reply::Unsat(core.clone()));
        }
        // A model is asked for after other kinds of query, so only these can be answered from memory.
        if kind == PUSH
            && let Some(key) = &key
            && let Some((from_level, learnt)) = self.entered.get(key)
            && *from_level <= level
            && on.frames.learnt(from, *from_level) == *learnt
        {
            self.counts.entry(kind).or_default().cached += 1;
            return Ok(Reply::Sat);
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
        if let Some(key) = key {
            match &answer {
                Reply::Unsat(core) => {
                    self.refuted.insert(key, (level, core.clone()));
                }
                Reply::Sat if kind == PUSH => {
                    let learnt = on.frames.learnt(from, level);
                    self.entered.insert(key, (level, learnt));
                }
                _ => {}
            }
        }
        Ok(answer)
    }

    /// Whether the literals have the same meaning before and after `e`.
    fn leaves_alone(&mut self, on: &mut Surroundings<'_>, e: Edge, cube: &[Term]) -> bool {
        let mut literals = cube.iter();
        literals.all(|&t| self.after(on.program, on.cfa, e, t) == t)
    }

    /// Whether `e` leads from states where `hypotheses` hold into `cube`.
    pub fn edge_under(
        &mut self,
        on: &mut Surroundings<'_>,
        e: Edge,
        hypotheses: &[Term],
        cube: &[Term],
        kind: QueryKind,
    ) -> Result<Reply, Stop> {
        let mut sources: FxHashMap<Term, Term> = FxHashMap::default();
        let mut assumptions = vec![on.cfa.transfer(e).guard];
        for &literal in cube {
            let after = self.after(on.program, on.cfa, e, literal);
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
        let answer = self.ask(on, e, &assumptions, kind)?;
        if answer != Reply::Unsat(Vec::new()) {
            return Ok(answer);
        }
        Ok(Reply::Unsat(self.core(e, on, &sources, cube)?))
    }

    /// The literals of the last unsatisfiable query that were needed.
    fn core(
        &mut self,
        e: Edge,
        on: &Surroundings<'_>,
        sources: &FxHashMap<Term, Term>,
        cube: &[Term],
    ) -> Result<Vec<Term>, Stop> {
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
    ) -> Result<Reply, Stop> {
        if on.host.cancelled() {
            return Err(Stop::Cancelled);
        }
        let key = self.key(on, e);
        if let Entry::Vacant(place) = self.sessions.entry(key) {
            place.insert(Session {
                solver: on.host.smt_session()?,
                told: 0,
                linked: 0,
            });
        }
        self.update(on, e, key)?;
        let session = self.sessions.get_mut(&key).expect("just made");
        session.solver.set_kind(kind);
        let limits = if kind == GENERALISE || kind == PUSH {
            self.effort
        } else {
            Limits::NONE
        };
        session.solver.set_limits(limits);
        let answer = session.solver.check(&on.program.pool, assumptions)?;
        let count = self.counts.entry(kind).or_default();
        count.asked += 1;
        count.sat += u64::from(answer == Answer::Sat);
        reply(answer, limits != Limits::NONE)
    }

    /// Tells a session what was learnt at its location since it was asked last.
    fn update(&mut self, on: &mut Surroundings<'_>, e: Edge, key: u32) -> Result<(), Stop> {
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
            let held = match level {
                FOREVER => clause,
                _ => pool.implies(levels[level as usize], clause),
            };
            session.solver.assert(pool, held)?;
            session.told += 1;
        }
        Ok(())
    }

    /// The values that the last satisfiable query of `e` gave to the variables of `terms`.
    pub fn model(
        &mut self,
        on: &mut Surroundings<'_>,
        e: Edge,
        terms: &[Term],
    ) -> Result<Model, Stop> {
        let key = self.key(on, e);
        let session = self.sessions.get_mut(&key).expect("just asked");
        read(&mut *session.solver, on.program, terms)
    }

    /// Whether `terms` have a common model, whatever the frames say, and its values. `None` where they have none or
    /// the solver gave up within its effort.
    pub fn satisfy(
        &mut self,
        on: &mut Surroundings<'_>,
        terms: &[Term],
        limited: bool,
    ) -> Result<Option<Model>, Stop> {
        match self.consistent(on, terms, limited)? {
            Reply::Sat => Ok(Some(self.scratch_model(on, terms)?)),
            _ => Ok(None),
        }
    }

    /// The values that the last consistent `terms` gave to their variables.
    pub fn scratch_model(
        &mut self,
        on: &mut Surroundings<'_>,
        terms: &[Term],
    ) -> Result<Model, Stop> {
        let scratch = self.scratch.as_mut().expect("just asked");
        read(&mut **scratch, on.program, terms)
    }

    /// Whether `terms` have a common model, whatever the frames say.
    pub fn consistent(
        &mut self,
        on: &mut Surroundings<'_>,
        terms: &[Term],
        limited: bool,
    ) -> Result<Reply, Stop> {
        self.scratched += 1;
        if self.scratch.is_none() || self.scratched.is_multiple_of(SCRATCH_USES) {
            self.scratch = Some(on.host.smt_session()?);
        }
        let scratch = self.scratch.as_mut().expect("just made");
        scratch.set_kind(PREDECESSOR);
        let limits = if limited { self.effort } else { Limits::NONE };
        scratch.set_limits(limits);
        let answer = scratch.check(&on.program.pool, terms)?;
        let count = self.counts.entry(PREDECESSOR).or_default();
        count.asked += 1;
        count.sat += u64::from(answer == Answer::Sat);
        reply(answer, limits != Limits::NONE)
    }

    /// An interpolant between `a` and `b`, where the solver has one.
    pub fn interpolant(
        &mut self,
        on: &mut Surroundings<'_>,
        a: Term,
        b: Term,
    ) -> Result<Option<Term>, Stop> {
        if self.scratch.is_none() {
            self.scratch = Some(on.host.smt_session()?);
        }
        let scratch = self.scratch.as_mut().expect("just made");
        if !scratch.capabilities().contains(Capabilities::INTERPOLATION) {
            return Ok(None);
        }
        scratch.set_kind(GENERALISE);
        self.counts.entry(GENERALISE).or_default().asked += 1;
        Ok(scratch.interpolate(&mut on.program.pool, a, b)?)
    }
}

fn reply(answer: Answer, limited: bool) -> Result<Reply, Stop> {
    match answer {
        Answer::Sat => Ok(Reply::Sat),
        Answer::Unsat => Ok(Reply::Unsat(Vec::new())),
        Answer::Unknown(UnknownReason::Interrupted) => Err(Stop::Cancelled),
        Answer::Unknown(_) if limited => Ok(Reply::Unknown),
        Answer::Unknown(reason) => Err(Stop::GaveUp(reason)),
    }
}

fn read(solver: &mut dyn SmtSession, program: &mut Program, terms: &[Term]) -> Result<Model, Stop> {
    let mut model = Model::default();
    for v in program.pool.free_vars(terms.iter().copied()) {
        let t = program.pool.var(v);
        let value: Value = solver.value(&program.pool, t)?;
        model.set(v, value);
    }
    Ok(model)
}
