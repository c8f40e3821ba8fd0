//! Trellis in competitions: their call, BenchExec's tool-info module, and its tables from our results.

use crate::python::{python, root};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PROPERTY: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
const TASK: &str = "format_version: '2.0'
input_files: 'NAME.c'
properties:
  - property_file: unreach-call.prp
    expected_verdict: VERDICT
options:
  language: C
  data_model: ILP32
";
const BAD: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) { int x = __VERIFIER_nondet_int(); if (x == 7) reach_error(); return 0; }
";

struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    /// An installation with the executable that is tested, and two tasks.
    fn new() -> Place {
        let dir = tempfile::tempdir().expect("a folder");
        let place = Place { dir };
        for folder in ["tool/bin", "tool/lib", "tasks"] {
            std::fs::create_dir_all(place.path(folder)).expect("made");
        }
        let trellis = Path::new(env!("CARGO_BIN_EXE_trellis"));
        std::os::unix::fs::symlink(trellis, place.path("tool/bin/trellis")).expect("a link");
        let script = root().join("packaging/trellis-svcomp");
        std::fs::copy(script, place.path("tool/bin/trellis-svcomp")).expect("copied");
        let task = |name: &str, verdict: &str, text: &str| {
            let definition = TASK.replace("NAME", name).replace("VERDICT", verdict);
            place.write(&format!("tasks/{name}.yml"), &definition);
            place.write(&format!("tasks/{name}.c"), text);
        };
        task("bad", "false", BAD);
        task("good", "true", &BAD.replace("x == 7", "x != x"));
        place.write("tasks/unreach-call.prp", PROPERTY);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("written");
    }

    fn run(&self, program: impl AsRef<std::ffi::OsStr>, args: &[&str]) -> (Option<i32>, String) {
        let mut command = Command::new(program);
        let path = std::env::var("PATH").expect("a path");
        let path = format!("{}:{path}", self.path("tool/bin").display());
        command
            .args(args)
            .current_dir(self.dir.path())
            .env("PATH", path);
        command.env("PYTHONPATH", root().join("python"));
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        let Output {
            status,
            stdout,
            stderr,
        } = command.output().expect("it starts");
        let said = String::from_utf8_lossy(&stdout).into_owned();
        (status.code(), said + &String::from_utf8_lossy(&stderr))
    }
}

#[test]
fn the_call_of_the_competition() {
    let place = Place::new();
    let call = |more: &[&str]| {
        let args = [
            "--property",
            "tasks/unreach-call.prp",
            "--data-model",
            "ILP32",
        ];
        let (code, said) = place.run("trellis-svcomp", &[&args[..], more].concat());
        (code, said.lines().last().unwrap_or_default().to_string())
    };
    for (task, word, code) in [("bad", "false(unreach-call)", 10), ("good", "true", 0)] {
        let witness = format!("{task}.witness.yml");
        let file = format!("tasks/{task}.c");
        let ended = call(&["--witness", &witness, &file]);
        assert_eq!(ended, (Some(code), word.to_string()));
        let args = [
            "validate",
            "--property",
            "tasks/unreach-call.prp",
            "--32",
            &witness,
            &file,
        ];
        let (_, said) = place.run(env!("CARGO_BIN_EXE_trellis"), &args);
        assert!(!said.contains("rejected"), "{said}");
        let text = std::fs::read_to_string(place.path(&witness)).expect("a witness");
        assert!(text.contains("format_version"), "{text}");
    }
    let ended = call(&["--engine", "random-walk", "--timeout", "1s", "tasks/good.c"]);
    assert_eq!(ended, (Some(20), "unknown".into()));
    assert!(
        !place.path("witness.yml").exists(),
        "no verdict, no witness"
    );
    let (code, said) = place.run("trellis-svcomp", &["--data-model", "LP128", "tasks/good.c"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("ILP32 and LP64 are known"), "{said}");
    let (code, said) = place.run("trellis-svcomp", &["tasks/none.c"]);
    assert_eq!(code, Some(2), "{said}");
}

#[test]
fn benchexec_knows_the_tool() {
    let Some(python) = python() else { return };
    let place = Place::new();
    let args = [
        "-m",
        "benchexec.test_tool_info",
        "trellis.benchexec",
        "--no-container",
    ];
    let args = [
        &args[..],
        &[
            "--tool-directory",
            "tool",
            "--task-definition",
            "tasks/bad.yml",
        ],
    ]
    .concat();
    let (code, said) = place.run(&python, &args);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        !said.contains("WARNING") && said.contains("Version: “0."),
        "{said}"
    );
    assert!(said.contains("'--data-model', 'ILP32'"), "{said}");

    // The shipped definitions are well-formed, and one of their kind is run.
    for name in ["svcomp.xml", "hwmcc.xml"] {
        let text = std::fs::read_to_string(root().join("packaging/benchexec").join(name));
        assert!(
            text.expect("readable")
                .contains("tool=\"trellis.benchexec\"")
        );
    }
    let definition = "<?xml version=\"1.0\"?>
<benchmark tool=\"trellis.benchexec\"><rundefinition name=\"two\">
<tasks name=\"tasks\"><include>tasks/*.yml</include></tasks>
<propertyfile>tasks/unreach-call.prp</propertyfile></rundefinition></benchmark>\n";
    place.write("two.xml", definition);
    let args = [
        "-m",
        "benchexec.benchexec",
        "--no-container",
        "two.xml",
        "-o",
        "out/",
    ];
    let (code, said) = place.run(&python, &args);
    if said.to_lowercase().contains("cgroup") && code != Some(0) {
        eprintln!("SKIPPED: BenchExec needs cgroups that are not here: {said}");
        return;
    }
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("Score:                 3 (max: 3)"), "{said}");
}

#[test]
fn table_generator_reads_our_results() {
    let Some(python) = python() else { return };
    let place = Place::new();
    place.write("tasks/slow.c", "# verdict: true\n");
    let tools = "[tools.'a <b> & \"c\"']
command = ['sh', '-c', 'echo VERDICT: true', '{file}']
[tools.late]
command = ['sh', '-c', 'sleep 60', '{file}']
";
    place.write("tools.toml", tools);
    let args = [
        "bench",
        "tasks",
        "-t",
        "tools.toml",
        "-c",
        "portfolio",
        "--wall",
        "4s",
    ];
    let args = [&args[..], &["-o", "benchexec=results", "-j", "3"]].concat();
    let (code, said) = place.run(env!("CARGO_BIN_EXE_trellis"), &args);
    assert_eq!(code, Some(0), "{said}");
    let files = ["a__b_____c_", "late", "portfolio"].map(|n| format!("results/{n}.results.xml"));
    let args = ["-o", "tables", "-n", "all", "-f", "html", "-f", "csv"];
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let (code, said) = place.run(
        python.with_file_name("table-generator"),
        &[&args[..], &files].concat(),
    );
    assert_eq!(code, Some(0), "{said}");
    let csv = std::fs::read_to_string(place.path("tables/all.table.csv")).expect("a table");
    let bad = csv.lines().find(|l| l.starts_with("bad.")).expect("a row");
    for word in ["true", "TIMEOUT", "false(unreach-call)"] {
        assert!(bad.contains(word), "{csv}");
    }

    let mut browser = Command::new("timeout");
    browser.args([
        "-k",
        "5",
        "240",
        "chromium",
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
    ]);
    browser.args([
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
    ]);
    browser.args([
        "--disable-sync",
        "--disable-component-update",
        "--disable-dev-shm-usage",
    ]);
    browser.arg(format!(
        "--user-data-dir={}",
        place.path("profile").display()
    ));
    browser.args(["--virtual-time-budget=20000", "--dump-dom"]);
    let page = format!(
        "file://{}#/table",
        place.path("tables/all.table.html").display()
    );
    let output = browser.arg(page).output().expect("timeout starts");
    if matches!(output.status.code(), Some(126 | 127)) {
        eprintln!("SKIPPED: there is no chromium here; tests/install-packages.sh gets it");
        return;
    }
    let dom = String::from_utf8_lossy(&output.stdout);
    for word in [
        "bad.yml",
        "good.yml",
        "false(unreach-call)",
        "TIMEOUT",
        "a &lt;b&gt; &amp; \"c\"",
    ] {
        assert!(dom.contains(word), "no {word} in\n{dom}");
    }
}
