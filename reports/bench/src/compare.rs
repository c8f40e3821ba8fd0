//! Two files of results side by side: what was gained, what was lost, what became slower.

use crate::score::{Row, Table};
use crate::store::{Header, Record, Results, ToolLine};
use crate::text::{name, summary};
use std::fmt::Write;

/// One table of both, every tool marked by where it comes from. A report of it shows old and new
/// as two tools.
pub fn merge(old: &Results, new: &Results, labels: (&str, &str)) -> Results {
    let mark = |label: &str, name: &str| format!("{label}: {name}");
    let tools = |results: &Results, label: &str| {
        let tools = results.header.tools.clone();
        tools
            .into_iter()
            .map(|t| ToolLine {
                name: mark(label, &t.name),
                ..t
            })
            .collect::<Vec<_>>()
    };
    let records = |results: &Results, label: &str| {
        let records = results.records.clone();
        records
            .into_iter()
            .map(|r| Record {
                tool: mark(label, &r.tool),
                ..r
            })
            .collect::<Vec<_>>()
    };
    let mut sets = old.header.sets.clone();
    sets.extend(new.header.sets.iter().cloned());
    sets.dedup();
    Results {
        header: Header {
            sets,
            tools: [tools(old, labels.0), tools(new, labels.1)].concat(),
            cpu_limit_seconds: old
                .header
                .cpu_limit_seconds
                .max(new.header.cpu_limit_seconds),
            ..new.header.clone()
        },
        records: [records(old, labels.0), records(new, labels.1)].concat(),
    }
}

/// The tools to compare: those of the same name, or the only ones.
fn pairs(old: &Results, new: &Results) -> Vec<(usize, usize)> {
    let names = |r: &Results| {
        r.header
            .tools
            .iter()
            .map(|t| t.name.clone())
            .collect::<Vec<_>>()
    };
    let (a, b) = (names(old), names(new));
    if a.len() == 1 && b.len() == 1 {
        return vec![(0, 1)];
    }
    let place = |(i, n): (usize, &String)| Some((i, a.len() + b.iter().position(|m| m == n)?));
    a.iter().enumerate().filter_map(place).collect()
}

/// The comparison as Markdown.
pub fn markdown(old: &Results, new: &Results, labels: (&str, &str)) -> String {
    let merged = merge(old, new, labels);
    let table = Table::of(&merged);
    let mut out = String::from("# Comparison\n\n");
    if old.header.machine != new.header.machine {
        out += "The two were made on different machines: times do not compare.\n\n";
    }
    if old.header.cpu_limit_seconds != new.header.cpu_limit_seconds {
        let _ = writeln!(
            out,
            "CPU limits differ: {} s and {} s.\n",
            old.header.cpu_limit_seconds, new.header.cpu_limit_seconds
        );
    }
    out += &summary(&table, None);
    for (a, b) in pairs(old, new) {
        let _ = writeln!(out, "\n## {} → {}\n", table.tools[a], table.tools[b]);
        out += &changes(&table, a, b);
    }
    out
}

fn changes(table: &Table, a: usize, b: usize) -> String {
    let mut out = String::new();
    let both: Vec<(&Row, &Record, &Record)> = table
        .rows
        .iter()
        .filter_map(|r| Some((r, r.cells[a].as_ref()?, r.cells[b].as_ref()?)))
        .collect();
    let _ = writeln!(out, "Tasks in both: {}.", both.len());
    type Change = fn(&Record, &Record) -> bool;
    let kinds: [(&str, Change); 4] = [
        ("Now wrong", |a, b| b.worth().wrong() && !a.worth().wrong()),
        ("No longer wrong", |a, b| {
            a.worth().wrong() && !b.worth().wrong()
        }),
        ("Lost", |a, b| {
            a.worth().solved() && b.worth() == crate::task::Worth::None
        }),
        ("Gained", |a, b| {
            a.worth() == crate::task::Worth::None && b.worth().solved()
        }),
    ];
    for (what, holds) in kinds {
        let found: Vec<_> = both.iter().filter(|(_, a, b)| holds(a, b)).collect();
        if found.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n{what} ({}):\n", found.len());
        for (row, a, b) in found {
            let state = |r: &Record| match r.verdict.decides() {
                true => r.verdict.to_string(),
                false => format!("unknown ({})", r.status),
            };
            let _ = writeln!(
                out,
                "- `{}`: {} in {:.2} s → {} in {:.2} s",
                name(row).replace('`', "'"),
                state(a),
                a.cpu_seconds,
                state(b),
                b.cpu_seconds
            );
        }
    }
    let times: Vec<f64> = both
        .iter()
        .filter(|(_, a, b)| a.worth().solved() && b.worth().solved())
        .map(|(_, a, b)| b.cpu_seconds.max(0.01) / a.cpu_seconds.max(0.01))
        .collect();
    if !times.is_empty() {
        let mean = (times.iter().map(|t| t.ln()).sum::<f64>() / times.len() as f64).exp();
        let _ = writeln!(
            out,
            "\nCPU time on the {} tasks that both solve: {mean:.2} times the old (geometric mean).",
            times.len()
        );
    }
    out
}
