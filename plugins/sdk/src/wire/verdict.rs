//! Certificates, unwindings, traces and lemmas as words.

use super::reader::{Reader, WireError};
use super::terms::{Received, SameVars, Sent, Vars};
use super::values::{read_value, write_value};
use crate::verdict::{Certificate, Lemma, LemmaKind};
use trellis_ivl::{Edge, Input, Loc, Program, Scope, Step, Term, TermPool, Trace, Type, Var};
use trellis_plugin_abi as abi;

/// The words of a certificate over `pool`.
pub fn write_certificate(pool: &TermPool, certificate: &Certificate) -> Vec<u32> {
    let (mut sent, mut nodes) = (Sent::new(), Vec::new());
    let number = |v: Var| match certificate.ghosts.iter().position(|&g| g == v) {
        Some(i) => abi::words::TRELLIS_FIRST_GHOST + i as u32,
        None => v.as_u32(),
    };
    let mut items = Vec::with_capacity(2 * certificate.invariants.len());
    for (&loc, &t) in &certificate.invariants {
        items.extend([loc.as_u32(), sent.send_with(pool, t, &mut nodes, number)]);
    }
    let hints: Vec<u32> = certificate
        .hints
        .iter()
        .map(|&t| sent.send_with(pool, t, &mut nodes, number))
        .collect();
    let mut out = vec![certificate.k.unwrap_or(0), nodes.len() as u32];
    out.extend(nodes);
    out.push(certificate.invariants.len() as u32);
    out.extend(items);
    // Without ghosts the words are those of the first version of the ABI.
    if !certificate.ghosts.is_empty() {
        out.push(hints.len() as u32);
        out.extend(hints);
    }
    out
}

/// Variables of the pool, and ghosts as they come.
#[derive(Default)]
struct WithGhosts {
    ghosts: Vec<(u32, Var)>,
}

impl Vars for WithGhosts {
    fn var(&mut self, pool: &mut TermPool, number: u32, ty: Type) -> Result<Var, WireError> {
        let first = abi::words::TRELLIS_FIRST_GHOST;
        let Some(ghost) = number.checked_sub(first).filter(|&i| i < MAX_GHOSTS) else {
            return SameVars.var(pool, number, ty);
        };
        if let Some(&(_, v)) = self.ghosts.iter().find(|(i, _)| *i == ghost) {
            return SameVars.var(pool, v.as_u32(), ty);
        }
        let v = pool.fresh(GHOST_NAMES[ghost as usize], ty);
        self.ghosts.push((ghost, v));
        Ok(v)
    }
}

/// Ghosts of one certificate at most.
const MAX_GHOSTS: u32 = GHOST_NAMES.len() as u32;
/// What ghosts are called where people read them.
const GHOST_NAMES: [&str; 4] = ["k", "l", "m", "n"];

/// Reads a certificate, its terms into the pool of `program`; its ghosts become variables of the pool.
pub fn read_certificate(program: &mut Program, words: &[u32]) -> Result<Certificate, WireError> {
    let mut r = Reader::new(words);
    let k = r.word("a certificate")?;
    let locs = program.locs.len();
    let mut vars = WithGhosts::default();
    let terms = read_nodes_with(&mut program.pool, &mut vars, &mut r)?;
    vars.ghosts.sort_unstable();
    let mut certificate = Certificate {
        k: (k > 0).then_some(k),
        ghosts: vars.ghosts.iter().map(|&(_, v)| v).collect(),
        ..Certificate::default()
    };
    for &t in terms.terms() {
        if let Some(v) = program.pool.as_var(t)
            && !certificate.ghosts.contains(&v)
        {
            own_variable(&program.pool, v)?;
        }
    }
    for _ in 0..r.count("a certificate")? {
        let (loc, t) = read_fact(&program.pool, locs, &terms, &mut r)?;
        if certificate.invariants.insert(loc, t).is_some() {
            let message = format!("{loc} has two invariants");
            return Err(WireError::Malformed(message));
        }
    }
    if r.left() > 0 {
        for _ in 0..r.count("hints")? {
            certificate.hints.push(terms.term(r.word("a hint")?)?);
        }
    }
    r.finish()?;
    Ok(certificate)
}

/// The words of an unwinding.
pub fn write_unwinding(visits: u32) -> Vec<u32> {
    vec![visits]
}

/// Reads an unwinding: its number of visits.
pub fn read_unwinding(words: &[u32]) -> Result<u32, WireError> {
    let mut r = Reader::new(words);
    let visits = r.word("an unwinding")?;
    r.finish()?;
    Ok(visits)
}

/// The words of lemmas over `pool`.
pub fn write_lemmas(pool: &TermPool, lemmas: &[Lemma]) -> Vec<u32> {
    let (mut sent, mut nodes) = (Sent::new(), Vec::new());
    let mut items = Vec::with_capacity(4 * lemmas.len());
    for lemma in lemmas {
        let (kind, bound) = match lemma.kind {
            LemmaKind::Candidate => (abi::TRELLIS_LEMMA_CANDIDATE, 0),
            LemmaKind::Bounded(k) => (abi::TRELLIS_LEMMA_BOUNDED, k),
            LemmaKind::Proved => (abi::TRELLIS_LEMMA_PROVED, 0),
        };
        let term = sent.send(pool, lemma.term, &mut nodes);
        items.extend([kind, bound, lemma.loc.as_u32(), term]);
    }
    let mut out = vec![nodes.len() as u32];
    out.extend(nodes);
    out.push(lemmas.len() as u32);
    out.extend(items);
    out
}

/// Reads lemmas, their terms into the pool of `program`.
pub fn read_lemmas(program: &mut Program, words: &[u32]) -> Result<Vec<Lemma>, WireError> {
    let locs = program.locs.len();
    read_lemmas_into(&mut program.pool, locs, words)
}

/// Reads lemmas at the first `locs` locations, their terms into `pool`.
pub fn read_lemmas_into(
    pool: &mut TermPool,
    locs: usize,
    words: &[u32],
) -> Result<Vec<Lemma>, WireError> {
    let mut r = Reader::new(words);
    let terms = read_nodes(pool, &mut r)?;
    let mut lemmas = Vec::new();
    for _ in 0..r.count("lemmas")? {
        let (kind, bound) = (r.word("a lemma")?, r.word("a lemma")?);
        let kind = match kind {
            abi::TRELLIS_LEMMA_CANDIDATE => LemmaKind::Candidate,
            abi::TRELLIS_LEMMA_BOUNDED => LemmaKind::Bounded(bound),
            abi::TRELLIS_LEMMA_PROVED => LemmaKind::Proved,
            number => {
                return Err(WireError::NoSuch {
                    what: "kind of lemma",
                    number,
                });
            }
        };
        let (loc, term) = read_fact(pool, locs, &terms, &mut r)?;
        lemmas.push(Lemma { loc, term, kind });
    }
    r.finish()?;
    Ok(lemmas)
}

pub(super) fn read_nodes(pool: &mut TermPool, r: &mut Reader<'_>) -> Result<Received, WireError> {
    let terms = read_nodes_with(pool, &mut SameVars, r)?;
    for &t in terms.terms() {
        if let Some(v) = pool.as_var(t) {
            own_variable(pool, v)?;
        }
    }
    Ok(terms)
}

fn read_nodes_with(
    pool: &mut TermPool,
    vars: &mut impl Vars,
    r: &mut Reader<'_>,
) -> Result<Received, WireError> {
    let len = r.count("a node stream")?;
    let nodes = r.take(len, "a node stream")?;
    let mut terms = Received::default();
    terms.receive(pool, vars, nodes)?;
    Ok(terms)
}

/// Symbols that somebody made up are no variables of the program.
fn own_variable(pool: &TermPool, v: Var) -> Result<(), WireError> {
    if pool.var_data(v).scope != Scope::Auxiliary {
        return Ok(());
    }
    let message = format!("{v} is no variable of the program");
    Err(WireError::Malformed(message))
}

/// A location and a boolean term.
pub(super) fn read_fact(
    pool: &TermPool,
    locs: usize,
    terms: &Received,
    r: &mut Reader<'_>,
) -> Result<(Loc, Term), WireError> {
    let number = r.entity("a fact")?;
    let loc = Loc::from_u32(number);
    if number as usize >= locs {
        return Err(WireError::NoSuch {
            what: "location",
            number,
        });
    }
    let t = terms.term(r.word("a fact")?)?;
    if pool.ty(t) != Type::Bool {
        return Err(WireError::IllTyped(format!(
            "the fact at {loc} has type {}",
            pool.ty(t)
        )));
    }
    Ok((loc, t))
}

/// The words of a trace.
pub fn write_trace(trace: &Trace) -> Vec<u32> {
    let mut out = vec![trace.initial.len() as u32];
    for (v, value) in &trace.initial {
        out.push(v.as_u32());
        write_value(&mut out, value);
    }
    out.push(trace.steps.len() as u32);
    for step in &trace.steps {
        out.extend([step.edge.as_u32(), step.choices.len() as u32]);
        out.extend_from_slice(&step.choices);
        out.push(step.inputs.len() as u32);
        for (input, value) in &step.inputs {
            out.push(input.as_u32());
            write_value(&mut out, value);
        }
    }
    out
}

/// Reads a trace; whether it fits a program is for the replay to say.
pub fn read_trace(words: &[u32]) -> Result<Trace, WireError> {
    let mut r = Reader::new(words);
    let mut trace = Trace::default();
    for _ in 0..r.count("a trace")? {
        let v = Var::from_u32(r.entity("a trace")?);
        trace.initial.insert(v, read_value(&mut r)?);
    }
    for _ in 0..r.count("a trace")? {
        let mut step = Step::plain(Edge::from_u32(r.entity("a trace")?));
        let n = r.count("a step")?;
        step.choices = r.take(n, "a step")?.to_vec();
        for _ in 0..r.count("a step")? {
            let input = Input::from_u32(r.entity("a trace")?);
            step.inputs.push((input, read_value(&mut r)?));
        }
        trace.steps.push(step);
    }
    r.finish()?;
    Ok(trace)
}
