//! What verdicts leave behind, as a user gets it: harnesses that run, witnesses that validate, and
//! damaged witnesses that do not.

use crate::support::files::Files;

const UNSAFE: &str = "extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) {
  int n = __VERIFIER_nondet_int();
  int s = 0;
  if (n < 3 || n > 5)
    return 0;
  for (int i = 0; i < n; i++) {
    s += i;
  }
  if (s == 6) {
    reach_error();
  }
  return 0;
}
";

const SAFE: &str = "extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) {
  int x = 0;
  while (__VERIFIER_nondet_int()) {
    x = x + 4;
  }
  if (x % 4 != 0) {
    reach_error();
  }
  return 0;
}
";

impl Files {
    fn run(&self, args: &[&str]) -> (Option<i32>, String) {
        let output = self.trellis(args);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), text)
    }

    fn witness(&self) -> String {
        let asked = ["check", "--32", "--check", "unreach-call", "p.c"];
        self.run(&[&asked[..], &["-o", "witness=w.yml", "-o", "trace=t"]].concat());
        std::fs::read_to_string(self.path("w.yml")).expect("a witness")
    }

    /// The exit code and what is said of a witness.
    fn validate(&self, text: &str) -> (Option<i32>, String) {
        self.write("m.yml", text);
        self.run(&["validate", "p.c", "m.yml"])
    }
}

fn rejected(files: &Files, text: &str, why: &str) {
    let (code, said) = files.validate(text);
    assert!(
        code == Some(10) && said.contains(why),
        "{code:?} {said}\n{text}"
    );
}

#[test]
fn an_error_is_confirmed_and_its_witness_validates() {
    let files = Files::new(UNSAFE);
    let (code, said) = files.run(&["check", "p.c", "--confirm", "-o", "harness=h.c"]);
    assert_eq!(code, Some(10));
    assert!(said.contains("\nconfirmed by execution"), "{said}");
    assert!(said.ends_with("VERDICT: false(unreach-call)\n"), "{said}");
    let witness = files.witness();
    assert_eq!(files.validate(&witness).0, Some(0), "{witness}");
    let changed = |from: &str, to: &str| {
        assert!(witness.contains(from), "{witness}");
        witness.replacen(from, to, 1)
    };
    rejected(&files, &changed("n == 4", "n == 5"), "no execution");
    rejected(
        &files,
        &changed("line: 12", "line: 13"),
        "nothing of the program begins there",
    );
    rejected(&files, &changed("n == 4", "m == 4"), "no variable 'm'");
    rejected(&files, &changed("\"target\"", "\"goal\""), "malformed");
    rejected(
        &files,
        &changed("\"follow\"", "\"avoid\""),
        "exactly one waypoint",
    );
    files.write("p.c", &UNSAFE.replace("s == 6", "s == 7"));
    rejected(&files, &witness, "another program");
}

#[test]
fn a_proof_leaves_invariants_that_are_inductive() {
    let files = Files::new(SAFE);
    let witness = files.witness();
    let (code, said) = files.validate(&witness);
    assert_eq!(code, Some(0), "{said}\n{witness}");
    let at = witness.find("value: ").expect("an invariant");
    let end = at + witness[at..].find('\n').expect("the end of the line");
    let with = |value: &str| format!("{}value: \"{value}\"{}", &witness[..at], &witness[end..]);
    assert_eq!(files.validate(&with("x % 4 == 0")).0, Some(0));
    rejected(&files, &with("1"), "");
    rejected(&files, &with("x % 2 == 0"), "");
    rejected(&files, &with("x >= 0 && x < 100"), "");
    rejected(&files, &with("x++ == 0"), "operand is expected");
    // By a proof that is checked, and with nothing assumed.
    let how = ["validate", "--certify", "proof", "--strict", "p.c", "w.yml"];
    assert_eq!(files.run(&how).0, Some(0));
    files.write("m.yml", &with("x % 2 == 0"));
    let how = ["validate", "--certify", "proof", "p.c", "m.yml"];
    assert_eq!(files.run(&how).0, Some(10));
}

/// Invariants at other places than loops need no induction, and have to hold all the same.
#[test]
fn every_invariant_has_to_hold() {
    let files = Files::new(SAFE);
    let witness = files.witness();
    let at_line = |line: u32, value: &str| {
        let item = format!(
            "    - invariant:
        format: \"c_expression\"
        location:
          file_name: \"p.c\"
          function: \"main\"
          line: {line}
        type: \"location_invariant\"
        value: \"{value}\"
"
        );
        witness.replacen("- content:\n", &format!("- content:\n{item}"), 1)
    };
    // Line 8 is the test behind the loop, line 6 its body.
    for right in [at_line(8, "x % 4 == 0"), at_line(6, "x % 2 == 0")] {
        let (code, said) = files.validate(&right);
        assert_eq!(code, Some(0), "{said}\n{right}");
    }
    for wrong in [
        at_line(8, "x == 4"),
        at_line(6, "x % 8 == 0"),
        at_line(8, "x % 4 == 1"),
    ] {
        rejected(&files, &wrong, "not proved");
    }
}

/// What a witness may take for granted is chosen, and what it did is told.
#[test]
fn assumptions_of_a_witness_are_told() {
    let files = Files::new(
        "extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
extern void log_it(int *);
int main(void) {
  int x = 0;
  while (__VERIFIER_nondet_int()) {
    log_it(&x);
    x = x + 4;
  }
  if (x % 4 != 0) {
    reach_error();
  }
  return 0;
}
",
    );
    let witness = files.witness();
    files.write("m.yml", &witness);
    let (code, said) = files.run(&["validate", "p.c", "m.yml"]);
    assert_eq!(code, Some(0), "{said}\n{witness}");
    assert!(said.starts_with("1 assumption (-v lists them)\n"), "{said}");
    let (_, said) = files.run(&["validate", "-v", "p.c", "m.yml"]);
    assert!(said.contains("extern-functions-change-nothing"), "{said}");
    for refused in [
        &["--strict"][..],
        &["--no-assume", "extern-functions-change-nothing"],
    ] {
        let (code, said) = files.run(&[&["validate", "p.c", "m.yml"], refused].concat());
        assert!(matches!(code, Some(10 | 20)), "{said}");
        assert!(!said.contains("assumption"), "{said}");
    }
    let (code, _) = files.run(&["validate", "p.c", "m.yml", "--assume", "luck"]);
    assert_eq!(code, Some(2));
}
