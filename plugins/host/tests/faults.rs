//! Plugins that misbehave, each beside an engine that works: the verdict is right, and the report
//! names what the plugin did.

mod common;
mod kinds;

use common::{Oracle, Recorder, alive, ending, execute, hostile, plan, program, rust_plugin, spec};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use trellis_plugin_host::run::Event;
use trellis_plugin_host::{EngineSpec, Judge, Judgement, Stage, probe, run};
use trellis_plugin_sdk::export::RawVerdict;

/// Runs a hostile engine first and an honest one after it, so that the hostile one always has its
/// chance; both on a safe and on an unsafe program.
fn after_failure(plugin: &Path, id: &str, options: &str, expected: &str) {
    for (step, truth) in [(2, "safe"), (1, "unsafe")] {
        let program = program(step);
        let dir = tempfile::tempdir().expect("a temporary folder");
        let honest = trellis_engine_explicit_c::build(dir.path()).expect("the C compiler works");
        let engines = vec![
            spec("hostile", id, plugin, options),
            spec("honest", "explicit-c", &honest, ""),
        ];
        let mut plan = plan(&program, engines);
        // One that ends only by force is given little time; the others as much as a busy machine takes.
        let share = match expected.contains("cancellation") {
            true => 0.02,
            false => 0.5,
        };
        let sequence = vec![(share, Stage::Engine(0)), (1.0 - share, Stage::Engine(1))];
        plan.stage = Stage::Sequence(sequence);
        let outcome = execute(&plan, &program);
        let said = ending(&outcome, "hostile").replace(&plugin.display().to_string(), "PLUGIN");
        // A lie about an unsafe program may be the truth about a safe one.
        if !(truth == "safe" && id == "hostile" && said == "certified") {
            assert_eq!(said, expected);
            assert_eq!(ending(&outcome, "honest"), "certified");
        }
        assert_eq!(outcome.answer.map(|(_, answer)| answer), Some(truth));
    }
}

fn check(mode: &str, r#override: &str, expected: &str) {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let plugin = hostile(dir.path(), mode, r#override);
    after_failure(&plugin, "hostile", "", expected);
}

/// A library that was compiled with the header of a version before loads and decides: structures have grown since, and
/// nobody asks for equal sizes. The headers are as they were released; a new minor version adds its predecessor's here.
#[test]
fn libraries_of_older_headers_go_on() {
    for version in ["1.0", "1.1", "1.2"] {
        let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/headers");
        let dir = tempfile::tempdir().expect("a temporary folder");
        let library = dir.path().join("libtrellis_engine_explicit_c.so");
        let source = Path::new(trellis_engine_explicit_c::SOURCE);
        trellis_engine_explicit_c::compile_with(&headers.join(version), source, &library, &[])
            .expect("the C compiler works");
        let worker = Path::new(env!("CARGO_BIN_EXE_trellis-worker"));
        let info = probe(worker, &library).unwrap_or_else(|e| panic!("{version}: {e}"));
        assert_eq!(info.abi, version, "the old header was used");
        for (step, truth) in [(2, "safe"), (1, "unsafe")] {
            let program = program(step);
            let plan = plan(&program, vec![spec("old", "explicit-c", &library, "")]);
            let outcome = execute(&plan, &program);
            assert_eq!(ending(&outcome, "old"), "certified", "{version}");
            assert_eq!(
                outcome.answer.map(|(_, answer)| answer),
                Some(truth),
                "{version}"
            );
        }
    }
}

#[test]
fn handshakes_fail_each_in_its_way() {
    check(
        "wrong-magic",
        ".magic=\"TREILLS\"",
        "PLUGIN: the descriptor begins with [54, 52, 45, 49, 4c, 4c, 53, 00] instead of the magic number",
    );
    check(
        "wrong-major",
        ".abi_major=9",
        "PLUGIN: built for ABI 9.x, this host speaks 1.3: rebuild it with this version's SDK or header",
    );
    check(
        "new-minor",
        ".abi_minor=9",
        "PLUGIN: built for ABI 1.9, this host speaks only 1.3: update Trellis",
    );
    check(
        "small-struct",
        ".size=40",
        "PLUGIN: says that TrellisPlugin has 40 bytes, but its first version has 104",
    );
    check(
        "small-host",
        ".host_size=8",
        "PLUGIN: says that TrellisHost has 8 bytes, but its first version has 56",
    );
    check(
        "text-version",
        ".text_version=9",
        "PLUGIN: reads version 9 of the text form, this host writes 1",
    );
    check(
        "image-version",
        ".image_version=9",
        "PLUGIN: reads version 9 of the program image, this host writes 1",
    );
    check(
        "unknown-kind",
        ".kind=9",
        "PLUGIN: is of kind 9, which this host does not know",
    );
    check("null-solver", ".kind=2", "PLUGIN: `smt and sat` is null");
    check("null-table", ".engine=NULL", "PLUGIN: `engine` is null");
    check(
        "null-run",
        ".engine=&no_engine",
        "PLUGIN: `engine.run` is null",
    );
    check("null-text", ".licence=NULL", "PLUGIN: `licence` is null");
    check(
        "bad-utf8",
        ".description=\"\\xff\"",
        "PLUGIN: `description` is not UTF-8",
    );
    check(
        "bad-id",
        ".id=\"Hostile Plugin\"",
        "PLUGIN: `Hostile Plugin` is not an id: lower-case letters, digits and dashes, beginning with a letter",
    );
    check(
        "other-id",
        ".id=\"other\"",
        "PLUGIN: calls itself `other`, not `hostile`",
    );
    check(
        "no-symbol",
        "",
        "PLUGIN: exports no symbol `trellis_plugin`: it is not a Trellis plugin",
    );
}

#[test]
fn truncated_and_missing_libraries() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let whole = hostile(dir.path(), "print", "");
    let bytes = std::fs::read(&whole).expect("just compiled");
    let cut = dir.path().join("libtrellis_engine_cut.so");
    std::fs::write(&cut, &bytes[..1000]).expect("writable");
    after_failure(
        &cut,
        "hostile",
        "",
        "PLUGIN: cannot be loaded: the file is truncated",
    );
    after_failure(
        &dir.path().join("libtrellis_engine_nowhere.so"),
        "hostile",
        "",
        "PLUGIN: cannot be loaded: PLUGIN: cannot open shared object file: No such file or directory",
    );
}

#[test]
fn crashes() {
    check("segfault", "", "crashed (segmentation fault, signal 11)");
    check("abort", "", "crashed (aborted, signal 6)");
    check(
        "crash-on-load",
        "",
        "crashed (segmentation fault, signal 11)",
    );
    check(
        "exit",
        "",
        "ended its process with exit code 0 instead of answering",
    );
    check("no-verdict", "", "returned without an answer");
    check("status", "", "failed: status -7");
    let plugin = rust_plugin("misbehave");
    let misbehave = |mode: &str, expected: &str| {
        let options = format!("{{\"mode\": \"{mode}\"}}");
        after_failure(&plugin, "misbehave", &options, expected);
    };
    misbehave("panic", "panicked: as it was told");
    misbehave("panic-with-value", "panicked: a panic without text");
    misbehave("overflow", "crashed (aborted, signal 6)");
    misbehave("error", "failed: an error as it was told");
    misbehave(
        "typo",
        "failed: options: `mode` must be one of panic, panic-with-value, overflow, error, lie, unwound, contracts, terminates, diverges, comes-back, cells, wait",
    );
}

#[test]
fn hangs_and_hunger() {
    check("spin", "", "ignored its cancellation and was killed");
    check("deaf", "", "ignored its cancellation and was killed");
    check("eat", "", "used more than its 256 MiB of memory");
    check("hang-on-exit", "", "gave up: done");
}

#[test]
fn cpu_time_is_limited() {
    let program = program(2);
    let dir = tempfile::tempdir().expect("a temporary folder");
    let plugin = hostile(dir.path(), "spin", "");
    let mut plan = plan(&program, vec![spec("hostile", "hostile", &plugin, "")]);
    plan.limits.cpu_seconds = 1;
    let outcome = execute(&plan, &program);
    assert_eq!(ending(&outcome, "hostile"), "used up its 1 s of CPU time");
    assert!(outcome.answer.is_none());
}

#[test]
fn garbage_and_noise() {
    check(
        "garbage",
        "",
        "wrote garbage to the protocol: [74, 68, 69, 73] is not the beginning of a message",
    );
    check("print", "", "gave up: done");
    check("flood", "", "gave up: done");
    check("twice", "", "gave up: done");
    let program = program(2);
    let dir = tempfile::tempdir().expect("a temporary folder");
    let plugin = hostile(dir.path(), "print", "");
    let plan = plan(&program, vec![spec("hostile", "hostile", &plugin, "")]);
    let outcome = execute(&plan, &program);
    assert_eq!(outcome.reports[&0].stderr, "a plugin that prints\n");
}

#[test]
fn lies() {
    check(
        "lie-safe",
        "",
        "claimed safe, but the claim is wrong: an error is reachable",
    );
    check(
        "lie-unwound",
        "",
        "claimed safe, but the claim is wrong: an error is reachable",
    );
    check(
        "lie-trace",
        "",
        "claimed unsafe, but the claim is wrong: the trace ends at l1",
    );
    check(
        "lie-script",
        "",
        "claimed unsafe, but the claim is wrong: the script leads elsewhere",
    );
    check(
        "malformed",
        "",
        "claimed unsafe, but the claim is wrong: the stream ends within a step",
    );
    let program = program(2);
    let plugin = rust_plugin("misbehave");
    let lie = "{\"mode\": \"lie\"}";
    let plan = plan(&program, vec![spec("liar", "misbehave", &plugin, lie)]);
    let outcome = execute(&plan, &program);
    assert!(outcome.answer.is_none());
    // The error location is not reachable, so "false" holds there; nowhere else.
    let figures = outcome.lemmas.get("liar").copied().unwrap_or_default();
    assert!(figures.proved <= 1, "{figures:?}");
}

/// In a race nobody waits for those that hang, and nothing is left of them.
#[test]
fn race_leaves_nothing_behind() {
    let program = program(1);
    let dir = tempfile::tempdir().expect("a temporary folder");
    let honest = rust_plugin("random_walk");
    let offspring = hostile(dir.path(), "offspring-deaf", "");
    let spin = hostile(dir.path(), "spin", "");
    let polite = "{\"mode\": \"wait\"}";
    let engines = vec![
        spec("offspring", "hostile", &offspring, ""),
        spec("spin", "hostile", &spin, ""),
        spec("polite", "misbehave", &rust_plugin("misbehave"), polite),
        spec("honest", "random-walk", &honest, ""),
    ];
    let start = Instant::now();
    let outcome = execute(&plan(&program, engines), &program);
    assert_eq!(outcome.answer, Some((3, "unsafe")));
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(ending_of(&outcome, 2), "stopped");
    assert_eq!(
        ending_of(&outcome, 1),
        "ignored its cancellation and was killed"
    );
    for report in outcome.reports.values() {
        for pid in pids(&report.stderr) {
            assert!(!alive(pid), "{} left process {pid}", report.name);
        }
    }
}

/// An engine begins when others have had so much CPU time, or when nobody is left who could go on.
#[test]
fn engines_begin_when_their_turn_comes() {
    let program = program(1);
    let walk = |name: &str, options: &str, after: Duration| EngineSpec {
        after,
        ..spec(name, "random-walk", &rust_plugin("random_walk"), options)
    };
    let begun = |engines: Vec<EngineSpec>| {
        let recorder = Recorder::default();
        let mut oracle = Oracle {
            program: program.clone(),
        };
        let stop = AtomicBool::new(false);
        let outcome = run(
            &plan(&program, engines),
            &mut oracle,
            None,
            &recorder,
            &stop,
        );
        let (index, answer) = outcome.answer.expect("the walk finds the error");
        assert_eq!(answer, "unsafe");
        let events = recorder.0.into_inner().expect("nobody panicked");
        let started = |(name, event): (String, Event)| match event {
            Event::Started(_) => Some(name),
            _ => None,
        };
        let started: Vec<String> = events.into_iter().filter_map(started).collect();
        (index, started.join(" "))
    };
    let (now, hour) = (Duration::ZERO, Duration::from_secs(3600));
    // Nobody is left after the first.
    let idle = "{\"walks\": 0}";
    let (index, started) = begun(vec![walk("later", "", hour), walk("idle", idle, now)]);
    assert_eq!((index, started.as_str()), (0, "idle later"));
    // The first goes on for ever.
    let after = Duration::from_millis(200);
    let polite = "{\"mode\": \"wait\"}";
    let waits = spec("waits", "misbehave", &rust_plugin("misbehave"), polite);
    let (index, started) = begun(vec![waits, walk("later", "", after)]);
    assert_eq!((index, started.as_str()), (1, "waits later"));
}

/// A judge that takes its time.
struct Slow(Oracle, Duration);

impl Judge for Slow {
    type Accepted = &'static str;

    fn judge(&mut self, spec: &EngineSpec, claim: &RawVerdict) -> Judgement<&'static str> {
        std::thread::sleep(self.1);
        self.0.judge(spec, claim)
    }
}

/// What may be decided already costs nobody else's time, and whoever was held is heard afterwards.
#[test]
fn nobody_works_while_a_claim_is_judged() {
    let polite = "{\"mode\": \"wait\"}";
    let program = program(1);
    for truth in [Some("unsafe"), None] {
        let lie = "{\"mode\": \"unwound\"}";
        let claims = match truth {
            Some(_) => spec("claims", "random-walk", &rust_plugin("random_walk"), ""),
            None => spec("claims", "misbehave", &rust_plugin("misbehave"), lie),
        };
        let waits = spec("waits", "misbehave", &rust_plugin("misbehave"), polite);
        let mut plan = plan(&program, vec![waits, claims]);
        plan.wall = Some(Duration::from_secs(2));
        plan.grace = Duration::from_secs(5);
        let pause = Duration::from_millis(400);
        let oracle = Oracle {
            program: program.clone(),
        };
        let stop = AtomicBool::new(false);
        let mut judge = Slow(oracle, pause);
        let outcome = run(&plan, &mut judge, None, &Recorder::default(), &stop);
        assert_eq!(outcome.answer.map(|(_, answer)| answer), truth);
        let waits = &outcome.reports[&0];
        let end = match truth {
            Some(_) => "stopped",
            None => "out of time",
        };
        assert_eq!(waits.outcome.to_string(), end);
        let busy = waits.resources.cpu;
        assert!(
            busy + pause / 2 < waits.wall,
            "{busy:?} of {:?}",
            waits.wall
        );
    }
}

/// A command that starts workers carries their streams, and its end is theirs.
#[test]
fn workers_are_started_by_a_command() {
    let program = program(1);
    let walk = spec("walk", "random-walk", &rust_plugin("random_walk"), "");
    let mut plan = plan(&program, vec![walk]);
    plan.launcher = vec!["env".into(), "-u".into(), "NOTHING".into()];
    let outcome = execute(&plan, &program);
    assert_eq!(outcome.answer, Some((0, "unsafe")));
    // By its own account: of a process elsewhere nothing is measured.
    assert!(outcome.reports[&0].resources.memory > 1 << 20);
    plan.launcher = vec!["false".into()];
    let outcome = execute(&plan, &program);
    assert_eq!(outcome.answer, None);
    let end = "ended its process with exit code 1 instead of answering";
    assert_eq!(ending_of(&outcome, 0), end);
    // What never comes to work is no misbehaviour of the engine.
    plan.launcher = ["sh", "-c", "sleep 60", "sh"].map(String::from).into();
    plan.wall = Some(Duration::from_millis(100));
    assert_eq!(
        ending_of(&execute(&plan, &program), 0),
        "crashed (terminated, signal 15)"
    );
}

fn ending_of<A>(outcome: &trellis_plugin_host::Outcome<A>, index: usize) -> String {
    outcome.reports[&index].outcome.to_string()
}

fn pids(text: &str) -> Vec<u32> {
    let lines = text.lines().filter_map(|l| l.strip_prefix("offspring "));
    lines.filter_map(|n| n.parse().ok()).collect()
}

/// An engine that has answered and gone leaves no children either, nor does one that made a child
/// which left its group and lost its parent.
#[test]
fn offspring_dies_with_the_worker() {
    let program = program(2);
    let dir = tempfile::tempdir().expect("a temporary folder");
    for mode in ["offspring", "daemon"] {
        let plugin = hostile(dir.path(), mode, "");
        let mut plan = plan(&program, vec![spec("hostile", "hostile", &plugin, "")]);
        plan.wall = Some(Duration::from_secs(2));
        let outcome = execute(&plan, &program);
        let pids = pids(&outcome.reports[&0].stderr);
        assert_eq!(pids.len(), 1, "{mode}");
        assert!(!alive(pids[0]), "{mode}");
    }
}

/// The host is killed without a chance to clean up; its workers and their children die.
#[test]
fn nothing_survives_the_host() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let dir = tempfile::tempdir().expect("a temporary folder");
    let plugin = hostile(dir.path(), "offspring-deaf", "");
    let file = dir.path().join("p.ivl");
    std::fs::write(&file, trellis_ivl::text::print(&program(2))).expect("writable");
    let mut host = Command::new(env!("CARGO_BIN_EXE_trellis-worker"))
        .arg("hostile")
        .arg(&plugin)
        .arg(&file)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the host starts");
    let stdout = BufReader::new(host.stdout.take().expect("piped"));
    let worker: u32 = stdout
        .lines()
        .find_map(|line| {
            let line = line.expect("text");
            let at = line.split("Progress(\"ready\", ").nth(1)?;
            at.trim_end_matches(')').parse().ok()
        })
        .expect("the engine reports");
    let group = processes_in_group_of(worker);
    assert!(group.len() >= 3, "warden, worker and offspring: {group:?}");
    host.kill().expect("it runs");
    host.wait().expect("it ran");
    let deadline = Instant::now() + Duration::from_secs(10);
    while group.iter().any(|&pid| alive(pid)) {
        assert!(
            Instant::now() < deadline,
            "some of {group:?} survive the host"
        );
        std::thread::yield_now();
    }
}

fn group_of(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.split(' ').nth(2)?.parse().ok()
}

fn processes_in_group_of(pid: u32) -> Vec<u32> {
    let group = group_of(pid).expect("the worker lives");
    let entries = std::fs::read_dir("/proc").expect("a Linux system");
    let pids = entries.filter_map(|e| e.ok()?.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|&pid| group_of(pid) == Some(group)).collect()
}
