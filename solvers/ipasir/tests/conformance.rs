//! A library built from `dpll.c` passes the SAT suite; what is no IPASIR library is named as such.

use std::path::PathBuf;
use std::process::Command;
use trellis_solver_api::ErrorKind;
use trellis_solver_api::testing::check_sat_backend;
use trellis_solver_ipasir::Ipasir;

/// Builds a shared library from C sources in this folder.
fn build(name: &str, source: &str) -> PathBuf {
    let library = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("lib{name}.so"));
    let status = Command::new("cc")
        .args(["-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-o"])
        .arg(&library)
        .arg(
            PathBuf::from(env!("CARGO_MANIFEST_DIR"))
                .join("tests")
                .join(source),
        )
        .status()
        .expect("a C compiler named cc");
    assert!(status.success(), "{source} does not compile");
    library
}

#[test]
fn conformance() {
    let backend = Ipasir::load(build("dpll", "dpll.c")).expect("exports IPASIR");
    assert_eq!(backend.signature(), "dpll-for-tests");
    check_sat_backend(&backend);
}

#[test]
fn failures_are_named() {
    let failure = |path: PathBuf| {
        let error = Ipasir::load(path).err().expect("not an IPASIR library");
        assert_eq!(error.kind(), ErrorKind::Input);
        error.to_string()
    };
    assert!(failure("/nowhere/libsat.so".into()).contains("does not load"));
    let partial = failure(build("partial", "partial.c"));
    assert!(
        partial.ends_with("lacks the symbols ipasir_failed, ipasir_set_terminate"),
        "{partial}"
    );
}
