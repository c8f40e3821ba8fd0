//! The corpus of C programs through the shipped pipelines: whoever answers is right, about the right
//! property at the right place, and has a certificate. A part of the programs, each by one pipeline;
//! `TRELLIS_CORPUS=full` takes all by all, which takes the better part of an hour.

use std::collections::BTreeSet;
use std::process::Command;
use trellis_e2e::corpus::{self, Task};

/// Who is asked in turn. The default comes twice: everybody uses it.
const PIPELINES: &[&str] = &[
    "portfolio",
    "bmc",
    "portfolio",
    "kiki",
    "ic3cfa",
    "dataflow",
    "cegar",
    "ic3ia",
    "impact",
    "ctigar",
];

/// One program of so many is tried here, so that the test takes seconds; the tasks of neighbours differ.
const STRIDE: usize = 5;

/// The report of a check, with the last step to the error.
fn check(task: &Task, pipeline: &str) -> serde_json::Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trellis"));
    command.args(["check", "--quiet", "-p", pipeline, "-t", "5s"]);
    command.args(["--32", "--assume", "malloc-succeeds"]);
    command.args(["--check", &task.property, "--out", "json=-"]);
    let output = command.arg(&task.path).output().expect("trellis starts");
    let text = String::from_utf8(output.stdout).expect("text");
    // The report comes first, the verdict line last.
    let report = text.rsplit_once("VERDICT").map_or("", |(report, _)| report);
    serde_json::from_str(report).unwrap_or_else(|e| panic!("{}: {e}: {text}", task.name()))
}

/// Who is asked about what.
fn pairs(tasks: &[Task]) -> Vec<(&Task, &'static str)> {
    if std::env::var("TRELLIS_CORPUS").is_ok_and(|v| v == "full") {
        let all = PIPELINES.iter().collect::<BTreeSet<_>>();
        return (tasks.iter())
            .flat_map(|task| all.iter().map(move |&&p| (task, p)))
            .collect();
    }
    let some = tasks.iter().step_by(STRIDE);
    some.zip(PIPELINES.iter().copied().cycle()).collect()
}

#[test]
fn pipelines_are_right_about_the_corpus() {
    let tasks = corpus::all();
    let pairs = pairs(&tasks);
    let mut decided = 0;
    for &(task, pipeline) in &pairs {
        let report = check(task, pipeline);
        let name = format!("{} by {pipeline}: {report}", task.name());
        match report["verdict"].as_str() {
            Some("true") => assert!(task.expected, "{name}"),
            Some("false") => {
                assert!(!task.expected, "{name}");
                assert_eq!(report["property"].as_str(), Some(&*task.property), "{name}");
                let steps = report["trace"].as_array().expect("steps to the error");
                let last = steps.last().and_then(|s| s.as_str()).expect("a step");
                if let Some((line, column)) = task.place {
                    assert!(last.contains(&format!(":{line}:{column} ")), "{name}");
                }
            }
            Some("unknown") => continue,
            _ => panic!("{name}"),
        }
        assert!(report["certified_by"].is_string(), "{name}");
        decided += 1;
    }
    // A machine with much else to do runs into the time limit, but not always.
    assert!(decided * 3 >= pairs.len(), "{decided} of {}", pairs.len());
}
