//! Witnesses as SV-COMP defines them, format 2.0: reading with every rule checked, and writing.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An entry of a witness file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "entry_type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Entry {
    /// Why a program is safe.
    InvariantSet {
        /// Where it comes from.
        metadata: Metadata,
        /// The invariants.
        content: Vec<InvariantItem>,
    },
    /// How an error is reached.
    ViolationSequence {
        /// Where it comes from.
        metadata: Metadata,
        /// The segments in order.
        content: Vec<SegmentItem>,
    },
}

/// Where an entry comes from and what it is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metadata {
    /// `2.0`.
    pub format_version: String,
    /// Unique.
    pub uuid: String,
    /// ISO 8601.
    pub creation_time: String,
    /// The tool.
    pub producer: Producer,
    /// The program and the property.
    pub task: Task,
}

/// A tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Producer {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// How it was configured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub configuration: Option<String>,
    /// How it was called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command_line: Option<String>,
    /// More words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// A program and a property.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// The files.
    pub input_files: Vec<String>,
    /// Their SHA-256.
    pub input_file_hashes: BTreeMap<String, String>,
    /// The property.
    pub specification: String,
    /// ILP32 or LP64.
    pub data_model: String,
    /// C.
    pub language: String,
}

/// A wrapper that the format wants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InvariantItem {
    /// The invariant.
    pub invariant: Invariant,
}

/// An invariant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Invariant {
    /// Of a loop or of any place.
    #[serde(rename = "type")]
    pub kind: InvariantKind,
    /// Where it holds.
    pub location: Location,
    /// What holds.
    pub value: String,
    /// How it is written.
    pub format: ExpressionFormat,
}

/// Where an invariant holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InvariantKind {
    /// Whenever the condition of a loop is about to be evaluated.
    LoopInvariant,
    /// Whenever a statement is about to be executed.
    LocationInvariant,
}

/// The languages of expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExpressionFormat {
    /// C without side effects.
    CExpression,
    /// With `\result`.
    ExtCExpression,
}

/// A place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Location {
    /// The file.
    pub file_name: String,
    /// From 1.
    pub line: u32,
    /// From 1; the first place of the line that fits where it is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// The function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
}

/// A wrapper that the format wants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SegmentItem {
    /// Waypoints: any number to avoid, then one to follow.
    pub segment: Vec<WaypointItem>,
}

/// A wrapper that the format wants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaypointItem {
    /// The waypoint.
    pub waypoint: Waypoint,
}

/// Something that an execution passes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waypoint {
    /// What.
    #[serde(rename = "type")]
    pub kind: WaypointKind,
    /// Whether it must or must not.
    pub action: Action,
    /// Where.
    pub location: Location,
    /// Under which condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constraint: Option<Constraint>,
}

/// Kinds of waypoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WaypointKind {
    /// A condition holds before a statement.
    Assumption,
    /// A branch is taken.
    Branching,
    /// A function is entered.
    FunctionEnter,
    /// A function has returned.
    FunctionReturn,
    /// The error.
    Target,
}

/// Whether an execution passes a waypoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// It does.
    Follow,
    /// It does not, before it passes the one to follow.
    Avoid,
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    /// What.
    pub value: String,
    /// How it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<ExpressionFormat>,
}

/// Reads a witness and checks every rule of the format.
pub fn read(text: &str) -> Result<Vec<Entry>, String> {
    let entries: Vec<Entry> = serde_saphyr::from_str(text).map_err(|e| e.to_string())?;
    if entries.is_empty() {
        return Err("the witness has no entry".into());
    }
    for (n, entry) in entries.iter().enumerate() {
        check(entry).map_err(|e| format!("entry {}: {e}", n + 1))?;
    }
    Ok(entries)
}

fn check(entry: &Entry) -> Result<(), String> {
    match entry {
        Entry::InvariantSet { metadata, content } => {
            check_metadata(metadata)?;
            for (n, item) in content.iter().enumerate() {
                let at = |e: &str| Err(format!("invariant {}: {e}", n + 1));
                check_location(&item.invariant.location)?;
                if item.invariant.format != ExpressionFormat::CExpression {
                    return at("the format of an invariant is c_expression");
                }
                if item.invariant.value.trim().is_empty() {
                    return at("the value is empty");
                }
            }
            Ok(())
        }
        Entry::ViolationSequence { metadata, content } => {
            check_metadata(metadata)?;
            if content.is_empty() {
                return Err("a violation sequence has at least one segment".into());
            }
            for (n, item) in content.iter().enumerate() {
                let last = n + 1 == content.len();
                check_segment(item, last).map_err(|e| format!("segment {}: {e}", n + 1))?;
            }
            Ok(())
        }
    }
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_hexdigit())
}

fn check_metadata(metadata: &Metadata) -> Result<(), String> {
    let Metadata {
        format_version,
        uuid,
        creation_time,
        task,
        ..
    } = metadata;
    if format_version != "2.0" {
        return Err(format!("format_version '{format_version}', expected '2.0'"));
    }
    let parts: Vec<&str> = uuid.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|p| p.len()).collect();
    if lengths != [8, 4, 4, 4, 12] || !parts.iter().all(|p| is_hex(p)) {
        return Err(format!("'{uuid}' is no UUID"));
    }
    let shape: String = creation_time
        .chars()
        .take(19)
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    if shape != "0000-00-00T00:00:00" {
        return Err(format!(
            "creation_time '{creation_time}' is not of ISO 8601"
        ));
    }
    if task.language != "C" {
        return Err(format!("language '{}', expected 'C'", task.language));
    }
    if !matches!(task.data_model.as_str(), "ILP32" | "LP64") {
        return Err(format!(
            "data_model '{}', expected ILP32 or LP64",
            task.data_model
        ));
    }
    if task.input_files.is_empty() {
        return Err("no input_files".into());
    }
    for file in &task.input_files {
        match task.input_file_hashes.get(file) {
            None => return Err(format!("no input_file_hashes for '{file}'")),
            Some(hash) if hash.len() != 64 || !is_hex(hash) => {
                return Err(format!("'{hash}' is no SHA-256"));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

fn check_location(location: &Location) -> Result<(), String> {
    if location.line == 0 || location.column == Some(0) {
        return Err("lines and columns count from 1".into());
    }
    Ok(())
}

fn check_segment(item: &SegmentItem, last: bool) -> Result<(), String> {
    let follows = item
        .segment
        .iter()
        .filter(|w| w.waypoint.action == Action::Follow);
    if follows.count() != 1 {
        return Err("exactly one waypoint is to be followed".into());
    }
    for (n, WaypointItem { waypoint }) in item.segment.iter().enumerate() {
        let at = |e: &str| Err(format!("waypoint {}: {e}", n + 1));
        check_location(&waypoint.location)?;
        let follow = waypoint.action == Action::Follow;
        if follow && n + 1 != item.segment.len() {
            return at("what is to be followed stands last");
        }
        let target = waypoint.kind == WaypointKind::Target;
        if target && !(follow && last) {
            return at("the target is followed at the very end");
        }
        if follow && last && !target {
            return at("the last waypoint is the target");
        }
        let value = waypoint.constraint.as_ref().map(|c| c.value.trim());
        match (waypoint.kind, value) {
            (WaypointKind::Target | WaypointKind::FunctionEnter, Some(_)) => {
                return at("it has no constraint");
            }
            (WaypointKind::Assumption | WaypointKind::Branching, None | Some("")) => {
                return at("it needs a constraint");
            }
            (WaypointKind::Branching, Some(value))
                if !matches!(value, "true" | "false") && value.parse::<i64>().is_err() =>
            {
                return at("a branch is true, false or a number");
            }
            _ => {}
        }
    }
    Ok(())
}

/// Writes a witness. JSON is YAML, and its quoting leaves no doubt; the layout is YAML's usual
/// one so that people can read it.
pub fn write(entries: &[Entry]) -> Result<String, serde_json::Error> {
    let value = serde_json::to_value(entries)?;
    let mut out = String::new();
    put(&value, 0, &mut out);
    Ok(out)
}

fn put(value: &serde_json::Value, depth: usize, out: &mut String) {
    use serde_json::Value;
    let indent = "  ".repeat(depth);
    match value {
        Value::Array(items) if !items.is_empty() => {
            for item in items {
                let mut inner = String::new();
                put(item, depth + 1, &mut inner);
                *out += &indent;
                *out += "- ";
                *out += inner.trim_start();
            }
        }
        Value::Object(items) if !items.is_empty() => {
            for (key, item) in items {
                *out += &indent;
                *out += &format!("{}:", plain(key));
                match item {
                    Value::Array(list) if !list.is_empty() => {
                        out.push('\n');
                        put(item, depth + 1, out);
                    }
                    Value::Object(map) if !map.is_empty() => {
                        out.push('\n');
                        put(item, depth + 1, out);
                    }
                    other => *out += &format!(" {other}\n"),
                }
            }
        }
        other => *out += &format!("{indent}{other}\n"),
    }
}

/// Keys that are words stand for themselves.
fn plain(key: &str) -> String {
    let word = key.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    match word {
        true => key.to_string(),
        false => serde_json::Value::from(key).to_string(),
    }
}
