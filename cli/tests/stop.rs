//! Ends before the answer: Ctrl-C, the wall time, and the death of the host.

mod support;

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use support::{Bench, ending};

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
    while !line.contains("bmc: no error in 2 segments") {
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
