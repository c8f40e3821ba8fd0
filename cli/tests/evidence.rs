//! The corpus from verdict to evidence: what an engine decides is decided rightly, its witness validates, the
//! harness of an error compiles, runs and reaches it, and damaged witnesses are rejected. A witness of a proof
//! may be too weak, where the proof speaks of memory and C has no words for it; hardly one is.
//!
//! A part of the corpus by default; `TRELLIS_CORPUS=full` takes all of it (about 300 tasks).

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use trellis_e2e::corpus::{self, Task};

/// Errors that depend on objects or addresses from elsewhere, or on contents that a model checker's function gives an object, which a harness
/// does not have.
const FROM_ELSEWHERE: [&str; 3] = [
    "extern-array-unsafe",
    "extern-pointer-unsafe",
    "cprover-objects-unsafe",
];

/// One task in so many; odd, because safe and unsafe programs take turns.
const STRIDE: usize = 9;

fn trellis(dir: &Path, args: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_trellis"))
        .args(args)
        .current_dir(dir)
        .output()
        .expect("trellis starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), text)
}

/// The evidence for one task.
#[derive(Default)]
struct Evidence {
    /// What is wrong with it.
    wrong: Vec<String>,
    /// The witness of a proof says too little.
    weak: bool,
}

/// Examines one task; `None` when no engine decides it in time.
fn examine(task: &Task) -> Option<Evidence> {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    std::fs::copy(&task.path, dir.join("p.c")).expect("copied");
    let property = ["--check", &task.property];
    let more = [
        "--32",
        "--assume",
        "malloc-succeeds",
        "--confirm",
        "-t",
        "20s",
        "-o",
        "witness=w.yml",
        "-o",
        "trace=t",
    ];
    let (code, said) = trellis(dir, &[&["check", "p.c"][..], &property, &more].concat());
    let mut evidence = Evidence::default();
    let wrong = &mut evidence.wrong;
    match (code, task.expected) {
        (Some(20), _) => return None,
        (Some(0), true) | (Some(10), false) => {}
        _ => wrong.push(format!("the verdict: {said}")),
    }
    let confirmed = said
        .lines()
        .any(|l| l.starts_with("confirmed by execution"));
    if code == Some(10) && !confirmed && !FROM_ELSEWHERE.contains(&task.name().as_str()) {
        wrong.push(format!("the harness: {said}"));
    }
    let Ok(witness) = std::fs::read_to_string(dir.join("w.yml")) else {
        wrong.push("there is no witness".into());
        return Some(evidence);
    };
    let validate = |text: &str| {
        std::fs::write(dir.join("m.yml"), text).expect("written");
        trellis(
            dir,
            &[&["validate", "p.c", "m.yml"][..], &property].concat(),
        )
    };
    let (code, said) = validate(&witness);
    match (code, task.expected) {
        (Some(0), _) => {}
        (_, true) => {
            eprintln!("{}: {said}", task.name());
            // A witness has neither quantifiers nor contracts, so facts about all cells and about calls are not in it.
            let unsayable = ["cells-", "recursion-"];
            evidence.weak = !unsayable.iter().any(|u| task.name().starts_with(u));
        }
        _ => wrong.push(format!("the witness: {said}{witness}")),
    }
    for (how, text) in mutants(&witness) {
        let (code, said) = validate(&text);
        if code != Some(10) {
            wrong.push(format!("with {how}: {said}{text}"));
        }
    }
    Some(evidence)
}

/// Witnesses that show nothing: the first line of every program is a comment.
fn mutants(witness: &str) -> Vec<(&'static str, String)> {
    let replace = |key: &str, with: &str| {
        let line = |line: &str| match line.trim_start().strip_prefix(key) {
            Some(_) => {
                let indent = line.len() - line.trim_start().len();
                format!("{}{key}{with}", &line[..indent])
            }
            None => line.to_string(),
        };
        let lines: Vec<String> = witness.lines().map(line).collect();
        lines.join("\n") + "\n"
    };
    let wrong_hash = format!("\"{}\"", "0".repeat(64));
    let all = [
        ("another program", replace("\"p.c\": ", &wrong_hash)),
        ("another place", replace("line: ", "1")),
        (
            "a condition that nothing meets",
            replace("value: ", "\"0\""),
        ),
        ("what is no condition", replace("value: ", "\"x = 1\"")),
    ];
    // A witness without a condition has nothing to damage there.
    let damaged = all.into_iter().filter(|(_, text)| text != witness);
    damaged.collect()
}

#[test]
fn evidence_for_every_verdict() {
    let mut tasks = corpus::all();
    let full = std::env::var("TRELLIS_CORPUS").is_ok_and(|v| v == "full");
    if !full {
        tasks = tasks.into_iter().step_by(STRIDE).collect();
    }
    let [next, undecided, weak] = [const { AtomicUsize::new(0) }; 3];
    let work = || {
        let mut wrong = Vec::new();
        while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let name = format!("{} ({})", task.name(), task.property);
            match examine(task) {
                Some(found) => {
                    wrong.extend(found.wrong.iter().map(|w| format!("{name}: {w}")));
                    weak.fetch_add(usize::from(found.weak), Ordering::Relaxed);
                }
                None => {
                    eprintln!("{name}: undecided");
                    undecided.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
        wrong
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        let all = threads.into_iter().map(|t| t.join().expect("no panic"));
        all.flatten().collect()
    });
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    let weak = weak.into_inner();
    assert!(weak * 100 <= tasks.len(), "{weak} weak witnesses");
    let undecided = undecided.into_inner();
    assert!(
        undecided * 10 <= tasks.len(),
        "{undecided} of {}",
        tasks.len()
    );
}
