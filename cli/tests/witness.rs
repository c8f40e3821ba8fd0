//! What verdicts leave behind, as a user gets it: harnesses that run, witnesses that validate, and
//! damaged witnesses that do not.

mod support;

use support::files::Files;

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
}
