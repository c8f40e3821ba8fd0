//! Reports in a browser: steps, jumps, search, drawings, waves, and nothing but text from what is hostile. `TRELLIS_SHOTS=FOLDER` writes
//! the pictures of the book.

use crate::python::{python, root};
use crate::support::Bench;
use std::process::Command;

/// What no page may understand.
const HOSTILE: &str = "/* </script><script>hacked=1</script><img src=x onerror=hacked=1> <!-- */
extern void reach_error(void);
int main(void) { const char *s = \"<b>&amp;</b>\"; if (s[0] == '<') reach_error(); return 0; }
";

const FUNCTIONS: &str =
    "/*@ requires 0 <= n <= 1000; assigns \\nothing; ensures \\result == n + 2; */
int wrong(int n) { return n + 1; }
/*@ requires 0 <= n <= 1000; assigns \\nothing; ensures \\result == n + 1; */
int right(int n) { return n + 1; }
";

/// Two functions whose automata are too large for pictures, and a way through one of them that is not.
fn large() -> String {
    let mut text = String::from(
        "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\nint other(int x) {\n",
    );
    let branches = |text: &mut String| {
        for n in 0..200 {
            *text += &format!("  if (x == {n}) {{\n    x += {n};\n    if (x > 7) x--;\n  }}\n");
        }
    };
    branches(&mut text);
    text += "  return x;\n}\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x == -5) reach_error();\n";
    branches(&mut text);
    text + "  return other(x);\n}\n"
}

#[test]
fn reports_are_walked_through() {
    let Some(python) = python() else { return };
    let bench = Bench::new();
    let here = root().join("cli/tests");
    let corpus = root().join("tests/corpus");
    for (from, to) in [
        (here.join("browser/heap.c"), "heap.c"),
        (here.join("browser/many.c"), "many.c"),
        (here.join("browser/hostile.btor2"), "hostile.btor2"),
        (here.join("every/ten.c"), "ten.c"),
        (root().join("examples/ring.c"), "ring.c"),
        (corpus.join("c/recursion-gcd-safe.c"), "sum.c"),
        (corpus.join("hw/counter-unsafe.btor2"), "counter.btor2"),
    ] {
        std::fs::copy(from, bench.path(to)).expect("a file");
    }
    let name = "<b>&100%.c";
    bench.write(name, HOSTILE);
    bench.write("functions.c", FUNCTIONS);
    bench.write("large.c", &large());
    let checks: [(&str, i32, &[&str]); 10] = [
        ("heap", 10, &["heap.c"]),
        ("many", 10, &["--check", "unreach-call", "many.c"]),
        ("proof", 0, &["ring.c"]),
        (
            "contracts",
            0,
            &["-e", "contracts", "--check", "unreach-call", "sum.c"],
        ),
        ("waves", 10, &["counter.btor2"]),
        ("ten", 10, &["ten.c"]),
        ("modular", 10, &["--modular", "functions.c"]),
        (
            "large",
            10,
            &["-e", "run", "--check", "unreach-call", "large.c"],
        ),
        ("hostile-c", 10, &["--check", "unreach-call", name]),
        ("hostile-btor2", 10, &["hostile.btor2"]),
    ];
    for (page, expected, args) in checks {
        let out = format!("--out=html={page}.html");
        let (code, last, stderr) = bench.check(&[args, &["-q", &out]].concat());
        assert_eq!(code, expected, "{page}: {last}: {stderr}");
    }
    let shots = std::env::var_os("TRELLIS_SHOTS");
    let output = Command::new(python)
        .arg(here.join("browser/walk.py"))
        .arg(bench.dir())
        .args(shots)
        .output()
        .expect("Python starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    eprintln!("{said}");
    if output.status.code() != Some(77) {
        assert!(output.status.success(), "{said}{stderr}");
    }
}
