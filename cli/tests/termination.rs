//! `--check termination` as a user runs it: the classics, words of the answers, other properties beside it, and engines that lie.

use crate::support::Bench;
use std::path::{Path, PathBuf};

fn classics() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus/termination");
    let files = std::fs::read_dir(root).expect("the corpus is there");
    let mut files: Vec<PathBuf> = files.map(|f| f.expect("readable").path()).collect();
    files.sort();
    files
}

/// Each says in its name what is expected.
#[test]
fn classics_end_or_do_not() {
    let bench = Bench::new();
    let mut open = Vec::new();
    for path in classics() {
        let name = path.file_stem().and_then(|n| n.to_str()).expect("a name");
        let file = path.to_str().expect("text");
        let (code, last, stderr) =
            bench.check(&["--check", "termination", "--64", "-t", "10s", file]);
        let (_, kind) = name.rsplit_once('-').expect("NAME-KIND");
        let expected = match kind {
            "ends" => 0,
            "endless" => 10,
            _ => 20,
        };
        assert!(code == expected || code == 20, "{name}: {last}: {stderr}");
        if code != expected {
            open.push(format!("{name}: {last}"));
        }
    }
    // Not understood yet, which is no mistake.
    assert!(open.len() <= 3, "{open:#?}");
}

#[test]
fn what_people_see() {
    let bench = Bench::new();
    bench.write(
        "two.c",
        "int main(void) {\n  int n = 7;\n  for (int i = 0; i < n; i++)\n    for (int j = 0; j < i; j++) {}\n  return 0;\n}\n",
    );
    let output = bench.trellis(&["check", "--check", "termination", "-q", "two.c"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("ends: two.c:3:3 n - i\n"), "{text}");
    assert!(text.contains("ends: two.c:4:5 i - j\n"), "{text}");
    assert!(text.ends_with("VERDICT: true\n"), "{text}");
    bench.write(
        "stuck.c",
        "int nondet(void);\nint main(void) {\n  int x = nondet(), step = 0;\n  while (x > 3) x -= step;\n  return 0;\n}\n",
    );
    let args = [
        "check",
        "--check",
        "termination",
        "-q",
        "-o",
        "json=r.json",
        "stuck.c",
    ];
    let output = bench.trellis(&args);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // A state that comes back or a set that is never left, whichever is found first.
    let endless = text.lines().find(|l| l.starts_with("endless: "));
    assert!(endless.is_some_and(|l| l.contains("stuck.c:4:3")), "{text}");
    assert!(text.ends_with("VERDICT: false(termination)\n"), "{text}");
    let report = std::fs::read_to_string(bench.path("r.json")).expect("written");
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["endless_loop"]["place"], "stuck.c:4:3", "{report}");
    let (code, last, stderr) =
        bench.check(&["--check", "termination", "-o", "witness=w.yml", "stuck.c"]);
    assert_eq!(code, 2, "{last}");
    assert!(stderr.contains("say nothing of termination"), "{stderr}");
}

/// After the example programs of 2LS, from functions with arbitrary arguments: both ranks of a sort, and the input with which a sum never ends.
#[test]
fn functions_with_any_arguments() {
    let bench = Bench::new();
    bench.write(
        "sort.c",
        "void sort(int *a, int size) {\n  if (size < 0) return;\n  for (int c = 0; c < size - 1; c++)\n    for (int d = 0; d < size - c - 1; d++)\n      if (a[d] > a[d + 1]) { int t = a[d]; a[d] = a[d + 1]; a[d + 1] = t; }\n}\n",
    );
    let args = ["check", "--check", "termination", "-q", "--64"];
    let output = bench.trellis(&[&args[..], &["--function", "sort", "sort.c"]].concat());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("ends: sort.c:3:3 size - c - 1\n"), "{text}");
    assert!(
        text.contains("ends: sort.c:4:5 size - c - d - 1\n"),
        "{text}"
    );
    assert!(text.ends_with("VERDICT: true\n"), "{text}");
    bench.write(
        "sum.c",
        "long sum(long *x, int n, int step) {\n  int last = n * step;\n  long total = 0;\n  for (int i = 0; step < 0 ? i >= last : i <= last; i += step) total += x[i - 1];\n  return total;\n}\n",
    );
    let output = bench.trellis(&[&args[..], &["--function", "sum", "sum.c"]].concat());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let endless = text.lines().find(|l| l.starts_with("endless: "));
    assert!(endless.is_some_and(|l| l.contains("sum.c:4:3")), "{text}");
    assert!(text.contains("step = 0"), "{text}");
    assert!(text.ends_with("VERDICT: false(termination)\n"), "{text}");
}

#[test]
fn several_properties_each_have_their_verdict() {
    let bench = Bench::new();
    bench.write(
        "both.c",
        "void reach_error(void);\nint main(void) {\n  unsigned char i = 0;\n  while (i < 9) i++;\n  if (i != 9) reach_error();\n  while (i != 8) i -= 1, i += 1;\n  return 0;\n}\n",
    );
    let check = "unreach-call,termination";
    let output = bench.trellis(&["check", "--check", check, "-q", "both.c"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("property unreach-call: true\n"), "{text}");
    assert!(text.contains("property termination: false\n"), "{text}");
    assert!(text.ends_with("VERDICT: false(termination)\n"), "{text}");
    bench.write("end.prp", "CHECK( init(main()), LTL(F end) )\n");
    let (code, last, _) = bench.check(&["--property", "end.prp", "both.c"]);
    assert_eq!((code, last.as_str()), (10, "VERDICT: false(termination)"));
}

const ENDS: &str = "ivl 1; var x: bv3; proc main() { loc l0 entry; loc l1; loc l2 exit;
    l0 -> l1 { skip }; l1 -> l1 { assume x >u 0bv3; x := x - 1bv3 }; l1 -> l2 { assume x == 0bv3 }; } main main;\n";
const ENDLESS: &str = "ivl 1; var x: bv3; proc main() { loc l0 entry; loc l1; loc l2 exit;
    l0 -> l1 { skip }; l1 -> l1 { assume x >u 3bv3; x := x }; l1 -> l2 { assume x <=u 3bv3 }; } main main;\n";

/// Whatever an engine claims of loops, the verdict is right or there is none; and who is asked about errors is not believed about loops.
#[test]
fn lies_are_no_verdicts() {
    let bench = Bench::new();
    bench.write("ends.ivl", ENDS);
    bench.write("endless.ivl", ENDLESS);
    for mode in ["terminates", "diverges", "comes-back", "unwound"] {
        for (file, right) in [("ends.ivl", 0), ("endless.ivl", 10)] {
            let alone = format!(
                "run = \"misbehave\"\n[engines.misbehave]\ntermination = true\noptions = {{ mode = \"{mode}\" }}\n"
            );
            bench.write("p.toml", &alone);
            let args = ["--check", "termination", "-p", "p.toml", file];
            let (code, last, stderr) = bench.check(&args);
            assert_eq!(code, 20, "{mode} {file}: {last}: {stderr}");
            assert!(
                stderr.contains("but the claim is wrong"),
                "{mode} {file}: {stderr}"
            );
            let beside = alone.replace(
                "run = \"misbehave\"",
                "run = { race = [\"misbehave\", \"bmc\", \"kiki\"] }\n[engines.bmc]\n[engines.kiki]",
            );
            bench.write("q.toml", &beside);
            let args = ["--check", "termination", "-p", "q.toml", file];
            let (code, last, stderr) = bench.check(&args);
            assert_eq!(code, right, "{mode} {file}: {last}: {stderr}");
            let safety = alone.replace("termination = true", "termination = false");
            bench.write("s.toml", &safety);
            let (code, last, _) = bench.check(&["-p", "s.toml", file]);
            assert!(code == 20 || mode == "unwound", "{mode} {file}: {last}");
        }
    }
}

/// `f` calls itself for ever where x is 3.
const RECURSION: &str = "ivl 1; var n: bv3 in main; var x: bv3 in f; proc main() { loc l0 entry; loc l1; loc l2 exit;
    l0 -> l1 { havoc n }; l1 -> l2 call f(n); }
    proc f(x) { loc l3 entry; loc l4; loc l5 exit;
    l3 -> l5 { assume x == 0bv3 }; l3 -> l4 { assume x != 0bv3 }; l4 -> l5 call f(NEXT); } main main;\n";

/// Contracts that hold are worth only the loops that they leave, and nothing that a liar says of those is believed.
#[test]
fn lies_about_recursion_are_no_verdicts() {
    let bench = Bench::new();
    bench.write("ends.ivl", &RECURSION.replace("NEXT", "x - 1bv3"));
    let next = "ite(x == 3bv3, x, x - 1bv3)";
    bench.write("endless.ivl", &RECURSION.replace("NEXT", next));
    for mode in ["terminates", "diverges", "comes-back"] {
        for (file, right) in [("ends.ivl", 0), ("endless.ivl", 10)] {
            let liars = format!(
                "run = {{ race = [\"loops\", \"calls\"] }}\n[engines.loops]\nplugin = \"misbehave\"\ntermination = true\noptions = {{ mode = \"{mode}\" }}\n\
                 [engines.calls]\nplugin = \"misbehave\"\ntermination = true\noriginal = true\noptions = {{ mode = \"contracts\" }}\n"
            );
            bench.write("p.toml", &liars);
            let args = ["--check", "termination", "-p", "p.toml", file];
            let (code, last, stderr) = bench.check(&args);
            assert_eq!(code, 20, "{mode} {file}: {last}: {stderr}");
            let beside = liars.replace(
                "\"calls\"] }",
                "\"calls\", \"rank\", \"lasso\", \"contracts\"] }\n[engines.rank]\ntermination = true\n[engines.lasso]\ntermination = true\n\
                 [engines.contracts]\ntermination = true\noriginal = true\noptions = { all = true }",
            );
            bench.write("q.toml", &beside);
            let args = ["--check", "termination", "-p", "q.toml", file];
            let (code, last, stderr) = bench.check(&args);
            assert_eq!(code, right, "{mode} {file}: {last}: {stderr}");
        }
    }
}

/// The compiled program is in its loop still; inputs of the loop come again and again.
#[test]
fn endless_executions_are_confirmed() {
    let bench = Bench::new();
    bench.write(
        "stuck.c",
        "int nondet(void);\nint main(void) {\n  int x = nondet();\n  while (x > 3) {\n    int y = nondet();\n    if (y > 0) return 0;\n  }\n  return 0;\n}\n",
    );
    let args = [
        "check",
        "--check",
        "termination",
        "-q",
        "--confirm",
        "stuck.c",
    ];
    let output = bench.trellis(&args);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("confirmed by execution: it is"), "{text}");
    assert!(text.ends_with("VERDICT: false(termination)\n"), "{text}");
}
