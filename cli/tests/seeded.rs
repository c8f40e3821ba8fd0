//! Small programs with a seeded bug each, and their correct twins, by the plain command: no bug is called true, and no
//! twin false. With `-D BUG` a program of `seeded/` has its bug.

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

#[test]
fn no_bug_is_true_and_no_twin_is_false() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seeded");
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
    assert!(files.len() >= 12, "{}", files.len());
    // A machine with much else to do runs into the time limit, but not always.
    assert!(found * 4 >= files.len() * 3, "{found} of {}", files.len());
    assert!(proved * 2 >= files.len(), "{proved} of {}", files.len());
}
