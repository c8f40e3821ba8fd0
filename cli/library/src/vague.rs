//! Errors that may be none: behind a call of the C library of whose result only bounds are known.
//!
//! The front end has an incomplete location for each, so no verdict rests on such a result. Where the compiled program may be run,
//! these locations are taken for the errors they would be, the pipeline runs once more, and what it finds counts if the program,
//! run with the inputs of the trace, shows the error.

use crate::error::Error;
use crate::judge::Answer;
use crate::load::{Loaded, Lowered};
use crate::round::Round;
use crate::session::Check;
use crate::witness::{Way, confirmation};
use trellis_frontend_c::library::VAGUE;
use trellis_ivl::{Loc, LocKind, Program};
use trellis_witness::confirm::Confirmation;

const NO_RUN: &str = "no run that might show one was found";

impl Check<'_> {
    /// Decides by execution, if that is allowed and nothing but such errors was in the way: then `loaded` has them as errors.
    pub(crate) fn try_vague(&self, loaded: &mut Loaded, first: Round) -> Result<Round, Error> {
        let in_the_way = matches!(&first.found, Err(why) if why.contains(VAGUE));
        if !self.session.runs_programs || !in_the_way {
            return Ok(first);
        }
        let Lowered::Program(program) = &mut loaded.lowered else {
            return Ok(first);
        };
        let before = program.clone();
        let vague = name_errors(program);
        let round = self.round(loaded.program())?;
        let why = match &round.found {
            Ok(Answer::False { loc, .. }) if !vague.contains(loc) => return Ok(round),
            Ok(found) => match Way::of(found).map(|way| confirmation(loaded, &way, self.worker)) {
                Some(Confirmation::Confirmed(_)) => return Ok(round),
                Some(word) => word.to_string(),
                None => NO_RUN.into(),
            },
            Err(_) => NO_RUN.into(),
        };
        loaded.lowered = Lowered::Program(before);
        let found = Err(format!("{VAGUE}; {why}"));
        Ok(Round { found, ..first })
    }
}

/// Makes errors of the locations, and returns them.
fn name_errors(program: &mut Program) -> Vec<Loc> {
    let mut vague = Vec::new();
    for (l, data) in program.locs.iter_mut() {
        let LocKind::Incomplete(reason) = &data.kind else {
            continue;
        };
        if let Some(property) = reason.strip_prefix(VAGUE) {
            let property = property.trim_start_matches(": ");
            data.kind = LocKind::Error(property.into());
            vague.push(l);
        }
    }
    vague
}
