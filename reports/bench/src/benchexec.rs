//! Results as BenchExec writes them, for its `table-generator`: one file for each tool.

use crate::store::{Record, Results};
use crate::task::{Verdict, Worth};
use crate::xml::escape;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The files by their names.
pub fn files(results: &Results) -> BTreeMap<String, String> {
    let tools = results.header.tools.iter();
    tools
        .map(|tool| {
            let plain: String = tool
                .name
                .chars()
                .map(|c| {
                    if c.is_ascii_alphanumeric() || "-_.".contains(c) {
                        c
                    } else {
                        '_'
                    }
                })
                .collect();
            (format!("{plain}.results.xml"), file(results, &tool.name))
        })
        .collect()
}

fn file(results: &Results, tool: &str) -> String {
    let header = &results.header;
    let line = header.tools.iter().find(|t| t.name == tool);
    let (version, command) = line.map_or((String::new(), String::new()), |t| {
        (t.version.clone(), t.command.join(" "))
    });
    let mut out = String::from("<?xml version=\"1.0\"?>\n");
    let attributes = [
        ("benchmarkname", header.sets.join(" ")),
        ("displayName", tool.to_string()),
        ("tool", tool.to_string()),
        ("version", version),
        ("options", command),
        ("timelimit", format!("{}s", header.cpu_limit_seconds)),
        ("walltimelimit", format!("{}s", header.wall_limit_seconds)),
        ("memlimit", format!("{}B", header.memory_limit_bytes)),
        ("generator", "trellis bench".into()),
    ];
    element(&mut out, "", "result", &attributes, false);
    let mut machines = BTreeMap::new();
    let runs = || results.records.iter().filter(|r| r.tool == tool);
    for place in runs().filter_map(|r| r.place.as_ref()) {
        machines.insert(place.host.clone(), &place.machine);
    }
    if machines.is_empty() {
        machines.insert("localhost".into(), &header.machine);
    }
    for (host, machine) in machines {
        element(&mut out, "  ", "systeminfo", &[("hostname", host)], false);
        element(
            &mut out,
            "    ",
            "os",
            &[("name", machine.system.clone())],
            true,
        );
        let cpu = [
            ("model", machine.cpu.clone()),
            ("cores", machine.cores.to_string()),
        ];
        element(&mut out, "    ", "cpu", &cpu, true);
        let size = format!("{}B", machine.memory_bytes);
        element(&mut out, "    ", "ram", &[("size", size)], true);
        out += "  </systeminfo>\n";
    }
    for record in runs() {
        run(&mut out, record);
    }
    out + "</result>\n"
}

fn run(out: &mut String, record: &Record) {
    let mut attributes = vec![("name", record.task.clone())];
    if !record.property.is_empty() {
        attributes.push(("properties", record.property.clone()));
    }
    attributes.extend(
        record
            .expected
            .as_ref()
            .map(|e| ("expectedVerdict", e.to_string())),
    );
    element(out, "  ", "run", &attributes, false);
    let mut column = |title: &'static str, value: String| {
        element(
            out,
            "    ",
            "column",
            &[("title", title.into()), ("value", value)],
            true,
        );
    };
    column("status", status(record));
    column("category", category(record).into());
    column("score", record.worth().points().to_string());
    column("cputime", format!("{:.6}s", record.cpu_seconds));
    column("walltime", format!("{:.6}s", record.wall_seconds));
    column("memory", format!("{}B", record.memory_bytes));
    if let Some(queries) = record.queries {
        column("queries", queries.to_string());
    }
    if !record.decided_by.is_empty() {
        column("decided by", record.decided_by.clone());
    }
    if let Some(place) = &record.place {
        column("host", place.host.clone());
    }
    *out += "  </run>\n";
}

/// The answer, or the end of the run in the words of BenchExec.
fn status(record: &Record) -> String {
    let property = record.property.as_str();
    match (&record.verdict, record.status.as_str()) {
        // Without its part, a violation is one of the property that was asked.
        (Verdict::False(part), _) if part.is_empty() && !property.is_empty() => {
            format!("false({property})")
        }
        (Verdict::Unknown, "cpu limit" | "wall limit") => "TIMEOUT".into(),
        (Verdict::Unknown, "memory limit") => "OUT OF MEMORY".into(),
        (Verdict::Unknown, "done") => "unknown".into(),
        (Verdict::Unknown, other) => format!("ERROR ({other})"),
        (verdict, _) => verdict.to_string(),
    }
}

fn category(record: &Record) -> &'static str {
    match record.worth() {
        Worth::RightTrue | Worth::RightFalse => "correct",
        Worth::WrongTrue | Worth::WrongFalse => "wrong",
        Worth::Unverified => "missing",
        Worth::None if record.status == "done" => "unknown",
        Worth::None => "error",
    }
}

fn element(out: &mut String, indent: &str, tag: &str, attributes: &[(&str, String)], empty: bool) {
    let _ = write!(out, "{indent}<{tag}");
    for (name, value) in attributes {
        let _ = write!(out, " {name}=\"{}\"", escape(value));
    }
    *out += if empty { "/>\n" } else { ">\n" };
}
