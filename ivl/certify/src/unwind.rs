//! The checker of complete unwindings: every execution is over within so many visits, and none reaches an error.
//!
//! # What is checked
//! Let H be the heads that the certificate names, and a *visit* an arrival at one of them. Every execution from the entry
//! that can still reach an error or incomplete location is followed to its end, and the checker shows that
//!
//! - it reaches none, and
//! - no loop that is entered makes more than N visits of its head before it is left.
//!
//! Nothing is assumed of the loops that are unwound, so no induction is needed. A loop that passes no location of H
//! is not unwound: it is over-approximated as in [`region`](crate::region), and lemmas at its heads are shown at
//! every arrival. The number N is the claimant's, but only how far the checker goes: a wrong one is refused.
//!
//! # How
//! Turns of [`Nesting`] are taken one after the other: inner loops before the next round of outer ones, and what is behind a
//! loop once, after all of its rounds. So each location appears once for each combination of rounds of the loops around
//! it. The order decides how often states join and nothing else: whatever arrives anywhere is followed from there. Where paths
//! join, fresh selectors decide which one was taken and values that differ become `ite`s over them, so the formula is
//! linear in turns and edges, and a value that is the same on all paths stays as it is. Terms are made by
//! [`fold`](crate::fold): where conditions are constants, as a loop counter makes them, their branches are not
//! followed, and a program without input is merely executed. What remains goes to one incremental session: the
//! definition of each join as an assertion, whether a loop can go on where constants do not say it, and the errors of ever more
//! turns together as a query.

use crate::certificate::Unwinding;
use crate::check::{Obligation, Obligations, OwnGhosts, Rejection, describe, import};
use crate::fold::Folder;
use crate::region::Cut;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntitySet, SecondaryMap};
use std::collections::BTreeMap;
use std::rc::Rc;
use trellis_ivl::graph::DepthFirst;
use trellis_ivl::nesting::{Nesting, Turn};
use trellis_ivl::{Cmd, CmdView, Loc, LocKind, Program, Term, TermPool, Type, Value, Var, flatten};
use trellis_solver_api::smt::SmtSession;
use trellis_solver_api::{Answer, UnknownReason};

/// The most visits that are unwound.
pub const MAX_VISITS: u32 = 1_000_000;

/// The most edges that are followed, over all turns.
const MAX_EDGES: u64 = 5_000_000;

/// How many edges are followed between two looks at whether to stop.
const LOOK: u64 = 1_000;

/// Accepts an unwinding, or says what is wrong with it. Once `stopped` holds, the answer is undecided.
pub fn check_unwinding(
    program: &Program,
    pool: &TermPool,
    certificate: &Unwinding,
    session: &mut dyn SmtSession,
    stopped: &dyn Fn() -> bool,
) -> Result<(), Rejection> {
    session.set_kind("certify");
    let mut unwinder = Unwinder::new(program, pool, certificate, Sink::Solver(session), stopped)?;
    unwinder.run(certificate.visits)
}

/// What has to be shown for an unwinding, as one formula that must be unsatisfiable.
pub fn unwinding_obligations(
    program: &Program,
    pool: &TermPool,
    certificate: &Unwinding,
    stopped: &dyn Fn() -> bool,
) -> Result<Obligations, Rejection> {
    let sink = Sink::Formula(Vec::new());
    let mut unwinder = Unwinder::new(program, pool, certificate, sink, stopped)?;
    unwinder.run(certificate.visits)?;
    let Unwinder {
        mut program,
        mut folder,
        sink,
        claims,
        ..
    } = unwinder;
    let pool = &mut program.pool;
    let mut formula = pool.fls();
    for claim in &claims {
        formula = folder.or(pool, formula, claim.broken);
    }
    if let Sink::Formula(definitions) = sink {
        for definition in definitions {
            formula = folder.and(pool, formula, definition);
        }
    }
    let mut list = Vec::new();
    if pool.as_bool(formula) != Some(false) {
        let visits = certificate.visits;
        let name = format!("no execution errs, and every loop is left within {visits} visits");
        list.push(Obligation { name, formula });
    }
    Ok(Obligations { program, list })
}

/// Where formulas go.
enum Sink<'a> {
    /// To a session, as soon as they are made.
    Solver(&'a mut dyn SmtSession),
    /// To one formula: the definitions so far.
    Formula(Vec<Term>),
}

/// What variables hold; one that is not listed holds its initial value.
type Env = SecondaryMap<Var, PackedOption<Term>>;

/// An execution may be somewhere when `reached` holds, with the values of `env`.
#[derive(Clone)]
struct State {
    reached: Term,
    env: Rc<Env>,
}

/// Something that must not be.
struct Claim {
    what: What,
    broken: Term,
}

enum What {
    /// After so many visits, an error or incomplete location is not reached.
    Unreached(u64, Loc),
    /// After so many visits, a lemma holds.
    Lemma(u64, Loc),
    /// No execution is here any more.
    Over(Loc),
}

struct Unwinder<'a> {
    program: Program,
    folder: Folder,
    cut: Cut,
    nesting: Nesting,
    /// Locations from which an error or incomplete location can be reached.
    relevant: EntitySet<Loc>,
    sink: Sink<'a>,
    stopped: &'a dyn Fn() -> bool,
    /// What has not been asked yet.
    claims: Vec<Claim>,
    edges: u64,
    /// Heads that were visited so far, over all turns.
    visits: u64,
    /// Arrivals that have not been followed.
    pending: BTreeMap<Turn, Vec<State>>,
    /// States on entry to loops that are not unwound, which continue at the loop's heads: by the rounds around the loop and
    /// its number.
    entered: BTreeMap<Turn, Vec<State>>,
}

impl<'a> Unwinder<'a> {
    fn new(
        program: &Program,
        pool: &TermPool,
        certificate: &Unwinding,
        sink: Sink<'a>,
        stopped: &'a dyn Fn() -> bool,
    ) -> Result<Unwinder<'a>, Rejection> {
        if certificate.visits > MAX_VISITS {
            let message = format!(
                "{} visits are claimed, at most {MAX_VISITS} are unwound",
                certificate.visits
            );
            return Err(Rejection::Malformed(message));
        }
        let mut flat = program.clone();
        if !flat.is_flat() {
            flatten(&mut flat, &certificate.expansion);
        }
        if let Some(l) = certificate.heads.iter().find(|&&l| !flat.locs.is_valid(l)) {
            return Err(Rejection::Malformed(format!("the program has no {l}")));
        }
        let lemmas = import(&mut flat, pool, &certificate.lemmas, &OwnGhosts::default())?;
        let mut heads = certificate.heads.clone();
        heads.retain(|&l| flat.locs[l].kind == LocKind::Plain);
        let cut = Cut::new(&flat, &heads, lemmas);
        // Heads of the outermost loops first.
        let search = DepthFirst::new(&flat, &cut.adjacency, flat.entry()).order;
        let mut locs: Vec<Loc> = search;
        locs.retain(|&l| cut.cutpoints.contains(l));
        locs.extend(&cut.order);
        let nesting = Nesting::new(&flat, &cut.adjacency, &locs, &cut.cutpoints);
        let relevant = relevant(&flat, &cut);
        Ok(Unwinder {
            program: flat,
            folder: Folder::default(),
            cut,
            nesting,
            relevant,
            sink,
            stopped,
            claims: Vec::new(),
            edges: 0,
            visits: 0,
            pending: BTreeMap::new(),
            entered: BTreeMap::new(),
        })
    }

    fn run(&mut self, visits: u32) -> Result<(), Rejection> {
        let start = State {
            reached: self.program.pool.tru(),
            env: Rc::default(),
        };
        let entry = self.program.entry();
        self.arrive(None, entry, self.nesting.first(entry), start);
        let mut next_question = 0;
        while let Some((turn, arrivals)) = self.pending.pop_first() {
            let loc = self.nesting.at(&turn);
            let state = match self.covering_entries(&turn) {
                Some(entries) => self.cover(loc, entries)?,
                None => self.join(arrivals)?,
            };
            if self.program.locs[loc].kind != LocKind::Plain {
                self.claim(What::Unreached(self.visits, loc), state.reached);
                continue;
            }
            if self.cut.cutpoints.contains(loc) {
                self.visits += 1;
                let round = self.nesting.round(&turn);
                // To begin at a head is no visit.
                if round > Some(visits.saturating_add(u32::from(loc == entry))) {
                    self.claim(What::Over(loc), state.reached);
                    continue;
                }
                if round > Some(1) && !self.possible(&state)? {
                    continue;
                }
                // Few questions, each about many turns: what a session has learnt serves the next.
                if self.visits >= next_question {
                    self.ask()?;
                    next_question = self.visits + 1 + self.visits / 4;
                }
            }
            self.leave(&turn, loc, state)?;
        }
        self.ask()
    }

    /// Whether a loop may go on like this, as far as the session can say.
    fn possible(&mut self, state: &State) -> Result<bool, Rejection> {
        let Sink::Solver(session) = &mut self.sink else {
            return Ok(true);
        };
        let pool = &mut self.program.pool;
        if let Some(known) = pool.as_bool(state.reached) {
            return Ok(known);
        }
        if session.check(pool, &[state.reached])? != Answer::Unsat {
            return Ok(true);
        }
        let never = self.folder.not(pool, state.reached);
        session.assert(pool, never)?;
        Ok(false)
    }

    /// The name of the loop that is not unwound, in certain rounds of loops around it.
    fn uncut(turn: &Turn, id: u32) -> Turn {
        let mut name = turn[..turn.len() - 1].to_vec();
        name.push(id);
        name
    }

    /// The states on entry to the loop that is not unwound whose head the turn is at.
    fn covering_entries(&self, turn: &Turn) -> Option<Vec<State>> {
        let loc = self.nesting.at(turn);
        let id = self.cut.component[loc]?;
        let (heads, _) = &self.cut.loops[id as usize];
        if !heads.contains(&loc) {
            return None;
        }
        self.entered.get(&Self::uncut(turn, id)).cloned()
    }

    /// The state at the head of a loop that is not unwound: what it changes is arbitrary but for the lemma.
    fn cover(&mut self, loc: Loc, entries: Vec<State>) -> Result<State, Rejection> {
        let mut state = self.join(entries)?;
        let Some(id) = self.cut.component[loc] else {
            return Ok(state);
        };
        let env = Rc::make_mut(&mut state.env);
        for &v in &self.cut.loops[id as usize].1 {
            env[v] = fresh(&mut self.program.pool, v).into();
        }
        if let Some(lemma) = self.cut.lemma(loc) {
            let holds = self.value(&state.env, lemma);
            state.reached = self
                .folder
                .and(&mut self.program.pool, state.reached, holds);
        }
        Ok(state)
    }

    fn leave(&mut self, turn: &Turn, loc: Loc, state: State) -> Result<(), Rejection> {
        for i in 0..self.cut.adjacency.out(loc).len() {
            let e = self.cut.adjacency.out(loc)[i];
            let to = self.program.edges[e].to;
            if !self.relevant.contains(to) {
                continue;
            }
            self.count_edge()?;
            let cmd = self
                .program
                .edge_cmd(e)
                .expect("a flat program has no calls");
            let mut after = state.clone();
            self.execute(cmd, &mut after)?;
            if self.program.locs[to].kind != LocKind::Plain {
                // Not at its place in the order, which is behind all loops.
                self.claim(What::Unreached(self.visits, to), after.reached);
            } else if self.program.pool.as_bool(after.reached) != Some(false) {
                let next = self.nesting.step(turn, to);
                self.arrive(self.cut.component[loc], to, next, after);
            }
        }
        Ok(())
    }

    fn count_edge(&mut self) -> Result<(), Rejection> {
        self.edges += 1;
        let reason = if self.edges > MAX_EDGES {
            UnknownReason::Incomplete(format!("more than {MAX_EDGES} edges"))
        } else if self.edges.is_multiple_of(LOOK) && (self.stopped)() {
            UnknownReason::Interrupted
        } else {
            return Ok(());
        };
        Err(Rejection::Undecided {
            obligation: "unwinding the program".into(),
            reason,
        })
    }

    /// Files an arrival; `from` is the loop it comes from, if that is not unwound.
    fn arrive(&mut self, from: Option<u32>, loc: Loc, turn: Turn, state: State) {
        if let Some(id) = self.cut.component[loc] {
            let (heads, _) = &self.cut.loops[id as usize];
            if from != Some(id) {
                let entries = self.entered.entry(Self::uncut(&turn, id)).or_default();
                entries.push(state.clone());
                for &head in heads {
                    let turn = self.nesting.step(&turn, head);
                    self.pending.entry(turn).or_default();
                }
            }
            if heads.contains(&loc) {
                // Covered by the arbitrary state that every entry gives the heads, if the lemma holds.
                if let Some(lemma) = self.cut.lemma(loc) {
                    let holds = self.value(&state.env, lemma);
                    let pool = &mut self.program.pool;
                    let fails = self.folder.not(pool, holds);
                    let broken = self.folder.and(pool, state.reached, fails);
                    self.claim(What::Lemma(self.visits, loc), broken);
                }
                return;
            }
        }
        self.pending.entry(turn).or_default().push(state);
    }

    /// `cmd` from `state`, which becomes the state after it.
    fn execute(&mut self, cmd: Cmd, state: &mut State) -> Result<(), Rejection> {
        match self.program.cmds.view(cmd) {
            CmdView::Skip => {}
            CmdView::Assume(t) => {
                let holds = self.value(&state.env, t);
                state.reached = self
                    .folder
                    .and(&mut self.program.pool, state.reached, holds);
            }
            CmdView::Assign(items) => {
                let items = items.to_vec();
                let values: Vec<(Var, Term)> = items
                    .into_iter()
                    .map(|(v, t)| (v, self.value(&state.env, t)))
                    .collect();
                let env = Rc::make_mut(&mut state.env);
                for (v, value) in values {
                    env[v] = value.into();
                }
            }
            CmdView::Havoc(items) => {
                let env = Rc::make_mut(&mut state.env);
                for (v, _) in items.iter().copied() {
                    env[v] = fresh(&mut self.program.pool, v).into();
                }
            }
            CmdView::Seq(cs) => {
                let cs = cs.to_vec();
                for c in cs {
                    self.execute(c, state)?;
                    if self.program.pool.as_bool(state.reached) == Some(false) {
                        break;
                    }
                }
            }
            CmdView::Choice(cs) => {
                let cs = cs.to_vec();
                let mut branches = Vec::new();
                for c in cs {
                    let mut branch = state.clone();
                    self.execute(c, &mut branch)?;
                    if self.program.pool.as_bool(branch.reached) != Some(false) {
                        branches.push(branch);
                    }
                }
                *state = self.join(branches)?;
            }
        }
        Ok(())
    }

    /// The states of several paths as one. Of several selectors the first that is true names the path.
    fn join(&mut self, mut paths: Vec<State>) -> Result<State, Rejection> {
        let Some(mut joined) = paths.pop() else {
            let reached = self.program.pool.fls();
            let env = Rc::default();
            return Ok(State { reached, env });
        };
        if paths.is_empty() {
            return Ok(joined);
        }
        for path in paths.into_iter().rev() {
            let pool = &mut self.program.pool;
            let symbol = pool.fresh("path", Type::Bool);
            let taken = pool.var(symbol);
            joined.reached = self.folder.ite(pool, taken, path.reached, joined.reached);
            if Rc::ptr_eq(&path.env, &joined.env) {
                continue;
            }
            let listed = path.env.keys().len().max(joined.env.keys().len());
            for i in 0..listed {
                let v = Var::from_u32(i as u32);
                let (mine, other) = (path.env[v], joined.env[v]);
                if mine == other {
                    continue;
                }
                let own = pool.var(v);
                let (mine, other) = (mine.expand().unwrap_or(own), other.expand().unwrap_or(own));
                let value = self.folder.ite(pool, taken, mine, other);
                Rc::make_mut(&mut joined.env)[v] = value.into();
            }
        }
        joined.reached = self.named(joined.reached)?;
        Ok(joined)
    }

    /// A symbol that implies `t`: whoever is here may choose it to be true, and then `t` holds.
    fn named(&mut self, t: Term) -> Result<Term, Rejection> {
        let pool = &mut self.program.pool;
        if pool.is_const(t) || pool.as_var(t).is_some() {
            return Ok(t);
        }
        let symbol = pool.fresh("at", Type::Bool);
        let name = pool.var(symbol);
        let absent = self.folder.not(pool, name);
        let definition = self.folder.or(pool, absent, t);
        match &mut self.sink {
            Sink::Solver(session) => session.assert(pool, definition)?,
            Sink::Formula(definitions) => definitions.push(definition),
        }
        Ok(name)
    }

    fn value(&mut self, env: &Env, t: Term) -> Term {
        let var = |pool: &mut TermPool, v: Var| env[v].expand().unwrap_or_else(|| pool.var(v));
        self.folder.value(&mut self.program.pool, t, &var)
    }

    fn claim(&mut self, what: What, broken: Term) {
        if self.program.pool.as_bool(broken) != Some(false) {
            self.claims.push(Claim { what, broken });
        }
    }

    /// Asks for all that has been claimed since the last time.
    fn ask(&mut self) -> Result<(), Rejection> {
        let Sink::Solver(session) = &mut self.sink else {
            return Ok(());
        };
        let (Some(first), Some(last)) = (self.claims.first(), self.claims.last()) else {
            return Ok(());
        };
        let pool = &mut self.program.pool;
        let mut any = pool.fls();
        for claim in &self.claims {
            any = self.folder.or(pool, any, claim.broken);
        }
        match session.check(pool, &[any])? {
            Answer::Unsat => {
                let none = self.folder.not(pool, any);
                session.assert(pool, none)?;
                self.claims.clear();
                Ok(())
            }
            Answer::Sat => {
                for claim in &self.claims {
                    if session.value(&self.program.pool, claim.broken)? == Value::Bool(true) {
                        return Err(claim.what.refuted(&self.program));
                    }
                }
                Err(last.what.refuted(&self.program))
            }
            Answer::Unknown(reason) => {
                let (first, last) = (
                    first.what.in_words(&self.program),
                    last.what.in_words(&self.program),
                );
                let obligation = match self.claims.len() {
                    1 => first,
                    n => format!("{n} obligations from `{first}` to `{last}`"),
                };
                Err(Rejection::Undecided { obligation, reason })
            }
        }
    }
}

impl What {
    fn in_words(&self, program: &Program) -> String {
        match *self {
            What::Unreached(visits, l) => {
                let what = describe(program, l);
                format!("after {visits} visits: {what} is not reached")
            }
            What::Lemma(visits, l) => format!("after {visits} visits: the lemma of {l} holds"),
            What::Over(l) => format!("no execution visits {l} after all visits"),
        }
    }

    fn refuted(&self, program: &Program) -> Rejection {
        let words = self.in_words(program);
        match self {
            What::Over(_) => Rejection::NotOver(words),
            _ => Rejection::Refuted(words),
        }
    }
}

/// The locations from which an error or incomplete location can be reached, among those that the entry reaches.
fn relevant(program: &Program, cut: &Cut) -> EntitySet<Loc> {
    let order = DepthFirst::new(program, &cut.adjacency, program.entry()).order;
    let mut found = EntitySet::new();
    let mut todo = Vec::new();
    for &l in &order {
        if program.locs[l].kind != LocKind::Plain {
            found.insert(l);
            todo.push(l);
        }
    }
    while let Some(l) = todo.pop() {
        for &e in cut.adjacency.inc(l) {
            let from = program.edges[e].from;
            if program.locs[from].kind == LocKind::Plain && found.insert(from) {
                todo.push(from);
            }
        }
    }
    found
}

/// A fresh symbol for `v`.
fn fresh(pool: &mut TermPool, v: Var) -> Term {
    let data = pool.var_data(v);
    let (name, ty) = (data.name.clone(), data.ty);
    let symbol = pool.fresh(name, ty);
    pool.var(symbol)
}
