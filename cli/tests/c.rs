//! What the command line offers for C programs besides the verdict.

use std::path::Path;
use std::process::Command;

const PROGRAM: &str = "extern void reach_error(void);
int add(int a, int b) { return a + b; }
int main(void) {
  int n = START;
  while (n < 9)
    n = add(n, 2);
  do n--; while (n % 3);
  if (n != 9) reach_error();
  return 100 / n;
}
";

/// What `trellis` prints in a folder with the program and a header, and its exit code.
fn trellis(dir: &Path, args: &[&str]) -> (String, Option<i32>) {
    std::fs::write(dir.join("p.c"), PROGRAM).expect("writable");
    std::fs::write(dir.join("start.h"), "#define START 1\n").expect("writable");
    let mut command = Command::new(env!("CARGO_BIN_EXE_trellis"));
    let output = command.args(args).current_dir(dir).output();
    let output = output.expect("trellis starts");
    let text = String::from_utf8(output.stdout).expect("text");
    (text, output.status.code())
}

#[test]
fn properties_and_loops_are_listed() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let list = |show| {
        let check = "unreach-call,no-overflow,div-by-zero";
        let args = ["check", "--check", check, "-DSTART=1", show, "p.c"];
        let (text, code) = trellis(dir.path(), &args);
        assert_eq!(code, Some(0), "{text}");
        text
    };
    assert_eq!(
        list("--show-properties"),
        "p.c:2:32: no-overflow in add\n\
         p.c:7:6: no-overflow in main\n\
         p.c:8:15: unreach-call in main\n\
         p.c:9:10: div-by-zero in main\n"
    );
    assert_eq!(
        list("--show-loops"),
        "p.c:5:3: loop in main\np.c:7:3: loop in main\n"
    );
    let json: serde_json::Value =
        serde_json::from_str(&list("--show-properties=json")).expect("JSON");
    assert_eq!(json[0]["property"], "no-overflow");
    assert_eq!(json[0]["function"], "add");
    assert_eq!(
        (json[2]["line"].as_u64(), json[2]["column"].as_u64()),
        (Some(8), Some(15))
    );
    let json: serde_json::Value = serde_json::from_str(&list("--show-loops=json")).expect("JSON");
    assert_eq!(json.as_array().map(Vec::len), Some(2));
    assert_eq!(json[1]["line"], 7);
}

#[test]
fn headers_are_included_in_both_spellings() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    for include in ["-include", "--include"] {
        let args = ["check", include, "start.h", "--show-loops", "p.c"];
        let (text, code) = trellis(dir.path(), &args);
        assert_eq!(code, Some(0), "{include}: {text}");
    }
    let (_, code) = trellis(dir.path(), &["check", "--show-loops", "p.c"]);
    assert_eq!(code, Some(2), "START is not declared without the header");
}

/// The printed program carries its source, and is still the program.
#[test]
fn printing_shows_the_source() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let (text, code) = trellis(dir.path(), &["ivl", "print", "-DSTART=1", "p.c"]);
    assert_eq!(code, Some(0));
    for line in ["  // 6: n = add(n, 2);\n", "  // 9: return 100 / n;\n"] {
        assert!(text.contains(line), "{line:?} is not in {text}");
    }
    std::fs::write(dir.path().join("p.ivl"), &text).expect("writable");
    let (again, code) = trellis(dir.path(), &["ivl", "print", "p.ivl"]);
    assert_eq!(code, Some(0));
    let plain: String = text
        .lines()
        .filter(|l| !l.trim_start().starts_with("//"))
        .map(|l| format!("{l}\n"))
        .collect();
    assert_eq!(again, plain);
}
