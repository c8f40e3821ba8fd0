//! What an editor offers to do about a violation: the report to walk through, a program that leads to the error, and assumptions under
//! which there would be none.

use super::work::{Works, lock, path_of, uri_of};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use trellis::Error;
use trellis::files::read_text;
use trellis::html::{self, Tour};
use trellis::project::FILE;
use trellis::report::TraceLine;
use trellis::results::CheckResult;
use trellis::session::Checked;
use trellis_frontend_c::assumptions::Assumption;

/// Shows the report of a document.
pub const REPORT: &str = "trellis.openReport";
/// Writes a C file that leads a document's program to its error.
pub const HARNESS: &str = "trellis.writeHarness";

impl Works {
    /// What can be done about what is shown in a document.
    pub fn actions(&self, params: &Value) -> Value {
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        let documents = lock(&self.documents);
        let Some(document) = documents.get(uri).filter(|d| !d.checked.is_empty()) else {
            return json!([]);
        };
        let action = |title: &str, command: &str| {
            let command = json!({ "title": title, "command": command, "arguments": [uri] });
            json!({ "title": title, "kind": "", "command": command })
        };
        let mut actions = vec![action("Trellis: open the report", REPORT)];
        if document.checked.iter().any(|(_, c)| leads_to_an_error(c)) {
            actions.push(action(
                "Trellis: write a C file that leads to the error",
                HARNESS,
            ));
        }
        let line = params["range"]["start"]["line"].as_u64().unwrap_or(0) + 1;
        let here = document.results().filter(|r| {
            let place = r.place.as_ref();
            place.is_none_or(|p| u64::from(p.line) == line)
        });
        let helpful: BTreeSet<&str> = here.flat_map(assumptions).collect();
        actions.extend(helpful.into_iter().filter_map(|name| self.assume(name)));
        json!(actions)
    }

    /// Adds an assumption to the file of the project, where there is a project or may be one.
    fn assume(&self, name: &str) -> Option<Value> {
        let path = self.root.as_ref()?.join(FILE);
        let text = read_text(&path).ok();
        let (line, character, new) = insertion(text.as_deref().unwrap_or_default(), name)?;
        let at = json!({ "line": line, "character": character });
        let edit = json!({ "range": { "start": at, "end": at }, "newText": new });
        let uri = uri_of(&path);
        let document = json!({ "uri": uri, "version": null });
        let edits = json!({ "textDocument": document, "edits": [edit] });
        let changes = match text {
            Some(_) => json!([edits]),
            None => json!([{ "kind": "create", "uri": uri }, edits]),
        };
        Some(json!({
            "title": format!("Trellis: assume {name} in {FILE}"),
            "kind": "quickfix",
            "edit": { "documentChanges": changes },
        }))
    }

    /// Does what an action says; the file that was written, which the editor is asked to show if it can.
    pub fn execute(&mut self, params: &Value) -> Result<Value, Error> {
        let uri = params["arguments"][0].as_str().unwrap_or_default();
        let documents = lock(&self.documents);
        let checked = documents.get(uri).map_or(&[][..], |d| &d.checked);
        if checked.is_empty() {
            return Err(Error::Usage("this file is not checked yet".into()));
        }
        let is_report = match params["command"].as_str() {
            Some(REPORT) => true,
            Some(HARNESS) => false,
            other => {
                let text = format!("there is no command {}", other.unwrap_or_default());
                return Err(Error::Usage(text));
            }
        };
        let (text, end) = match is_report {
            true => (report(checked), "html"),
            false => {
                let wrong = checked.iter().find(|(_, c)| leads_to_an_error(c));
                let (_, of) = wrong.unwrap_or(&checked[0]);
                (of.harness()?.text, "harness.c")
            }
        };
        let name = path_of(uri).unwrap_or_default();
        let name = name.file_stem().unwrap_or_default().to_string_lossy();
        let io = |error| Error::Io {
            path: "a temporary folder".into(),
            error,
        };
        let folder = match &self.folder {
            Some(folder) => folder,
            None => self.folder.insert(tempfile::tempdir().map_err(io)?),
        };
        let path = folder.path().join(format!("{name}.{end}"));
        std::fs::write(&path, text).map_err(|error| Error::Io {
            path: path.clone(),
            error,
        })?;
        let written = uri_of(&path);
        if self.shows {
            let params = json!({ "uri": written, "external": is_report, "takeFocus": true });
            self.writer.send(&json!({
                "jsonrpc": "2.0", "id": format!("show-{written}"), "method": "window/showDocument", "params": params,
            }));
        }
        Ok(json!(written))
    }
}

/// Whether there is a C program that a harness could lead to an error.
fn leads_to_an_error(checked: &Checked) -> bool {
    checked.report.verdict == "false" && checked.loaded.build.is_some()
}

/// The page of one check, or of those of all functions.
fn report(checked: &[(String, Checked)]) -> String {
    if let [(_, one)] = checked {
        return html::page(&one.report, Some(&Tour::of(one)));
    }
    let mut tour = Tour::default();
    let mut functions = Vec::new();
    for (name, one) in checked {
        tour.add(one, &format!("{name}: "));
        functions.push(html::Function {
            name: name.clone(),
            contract: None,
            report: &one.report,
        });
    }
    let count = |verdict| {
        let of = functions.iter().filter(|f| f.report.verdict == verdict);
        of.count()
    };
    let verdict = match (count("false"), count("unknown")) {
        (0, 0) => "true",
        (0, _) => "unknown",
        _ => "false",
    };
    html::modular(verdict, &functions, &tour)
}

/// The assumptions under which a result would be another one.
fn assumptions(of: &CheckResult) -> impl Iterator<Item = &'static str> {
    let why = of.reason.as_deref().unwrap_or_default();
    let named =
        Assumption::all().filter(move |a| why.contains(&format!("'{}' is not assumed", a.name())));
    // An allocation that fails is in the steps as one whose result is NULL.
    let fails = |s: &TraceLine| s.what.ends_with("= NULL") && s.source.contains("alloc");
    let fails = of.verdict == "false" && of.steps.iter().any(fails);
    let fails = fails.then(|| Assumption::MallocSucceeds.name());
    named.map(|a| a.name()).chain(fails)
}

/// Where and what is put into a project's file so that it makes an assumption; nothing where it does.
fn insertion(text: &str, name: &str) -> Option<(usize, usize, String)> {
    let quoted = format!("\"{name}\"");
    let key = |line: &str| line.split('=').next().unwrap_or_default().trim() == "assume";
    let Some((n, line)) = text.lines().enumerate().find(|(_, line)| key(line)) else {
        return Some((0, 0, format!("assume = [{quoted}]\n")));
    };
    let made = text.contains(&quoted) || text.contains(&format!("'{name}'"));
    let open = line.find('[').filter(|_| !made)? + 1;
    let more = line[open..].trim_start();
    let comma = if more.starts_with(']') { "" } else { ", " };
    Some((n, line[..open].encode_utf16().count(), quoted + comma))
}

#[cfg(test)]
mod tests {
    use super::insertion;

    #[test]
    fn assumptions_of_a_project() {
        let cases = [
            ("", Some((0, 0, "assume = [\"a\"]\n"))),
            ("files = []\nassume = []\n", Some((1, 10, "\"a\""))),
            ("assume = [\"b\"]\n", Some((0, 10, "\"a\", "))),
            ("assume = ['a']\n", None),
        ];
        for (text, expected) in cases {
            let expected = expected.map(|(line, at, new)| (line, at, new.to_string()));
            assert_eq!(insertion(text, "a"), expected, "{text}");
        }
    }
}
