//! Trellis in the continuous integration of others: the steps of the action on the example repository, known errors, and the hook.

use crate::python::{python, root};
use crate::support::Bench;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run(command: &mut Command) -> Output {
    let output = command.output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    eprintln!("{command:?}: {:?}\n{said}{stderr}", output.status.code());
    output
}

fn git(dir: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    let who = ["-c", "user.name=somebody", "-c", "user.email=some@body"];
    command.args(who).args(args).current_dir(dir);
    assert!(run(&mut command).status.success());
}

/// An archive whose executable is the one that is tested.
fn archive(dir: &Path) -> PathBuf {
    let tree = dir.join("trellis-0-x86_64-linux");
    std::fs::create_dir_all(tree.join("bin")).expect("made");
    std::fs::create_dir_all(tree.join("share")).expect("made");
    let link = |to: &Path, name: &str| {
        std::os::unix::fs::symlink(to, tree.join(name)).expect("a link");
    };
    link(Path::new(env!("CARGO_BIN_EXE_trellis")), "bin/trellis");
    link(&root().join("python"), "share/python");
    let script = root().join("packaging/trellis-ci");
    std::fs::copy(script, tree.join("bin/trellis-ci")).expect("copied");
    let mut command = Command::new("tar");
    command.args(["-cJf", "trellis.tar.xz", "trellis-0-x86_64-linux"]);
    assert!(run(command.current_dir(dir)).status.success());
    dir.join("trellis.tar.xz")
}

/// The results of a log that are errors: rule, file, line.
fn errors(log: &Path) -> Vec<(String, String, u64)> {
    let text = std::fs::read_to_string(log).expect("written");
    let log: Value = serde_json::from_str(&text).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    let errors = results.iter().filter(|r| r["kind"] == "fail");
    let error = |r: &Value| {
        let place = &r["locations"][0]["physicalLocation"];
        let file = place["artifactLocation"]["uri"].as_str().expect("a file");
        let line = place["region"]["startLine"].as_u64().expect("a line");
        (
            r["ruleId"].as_str().expect("a rule").into(),
            file.into(),
            line,
        )
    };
    errors.map(error).collect()
}

#[test]
fn the_action_finds_a_seeded_bug() {
    let Some(python) = python() else { return };
    let dir = tempfile::tempdir().expect("a folder");
    let repository = dir.path().join("repository");
    let mut copy = Command::new("cp");
    copy.arg("-r")
        .arg(root().join("examples/ci"))
        .arg(&repository);
    assert!(run(&mut copy).status.success());
    git(&repository, &["init", "-q"]);
    git(&repository, &["add", "-A"]);
    git(&repository, &["commit", "-qm", "first"]);
    let archive = archive(dir.path());
    let action = |more: &[&str]| {
        let mut command = Command::new(&python);
        command.arg(root().join("tests/action.py"));
        command.arg(root().join("packaging/action/action.yml"));
        command.arg(format!("archive={}", archive.display()));
        command.args(["since=HEAD"]).args(more);
        // What stands before the package of the archive would hide it.
        command.env_remove("PYTHONPATH").current_dir(&repository);
        let output = run(&mut command);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), said)
    };
    let source = repository.join("src/line.c");
    let text = std::fs::read_to_string(&source).expect("readable");
    let change = |from: &str, to: &str| {
        assert!(text.contains(from));
        std::fs::write(&source, text.replace(from, to)).expect("written");
    };
    let log = repository.join("trellis.sarif");

    // Nothing has changed, so there is nothing to check.
    let (code, said) = action(&[]);
    assert_eq!(code, Some(0));
    assert!(said.contains("0 programs: 0 with a new error"), "{said}");
    assert!(
        said.contains("uses github/codeql-action/upload-sarif"),
        "{said}"
    );

    change("LINE_MAX - 1)", "LINE_MAX)");
    let (code, said) = action(&[]);
    assert_eq!(code, Some(10));
    assert!(
        said.contains("src/line.c:14:5: error: valid-deref: index 16 of an array of 16"),
        "{said}"
    );
    assert_eq!(
        errors(&log),
        [("valid-deref".into(), "src/line.c".into(), 14)]
    );

    // As a baseline it hides itself, also when its line is another one.
    std::fs::copy(&log, repository.join("trellis-baseline.sarif")).expect("copied");
    let moved = text.replace("LINE_MAX - 1)", "LINE_MAX)");
    let moved = moved.replacen("\n\n", "\n\n/* A comment,\n   of two lines. */\n", 1);
    std::fs::write(&source, moved).expect("written");
    let (code, said) = action(&[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("src/line.c:16:5: note: valid-deref is known"),
        "{said}"
    );
    assert_eq!(errors(&log), []);

    // Another error is new.
    let worse = text.replace("LINE_MAX - 1)", "LINE_MAX)");
    let worse = worse.replace("if (line->used == 0)", "if (line->used == 1)");
    std::fs::write(&source, worse).expect("written");
    let (code, said) = action(&[]);
    assert_eq!(code, Some(10), "{said}");
    let found = errors(&log);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].2 > 14, "{found:?}");

    std::fs::write(&source, &text).expect("written");
    std::fs::remove_file(repository.join("trellis-baseline.sarif")).expect("removed");
    let (code, said) = action(&["since="]);
    assert_eq!(code, Some(0));
    assert!(said.contains("check/line.c: holds"), "{said}");
    assert_eq!(errors(&log), []);
}

#[test]
fn known_errors_are_left_alone_and_told() {
    let bench = Bench::new();
    let two = "extern void abort(void);
extern int __VERIFIER_nondet_int(void);
int f(int x) { return 10 / x; }
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = f(x);
  int a[4] = {0};
  return a[x & 7] + y;
}
";
    bench.write("two.c", two);
    let only = ["--check", "div-by-zero,valid-deref"];
    let check = |more: &[&str]| {
        let (code, last, stderr) = bench.check(&[&only[..], more, &["two.c"]].concat());
        eprintln!("{more:?}: {last}\n{stderr}");
        (code, last)
    };
    let one = ["--max-errors", "1", "-o", "sarif=1.sarif"];
    let (code, first) = check(&one);
    assert_eq!(code, 10);
    let (code, second) = check(&["--baseline", "1.sarif", "-o", "sarif=2.sarif"]);
    assert_eq!(code, 10);
    assert_ne!(first, second, "the other error");
    // The second log has both; with other lines above and the code elsewhere in them, both are known.
    bench.write(
        "two.c",
        &format!(
            "/*\n*/\n\n{}",
            two.replace("  return a[", "      return  a[")
        ),
    );
    let (code, last) = check(&["--baseline", "2.sarif", "-o", "json=3.json"]);
    assert_eq!((code, last.as_str()), (0, "VERDICT: true"));
    let text = std::fs::read_to_string(bench.path("3.json")).expect("written");
    let report: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(report["known"].as_array().map(Vec::len), Some(2));
    let assumed = report["assumptions"].as_array().expect("a ledger");
    assert!(
        assumed.iter().any(|a| a["name"] == "baseline"),
        "{assumed:?}"
    );
    // What else is wrong is still found.
    bench.write("two.c", &two.replace("10 / x", "10 / x / (x - 1)"));
    let (code, last) = check(&["--baseline", "2.sarif"]);
    assert_eq!((code, last.as_str()), (10, "VERDICT: false(div-by-zero)"));
    // Nothing is claimed to others that holds only beside a baseline.
    for (more, why) in [
        (
            &["--baseline", "2.sarif", "-o", "witness=w.yml"][..],
            "--out witness",
        ),
        (&["--baseline", "2.sarif", "--strict"], "--strict"),
        (&["--baseline", "two.c"], "no SARIF"),
        (&["--baseline", "none.sarif"], "none.sarif"),
    ] {
        let (code, _, stderr) = bench.check(&[&only[..], more, &["two.c"]].concat());
        assert_eq!(code, 2, "{more:?}");
        assert!(stderr.contains(why), "{stderr}");
    }
}
