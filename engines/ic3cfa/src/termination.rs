//! When the run is over: an empty delta level, or a hint that was certified.
//!
//! The stable-iteration criteria (Lemmas 5 and 6) have no inductive invariant behind them. When one fires, the largest
//! inductive part of all lemmas is computed (Houdini; Flanagan, Leino, FME'01); if it keeps every target out
//! of reach the program is safe, otherwise the run goes on.

use crate::automaton::Automaton;
use crate::counts::CERTIFY;
use crate::cycles::total_length;
use crate::edge_query::Reply;
use crate::options::Termination;
use crate::run::Run;
use std::collections::{BTreeMap, BTreeSet};
use trellis_plugin_sdk::ivl::{Edge, Loc, Term};
use trellis_plugin_sdk::{Certificate, EngineError};

/// The obligations of an iteration, with levels counted from its bound.
type Shape = BTreeSet<(u32, Loc, Vec<Term>)>;

/// How many iterations in a row had the same obligations.
pub struct Stability {
    /// More than this many are a hint; `None` never.
    limit: Option<u64>,
    stable: u64,
    last: Shape,
}

impl Stability {
    /// The criterion asked for.
    pub fn new(termination: Termination, cfa: &Automaton) -> Stability {
        let limit = match termination {
            Termination::Frames => None,
            Termination::New => total_length(cfa, true),
            Termination::Greedy => total_length(cfa, false),
        };
        Stability {
            limit,
            stable: 0,
            last: Shape::new(),
        }
    }

    /// Whether the iteration with these obligations completes a hint.
    fn fires(&mut self, shape: Shape) -> bool {
        self.stable = if shape == self.last {
            self.stable + 1
        } else {
            0
        };
        self.last = shape;
        self.limit.is_some_and(|limit| self.stable > limit)
    }
}

impl Run<'_> {
    /// Invariants that keep `targets` out of reach, if the frames after iteration `k` have them.
    pub(crate) fn certificate(
        &mut self,
        k: u32,
        targets: &[Loc],
    ) -> Result<Option<Certificate>, EngineError> {
        for level in 1..=k {
            let empty = |&l: &Loc| self.frames.is_delta_empty(l, level);
            if self.cfa.locs.iter().all(empty) {
                return Ok(Some(self.invariants(level)));
            }
        }
        let kept = self.obligations.kept.iter();
        let shape = kept.map(|&id| {
            let o = self.obligations.get(id);
            (k - o.level, o.loc, o.cube.clone())
        });
        let shape: Shape = shape.collect();
        let lifted = shape.iter().all(|(below, ..)| below + 2 < k);
        let hint = self.stability.fires(shape) && lifted;
        if self.faults.termination && self.stability.stable > 0 {
            return Ok(Some(self.invariants(k)));
        }
        if !hint {
            return Ok(None);
        }
        let part = self.inductive_part()?;
        Ok(self.is_safe(&part, targets)?.then(|| self.conjoin(&part)))
    }

    /// F(level) as a certificate.
    fn invariants(&mut self, level: u32) -> Certificate {
        let mut part = BTreeMap::new();
        for &l in &self.cfa.locs {
            let clauses = self
                .frames
                .lemmas(l, level)
                .map(|l| (l.cube.clone(), l.clause));
            part.insert(l, clauses.collect());
        }
        self.conjoin(&part)
    }

    fn conjoin(&mut self, part: &Part) -> Certificate {
        let pool = &mut self.program.pool;
        let invariants = part.iter().map(|(&l, lemmas)| {
            let clauses = lemmas.iter().map(|(_, clause)| *clause);
            (l, pool.and_all(clauses))
        });
        Certificate {
            invariants: invariants.collect(),
            ..Certificate::default()
        }
    }

    /// The largest set of lemmas that implies itself one step later.
    fn inductive_part(&mut self) -> Result<Part, EngineError> {
        let mut part = Part::new();
        for &l in &self.cfa.locs {
            let lemmas = self.frames.lemmas(l, 1).map(|l| (l.cube.clone(), l.clause));
            part.insert(l, lemmas.collect());
        }
        loop {
            let mut changed = false;
            for loc in self.cfa.locs.clone() {
                for e in self.cfa.inc(loc).to_vec() {
                    for lemma in part[&loc].clone() {
                        self.check_cancelled()?;
                        if !self.refuted(&part, e, &lemma.0)? {
                            let lemmas = part.get_mut(&loc).expect("every location is there");
                            lemmas.retain(|l| *l != lemma);
                            changed = true;
                        }
                    }
                }
            }
            if !changed {
                return Ok(part);
            }
        }
    }

    /// Whether the lemmas exclude every edge to a target.
    fn is_safe(&mut self, part: &Part, targets: &[Loc]) -> Result<bool, EngineError> {
        for &target in targets {
            for e in self.cfa.inc(target).to_vec() {
                if !self.refuted(part, e, &[])? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn refuted(&mut self, part: &Part, e: Edge, cube: &[Term]) -> Result<bool, EngineError> {
        let lemmas = part.get(&self.cfa.from(e)).into_iter().flatten();
        let clauses: Vec<Term> = lemmas.map(|(_, clause)| *clause).collect();
        let (queries, mut on) = self.queries();
        let answer = queries.edge_under(&mut on, e, &clauses, cube, CERTIFY)?;
        Ok(matches!(answer, Reply::Unsat(_)))
    }
}

/// Cubes and their clauses by location.
type Part = BTreeMap<Loc, Vec<(Vec<Term>, Term)>>;
