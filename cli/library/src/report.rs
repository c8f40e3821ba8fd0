//! The result of a check as data, and as JSON.

use crate::baseline::{self, Known};
use crate::contracts::{self, ContractReport};
use crate::judge::Answer;
use crate::load::Loaded;
use crate::reasons::Reason;
use crate::results::CheckResult;
use crate::timeline::Timeline;
use crate::trace;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use trellis_ivl::{LocKind, Program};
use trellis_plugin_host::board::Figures;
use trellis_plugin_host::message::QueryFigures;
use trellis_plugin_host::run::EngineReport;
use trellis_witness::steps::Shown;

/// Changes when a reader of the JSON has to.
pub const SCHEMA: &str = "trellis-check/2";

/// A whole check. Keys that hold times or measured resources end in `_seconds` or `_bytes`; all
/// others are the same for equal inputs, configurations and seeds of a single engine.
#[derive(Clone, Serialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The version of Trellis.
    pub version: &'static str,
    /// What was checked.
    pub files: Vec<String>,
    /// What was read for it, headers of the system aside, once it is read.
    pub read: Vec<String>,
    /// The pipeline.
    pub pipeline: String,
    /// Seed of every random choice.
    pub seed: u64,
    /// What is checked, once the program is read.
    pub properties: Vec<String>,
    /// At how many places, once the program is read.
    pub checks: Option<usize>,
    /// What the verdict takes for granted.
    pub assumptions: Vec<Assumed>,
    /// `true`, `false` or `unknown`.
    pub verdict: &'static str,
    /// The property that is violated.
    pub property: Option<String>,
    /// Of hardware: the verdict of each property, by name, in the order of the model.
    pub property_verdicts: Vec<(String, &'static str)>,
    /// Every property at every place where it may be violated, and what became of it, in the order of the source.
    pub results: Vec<CheckResult>,
    /// Why the verdict is unknown, or that there was nothing to check where it is true.
    pub reason: Option<String>,
    /// The same by engines, with places and what may help.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// The engine whose answer was certified.
    pub decided_by: Option<String>,
    /// The backend that checked a proof, or `replay`.
    pub certified_by: Option<String>,
    /// The program as read, once it is.
    pub program: Option<Size>,
    /// The program as engines got it, once they did.
    pub reduced: Option<Size>,
    /// Passes that changed something.
    pub passes: Vec<PassReport>,
    /// The engines.
    pub engines: Vec<Engine>,
    /// What became of the lemmas of each engine.
    pub lemmas: BTreeMap<String, Lemmas>,
    /// What the place of the error is known by, whatever its line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// Whether known errors were to be left alone.
    #[serde(skip)]
    pub has_baseline: bool,
    /// Errors that were known and left alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<Known>,
    /// Where and how the property is violated, one line per step.
    pub trace: Option<Vec<String>>,
    /// The same in parts, for other reports.
    #[serde(skip)]
    pub steps: Vec<TraceLine>,
    /// Invariants by location of the expanded program.
    pub invariants: Option<BTreeMap<String, String>>,
    /// Where the proof is by contracts: those of the functions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contracts: Vec<ContractReport>,
    /// Where the proof is a complete unwinding: no execution makes more visits of loop heads.
    pub unwound_visits: Option<u32>,
    /// Where termination is asked: the loops that end, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ending_loops: Vec<LoopReport>,
    /// Where termination is asked: the loop that does not end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endless_loop: Option<EndlessLoop>,
    /// When what happened.
    #[serde(skip)]
    pub timeline: Timeline,
    /// Wall time of the whole check.
    pub wall_seconds: f64,
}

impl Report {
    /// Nothing is known yet.
    pub fn new(files: Vec<String>, pipeline: &str, seed: u64) -> Report {
        Report {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION"),
            files,
            read: Vec::new(),
            pipeline: pipeline.into(),
            seed,
            properties: Vec::new(),
            checks: None,
            assumptions: Vec::new(),
            verdict: "unknown",
            property: None,
            property_verdicts: Vec::new(),
            results: Vec::new(),
            reason: None,
            reasons: Vec::new(),
            decided_by: None,
            certified_by: None,
            program: None,
            reduced: None,
            passes: Vec::new(),
            engines: Vec::new(),
            lemmas: BTreeMap::new(),
            fingerprint: None,
            has_baseline: false,
            known: Vec::new(),
            trace: None,
            steps: Vec::new(),
            invariants: None,
            contracts: Vec::new(),
            unwound_visits: None,
            ending_loops: Vec::new(),
            endless_loop: None,
            timeline: Timeline::default(),
            wall_seconds: 0.0,
        }
    }

    /// Adds what is known of a program once it is read.
    pub(crate) fn read(&mut self, loaded: &Loaded, size: trellis_ivl_passes::Size) {
        self.program = Some(size.into());
        self.read = (loaded.read.iter())
            .map(|f| f.display().to_string())
            .collect();
        self.properties = properties_of(loaded.program());
        self.checks = Some(loaded.program().errors().count());
        self.assumptions.clone_from(&loaded.assumptions);
        self.known.clone_from(&loaded.known);
    }

    /// Adds the end of a check.
    pub(crate) fn conclude(
        &mut self,
        loaded: &Loaded,
        found: &Result<Answer, String>,
        steps: &[Shown],
    ) {
        let program = loaded.program();
        match found {
            Ok(Answer::True {
                invariants,
                visits,
                contracts: proof,
                checked_by,
                ..
            }) => {
                self.verdict = "true";
                self.certified_by = Some(checked_by.clone());
                self.invariants = Some(invariants.clone());
                self.unwound_visits = *visits;
                self.contracts = proof
                    .as_deref()
                    .map_or_else(Vec::new, |p| contracts::words(loaded, p));
            }
            Ok(Answer::False { property, loc, .. }) => {
                let text = trace::text(program, steps);
                self.verdict = "false";
                self.property = Some(property.clone());
                self.certified_by = Some("replay".into());
                self.fingerprint = baseline::fingerprint(loaded, *loc);
                self.trace = Some(text.lines().map(str::to_string).collect());
                self.steps = trace::lines(program, steps);
            }
            Err(reason) => self.reason = Some(reason.clone()),
        }
    }

    /// Takes back an error, for this reason.
    pub(crate) fn retract(&mut self, reason: &str) {
        self.verdict = "unknown";
        self.reason = Some(reason.into());
        (self.property, self.certified_by, self.trace) = (None, None, None);
        self.fingerprint = None;
        self.steps.clear();
    }

    /// The steps to the error as text; empty where there is none.
    pub fn trace_text(&self) -> String {
        let lines = self.trace.iter().flatten();
        lines.map(|line| format!("{line}\n")).collect()
    }

    /// The text of the report.
    pub fn json(&self) -> String {
        // Nothing in it can fail to be written: no maps with odd keys, no foreign types.
        serde_json::to_string_pretty(self).expect("a report is JSON") + "\n"
    }
}

/// What the program says may be violated.
fn properties_of(program: &Program) -> Vec<String> {
    let kinds = program.locs.values().map(|l| &l.kind);
    let all: BTreeSet<String> = kinds
        .filter_map(|kind| match kind {
            LocKind::Error(property) => Some(property.to_string()),
            _ => None,
        })
        .collect();
    all.into_iter().collect()
}

/// A loop that every execution leaves.
#[derive(Clone, Debug, Serialize)]
pub struct LoopReport {
    /// Its place in the program's order.
    #[serde(skip)]
    pub order: u32,
    /// Where it is.
    pub place: String,
    /// What falls at every visit, or never comes back.
    pub measure: String,
}

/// A loop that some execution never leaves.
#[derive(Clone, Debug, Serialize)]
pub struct EndlessLoop {
    /// Where it is.
    pub place: String,
    /// How many steps lead to it.
    pub stem_steps: usize,
    /// How many steps go round.
    pub loop_steps: usize,
    /// The values that come back, of all that decides how the loop goes on.
    pub comes_back: BTreeMap<String, String>,
    /// The set of states that is not left, where no state comes back.
    pub set: Option<String>,
}

impl std::fmt::Display for EndlessLoop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(set) = &self.set {
            let place = &self.place;
            return match set.as_str() {
                "true" => write!(f, "endless: {place} comes again, whatever the values"),
                set => write!(
                    f,
                    "endless: at {place} holds {set}, and can hold every time"
                ),
            };
        }
        let (steps, repeat) = match self.loop_steps {
            1 => ("step".into(), "repeats"),
            n => (format!("{n} steps"), "repeat"),
        };
        write!(f, "endless: from {} the last {steps} {repeat}", self.place)?;
        let values = self.comes_back.iter();
        let values: Vec<String> = values
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        match values.is_empty() {
            true => write!(f, ", whatever the values"),
            false => write!(f, ", with {} every time", values.join(", ")),
        }
    }
}

/// Something that the verdict takes for granted.
#[derive(Clone, Serialize)]
pub struct Assumed {
    /// The assumption.
    pub name: &'static str,
    /// What that means.
    pub explanation: &'static str,
    /// What it is about here.
    pub detail: String,
    /// Where it is made.
    pub places: Vec<Place>,
}

/// A place in a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// What holds whenever an execution is at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Invariant {
    /// Where.
    pub place: Place,
    /// In words of C.
    pub value: String,
}

/// A line of a trace.
#[derive(Clone)]
pub struct TraceLine {
    /// The number of the step; none for rounds of a loop that are not shown.
    pub number: Option<usize>,
    /// How many calls are under way.
    pub depth: usize,
    /// The file.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// What the source says there.
    pub source: String,
    /// What happened.
    pub what: String,
}

/// What became of an engine's lemmas.
#[derive(Clone, Serialize)]
pub struct Lemmas {
    /// Offered to others.
    pub published: u64,
    /// Shown to hold, and given to others.
    pub proved: u64,
    /// Those, the first thousand of all engines, by location of the program that the engines got.
    pub lemmas: BTreeMap<String, Vec<String>>,
}

impl Lemmas {
    /// The figures and the words.
    pub fn new(figures: Figures, lemmas: BTreeMap<String, Vec<String>>) -> Lemmas {
        Lemmas {
            published: figures.published,
            proved: figures.proved,
            lemmas,
        }
    }
}

/// The size of a program.
#[derive(Clone, Serialize)]
pub struct Size {
    /// Locations.
    pub locations: usize,
    /// Edges.
    pub edges: usize,
    /// Variables that change.
    pub variables: usize,
    /// Basic operations.
    pub operations: usize,
}

impl From<trellis_ivl_passes::Size> for Size {
    fn from(size: trellis_ivl_passes::Size) -> Size {
        Size {
            locations: size.locs,
            edges: size.edges,
            variables: size.vars,
            operations: size.operations,
        }
    }
}

/// One run of a pass.
#[derive(Clone, Serialize)]
pub struct PassReport {
    /// The pass.
    pub name: String,
    /// The program after it.
    pub after: Size,
    /// Wall time.
    pub wall_seconds: f64,
}

/// One engine.
#[derive(Clone, Serialize)]
pub struct Engine {
    /// Its name in the pipeline.
    pub name: String,
    /// The plugin.
    pub plugin: String,
    /// The library.
    pub library: String,
    /// How it ended, in words.
    pub outcome: String,
    /// Its queries by kind.
    pub queries: BTreeMap<String, Queries>,
    /// What it printed.
    pub output: String,
    /// Wall time.
    pub wall_seconds: f64,
    /// CPU time.
    pub cpu_seconds: f64,
    /// Largest resident memory.
    pub memory_bytes: u64,
}

/// Queries of one kind.
#[derive(Clone, Serialize)]
pub struct Queries {
    /// Satisfiable.
    pub sat: u64,
    /// Unsatisfiable.
    pub unsat: u64,
    /// Given up.
    pub unknown: u64,
    /// Time in the solver.
    pub wall_seconds: f64,
}

impl From<&QueryFigures> for Queries {
    fn from(figures: &QueryFigures) -> Queries {
        Queries {
            sat: figures.sat,
            unsat: figures.unsat,
            unknown: figures.unknown,
            wall_seconds: figures.micros as f64 / 1e6,
        }
    }
}

impl From<&EngineReport> for Engine {
    fn from(report: &EngineReport) -> Engine {
        let queries = report.queries.iter();
        Engine {
            name: report.name.clone(),
            plugin: report.id.clone(),
            library: report.plugin.display().to_string(),
            outcome: report.outcome.to_string(),
            queries: queries.map(|(k, q)| (k.clone(), q.into())).collect(),
            output: report.stderr.clone(),
            wall_seconds: report.wall.as_secs_f64(),
            cpu_seconds: report.resources.cpu.as_secs_f64(),
            memory_bytes: report.resources.memory,
        }
    }
}
