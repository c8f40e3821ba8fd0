//! Lifted clause propagation, as in the original IC3: lemmas move to the next level where they hold there.
//!
//! What a core shows to be enough moves in place of the lemma.

use crate::counts::PUSH;
use crate::options::Generalise;
use crate::run::{Induction, Run};
use trellis_plugin_sdk::EngineError;
use trellis_plugin_sdk::ivl::{Loc, Term};

impl Run<'_> {
    /// Moves lemmas of levels 1 to `k` up by one level where they hold.
    pub(crate) fn propagate(&mut self, k: u32) -> Result<(), EngineError> {
        for level in 1..=k {
            for loc in self.cfa.locs.clone() {
                let delta = self.frames.delta(loc, level);
                let mut cubes: Vec<Vec<Term>> = delta.map(|l| l.cube.clone()).collect();
                cubes.sort_by_key(Vec::len);
                for cube in cubes {
                    self.check_cancelled()?;
                    if self.frames.covering(loc, level + 1, &cube).is_some() {
                        continue;
                    }
                    if let Some(cube) = self.holds_at(loc, level + 1, &cube)? {
                        self.pushed += 1;
                        self.block(loc, level + 1, &cube);
                    }
                }
            }
        }
        Ok(())
    }

    /// Moves a new lemma up as far as it holds, at most to the current bound.
    pub(crate) fn lift(
        &mut self,
        loc: Loc,
        mut level: u32,
        lemma: &[Term],
    ) -> Result<(), EngineError> {
        while level < self.bound && self.holds_at(loc, level + 1, lemma)?.is_some() {
            level += 1;
            self.block(loc, level, lemma);
        }
        Ok(())
    }

    /// What is needed of `cube` to be learnt up to `level`, if it can be.
    fn holds_at(
        &mut self,
        loc: Loc,
        level: u32,
        cube: &[Term],
    ) -> Result<Option<Vec<Term>>, EngineError> {
        match self.inductive(level, &[loc], cube, PUSH)? {
            Induction::Holds(_) if self.options.generalise == Generalise::None => {
                Ok(Some(cube.to_vec()))
            }
            Induction::Holds(core) => Ok(Some(core)),
            _ => Ok(None),
        }
    }
}
