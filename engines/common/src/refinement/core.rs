//! Small cores of literals.

use crate::ask::ask;
use rustc_hash::FxHashSet;
use trellis_ivl::{Term, TermPool};
use trellis_plugin_sdk::EngineError;
use trellis_solver_api::shorten;
use trellis_solver_api::smt::SmtSession;

/// Literals that are tried one by one when a core is made smaller.
const MAX_TRIALS: usize = 40;

/// Few of `literals` that are unsatisfiable with `fixed`, in their order, later ones given up first; `None` where all
/// together have a model.
pub fn refuting(
    session: &mut dyn SmtSession,
    pool: &TermPool,
    fixed: &[Term],
    literals: &[Term],
) -> Result<Option<Vec<Term>>, EngineError> {
    let own: FxHashSet<Term> = literals.iter().copied().collect();
    let mut query = |core: &[Term]| -> Result<Option<Vec<Term>>, EngineError> {
        let all: Vec<Term> = fixed.iter().chain(core).copied().collect();
        if let Some(&t) = all.iter().find(|&&t| pool.as_bool(t) == Some(false)) {
            return Ok(Some(own.get(&t).copied().into_iter().collect()));
        }
        if ask(session, pool, &all)? {
            return Ok(None);
        }
        let all = session.unsat_core()?.into_iter();
        Ok(Some(all.filter(|t| own.contains(t)).collect()))
    };
    match query(literals)? {
        Some(core) => Ok(Some(shorten(core, MAX_TRIALS, query)?)),
        None => Ok(None),
    }
}
