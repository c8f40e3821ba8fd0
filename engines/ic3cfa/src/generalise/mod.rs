//! From an obligation that is blocked to a lemma that blocks more.
//!
//! The union of the edges' cores is a first lemma. Two ways lead further:
//!
//! - [`joint`]: literals that the cube implies ([`implied`]) join it, and the largest conjunction of them that is
//!   inductive at the *current bound* is looked for, at all locations of a cycle at once if need be. Such a lemma is
//!   likely to be an invariant: this is what finds relations between 32-bit variables.
//! - [`drop`]: literals of the cube are dropped one by one, at the obligation's own level. This always gives a lemma.
//!
//! [`relax`] moves the bounds in what either found. Initiation needs no check: there are no initial states but at the
//! entry, where nothing is learnt.

mod drop;
mod implied;
mod interpolate;
mod joint;
mod relax;

pub use implied::Vocabulary;

use crate::counts::GENERALISE;
use crate::edge_query::Reply;
use crate::model::Model;
use crate::options::Generalise;
use crate::run::{Induction, Run};
use std::collections::BTreeSet;
use trellis_plugin_sdk::EngineError;
use trellis_plugin_sdk::ivl::{Loc, Term};
use trellis_plugin_sdk::solver::smt::QueryKind;

/// How many failures in a row to find an invariant at a location are nothing special.
const PATIENCE: u32 = 64;

/// How many queries the search for invariants may take before its share is looked at.
const CREDIT: u64 = 400;

impl Run<'_> {
    /// A lemma that covers `cube`, and the level up to which it holds: at least `level`.
    pub(crate) fn generalise(
        &mut self,
        level: u32,
        loc: Loc,
        cube: &[Term],
        core: Vec<Term>,
        witness: &Model,
    ) -> Result<(u32, Vec<Term>), EngineError> {
        if self.options.generalise == Generalise::None {
            return Ok((level, cube.to_vec()));
        }
        if self.options.interpolate
            && let Some(lemma) = self.interpolant(level, loc, cube)?
        {
            return Ok((level, lemma));
        }
        if self.options.generalise == Generalise::Core || core.is_empty() {
            return Ok((level, core));
        }
        if self.options.implied > 0 && self.cfa.cycle(loc).is_some() && self.is_worthwhile(loc) {
            let before = self.queries.counts.total();
            // The whole cube: what refutes the edges today need not be what is inductive.
            let extended = self.with_implied(cube, witness)?;
            let found = self.joint(loc, cube, extended)?;
            self.invested += self.queries.counts.total() - before;
            if let Some(lemma) = found {
                self.misses[loc] = 0;
                return Ok((self.bound + 1, lemma));
            }
            self.misses[loc] += 1;
        }
        let order = self.drop_order(&core);
        let mut lemma = self.drop_literals(level, &[loc], core, &order)?;
        if self.options.relax {
            lemma = self.relax_bounds(level, &[loc], lemma)?;
        }
        Ok((level, lemma))
    }

    /// Whether `cube` can be learnt at all of `locs` together up to `level`.
    pub(crate) fn inductive(
        &mut self,
        level: u32,
        locs: &[Loc],
        cube: &[Term],
        kind: QueryKind,
    ) -> Result<Induction, EngineError> {
        let mut core: BTreeSet<Term> = BTreeSet::new();
        for &loc in locs {
            for e in self.order[loc].clone() {
                let outside = locs.contains(&self.cfa.from(e));
                let (queries, mut on) = self.queries();
                match queries.edge(&mut on, e, level - 1, cube, outside, kind)? {
                    Reply::Sat(model) => {
                        self.failed(e);
                        return Ok(Induction::Fails(e, model));
                    }
                    Reply::Unsat(needed) => core.extend(needed),
                    Reply::Unknown => return Ok(Induction::Unknown),
                }
            }
        }
        Ok(Induction::Holds(core.into_iter().collect()))
    }

    /// Whether to look for an invariant at `loc` again: always at first; later ever more rarely after many failures, so that
    /// deep counterexamples are not lost in the search for proofs, and as long as it is not the search that takes the time, because
    /// state machines need none.
    fn is_worthwhile(&mut self, loc: Loc) -> bool {
        let rest = self.queries.counts.total() - self.invested;
        let over = |share: u32| self.invested > CREDIT + u64::from(share) * rest / 100;
        if self.options.implied_share.is_some_and(over) {
            return false;
        }
        let misses = self.misses[loc];
        if misses < PATIENCE || misses.is_power_of_two() {
            return true;
        }
        self.misses[loc] += 1;
        false
    }

    fn is_inductive(
        &mut self,
        level: u32,
        locs: &[Loc],
        cube: &[Term],
    ) -> Result<bool, EngineError> {
        let answer = self.inductive(level, locs, cube, GENERALISE)?;
        Ok(matches!(answer, Induction::Holds(_)))
    }
}
