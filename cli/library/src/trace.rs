//! A trace for people.

use crate::judge::{Answer, Long};
use crate::load::Loaded;
use crate::report::TraceLine;
use trellis_ivl::{Program, Trace};
use trellis_witness::steps::{Detail, Shown, folded, render, steps};

/// The lines of the way to an error; a proof has none.
pub fn of_answer(loaded: &Loaded, answer: &Answer, detail: Detail) -> Vec<Shown> {
    match answer {
        Answer::False {
            trace,
            long: Some(long),
            ..
        } => shown_long(loaded, trace, long, detail),
        Answer::False { trace, .. } => shown(loaded, trace, detail),
        Answer::True { .. } => Vec::new(),
    }
}

/// The lines of a trace that replays.
pub fn shown(loaded: &Loaded, trace: &Trace, detail: Detail) -> Vec<Shown> {
    let (program, names) = (loaded.program(), &loaded.names);
    steps(program, trace, names, &loaded.sources, detail)
}

/// The lines of an execution that is too long to be listed; `head` are its first steps.
pub fn shown_long(loaded: &Loaded, head: &Trace, long: &Long, detail: Detail) -> Vec<Shown> {
    let (program, names) = (loaded.program(), &loaded.names);
    let end = &long.end;
    let long = trellis_witness::long::Long {
        head,
        passed: &end.passed,
        from: end.from.as_ref(),
        last: &end.steps,
    };
    trellis_witness::long::long(program, &long, names, &loaded.sources, detail)
}

/// The lines as text, without colours.
pub fn text(program: &Program, shown: &[Shown]) -> String {
    render(program, shown, false)
}

/// The lines for reports.
pub fn lines(program: &Program, shown: &[Shown]) -> Vec<TraceLine> {
    let line = |shown: &Shown| {
        let span = match shown {
            Shown::Step(line) => line.span,
            Shown::Folded(_, span) => *span,
        };
        let file = span.file().and_then(|f| program.files.get(f));
        let (number, depth, source, what) = match shown {
            Shown::Step(line) => (
                Some(line.number),
                line.depth,
                line.source.clone(),
                line.what.clone(),
            ),
            Shown::Folded(rounds, span) => {
                let text = folded(program, *rounds, *span);
                (None, 0, String::new(), text)
            }
        };
        TraceLine {
            number,
            depth,
            file: file.cloned(),
            line: span.line,
            column: span.column,
            source,
            what,
        }
    };
    shown.iter().map(line).collect()
}
