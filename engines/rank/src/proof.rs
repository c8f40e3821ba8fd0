//! What is claimed of a loop: its rank, and the invariants of the program that watches it.

use crate::facts::Facts;
use crate::search::Rank;
use crate::segments::Segments;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use trellis_ivl::termination::{Loop, Measure, watch};
use trellis_ivl::walk::Importer;
use trellis_ivl::{Loc, Program, Term, TermPool, Var};
use trellis_plugin_sdk::wire::termination::write_ending;
use trellis_plugin_sdk::{Certificate, Ending};

/// The claim that the loop has this rank; `program` is as it was given, since what watches the loop gets the next numbers of
/// its variables.
pub fn ending(
    program: &Program,
    segments: &Segments,
    facts: Option<&Facts>,
    of: &Loop,
    rank: &Rank,
) -> Ending {
    let from = &segments.program.pool;
    let mut own = program.clone();
    let none = FxHashMap::default();
    let tuple = copies(&mut own.pool, from, &rank.tuple, &none);
    let measure = Measure::Rank(tuple.clone());
    let mut watched = watch(&own, of, &measure);
    let last = rank
        .last
        .iter()
        .copied()
        .zip(watched.copies.clone())
        .collect();
    let seen = watched.program.pool.var(watched.seen);
    let unseen = watched.program.pool.not(seen);
    let mut invariants: BTreeMap<Loc, Term> = BTreeMap::new();
    let heads: Vec<Loc> = match facts {
        Some(facts) => facts.at.keys().copied().collect(),
        // Of other loops the checker assumes nothing, and need not, unless this one is a part of them.
        None => {
            let all = segments.loops.iter();
            let near = all.filter(|l| of.contains(l.head) || l.contains(of.head));
            near.map(|l| l.head).collect()
        }
    };
    for head in heads {
        let pool = &mut watched.program.pool;
        let known = facts.and_then(|f| f.at.get(&head));
        let known = known.map_or(&[][..], Vec::as_slice);
        let mut all = copies(pool, from, known, &none);
        if !of.contains(head) {
            all.push(unseen);
        } else if head == of.head {
            all.push(seen);
            for (&copy, &t) in watched.copies.iter().zip(&tuple) {
                let copy = pool.var(copy);
                all.push(pool.eq(copy, t));
            }
        } else if let Some(inner) = rank.inner.get(&head) {
            for t in copies(pool, from, inner, &last) {
                all.push(pool.or(unseen, t));
            }
        }
        invariants.insert(head, pool.and_all(all));
    }
    let certificate = Certificate::inductive(1, invariants);
    write_ending(
        of.head,
        &own.pool,
        &measure,
        &watched.program.pool,
        &certificate,
    )
}

/// Terms of another pool of the same variables, but for those that `instead` names.
fn copies(
    to: &mut TermPool,
    from: &TermPool,
    terms: &[Term],
    instead: &FxHashMap<Var, Var>,
) -> Vec<Term> {
    let mut importer = Importer::default();
    terms
        .iter()
        .map(|&t| {
            importer.import(to, from, t, &mut |own, v| {
                own.var(instead.get(&v).copied().unwrap_or(v))
            })
        })
        .collect()
}
