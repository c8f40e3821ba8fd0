//! Why loops end, and why an execution does not, as words.
//!
//! The proof of a loop is about a program that watches it, and its terms are over that program's variables. So the
//! measure comes first, the reader makes the watched program of it, and then the rest is read.

use super::reader::{Reader, WireError};
use super::terms::{Received, Sent};
use super::verdict::{read_nodes, read_trace, write_trace};
use crate::verdict::{Certificate, Divergence, Ending, Recurrent, Way};
use trellis_ivl::termination::{Lasso, Measure, Watched, loops, watch};
use trellis_ivl::{Edge, Loc, Program, Scope, Term, TermPool, Var};

const SNAPSHOT: u32 = 0;
const RANK: u32 = 1;
const LASSO: u32 = 0;
const RECURRENT: u32 = 1;

/// The proof of the loop at `head`: the measure with terms of `pool`, and the certificate of the program that watches the loop by it.
pub fn write_ending(
    head: Loc,
    pool: &TermPool,
    measure: &Measure,
    watched: &TermPool,
    certificate: &Certificate,
) -> Ending {
    let mut words = Vec::new();
    match measure {
        Measure::Snapshot(vars) => {
            words.extend([SNAPSHOT, vars.len() as u32]);
            words.extend(vars.iter().map(|v| v.as_u32()));
        }
        Measure::Rank(tuple) => {
            words.push(RANK);
            write_terms(&mut words, pool, tuple);
        }
    }
    let facts: Vec<Term> = certificate.invariants.values().copied().collect();
    words.push(certificate.k.unwrap_or(0));
    write_terms(&mut words, watched, &facts);
    words.extend(certificate.invariants.keys().map(|l| l.as_u32()));
    Ending { head, words }
}

/// The words of several such proofs.
pub fn write_endings(loops: &[Ending]) -> Vec<u32> {
    let mut out = vec![loops.len() as u32];
    for of in loops {
        out.extend([of.head.as_u32(), of.words.len() as u32]);
        out.extend(&of.words);
    }
    out
}

/// The proof of a loop, as read.
pub struct ReadEnding {
    /// The head of the loop.
    pub head: Loc,
    /// What is remembered there; terms are the watched program's.
    pub measure: Measure,
    /// The program that watches the loop.
    pub watched: Watched,
    /// Why it is safe.
    pub certificate: Certificate,
}

/// Reads the proofs of loops of the flat `program`.
pub fn read_endings(program: &Program, words: &[u32]) -> Result<Vec<ReadEnding>, WireError> {
    let mut r = Reader::new(words);
    let all = loops(program);
    let mut found = Vec::new();
    for _ in 0..r.count("proofs of loops")? {
        let head = Loc::from_u32(r.entity("the proof of a loop")?);
        let of = all.iter().find(|l| l.head == head);
        let of = of.ok_or(WireError::NoSuch {
            what: "head of a loop at location",
            number: head.as_u32(),
        })?;
        let len = r.count("the proof of a loop")?;
        let mut part = Reader::new(r.take(len, "the proof of a loop")?);
        let mut own = program.clone();
        let measure = read_measure(&mut own, &mut part)?;
        let mut watched = watch(&own, of, &measure);
        let certificate = read_watched(&mut watched.program, &mut part)?;
        part.finish()?;
        found.push(ReadEnding {
            head,
            measure,
            watched,
            certificate,
        });
    }
    r.finish()?;
    Ok(found)
}

fn read_measure(program: &mut Program, r: &mut Reader<'_>) -> Result<Measure, WireError> {
    match r.word("a measure")? {
        SNAPSHOT => {
            let mut vars = Vec::new();
            for _ in 0..r.count("a snapshot")? {
                let v = Var::from_u32(r.entity("a snapshot")?);
                let known = program.pool.vars().get(v);
                if known.is_none_or(|d| d.scope == Scope::Auxiliary) {
                    return Err(WireError::NoSuch {
                        what: "variable",
                        number: v.as_u32(),
                    });
                }
                vars.push(v);
            }
            Ok(Measure::Snapshot(vars))
        }
        RANK => {
            let tuple = read_terms(&mut program.pool, r)?;
            for &t in &tuple {
                let ty = program.pool.ty(t);
                if !matches!(ty, trellis_ivl::Type::Bv(_)) {
                    let text = format!("a component of a rank has type {ty}");
                    return Err(WireError::IllTyped(text));
                }
            }
            Ok(Measure::Rank(tuple))
        }
        number => Err(WireError::NoSuch {
            what: "kind of measure",
            number,
        }),
    }
}

fn read_watched(program: &mut Program, r: &mut Reader<'_>) -> Result<Certificate, WireError> {
    let k = r.word("the proof of a loop")?;
    let facts = read_terms(&mut program.pool, r)?;
    let mut certificate = Certificate {
        k: (k > 0).then_some(k),
        ..Certificate::default()
    };
    for t in facts {
        let number = r.entity("a fact")?;
        let loc = Loc::from_u32(number);
        if number as usize >= program.locs.len() {
            return Err(WireError::NoSuch {
                what: "location",
                number,
            });
        }
        if program.pool.ty(t) != trellis_ivl::Type::Bool {
            return Err(WireError::IllTyped(format!(
                "the fact at {loc} is no boolean"
            )));
        }
        if certificate.invariants.insert(loc, t).is_some() {
            return Err(WireError::Malformed(format!("{loc} has two invariants")));
        }
    }
    Ok(certificate)
}

/// A node stream, and the numbers of these terms in it.
fn write_terms(out: &mut Vec<u32>, pool: &TermPool, terms: &[Term]) {
    let (mut sent, mut nodes) = (Sent::new(), Vec::new());
    let numbers: Vec<u32> = terms
        .iter()
        .map(|&t| sent.send(pool, t, &mut nodes))
        .collect();
    out.push(nodes.len() as u32);
    out.extend(nodes);
    out.push(numbers.len() as u32);
    out.extend(numbers);
}

fn read_terms(pool: &mut TermPool, r: &mut Reader<'_>) -> Result<Vec<Term>, WireError> {
    let nodes: Received = read_nodes(pool, r)?;
    let mut terms = Vec::new();
    for _ in 0..r.count("terms")? {
        terms.push(nodes.term(r.word("terms")?)?);
    }
    Ok(terms)
}

/// The words of an execution that does not end; terms are of `pool`.
pub fn write_divergence(pool: &TermPool, divergence: &Divergence) -> Vec<u32> {
    let mut out = Vec::new();
    match divergence {
        Divergence::Lasso(lasso) => {
            out.extend([LASSO, lasso.start as u32]);
            out.extend(write_trace(&lasso.trace));
        }
        Divergence::Recurrent(recurrent) => {
            out.push(RECURRENT);
            let mut terms = vec![recurrent.set];
            for way in &recurrent.cases {
                terms.push(way.guard);
                terms.extend(&way.inputs);
            }
            write_terms(&mut out, pool, &terms);
            out.push(recurrent.cases.len() as u32);
            for way in &recurrent.cases {
                out.extend([way.inputs.len() as u32, way.steps.len() as u32]);
                for (edge, choices) in &way.steps {
                    out.extend([edge.as_u32(), choices.len() as u32]);
                    out.extend(choices);
                }
            }
            out.extend(write_trace(&recurrent.stem));
        }
    }
    out
}

/// Reads an execution that does not end; whether it fits the program is for the checker to say.
pub fn read_divergence(program: &mut Program, words: &[u32]) -> Result<Divergence, WireError> {
    let mut r = Reader::new(words);
    match r.word("an endless execution")? {
        LASSO => {
            let start = r.word("a lasso")? as usize;
            let trace = read_trace(r.take(r.left(), "a lasso")?)?;
            Ok(Divergence::Lasso(Lasso { trace, start }))
        }
        RECURRENT => {
            let terms = read_terms(&mut program.pool, &mut r)?;
            let mut terms = terms.into_iter();
            let mut next = || terms.next().ok_or(WireError::Truncated("a recurrent set"));
            let set = next()?;
            let mut cases = Vec::new();
            for _ in 0..r.count("a recurrent set")? {
                let (inputs, steps) = (r.word("a way")?, r.count("a way")?);
                let guard = next()?;
                let mut way = Way {
                    guard,
                    steps: Vec::new(),
                    inputs: Vec::new(),
                };
                for _ in 0..inputs {
                    way.inputs.push(next()?);
                }
                for _ in 0..steps {
                    let edge = Edge::from_u32(r.entity("a way")?);
                    let n = r.count("a way")?;
                    way.steps.push((edge, r.take(n, "a way")?.to_vec()));
                }
                cases.push(way);
            }
            let stem = read_trace(r.take(r.left(), "a recurrent set")?)?;
            Ok(Divergence::Recurrent(Recurrent { stem, set, cases }))
        }
        number => Err(WireError::NoSuch {
            what: "kind of endless execution",
            number,
        }),
    }
}
