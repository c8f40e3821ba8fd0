//! `trellis bench --on`: runs on workers of HyperQueue and on a Slurm of one node, with workers, servers and clients that die.

use crate::python::{python, root};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A tool that notes when it begins and ends with a task, and takes some time for it.
const TOOL: &str = "[tools.slow]
command = ['sh', '-c', 'echo begin >>\"$0.ran\"; sleep 0.1; . \"$0\"; echo end >>\"$0.ran\"', '{file}']
version = ['echo', 'slow 1.0']
";
const TASKS: usize = 30;

struct Set {
    dir: tempfile::TempDir,
    python: PathBuf,
    processes: Vec<Child>,
}

impl Drop for Set {
    fn drop(&mut self) {
        for process in &mut self.processes {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

impl Set {
    fn new(python: PathBuf) -> Set {
        let dir = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(dir.path().join("set")).expect("made");
        for n in 0..TASKS {
            let answer = ["true", "false", "unknown"][n % 3];
            let text = format!("# verdict: true\necho VERDICT: {answer}\n");
            std::fs::write(dir.path().join(format!("set/t{n:02}.c")), text).expect("written");
        }
        std::fs::write(dir.path().join("tools.toml"), TOOL).expect("written");
        Set {
            dir,
            python,
            processes: Vec::new(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Starts a part of the cluster; where it is among the processes.
    fn start(&mut self, args: &[&str]) -> usize {
        let mut command = Command::new(&self.python);
        command.arg(root().join("tests/cluster.py")).args(args);
        command.current_dir(self.dir.path()).stdout(Stdio::piped());
        let mut process = command.stderr(Stdio::null()).spawn().expect("Python");
        let lines = BufReader::new(process.stdout.take().expect("a pipe")).lines();
        assert!(lines.map_while(Result::ok).any(|l| l == "up"), "{args:?}");
        self.processes.push(process);
        self.processes.len() - 1
    }

    fn server(&mut self) -> usize {
        let dir = self.path("server").display().to_string();
        self.start(&["server", &dir])
    }

    fn worker(&mut self, name: &str) -> usize {
        let dir = self.path("server").display().to_string();
        let own = self.path(name).display().to_string();
        self.start(&["worker", &dir, &own, "1"])
    }

    fn kill(&mut self, which: usize) {
        self.processes[which].kill().expect("SIGKILL");
        self.processes[which].wait().expect("reaped");
    }

    fn bench(&self, results: &str, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trellis"));
        let common = [
            "bench",
            "set",
            "-t",
            "tools.toml",
            "--cpu",
            "20s",
            "-r",
            results,
        ];
        command.args(common).args(args).current_dir(self.dir.path());
        command.env("TRELLIS_PYTHON", &self.python);
        command.env("HQ_SERVER_DIR", self.path("server"));
        command.stdout(Stdio::null());
        command
    }

    fn finish(&self, results: &str, args: &[&str]) {
        let status = self.bench(results, args).status().expect("trellis starts");
        assert_eq!(status.code(), Some(0), "{args:?}");
    }

    /// What is known of each task.
    fn verdicts(&self, results: &str) -> BTreeMap<String, String> {
        let text = std::fs::read_to_string(self.path(results)).unwrap_or_default();
        let lines = text.split_inclusive('\n').filter(|l| l.ends_with('\n'));
        let record = |line: &str| {
            let record: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let text = |key: &str| record[key].as_str().expect(key).to_string();
            (
                text("task"),
                format!("{} {}", text("verdict"), text("status")),
            )
        };
        lines.skip(1).map(record).collect()
    }

    /// Waits until so many tasks are known.
    fn until(&self, results: &str, count: usize) -> BTreeMap<String, String> {
        let begun = Instant::now();
        loop {
            let known = self.verdicts(results);
            if known.len() >= count {
                return known;
            }
            assert!(
                begun.elapsed() < Duration::from_secs(120),
                "{}",
                known.len()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// How often a task was begun.
    fn begun(&self, task: &str) -> usize {
        let path = self.path("set").join(format!("{task}.ran"));
        let text = std::fs::read_to_string(path).unwrap_or_default();
        text.lines().filter(|l| *l == "begin").count()
    }

    fn forget(&self) {
        for n in 0..TASKS {
            let _ = std::fs::remove_file(self.path(&format!("set/t{n:02}.c.ran")));
        }
    }
}

#[test]
fn workers_and_servers_may_die() {
    let Some(python) = python() else { return };
    let mut set = Set::new(python);
    set.finish("local.jsonl", &["-j", "2"]);
    set.forget();
    // Without a server there is nothing to wait for.
    let none = set.bench("none.jsonl", &["--on", "hyperqueue"]).output();
    let none = none.expect("trellis starts");
    assert_eq!(none.status.code(), Some(2));
    let why = String::from_utf8_lossy(&none.stderr).into_owned();
    assert!(
        why.contains("--on hyperqueue: there is no HyperQueue server in"),
        "{why}"
    );

    let server = set.server();
    let workers = [set.worker("w1"), set.worker("w2"), set.worker("w3")];
    let mut client = set
        .bench("hq.jsonl", &["--on", "hyperqueue"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("trellis starts");
    let mut known = BTreeMap::new();
    let mut note = |set: &Set| {
        for task in set.verdicts("hq.jsonl").into_keys() {
            let begun = set.begun(&task);
            known.entry(task).or_insert(begun);
        }
    };
    set.until("hq.jsonl", 6);
    note(&set);
    set.kill(workers[0]);
    set.until("hq.jsonl", 14);
    note(&set);
    set.kill(server);
    set.kill(workers[1]);
    set.kill(workers[2]);
    note(&set);
    set.server();
    set.worker("w4");
    set.worker("w5");
    assert_eq!(client.wait().expect("it ends").code(), Some(0));
    assert_eq!(set.verdicts("hq.jsonl"), set.verdicts("local.jsonl"));
    for (task, begun) in known {
        assert_eq!(
            set.begun(&task),
            begun,
            "{task} had finished and was run again"
        );
    }
    let again: usize = (0..TASKS).map(|n| set.begun(&format!("t{n:02}.c"))).sum();
    assert!(
        again <= TASKS + 1 + 3,
        "{} runs again for four that died",
        again - TASKS
    );
    assert!(!set.path("hq.jsonl.spool").exists(), "all is done");

    // A client that dies costs nothing: its runs go on, and the next one finds them.
    set.forget();
    let mut client = set
        .bench("killed.jsonl", &["--on", "hyperqueue"])
        .spawn()
        .expect("trellis starts");
    set.until("killed.jsonl", 8);
    client.kill().expect("SIGKILL");
    client.wait().expect("reaped");
    set.finish("killed.jsonl", &["--on", "hyperqueue"]);
    assert_eq!(set.verdicts("killed.jsonl"), set.verdicts("local.jsonl"));
    for n in 0..TASKS {
        assert_eq!(set.begun(&format!("t{n:02}.c")), 1);
    }
}

/// A program `hq` that starts what it is given at once, in another folder, and notes it; `first` is what becomes of the first job.
fn queue(set: &Set, first: &str) -> PathBuf {
    let path = set.path("hq");
    let text = format!(
        "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\nshift\ncd /\nif mkdir \"$0.first\" 2>/dev/null; then {first}; fi\n\
         echo \"$@\" >>\"$0.log\"\n\"$@\"\n"
    );
    std::fs::write(&path, text).expect("written");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&path, mode).expect("executable");
    path
}

/// A check with its engines elsewhere: what it said.
fn check(set: &Set, path: Option<&Path>, args: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trellis"));
    command
        .args(["check", "--on", "hyperqueue", "-v"])
        .args(args);
    command.current_dir(root());
    command.env("XDG_CACHE_HOME", set.path("cache"));
    command.env("TRELLIS_PYTHON", &set.python);
    command.env("HQ_SERVER_DIR", set.path("server"));
    if let Some(dir) = path.and_then(Path::parent) {
        let rest = std::env::var_os("PATH").unwrap_or_default();
        let all = std::iter::once(dir.to_path_buf()).chain(std::env::split_paths(&rest));
        command.env("PATH", std::env::join_paths(all).expect("a path"));
    }
    let output = command.output().expect("trellis starts");
    let said = [output.stdout, output.stderr].concat();
    (
        output.status.code(),
        String::from_utf8_lossy(&said).into_owned(),
    )
}

#[test]
fn engines_of_a_race_are_jobs() {
    let set = Set::new(PathBuf::new());
    let hq = queue(&set, ":");
    let (code, said) = check(&set, Some(&hq), &["examples/ring.c"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("VERDICT: true"), "{said}");
    let jobs = std::fs::read_to_string(set.path("hq.log")).expect("there were jobs");
    assert!(jobs.lines().all(|l| l.contains("__worker-at")), "{jobs}");
    let (code, said) = check(&set, Some(&hq), &["examples/ring-bug.c"]);
    assert_eq!(code, Some(10), "{said}");

    // A machine that is lost with its job, and one that does not get to work, cost one engine each.
    for first in ["\"$@\" & sleep 0.05; kill -9 $!; exit 1", "exit 1"] {
        std::fs::remove_dir(set.path("hq.first")).expect("it was the first");
        let hq = queue(&set, first);
        let (code, said) = check(&set, Some(&hq), &["examples/ring.c"]);
        assert_eq!(code, Some(0), "{said}");
    }
    // There is nobody who hands out jobs.
    let set = Set::new(PathBuf::from("/nowhere/python"));
    let (code, said) = check(&set, None, &["-e", "bmc", "examples/ring.c"]);
    assert_eq!(code, Some(20), "{said}");
    assert!(said.contains("/nowhere/python"), "{said}");
}

#[test]
fn engines_run_on_workers_of_hyperqueue() {
    let Some(python) = python() else { return };
    let mut set = Set::new(python);
    set.server();
    set.worker("w1");
    set.worker("w2");
    for (file, code) in [("examples/ring.c", 0), ("examples/ring-bug.c", 10)] {
        let (found, said) = check(&set, None, &[file]);
        assert_eq!(found, Some(code), "{said}");
    }
    // What was not needed any more is not waited for, and leaves nothing behind.
    let left = std::fs::read_dir(set.path("cache/trellis/elsewhere")).expect("it was used");
    assert!(left.count() <= 2 * 6, "at most what never came to work");
}

#[test]
fn results_of_several_machines_become_one() {
    let set = Set::new(PathBuf::new());
    set.finish("a.jsonl", &["--match", "t0"]);
    set.finish("b.jsonl", &["--match", "t[01]"]);
    let merge = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trellis"));
        command.arg("bench").args(args).current_dir(set.dir.path());
        let output = command.output().expect("trellis starts");
        let said = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        (output.status.code(), said)
    };
    let (code, said) = merge(&[
        "--merge",
        "a.jsonl",
        "b.jsonl",
        "-r",
        "all.jsonl",
        "-o",
        "csv=all.csv",
    ]);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("20 runs; 10 more were in several files, of which 0 say something else"),
        "{said}"
    );
    assert_eq!(set.verdicts("all.jsonl").len(), 20);
    let csv = std::fs::read_to_string(set.path("all.csv")).expect("written");
    assert!(
        csv.lines().nth(1).expect("a row").ends_with(",a.jsonl"),
        "{csv}"
    );

    // A tool that contradicts itself is found.
    let b = std::fs::read_to_string(set.path("b.jsonl")).expect("written");
    let turned = b.replace("\"verdict\":\"false\"", "\"verdict\":\"true\"");
    std::fs::write(set.path("c.jsonl"), turned).expect("written");
    let (code, said) = merge(&["--merge", "a.jsonl", "c.jsonl", "-r", "bad.jsonl"]);
    assert_eq!(code, Some(10), "{said}");
    assert!(said.contains("CONTRADICTION t01.c"), "{said}");

    let other = b.replace("slow 1.0", "slow 2.0");
    std::fs::write(set.path("d.jsonl"), other).expect("written");
    let (code, said) = merge(&["--merge", "a.jsonl", "d.jsonl", "-r", "bad.jsonl"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("another version of slow"), "{said}");
}

/// What stands in for a program of a cluster: runs every job of an array, several at a time, and some of them twice.
const HQ: &str = r#"#!/bin/sh
# hq submit ... --array 0-N ... -- COMMAND
echo "$@" >>"$(dirname "$0")/calls"
[ "$1" = submit ] || exit 0
while [ "$1" != -- ]; do
    [ "$1" = --array ] && last=${2#0-}
    shift
done
shift
echo "Job submitted successfully, job ID: 1"
n=0
while [ $n -le $last ]; do
    HQ_TASK_ID=$n "$@" &
    HQ_TASK_ID=$n "$@" &
    n=$((n + 1))
    [ $((n % 4)) = 0 ] && wait
done
wait
"#;

#[test]
fn what_is_handed_out_twice_is_made_once() {
    use std::os::unix::fs::PermissionsExt;
    let set = Set::new(PathBuf::new());
    let bin = set.path("bin");
    std::fs::create_dir(&bin).expect("made");
    std::fs::write(bin.join("hq"), HQ).expect("written");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(bin.join("hq"), mode).expect("set");
    let path = format!(
        "{}:{}",
        bin.display(),
        std::env::var("PATH").expect("a path")
    );
    let mut command = set.bench(
        "hq.jsonl",
        &["--on", "hq", "--cores", "3", "--on-args", "--pin taskset"],
    );
    let status = command.env("PATH", path).status().expect("trellis starts");
    assert_eq!(status.code(), Some(0));
    assert_eq!(set.verdicts("hq.jsonl").len(), TASKS);
    for n in 0..TASKS {
        assert_eq!(set.begun(&format!("t{n:02}.c")), 1);
    }
    let calls = std::fs::read_to_string(bin.join("calls")).expect("written");
    assert!(
        calls.starts_with(
            "submit --name trellis-bench --wait --array 0-29 --cpus 3 --crash-limit 100"
        ),
        "{calls}"
    );
    assert!(calls.contains(" --pin taskset -- "), "{calls}");
    let text = std::fs::read_to_string(set.path("hq.jsonl")).expect("written");
    assert!(
        text.contains("\"place\":{\"host\":"),
        "every run says where it was made"
    );
}

/// A Slurm of this machine alone, as its administrator sets it up.
fn slurm(dir: &Path) -> Option<(Vec<Child>, PathBuf)> {
    if std::env::var_os("TRELLIS_SLURM").is_none() {
        eprintln!("SKIPPED: a Slurm is started where TRELLIS_SLURM is set");
        return None;
    }
    let there = |program: &str| Path::new("/usr/sbin").join(program).exists();
    if !["slurmctld", "slurmd", "munged"].into_iter().all(there) {
        eprintln!("SKIPPED: there is no Slurm here (apt-get install slurm-wlm)");
        return None;
    }
    let mut command = Command::new("sh");
    command.arg(root().join("tests/slurm.sh")).arg(dir);
    let status = command.stdout(Stdio::null()).status().expect("sh starts");
    if !status.success() {
        eprintln!("SKIPPED: Slurm does not start here, see {}", dir.display());
        return None;
    }
    Some((Vec::new(), dir.join("slurm.conf")))
}

#[test]
fn slurm_makes_the_runs_too() {
    let set = Set::new(PathBuf::new());
    let Some((_, conf)) = slurm(&set.path("slurm")) else {
        return;
    };
    set.finish("local.jsonl", &["-j", "2"]);
    set.forget();
    let args = ["--on", "slurm", "--match", "t[01]", "-m", "200MiB"];
    let mut client = set.bench("slurm.jsonl", &args);
    let mut client = client.env("SLURM_CONF", &conf).spawn().expect("it starts");
    let known = set.until("slurm.jsonl", 5);
    // A client that dies leaves jobs behind, which go on.
    client.kill().expect("SIGKILL");
    client.wait().expect("reaped");
    let mut again = set.bench("slurm.jsonl", &args);
    let status = again.env("SLURM_CONF", &conf).status().expect("it starts");
    let stop = Command::new("sh")
        .arg(root().join("tests/slurm.sh"))
        .arg("stop")
        .arg(set.path("slurm"))
        .status();
    assert!(stop.is_ok());
    assert_eq!(status.code(), Some(0));
    let local = set.verdicts("local.jsonl");
    let wanted: BTreeMap<_, _> = local
        .into_iter()
        .filter(|(t, _)| t < &"t20".to_string())
        .collect();
    assert_eq!(set.verdicts("slurm.jsonl"), wanted);
    for task in known.keys() {
        assert_eq!(set.begun(task), 1, "{task} had finished and was run again");
    }
}
