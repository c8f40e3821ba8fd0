//! Why nothing was decided, said once: engines that end for the same reason share a line, and what is incomplete has its place.

use std::collections::BTreeSet;
use trellis_ivl::{LocKind, Program};
use trellis_plugin_host::EngineReport;
use trellis_plugin_host::run::EngineOutcome;
use trellis_witness::names::place;

/// How engines say that what they met has no meaning in the model.
const INCOMPLETE: &str = "incomplete: ";
/// Places of one reason that are shown.
const MOST_PLACES: usize = 3;

/// The reasons of all engines, those that most of them have first.
pub fn reasons(engines: &[EngineReport], program: &Program) -> String {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for engine in engines {
        let why = match &engine.outcome {
            EngineOutcome::Unknown(reason) => match reason.strip_prefix(INCOMPLETE) {
                Some(gap) => format!("{}{}", engine.outcome, places(program, gap)),
                None => engine.outcome.to_string(),
            },
            outcome => outcome.to_string(),
        };
        match groups.iter_mut().find(|(known, _)| *known == why) {
            Some((_, names)) => names.push(&engine.name),
            None => groups.push((why, vec![&engine.name])),
        }
    }
    groups.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
    let told = groups
        .iter()
        .map(|(why, names)| format!("{}: {why}", names.join(", ")));
    told.collect::<Vec<_>>().join("; ")
}

/// Where a program is incomplete for a reason.
fn places(program: &Program, reason: &str) -> String {
    let here = program
        .locs
        .values()
        .filter(|d| matches!(&d.kind, LocKind::Incomplete(why) if **why == *reason));
    let places: BTreeSet<_> = here
        .filter(|d| d.span.is_some())
        .map(|d| (d.span, place(program, d.span)))
        .collect();
    let shown: Vec<&str> = (places.iter().map(|(_, at)| at.as_str()))
        .take(MOST_PLACES)
        .collect();
    match shown.is_empty() {
        true => String::new(),
        false => {
            let more = if places.len() > MOST_PLACES {
                ", ..."
            } else {
                ""
            };
            format!(" at {}{more}", shown.join(", "))
        }
    }
}
