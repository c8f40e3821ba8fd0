//! What a sequence interpolant is, as code.

use trellis_ivl::{Term, TermPool, Var};
use trellis_solver_api::smt::SmtSession;
use trellis_solver_api::{Answer, SolverError};

/// Why `sequence` is no sequence interpolant of `parts`, or `None` if it is one.
///
/// For `n` parts it has `n + 1` members: the first is true, the last is false, each with the part after it
/// implies the next, and each has only variables that occur both in a part before it and in one after it.
pub fn violation(
    session: &mut dyn SmtSession,
    pool: &mut TermPool,
    parts: &[Term],
    sequence: &[Term],
) -> Result<Option<String>, SolverError> {
    if sequence.len() != parts.len() + 1 {
        let (n, m) = (sequence.len(), parts.len());
        return Ok(Some(format!("{n} members for {m} parts")));
    }
    let (first, last) = (sequence[0], sequence[parts.len()]);
    if first != pool.tru() || last != pool.fls() {
        return Ok(Some("it does not lead from true to false".into()));
    }
    for (i, &t) in sequence.iter().enumerate() {
        let before = pool.free_vars(parts[..i].iter().copied());
        let after = pool.free_vars(parts[i..].iter().copied());
        let foreign = |v: &Var| before.binary_search(v).is_err() || after.binary_search(v).is_err();
        if let Some(&v) = pool.free_vars([t]).iter().find(|v| foreign(v)) {
            let name = &pool.var_data(v).name;
            return Ok(Some(format!(
                "member {i} has `{name}`, which is not common"
            )));
        }
    }
    for (i, &part) in parts.iter().enumerate() {
        let not_next = pool.not(sequence[i + 1]);
        match session.check(pool, &[sequence[i], part, not_next])? {
            Answer::Unsat => {}
            Answer::Sat => {
                let next = i + 1;
                return Ok(Some(format!(
                    "member {i} and part {i} do not imply member {next}"
                )));
            }
            Answer::Unknown(reason) => {
                return Err(SolverError::GaveUp {
                    call: "violation",
                    reason,
                });
            }
        }
    }
    Ok(None)
}
