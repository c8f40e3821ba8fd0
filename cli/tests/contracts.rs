//! Recursion: the classics of the corpus with the contracts that prove them, in the words of C, and their errors.

use crate::support::Bench;
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use trellis_e2e::corpus;

/// Programs whose contracts nobody finds yet.
const OPEN: &[&str] = &[];

/// The report of a check of a program of the corpus.
fn check(path: &Path, args: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trellis"));
    command.args(["check", "--quiet", "-t", "60s", "--32", "--assume"]);
    command.args(["malloc-succeeds", "--check", "unreach-call"]);
    command.args(args).args(["--out", "json=-"]);
    let output = command.arg(path).output().expect("trellis starts");
    let text = String::from_utf8(output.stdout).expect("text");
    let report = text.rsplit_once("VERDICT").map_or("", |(report, _)| report);
    serde_json::from_str(report).unwrap_or_else(|e| panic!("{}: {e}: {text}", path.display()))
}

/// The programs about recursion that are safe, or those that are not.
fn programs(expected: bool) -> Vec<(String, PathBuf)> {
    let tasks = corpus::all().into_iter();
    let about = tasks.filter(|t| t.name().starts_with("recursion-") && t.expected == expected);
    about.map(|t| (t.name(), t.path)).collect()
}

fn clauses(report: &Value) -> String {
    let mut text = String::new();
    for contract in report["contracts"].as_array().into_iter().flatten() {
        writeln!(text, "  {}", contract["function"].as_str().unwrap_or("?")).expect("text");
        for kind in ["requires", "assigns", "ensures"] {
            for clause in contract[kind].as_array().into_iter().flatten() {
                let clause = clause.as_str().unwrap_or("?");
                writeln!(text, "    {kind} {clause}").expect("text");
            }
        }
    }
    text
}

#[test]
fn the_classics_are_proved_by_contracts() {
    let mut all = String::new();
    for (name, path) in programs(true) {
        let report = check(&path, &["-e", "contracts"]);
        let verdict = report["verdict"].as_str().expect("a verdict");
        let expected = if OPEN.contains(&&*name) {
            "unknown"
        } else {
            "true"
        };
        assert_eq!(verdict, expected, "{name}: {report}");
        writeln!(all, "{name}: {verdict}\n{}", clauses(&report)).expect("text");
    }
    insta::assert_snapshot!(all);
}

#[test]
fn errors_behind_recursion_are_found_and_replayed() {
    let all = programs(false);
    assert!(all.len() >= 10, "{all:?}");
    for (name, path) in all {
        let report = check(&path, &[]);
        assert_eq!(report["verdict"], "false", "{name}: {report}");
        assert_eq!(report["certified_by"], "replay", "{name}");
    }
}

/// Contracts are told wherever invariants are.
#[test]
fn contracts_are_told_in_text_and_html() {
    let bench = Bench::new();
    bench.write(
        "f.c",
        "extern void reach_error(void);
int count;
static int up(int n) { count++; return n <= 0 ? 0 : 1 + up(n - 1); }
int main(void) {
  int n = 5;
  if (up(n) != n) reach_error();
  return 0;
}
",
    );
    let args = ["-v", "--check", "unreach-call", "-e", "contracts"];
    let output = bench.trellis(&[&["check"], &args[..], &["-o", "html=f.html", "f.c"]].concat());
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{stdout}");
    assert!(stdout.contains("contract: f.c:3:12 up\n"), "{stdout}");
    assert!(stdout.contains("  assigns count;\n"), "{stdout}");
    assert!(stdout.contains("  ensures "), "{stdout}");
    let page = std::fs::read_to_string(bench.path("f.html")).expect("written");
    assert!(page.contains("<h2>Contracts of functions</h2>"), "{page}");
    assert!(page.contains("<td>up</td><td>f.c:3:12</td>"), "{page}");
}
