//! Pipelines in an editor: what is wrong with one, and what its keys mean, from the table that reads them.

use super::work::{Works, lock, path_of};
use serde_json::{Value, json};
use std::path::Path;
use trellis::worker::Worker;
use trellis::{Error, pipelines};
use trellis_pipeline::keys::{self, Key};

/// Whether a document is a pipeline: projects and packages have other tables.
pub fn is_pipeline(path: &Path, text: &str) -> bool {
    let line = |l: &str| l.starts_with("[engines") || l.starts_with("extends");
    path.extension().is_some_and(|e| e == "toml")
        && path
            .file_name()
            .is_some_and(|n| n != trellis::project::FILE)
        && text.lines().any(|l| line(l.trim_start()))
}

/// Complains about what is wrong with a pipeline.
pub fn check(path: &Path, worker: &Worker) -> Result<(), Error> {
    let pipeline = pipelines::load(&path.to_string_lossy(), &[], None)?;
    pipelines::check(&pipeline, &[], worker)
}

/// The table that a line belongs to.
fn table_at(text: &str, line: usize) -> &str {
    let before: Vec<&str> = text.lines().take(line + 1).collect();
    let header = before.iter().rev().find_map(|l| {
        let name = l.trim().strip_prefix('[')?.split(']').next()?;
        Some(name.trim())
    });
    header.unwrap_or_default()
}

/// The keys of a table; those of an engine are the same whatever it is called.
fn keys_of(table: &str) -> &'static [Key] {
    let fits = |pattern: &str| {
        let (mut parts, mut own) = (table.split('.'), pattern.split('.'));
        loop {
            match (parts.next(), own.next()) {
                (None, None) => return true,
                (Some(part), Some(own)) if part == own || own == "NAME" => {}
                _ => return false,
            }
        }
    };
    // A table with a name comes before those for all names.
    let exact = keys::ALL.iter().find(|(pattern, _)| *pattern == table);
    let found = exact.or_else(|| keys::ALL.iter().find(|(pattern, _)| fits(pattern)));
    found.map_or(&[], |(_, keys)| keys)
}

impl Works {
    /// What may stand where somebody writes: keys of the table, or tables.
    pub fn completion(&self, params: &Value) -> Value {
        self.in_pipeline(params, |text, at| {
            let line = text.lines().nth(at).unwrap_or_default().trim_start();
            if line.starts_with('[') {
                let tables = keys::ALL.iter().map(|(table, _)| *table);
                let tables = tables.filter(|t| !t.is_empty());
                // 22 is a struct.
                return tables.map(|t| json!({ "label": t, "kind": 22 })).collect();
            }
            let known = keys_of(table_at(text, at)).iter().map(|key| {
                // 10 is a property.
                json!({ "label": key.name, "kind": 10, "detail": key.ty, "documentation": key.doc })
            });
            known.collect()
        })
    }

    /// What a key means.
    pub fn key(&self, params: &Value) -> Value {
        self.in_pipeline(params, |text, at| {
            let line = text.lines().nth(at).unwrap_or_default();
            let name = line.split('=').next().unwrap_or_default().trim();
            let key = keys_of(table_at(text, at)).iter().find(|k| k.name == name);
            key.map_or(Value::Null, |key| {
                let text = format!("`{}` ({}): {}", key.name, key.ty, key.doc);
                json!({ "contents": { "kind": "markdown", "value": text } })
            })
        })
    }

    fn in_pipeline(&self, params: &Value, answer: impl Fn(&str, usize) -> Value) -> Value {
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        let line = params["position"]["line"].as_u64().unwrap_or(0);
        let documents = lock(&self.documents);
        match (documents.get(uri), path_of(uri)) {
            (Some(document), Some(path)) if is_pipeline(&path, &document.text) => {
                answer(&document.text, usize::try_from(line).unwrap_or(usize::MAX))
            }
            _ => Value::Null,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_by_tables() {
        let text = "extends = \"bmc\"\n[engines.mine]\nplugin = \"bmc\"\n\n[limits]\nw\n";
        let names = |line| -> Vec<&str> {
            let keys = keys_of(table_at(text, line)).iter();
            keys.map(|k| k.name).collect()
        };
        assert!(names(0).contains(&"extends"));
        assert!(names(3).contains(&"plugin") && names(3).contains(&"options"));
        assert!(names(5).contains(&"wall") && !names(5).contains(&"plugin"));
        assert!(is_pipeline(Path::new("/a/p.toml"), text));
        assert!(!is_pipeline(Path::new("/a/trellis.toml"), text));
        assert!(!is_pipeline(Path::new("/a/Cargo.toml"), "[package]\n"));
    }
}
