//! The result of a check as SARIF 2.1.0, for code hosts and editors: one result per check, with the steps to an
//! error as a code flow. A proof is a result of kind `pass`, no answer one of kind `open`.

use crate::baseline::{FINGERPRINT, Known};
use crate::report::{Assumed, Place, Report, TraceLine};
use serde_json::{Value, json};

/// Where the schema of the format is.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The text of the log.
pub fn log(report: &Report) -> String {
    let rules: Vec<&str> = match &report.property {
        Some(property) => vec![property],
        None if report.properties.is_empty() => vec!["reachability"],
        None => report.properties.iter().map(String::as_str).collect(),
    };
    let results = rules.iter().map(|rule| result(report, rule));
    let results = results.chain(report.known.iter().map(known));
    let mut all: Vec<&str> = rules.clone();
    all.extend(report.known.iter().map(|k| k.property.as_str()));
    all.sort_unstable();
    all.dedup();
    let rules = all.iter().map(|rule| {
        json!({ "id": rule, "shortDescription": { "text": format!("the property {rule}") } })
    });
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Trellis",
                "semanticVersion": report.version,
                "rules": rules.collect::<Vec<_>>(),
            }},
            "columnKind": "utf16CodeUnits",
            "artifacts": report.files.iter().map(|f| json!({ "location": artifact(f) })).collect::<Vec<_>>(),
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": report.assumptions.iter().map(assumption).collect::<Vec<_>>(),
            }],
            "results": results.collect::<Vec<_>>(),
        }],
    });
    // A tree of values made here cannot fail to be written.
    serde_json::to_string_pretty(&log).expect("a log is JSON") + "\n"
}

fn result(report: &Report, rule: &str) -> Value {
    let (kind, level, text) = match report.verdict {
        "true" => {
            let idle = report.reason.as_ref();
            let idle = idle.map_or(String::new(), |why| format!(" ({why})"));
            ("pass", "none", format!("{rule} holds{idle}"))
        }
        "false" => {
            let endless = report.endless_loop.as_ref();
            let endless = endless.map_or(String::new(), |e| format!(": {e}"));
            ("fail", "error", format!("{rule} is violated{endless}"))
        }
        _ => {
            let why = report.reason.as_deref().unwrap_or("no reason is known");
            ("open", "none", format!("{rule} is not decided: {why}"))
        }
    };
    let mut result = json!({
        "ruleId": rule,
        "kind": kind,
        "level": level,
        "message": { "text": text },
    });
    if let Some(end) = report.steps.last().and_then(location) {
        result["locations"] = json!([end]);
    }
    if let Some(fingerprint) = &report.fingerprint {
        result["partialFingerprints"] = json!({ FINGERPRINT: fingerprint });
        // It is no other error than this one that a check with a baseline finds.
        if report.has_baseline {
            result["baselineState"] = json!("new");
        }
    }
    let steps: Vec<Value> = report.steps.iter().filter_map(step).collect();
    if !steps.is_empty() {
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    result
}

/// An error that was left alone.
fn known(known: &Known) -> Value {
    let region = json!({ "startLine": known.line.max(1), "startColumn": known.column.max(1) });
    let place = json!({ "artifactLocation": artifact(&known.file), "region": region });
    json!({
        "ruleId": known.property,
        "kind": "review",
        "level": "none",
        "baselineState": "unchanged",
        "message": { "text": format!("{} is known to be violated here; not looked at again", known.property) },
        "partialFingerprints": { FINGERPRINT: known.fingerprint },
        "locations": [{ "physicalLocation": place }],
    })
}

/// What the verdict takes for granted is told beside it.
fn assumption(assumed: &Assumed) -> Value {
    let place = |p: &Place| {
        let region = json!({ "startLine": p.line.max(1), "startColumn": p.column.max(1) });
        json!({ "physicalLocation": { "artifactLocation": artifact(&p.file), "region": region } })
    };
    json!({
        "descriptor": { "id": assumed.name },
        "level": "note",
        "message": { "text": format!("assumed of {}: {}", assumed.detail, assumed.explanation) },
        "locations": assumed.places.iter().map(place).collect::<Vec<_>>(),
    })
}

fn step(line: &TraceLine) -> Option<Value> {
    let mut location = location(line)?;
    let text = match line.what.is_empty() {
        true => &line.source,
        false => &line.what,
    };
    location["message"] = json!({ "text": text });
    let mut step = json!({ "location": location, "nestingLevel": line.depth });
    if let Some(number) = line.number {
        step["executionOrder"] = json!(number);
    }
    Some(step)
}

fn location(line: &TraceLine) -> Option<Value> {
    let region = json!({ "startLine": line.line.max(1), "startColumn": line.column.max(1) });
    let file = artifact(line.file.as_ref()?);
    Some(json!({ "physicalLocation": { "artifactLocation": file, "region": region } }))
}

/// A file by its URI: relative ones stay so.
fn artifact(file: &str) -> Value {
    let mut uri = String::from(if file.starts_with('/') { "file://" } else { "" });
    for byte in file.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    json!({ "uri": uri })
}
