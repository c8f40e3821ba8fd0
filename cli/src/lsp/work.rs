//! The documents of an editor: what is known of them, and what is shown of that.

use super::job::{ERROR, Job};
use super::message::Writer;
use super::pipeline::is_pipeline;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tempfile::TempDir;
use trellis::contracts::ContractReport;
use trellis::report::{Invariant, Place};
use trellis::results::CheckResult;
use trellis::session::Checked;
use trellis::worker::Worker;

/// An open document.
#[derive(Default)]
pub(super) struct Document {
    /// Its text, for columns.
    pub(super) text: String,
    /// What is known of it since its last check, by where that began: `main`, or each function.
    pub(super) checked: Vec<(String, Checked)>,
    pub(super) invariants: Vec<Invariant>,
    pub(super) summary: String,
    /// The check that is under way: what ends it, and its number.
    pub(super) check: Option<(Arc<AtomicBool>, u64)>,
}

impl Document {
    pub(super) fn results(&self) -> impl Iterator<Item = &CheckResult> {
        self.checked.iter().flat_map(|(_, c)| &c.report.results)
    }

    fn contracts(&self) -> impl Iterator<Item = &ContractReport> {
        self.checked.iter().flat_map(|(_, c)| &c.report.contracts)
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
    pub(super) root: Option<PathBuf>,
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
        for contract in document.contracts() {
            if contract.at().as_ref().is_some_and(here) {
                text += &format!("- contract: {}\n", code(&contract.clauses()));
            }
        }
        match text.is_empty() {
            true => Value::Null,
            false => json!({ "contents": { "kind": "markdown", "value": text } }),
        }
    }

    /// The invariants of loops and the contracts of functions, above them; what became of the whole above the first line.
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
        let contracts = document
            .contracts()
            .filter_map(|c| Some((c.at()?, c.clauses())));
        let own = contracts.filter(|(at, _)| is_same(&at.file, &path));
        lenses.extend(own.map(|(at, clauses)| lens(at.line.saturating_sub(1), clauses)));
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

pub(super) fn publish(writer: &Writer, uri: &str, diagnostics: &[Value]) {
    let params = json!({ "uri": uri, "diagnostics": diagnostics });
    writer.notify("textDocument/publishDiagnostics", &params);
}

/// A range as editors count: lines from zero, columns in units of UTF-16.
pub(super) fn range(text: &str, line: u32, column: u32, length: usize) -> Value {
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
pub(super) fn is_same(name: &str, path: &Path) -> bool {
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
