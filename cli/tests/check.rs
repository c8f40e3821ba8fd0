//! `trellis check` as a user runs it: verdict line, exit code, reports, the same result each time.

use crate::support::{Bench, ending};
use std::path::Path;
use std::process::Command;

const TRUE: &str = "VERDICT: true";
const FALSE: &str = "VERDICT: false(unreach-call)";

#[test]
fn verdicts_and_exit_codes() {
    let bench = Bench::new();
    let check = |args: &[&str]| {
        let (code, last, _) = bench.check(args);
        (code, last)
    };
    let c = ["--engine", "explicit-c"];
    assert_eq!(check(&[c[0], c[1], "safe.ivl"]), (0, TRUE.into()));
    assert_eq!(check(&[c[0], c[1], "unsafe.ivl"]), (10, FALSE.into()));
    let (code, last) = check(&["-p", "random", "safe.ivl"]);
    assert_eq!(code, 20);
    assert!(
        last.starts_with("VERDICT: unknown (run: gave up: no error in "),
        "{last}"
    );
}

/// The pipelines that ship, as `trellis pipelines list` prints them.
fn shipped(bench: &Bench) -> Vec<String> {
    let output = bench.trellis(&["pipelines", "list"]);
    let text = String::from_utf8(output.stdout).expect("text");
    let names = text.lines().filter_map(|l| l.split(' ').next());
    names.map(str::to_string).collect()
}

/// Every shipped pipeline is well-formed, and right about a safe and an unsafe program; those that
/// cannot answer one of the two say unknown.
#[test]
fn every_pipeline() {
    let bench = Bench::new();
    let all = shipped(&bench);
    assert!(all.len() >= 8, "{all:?}");
    for pipeline in &all {
        let output = bench.trellis(&["pipelines", "check", pipeline]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{pipeline}: {stderr}");
        // Facts about cells are for arrays and heaps, which these programs do not have.
        let proves = !["falsify", "random", "cells"].contains(&pipeline.as_str());
        let finds = !["dataflow", "cells"].contains(&pipeline.as_str());
        let (code, last, _) = bench.check(&["-p", pipeline, "safe.ivl"]);
        // Whether a falsifier sees that all executions were tried is its own business.
        let expected = if proves { &[0][..] } else { &[0, 20][..] };
        assert!(expected.contains(&code), "{pipeline}: {last}");
        let (code, last, _) = bench.check(&["-p", pipeline, "unsafe.ivl"]);
        assert_eq!(code, if finds { 10 } else { 20 }, "{pipeline}: {last}");
    }
}

/// A program whose executions all end is proved by unwinding it, and what the proof leaves behind is accepted.
#[test]
fn a_complete_unwinding_is_a_proof() {
    let bench = Bench::new();
    let source = "extern unsigned char __VERIFIER_nondet_uchar(void);
        void reach_error(void) {}
        struct node { struct node *next; unsigned value; };
        int main(void) {
          struct node ring[3];
          for (int i = 0; i < 3; i++) {
            ring[i].next = &ring[(i + 1) % 3];
            ring[i].value = __VERIFIER_nondet_uchar();
          }
          unsigned sum = 0;
          struct node *at = ring;
          for (int i = 0; i < 6; i++) {
            sum += at->value;
            at = at->next;
          }
          if (at != ring || sum > 6 * 255) reach_error();
          return 0;
        }";
    bench.write("ring.c", source);
    let outputs = [
        "-o",
        "json=r.json",
        "-o",
        "witness=w.yml",
        "-o",
        "smt2=todo",
    ];
    let args = [&["--engine", "bmc"], &outputs[..], &["ring.c"]].concat();
    let (code, last, stderr) = bench.check(&args);
    assert_eq!((code, last.as_str()), (0, TRUE), "{stderr}");
    let text = std::fs::read_to_string(bench.path("r.json")).expect("written");
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    // Four visits of the first loop's head and seven of the other's.
    assert_eq!(report["unwound_visits"], 7, "{text}");
    let scripts = std::fs::read_dir(bench.path("todo")).expect("a folder");
    assert_eq!(scripts.count(), 1);
    let output = bench.trellis(&["validate", "ring.c", "w.yml"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
    // One more round, and the pointer is elsewhere.
    bench.write("wrong.c", &source.replace("i < 6", "i < 7"));
    let (code, last, _) = bench.check(&["--engine", "bmc", "wrong.c"]);
    assert_eq!((code, last.as_str()), (10, FALSE));
}

/// A proof about calls expanded by the limits of the pipeline is checked on calls expanded by the same.
#[test]
fn certification_expands_calls_as_the_pipeline_does() {
    let bench = Bench::new();
    let source = "int f(int n, int x) { if (n <= 0) return x; return f(n - 1, x); }
        void reach_error(void) {}
        extern int __VERIFIER_nondet_int(void);
        int main(void) {
          int x = __VERIFIER_nondet_int();
          while (__VERIFIER_nondet_int())
            if (f(20, x) != x) reach_error();
          return 0;
        }";
    bench.write("deep.c", source);
    let check = |passes: &str, engine: &str| {
        let pipeline = format!("passes = \"{passes}\"\nrun = \"{engine}\"\n[engines.{engine}]\n");
        bench.write("p.toml", &pipeline);
        let args = ["-p", "p.toml", "-o", "witness=w.yml", "deep.c"];
        let (code, last, stderr) = bench.check(&args);
        (code, format!("{last}: {stderr}"))
    };
    for engine in ["kiki", "ic3cfa"] {
        for passes in [
            "inline(recursion=32)",
            "inline(recursion=32), (propagate, slice, dce)*, lbe",
        ] {
            let (code, said) = check(passes, engine);
            assert_eq!(code, 0, "{passes}, {engine}: {said}");
        }
        let (code, said) = check("inline(recursion=20)", engine);
        assert_eq!(code, 20, "{engine}: {said}");
        assert!(said.contains("recursion of f deeper than 20"), "{said}");
    }
}

/// The examples of the README, and from where an engine is loaded.
#[test]
fn examples() {
    let bench = Bench::new();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let check = |name: &str, expected: (i32, &str)| {
        let path = examples.join(name).display().to_string();
        let (code, last, stderr) = bench.check(&["-v", &path]);
        assert_eq!((code, last.as_str()), expected, "{name}: {stderr}");
        let loads = stderr.lines().find(|l| l.contains(": loads /"));
        assert!(
            loads.is_some_and(|l| l.contains("/libtrellis_engine_")),
            "{stderr}"
        );
    };
    check("ring.c", (0, TRUE));
    check("ring-bug.c", (10, FALSE));
    check("counter.ivl", (0, TRUE));
}

/// What data flow publishes is proved by the checker before anybody gets it.
#[test]
fn lemmas_are_proved() {
    let bench = Bench::new();
    bench.write(
        "interval.ivl",
        "ivl 1;
        var x: bv32;
        proc main() {
          loc l0 entry; loc l1; loc l2 error \"unreach-call\";
          l0 -> l1 { x := 0bv32 };
          l1 -> l1 { assume x <u 1000000bv32; x := x + 1bv32 };
          l1 -> l2 { assume x >u 1000000bv32 };
        }
        main main;",
    );
    let args = ["-v", "-p", "kiki-df", "-o", "json=r.json", "interval.ivl"];
    let (code, last, stderr) = bench.check(&args);
    assert_eq!((code, last.as_str()), (0, TRUE), "{stderr}");
    let lemmas = report(&bench.path("r.json"))["lemmas"].clone();
    for (engine, of) in lemmas.as_object().expect("a table") {
        let (published, proved) = (of["published"].as_u64(), of["proved"].as_u64());
        assert!(proved <= published, "{engine}: {of}");
        let at = of["lemmas"].as_object().expect("a table").values();
        let told = at.map(|all| all.as_array().map_or(0, Vec::len) as u64);
        assert_eq!(Some(told.sum()), proved, "{engine}: {of}");
    }
}

/// What one engine says, without the others and without the stages.
#[test]
fn one_engine_is_heard() {
    let bench = Bench::new();
    let args = ["-p", "portfolio", "--log", "bmc", "unsafe.ivl"];
    let (code, _, stderr) = bench.check(&args);
    assert_eq!(code, 10, "{stderr}");
    let lines: Vec<&str> = stderr.lines().collect();
    assert!(lines.iter().all(|l| l.contains("bmc: ")), "{stderr}");
}

/// Every obligation of a proof, for any solver to check.
#[test]
fn obligations_are_scripts() {
    let bench = Bench::new();
    let (code, ..) = bench.check(&["-e", "explicit-c", "-o", "smt2=proof", "safe.ivl"]);
    assert_eq!(code, 0);
    let entries = std::fs::read_dir(bench.path("proof")).expect("a folder");
    let mut scripts = 0;
    for entry in entries {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("text");
        assert!(text.starts_with("; claimed by explicit-c: "), "{text}");
        assert!(text.contains("(set-info :status unsat)"), "{text}");
        assert!(text.ends_with("(check-sat)\n(exit)\n"), "{text}");
        scripts += 1;
    }
    assert!(scripts >= 2, "base and step are at least two");
}

/// A third party's solver, by name, for an engine; its options are checked by itself.
#[test]
fn a_solver_is_a_plugin() {
    let bench = Bench::new();
    let check = |more: &[&str]| {
        let mut args = vec!["-e", "bmc", "-s", "exhaustive", "unsafe.ivl"];
        args.extend(more);
        bench.check(&args)
    };
    let (code, last, stderr) = check(&[]);
    assert_eq!((code, last.as_str()), (10, FALSE), "{stderr}");
    let (code, last, _) = check(&["--set", "engines.bmc.solver-options.bist=3"]);
    assert_eq!(code, 20);
    assert!(
        last.contains("no such option, did you mean `bits`?"),
        "{last}"
    );
    let output = bench.trellis(&["plugins", "info", "exhaustive"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.starts_with("exhaustive 0.1.0 (solver)\n"), "{text}");
}

/// A solver in a folder that the command line names is one for the workers too: the host says where it is.
#[test]
fn workers_get_the_solvers_that_the_host_has_found() {
    let bench = Bench::new();
    let built = Path::new(env!("CARGO_BIN_EXE_trellis"));
    let folder = bench.path("bin");
    std::fs::create_dir(&folder).expect("a folder");
    // Away from where it was built, nothing is beside it.
    let moved = folder.join("trellis");
    std::fs::hard_link(built, &moved)
        .or_else(|_| std::fs::copy(built, &moved).map(drop))
        .expect("a file");
    let deps = built.with_file_name("deps");
    let args = [
        "check",
        "-e",
        "bmc",
        "-s",
        "exhaustive",
        "unsafe.ivl",
        "--plugins",
    ];
    let output = Command::new(&moved)
        .args(args)
        .arg(&deps)
        .current_dir(bench.dir())
        .env_remove("TRELLIS_PLUGIN_PATH")
        .output()
        .expect("trellis starts");
    let (code, last, stderr) = ending(&output);
    assert_eq!((code, last.as_str()), (10, FALSE), "{stderr}");
    let output = Command::new(&moved)
        .args(["solvers", "--options", "--plugins"])
        .arg(&deps)
        .output()
        .expect("trellis starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for said in [
        "  exhaustive ",
        "bits = 20 (a whole number from 0 to 40)",
        "sat.vivify = none",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

/// Keys that hold measurements, by the end of their name.
fn without_measurements(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(items) => {
            items.retain(|key, _| !key.ends_with("_seconds") && !key.ends_with("_bytes"));
            items.values_mut().for_each(without_measurements);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(without_measurements),
        _ => {}
    }
}

fn report(path: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(path).expect("written");
    let mut value = serde_json::from_str(&text).expect("JSON");
    without_measurements(&mut value);
    value
}

/// A hundred runs of an engine that draws lots and of one that asks a solver: one result each.
#[test]
fn one_seed_one_result() {
    let bench = Bench::new();
    let before = bench.names();
    for (engine, file, runs) in [
        ("random-walk", "unsafe.ivl", 100),
        ("kiki", "safe.ivl", 100),
        ("bmc", "unsafe.ivl", 10),
    ] {
        let mut first = None;
        for _ in 0..runs {
            // Who certifies is a matter of time where there is a choice.
            let checker = "certification.solver=bitblast-batsat";
            let out = ["--seed", "7", "--set", checker, "-o", "json=r.json"];
            bench.check(&[&["-e", engine, file], &out[..]].concat());
            let report = report(&bench.path("r.json"));
            assert_eq!(report["schema"], "trellis-check/2");
            assert_ne!(report["verdict"], "unknown");
            assert_eq!(first.get_or_insert_with(|| report.clone()), &report);
        }
    }
    let mut expected = before;
    expected.insert("r.json".into());
    assert_eq!(bench.names(), expected);
}

/// Three values take turns, and are mixed up only where `i` is large, which it never is. Data flow knows about `i`
/// but not that the values differ; k-induction knows that they do while `i` is small.
const TURNS: &str = "ivl 1;
var i: bv8;
var a: bv8;
var b: bv8;
var c: bv8;
proc main() {
  loc l0 entry; loc l1; loc l2 error \"unreach-call\";
  l0 -> l1 { assume i <=u 100bv8; a := 0bv8; b := 1bv8; c := 3bv8 };
  l1 -> l1 { assume a != b; a, b, c, i := b, c, a, 100bv8 - i };
  l1 -> l1 { assume a != b; assume 100bv8 <u i; a := b };
  l1 -> l2 { assume a == b };
}
main main;
";

#[test]
fn engines_prove_together_what_neither_proves_alone() {
    let bench = Bench::new();
    bench.write("turns.ivl", TURNS);
    let max_k = "engines.kiki.options.max_k=40";
    let alone = [
        vec!["-p", "dataflow", "turns.ivl"],
        vec!["-p", "kiki-havoc", "--set", max_k, "turns.ivl"],
        vec![
            "-p",
            "kiki-df",
            "--set",
            max_k,
            "--set",
            "engines.kiki.lemmas=false",
            "turns.ivl",
        ],
    ];
    for args in alone {
        let (code, last, stderr) = bench.check(&args);
        assert_eq!(code, 20, "{args:?}: {last}\n{stderr}");
    }
    let args = ["-p", "kiki-df", "-o", "json=r.json", "turns.ivl"];
    let (code, last, stderr) = bench.check(&args);
    assert_eq!(code, 0, "{last}\n{stderr}");
    let report = report(&bench.path("r.json"));
    assert_eq!(report["decided_by"], "kiki");
    assert!(
        report["lemmas"]["dataflow"]["proved"].as_u64() > Some(0),
        "{report}"
    );
}

/// Inputs of other tools are tried first, from wherever they are; what is reached is kept.
#[test]
fn a_corpus_of_inputs() {
    let bench = Bench::new();
    bench.write(
        "hash.c",
        "unsigned __VERIFIER_nondet_uint(void);\n\
         int main(void) {\n\
         \x20 unsigned h = 2166136261u;\n\
         \x20 for (int i = 0; i < 4; i++) h = (h ^ __VERIFIER_nondet_uint()) * 16777619u;\n\
         \x20 if ((h ^ h >> 15) * 3266489917u == 1u) return 1;\n\
         \x20 return 0;\n}\n",
    );
    let few = "engines.run.options.executions=200";
    let asks = [
        "-e",
        "run",
        "--set",
        few,
        "--corpus",
        "inputs/kept",
        "hash.c",
    ];
    let (code, stdout, stderr) = bench.check(&asks);
    assert_eq!(code, 20, "{stdout}{stderr}");
    let kept = std::fs::read_dir(bench.path("inputs/kept")).expect("the folder is made");
    for file in kept {
        let length = file.and_then(|f| f.metadata()).expect("a file").len();
        assert_eq!(length, 16);
    }

    let (code, _, stderr) = bench.check(&["-e", "bmc", "--corpus", "inputs", "hash.c"]);
    assert!(code == 2 && stderr.contains("`run` does"), "{stderr}");
    let (code, _, stderr) = bench.check(&["--corpus", "hash.c", "hash.c"]);
    assert!(code == 2 && stderr.contains("--corpus hash.c"), "{stderr}");
}
