//! Ends before the answer: Ctrl-C, the wall time, and the death of the host.

use crate::support::{Bench, ending};
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Deep enough that bounded model checking has no answer for a long time.
const ENDLESS: &str = "ivl 1;
var x: bv64; var y: bv64;
proc main() {
  loc l0 entry; loc l1; loc l2 error \"unreach-call\";
  l0 -> l1 { x := 1bv64; havoc y };
  l1 -> l1 { x := x * 3bv64; havoc y };
  l1 -> l2 { assume x == 0bv64 };
}
main main;
";

/// Starts an endless check and waits until its engine has been loaded.
fn start(bench: &Bench) -> (Child, BufReader<std::process::ChildStderr>) {
    bench.write("endless.ivl", ENDLESS);
    let args = [
        "check",
        "-vv",
        "-e",
        "bmc",
        "-o",
        "json=r.json",
        "endless.ivl",
    ];
    let mut child = bench
        .command(&args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("trellis starts");
    let mut stderr = BufReader::new(child.stderr.take().expect("piped"));
    let mut line = String::new();
    while !line.contains("bmc: no error up to segment 2") {
        line.clear();
        assert_ne!(stderr.read_line(&mut line).expect("text"), 0, "it ended");
    }
    (child, stderr)
}

fn signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    let mut kill = std::process::Command::new("kill");
    let status = kill.args(["-s", name, &pid]).status();
    assert!(status.expect("kill is there").success());
}

/// Waits until no process works in the folder.
fn deserted(bench: &Bench) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !bench.processes().is_empty() {
        assert!(Instant::now() < deadline, "{:?} survive", bench.processes());
        std::thread::yield_now();
    }
}

#[test]
fn interruption_ends_with_what_is_known() {
    for name in ["INT", "TERM"] {
        let bench = Bench::new();
        let (child, mut stderr) = start(&bench);
        signal(&child, name);
        // Read to the end, or the pipe fills up.
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut stderr, &mut rest).expect("text");
        let output = child.wait_with_output().expect("it ends");
        let (code, last, _) = ending(&output);
        assert_eq!(
            (code, last.as_str()),
            (20, "VERDICT: unknown (interrupted)")
        );
        deserted(&bench);
        let text = std::fs::read_to_string(bench.path("r.json")).expect("written");
        let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(report["verdict"], "unknown");
        assert_eq!(report["engines"][0]["outcome"], "stopped");
        let queries = &report["engines"][0]["queries"];
        assert!(queries.as_object().is_some_and(|q| !q.is_empty()), "{text}");
    }
}

#[test]
fn nothing_survives_a_host_that_is_killed() {
    let bench = Bench::new();
    let (mut child, _stderr) = start(&bench);
    assert!(bench.processes().len() >= 3, "host, warden and worker");
    child.kill().expect("it runs");
    child.wait().expect("it ran");
    deserted(&bench);
}

#[test]
fn wall_time_holds() {
    let bench = Bench::new();
    bench.write("endless.ivl", ENDLESS);
    let begin = Instant::now();
    let args = ["-t", "1s", "-e", "bmc", "endless.ivl"];
    let (code, last, stderr) = bench.check(&args);
    assert_eq!(
        (code, last.as_str()),
        (20, "VERDICT: unknown (bmc: out of time)"),
        "{stderr}"
    );
    assert!(begin.elapsed() >= Duration::from_secs(1));
    // Also where nothing looks at the clock.
    let (code, last, _) = bench.check(&["-t", "1ms", "-e", "bmc", "endless.ivl"]);
    assert_eq!(code, 20);
    assert!(last.contains("out of time"), "{last}");
}

/// A thousand rounds in one query that is hard enough to be at work when the time is over.
const HARD: &str = "ivl 1;
var i: bv32; var x: bv32; var s: bv32; var e: bv32;
proc main() {
  loc l0 entry; loc l1; loc l2; loc l3 error \"unreach-call\";
  l0 -> l1 { i, s, e := 0bv32, 0bv32, 0bv32 };
  l1 -> l2 { assume i <u 1000bv32; havoc x };
  l2 -> l1 { assume x >s 0bv32; s, i := s + 1bv32, i + 1bv32 };
  l2 -> l1 { assume x <s 5bv32; e, i := e + 1bv32, i + 1bv32 };
  l2 -> l1 { assume x == 7bv32; s, e, i := s + 1bv32, e + 1bv32, i + 1bv32 };
  l1 -> l3 { assume i >=u 1000bv32; assume s + e <u 1000bv32 };
}
main main;
";

/// A solver in the middle of simplifying takes its time to stop; the engine that asked it does not wait for that, and
/// so is not blamed for it.
#[test]
fn an_engine_does_not_wait_for_its_solver() {
    let bench = Bench::new();
    bench.write("hard.ivl", HARD);
    for seconds in [4, 5] {
        let wall = format!("{seconds}s");
        let args = [
            "-p",
            "bmc",
            "--timeout",
            &wall,
            "-o",
            "json=r.json",
            "hard.ivl",
        ];
        let (code, last, stderr) = bench.check(&args);
        let stopped = "VERDICT: unknown (bmc: out of time)";
        // A machine that is fast enough may also answer.
        let fine = (code, last.as_str()) == (20, stopped) || code == 0;
        assert!(fine, "{code}: {last}: {stderr}");
    }
    deserted(&bench);
}
