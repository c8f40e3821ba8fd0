//! Hostile plugins beside a working engine, through the command line: the verdict is right, the
//! message names the plugin and what it did, and nothing is left of it.

use crate::support::{Bench, ending};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// How a plugin misbehaves, what its descriptor says instead of the truth, and what the user reads.
/// Those that only waste time are stopped by the pipeline's share of it.
const HOSTILE: &[(&str, &str, &str)] = &[
    (
        "wrong-magic",
        ".magic=\"TREILLS\"",
        "instead of the magic number",
    ),
    (
        "wrong-major",
        ".abi_major=9",
        "built for ABI 9.x, this host speaks 1.3",
    ),
    ("truncated", "", "cannot be loaded: the file is truncated"),
    ("segfault", "", "crashed (segmentation fault, signal 11)"),
    ("abort", "", "crashed (aborted, signal 6)"),
    ("spin", "", "ignored its cancellation and was killed"),
    ("deaf", "", "ignored its cancellation and was killed"),
    ("eat", "", "used more than its 128 MiB of memory"),
    ("garbage", "", "wrote garbage to the protocol"),
    ("lie-safe", "", "claimed safe, but the claim is wrong"),
    (
        "lie-unwound",
        "",
        "claimed safe, but the claim is wrong: not proved: no execution visits",
    ),
    (
        "lie-trace",
        "",
        "claimed unsafe, but the claim is wrong: the trace",
    ),
    (
        "lie-script",
        "",
        "claimed unsafe, but the claim is wrong: the script does not lead to an error",
    ),
    ("daemon", "", "ignored its cancellation and was killed"),
];

fn build(bench: &Bench, mode: &str, replaced: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../plugins/host/tests/hostile.c");
    let library = bench.path("libtrellis_engine_hostile.so");
    let definitions = [
        format!("-DMODE=\"{mode}\""),
        format!("-DOVERRIDE={replaced}"),
        "-Wno-override-init".to_string(),
    ];
    trellis_engine_explicit_c::compile(&source, &library, &definitions)
        .expect("the C compiler works");
    if mode == "truncated" {
        let bytes = std::fs::read(&library).expect("just built");
        std::fs::write(&library, &bytes[..1000]).expect("writable");
    }
}

/// The hostile engine has its chance first, then the working one.
const PIPELINE: &str = "passes = \"inline\"
run = { sequence = [{ share = 1, engine = \"hostile\" }, { share = 19, engine = \"kiki\" }] }
[engines.hostile]
[engines.kiki]
[limits]
wall = \"60s\"
memory = \"128MiB\"
grace = \"200ms\"
";

fn check(bench: &Bench, file: &str, verdict: (i32, &str), said: &str, mode: &str) {
    let before = bench.names();
    let output = bench.trellis(&["check", "-p", "hostile.toml", file]);
    assert_eq!(bench.processes(), [0u32; 0], "{mode} left processes");
    assert_eq!(bench.names(), before, "{mode} left files");
    let (code, last, stderr) = ending(&output);
    assert_eq!((code, last.as_str()), verdict, "{mode}: {stderr}");
    let library = bench.path("libtrellis_engine_hostile.so");
    let blame = format!("warning: engine hostile ({}): ", library.display());
    let lie_that_is_true = verdict.0 == 0 && mode == "lie-safe";
    assert!(
        lie_that_is_true || stderr.contains(&blame) && stderr.contains(said),
        "{mode}: {stderr}"
    );
}

#[test]
fn nobody_else_is_harmed() {
    let bench = Bench::new();
    bench.write("hostile.toml", PIPELINE);
    for (mode, replaced, said) in HOSTILE {
        build(&bench, mode, replaced);
        let truth = (10, "VERDICT: false(unreach-call)");
        check(&bench, "unsafe.ivl", truth, said, mode);
        if ["lie-safe", "lie-trace", "garbage"].contains(mode) {
            check(&bench, "safe.ivl", (0, "VERDICT: true"), said, mode);
        }
    }
}

/// A plugin in Rust: what it does wrong is caught at the border.
#[test]
fn panics_and_false_lemmas() {
    let bench = Bench::new();
    let pipeline = |mode: &str| {
        PIPELINE.replace("hostile", "misbehave").replace(
            "[engines.kiki]",
            &format!("options = {{ mode = \"{mode}\" }}\n[engines.kiki]"),
        )
    };
    bench.write("p.toml", &pipeline("panic"));
    let (code, last, stderr) = bench.check(&["-p", "p.toml", "unsafe.ivl"]);
    assert_eq!((code, last.as_str()), (10, "VERDICT: false(unreach-call)"));
    assert!(stderr.contains("warning: engine misbehave ("), "{stderr}");
    assert!(stderr.contains("): panicked: as it was told"), "{stderr}");
    // It publishes "false" everywhere and calls that proved; nobody is told so.
    bench.write("p.toml", &pipeline("lie"));
    for (file, verdict) in [("unsafe.ivl", 10), ("safe.ivl", 0)] {
        let args = ["-v", "-p", "p.toml", "-o", "json=r.json", file];
        let (code, last, stderr) = bench.check(&args);
        assert_eq!(code, verdict, "{last}: {stderr}");
        let text = std::fs::read_to_string(bench.path("r.json")).expect("written");
        let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(report["lemmas"]["misbehave"]["published"], 3, "{text}");
        assert_eq!(report["lemmas"]["misbehave"]["proved"], 0, "{text}");
        assert!(
            stderr.contains("misbehave: 0 of 3 lemmas proved"),
            "{stderr}"
        );
    }
}

/// An engine that claims a complete unwinding is believed exactly where it is one, whatever number it names.
#[test]
fn unwindings_are_repeated() {
    let bench = Bench::new();
    // The counter that jumps over 7 makes 6 visits, the other one reaches it.
    for (visits, file, verdict, said) in [
        (6, "safe.ivl", 0, None),
        (900, "safe.ivl", 0, None),
        // Few enough to be refused with any multiple that passes may cause.
        (
            0,
            "safe.ivl",
            20,
            Some("no execution visits l1 after all visits"),
        ),
        (
            6,
            "unsafe.ivl",
            20,
            Some("no execution visits l1 after all visits"),
        ),
        (
            100,
            "unsafe.ivl",
            20,
            Some("l2 (error unreach-call) is not reached"),
        ),
        (
            u32::MAX,
            "unsafe.ivl",
            20,
            Some("4294967295 visits are claimed"),
        ),
    ] {
        let pipeline = format!(
            "passes = \"inline\"\nrun = \"misbehave\"\n[engines.misbehave]\noptions = {{ mode = \"unwound\", visits = {visits} }}\n"
        );
        bench.write("p.toml", &pipeline);
        let (code, last, stderr) = bench.check(&["-p", "p.toml", "-o", "json=r.json", file]);
        assert_eq!(code, verdict, "{visits}, {file}: {last}: {stderr}");
        let text = std::fs::read_to_string(bench.path("r.json")).expect("written");
        let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        match said {
            Some(said) => assert!(last.contains(said), "{visits}, {file}: {last}"),
            None => assert_eq!(report["unwound_visits"], visits, "{text}"),
        }
    }
}

/// An engine that claims something of all values, and it holds of some: the checker shows it of none in particular. An engine that
/// claims a proof by contracts without any.
#[test]
fn facts_about_all_values_are_shown_of_any() {
    let bench = Bench::new();
    let cells = "options = { mode = \"cells\" }";
    // Nor do procedures without contracts exclude an error.
    let contracts = "original = true\noptions = { mode = \"contracts\" }";
    for (file, options) in [
        ("safe.ivl", cells),
        ("unsafe.ivl", cells),
        ("safe.ivl", contracts),
        ("unsafe.ivl", contracts),
    ] {
        let pipeline =
            format!("passes = \"inline\"\nrun = \"misbehave\"\n[engines.misbehave]\n{options}\n");
        bench.write("p.toml", &pipeline);
        let (code, last, stderr) = bench.check(&["-p", "p.toml", file]);
        assert_eq!(code, 20, "{file}: {last}: {stderr}");
        let said = "claimed safe, but the claim is wrong: not proved: base";
        assert!(last.contains(said), "{file}: {last}");
    }
}

/// A program that never answers, where the checker asks first, does not keep the embedded solver from its turn.
#[test]
fn a_stuck_certifier_leaves_the_proof_to_the_next() {
    let bench = Bench::new();
    let asked = bench.path("asked");
    let script = format!(
        "#!/bin/sh
while read -r line; do
    case $line in
    *:version*) echo '(:version \"1\")' ;;
    *check-sat*) touch '{}'; exec sleep 1000 ;;
    esac
done
",
        asked.display()
    );
    bench.write("stuck", &script);
    let stuck = bench.path("stuck");
    std::fs::set_permissions(&stuck, std::fs::Permissions::from_mode(0o755)).expect("our file");
    let mut command = bench.command(&["check", "-p", "kiki", "safe.ivl"]);
    let output = command.env("TRELLIS_Z3_PROGRAM", &stuck).output();
    let (code, last, stderr) = ending(&output.expect("it runs"));
    assert_eq!((code, last.as_str()), (0, "VERDICT: true"), "{stderr}");
    assert!(asked.exists(), "the program was not asked");
    assert_eq!(bench.processes(), [0u32; 0], "it left processes");
}

/// A pass or a front end that misbehaves, in the folder of the bench.
fn build_kind(bench: &Bench, kind: u32, mode: &str) {
    let source =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../plugins/host/tests/hostile_kinds.c");
    let library = bench.path(match kind {
        3 => "libtrellis_pass_hostile.so",
        _ => "libtrellis_frontend_hostile.so",
    });
    let definitions = [format!("-DMODE=\"{mode}\""), format!("-DKIND={kind}")];
    trellis_engine_explicit_c::compile(&source, &library, &definitions)
        .expect("the C compiler works");
}

const WITH_PASS: &str = "passes = \"inline, hostile, dce\"
[engines.kiki]
[limits]
wall = \"60s\"
memory = \"256MiB\"
grace = \"200ms\"
";

/// A pass that lies costs an answer, never a wrong one.
#[test]
fn passes_that_lie() {
    let bench = Bench::new();
    bench.write("p.toml", WITH_PASS);
    let mut right = 0;
    for mode in [
        "same",
        "unchanged",
        "drop-errors",
        "add-errors",
        "drop-edges",
        "same-command",
        "wrong-way-back",
    ] {
        build_kind(&bench, 3, mode);
        for (file, truth) in [("unsafe.ivl", 10), ("safe.ivl", 0)] {
            let (code, last, stderr) = bench.check(&["-p", "p.toml", file]);
            assert!(
                [truth, 20].contains(&code),
                "{mode}, {file}: {last}\n{stderr}"
            );
            let honest = ["same", "unchanged"].contains(&mode);
            assert!(!honest || code == truth, "{mode}, {file}: {last}\n{stderr}");
            right += usize::from(code == truth);
            let lies = code == 20 && !honest;
            let engine = "warning: engine kiki (";
            assert!(!lies || stderr.contains(engine), "{mode}: {last}\n{stderr}");
        }
        assert_eq!(bench.processes(), [0u32; 0], "{mode} left processes");
    }
    // All would be unknown if the way back of an honest pass did not work.
    assert!((4..14).contains(&right), "{right} right answers");
}

/// A pass that fails is named and left out; the verdict is that of the others.
#[test]
fn passes_that_fail() {
    let bench = Bench::new();
    for (mode, said) in [
        ("segfault", "crashed (segmentation fault, signal 11)"),
        (
            "exit",
            "ended its process with exit code 0 instead of answering",
        ),
        (
            "nonsense",
            "returned a malformed program: this is no image of a program",
        ),
        (
            "no-such-loc",
            "returned a malformed program: there is no location 1000",
        ),
        ("eat", "used more than its 256 MiB of memory"),
        ("spin", "ignored its cancellation and was killed"),
        ("log-for-ever", "ignored its cancellation and was killed"),
        ("refuse", "p.counter:2:7: what is this?"),
    ] {
        build_kind(&bench, 3, mode);
        // A quarter of the time for the one that has to be killed.
        let wall = if said.contains("cancellation") {
            "12s"
        } else {
            "60s"
        };
        bench.write("p.toml", &WITH_PASS.replace("60s", wall));
        let (code, last, stderr) = bench.check(&["-p", "p.toml", "unsafe.ivl"]);
        let truth = (10, "VERDICT: false(unreach-call)");
        assert_eq!((code, last.as_str()), truth, "{mode}: {stderr}");
        let library = bench.path("libtrellis_pass_hostile.so");
        let blame = format!("warning: pass 'hostile': {}: {said}", library.display());
        assert!(stderr.contains(&blame), "{mode}: {stderr}");
    }
    build_kind(&bench, 3, "segfault");
    let output = bench.trellis(&["ivl", "opt", "--passes", "hostile", "safe.ivl"]);
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("pass 'hostile': "), "{stderr}");
    assert!(stderr.contains("crashed (segmentation fault"), "{stderr}");
}

/// What is wrong with a front end, or with its source, is told by name; there is no verdict then.
#[test]
fn front_ends_that_fail() {
    let bench = Bench::new();
    bench.write("p.counter", "up 3");
    bench.write("p.toml", "extends = \"kiki\"\nlimits.grace = \"200ms\"\n");
    for (mode, said) in [
        ("segfault", "crashed (segmentation fault, signal 11)"),
        (
            "nonsense",
            "returned a malformed program: this is no image of a program",
        ),
        ("ill-formed", "made an ill-formed program: "),
        ("no-answer", "returned without an answer"),
    ] {
        build_kind(&bench, 4, mode);
        let (code, _, stderr) = bench.check(&["p.counter"]);
        let library = bench.path("libtrellis_frontend_hostile.so");
        let blame = format!(
            "p.counter: front end hostile ({}): {said}",
            library.display()
        );
        assert!(code == 2 && stderr.contains(&blame), "{mode}: {stderr}");
    }
    build_kind(&bench, 4, "refuse");
    let (code, _, stderr) = bench.check(&["p.counter"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("p.counter:2:7: what is this?"), "{stderr}");
    build_kind(&bench, 4, "spin");
    let (code, _, stderr) = bench.check(&["-p", "p.toml", "--timeout", "4s", "p.counter"]);
    assert!([2, 20].contains(&code), "{stderr}");
    assert!(stderr.contains("front end hostile ("), "{stderr}");
    assert_eq!(bench.processes(), [0u32; 0], "it left processes");
    build_kind(&bench, 4, "");
    for args in [&["p.counter"][..], &["--language", "hostile", "safe.ivl"]] {
        let (code, last, stderr) = bench.check(args);
        assert_eq!((code, last.as_str()), (0, "VERDICT: true"), "{stderr}");
    }
    let (code, _, stderr) = bench.check(&["--language", "hostil", "p.counter"]);
    assert!(
        code == 2 && stderr.contains("did you mean `hostile`?"),
        "{stderr}"
    );
}
