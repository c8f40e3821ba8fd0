//! A sample engine in C: explicit-state exploration of small programs.
//!
//! The engine is `explicit.c`, one file over the header `trellis.h`. This crate holds it so that
//! the workspace builds and tests it: [`build`] compiles it with the system's C compiler.
//!
//! Deliberately absent: Rust in the engine.

use std::io::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the source is.
pub const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/explicit.c");
/// Where the header is.
pub const INCLUDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../abi/include");

/// Compiles a plugin of one C file into `library`, with definitions such as `-DMODE=3`.
pub fn compile(source: &Path, library: &Path, definitions: &[String]) -> Result<(), Error> {
    compile_with(Path::new(INCLUDE), source, library, definitions)
}

/// The same with the header that is in the folder `include`.
pub fn compile_with(
    include: &Path,
    source: &Path,
    library: &Path,
    definitions: &[String],
) -> Result<(), Error> {
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let output = Command::new(compiler)
        .args([
            "-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared",
        ])
        .arg("-I")
        .arg(include)
        .args(definitions)
        .arg(source)
        .arg("-o")
        .arg(library)
        .output()?;
    if output.status.success() {
        return Ok(());
    }
    Err(Error::other(
        String::from_utf8_lossy(&output.stderr).into_owned(),
    ))
}

/// Compiles the engine into `dir` under the name that its id has.
pub fn build(dir: &Path) -> Result<PathBuf, Error> {
    let library = dir.join(format!(
        "{}trellis_engine_explicit_c{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    ));
    compile(Path::new(SOURCE), &library, &[])?;
    Ok(library)
}
