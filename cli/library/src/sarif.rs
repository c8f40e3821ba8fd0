//! The result of a check as SARIF 2.1.0, for code hosts and editors: one result for each property at each place, with the
//! steps to an error as a code flow. A proof is a result of kind `pass`, no answer one of kind `open`.

use crate::baseline::{FINGERPRINT, Known};
use crate::error::Error;
use crate::kinds::{Kind, kind};
use crate::report::{Assumed, Place, Report, TraceLine};
use crate::results::CheckResult;
use serde_json::{Value, json};

/// Where the schema of the format is.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Several logs in one.
pub fn joined(logs: &[String]) -> Result<String, Error> {
    let internal = |e: serde_json::Error| Error::Internal(e.to_string());
    let mut whole = json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [] });
    for log in logs {
        let mut log: Value = serde_json::from_str(log).map_err(internal)?;
        if let (Some(runs), Some(more)) = (whole["runs"].as_array_mut(), log["runs"].as_array_mut())
        {
            runs.append(more);
        }
    }
    Ok(format!("{whole:#}\n"))
}

/// The text of the log.
pub fn log(report: &Report) -> String {
    let mut results: Vec<Value> = report.results.iter().map(|r| result(report, r)).collect();
    if report.results.is_empty() || !report.ending_loops.is_empty() || report.endless_loop.is_some()
    {
        results.extend(whole(report));
    }
    results.extend(report.known.iter().map(known));
    let mut rules: Vec<&str> = results
        .iter()
        .filter_map(|r| r["ruleId"].as_str())
        .collect();
    rules.sort_unstable();
    rules.dedup();
    let rules = rules.iter().map(|name| rule(name));
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
            "results": results,
        }],
    });
    // A tree of values made here cannot fail to be written.
    serde_json::to_string_pretty(&log).expect("a log is JSON") + "\n"
}

/// What a rule is about, with what to do and the page of the book.
fn rule(name: &str) -> Value {
    let Some(kind) = kind(name) else {
        return json!({ "id": name, "shortDescription": { "text": format!("the property {name}") } });
    };
    let (wrong, right) = kind.example;
    let Kind {
        title,
        means,
        help,
        page,
        ..
    } = kind;
    json!({
        "id": name,
        "name": name.split('-').map(capital).collect::<String>(),
        "shortDescription": { "text": title },
        "fullDescription": { "text": means },
        "help": {
            "text": format!("{help}\nInstead of: {wrong}\nwrite: {right}\nSee {page}, or run: trellis explain {name}"),
            "markdown": format!(
                "{help}\n\nInstead of\n\n```c\n{wrong}\n```\n\nwrite\n\n```c\n{right}\n```\n\nSee [the book]({page}), or run \
                 `trellis explain {name}`."
            ),
        },
        "defaultConfiguration": { "level": "error" },
    })
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

/// A property at a place.
fn result(report: &Report, of: &CheckResult) -> Value {
    let property = &of.property;
    let (kind, level, text) = match of.verdict {
        "true" => ("pass", "none", format!("{property} holds")),
        "false" => ("fail", "error", of.violation()),
        _ => {
            let why = of.reason.as_deref().unwrap_or("no reason is known");
            ("open", "none", format!("{property} is not decided: {why}"))
        }
    };
    let mut result = message(property, (kind, level), &text);
    let at = of.place.as_ref().map(place);
    if let Some(at) = at.or_else(|| of.steps.last().and_then(location)) {
        result["locations"] = json!([at]);
    }
    print(&mut result, report, of.fingerprint.as_deref());
    flow(&mut result, &of.steps);
    result
}

/// Adds what the place of an error is known by.
fn print(result: &mut Value, report: &Report, fingerprint: Option<&str>) {
    let Some(fingerprint) = fingerprint else {
        return;
    };
    result["partialFingerprints"] = json!({ FINGERPRINT: fingerprint });
    // A check with a baseline finds only what is not in it.
    if report.has_baseline {
        result["baselineState"] = json!("new");
    }
}

/// The check as such: where nothing is known of places, and what only holds of the whole.
fn whole(report: &Report) -> Vec<Value> {
    let asked: Vec<&str> = match &report.property {
        Some(property) => vec![property],
        None if report.properties.is_empty() => vec!["reachability"],
        None => report.properties.iter().map(String::as_str).collect(),
    };
    // What is known of places has been told.
    let told = |rule: &str| report.results.iter().any(|r| r.property == rule);
    let asked = asked.into_iter().filter(|rule| !told(rule));
    let one = |rule: &str| {
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
        let mut result = message(rule, (kind, level), &text);
        if let Some(end) = report.steps.last().and_then(location) {
            result["locations"] = json!([end]);
        }
        print(&mut result, report, report.fingerprint.as_deref());
        flow(&mut result, &report.steps);
        result
    };
    asked.map(one).collect()
}

fn message(rule: &str, (kind, level): (&str, &str), text: &str) -> Value {
    json!({ "ruleId": rule, "kind": kind, "level": level, "message": { "text": text } })
}

/// Adds the steps to an error.
fn flow(result: &mut Value, steps: &[TraceLine]) {
    let steps: Vec<Value> = steps.iter().filter_map(step).collect();
    if !steps.is_empty() {
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
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
    json!({
        "descriptor": { "id": assumed.name },
        "level": "note",
        "message": { "text": format!("assumed of {}: {}", assumed.detail, assumed.explanation) },
        "locations": assumed.places.iter().map(place).collect::<Vec<_>>(),
    })
}

fn place(p: &Place) -> Value {
    let region = json!({ "startLine": p.line.max(1), "startColumn": p.column.max(1) });
    json!({ "physicalLocation": { "artifactLocation": artifact(&p.file), "region": region } })
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
