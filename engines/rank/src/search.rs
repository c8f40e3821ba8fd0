//! The rank of one loop: components are chosen one after the other.
//!
//! The value of every candidate at the last visit of the head is remembered in a symbol. At the heads within the loop, what is
//! known of the candidates against their symbols (not grown, fallen, the same) is found by Houdini. What arrives at the head again is then a list of
//! rounds, each a formula over the state where its last segment begins and the symbols.

use crate::candidates::{SUMMED, atoms, basis, candidates, linear};
use crate::choose::{Choice, Chosen};
use crate::facts::{Facts, houdini};
use crate::learn::{Basis, learn};
use crate::plugin::Options;
use crate::segments::{Segment, Segments};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use trellis_engine_common::go_on;
use trellis_ivl::termination::Loop;
use trellis_ivl::{Edge, Loc, Program, Term, Var};
use trellis_plugin_sdk::{EngineError, Host};
use trellis_solver_api::smt::SmtSession;

/// Candidates that loops within the loop keep, and others, of which something is to be known there, at most.
const KEPT: usize = 32;
const FOLLOWED: usize = 10;

/// A rank that was found.
pub struct Rank {
    /// Its components.
    pub tuple: Vec<Term>,
    /// The symbols that stand for their values at the last visit.
    pub last: Vec<Var>,
    /// What holds of both at the heads within the loop.
    pub inner: BTreeMap<Loc, Vec<Term>>,
}

/// A candidate.
#[derive(Clone, Copy)]
struct Candidate {
    term: Term,
    last: Var,
}

/// The ways to arrive at the head.
pub struct Round {
    /// When it is taken.
    pub taken: Vec<Term>,
    /// The candidates at its end.
    pub now: Vec<Term>,
    /// The candidates at the visit before.
    pub before: Vec<Term>,
}

/// How much is tried.
#[derive(Clone, Copy)]
pub struct Effort {
    /// Candidates, at most.
    pub candidates: usize,
    /// Components with coefficients of their own, at most.
    pub learnt: usize,
}

impl Effort {
    /// So many candidates, and so many that are learnt.
    pub fn new(candidates: usize, learnt: usize) -> Effort {
        Effort { candidates, learnt }
    }
}

/// What an attempt gave.
enum Attempt {
    Rank(Rank),
    /// Not that, but a component that is not among the candidates.
    Component(Term),
    Nothing,
}

/// A rank of the loop, if there is one among the candidates and what is learnt.
pub fn rank(
    segments: &mut Segments,
    facts: Option<&Facts>,
    of: &Loop,
    effort: Effort,
    session: &mut dyn SmtSession,
    options: &Options,
    host: &mut dyn Host,
) -> Result<Option<Rank>, EngineError> {
    let mut learnt: Vec<Term> = Vec::new();
    loop {
        let found = attempt(segments, facts, of, effort, &learnt, session, options, host)?;
        match found {
            Attempt::Rank(rank) => return Ok(Some(rank)),
            Attempt::Component(t) if learnt.len() < effort.learnt && !learnt.contains(&t) => {
                learnt.push(t);
            }
            Attempt::Component(_) | Attempt::Nothing => return Ok(None),
        }
    }
}

#[expect(
    clippy::too_many_arguments,
    reason = "what every query needs, and what was learnt"
)]
fn attempt(
    segments: &mut Segments,
    facts: Option<&Facts>,
    of: &Loop,
    effort: Effort,
    learnt: &[Term],
    session: &mut dyn SmtSession,
    options: &Options,
    host: &mut dyn Host,
) -> Result<Attempt, EngineError> {
    let within = |p: &Program, e: Edge| of.contains(p.edges[e].from) && of.contains(p.edges[e].to);
    let mut heads: Vec<Loc> = segments
        .heads
        .iter()
        .copied()
        .filter(|&h| of.contains(h))
        .collect();
    heads.sort_unstable();
    let mut ways: Vec<Segment> = Vec::new();
    for &h in &heads {
        go_on(host)?;
        ways.extend(segments.from(Some(h), &within));
    }
    let live = read(segments, &ways);
    let terms = candidates(&mut segments.program, of, &live, learnt, effort.candidates);
    let pool = &mut segments.program.pool;
    let mut all: Vec<Candidate> = Vec::with_capacity(terms.len());
    for term in terms {
        let last = pool.fresh("last", pool.ty(term));
        all.push(Candidate { term, last });
    }
    let mut known: FxHashMap<Loc, Term> = FxHashMap::default();
    for &h in &heads {
        let fact = match facts {
            Some(facts) => facts.known(segments, h),
            None => segments.program.pool.tru(),
        };
        known.insert(h, fact);
    }
    let around = Around {
        of,
        heads: &heads,
        ways: &ways,
        known: &known,
    };
    let (inner, rounds) = around.rounds(segments, &all, session, host)?;
    session.set_kind("rank");
    let last: Vec<Var> = all.iter().map(|c| c.last).collect();
    let choice = Choice::new(segments, &rounds, session, host, &last);
    match choice.choose(options.components as usize)? {
        Chosen::Rank(chosen) => {
            let rank = around.supported(segments, &all, &chosen, &inner, session, host)?;
            Ok(rank.map_or(Attempt::Nothing, Attempt::Rank))
        }
        Chosen::Stuck(left) if learnt.len() < effort.learnt => {
            let found = learn_from(segments, of, &live, &all, &rounds, &left, session, host)?;
            Ok(found.map_or(Attempt::Nothing, Attempt::Component))
        }
        Chosen::Stuck(_) | Chosen::Unclear => Ok(Attempt::Nothing),
    }
}

/// A loop, cut at its heads.
struct Around<'a> {
    of: &'a Loop,
    heads: &'a [Loc],
    ways: &'a [Segment],
    /// What is known at heads whatever the rank.
    known: &'a FxHashMap<Loc, Term>,
}

/// What holds of candidates and their last values, by head.
type Inner = BTreeMap<Loc, Vec<Term>>;

impl Around<'_> {
    /// What is known of the candidates at the heads within the loop, and the ways to arrive at its head.
    fn rounds(
        &self,
        segments: &mut Segments,
        all: &[Candidate],
        session: &mut dyn SmtSession,
        host: &mut dyn Host,
    ) -> Result<(Inner, Vec<Round>), EngineError> {
        let head = self.of.head;
        let mut inner = inner_facts(segments, self.of, all, self.heads);
        if !inner.is_empty() {
            let to_inner = self.ways.iter().filter(|s| s.to != head).cloned();
            let to_inner: Vec<Segment> = to_inner.collect();
            // A round from the head to itself has no need of symbols for the last values.
            let mut with = self.known.clone();
            if let Some(fact) = with.get_mut(&head) {
                *fact = with_last(segments, all, *fact);
            }
            houdini(segments, &to_inner, &with, &mut inner, session, host)?;
        }
        let mut rounds = Vec::new();
        for s in self.ways.iter().filter(|s| s.to == head) {
            rounds.push(round(segments, s, self.of, all, self.known, &inner));
        }
        Ok((inner, rounds))
    }

    /// The rank of the chosen candidates. What is known of them may rest on what is known of others, and whoever checks it knows only
    /// of components: then those others are components, too, after all that matter.
    fn supported(
        &self,
        segments: &mut Segments,
        all: &[Candidate],
        chosen: &[usize],
        inner: &Inner,
        session: &mut dyn SmtSession,
        host: &mut dyn Host,
    ) -> Result<Option<Rank>, EngineError> {
        if inner.values().all(Vec::is_empty) {
            let components = || chosen.iter().map(|&i| all[i]);
            return Ok(Some(Rank {
                tuple: components().map(|c| c.term).collect(),
                last: components().map(|c| c.last).collect(),
                inner: inner.clone(),
            }));
        }
        let facts = inner.values().flatten().copied();
        let mentioned = segments.program.pool.free_vars(facts);
        let others = (0..all.len()).filter(|i| !chosen.contains(i));
        let others: Vec<usize> = others
            .filter(|&i| mentioned.contains(&all[i].last))
            .collect();
        if let Some(rank) = self.rank_of(segments, all, chosen, &[], session, host)? {
            return Ok(Some(rank));
        }
        let mut found = self.rank_of(segments, all, chosen, &others, session, host)?;
        let mut left = others.clone();
        for i in others.into_iter().rev() {
            if found.is_none() {
                break;
            }
            let fewer: Vec<usize> = left.iter().copied().filter(|&j| j != i).collect();
            if let Some(rank) = self.rank_of(segments, all, chosen, &fewer, session, host)? {
                found = Some(rank);
                left = fewer;
            }
        }
        Ok(found)
    }

    /// The rank of the chosen candidates, with others behind them, if it is one by what is known of these alone.
    fn rank_of(
        &self,
        segments: &mut Segments,
        all: &[Candidate],
        chosen: &[usize],
        others: &[usize],
        session: &mut dyn SmtSession,
        host: &mut dyn Host,
    ) -> Result<Option<Rank>, EngineError> {
        let components = chosen.iter().chain(others);
        let components: Vec<Candidate> = components.map(|&i| all[i]).collect();
        let (inner, rounds) = self.rounds(segments, &components, session, host)?;
        let last: Vec<Var> = components.iter().map(|c| c.last).collect();
        let tuple: Vec<usize> = (0..chosen.len()).collect();
        let falls = Choice::new(segments, &rounds, session, host, &last).falls(&tuple)?;
        Ok(falls.then(|| Rank {
            tuple: components.iter().map(|c| c.term).collect(),
            last,
            inner,
        }))
    }
}

/// The variables whose values where segments begin matter to them.
fn read(segments: &Segments, ways: &[Segment]) -> FxHashSet<Var> {
    let values = ways.iter().flat_map(|s| s.env.values().copied());
    let terms = values.chain(ways.iter().map(|s| s.taken));
    segments.program.pool.free_vars(terms).into_iter().collect()
}

/// A sum of what decides how the loop goes on, from the rounds that the components so far leave open.
#[expect(clippy::too_many_arguments, reason = "what an attempt knows")]
fn learn_from(
    segments: &mut Segments,
    of: &Loop,
    live: &FxHashSet<Var>,
    all: &[Candidate],
    rounds: &[Round],
    left: &[Vec<Term>],
    session: &mut dyn SmtSession,
    host: &mut dyn Host,
) -> Result<Option<Term>, EngineError> {
    let atoms = atoms(&segments.program, of);
    let (mut terms, mut indices) = (Vec::new(), Vec::new());
    for t in basis(&mut segments.program, of, live, &atoms) {
        let alone = linear(&mut segments.program.pool, &[(t, 1)], true);
        let index = all.iter().position(|c| c.term == alone);
        if let Some(index) = index.filter(|_| terms.len() < SUMMED) {
            terms.push(t);
            indices.push(index);
        }
    }
    let basis = Basis {
        terms: &terms,
        candidates: &indices,
    };
    learn(segments, &basis, rounds, left, session, host)
}

/// At the head itself, the last values are the present ones.
fn with_last(segments: &mut Segments, all: &[Candidate], fact: Term) -> Term {
    let pool = &mut segments.program.pool;
    let mut parts = vec![fact];
    for c in all {
        let last = pool.var(c.last);
        parts.push(pool.eq(last, c.term));
    }
    pool.and_all(parts)
}

/// What may hold at heads within the loop, of each candidate.
fn inner_facts(
    segments: &mut Segments,
    of: &Loop,
    all: &[Candidate],
    heads: &[Loc],
) -> BTreeMap<Loc, Vec<Term>> {
    let changed = changed_within(segments, of);
    let pool = &mut segments.program.pool;
    let mut facts = Vec::new();
    let (mut kept, mut followed) = (0, 0);
    for c in all {
        let last = pool.var(c.last);
        let vars = pool.free_vars([c.term]);
        // What no inner loop changes is the same there, and nothing else need be tried.
        if vars.iter().all(|v| !changed.contains(v)) && kept < KEPT {
            facts.push(pool.eq(c.term, last));
            kept += 1;
        } else if followed < FOLLOWED {
            facts.push(pool.bvule(c.term, last));
            facts.push(pool.bvult(c.term, last));
            facts.push(pool.eq(c.term, last));
            followed += 1;
        }
    }
    let inner = heads.iter().filter(|&&h| h != of.head);
    inner.map(|&h| (h, facts.clone())).collect()
}

/// The variables that loops within the loop change.
fn changed_within(segments: &Segments, of: &Loop) -> FxHashSet<Var> {
    let program = &segments.program;
    let inner = segments.loops.iter();
    let inner = inner.filter(|l| l.head != of.head && of.contains(l.head));
    let edges = inner.flat_map(|l| l.edges(program));
    let cmds = edges.filter_map(|e| program.edge_cmd(e));
    cmds.flat_map(|c| program.cmds.modified(c)).collect()
}

fn round(
    segments: &mut Segments,
    s: &Segment,
    of: &Loop,
    all: &[Candidate],
    known: &FxHashMap<Loc, Term>,
    inner: &BTreeMap<Loc, Vec<Term>>,
) -> Round {
    let mut taken = vec![s.taken];
    if let Some(from) = s.from {
        taken.extend(inner.get(&from).into_iter().flatten());
        taken.extend(known.get(&from));
    }
    let here = s.from == Some(of.head);
    let (mut now, mut before) = (Vec::new(), Vec::new());
    for c in all {
        now.push(segments.at(&s.env, c.term));
        before.push(match here {
            true => c.term,
            false => segments.program.pool.var(c.last),
        });
    }
    Round { taken, now, before }
}
