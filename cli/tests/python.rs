//! The Python packages that tests use.

use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("cli/ lies in the workspace").into()
}

/// A Python with the packages of `tests/install-python.sh`; says `SKIPPED` where there is none.
pub fn python() -> Option<PathBuf> {
    // The folder of what is being tested: target, whatever it is called.
    let target = Path::new(env!("CARGO_BIN_EXE_trellis")).ancestors().nth(2);
    let found = target
        .map(|t| t.join("python/bin/python"))
        .filter(|p| p.exists());
    if found.is_none() {
        eprintln!("SKIPPED: there is no target/python here; tests/install-python.sh gets it");
    }
    found
}
