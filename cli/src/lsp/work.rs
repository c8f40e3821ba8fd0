//! The documents of an editor, and the checks of them in the background.

use super::message::Writer;
use super::pipeline::{self, is_pipeline};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tempfile::TempDir;
use trellis::events::{Event, Observer};
use trellis::load::Source;
use trellis::project::Project;
use trellis::report::{Invariant, Place, TraceLine};
use trellis::results::{CheckResult, summary};
use trellis::session::{Checked, Session};
use trellis::worker::Worker;
use trellis::{Error, pipelines};

/// Violations that are looked for.
const MAX_ERRORS: usize = 20;
/// Steps of a trace that an editor shows.
const MOST_STEPS: usize = 200;

/// Severities of the protocol.
const ERROR: u8 = 1;
const INFORMATION: u8 = 3;

/// An open document.
#[derive(Default)]
pub(super) struct Document {
    /// Its text, for columns.
    pub(super) text: String,
    /// What is known of it since its last check.
    pub(super) checked: Option<Checked>,
    invariants: Vec<Invariant>,
    summary: String,
    /// The check that is under way: what ends it, and its number.
    check: Option<(Arc<AtomicBool>, u64)>,
}

impl Document {
    fn results(&self) -> &[CheckResult] {
        self.checked.as_ref().map_or(&[], |c| &c.report.results)
    }
}

pub(super) type Documents = Arc<Mutex<BTreeMap<String, Document>>>;

/// All documents, and who checks them.
pub struct Works {
    worker: Worker,
    timeout: Duration,
    pub(super) writer: Arc<Writer>,
    pub(super) documents: Documents,
    threads: Vec<JoinHandle<()>>,
    /// Whether the editor shows progress.
    progress: bool,
    /// Whether the editor shows files that it is asked to.
    pub(super) shows: bool,
    root: Option<PathBuf>,
    started: u64,
    /// Where reports are written that the editor asks for.
    pub(super) folder: Option<TempDir>,
}

pub(super) fn lock(documents: &Documents) -> MutexGuard<'_, BTreeMap<String, Document>> {
    documents.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Works {
    /// Nothing is open.
    pub fn new(worker: Worker, timeout: Duration, writer: Arc<Writer>) -> Works {
        Works {
            worker,
            timeout,
            writer,
            documents: Documents::default(),
            threads: Vec::new(),
            progress: false,
            shows: false,
            root: None,
            started: 0,
            folder: None,
        }
    }

    /// What the editor can do, and where it is.
    pub fn client(&mut self, params: &Value) {
        let window = &params["capabilities"]["window"];
        self.progress = window["workDoneProgress"] == true;
        self.shows = window["showDocument"]["support"] == true;
        self.root = params["rootUri"].as_str().and_then(path_of);
    }

    /// A document was opened.
    pub fn open(&mut self, params: &Value) {
        let document = &params["textDocument"];
        let Some(uri) = document["uri"].as_str() else {
            return;
        };
        let text = document["text"].as_str().unwrap_or_default().to_string();
        let opened = Document {
            text,
            ..Document::default()
        };
        lock(&self.documents).insert(uri.into(), opened);
        self.check(uri);
    }

    /// A document has another text. What was known of its lines may be of others now, and stays until it is saved.
    pub fn change(&mut self, params: &Value) {
        let Some(uri) = params["textDocument"]["uri"].as_str() else {
            return;
        };
        let change = params["contentChanges"]
            .as_array()
            .and_then(|all| all.last());
        let text = change.and_then(|c| c["text"].as_str());
        if let (Some(document), Some(text)) = (lock(&self.documents).get_mut(uri), text) {
            document.text = text.into();
        }
    }

    /// A document was saved.
    pub fn save(&mut self, params: &Value) {
        if let Some(uri) = params["textDocument"]["uri"].as_str() {
            self.check(uri);
        }
    }

    /// A document was closed: nobody wants to know any more.
    pub fn close(&mut self, params: &Value) {
        let Some(uri) = params["textDocument"]["uri"].as_str() else {
            return;
        };
        if let Some(document) = lock(&self.documents).remove(uri)
            && let Some((stop, _)) = document.check
        {
            stop.store(true, Ordering::SeqCst);
        }
        publish(&self.writer, uri, &[]);
    }

    /// Somebody does not want to wait for a check.
    pub fn cancel(&mut self, token: &Value) {
        let number = token
            .as_str()
            .and_then(|t| t.strip_prefix("trellis-")?.parse::<u64>().ok());
        for document in lock(&self.documents).values() {
            if let Some((stop, of)) = &document.check
                && Some(*of) == number
            {
                stop.store(true, Ordering::SeqCst);
            }
        }
    }

    /// Ends all checks, and waits for them.
    pub fn stop(&mut self) {
        for document in lock(&self.documents).values() {
            if let Some((stop, _)) = &document.check {
                stop.store(true, Ordering::SeqCst);
            }
        }
        for thread in self.threads.drain(..) {
            // Whatever it was, it is over.
            let _ = thread.join();
        }
    }

    /// Starts the check of a document; one that is under way ends.
    fn check(&mut self, uri: &str) {
        let Some(path) = path_of(uri) else {
            return;
        };
        let is_program = path.extension().is_some_and(|e| e == "c" || e == "ivl");
        let number = self.started + 1;
        let stop = Arc::new(AtomicBool::new(false));
        if let Some(document) = lock(&self.documents).get_mut(uri)
            && (is_program || is_pipeline(&path, &document.text))
        {
            if let Some((before, _)) = document.check.replace((stop.clone(), number)) {
                before.store(true, Ordering::SeqCst);
            }
        } else {
            return;
        }
        self.started = number;
        // Of the threads that are over nothing is kept.
        self.threads.retain(|t| !t.is_finished());
        let job = Job {
            uri: uri.into(),
            path,
            is_program,
            number,
            stop,
            worker: self.worker.clone(),
            timeout: self.timeout,
            writer: self.writer.clone(),
            documents: self.documents.clone(),
            progress: self.progress,
            root: self.root.clone(),
        };
        let thread = std::thread::Builder::new().name("check".into());
        match thread.spawn(move || job.run()) {
            Ok(thread) => self.threads.push(thread),
            Err(e) => self.writer.notify(
                "window/showMessage",
                &json!({ "type": ERROR, "message": format!("trellis: cannot start a thread: {e}") }),
            ),
        }
    }

    /// What is known of a line.
    pub fn hover(&self, params: &Value) -> Value {
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        let line = params["position"]["line"].as_u64().unwrap_or(0) + 1;
        let documents = lock(&self.documents);
        let (Some(document), Some(path)) = (documents.get(uri), path_of(uri)) else {
            return Value::Null;
        };
        if is_pipeline(&path, &document.text) {
            drop(documents);
            return self.key(params);
        }
        let here = |place: &Place| u64::from(place.line) == line && is_same(&place.file, &path);
        let mut text = String::new();
        for of in document
            .results()
            .iter()
            .filter(|r| r.place.as_ref().is_some_and(here))
        {
            let how = match of.verdict {
                "true" => {
                    let by = of.certified_by.as_deref().unwrap_or("nobody");
                    format!("holds (certified by {by})")
                }
                "false" => of.message.clone().unwrap_or_else(|| "is violated".into()),
                _ => format!("unknown: {}", of.reason.as_deref().unwrap_or_default()),
            };
            text += &format!("- `{}` {}: {how}\n", of.property, code(&of.expression));
        }
        for invariant in document.invariants.iter().filter(|i| here(&i.place)) {
            text += &format!("- always here: {}\n", code(&invariant.value));
        }
        match text.is_empty() {
            true => Value::Null,
            false => json!({ "contents": { "kind": "markdown", "value": text } }),
        }
    }

    /// The invariants of loops, above them; what became of the whole above the first line.
    pub fn lenses(&self, params: &Value) -> Value {
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        let documents = lock(&self.documents);
        let (Some(document), Some(path)) = (documents.get(uri), path_of(uri)) else {
            return json!([]);
        };
        let lens = |line: u32, title: String| {
            let at = json!({ "line": line, "character": 0 });
            json!({ "range": { "start": at, "end": at }, "command": { "title": title, "command": "" } })
        };
        let mut lenses = Vec::new();
        if !document.summary.is_empty() {
            lenses.push(lens(0, format!("trellis: {}", document.summary)));
        }
        let own = document
            .invariants
            .iter()
            .filter(|i| is_same(&i.place.file, &path));
        lenses.extend(own.map(|i| {
            lens(
                i.place.line.saturating_sub(1),
                format!("always: {}", i.value),
            )
        }));
        json!(lenses)
    }
}

/// Code in Markdown, whatever it contains.
fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let gap = if longest > 0 { " " } else { "" };
    format!("{fence}{gap}{text}{gap}{fence}")
}

/// One check in the background.
struct Job {
    uri: String,
    path: PathBuf,
    /// A program; else a pipeline.
    is_program: bool,
    number: u64,
    stop: Arc<AtomicBool>,
    worker: Worker,
    timeout: Duration,
    writer: Arc<Writer>,
    documents: Documents,
    progress: bool,
    root: Option<PathBuf>,
}

/// Violations are shown as soon as they are found.
struct Found<'a> {
    job: &'a Job,
    so_far: Mutex<Vec<CheckResult>>,
}

impl Observer for Found<'_> {
    fn event(&self, event: Event<'_>) {
        if let Event::Violated(result) = event {
            let mut so_far = self.so_far.lock().unwrap_or_else(PoisonError::into_inner);
            so_far.push(result.clone());
            self.job.show(&so_far);
        }
    }
}

impl Job {
    fn run(self) {
        if !self.is_program {
            match pipeline::check(&self.path, &self.worker) {
                Ok(()) => self.show(&[]),
                Err(e) => self.complain(&e),
            }
            return self.end();
        }
        let token = format!("trellis-{}", self.number);
        if self.progress {
            let id = format!("create-{}", self.number);
            self.writer.send(&json!({
                "jsonrpc": "2.0", "id": id, "method": "window/workDoneProgress/create", "params": { "token": token },
            }));
            let name = self.path.file_name().unwrap_or_default().to_string_lossy();
            let title = format!("Checking {name}");
            self.progress(
                &token,
                &json!({ "kind": "begin", "title": title, "cancellable": true }),
            );
        }
        let checked = self.checked();
        if self.progress {
            self.progress(&token, &json!({ "kind": "end" }));
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

    fn progress(&self, token: &str, value: &Value) {
        self.writer
            .notify("$/progress", &json!({ "token": token, "value": value }));
    }

    fn checked(&self) -> Result<Checked, Error> {
        let source = self.source()?;
        let mut pipeline = pipelines::load(pipelines::DEFAULT, &[], None)?;
        pipeline.limits.wall = Some(self.timeout);
        let found = Found {
            job: self,
            so_far: Mutex::default(),
        };
        let session = Session::new(pipeline)
            .worker(self.worker.clone())
            .max_errors(MAX_ERRORS)
            .stop_when(self.stop.clone());
        session.observer(&found).check(&source)
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

    fn tell(&self, checked: Checked) {
        let results = &checked.report.results;
        self.show(results);
        if !self.counts() {
            return;
        }
        let invariants = checked.invariants();
        if let Some(document) = lock(&self.documents).get_mut(&self.uri) {
            document.summary = match results.is_empty() {
                true => String::new(),
                false => summary(results),
            };
            document.checked = Some(checked);
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

fn publish(writer: &Writer, uri: &str, diagnostics: &[Value]) {
    let params = json!({ "uri": uri, "diagnostics": diagnostics });
    writer.notify("textDocument/publishDiagnostics", &params);
}

/// A range as editors count: lines from zero, columns in units of UTF-16.
fn range(text: &str, line: u32, column: u32, length: usize) -> Value {
    let own = text
        .lines()
        .nth(line.saturating_sub(1) as usize)
        .unwrap_or_default();
    let units = |bytes: usize| {
        let prefix = own.get(..bytes.min(own.len())).unwrap_or_default();
        match own.is_empty() {
            true => bytes,
            false => prefix.encode_utf16().count(),
        }
    };
    let start = column.saturating_sub(1) as usize;
    let line = line.saturating_sub(1);
    json!({
        "start": { "line": line, "character": units(start) },
        "end": { "line": line, "character": units(start + length.max(1)) },
    })
}

/// Whether a name means a file.
fn is_same(name: &str, path: &Path) -> bool {
    Path::new(name) == path
        || std::fs::canonicalize(name)
            .is_ok_and(|n| std::fs::canonicalize(path).is_ok_and(|p| n == p))
}

/// The file of a URI.
pub(super) fn path_of(uri: &str) -> Option<PathBuf> {
    let mut bytes = Vec::new();
    let mut rest = uri.strip_prefix("file://")?.bytes();
    while let Some(b) = rest.next() {
        match b {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                let digits = std::str::from_utf8(&digits).ok()?;
                bytes.push(u8::from_str_radix(digits, 16).ok()?);
            }
            b => bytes.push(b),
        }
    }
    let path = String::from_utf8(bytes).ok()?;
    path.starts_with('/').then(|| path.into())
}

/// The URI of a file.
pub(super) fn uri_of(path: &Path) -> String {
    let mut uri = String::from("file://");
    for byte in path.to_string_lossy().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte))
            }
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_as_editors_count() {
        let uri = uri_of(Path::new("/a b/ü.c"));
        assert_eq!(uri, "file:///a%20b/%C3%BC.c");
        assert_eq!(path_of(&uri), Some("/a b/ü.c".into()));
        assert_eq!(path_of("untitled:1"), None);
        let at = range("a\n/* ü */ x + y", 2, 10, 5);
        assert_eq!(at["start"], json!({ "line": 1, "character": 8 }));
        assert_eq!(at["end"]["character"], 13);
        assert_eq!(code("a`b"), "`` a`b ``");
    }
}
