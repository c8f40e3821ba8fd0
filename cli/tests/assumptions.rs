//! What a verdict takes for granted: told on the command line and in every report, granted and refused by name.

use crate::support::files::Files;
use serde_json::Value;
use std::path::PathBuf;

/// A function without a body, allocation, and an assertion that holds.
const PROGRAM: &str = "#include <assert.h>
#include <stdlib.h>
int outside(int);
int main(void) {
  char *block = malloc(2);
  int n = outside(1);
  assert(n == n);
  free(block);
  return block == 0;
}
";

/// Exit code, standard output and standard error of a check.
fn check(files: &Files, args: &[&str]) -> (Option<i32>, String, String) {
    let output = files.trellis(&[&["check", "-q"][..], args].concat());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    (output.status.code(), out, err)
}

#[test]
fn they_are_told_everywhere() {
    let files = Files::new(PROGRAM);
    let out = [
        "-o",
        "json=r.json",
        "-o",
        "html=r.html",
        "-o",
        "sarif=r.sarif",
    ];
    let (code, said, _) = check(&files, &[&out[..], &["p.c"]].concat());
    assert_eq!(code, Some(0), "{said}");
    let end = "1 assumption (-v lists them)\n";
    assert!(
        said.contains(end) && said.ends_with("VERDICT: true\n"),
        "{said}"
    );
    let name = "extern-functions-change-nothing";
    let (_, said, _) = check(&files, &["-v", "p.c"]);
    let line = format!("  p.c:6:11: {name}: outside: ");
    assert!(said.contains(&line), "{said}");
    let report: Value = serde_json::from_str(&files.read("r.json")).expect("JSON");
    let entry = &report["assumptions"][0];
    assert_eq!(
        (&entry["name"], &entry["detail"]),
        (&name.into(), &"outside".into())
    );
    assert_eq!(entry["places"][0]["line"], 6);
    assert!(files.read("r.html").contains(name));
    let log: Value = serde_json::from_str(&files.read("r.sarif")).expect("JSON");
    let notes = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(notes[0]["descriptor"]["id"], name);
}

#[test]
fn they_are_granted_and_refused() {
    let files = Files::new(PROGRAM);
    let (code, said, _) = check(&files, &["--strict", "p.c"]);
    assert_eq!(code, Some(20), "{said}");
    assert!(
        said.contains("'extern-functions-change-nothing' is not assumed: outside"),
        "{said}"
    );
    let granted = [
        "--strict",
        "--assume",
        "extern-functions-change-nothing",
        "p.c",
    ];
    assert_eq!(check(&files, &granted).0, Some(0));
    // Where allocation succeeds, that is assumed too.
    let (_, said, _) = check(&files, &["--assume", "malloc-succeeds", "p.c"]);
    assert!(said.contains("2 assumptions (-v lists them)\n"), "{said}");
    files.write(
        "p.toml",
        "extends = \"portfolio\"\nfrontend.c.no-assume = \"malloc-may-fail\"\n",
    );
    let (_, said, _) = check(&files, &["-p", "p.toml", "p.c"]);
    assert!(said.contains("2 assumptions (-v lists them)\n"), "{said}");
    let (code, _, error) = check(&files, &["--no-assume", "malloc-suceeds", "p.c"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("did you mean 'malloc-succeeds'?"), "{error}");
}

#[test]
fn allocation_fails_in_plain_files_and_not_in_tasks() {
    let files = Files::new(
        "#include <stdlib.h>\nint main(void) { char *p = malloc(1); *p = 1; free(p); return 0; }\n",
    );
    let (code, said, _) = check(&files, &["p.c"]);
    assert_eq!(code, Some(10), "{said}");
    assert!(said.ends_with("VERDICT: false(valid-deref)\n"), "{said}");
    files.write("p.prp", "CHECK( init(main()), LTL(G valid-deref) )\n");
    let task =
        "input_files: p.c\nproperties:\n  - property_file: p.prp\noptions: {data_model: LP64}\n";
    files.write("t.yml", task);
    for asked in [&["t.yml"][..], &["--64", "--property", "p.prp", "p.c"]] {
        let (code, said, _) = check(&files, asked);
        assert_eq!(code, Some(0), "{asked:?}: {said}");
        assert!(said.contains("1 assumption"), "{said}");
    }
}

#[test]
fn nothing_to_check_is_no_bare_true() {
    let files = Files::new("int main(void) { return 0; }\n");
    let outputs = [
        "-o",
        "json=p.json",
        "-o",
        "sarif=p.sarif",
        "-o",
        "html=p.html",
    ];
    let asked = [&["--check", "unreach-call"][..], &outputs, &["p.c"]].concat();
    let (code, said, _) = check(&files, &asked);
    assert_eq!(code, Some(0));
    assert!(
        said.starts_with("VERDICT: true (nothing to check: "),
        "{said}"
    );
    for name in ["p.json", "p.sarif", "p.html"] {
        let text = files.read(name);
        assert!(text.contains("nothing to check: "), "{name}: {text}");
    }
    // By default there is a leak to look for at least.
    assert_eq!(check(&files, &["p.c"]).0, Some(0));
    // Whoever asks by the rules of a competition means it.
    files.write(
        "p.prp",
        "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
    );
    assert_eq!(check(&files, &["--property", "p.prp", "p.c"]).0, Some(0));
}

/// The table of the manual has every assumption, with its meaning and what it is by default.
#[test]
fn the_manual_lists_them() {
    use trellis_frontend_c::assumptions::{Assumption, Granted};
    let manual = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/src/c.md");
    let manual = std::fs::read_to_string(manual).expect("the manual");
    let (plain, task) = (Granted::plain(), Granted::task());
    let word = |granted: bool| if granted { "yes" } else { "no" };
    for which in Assumption::all() {
        let row = format!(
            "| `{}` | {} | {} | {} |\n",
            which.name(),
            which.explanation(),
            word(plain.has(which)),
            word(task.has(which))
        );
        assert!(manual.contains(&row), "{row}");
    }
}
