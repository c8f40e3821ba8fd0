//! The rank of one loop: components are chosen one after the other.
//!
//! The value of every candidate at the last visit of the head is remembered in a symbol. At the heads within the loop, what is
//! known of the candidates against their symbols (not grown, fallen, the same) is found by Houdini. What arrives at the head again is then a list of
//! rounds, each a formula over the state where its last segment begins and the symbols.

use crate::candidates::candidates;
use crate::facts::{Facts, houdini};
use crate::plugin::Options;
use crate::segments::{Segment, Segments};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use trellis_engine_common::{go_on, try_ask};
use trellis_ivl::termination::Loop;
use trellis_ivl::{Edge, Loc, Program, Term, Value, Var};
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
struct Candidate {
    term: Term,
    last: Var,
}

/// The ways to arrive at the head.
struct Round {
    /// When it is taken.
    taken: Vec<Term>,
    /// The candidates at its end, and at the visit before.
    now: Vec<Term>,
    before: Vec<Term>,
}

/// A rank of the loop, if there is one among the candidates.
pub fn rank(
    segments: &mut Segments,
    facts: Option<&Facts>,
    of: &Loop,
    session: &mut dyn SmtSession,
    options: &Options,
    host: &mut dyn Host,
) -> Result<Option<Rank>, EngineError> {
    let terms = candidates(&mut segments.program, of, options.candidates as usize);
    let pool = &mut segments.program.pool;
    let mut all: Vec<Candidate> = Vec::with_capacity(terms.len());
    for term in terms {
        let last = pool.fresh("last", pool.ty(term));
        all.push(Candidate { term, last });
    }
    let within = |p: &Program, e: Edge| of.contains(p.edges[e].from) && of.contains(p.edges[e].to);
    let mut heads: Vec<Loc> = segments
        .heads
        .iter()
        .copied()
        .filter(|&h| of.contains(h))
        .collect();
    heads.sort_unstable();
    let mut known: FxHashMap<Loc, Term> = FxHashMap::default();
    let mut ways: Vec<Segment> = Vec::new();
    for &h in &heads {
        go_on(host)?;
        ways.extend(segments.from(Some(h), &within));
        let mut fact = match facts {
            Some(facts) => facts.known(segments, h),
            None => segments.program.pool.tru(),
        };
        if h == of.head {
            fact = with_last(segments, &all, fact);
        }
        known.insert(h, fact);
    }
    let mut inner = inner_facts(segments, of, &all, &heads);
    if !inner.is_empty() {
        let to_inner: Vec<Segment> = ways.iter().filter(|s| s.to != of.head).cloned().collect();
        houdini(segments, &to_inner, &known, &mut inner, session, host)?;
    }
    let mut rounds = Vec::new();
    for s in ways.iter().filter(|s| s.to == of.head) {
        rounds.push(round(segments, s, of, &all, &known, &inner));
    }
    session.set_kind("rank");
    let chosen = choose(segments, &all, &rounds, session, options, host)?;
    Ok(chosen.map(|chosen| kept(&segments.program, &all, &chosen, inner)))
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

/// The candidates that make a rank, in order.
fn choose(
    segments: &mut Segments,
    all: &[Candidate],
    rounds: &[Round],
    session: &mut dyn SmtSession,
    options: &Options,
    host: &mut dyn Host,
) -> Result<Option<Vec<usize>>, EngineError> {
    let mut chosen: Vec<usize> = Vec::new();
    let mut left: Vec<Vec<Term>> = rounds.iter().map(|r| r.taken.clone()).collect();
    loop {
        let mut open = vec![true; all.len()];
        for &i in &chosen {
            open[i] = false;
        }
        // Whether some round is left at all, and what it refutes.
        let mut any = false;
        for (r, taken) in rounds.iter().zip(&left) {
            go_on(host)?;
            match try_ask(session, &segments.program.pool, taken)? {
                Some(false) => {}
                Some(true) => {
                    any = true;
                    refute(segments, r, &mut open, session)?;
                }
                None => return Ok(None),
            }
        }
        if !any {
            return Ok(Some(chosen));
        }
        if chosen.len() >= options.components as usize {
            return Ok(None);
        }
        let next = next(segments, rounds, &left, &mut open, session, host)?;
        let Some(next) = next else {
            return Ok(None);
        };
        for (r, taken) in rounds.iter().zip(&mut left) {
            let same = segments.program.pool.eq(r.now[next], r.before[next]);
            taken.push(same);
        }
        chosen.push(next);
    }
}

/// Closes the candidates that grow in the model.
fn refute(
    segments: &Segments,
    r: &Round,
    open: &mut [bool],
    session: &mut dyn SmtSession,
) -> Result<(), EngineError> {
    let pool = &segments.program.pool;
    for (i, open) in open.iter_mut().enumerate().filter(|(_, o)| **o) {
        let now = session.value(pool, r.now[i])?;
        let before = session.value(pool, r.before[i])?;
        if let (Value::Bv(now), Value::Bv(before)) = (now, before) {
            *open = now.ucmp(&before).is_le();
        }
    }
    Ok(())
}

/// A candidate that never grows and sometimes falls; best one that always falls.
fn next(
    segments: &mut Segments,
    rounds: &[Round],
    left: &[Vec<Term>],
    open: &mut [bool],
    session: &mut dyn SmtSession,
    host: &mut dyn Host,
) -> Result<Option<usize>, EngineError> {
    let mut sometimes = None;
    for i in 0..open.len() {
        if !open[i] {
            continue;
        }
        let (mut grows, mut falls, mut stays) = (false, false, false);
        for (r, taken) in rounds.iter().zip(left) {
            go_on(host)?;
            let pool = &mut segments.program.pool;
            let grown = pool.bvult(r.before[i], r.now[i]);
            match with(session, segments, taken, grown)? {
                Some(false) => {}
                Some(true) => {
                    refute(segments, r, open, session)?;
                    grows = true;
                    break;
                }
                None => {
                    grows = true;
                    break;
                }
            }
            let pool = &mut segments.program.pool;
            let same = pool.eq(r.now[i], r.before[i]);
            let fallen = pool.bvult(r.now[i], r.before[i]);
            stays |= with(session, segments, taken, same)? != Some(false);
            falls |= with(session, segments, taken, fallen)? == Some(true);
        }
        if grows {
            open[i] = false;
            continue;
        }
        if falls && !stays {
            return Ok(Some(i));
        }
        if falls && sometimes.is_none() {
            sometimes = Some(i);
        }
    }
    Ok(sometimes)
}

fn with(
    session: &mut dyn SmtSession,
    segments: &Segments,
    taken: &[Term],
    also: Term,
) -> Result<Option<bool>, EngineError> {
    let mut assumed = taken.to_vec();
    assumed.push(also);
    try_ask(session, &segments.program.pool, &assumed)
}

/// The rank of the chosen candidates, with what is known of them.
fn kept(
    program: &Program,
    all: &[Candidate],
    chosen: &[usize],
    mut inner: BTreeMap<Loc, Vec<Term>>,
) -> Rank {
    let last: Vec<Var> = chosen.iter().map(|&i| all[i].last).collect();
    let dropped: Vec<Var> = all
        .iter()
        .map(|c| c.last)
        .filter(|v| !last.contains(v))
        .collect();
    for facts in inner.values_mut() {
        facts.retain(|&t| {
            !program
                .pool
                .free_vars([t])
                .iter()
                .any(|v| dropped.contains(v))
        });
    }
    Rank {
        tuple: chosen.iter().map(|&i| all[i].term).collect(),
        last,
        inner,
    }
}
