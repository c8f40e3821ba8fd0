//! What an editor offers to do about a violation: the report to walk through, and a program that leads to the error.

use super::work::{Works, lock, path_of, uri_of};
use serde_json::{Value, json};
use trellis::Error;
use trellis::html::{self, Tour};

/// Shows the report of a document.
pub const REPORT: &str = "trellis.openReport";
/// Writes a C file that leads a document's program to its error.
pub const HARNESS: &str = "trellis.writeHarness";

impl Works {
    /// What can be done about what is shown in a document.
    pub fn actions(&self, params: &Value) -> Value {
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        let documents = lock(&self.documents);
        let Some(checked) = documents.get(uri).and_then(|d| d.checked.as_ref()) else {
            return json!([]);
        };
        let action = |title: &str, command: &str| {
            let command = json!({ "title": title, "command": command, "arguments": [uri] });
            json!({ "title": title, "kind": "", "command": command })
        };
        let mut actions = vec![action("Trellis: open the report", REPORT)];
        if checked.report.verdict == "false" && checked.loaded.build.is_some() {
            actions.push(action(
                "Trellis: write a C file that leads to the error",
                HARNESS,
            ));
        }
        json!(actions)
    }

    /// Does what an action says; the file that was written, which the editor is asked to show if it can.
    pub fn execute(&mut self, params: &Value) -> Result<Value, Error> {
        let uri = params["arguments"][0].as_str().unwrap_or_default();
        let documents = lock(&self.documents);
        let checked = documents.get(uri).and_then(|d| d.checked.as_ref());
        let checked = checked.ok_or_else(|| Error::Usage("this file is not checked yet".into()))?;
        let is_report = match params["command"].as_str() {
            Some(REPORT) => true,
            Some(HARNESS) => false,
            other => {
                let text = format!("there is no command {}", other.unwrap_or_default());
                return Err(Error::Usage(text));
            }
        };
        let (text, end) = match is_report {
            true => (
                html::page(&checked.report, Some(&Tour::of(checked))),
                "html",
            ),
            false => (checked.harness()?.text, "harness.c"),
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
