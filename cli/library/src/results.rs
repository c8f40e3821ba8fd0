//! What became of each property at each place, in words: the rows of every report.

use crate::baseline;
use crate::instances::{Instance, Status};
use crate::load::Loaded;
use crate::report::{Place, TraceLine};
use crate::trace;
use serde::Serialize;
use trellis_ivl::{Program, Span};
use trellis_witness::names::function;
use trellis_witness::steps::Shown;

/// A property at a place.
#[derive(Clone, Serialize)]
pub struct CheckResult {
    /// The property.
    pub property: String,
    /// Where it may be violated; none where the source has no places.
    pub place: Option<Place>,
    /// In which function.
    pub function: String,
    /// What the source says there.
    pub expression: String,
    /// `true`, `false` or `unknown`.
    pub verdict: &'static str,
    /// How it is violated, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Why it is not, in words, where there is more to say than that there is an invariant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<String>,
    /// Why it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The engine whose answer was certified.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<String>,
    /// The backend that checked a proof, or `replay`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certified_by: Option<String>,
    /// What the compiled program did, where it was run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmation: Option<String>,
    /// What its place is known by, whatever the line, where it is violated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// How it is violated, one line per step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Vec<String>>,
    /// The same in parts, for other reports.
    #[serde(skip)]
    pub steps: Vec<TraceLine>,
}

impl CheckResult {
    /// The property and how it is violated.
    pub fn violation(&self) -> String {
        match &self.message {
            Some(how) => format!("{}: {how}", self.property),
            None => format!("{} is violated", self.property),
        }
    }

    /// `file:line:column`, or nothing.
    pub fn at(&self) -> String {
        self.place.as_ref().map_or(String::new(), Place::to_string)
    }
}

/// The rows, in the order of the source.
pub(crate) fn told(loaded: &Loaded, instances: &[Instance]) -> Vec<CheckResult> {
    instances.iter().map(|i| row(loaded, i)).collect()
}

/// One row.
pub(crate) fn row(loaded: &Loaded, instance: &Instance) -> CheckResult {
    let program = loaded.program();
    let span = instance.span(program);
    let (reason, decided_by, certified_by) = match &instance.status {
        Status::True {
            decided_by,
            checked_by,
        } => (None, decided_by.clone(), Some(checked_by.clone())),
        Status::False { decided_by, .. } => (None, decided_by.clone(), Some("replay".into())),
        Status::Unknown(why) => (Some(why.clone()), None, None),
    };
    let violated = matches!(instance.status, Status::False { .. });
    let proc = program.locs[instance.locs[0]].proc;
    CheckResult {
        property: instance.property.clone(),
        place: place(program, span),
        function: function(program, proc).to_string(),
        expression: expression(loaded, instance),
        verdict: instance.verdict(),
        message: message(instance),
        proof: None,
        reason,
        decided_by,
        certified_by,
        confirmation: instance.confirmation.as_ref().map(ToString::to_string),
        fingerprint: (violated.then(|| baseline::fingerprint(loaded, instance.locs[0]))).flatten(),
        trace: violated.then(|| {
            let text = trace::text(program, &instance.steps);
            text.lines().map(str::to_string).collect()
        }),
        steps: match violated {
            true => trace::lines(program, &instance.steps),
            false => Vec::new(),
        },
    }
}

/// What the source says where a property is checked.
fn expression(loaded: &Loaded, instance: &Instance) -> String {
    let (program, span) = (loaded.program(), instance.span(loaded.program()));
    let check = loaded
        .names
        .of_source()
        .and_then(|c| c.checks.get(&instance.locs[0]));
    match check {
        Some(check) => loaded.sources.expression(program, span, check.end),
        None => loaded.sources.excerpt(program, span),
    }
}

/// How an instance is violated, as the last of its steps says.
fn message(instance: &Instance) -> Option<String> {
    let Some(Shown::Step(last)) = instance.steps.last() else {
        return None;
    };
    let how = last
        .what
        .strip_prefix(&format!("violates {}: ", instance.property));
    how.map(str::to_string)
}

pub(crate) fn place(program: &Program, span: Span) -> Option<Place> {
    let file = span.file().and_then(|f| program.files.get(f))?;
    Some(Place {
        file: file.clone(),
        line: span.line,
        column: span.column,
    })
}

/// How many there are of each verdict: `7 checks: 1 false, 2 unknown, 4 true`.
pub fn summary(results: &[CheckResult]) -> String {
    let count = |verdict| results.iter().filter(|r| r.verdict == verdict).count();
    let each = ["false", "unknown", "true"].map(|v| (count(v), v));
    let each: Vec<String> = (each.iter().filter(|(n, _)| *n > 0))
        .map(|(n, verdict)| format!("{n} {verdict}"))
        .collect();
    let checks = match results.len() {
        0 => return "no checks".into(),
        1 => "1 check".into(),
        n => format!("{n} checks"),
    };
    format!("{checks}: {}", each.join(", "))
}
