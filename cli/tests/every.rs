//! Every property at every place gets its own verdict, in one run and in every format.

use crate::python::python;
use crate::support::Bench;
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;

const TEN: &str = include_str!("every/ten.c");

/// What the comments of the program say: the kind and the line of each mistake.
fn seeded() -> BTreeSet<(String, u64)> {
    let kind = |line: &str| {
        let comment = line.split_once("/* ")?.1;
        let word = comment.split([' ', ':', ';']).next()?;
        ["holds", "Ten"]
            .iter()
            .all(|w| *w != word)
            .then(|| word.to_string())
    };
    let lines = (1..).zip(TEN.lines());
    lines
        .filter_map(|(n, line)| Some((kind(line)?, n)))
        .collect()
}

fn read(bench: &Bench, name: &str) -> String {
    std::fs::read_to_string(bench.path(name)).expect("written")
}

fn json(bench: &Bench, name: &str) -> Value {
    serde_json::from_str(&read(bench, name)).expect("JSON")
}

/// The kinds and lines of violations in the report.
fn violated(report: &Value) -> BTreeSet<(String, u64)> {
    let results = report["results"].as_array().expect("results");
    let found = results.iter().filter(|r| r["verdict"] == "false");
    let found = found.map(|r| {
        let property = r["property"].as_str().expect("a name").to_string();
        let trace = r["trace"].as_array().expect("a trace");
        let last = trace.last().and_then(Value::as_str).expect("a last step");
        assert!(last.contains(&format!("violates {property}")), "{last}");
        assert_eq!(r["certified_by"], "replay");
        (property, r["place"]["line"].as_u64().expect("a line"))
    });
    found.collect()
}

#[test]
fn ten_mistakes_in_one_run() {
    let expected = seeded();
    assert_eq!(expected.len(), 10);
    let bench = Bench::new();
    bench.write("ten.c", TEN);
    let out = ["json", "sarif", "junit", "html"].map(|kind| format!("--out={kind}=r.{kind}"));
    let mut args = vec!["check", "ten.c"];
    args.extend(out.iter().map(String::as_str));
    let output = bench.trellis(&args);
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(output.status.code(), Some(10), "{text}");
    let report = json(&bench, "r.json");
    assert_eq!(violated(&report), expected, "{text}");
    let results = report["results"].as_array().expect("results");
    assert!(
        results.iter().all(|r| r["verdict"] != "unknown"),
        "{results:?}"
    );
    let held = results.iter().filter(|r| r["verdict"] == "true").count();
    assert!(held >= 3, "{results:?}");

    // The table: violations first, each a row; then how many of each, and the verdict.
    let rows: Vec<&str> = text.lines().filter(|l| l.starts_with("false  ")).collect();
    assert_eq!(rows.len(), 10, "{text}");
    for (kind, line) in &expected {
        let row =
            |r: &&str| r.contains(&format!("{kind} ")) && r.contains(&format!("ten.c:{line}:"));
        assert!(rows.iter().any(row), "{kind} in line {line}: {text}");
    }
    let mut end = text.lines().rev();
    assert!(
        end.next().is_some_and(|l| l.starts_with("VERDICT: false(")),
        "{text}"
    );
    let summary = format!("{} checks: 10 false, {held} true", results.len());
    assert_eq!(end.next(), Some(summary.as_str()), "{text}");

    let log = json(&bench, "r.sarif");
    let found = log["runs"][0]["results"].as_array().expect("results");
    let failed = found.iter().filter(|r| r["kind"] == "fail");
    let failed = failed.map(|r| {
        assert!(
            r["codeFlows"][0]["threadFlows"][0]["locations"].is_array(),
            "{r}"
        );
        let region = &r["locations"][0]["physicalLocation"]["region"];
        let rule = r["ruleId"].as_str().expect("a rule").to_string();
        (rule, region["startLine"].as_u64().expect("a line"))
    });
    assert_eq!(failed.collect::<BTreeSet<_>>(), expected);
    assert_eq!(found.len(), results.len());

    let junit = read(&bench, "r.junit");
    assert_eq!(
        junit.matches("<testcase ").count(),
        results.len(),
        "{junit}"
    );
    assert_eq!(junit.matches("<failure ").count(), 10, "{junit}");
    assert!(!junit.contains("<error "), "{junit}");
    let page = read(&bench, "r.html");
    assert_eq!(page.matches("<h2>Steps to ").count(), 10);
    follows_schemas(&bench, "r.sarif", "r.junit");
}

/// What is written for others is as the official schemas have it: OASIS' of SARIF 2.1.0, and Jenkins' of JUnit's format.
fn follows_schemas(bench: &Bench, sarif: &str, junit: &str) {
    const CHECK: &str = "
import json, jsonschema, sys, xmlschema
folder, sarif, junit = sys.argv[1:]
schema = json.load(open(folder + '/sarif-2.1.0.json'))
kind = jsonschema.validators.validator_for(schema)
kind.check_schema(schema)
jsonschema.validate(json.load(open(sarif)), schema, format_checker=kind.FORMAT_CHECKER)
xmlschema.XMLSchema(folder + '/junit-10.xsd').validate(junit)
";
    let Some(python) = python() else { return };
    let schemas = python.ancestors().nth(2).expect("a folder").join("schemas");
    if !schemas.join("junit-10.xsd").exists() {
        eprintln!("SKIPPED: there are no schemas here; tests/install-python.sh gets them");
        return;
    }
    let output = Command::new(python)
        .args(["-c", CHECK])
        .arg(schemas)
        .args([sarif, junit])
        .current_dir(bench.dir())
        .output()
        .expect("Python starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
}

/// So many and no more; what is behind is not decided and says why.
#[test]
fn the_search_ends_at_a_number() {
    let bench = Bench::new();
    bench.write("ten.c", TEN);
    for most in ["1", "3"] {
        let args = ["--max-errors", most, "-o", "json=r.json", "ten.c"];
        let (code, last, stderr) = bench.check(&args);
        assert_eq!(code, 10, "{last}: {stderr}");
        let report = json(&bench, "r.json");
        assert_eq!(violated(&report).len().to_string(), most);
        let results = report["results"].as_array().expect("results");
        let open: Vec<_> = results
            .iter()
            .filter(|r| r["verdict"] == "unknown")
            .collect();
        assert!(!open.is_empty());
        for result in open {
            let why = result["reason"].as_str().expect("a reason");
            assert!(why.contains("looked for"), "{why}");
        }
    }
    let (code, last, _) = bench.check(&["--max-errors", "0", "ten.c"]);
    assert_eq!(code, 2, "{last}");
    // What is not decided follows the schemas as well.
    let out = ["-o", "sarif=r.sarif", "-o", "junit=r.xml"];
    let (code, ..) = bench.check(&[&out[..], &["--max-errors", "2", "ten.c"]].concat());
    assert_eq!(code, 10);
    follows_schemas(&bench, "r.sarif", "r.xml");
}

/// One property that nobody decides does not keep the others from an answer, and what holds is told though the whole is unknown.
#[test]
fn a_hard_property_hides_no_other() {
    let bench = Bench::new();
    // Whether a sum of three cubes is 114 is not known of integers, and of 64 bits not in this time.
    bench.write(
        "hard.c",
        "extern long __VERIFIER_nondet_long(void);
        extern unsigned __VERIFIER_nondet_uint(void);
        extern void __VERIFIER_assert(int);
        int main(void) {
          unsigned long x = __VERIFIER_nondet_long(), y = __VERIFIER_nondet_long(), z = __VERIFIER_nondet_long();
          unsigned n = __VERIFIER_nondet_uint(), i = 0;
          while (i < n % 1000) i++;
          __VERIFIER_assert(i < 1000);
          if (x * x * x + y * y * y == 3 * z * z * z + 4 && x % 9 == 4 && z > 1 << 20)
            __VERIFIER_assert(y * y % 7 != x % 31);
          __VERIFIER_assert(n == 5 || i != 77);
          return 0;
        }",
    );
    let args = ["--timeout", "40s", "-o", "json=r.json", "hard.c"];
    let (code, last, stderr) = bench.check(&args);
    assert_eq!(code, 10, "{last}: {stderr}");
    let report = json(&bench, "r.json");
    let results = report["results"].as_array().expect("results");
    let verdict = |line: u64| {
        let of = results.iter().find(|r| r["place"]["line"] == line);
        of.and_then(|r| r["verdict"].as_str()).unwrap_or("none")
    };
    assert_eq!((verdict(8), verdict(11)), ("true", "false"), "{results:?}");
}

/// What the model has no meaning for is in the way of every proof, but of no violation; its place is told.
#[test]
fn a_gap_hides_no_violation() {
    let bench = Bench::new();
    bench.write(
        "gap.c",
        "extern int __VERIFIER_nondet_int(void);
        extern void __VERIFIER_assert(int);
        int main(void) {
          int n = __VERIFIER_nondet_int();
          if (n == 1) __asm__ volatile (\"cpuid\" : \"=a\"(n));
          for (int i = 0; i < 5; i++)
            __VERIFIER_assert(i != 4 || n != 7);
          __VERIFIER_assert(n != 8);
          return 0;
        }",
    );
    let (code, last, stderr) = bench.check(&["-o", "json=r.json", "gap.c"]);
    assert_eq!(code, 10, "{last}: {stderr}");
    let report = json(&bench, "r.json");
    let lines: BTreeSet<u64> = violated(&report).into_iter().map(|(_, l)| l).collect();
    assert_eq!(lines, BTreeSet::from([7, 8]), "{report}");
    let results = report["results"].as_array().expect("results");
    let rest = results.iter().filter(|r| r["verdict"] != "false");
    for result in rest {
        let why = result["reason"].as_str().unwrap_or("none");
        assert!(why.contains("gap.c:5:"), "{result}");
    }
}
