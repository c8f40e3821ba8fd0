//! The largest conjunction of given literals that is inductive at the current bound.
//!
//! Where an edge leads into the cube from a state outside of it, the literals that are false there cannot be
//! in any inductive part of the cube ("down", Bradley and Manna, FMCAD'07); they go, and the search ends
//! with the largest inductive part or nothing. Lifted to locations: when the state stands at another location of
//! the same cycle, the lemma is to be learnt there as well, so that it may be assumed on all edges of the
//! cycle. Lemmas of this kind hold at level k+1, so they do not describe how far k steps can come.

use crate::counts::GENERALISE;
use crate::model::Eval;
use crate::run::{Induction, Run};
use trellis_plugin_sdk::EngineError;
use trellis_plugin_sdk::ivl::{Loc, Term};

/// A cube that is inductive at several locations together.
type Joint = (Vec<Loc>, Vec<Term>);

impl Run<'_> {
    /// Looks for a lemma within `literals` (sorted), preferably without those of `special`. What is found is
    /// learnt at the further locations it needs; the caller learns it at `loc`.
    pub(super) fn joint(
        &mut self,
        loc: Loc,
        special: &[Term],
        literals: Vec<Term>,
    ) -> Result<Option<Vec<Term>>, EngineError> {
        let level = self.bound + 1;
        let Some((locs, cube)) = self.down(level, loc, literals)? else {
            return Ok(None);
        };
        let mut order = special.to_vec();
        order.extend(self.drop_order(&cube));
        let mut cube = self.drop_literals(level, &locs, cube, &order)?;
        if self.options.relax {
            cube = self.relax_bounds(level, &locs, cube)?;
        }
        for &other in locs.iter().filter(|&&l| l != loc) {
            self.block(other, level, &cube);
        }
        Ok(Some(cube))
    }

    fn down(
        &mut self,
        level: u32,
        loc: Loc,
        mut cube: Vec<Term>,
    ) -> Result<Option<Joint>, EngineError> {
        let mut locs = vec![loc];
        loop {
            self.check_cancelled()?;
            let (e, model) = match self.inductive(level, &locs, &cube, GENERALISE)? {
                Induction::Holds(core) => return Ok(Some((locs, core))),
                Induction::Unknown => return Ok(None),
                Induction::Fails(e, model) => (e, model),
            };
            let from = self.cfa.from(e);
            if from == self.cfa.entry {
                return Ok(None);
            }
            if !locs.contains(&from) {
                if self.cfa.cycle(from) != self.cfa.cycle(loc) {
                    return Ok(None);
                }
                locs.push(from);
                continue;
            }
            let pool = &self.program.pool;
            let mut eval = Eval::new(&mut self.evaluator, &model);
            let before = cube.len();
            cube.retain(|&t| eval.holds(pool, t));
            if cube.is_empty() || cube.len() == before {
                return Ok(None);
            }
        }
    }
}
