//! Jobs that use too much, detach themselves, multiply, or lose their caller.

use std::path::Path;
use std::time::Duration;
use trellis_confine::{Ending, Job, Limits, Outcome, Running};

const KEEPER: &str = env!("CARGO_BIN_EXE_trellis-keeper");

fn job(dir: &Path, script: &str, limits: Limits) -> Job {
    Job {
        command: vec!["sh".into(), "-c".into(), script.into()],
        dir: dir.into(),
        env: vec![("WORD".into(), "from outside".into())],
        unset: vec!["HOME".into()],
        stdout: dir.join("stdout"),
        stderr: dir.join("stderr"),
        limits,
    }
}

fn run(script: &str, limits: Limits) -> (Outcome, String) {
    let dir = tempfile::tempdir().expect("a folder");
    let job = job(dir.path(), script, limits);
    let running = Running::start(Path::new(KEEPER), &job).expect("starts");
    let outcome = running.wait().expect("a report");
    let stdout = std::fs::read_to_string(dir.path().join("stdout")).expect("written");
    (outcome, stdout)
}

/// Whether a process with this text in its command line is alive.
fn alive(text: &str) -> bool {
    std::fs::read_dir("/proc")
        .expect("proc")
        .flatten()
        .any(|e| {
            let own = e.file_name().to_str() == Some(&std::process::id().to_string());
            let line = std::fs::read(e.path().join("cmdline")).unwrap_or_default();
            !own && String::from_utf8_lossy(&line).contains(text)
        })
}

#[test]
fn endings_and_output() {
    let (outcome, stdout) = run("echo $WORD; exit 7", Limits::default());
    assert_eq!(outcome.ending, Ending::Exited(7));
    assert_eq!(stdout, "from outside\n");
    let (outcome, _) = run("kill -SEGV $$", Limits::default());
    assert_eq!(outcome.ending, Ending::Signal(11));
    let dir = tempfile::tempdir().expect("a folder");
    let mut job = job(dir.path(), "", Limits::default());
    job.command = vec!["/no/such/program".into()];
    let running = Running::start(Path::new(KEEPER), &job).expect("starts");
    let ending = running.wait().expect("a report").ending;
    assert!(matches!(ending, Ending::NotStarted(why) if why.contains("/no/such/program")));
}

#[test]
fn cpu_time_of_detached_processes_counts() {
    let limits = Limits {
        cpu: Some(Duration::from_millis(300)),
        wall: Some(Duration::from_secs(20)),
        ..Limits::default()
    };
    // The spinner is in a session of its own and has lost its parent.
    let (outcome, _) = run(
        "(setsid sh -c 'while :; do :; done' &) ; sleep 71.25",
        limits,
    );
    assert_eq!(outcome.ending, Ending::Cpu);
    assert!(outcome.cpu >= Duration::from_millis(280), "{outcome:?}");
    assert!(!alive("71.25"));
}

#[test]
fn memory_of_all_processes_together_counts() {
    let eater = "head -c 60000000 /dev/zero | tail -c 60000000 >/dev/null";
    let limits = |mib: u64| Limits {
        memory: Some(mib << 20),
        wall: Some(Duration::from_secs(20)),
        ..Limits::default()
    };
    let hold = "(head -c 60000000 /dev/zero; sleep 3) | tail -c 60000000 >/dev/null";
    let (outcome, _) = run(&format!("{hold} & {hold} & {hold} & wait"), limits(100));
    assert_eq!(outcome.ending, Ending::Memory);
    let (outcome, _) = run(eater, limits(1000));
    assert_eq!(outcome.ending, Ending::Exited(0));
    assert!(outcome.memory > 50 << 20, "{outcome:?}");
}

#[test]
fn forks_are_stopped_and_nothing_is_left() {
    let limits = Limits {
        processes: 60,
        wall: Some(Duration::from_secs(20)),
        ..Limits::default()
    };
    // Bounded, so that a failure of this test cannot take the machine with it.
    let bomb = "i=0; while [ $i -lt 400 ]; do sleep 83.125 & i=$((i+1)); done; wait";
    let (outcome, _) = run(bomb, limits);
    assert_eq!(outcome.ending, Ending::Processes);
    assert!(!alive("83.125"));
    let (outcome, _) = run("setsid sleep 97.375 & exit 3", Limits::default());
    assert_eq!(outcome.ending, Ending::Exited(3));
    assert_eq!(outcome.left_behind, 1);
    assert!(!alive("97.375"));
}

#[test]
fn wall_time_and_output_are_limited() {
    let limits = Limits {
        wall: Some(Duration::from_millis(100)),
        ..Limits::default()
    };
    assert_eq!(run("sleep 61.5", limits).0.ending, Ending::Wall);
    let limits = Limits {
        output: 1 << 20,
        ..Limits::default()
    };
    assert_eq!(run("yes", limits).0.ending, Ending::Output);
}

#[test]
fn the_end_of_the_caller_is_the_end_of_the_job() {
    let dir = tempfile::tempdir().expect("a folder");
    let job = job(dir.path(), "setsid sleep 59.625", Limits::default());
    let mut running = Running::start(Path::new(KEEPER), &job).expect("starts");
    while !alive("sleep\x0059.625") {
        std::thread::yield_now();
    }
    // As if the caller had died: its end of the pipe is closed.
    drop(running.leash());
    assert_eq!(running.wait().expect("a report").ending, Ending::Stopped);
    assert!(!alive("sleep\x0059.625"));
}
