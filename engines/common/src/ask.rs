//! Queries whose answer is yes or no, and whether to go on.

use trellis_ivl::{Term, TermPool};
use trellis_plugin_sdk::{EngineError, Host};
use trellis_solver_api::smt::SmtSession;
use trellis_solver_api::{Answer, UnknownReason};

/// An error once the host asks to stop. Whatever does work that grows with the program asks after each part of
/// it: an engine that does not listen for a while is killed.
///
/// # Errors
/// When it is time to stop.
pub fn go_on(host: &dyn Host) -> Result<(), EngineError> {
    match host.cancelled() {
        true => Err(EngineError::Cancelled),
        false => Ok(()),
    }
}

/// Like [`ask`], but a query that uses up its conflicts is no error: the answer is `None`.
pub fn try_ask(
    session: &mut dyn SmtSession,
    pool: &TermPool,
    assumptions: &[Term],
) -> Result<Option<bool>, EngineError> {
    match ask(session, pool, assumptions) {
        Ok(sat) => Ok(Some(sat)),
        Err(EngineError::GaveUp(UnknownReason::Conflicts)) => Ok(None),
        Err(e) => Err(e),
    }
}

/// Whether the assertions and `assumptions` have a model.
pub fn ask(
    session: &mut dyn SmtSession,
    pool: &TermPool,
    assumptions: &[Term],
) -> Result<bool, EngineError> {
    if assumptions.iter().any(|&t| pool.as_bool(t) == Some(false)) {
        return Ok(false);
    }
    match session.check(pool, assumptions)? {
        Answer::Sat => Ok(true),
        Answer::Unsat => Ok(false),
        Answer::Unknown(reason) => Err(EngineError::GaveUp(reason)),
    }
}
