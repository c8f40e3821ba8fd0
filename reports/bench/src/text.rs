//! Results as CSV and as Markdown.

use crate::error::BenchError;
use crate::score::{Line, Row, Table, costs, lines};
use crate::store::Results;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// One line per run, with the version of the tool and the machine.
pub fn csv(results: &Results) -> Result<String, BenchError> {
    let bad = |e: &dyn std::fmt::Display| BenchError::malformed("CSV", e);
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = [
        "task",
        "property",
        "category",
        "expected",
        "tool",
        "version",
        "verdict",
        "worth",
        "score",
        "status",
        "reason",
        "decided_by",
        "cpu_s",
        "wall_s",
        "memory_bytes",
        "queries",
        "solver_s",
        "machine",
        "figures",
        "host",
    ];
    writer.write_record(header).map_err(|e| bad(&e))?;
    let machine = results.header.machine.line();
    let table = Table::of(results);
    for cell in table.rows.iter().flat_map(|r| r.cells.iter().flatten()) {
        let tools = &results.header.tools;
        let version = tools.iter().find(|t| t.name == cell.tool);
        let worth = cell.worth();
        let place = cell.place.as_ref();
        let some = |text: Option<String>| text.unwrap_or_default();
        let figures = cell.figures.iter().map(|(name, n)| format!("{name}={n}"));
        let figures: Vec<String> = figures.collect();
        let fields = [
            cell.task.clone(),
            cell.property.clone(),
            cell.category.clone(),
            some(cell.expected.as_ref().map(ToString::to_string)),
            cell.tool.clone(),
            version.map(|t| t.version.clone()).unwrap_or_default(),
            cell.verdict.to_string(),
            worth.word().into(),
            worth.points().to_string(),
            cell.status.clone(),
            cell.reason.clone(),
            cell.decided_by.clone(),
            format!("{:.3}", cell.cpu_seconds),
            format!("{:.3}", cell.wall_seconds),
            cell.memory_bytes.to_string(),
            some(cell.queries.map(|q| q.to_string())),
            some(cell.solver_seconds.map(|s| format!("{s:.3}"))),
            place.map_or_else(|| machine.clone(), |p| p.machine.line()),
            figures.join(" "),
            place.map(|p| p.host.clone()).unwrap_or_default(),
        ];
        writer.write_record(&fields).map_err(|e| bad(&e))?;
    }
    let bytes = writer.into_inner().map_err(|e| bad(&e))?;
    String::from_utf8(bytes).map_err(|e| bad(&e))
}

/// Summary, costs, categories, wrong answers and disagreements.
pub fn markdown(results: &Results) -> String {
    let table = Table::of(results);
    let mut out = String::from("# Benchmark results\n\n");
    for line in conditions(results) {
        let _ = writeln!(out, "- {}", escape(&line));
    }
    out += "\n## Summary\n\n";
    out += &summary(&table, None);
    let common = table.solved_by_all();
    if table.tools.len() > 1 && !common.rows.is_empty() {
        let _ = writeln!(
            out,
            "\n## Costs of the {} tasks that all solve\n",
            common.rows.len()
        );
        out += &rows(&table.tools, costs(&common.summaries(None)));
    }
    let categories = table.categories();
    if categories.len() > 1 {
        out += "\n## Categories: solved (score)\n\n";
        out += &by_category(&table, &categories);
    }
    out += "\n## Wrong answers\n\n";
    let mut wrong = table.wrong().peekable();
    if wrong.peek().is_none() {
        out += "None.\n";
    }
    for (row, cell) in wrong {
        let expected = row.expected.as_ref().map(ToString::to_string);
        let _ = writeln!(
            out,
            "- {}: {} says {}, known is {}",
            escape(&name(row)),
            escape(&cell.tool),
            escape(&cell.verdict.to_string()),
            escape(&expected.unwrap_or_default())
        );
    }
    out += "\n## Disagreements\n\n";
    let mut disagreements = table.disagreements().peekable();
    if disagreements.peek().is_none() {
        out += "None.\n";
    }
    for row in disagreements {
        let _ = writeln!(out, "- {}: {}", escape(&name(row)), escape(&answers(row)));
    }
    out
}

/// The summary alone.
pub fn summary(table: &Table, category: Option<&str>) -> String {
    rows(&table.tools, lines(&table.summaries(category)))
}

fn rows(tools: &[String], lines: Vec<Line>) -> String {
    let mut out = head("", tools);
    for (what, values) in lines {
        let _ = writeln!(out, "| {} | {} |", escape(&what), values.join(" | "));
    }
    out
}

fn by_category(table: &Table, categories: &[String]) -> String {
    let mut out = head("category", &table.tools);
    for category in categories {
        let cells: Vec<String> = (0..table.tools.len())
            .map(|at| {
                let s = table.summary(at, Some(category));
                let wrong = match s.wrong() {
                    0 => String::new(),
                    n => format!(", {n} wrong"),
                };
                format!("{} of {} ({}){wrong}", s.solved(), s.tasks, s.score)
            })
            .collect();
        let _ = writeln!(out, "| {} | {} |", escape(category), cells.join(" | "));
    }
    out
}

fn head(first: &str, tools: &[String]) -> String {
    let names: Vec<String> = tools.iter().map(|t| escape(t)).collect();
    let rule = "---:|".repeat(tools.len());
    format!("| {first} | {} |\n|---|{rule}\n", names.join(" | "))
}

/// How the results came about, a line each.
pub fn conditions(results: &Results) -> Vec<String> {
    let header = &results.header;
    let at_a_time = match (&header.on, header.jobs) {
        (Some(on), _) => format!("made through {on}"),
        (None, jobs) => format!("{jobs} at a time"),
    };
    let gib = header.memory_limit_bytes as f64 / f64::from(1 << 30);
    let mut all = vec![
        format!("set: {}", header.sets.join(", ")),
        format!(
            "limits per task: {} s CPU, {} s wall, {gib:.1} GiB; {at_a_time}",
            header.cpu_limit_seconds, header.wall_limit_seconds
        ),
    ];
    let mut machines: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for place in results.records.iter().filter_map(|r| r.place.as_ref()) {
        let hosts = machines.entry(place.machine.line()).or_default();
        hosts.insert(&place.host);
    }
    if machines.is_empty() {
        all.push(format!("machine: {}", header.machine.line()));
    }
    for (machine, hosts) in machines {
        let hosts: Vec<&str> = hosts.into_iter().collect();
        all.push(format!("machine: {machine} ({})", hosts.join(", ")));
    }
    for tool in &header.tools {
        let command = tool.command.join(" ");
        all.push(format!("{}: {}; {command}", tool.name, tool.version));
    }
    all
}

/// A task with its property.
pub fn name(row: &Row) -> String {
    match row.property.as_str() {
        "" => row.task.clone(),
        property => format!("{} [{property}]", row.task),
    }
}

/// Who says what.
pub fn answers(row: &Row) -> String {
    let cells = row.cells.iter().flatten();
    let said: Vec<String> = cells
        .filter(|c| c.verdict.decides())
        .map(|c| format!("{} says {}", c.tool, c.verdict))
        .collect();
    said.join(", ")
}

/// Text that Markdown must not understand.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' => {
                out.push('\\');
                out.push(c);
            }
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '\n' | '\r' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
