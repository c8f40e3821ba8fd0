//! Small programs with a seeded bug each, and their correct twins, by the plain command: no bug is called true, and no
//! twin false. With `-D BUG` a program of `seeded/`, and of `numbers/`, which has functions on floating numbers, has its bug.

use std::path::Path;
use std::process::Command;

/// The exit code of a plain check, and what it says.
fn check(path: &Path, more: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_trellis"))
        .args(["check", "--quiet", "-t", "20s"])
        .args(more)
        .arg(path)
        .output()
        .expect("trellis starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), said)
}

/// Checks each program of a folder with its bug and without. Returns how many there are, how many bugs were found, and how many
/// twins proved.
fn no_bug_is_true_and_no_twin_is_false(folder: &str) -> (usize, usize, usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(folder);
    let files = std::fs::read_dir(folder).expect("the programs are there");
    let mut files: Vec<_> = files.map(|f| f.expect("readable").path()).collect();
    files.sort();
    let mut wrong = Vec::new();
    let (mut found, mut proved) = (0, 0);
    for path in &files {
        let (code, said) = check(path, &["-DBUG"]);
        match code {
            Some(10) => found += 1,
            Some(20) => {}
            _ => wrong.push(format!("{} with its bug: {said}", path.display())),
        }
        let (code, said) = check(path, &[]);
        match code {
            Some(0) => proved += 1,
            Some(20) => eprintln!("{}: {said}", path.display()),
            _ => wrong.push(format!("{}: {said}", path.display())),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    (files.len(), found, proved)
}

// A machine with much else to do runs into the time limit, but not always.

#[test]
fn seeded_bugs() {
    let (files, found, proved) = no_bug_is_true_and_no_twin_is_false("seeded");
    assert!(files >= 12, "{files}");
    assert!(found * 4 >= files * 3, "{found} of {files}");
    assert!(proved * 2 >= files, "{proved} of {files}");
}

#[test]
fn functions_on_numbers() {
    let (files, found, proved) = no_bug_is_true_and_no_twin_is_false("numbers");
    assert!(files >= 20, "{files}");
    assert!(found * 4 >= files * 3, "{found} of {files}");
    assert!(proved * 2 >= files, "{proved} of {files}");
}

/// Traces show floating numbers as people write them, and their bits.
#[test]
fn numbers_are_written_as_in_c() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/numbers");
    let (code, said) = check(&folder.join("tenths.c"), &["-DBUG"]);
    assert_eq!(code, Some(10), "{said}");
    assert!(said.contains("sum = 0.1f (0x3dcccccd)"), "{said}");
    assert!(said.contains("sum = 1.0000001f (0x3f800001)"), "{said}");
    let (code, said) = check(&folder.join("midpoint.c"), &["-DBUG"]);
    assert_eq!(code, Some(10), "{said}");
    // Whichever way the sum leaves the range.
    let infinite = [
        " returns INFINITY (0x7f800000)",
        " returns -INFINITY (0xff800000)",
    ];
    assert!(infinite.iter().any(|i| said.contains(i)), "{said}");
}

/// Bounds of floats through loops, by data flow alone: a filter, Newton's iteration, a value that is kept in range. Without them
/// the errors in the twins are not excluded.
#[test]
fn data_flow_bounds_floats() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("loop.c");
    let bodies = [
        (
            "float x = 0;",
            "float d = any(); if (!(d >= -1 && d <= 1)) return 0; x = 0.5f * x + d;",
            "x > 4 || x < -4",
            "x > 1",
        ),
        (
            "float x = 1;",
            "x = x / 2 + 1 / x;",
            "!(x >= 1 && x <= 2)",
            "x != 1.5f",
        ),
        (
            "double x = -3;",
            "x += more() ? 0.1 : -0.1; if (x > 8) x = 8; if (x < -8) x = -8;",
            "!(x >= -8 && x <= 8)",
            "x > 7",
        ),
    ];
    for (before, round, never, perhaps) in bodies {
        for (error, code) in [(never, 0), (perhaps, 20)] {
            let text = format!(
                "extern float __VERIFIER_nondet_float(void); extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n\
                #define any __VERIFIER_nondet_float\n#define more __VERIFIER_nondet_int\n\
                int main(void) {{ {before} while (more()) {{ {round} if ({error}) reach_error(); }} return 0; }}\n"
            );
            std::fs::write(&path, &text).expect("written");
            let more = ["-e", "dataflow", "--check", "unreach-call"];
            let (found, said) = check(&path, &more);
            assert_eq!(found, Some(code), "{text}{said}");
        }
    }
}

/// Behind a call of whose result only bounds are known, an error counts where the compiled program shows it.
#[test]
fn errors_behind_libm_need_an_execution() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("sine.c");
    let text = "#include <math.h>\n\
        extern double __VERIFIER_nondet_double(void); extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n\
        int main(void) { int n = __VERIFIER_nondet_int(); double x = __VERIFIER_nondet_double();\n\
        if (!(x > 1 && x < 2)) return 0; double s = sin(x);\n\
        #ifdef SHOWN\n if (n == 12345 && s == s) reach_error();\n\
        #else\n if (s == 0.25) reach_error();\n #endif\n return 0; }\n";
    std::fs::write(&path, text).expect("written");
    let reason = "an error after a call of whose result only bounds are known";
    let cases: [(&[&str], i32, &str); 3] = [
        (&["-DSHOWN"], 20, reason),
        (&["-DSHOWN", "--confirm"], 10, "confirmed by execution"),
        (&["--confirm"], 20, reason),
    ];
    for (more, code, words) in cases {
        let (found, said) = check(&path, more);
        assert!(
            found == Some(code) && said.contains(words),
            "{more:?}: {found:?} {said}"
        );
    }
}
