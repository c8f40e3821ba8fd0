//! The report in a browser: it sorts, filters and draws, understands no text as anything but text, and loads
//! nothing. Needs Chromium (`tests/install-packages.sh` gets it); skips with a message without.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use trellis_bench::html;
use trellis_bench::machine::Machine;
use trellis_bench::store::{Header, Record, Results, SCHEMA, ToolLine};
use trellis_bench::task::Verdict;

/// What a visitor does, and what he sees; the answers end up in the page.
const VISIT: &str = r##"<script>
const column = n => Array.from(document.querySelectorAll("#tasks tbody tr"), r => r.cells[n].textContent);
const click = n => document.querySelector("#tasks thead tr").cells[n].click();
const seen = {};
seen.tasks = column(0);
click(5); seen.ascending = column(5);
click(5); seen.descending = column(5);
click(0); seen.by_name = column(0);
seen.quantile = document.querySelectorAll("#quantile circle.point").length;
seen.scatter = Array.from(document.querySelectorAll(".scatter"), f => f.querySelectorAll("circle.point").length);
seen.wrong = document.querySelectorAll("#wrong li").length;
seen.bold = document.querySelectorAll("b, i").length;
seen.hacked = typeof window.hacked;
const search = document.getElementById("filter");
search.value = "script"; search.dispatchEvent(new Event("input"));
seen.filtered = document.getElementById("shown").textContent;
seen.loaded = performance.getEntriesByType("resource").length;
const pre = document.createElement("pre");
pre.id = "seen";
pre.textContent = JSON.stringify(seen);
document.body.append(pre);
</script>"##;

const SCRIPT: &str = "<script>window.hacked = 1</script>";

fn record(task: &str, tool: &str, verdict: Verdict, cpu_seconds: f64) -> Record {
    Record {
        task: task.into(),
        property: "unreach-call".into(),
        category: "<b>loops</b>".into(),
        tool: tool.into(),
        expected: Some(Verdict::True),
        verdict,
        status: "done".into(),
        reason: format!("\">{SCRIPT}"),
        decided_by: String::new(),
        cpu_seconds,
        wall_seconds: cpu_seconds,
        memory_bytes: 1 << 20,
        queries: None,
        solver_seconds: None,
        figures: BTreeMap::new(),
        place: None,
    }
}

fn results() -> Results {
    let tool = |name: &str| ToolLine {
        name: name.into(),
        command: vec!["<i>tool</i>".into()],
        version: "1".into(),
    };
    let task = format!("{SCRIPT}.c");
    let records = vec![
        record("b.c", "one", Verdict::True, 10.5),
        record(&task, "one", Verdict::True, 9.25),
        record("a.c", "one", Verdict::False("<b>x</b>".into()), 100.0),
        record("b.c", "<i>two</i>", Verdict::True, 1.0),
        record(&task, "<i>two</i>", Verdict::Unknown, 2.0),
    ];
    Results {
        header: Header {
            schema: SCHEMA.into(),
            sets: vec![SCRIPT.into()],
            tools: vec![tool("one"), tool("<i>two</i>")],
            cpu_limit_seconds: 900.0,
            wall_limit_seconds: 900.0,
            memory_limit_bytes: 1 << 30,
            jobs: 1,
            machine: Machine::this(),
            on: None,
        },
        records,
    }
}

/// The page after its scripts have run; `None` where there is no browser.
fn browse(page: &Path, profile: &Path) -> Option<String> {
    let mut command = Command::new("timeout");
    command.args(["-k", "5", "240", "chromium", "--headless", "--no-sandbox"]);
    command.args(["--disable-gpu", "--disable-quic", "--no-first-run"]);
    command.args(["--disable-background-networking", "--disable-sync"]);
    command.args(["--disable-component-update", "--disable-dev-shm-usage"]);
    command.arg(format!("--user-data-dir={}", profile.display()));
    command.arg("--dump-dom").arg(page);
    let output = command.output().ok()?;
    // 126 and 127: there is no such program.
    match output.status.code() {
        Some(126 | 127) => None,
        _ => Some(String::from_utf8_lossy(&output.stdout).into_owned()),
    }
}

#[test]
fn the_report_works_in_a_browser() {
    let dir = tempfile::tempdir().expect("a folder");
    let page = dir.path().join("report.html");
    let text = html::report(&results());
    std::fs::write(&page, text.replace("</body>", &format!("{VISIT}</body>"))).expect("written");
    let Some(dom) = browse(&page, &dir.path().join("profile")) else {
        eprintln!("SKIPPED: there is no chromium here; tests/install-packages.sh gets it");
        return;
    };
    let (_, after) = dom
        .split_once("<pre id=\"seen\">")
        .unwrap_or_else(|| panic!("the scripts did not run:\n{dom}"));
    let (seen, _) = after.split_once("</pre>").expect("a whole element");
    let seen = seen.replace("&lt;", "<").replace("&gt;", ">");
    let seen: Value = serde_json::from_str(&seen.replace("&amp;", "&")).expect("JSON");
    let script = format!("{SCRIPT}.c");
    let expected = json!({
        "tasks": [script, "a.c", "b.c"],
        "ascending": ["9.25", "10.50", "100.00"],
        "descending": ["100.00", "10.50", "9.25"],
        "by_name": [script, "a.c", "b.c"],
        // Solved are two and one; both tools ran two tasks.
        "quantile": 3,
        "scatter": [2],
        "wrong": 1,
        "bold": 0,
        "hacked": "undefined",
        "filtered": "1 of 3",
        "loaded": 0,
    });
    assert_eq!(seen, expected);
}
