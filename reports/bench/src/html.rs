//! A report in one file of HTML: nothing is loaded from anywhere, and text is only ever text.

use crate::plot::{quantile, scatter};
use crate::score::{Line, Row, Table, costs, lines};
use crate::store::{Record, Results};
use crate::text::{answers, conditions, name};
use std::fmt::Write;

/// Most scatter plots in a report.
const SCATTERS: usize = 10;

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// Text that HTML must not understand.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            // Control characters have no place in HTML, not even escaped.
            c if c.is_control() && !matches!(c, '\n' | '\t') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// The whole report.
pub fn report(results: &Results) -> String {
    let table = Table::of(results);
    let mut out =
        String::from("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
    // Even if something slipped through, the browser may load nothing.
    out += "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n";
    out += "<meta name=\"viewport\" content=\"width=device-width\">\n<title>Benchmark results</title>\n";
    let _ = writeln!(out, "<style>\n{STYLE}</style></head><body>");
    out += "<h1>Benchmark results</h1>\n<ul>\n";
    for line in conditions(results) {
        let _ = writeln!(out, "<li>{}</li>", escape(&line));
    }
    out += "</ul>\n<h2>Summary</h2>\n";
    out += &summary("summary", &table.tools, lines(&table.summaries(None)));
    let common = table.solved_by_all();
    if table.tools.len() > 1 && !common.rows.is_empty() {
        let tasks = common.rows.len();
        let _ = writeln!(out, "<h2>Costs of the {tasks} tasks that all solve</h2>");
        out += &summary("costs", &table.tools, costs(&common.summaries(None)));
    }
    out += "<h2>Wrong answers</h2>\n";
    let wrong = table.wrong().map(|(row, cell)| {
        let known = row
            .expected
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default();
        format!(
            "{}: {} says {}, known is {known}",
            name(row),
            cell.tool,
            cell.verdict
        )
    });
    out += &list("wrong", wrong);
    out += "<h2>Disagreements</h2>\n";
    let all = table.disagreements();
    out += &list(
        "disagreements",
        all.map(|row| format!("{}: {}", name(row), answers(row))),
    );
    out += "<h2>Plots</h2>\n<div class=\"plots\">\n<figure id=\"quantile\">";
    out += &quantile(&table);
    out += "</figure>\n";
    for (a, b) in pairs(table.tools.len()) {
        let _ = writeln!(
            out,
            "<figure class=\"scatter\">{}</figure>",
            scatter(&table, a, b)
        );
    }
    out += "</div>\n<h2>Tasks</h2>\n<p><input id=\"filter\" type=\"search\" placeholder=\"filter tasks\" aria-label=\"filter tasks\"> <span id=\"shown\"></span></p>\n";
    out += &tasks(&table);
    let _ = writeln!(out, "<script>\n{SCRIPT}</script></body></html>");
    out
}

/// All pairs while they are few, then the first tool against each other one.
fn pairs(tools: usize) -> Vec<(usize, usize)> {
    let all = (0..tools).flat_map(|a| (a + 1..tools).map(move |b| (a, b)));
    let all: Vec<_> = all.collect();
    if all.len() <= SCATTERS {
        return all;
    }
    (1..tools).map(|b| (0, b)).collect()
}

fn list(id: &str, lines: impl Iterator<Item = String>) -> String {
    let items: String = lines
        .map(|l| format!("<li>{}</li>\n", escape(&l)))
        .collect();
    if items.is_empty() {
        return format!("<p id=\"{id}\">None.</p>\n");
    }
    format!("<ul id=\"{id}\">\n{items}</ul>\n")
}

fn summary(id: &str, tools: &[String], lines: Vec<Line>) -> String {
    let mut out = format!("<table id=\"{id}\"><thead><tr><th></th>");
    for tool in tools {
        let _ = write!(out, "<th>{}</th>", escape(tool));
    }
    out += "</tr></thead><tbody>\n";
    for (what, values) in lines {
        let _ = write!(out, "<tr><th>{}</th>", escape(&what));
        for value in values {
            let _ = write!(out, "<td>{}</td>", escape(&value));
        }
        out += "</tr>\n";
    }
    out + "</tbody></table>\n"
}

fn tasks(table: &Table) -> String {
    let mut out = String::from("<table id=\"tasks\"><thead><tr>");
    for column in ["task", "property", "category", "expected"] {
        let _ = write!(out, "<th data-sort=\"text\">{column}</th>");
    }
    for tool in &table.tools {
        let tool = escape(tool);
        let _ = write!(
            out,
            "<th data-sort=\"text\">{tool}</th><th data-sort=\"number\">{tool} CPU (s)</th><th data-sort=\"number\">{tool} memory (MiB)</th>"
        );
    }
    out += "</tr></thead><tbody>\n";
    for row in &table.rows {
        out += &task(row);
    }
    out + "</tbody></table>\n"
}

fn task(row: &Row) -> String {
    let expected = row
        .expected
        .as_ref()
        .map(ToString::to_string)
        .unwrap_or_default();
    let mut out = String::from("<tr>");
    for text in [&row.task, &row.property, &row.category, &expected] {
        let _ = write!(out, "<td>{}</td>", escape(text));
    }
    for cell in &row.cells {
        match cell {
            Some(cell) => out += &cells(cell),
            None => out += "<td></td><td></td><td></td>",
        }
    }
    out + "</tr>\n"
}

fn cells(cell: &Record) -> String {
    let text = match cell.verdict.decides() {
        true => cell.verdict.to_string(),
        false if cell.status == "done" => "unknown".into(),
        false => cell.status.clone(),
    };
    let why = [cell.reason.as_str(), cell.decided_by.as_str()].join(" ");
    format!(
        "<td class=\"{}\" title=\"{}\">{}</td><td>{:.2}</td><td>{:.0}</td>",
        cell.worth().word(),
        escape(why.trim()),
        escape(&text),
        cell.cpu_seconds,
        cell.memory_bytes as f64 / f64::from(1 << 20)
    )
}
