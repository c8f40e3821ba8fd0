//! Termination by lexicographic ranking functions.
//!
//! For each loop a tuple of bit-vectors that falls at every visit of its head, after the greedy choice of Alias, Darte, Feautrier
//! and Gonnord ("Multi-dimensional rankings, program termination, and complexity bounds of flowchart programs", SAS'10), over
//! candidates instead of a template that is solved for: differences of what the loop compares, its variables and their sums, and flags that say in which phase it is, as 2LS
//! and the TACAS'10 paper of Cook, Kroening, Rümmer and Wintersteiger suggest for bit-vectors. A candidate goes next if it never grows on the
//! rounds that the ones before it leave as they are, and falls on some; a model of a round on which a candidate grows refutes others
//! as well. Supporting facts are the inductive ones of what the program compares and assigns.
//!
//! Open first: [`search`] for one loop, [`segments`] for the formulas, [`candidates`] for what is tried, [`facts`] for what is known on
//! the way, [`proof`] for what is claimed.
//!
//! Components are taken in a width in which they cannot wrap around, and shifted to be unsigned, so that they need no lower bound.
//!
//! Deliberately absent: loops that are endless (that is `lasso`), facts beyond Houdini's (the safety engines have those, on
//! programs that watch a loop), several rounds at once.

pub mod candidates;
pub mod choose;
pub mod facts;
pub mod learn;
pub mod plugin;
pub mod proof;
pub mod search;
pub mod segments;

pub use plugin::Options;

use crate::facts::Facts;
use crate::search::Effort;
use crate::segments::Segments;
use trellis_engine_common::go_on;
use trellis_ivl::Program;
use trellis_ivl::termination::{Loop, loops};
use trellis_plugin_sdk::{Ending, EngineError, Host, Verdict};
use trellis_solver_api::Limits;
use trellis_solver_api::smt::SmtSession;

/// Conflicts for queries that are to be easy, and for others.
const EASY: u64 = 1_500;
const MEDIUM: u64 = 4_000;

/// Candidates where the likely ones are to do, and components that are learnt where no list helps.
const FEW: usize = 12;
const LEARNT: usize = 3;

/// Looks for a rank of every loop of the flat `program`.
///
/// # Errors
/// When the program is not flat, the solver fails, or it is time to stop and nothing is found.
pub fn run(
    program: &Program,
    session: &mut dyn SmtSession,
    options: &Options,
    host: &mut dyn Host,
) -> Result<Verdict, EngineError> {
    if !program.is_flat() {
        return Err(EngineError::not_flat());
    }
    let all = loops(program);
    if all.is_empty() {
        return Ok(Verdict::Terminates(Vec::new()));
    }
    let mut segments = Segments::new(program, &all);
    let (mut found, mut left) = (Vec::new(), all.clone());
    let mut facts = None;
    let most = options.candidates as usize;
    let efforts = [(FEW, 0), (most, 0), (most, LEARNT)];
    let [few, listed, many] = efforts.map(|(n, learnt)| Effort::new(n.min(most), learnt));
    // Most loops need to know nothing and fall by what they compare, facts at all heads are dear, and most queries are easy or hopeless.
    for (with_facts, conflicts, effort) in [
        (false, EASY, few),
        (false, EASY, listed),
        (true, MEDIUM, listed),
        (true, MEDIUM, many),
        (true, options.conflicts, many),
    ] {
        if left.is_empty() || go_on(host).is_err() {
            break;
        }
        session.set_limits(Limits::conflicts(conflicts.min(options.conflicts)));
        if with_facts && facts.is_none() {
            facts = match Facts::new(&mut segments, &all, session, host) {
                Ok(facts) => Some(facts),
                Err(e) if e.is_limit() => break,
                Err(e) => return Err(e),
            };
        }
        let mut search = Search {
            program,
            segments: &mut segments,
            facts: facts.as_ref(),
            effort,
            session,
            options,
            host,
        };
        left = search.ranked(&left, &mut found)?;
    }
    Ok(match found.is_empty() {
        true => Verdict::Unknown("no loop has a rank among the candidates".into()),
        false => Verdict::Terminates(found),
    })
}

/// What every query needs.
struct Search<'a> {
    program: &'a Program,
    segments: &'a mut Segments,
    facts: Option<&'a Facts>,
    effort: Effort,
    session: &'a mut dyn SmtSession,
    options: &'a Options,
    host: &'a mut dyn Host,
}

impl Search<'_> {
    /// Adds the proofs of those loops for which a rank is found; the others are left.
    fn ranked(
        &mut self,
        loops: &[Loop],
        found: &mut Vec<Ending>,
    ) -> Result<Vec<Loop>, EngineError> {
        let mut left = Vec::new();
        for of in loops {
            self.host.progress("loop", found.len() as u64);
            let (segments, facts) = (&mut *self.segments, self.facts);
            let rank = search::rank(
                segments,
                facts,
                of,
                self.effort,
                self.session,
                self.options,
                self.host,
            );
            match rank {
                Ok(Some(rank)) => {
                    found.push(proof::ending(self.program, self.segments, facts, of, &rank));
                }
                Ok(None) => left.push(of.clone()),
                Err(e) if e.is_limit() => left.push(of.clone()),
                Err(e) => return Err(e),
            }
        }
        Ok(left)
    }
}
