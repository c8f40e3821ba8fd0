//! One check in the background: from a document to what is shown of it.

use super::message::Writer;
use super::pipeline;
use super::work::{Documents, is_same, lock, publish, range, uri_of};
use crate::project::beginnings;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use trellis::events::{Event, Observer};
use trellis::load::Source;
use trellis::project::Project;
use trellis::report::{Place, TraceLine};
use trellis::results::{CheckResult, summary};
use trellis::session::{Checked, Session};
use trellis::worker::Worker;
use trellis::{Error, pipelines};
use trellis_plugin_host::run;

/// Violations that are looked for.
const MAX_ERRORS: usize = 20;
/// Steps of a trace that an editor shows.
const MOST_STEPS: usize = 200;
/// Functions of a file without `main` that are checked, and the least time of each.
const MOST_FUNCTIONS: usize = 50;
const LEAST_TIME: Duration = Duration::from_millis(500);
/// Time between two words of progress.
const PACE: Duration = Duration::from_millis(300);

/// Severities of the protocol.
pub(super) const ERROR: u8 = 1;
const INFORMATION: u8 = 3;

/// One check in the background.
pub(super) struct Job {
    pub(super) uri: String,
    pub(super) path: PathBuf,
    /// A program; else a pipeline.
    pub(super) is_program: bool,
    pub(super) number: u64,
    pub(super) stop: Arc<AtomicBool>,
    pub(super) worker: Worker,
    pub(super) timeout: Duration,
    pub(super) writer: Arc<Writer>,
    pub(super) documents: Documents,
    pub(super) progress: bool,
    pub(super) root: Option<PathBuf>,
}

/// Violations are shown as soon as they are found, and how far the engines are now and then.
struct Found<'a> {
    job: &'a Job,
    so_far: Mutex<Vec<CheckResult>>,
    told: Mutex<Option<Instant>>,
}

impl Found<'_> {
    fn so_far(&self) -> std::sync::MutexGuard<'_, Vec<CheckResult>> {
        self.so_far.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Found<'_> {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Violated(result) => {
                let mut so_far = self.so_far();
                so_far.push(result.clone());
                self.job.show(&so_far);
            }
            Event::Engine(name, run::Event::Progress(stage, at)) if self.job.progress => {
                let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
                if told.is_none_or(|last| last.elapsed() >= PACE) {
                    *told = Some(Instant::now());
                    let message = format!("{name}: {stage} {at}");
                    self.job
                        .progress(&json!({ "kind": "report", "message": message }));
                }
            }
            _ => {}
        }
    }
}

impl Job {
    pub(super) fn run(self) {
        if !self.is_program {
            match pipeline::check(&self.path, &self.worker) {
                Ok(()) => self.show(&[]),
                Err(e) => self.complain(&e),
            }
            return self.end();
        }
        if self.progress {
            let (id, token) = (format!("create-{}", self.number), self.token());
            self.writer.send(&json!({
                "jsonrpc": "2.0", "id": id, "method": "window/workDoneProgress/create", "params": { "token": token },
            }));
            let name = self.path.file_name().unwrap_or_default().to_string_lossy();
            let title = format!("Checking {name}");
            self.progress(&json!({ "kind": "begin", "title": title, "cancellable": true }));
        }
        let checked = self.checked();
        if self.progress {
            self.progress(&json!({ "kind": "end" }));
        }
        match checked {
            Ok(checked) => self.tell(checked),
            Err(e) => self.complain(&e),
        }
        self.end();
    }

    /// Nothing is under way any more, unless it is another check.
    fn end(&self) {
        if let Some(document) = lock(&self.documents).get_mut(&self.uri)
            && document
                .check
                .as_ref()
                .is_some_and(|(_, n)| *n == self.number)
        {
            document.check = None;
        }
    }

    fn token(&self) -> String {
        format!("trellis-{}", self.number)
    }

    fn progress(&self, value: &Value) {
        let params = json!({ "token": self.token(), "value": value });
        self.writer.notify("$/progress", &params);
    }

    /// Checks the program from `main`, or where there is none from each function that other files may call.
    fn checked(&self) -> Result<Vec<(String, Checked)>, Error> {
        let mut source = self.source()?;
        let found = Found {
            job: self,
            so_far: Mutex::default(),
            told: Mutex::default(),
        };
        let begun = Instant::now();
        let first = self.check(&source, &found, self.timeout);
        let functions = match &first {
            Err(Error::Input(_)) => beginnings(&source, &[]).unwrap_or_default(),
            _ => Vec::new(),
        };
        if functions.is_empty() || functions.iter().any(|f| f == "main") {
            return Ok(vec![("main".into(), first?)]);
        }
        let mut all: Vec<(String, Checked)> = Vec::new();
        let functions = &functions[..functions.len().min(MOST_FUNCTIONS)];
        for (n, function) in functions.iter().enumerate() {
            let left = self.timeout.saturating_sub(begun.elapsed());
            if left.is_zero() && n > 0 || self.stop.load(Ordering::SeqCst) {
                break;
            }
            let share = left / u32::try_from(functions.len() - n).unwrap_or(u32::MAX);
            source.function = Some(function.clone());
            // A function that cannot be checked alone says so, and the others are checked.
            match self.check(&source, &found, share.max(LEAST_TIME)) {
                Ok(checked) => all.push((function.clone(), checked)),
                Err(e) if all.is_empty() && n + 1 == functions.len() => return Err(e),
                Err(_) => {}
            }
            let results = all.iter().flat_map(|(_, c)| &c.report.results);
            *found.so_far() = results.cloned().collect();
        }
        Ok(all)
    }

    fn check(&self, source: &Source, found: &Found<'_>, time: Duration) -> Result<Checked, Error> {
        let mut pipeline = pipelines::load(pipelines::DEFAULT, &[], None)?;
        pipeline.limits.wall = Some(time);
        let session = Session::new(pipeline)
            .worker(self.worker.clone())
            .max_errors(MAX_ERRORS)
            .stop_when(self.stop.clone());
        session.observer(found).check(source)
    }

    /// The file with the flags of its project.
    fn source(&self) -> Result<Source, Error> {
        let root = self.root.as_ref().filter(|root| Project::is_at(root));
        if let Some(root) = root {
            let project = Project::load(root)?;
            let own = |file: &Path| is_same(&root.join(file).to_string_lossy(), &self.path);
            if let Some(unit) = project.units.iter().find(|u| own(&u.file)) {
                let mut args = vec!["trellis".into(), "check".into()];
                args.extend(unit.flags.iter().map(Into::into));
                let config = &project.config;
                let assume = config.assume.iter().map(|name| format!("--assume={name}"));
                let check = config.check.iter().map(|check| format!("--check={check}"));
                args.extend(assume.chain(check).map(Into::into));
                args.extend(["--".into(), self.path.clone().into_os_string()]);
                return crate::check_args(args)?.source.source();
            }
        }
        Ok(Source::file(&self.path))
    }

    /// Whether this is still the check of the document.
    fn counts(&self) -> bool {
        let documents = lock(&self.documents);
        let check = documents.get(&self.uri).and_then(|d| d.check.as_ref());
        check.is_some_and(|(stop, n)| *n == self.number && !stop.load(Ordering::SeqCst))
    }

    fn show(&self, results: &[CheckResult]) {
        if self.counts() {
            let documents = lock(&self.documents);
            let text = documents.get(&self.uri).map_or("", |d| &d.text);
            let shown: Vec<Value> = (results.iter())
                .filter_map(|r| self.diagnostic(text, r))
                .collect();
            publish(&self.writer, &self.uri, &shown);
        }
    }

    fn tell(&self, all: Vec<(String, Checked)>) {
        let results: Vec<CheckResult> = (all.iter())
            .flat_map(|(_, c)| &c.report.results)
            .cloned()
            .collect();
        self.show(&results);
        if !self.counts() {
            return;
        }
        let invariants = all.iter().flat_map(|(_, c)| c.invariants()).collect();
        if let Some(document) = lock(&self.documents).get_mut(&self.uri) {
            document.summary = match results.is_empty() {
                true => String::new(),
                false => summary(&results),
            };
            document.checked = all;
            document.invariants = invariants;
        }
    }

    /// A violation, or what is not known, where it is in this file.
    fn diagnostic(&self, text: &str, of: &CheckResult) -> Option<Value> {
        let own = |place: &Place| is_same(&place.file, &self.path);
        let place = of.place.as_ref().filter(|p| own(p));
        // What goes wrong in a header or in the library is shown at the last step in this file.
        let step = of
            .steps
            .iter()
            .rev()
            .find(|s| s.file.as_ref().is_some_and(|f| is_same(f, &self.path)));
        let (line, column) = match (place, step) {
            (Some(place), _) => (place.line, place.column),
            (None, Some(step)) => (step.line, step.column),
            (None, None) => return None,
        };
        let (severity, message) = match of.verdict {
            "false" => (ERROR, of.violation()),
            "unknown" => {
                let why = of.reason.as_deref().unwrap_or("no reason is known");
                (
                    INFORMATION,
                    format!("{} is not decided: {why}", of.property),
                )
            }
            _ => return None,
        };
        let length = if place.is_some() {
            of.expression.len()
        } else {
            0
        };
        let steps = of.steps.iter().rev().take(MOST_STEPS).rev();
        let related: Vec<Value> = steps.filter_map(|s| self.related(text, s)).collect();
        Some(json!({
            "range": range(text, line, column, length),
            "severity": severity,
            "code": of.property,
            "source": "trellis",
            "message": message,
            "relatedInformation": related,
        }))
    }

    fn related(&self, text: &str, step: &TraceLine) -> Option<Value> {
        let file = step.file.as_ref()?;
        let own = is_same(file, &self.path);
        let uri = match own {
            true => self.uri.clone(),
            false => uri_of(&std::fs::canonicalize(file).ok()?),
        };
        let text = if own { text } else { "" };
        let what = if step.what.is_empty() {
            &step.source
        } else {
            &step.what
        };
        Some(json!({
            "location": { "uri": uri, "range": range(text, step.line, step.column, 0) },
            "message": what,
        }))
    }

    /// A file that is no program.
    fn complain(&self, e: &Error) {
        if !self.counts() {
            return;
        }
        let text = e.to_string();
        let documents = lock(&self.documents);
        let own = documents.get(&self.uri).map_or("", |d| &d.text);
        let mut shown = Vec::new();
        for message in text.lines() {
            let Some((place, what)) = message.split_once(": ") else {
                continue;
            };
            let mut parts = place.rsplitn(3, ':');
            let (column, line, file) = (parts.next(), parts.next(), parts.next());
            let number = |n: Option<&str>| n.and_then(|n| n.parse::<u32>().ok());
            if let (Some(line), Some(column), Some(file)) = (number(line), number(column), file)
                && is_same(file, &self.path)
            {
                shown.push(complaint(range(own, line, column, 0), what));
            }
        }
        if shown.is_empty() {
            shown.push(complaint(range("", 1, 1, 0), &text));
        }
        publish(&self.writer, &self.uri, &shown);
    }
}

fn complaint(range: Value, message: &str) -> Value {
    json!({ "range": range, "severity": ERROR, "source": "trellis", "message": message })
}
