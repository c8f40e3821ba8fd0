//! Facts about all cells: what holds of every element of an array and of every object on the heap.
//!
//! A fact is about a *ghost* k that stands for every index: `0 <= k && k < i ==> a[k] == 42`. Candidates come from the
//! program: how it runs through its arrays ([`shape`]), what it writes and compares there ([`rows`]). Executions refute most of
//! them ([`samples`]), and of a fact under several guards only the widest is tried as long as it stands. Houdini keeps the
//! largest set that is inductive ([`search`]), where facts are used at the ghost itself and at the indices that the
//! program reads and writes, as the checker does; see `trellis_ivl_certify::universal`. Linear equations between scalars are found by models, given
//! what is known of cells, and Houdini tries once more with them. The heap is arrays too: objects
//! are numbered in the order of allocation, and a member of all objects is an array over their addresses, so that a link to an
//! older object is a number that falls.
//!
//! Open first: [`run`], then [`rows`]. After Flanagan and Leino (Houdini, FME'01) and Monniaux and Alberti (cells that stand
//! for all, SAS'15).
//!
//! Deliberately absent: errors (others find them), k-induction, and facts that are not among the candidates.

pub mod linear;
pub mod plugin;
pub mod rows;
pub mod samples;
pub mod search;
pub mod shape;

pub use plugin::Options;

use crate::rows::{Known, Rows, Which};
use crate::search::Search;
use trellis_engine_common::{Cfa, Figures, Outcome, outcome};
use trellis_ivl::Program;
use trellis_plugin_sdk::{Certificate, EngineError, Host, Verdict};
use trellis_solver_api::smt::SmtSession;

/// How often facts about cells and equations between scalars take turns.
const ROUNDS: usize = 3;

/// Proves the flat `program` as far as the candidates allow; `session` must be fresh.
///
/// # Errors
/// When the program is not flat or the solver fails; limits are unknown verdicts.
pub fn run(
    program: &Program,
    session: &mut dyn SmtSession,
    options: &Options,
    host: &mut dyn Host,
) -> Result<Outcome, EngineError> {
    outcome::run(program, session, host, |cfa, session, host, stats| {
        prove(options, cfa, session, host, stats)
    })
}

fn prove(
    options: &Options,
    cfa: &mut Cfa,
    session: &mut dyn SmtSession,
    host: &mut dyn Host,
    stats: &mut Figures,
) -> Result<Verdict, EngineError> {
    let mut tried = 0;
    let mut known = Known::default();
    for which in [Which::OfObjects, Which::All] {
        let mut rows = Rows::new(cfa, which, options.max_rows as usize, host)?;
        if rows.is_empty() {
            continue;
        }
        samples::refute(cfa, &mut rows, host)?;
        rows.limit(options.max_rows as usize);
        rows.adopt(cfa, &known);
        let rows_left = rows.by_head.values().flatten().filter(|r| r.stands);
        tried += rows_left.count() as u64;
        stats.insert("candidates", tried);
        let mut search = Search::new(cfa, session, host, &rows, options)?;
        if let Some(certificate) = inductive(cfa, &mut search, session, host, which, stats)? {
            return Ok(Verdict::Safe(certificate));
        }
        known = Known {
            ghosts: rows.ghosts(),
            facts: search.facts(),
        };
    }
    Ok(Verdict::Unknown(match tried {
        0 => "no loop runs through an array or the heap".into(),
        _ => "the facts about all cells that were tried do not suffice".into(),
    }))
}

/// A certificate of what stands of the candidates, if it suffices.
fn inductive(
    cfa: &mut Cfa,
    search: &mut Search,
    session: &mut dyn SmtSession,
    host: &mut dyn Host,
    which: Which,
    stats: &mut Figures,
) -> Result<Option<Certificate>, EngineError> {
    // What scalars have to do with each other may need what is known of cells, and the other way round.
    let equations = which == Which::All;
    if equations {
        search.equate(cfa, session, host)?;
    }
    for _ in 0..ROUNDS {
        search.weaken(cfa, session, host)?;
        stats.insert("facts", search.candidates() as u64);
        if let Some(certificate) = search.proof(cfa, session, host)? {
            return Ok(Some(certificate));
        }
        if !equations || !search.equate(cfa, session, host)? {
            break;
        }
    }
    Ok(None)
}
