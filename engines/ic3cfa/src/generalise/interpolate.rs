//! An interpolant in place of the negated cube (as in IC3 with interpolants; Een, Mishchenko, Brayton, FMCAD'11
//! discuss the relation).
//!
//! One side says: some incoming edge is taken from its frame, and the variables of the cube, under fresh names, are what they are then.
//! The other side is the cube under these names.

use crate::run::Run;
use rustc_hash::FxHashMap;
use trellis_plugin_sdk::EngineError;
use trellis_plugin_sdk::ivl::{Loc, Term, Var};

impl Run<'_> {
    /// A lemma that covers `cube` from an interpolant, as one literal; `None` where the solver has none.
    pub(super) fn interpolant(
        &mut self,
        level: u32,
        loc: Loc,
        cube: &[Term],
    ) -> Result<Option<Vec<Term>>, EngineError> {
        let vars = self.program.pool.free_vars(cube.iter().copied());
        let mut primed: FxHashMap<Var, Term> = FxHashMap::default();
        let mut back: FxHashMap<Var, Term> = FxHashMap::default();
        for &v in &vars {
            let pool = &mut self.program.pool;
            let (name, ty) = (format!("{}'", pool.var_data(v).name), pool.var_ty(v));
            let fresh = pool.fresh(name, ty);
            primed.insert(v, pool.var(fresh));
            back.insert(fresh, pool.var(v));
        }
        let mut cases = Vec::new();
        for e in self.cfa.inc(loc).to_vec() {
            let from = self.cfa.from(e);
            if from != self.cfa.entry && level == 1 {
                continue;
            }
            let transfer = self.cfa.transfer(e);
            let mut parts = vec![transfer.guard];
            parts.extend(self.frames.lemmas(from, level - 1).map(|l| l.clause));
            for &v in &vars {
                let current = self.program.pool.var(v);
                let new = transfer.updates.get(&v).copied().unwrap_or(current);
                let equal = self.program.pool.eq(primed[&v], new);
                parts.push(equal);
            }
            cases.push(self.program.pool.and_all(parts));
        }
        let pool = &mut self.program.pool;
        let reached = pool.or_all(cases);
        let region = pool.and_all(cube.iter().copied());
        let region = pool.substitute(region, &primed);
        let (queries, mut on) = self.queries();
        let Some(lemma) = queries.interpolant(&mut on, reached, region)? else {
            return Ok(None);
        };
        let pool = &mut self.program.pool;
        let lemma = pool.substitute(lemma, &back);
        let blocked = pool.not(lemma);
        Ok((pool.as_bool(blocked) != Some(false)).then(|| vec![blocked]))
    }
}
