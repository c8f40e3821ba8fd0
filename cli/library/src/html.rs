//! The result of a check as one page of HTML: the verdict, executions to walk through beside their source, what is known of
//! each line, and what each stage and engine did. Nothing is loaded from anywhere, and text is only ever text.
//!
//! Tables are in the page as they are; what moves is made by its script from the data of a [`Tour`].

use crate::report::{Report, Size, TraceLine};
use crate::results::{CheckResult, summary};
use std::fmt::Write;
use trellis_bench::html::escape;
use trellis_witness::hash::sha256_base64;

mod automaton;
mod follow;
mod layout;
mod timeline;
mod tour;

pub use self::tour::Tour;

const STYLE: &str = include_str!("html/page.css");
/// What makes a page one to walk through; later parts use earlier ones.
const SCRIPT: &str = concat!(
    "\"use strict\";\n",
    include_str!("html/list.js"),
    include_str!("html/trace.js"),
    include_str!("html/heap.js"),
    include_str!("html/waves.js"),
    include_str!("html/automaton.js"),
    include_str!("html/walk.js"),
);

/// What stands before the data of a page.
const DATA: &str = "<script id=\"tour\" type=\"application/json\">";

/// The page of a check, with what there is to walk through.
pub fn page(report: &Report, tour: Option<&Tour>) -> String {
    let title = format!("{}: {}", report.files.join(" "), verdict(report));
    let mut out = head(&title, report.verdict, &verdict(report));
    let _ = writeln!(out, "<p>{}</p>", escape(&report.files.join(" ")));
    out += &walk(tour);
    out += &sections(report, tour.is_some());
    foot(out, tour)
}

/// A function that was checked on its own.
pub struct Function<'a> {
    /// Its name for people.
    pub name: String,
    /// Its contract as it is written, if it has one.
    pub contract: Option<String>,
    /// What became of it.
    pub report: &'a Report,
}

/// The page of checks of single functions: each with its verdict in words and its contract.
pub fn modular(whole: &str, functions: &[Function<'_>], tour: &Tour) -> String {
    let files = functions.first().map(|of| of.report.files.join(" "));
    let title = format!("{}: {whole}", files.unwrap_or_default());
    let word = whole.split(['(', ' ']).next().unwrap_or_default();
    let mut out = head(&title, word, whole);
    out += "<h2>Functions</h2>\n";
    let rows = functions.iter().map(|of| {
        let checks = summary(&of.report.results);
        let contract = of.contract.clone().unwrap_or_default();
        vec![of.name.clone(), verdict(of.report), checks, contract]
    });
    out += &table(&["function", "verdict", "checks", "contract"], rows);
    out += &walk(Some(tour));
    for of in functions {
        let (class, name) = (of.report.verdict, escape(&of.name));
        let found = escape(&verdict(of.report));
        let _ = writeln!(
            out,
            "<details><summary class=\"{class}\">{name}: {found}</summary>"
        );
        if let Some(contract) = &of.contract {
            let _ = writeln!(out, "<p><code>{}</code></p>", escape(contract));
        }
        out += &sections(of.report, true);
        out += "</details>\n";
    }
    foot(out, Some(tour))
}

/// The page of many checks: what was checked, the verdict and how many checks there were of each.
pub fn many(whole: &str, rows: &[[String; 3]], tour: &Tour) -> String {
    let mut out = head(whole, "", whole);
    out += &table(
        &["checked", "verdict", "checks"],
        rows.iter().map(|r| r.to_vec()),
    );
    out += &walk(Some(tour));
    foot(out, Some(tour))
}

/// The data in a page of [`page`], as [`Tour::from_json`] reads it.
pub fn data(page: &str) -> Option<&str> {
    let (_, rest) = page.split_once(DATA)?;
    rest.split_once("</script>").map(|(data, _)| data)
}

/// Up to the verdict, which is the title that readers see.
fn head(title: &str, class: &str, verdict: &str) -> String {
    let mut out =
        String::from("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
    // Even if something slipped through, the browser would neither load nor run it.
    let (style, script) = (integrity(STYLE), integrity(SCRIPT));
    let _ = writeln!(
        out,
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{style}'; script-src '{script}'\">"
    );
    out += "<meta name=\"viewport\" content=\"width=device-width\">\n";
    let _ = writeln!(out, "<title>{}</title>", escape(title));
    let _ = writeln!(out, "<style>{STYLE}</style></head><body>");
    let (class, verdict) = (escape(class), escape(verdict));
    let _ = writeln!(out, "<h1 class=\"{class}\">{verdict}</h1>");
    out
}

/// Where the script puts what there is to walk through.
fn walk(tour: Option<&Tour>) -> String {
    match tour.filter(|t| !t.is_empty()) {
        Some(_) => "<div id=\"walk\"></div>\n".into(),
        None => String::new(),
    }
}

fn foot(mut out: String, tour: Option<&Tour>) -> String {
    if let Some(tour) = tour.filter(|t| !t.is_empty()) {
        let data = tour.json();
        let _ = writeln!(out, "{DATA}{data}</script>\n<script>{SCRIPT}</script>");
    }
    out + "</body></html>\n"
}

/// What a browser compares an inline text with.
fn integrity(text: &str) -> String {
    format!("sha256-{}", sha256_base64(text.as_bytes()))
}

/// What became of everything, as far as it needs no script; steps only for browsers without, where there is a tour.
fn sections(report: &Report, has_tour: bool) -> String {
    let mut out = String::new();
    if report.results.len() > 1 {
        out += "<h2>Checks</h2>\n";
        let _ = writeln!(out, "<p>{}</p>", escape(&summary(&report.results)));
        out += &results(&report.results);
    }
    if !report.reasons.is_empty() {
        out += "<h2>Why it is unknown</h2>\n";
        let rows = report.reasons.iter().map(|r| {
            let places: Vec<String> = r.places.iter().map(ToString::to_string).collect();
            let (engines, advice) = (r.engines.join(", "), r.advice.to_string());
            vec![places.join(", "), r.why.clone(), engines, advice]
        });
        out += &table(&["place", "reason", "engines", "what to try"], rows);
    }
    let (begin, end) = match has_tour {
        true => ("<noscript>\n", "</noscript>\n"),
        false => ("", ""),
    };
    out += begin;
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
    out += end;
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
        // What people read of them stands at the lines of the source.
        let (begin, end) = match has_tour {
            true => (
                "<details><summary>as they were checked</summary>\n",
                "</details>\n",
            ),
            false => ("", ""),
        };
        out += "<h2>Invariants of the proof</h2>\n";
        out += begin;
        let rows = invariants.iter().map(|(l, t)| vec![l.clone(), t.clone()]);
        out += &table(&["location", "invariant"], rows);
        out += end;
    }
    out += "<h2>The check</h2>\n";
    out += &facts(report);
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
    out += &timeline::section(report);
    out += "<h2>Passes</h2>\n";
    let passes = report.passes.iter().map(|p| {
        vec![
            p.name.to_string(),
            size(&p.after),
            format!("{:.1}", 1e3 * p.wall_seconds),
        ]
    });
    out += &table(&["pass", "after", "time (ms)"], passes);
    out
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
            "<tr><td class=\"number\">{number}</td><td>{}</td><td class=\"code\">{}{}</td><td class=\"what\">{}</td></tr>",
            escape(&place),
            "  ".repeat(line.depth.min(40)),
            escape(&line.source),
            escape(&line.what)
        );
    }
    out + "</table>\n"
}
