//! Generalisation of models.

use crate::export::Export;
use crate::ffi::YTerm;
use crate::session::YicesSolver;
use crate::translate::last_error;
use trellis_ivl::{Term, TermPool, Var};
use trellis_solver_api::SolverError;

/// `YICES_GEN_DEFAULT`.
const GEN_DEFAULT: i32 = 0;

impl YicesSolver {
    pub(crate) fn generalize_model(
        &mut self,
        pool: &mut TermPool,
        formulas: &[Term],
        keep: &[Var],
    ) -> Result<Term, SolverError> {
        let mut ys = Vec::with_capacity(formulas.len());
        for &t in formulas {
            ys.push(self.term(pool, t)?);
        }
        let mut eliminated = pool.free_vars(formulas.iter().copied());
        eliminated.retain(|v| !keep.contains(v));
        let eliminated: Vec<YTerm> = eliminated
            .into_iter()
            .filter_map(|v| self.translation.var(v))
            .collect();
        let model = self.model()?;
        let f = self.lease.functions();
        // SAFETY: a valid model; arrays of as many terms as they say; an initialised vector.
        let literals = self.with_vector(|vector| unsafe {
            (f.generalize_model_array)(
                model,
                ys.len() as u32,
                ys.as_ptr(),
                eliminated.len() as u32,
                eliminated.as_ptr(),
                GEN_DEFAULT,
                vector,
            )
        });
        let Some(literals) = literals else {
            return Err(self.error(format!("generalise a model: {}", last_error(f))));
        };
        let mut export = Export::new(f, &self.translation);
        let mut parts = Vec::with_capacity(literals.len());
        for y in literals {
            parts.push(export.term(pool, y).map_err(|e| self.error(e))?);
        }
        Ok(pool.and_all(parts))
    }
}
