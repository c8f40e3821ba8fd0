//! Why nothing was decided, said once: engines that end for the same reason share a line, what is incomplete has its place, and each
//! reason has what may help.

use crate::report::Place;
use serde::Serialize;
use std::collections::BTreeSet;
use trellis_ivl::{LocKind, Program, Span};
use trellis_plugin_host::EngineReport;
use trellis_plugin_host::run::EngineOutcome;

/// How engines say that what they met has no meaning in the model.
pub(crate) const INCOMPLETE: &str = "incomplete: ";
/// How solvers say that they were told to stop.
const INTERRUPTED: &str = ": interrupted";
/// Places of one reason that are shown.
const MOST_PLACES: usize = 3;

/// A reason why nothing was decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// In words.
    pub why: String,
    /// The engines that ended for it.
    pub engines: Vec<String>,
    /// Where in the source, if that is known; not more than a few.
    pub places: Vec<Place>,
    /// Whether there are more places.
    #[serde(skip)]
    more: bool,
    /// What may help.
    pub advice: &'static str,
}

/// The reasons of all engines, those that most of them have first.
pub(crate) fn reasons(engines: &[EngineReport], program: &Program) -> Vec<Reason> {
    let mut found: Vec<Reason> = Vec::new();
    for engine in engines {
        let why = in_words(&engine.outcome);
        if let Some(known) = found.iter_mut().find(|known| known.why == why) {
            known.engines.push(engine.name.clone());
            continue;
        }
        let gap = match &engine.outcome {
            EngineOutcome::Unknown(reason) => reason.strip_prefix(INCOMPLETE),
            _ => None,
        };
        let all = gap.map_or_else(Vec::new, |gap| places(program, gap));
        found.push(Reason {
            why,
            engines: vec![engine.name.clone()],
            more: all.len() > MOST_PLACES,
            places: all.into_iter().take(MOST_PLACES).collect(),
            advice: advice(&engine.outcome),
        });
    }
    found.sort_by_key(|r| std::cmp::Reverse(r.engines.len()));
    found
}

/// How an engine ended. Which obligations of a proof were cut off by the clock is for those who ask for details.
fn in_words(outcome: &EngineOutcome) -> String {
    match outcome {
        EngineOutcome::Unchecked { claim, why } if why.ends_with(INTERRUPTED) => {
            format!("claimed {claim}, and there was no time to check that")
        }
        _ => outcome.to_string(),
    }
}

/// All reasons on one line, as the verdict has them.
pub(crate) fn joined(reasons: &[Reason]) -> String {
    let told = reasons.iter().map(|r| {
        let places: Vec<String> = r.places.iter().map(Place::to_string).collect();
        let places = match (places.is_empty(), r.more) {
            (true, _) => String::new(),
            (false, more) => format!(
                " at {}{}",
                places.join(", "),
                if more { ", ..." } else { "" }
            ),
        };
        format!("{}: {}{places}", r.engines.join(", "), r.why)
    });
    told.collect::<Vec<_>>().join("; ")
}

/// What may help where an engine ends so.
fn advice(outcome: &EngineOutcome) -> &'static str {
    let text = outcome.to_string();
    let has = |words: &[&str]| words.iter().any(|w| text.contains(w));
    match outcome {
        EngineOutcome::TimedOut => {
            "more time (--timeout), fewer properties (--check), or one function alone (--function)"
        }
        EngineOutcome::Unknown(_) if has(&["recursion of"]) => {
            "deeper calls (--set passes='inline(recursion=N), ...'), or an engine for contracts (--engine contracts)"
        }
        EngineOutcome::Unknown(_) if has(&["is not assumed"]) => {
            "the assumption, if it holds (--assume NAME)"
        }
        EngineOutcome::Unknown(_) if has(&["function pointer"]) => {
            "a definition of the function that is meant, as a further file"
        }
        EngineOutcome::Unknown(_) if has(&["only bounds are known"]) => {
            "to run the program (--confirm)"
        }
        EngineOutcome::Unknown(_) if has(&[INCOMPLETE, "without a body", "without a model"]) => {
            "a model in C of what is not understood, as a further file, or code around it that does without"
        }
        EngineOutcome::Unknown(_) if has(&["bound", "unwind"]) => {
            "a larger bound (--set engines.bmc.options.unwind=N), or an engine that proves (--pipeline portfolio)"
        }
        EngineOutcome::Unknown(_) => {
            "another engine or pipeline (trellis pipelines list), or more time (--timeout)"
        }
        EngineOutcome::Unchecked { .. } => {
            "more time to check the proof (--set certification.wall=5min), or another --solver"
        }
        EngineOutcome::Failed(_) if has(&["memory"]) => "more memory (--memory)",
        EngineOutcome::Failed(_) | EngineOutcome::Rejected { .. } => {
            "the other engines; this is a mistake of the engine"
        }
        EngineOutcome::Stopped | EngineOutcome::Certified => "to let it run to its end",
    }
}

/// Where a program is incomplete for a reason.
fn places(program: &Program, reason: &str) -> Vec<Place> {
    let here = program
        .locs
        .values()
        .filter(|d| matches!(&d.kind, LocKind::Incomplete(why) if **why == *reason));
    let spans: BTreeSet<Span> = here.map(|d| d.span).filter(|s| s.is_some()).collect();
    let place = |span: Span| {
        let file = program.files.get(span.file()?)?;
        Some(Place {
            file: file.clone(),
            line: span.line,
            column: span.column,
        })
    };
    spans.into_iter().filter_map(place).collect()
}
