//! The text form: goldens of canonical text and of error messages, exact round trips.

use std::fs;
use std::path::{Path, PathBuf};
use trellis_ivl::dot::dot;
use trellis_ivl::text::{parse, print};
use trellis_ivl::verify::verify;

/// The `.ivl` files of a folder beside this test, by name.
fn files(folder: &str) -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/text")
        .join(folder);
    let entries = fs::read_dir(dir).expect("the folder of test inputs");
    let mut paths: Vec<PathBuf> = entries
        .map(|e| e.expect("a directory entry").path())
        .collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "ivl"));
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

fn name(path: &Path) -> String {
    path.file_stem()
        .expect("a file name")
        .to_string_lossy()
        .into_owned()
}

/// Every good text parses, and its canonical text is a fixpoint.
#[test]
fn good_texts() {
    for path in files("good") {
        let text = fs::read_to_string(&path).expect("a readable test input");
        let program = parse(&text).unwrap_or_else(|e| panic!("{}:\n{e}", path.display()));
        let canonical = print(&program);
        insta::assert_snapshot!(format!("good__{}", name(&path)), canonical);
        let again = parse(&canonical).unwrap_or_else(|e| panic!("{}:\n{e}", path.display()));
        assert_eq!(print(&again), canonical);
    }
}

/// Every good text is well-formed, and its picture is the golden one.
#[test]
fn pictures() {
    for path in files("good") {
        let text = fs::read_to_string(&path).expect("a readable test input");
        let program = parse(&text).unwrap_or_else(|e| panic!("{}:\n{e}", path.display()));
        verify(&program).unwrap_or_else(|e| panic!("{}:\n{e}", path.display()));
        insta::assert_snapshot!(format!("dot__{}", name(&path)), dot(&program));
    }
}

/// Every bad text yields exactly the messages of its golden.
#[test]
fn bad_texts() {
    for path in files("bad") {
        let text = fs::read_to_string(&path).expect("a readable test input");
        let message = match parse(&text) {
            Ok(p) => panic!("{} parses:\n{p}", path.display()),
            Err(e) => e.to_string(),
        };
        insta::assert_snapshot!(format!("bad__{}", name(&path)), message);
    }
}
