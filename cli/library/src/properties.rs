//! Verdicts of the single properties of a hardware model.

use crate::error::Error;
use crate::hardware::Findings;
use crate::judge::Answer;
use crate::load::Loaded;
use crate::round::Round;
use crate::session::Check;
use trellis_ivl::{Loc, LocKind, Program, Trace};

/// What became of the properties after the first that is violated.
pub struct Properties {
    /// Further ones that are violated.
    violated: Vec<(Loc, Trace)>,
    /// What was found about all others.
    rest: Option<Result<Answer, String>>,
}

impl Check<'_> {
    /// The verdicts of a hardware model's properties after the first violated one: the pipeline runs
    /// again without those that are.
    pub(crate) fn properties(&self, loaded: &Loaded, first: &Round) -> Result<Properties, Error> {
        let mut properties = Properties::none();
        let (true, Ok(Answer::False { loc, .. })) = (loaded.is_hardware(), &first.found) else {
            return Ok(properties);
        };
        let mut program = loaded.program().clone();
        let mut loc = *loc;
        loop {
            program.locs[loc].kind = LocKind::Plain;
            if program.errors().next().is_none() {
                return Ok(properties);
            }
            if let Some(why) = self.stop.why() {
                properties.rest = Some(Err(why.into()));
                return Ok(properties);
            }
            match self.round(&program)?.found {
                Ok(Answer::False {
                    loc: next, trace, ..
                }) => {
                    loc = next;
                    properties.violated.push((loc, trace));
                }
                rest => {
                    properties.rest = Some(rest);
                    return Ok(properties);
                }
            }
        }
    }
}

impl Properties {
    /// Nothing beside the first.
    pub(crate) fn none() -> Properties {
        Properties {
            violated: Vec::new(),
            rest: None,
        }
    }

    /// By property, in the order of the program: `true`, `false` or `unknown`.
    pub fn verdicts(
        &self,
        program: &Program,
        first: &Result<Answer, String>,
    ) -> Vec<(String, &'static str)> {
        let violated: Vec<Loc> = self.violated.iter().map(|v| v.0).collect();
        let others = match self.rest.as_ref().unwrap_or(first) {
            Ok(Answer::True { .. }) => "true",
            _ => "unknown",
        };
        let mut verdicts = Vec::new();
        for error in program.errors() {
            let first = matches!(first, Ok(Answer::False { loc, .. }) if *loc == error);
            let is_violated = first || violated.contains(&error);
            if let LocKind::Error(name) = &program.locs[error].kind {
                let verdict = if is_violated { "false" } else { others };
                verdicts.push((name.to_string(), verdict));
            }
        }
        verdicts
    }

    /// For the formats of hardware.
    pub fn findings<'a>(
        &'a self,
        loaded: &'a Loaded,
        first: &'a Result<Answer, String>,
    ) -> Findings<'a> {
        let mut violated = Vec::new();
        if let Ok(Answer::False { trace, .. }) = first {
            violated.push(trace);
        }
        violated.extend(self.violated.iter().map(|(_, trace)| trace));
        let rest = self.rest.as_ref().unwrap_or(first).as_ref();
        Findings {
            loaded,
            violated,
            holds: matches!(rest, Ok(Answer::True { .. })),
        }
    }
}
