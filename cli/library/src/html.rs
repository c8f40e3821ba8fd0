//! The result of a check as one page of HTML: the verdict, the steps to the error or the invariants of the
//! proof, and what each stage and engine did. Nothing is loaded from anywhere, and text is only ever text.

use crate::report::{Report, Size, TraceLine};
use crate::results::{CheckResult, summary};
use std::fmt::Write;
use trellis_bench::html::escape;

const STYLE: &str =
    "body { font: 15px/1.45 sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; }
table { border-collapse: collapse; }
th, td { padding: .15em .8em .15em 0; text-align: left; vertical-align: top; }
td.number { text-align: right; color: #666; }
td, code { font-family: monospace; }
th { border-bottom: 1px solid #999; }
tr.folded td { color: #666; }
tr:last-child td.what { font-weight: bold; }
.true { color: #00692b; } .false { color: #b00020; } .unknown { color: #8a5a00; }
";

/// The page.
pub fn page(report: &Report) -> String {
    let title = format!("{}: {}", report.files.join(" "), verdict(report));
    let mut out =
        String::from("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
    out += "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n";
    let _ = writeln!(out, "<title>{}</title>", escape(&title));
    let _ = writeln!(out, "<style>\n{STYLE}</style></head><body>");
    let _ = writeln!(
        out,
        "<h1 class=\"{}\">{}</h1>",
        report.verdict,
        escape(&verdict(report))
    );
    out += &facts(report);
    if report.results.len() > 1 {
        out += "<h2>Checks</h2>\n";
        let _ = writeln!(out, "<p>{}</p>", escape(&summary(&report.results)));
        out += &results(&report.results);
    }
    let violated = report.results.iter().filter(|r| r.verdict == "false");
    if violated.clone().count() > 1 {
        for result in violated {
            let title = escape(&format!("{} at {}", result.property, result.at()));
            let _ = writeln!(out, "<h2>Steps to {title}</h2>");
            out += &steps(&result.steps);
        }
    } else if !report.steps.is_empty() {
        out += "<h2>Steps to the error</h2>\n";
        out += &steps(&report.steps);
    }
    if !report.assumptions.is_empty() {
        out += "<h2>Assumptions</h2>\n";
        let rows = report.assumptions.iter().map(|a| {
            let places: Vec<String> = a.places.iter().map(ToString::to_string).collect();
            let (name, means) = (a.name.to_string(), a.explanation.to_string());
            vec![name, a.detail.clone(), means, places.join(", ")]
        });
        out += &table(&["assumption", "about", "meaning", "places"], rows);
    }
    if let Some(endless) = &report.endless_loop {
        let text = escape(&endless.to_string());
        let _ = writeln!(out, "<h2>The loop that does not end</h2>\n<p>{text}</p>");
    }
    if !report.ending_loops.is_empty() {
        out += "<h2>Loops that end</h2>\n";
        let rows = report.ending_loops.iter();
        let rows = rows.map(|of| vec![of.place.clone(), of.measure.clone()]);
        out += &table(&["loop", "what falls"], rows);
    }
    if let Some(visits) = report.unwound_visits {
        let _ = writeln!(
            out,
            "<h2>Proof by unwinding</h2>\n<p>Every execution is over, without error, and no loop is left later than after {visits} visits of its \
             head.</p>"
        );
    } else if !report.contracts.is_empty() {
        out += "<h2>Contracts of functions</h2>\n";
        let rows = report.contracts.iter().map(|c| {
            let assigns = vec![c.assigns.join(", ")];
            let clauses = [&c.requires, &assigns, &c.ensures];
            let clauses = clauses.map(|list| list.join("; "));
            let of = vec![c.function.clone(), c.place.clone()];
            of.into_iter().chain(clauses).collect()
        });
        let heads = ["function", "place", "requires", "assigns", "ensures"];
        out += &table(&heads, rows);
    }
    let invariants = (report.invariants.as_ref()).filter(|all| {
        let only_contracts = all.is_empty() && !report.contracts.is_empty();
        report.unwound_visits.is_none() && !only_contracts
    });
    if let Some(invariants) = invariants {
        out += "<h2>Invariants of the proof</h2>\n";
        let rows = invariants.iter().map(|(l, t)| vec![l.clone(), t.clone()]);
        out += &table(&["location", "invariant"], rows);
    }
    out += "<h2>Engines</h2>\n";
    let engines = report.engines.iter().map(|e| {
        let queries: u64 = e
            .queries
            .values()
            .map(|q| q.sat + q.unsat + q.unknown)
            .sum();
        vec![
            e.name.clone(),
            e.outcome.clone(),
            format!("{:.3}", e.cpu_seconds),
            format!("{:.1}", e.memory_bytes as f64 / f64::from(1 << 20)),
            queries.to_string(),
            e.library.clone(),
        ]
    });
    let heads = [
        "engine",
        "end",
        "CPU (s)",
        "memory (MiB)",
        "queries",
        "library",
    ];
    out += &table(&heads, engines);
    out += "<h2>Passes</h2>\n";
    let passes = report.passes.iter().map(|p| {
        vec![
            p.name.to_string(),
            size(&p.after),
            format!("{:.1}", 1e3 * p.wall_seconds),
        ]
    });
    out += &table(&["pass", "after", "time (ms)"], passes);
    out + "</body></html>\n"
}

fn verdict(report: &Report) -> String {
    match (&report.property, &report.reason) {
        (Some(property), _) => format!("{}({property})", report.verdict),
        (None, Some(reason)) => format!("{} ({reason})", report.verdict),
        (None, None) => report.verdict.to_string(),
    }
}

fn size(size: &Size) -> String {
    format!(
        "{} locations, {} edges, {} variables",
        size.locations, size.edges, size.variables
    )
}

fn facts(report: &Report) -> String {
    let mut rows = vec![
        ("program", report.files.join(" ")),
        ("properties", report.properties.join(", ")),
        ("pipeline", report.pipeline.clone()),
        ("decided by", report.decided_by.clone().unwrap_or_default()),
        (
            "certified by",
            report.certified_by.clone().unwrap_or_default(),
        ),
    ];
    rows.extend(report.program.iter().map(|s| ("as read", size(s))));
    rows.extend(report.reduced.iter().map(|s| ("as checked", size(s))));
    rows.push(("time", format!("{:.3} s", report.wall_seconds)));
    rows.push(("version", format!("Trellis {}", report.version)));
    let known = rows.into_iter().filter(|(_, value)| !value.is_empty());
    table(
        &[],
        known.map(|(what, value)| vec![what.to_string(), value]),
    )
}

fn table(heads: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut out = String::from("<table>\n");
    if !heads.is_empty() {
        let heads: String = heads.iter().map(|h| format!("<th>{h}</th>")).collect();
        let _ = writeln!(out, "<tr>{heads}</tr>");
    }
    for row in rows {
        let cells = row.iter().map(|c| format!("<td>{}</td>", escape(c)));
        let _ = writeln!(out, "<tr>{}</tr>", cells.collect::<String>());
    }
    out + "</table>\n"
}

/// What became of each check: violations first.
fn results(results: &[CheckResult]) -> String {
    let mut sorted: Vec<&CheckResult> = results.iter().collect();
    sorted.sort_by_key(|r| {
        ["false", "unknown", "true"]
            .iter()
            .position(|v| *v == r.verdict)
    });
    let rows = sorted.into_iter().map(|r| {
        let why = r.reason.as_ref().or(r.message.as_ref());
        let why = why.cloned().unwrap_or_default();
        let (verdict, property) = (r.verdict.to_string(), r.property.clone());
        vec![verdict, property, r.at(), r.expression.clone(), why]
    });
    table(&["verdict", "property", "place", "source", "why"], rows)
}

fn steps(lines: &[TraceLine]) -> String {
    let mut out = String::from(
        "<table class=\"steps\">\n<tr><th></th><th>place</th><th>source</th><th></th></tr>\n",
    );
    for line in lines {
        let Some(number) = line.number else {
            let text = escape(&line.what);
            let _ = writeln!(
                out,
                "<tr class=\"folded\"><td></td><td colspan=\"3\">{text}</td></tr>"
            );
            continue;
        };
        let file = line.file.as_deref().unwrap_or_default();
        let place = match file.is_empty() {
            true => String::new(),
            false => format!("{file}:{}:{}", line.line, line.column),
        };
        let _ = writeln!(
            out,
            "<tr><td class=\"number\">{number}</td><td>{}</td><td style=\"padding-left: {}em\">{}</td><td class=\"what\">{}</td></tr>",
            escape(&place),
            line.depth,
            escape(&line.source),
            escape(&line.what)
        );
    }
    out + "</table>\n"
}
