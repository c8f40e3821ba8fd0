//! Literal dropping: the inductive core by minimal clauses (Bradley, Manna, FMCAD'07), with counterexamples to
//! generalisation (Hassan, Bradley, Somenzi, FMCAD'13) blocked at the location where they stand.

use crate::counts::GENERALISE;
use crate::options::Generalise;
use crate::run::{Induction, Run};
use trellis_plugin_sdk::EngineError;
use trellis_plugin_sdk::ivl::{Loc, Op, Term};

impl Run<'_> {
    /// `cube`, inductive at `locs` up to `level`, without literals of `order` that it can do without.
    pub(super) fn drop_literals(
        &mut self,
        level: u32,
        locs: &[Loc],
        mut cube: Vec<Term>,
        order: &[Term],
    ) -> Result<Vec<Term>, EngineError> {
        let mut failures = 0;
        for literal in order {
            if failures >= self.options.drop_limit {
                break;
            }
            if !cube.contains(literal) {
                continue;
            }
            self.check_cancelled()?;
            let mut smaller = cube.clone();
            smaller.retain(|t| t != literal);
            match self.try_drop(level, locs, &smaller)? {
                Some(core) => cube = core,
                None => failures += 1,
            }
        }
        Ok(cube)
    }

    /// The core of `cube` where it is inductive, or becomes so when counterexamples are blocked.
    fn try_drop(
        &mut self,
        level: u32,
        locs: &[Loc],
        cube: &[Term],
    ) -> Result<Option<Vec<Term>>, EngineError> {
        for _ in 0..=self.options.ctg_limit {
            match self.inductive(level, locs, cube, GENERALISE)? {
                Induction::Holds(core) => return Ok(Some(core)),
                Induction::Unknown => return Ok(None),
                Induction::Fails(e, model) => {
                    let ctg = self.options.generalise == Generalise::Ctg;
                    let from = self.cfa.from(e);
                    if !ctg || from == self.cfa.entry || level < 2 {
                        return Ok(None);
                    }
                    let (region, _) = self.predecessor(e, cube, &model)?;
                    let Induction::Holds(core) =
                        self.inductive(level - 1, &[from], &region, GENERALISE)?
                    else {
                        return Ok(None);
                    };
                    self.block(from, level - 1, &core);
                }
            }
        }
        Ok(None)
    }

    /// The literals of a cube, the most special first: they are the least likely to be part of an invariant.
    pub(super) fn drop_order(&self, cube: &[Term]) -> Vec<Term> {
        let pool = &self.program.pool;
        let rank = |&t: &Term| match pool.op(t) {
            Op::Eq => {
                let special = pool.args(t).any(|a| pool.is_const(a));
                if special { 0 } else { 2 }
            }
            Op::Not => 3,
            _ => 1,
        };
        let mut order = cube.to_vec();
        order.sort_by_key(|t| (rank(t), *t));
        order
    }
}
