//! `trellis bench` as a user runs it: killed and resumed, with tasks that misbehave, and reported.

use crate::support;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// A safe program that says so.
fn safe() -> String {
    format!("// verdict: true\n{}", support::safe())
}

/// An external tool as a shell script: what a task's file says is what it does.
const TOOL: &str = "[tools.script]
command = ['sh', '-c', '. \"$0\"', '{file}']
version = ['echo', 'script 1.0']
verdicts = [
  { pattern = '^holds', verdict = 'true' },
  { pattern = '^fails: (.*)', verdict = 'false' },
]
";

struct Set {
    dir: tempfile::TempDir,
}

impl Set {
    fn new() -> Set {
        let dir = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(dir.path().join("set")).expect("made");
        let set = Set { dir };
        set.write("tools.toml", TOOL);
        set
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("written");
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trellis"));
        command.arg("bench").args(args).current_dir(self.dir.path());
        command
    }

    fn bench(&self, args: &[&str]) -> Output {
        let output = self.command(args).output().expect("trellis starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{stderr}");
        output
    }

    /// The table without what is measured: task, tool, verdict, worth, score, status.
    fn table(&self, csv: &str) -> Vec<String> {
        let text = self.read(csv);
        let rows = text.lines().skip(1);
        let keep = |row: &str| {
            let fields: Vec<&str> = row.split(',').collect();
            [0, 4, 6, 7, 8, 9].map(|at| fields[at]).join(" ")
        };
        rows.map(keep).collect()
    }
}

#[test]
fn killed_and_resumed_gives_the_same_table() {
    let set = Set::new();
    for n in 0..8 {
        set.write(&format!("set/safe{n}.ivl"), &safe());
        let wrong = safe().replace("+ 2bv4", "+ 1bv4");
        let known = if n < 4 { "false" } else { "true" };
        let text = wrong.replace("verdict: true", &format!("verdict: {known}"));
        set.write(&format!("set/unsafe{n}.ivl"), &text);
    }
    let tool = "[tools.other]\ncommand = \"sh -c 'sleep 0.02; echo VERDICT: true'\"\n";
    let tool = tool.replace(
        "\"sh -c 'sleep 0.02; echo VERDICT: true'\"",
        "['sh', '-c', 'sleep 0.02; echo VERDICT: true', '{file}']",
    );
    set.write("tools.toml", &tool);
    let common = [
        "set",
        "-c",
        "random",
        "-c",
        "seeded=-p random --seed 3",
        "-t",
        "tools.toml",
        "--cpu",
        "20s",
    ];
    let with = |more: &[&'static str]| [&common[..], more].concat();
    set.bench(&with(&["-r", "whole.jsonl", "-o", "csv=whole.csv"]));

    let killed = ["-r", "parts.jsonl", "-o", "csv=parts.csv"];
    let mut process = set
        .command(&with(&killed))
        .stdout(Stdio::null())
        .spawn()
        .expect("trellis starts");
    let lines = |set: &Set| {
        let text = std::fs::read_to_string(set.path("parts.jsonl")).unwrap_or_default();
        text.lines().count()
    };
    while lines(&set) < 20 {
        assert!(
            process.try_wait().expect("a child").is_none(),
            "ended before it was killed"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
    process.kill().expect("SIGKILL");
    process.wait().expect("reaped");
    // As if the machine had stopped in the middle of a line.
    let mut text = set.read("parts.jsonl");
    let before = text.lines().count();
    assert!(before < 49, "all was done before the kill");
    text += "{\"task\":\"safe0.iv";
    set.write("parts.jsonl", &text);
    set.bench(&with(&killed));
    let after = set.read("parts.jsonl");
    assert!(
        after.starts_with(text.rsplit_once('\n').expect("lines").0),
        "something done was lost"
    );
    assert_eq!(after.lines().count(), 1 + 16 * 3);
    assert_eq!(set.table("parts.csv"), set.table("whole.csv"));
    assert!(
        set.table("whole.csv")
            .contains(&"unsafe0.ivl other true wrong -32 done".to_string())
    );

    let other = set
        .command(&with(&["-r", "parts.jsonl", "-m", "1GiB"]))
        .output();
    let other = other.expect("trellis starts");
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&other.stderr).contains("other limits"));
}

#[test]
fn tasks_that_misbehave_are_stopped_and_named() {
    let set = Set::new();
    let tasks = [
        (
            "bomb.c",
            "i=0; while [ $i -lt 400 ]; do sleep 60.875 & i=$((i+1)); done; wait",
        ),
        ("crash.c", "kill -SEGV $$"),
        (
            "eater.c",
            "head -c 900000000 /dev/zero | tail -c 900000000 | wc -c",
        ),
        ("fine.c", "echo holds"),
        ("silent.c", "echo oops >&2; exit 3"),
        (
            "spinner.c",
            "(setsid sh -c 'while :; do :; done' &); sleep 60.875",
        ),
        ("talker.c", "yes"),
        ("wrong.c", "# verdict: true\necho 'fails: unreach-call'"),
    ];
    for (name, text) in tasks {
        set.write(&format!("set/{name}"), text);
    }
    let limits = [
        "--cpu", "3s", "--wall", "60s", "--memory", "200MiB", "-j", "2",
    ];
    let args = [&["set", "-t", "tools.toml", "-o", "csv=t.csv"][..], &limits].concat();
    set.bench(&args);
    let expected = [
        "bomb.c script unknown none 0 process limit",
        "crash.c script unknown none 0 signal 11",
        "eater.c script unknown none 0 memory limit",
        "fine.c script true unverified 0 done",
        "silent.c script unknown none 0 \"no verdict",
        "spinner.c script unknown none 0 cpu limit",
        "talker.c script unknown none 0 output limit",
        "wrong.c script false(unreach-call) unverified 0 done",
    ];
    assert_eq!(set.table("t.csv"), expected);
    set.write("late.c", "echo holds; sleep 60.875");
    let late = [
        "late.c",
        "-t",
        "tools.toml",
        "-o",
        "csv=late.csv",
        "-r",
        "late.jsonl",
    ];
    set.bench(&[&late[..], &["--wall", "300ms"]].concat());
    assert_eq!(
        set.table("late.csv"),
        ["late.c script unknown none 0 wall limit"]
    );
    let processes = Command::new("ps")
        .args(["-eo", "args"])
        .output()
        .expect("ps");
    assert!(!String::from_utf8_lossy(&processes.stdout).contains("60.875"));
}

#[test]
fn the_runner_costs_little() {
    let set = Set::new();
    const TASKS: usize = 100;
    for n in 0..TASKS {
        set.write(&format!("set/t{n}.c"), "");
    }
    set.write("tools.toml", "[tools.true]\ncommand = ['true', '{file}']\n");
    // CPU time of everything: wall time depends on who else uses the machine.
    let output = Command::new("sh")
        .args(["-c", "\"$0\" bench set -t tools.toml >bench.out && times"])
        .arg(env!("CARGO_BIN_EXE_trellis"))
        .current_dir(set.dir.path())
        .output()
        .expect("sh starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let seconds = |time: &str| {
        let (minutes, seconds) = time.trim_end_matches('s').split_once('m').expect("a time");
        60.0 * minutes.parse::<f64>().expect("minutes") + seconds.parse::<f64>().expect("seconds")
    };
    let children = text.lines().last().expect("two lines");
    let spent: f64 = children.split_whitespace().map(seconds).sum();
    let each = 1000.0 * spent / TASKS as f64;
    eprintln!("{each} ms per task");
    assert!(each < 20.0, "{each} ms per task");
}

fn two_tools() -> Set {
    let set = Set::new();
    set.write(
        "set/<script>alert(1)<!script>.c",
        "echo 'fails: <b>part</b>'",
    );
    set.write("set/a\"b'&.c", "echo holds");
    set.write("set/c.c", "// verdict: false\n");
    set.write(
        "tools.toml",
        &format!("{TOOL}\n[tools.'<i>yes</i>']\ncommand = ['sh', '-c', 'echo VERDICT: true', '{{file}}']\n"),
    );
    set.bench(&[
        "set",
        "-t",
        "tools.toml",
        "-o",
        "html=r.html",
        "-o",
        "md=r.md",
        "-o",
        "csv=r.csv",
    ]);
    set
}

#[test]
fn reports_show_text_as_text() {
    let set = two_tools();
    let html = set.read("r.html");
    let tags = html.matches("<script").count();
    assert_eq!(tags, 1, "only the report's own script");
    assert!(html.contains("&lt;script&gt;alert(1)"));
    for word in ["http:", "https:", "src=", "href=", "@import", "url("] {
        assert!(!html.contains(word), "{word} would load something");
    }
    let markdown = set.read("r.md");
    assert!(!markdown.contains("<script") && !markdown.contains("<i>"));
    assert!(
        markdown.contains(
            "\n- c.c \\[unreach-call\\]: &lt;i&gt;yes&lt;/i&gt; says true, known is false"
        )
    );
    assert!(
        markdown.contains("says true, script says false(&lt;b&gt;part&lt;/b&gt;)"),
        "{markdown}"
    );
}

#[test]
fn two_files_are_compared() {
    let set = Set::new();
    set.write("set/a.c", "echo holds");
    set.write("set/b.c", "sleep 0.01");
    set.bench(&["set", "-t", "tools.toml", "-r", "old.jsonl"]);
    set.write("set/a.c", "sleep 0.01");
    set.write("set/b.c", "# verdict: true\necho 'fails: unreach-call'");
    set.write("set/c.c", "");
    set.bench(&["set", "-t", "tools.toml", "-r", "new.jsonl"]);
    let output = set.bench(&[
        "--compare",
        "old.jsonl",
        "new.jsonl",
        "-o",
        "html=both.html",
    ]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("Tasks in both: 2."), "{text}");
    assert!(
        text.contains("Lost (1):\n\n- `a.c [unreach-call]`: true in "),
        "{text}"
    );
    assert!(
        text.contains(
            "Gained (1):\n\n- `b.c [unreach-call]`: unknown (no verdict, exit code 0) in "
        ),
        "{text}"
    );
    assert!(set.read("both.html").contains("new: script"));
    assert!(Path::new(&set.path("old.jsonl")).exists());
}
