//! `--out KIND=FILE`: what a check may write besides its verdict line.
//!
//! A new kind is a row of [`KINDS`] and a case where `check` writes it.

use crate::error::CliError;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use trellis_ivl::nearest::nearest;

/// A kind of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The whole result, for machines.
    Json,
    /// The steps to the error, for people.
    Trace,
    /// A C file that leads the program to the error.
    Harness,
    /// SV-COMP's witness, format 2.0; for hardware the stimulus.
    Witness,
    /// A witness circuit, for hardware.
    Certificate,
    /// A folder with every obligation of the proof as a script.
    Smt2,
}

/// Every kind by its name.
const KINDS: &[(&str, Kind)] = &[
    ("certificate", Kind::Certificate),
    ("harness", Kind::Harness),
    ("json", Kind::Json),
    ("smt2", Kind::Smt2),
    ("trace", Kind::Trace),
    ("witness", Kind::Witness),
];

/// One output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// What.
    pub kind: Kind,
    /// Where; `-` is standard output.
    pub path: PathBuf,
}

/// Reads `KIND=FILE`.
pub fn parse(specs: &[String]) -> Result<Vec<Output>, CliError> {
    let one = |spec: &String| {
        let (name, path) = spec
            .split_once('=')
            .filter(|(_, path)| !path.is_empty())
            .ok_or_else(|| CliError::Usage(format!("--out {spec}: KIND=FILE is expected")))?;
        let known = KINDS.iter().find(|(known, _)| *known == name);
        let Some(&(_, kind)) = known else {
            let names: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
            let hint = nearest(name, names.iter().copied());
            let hint = hint.map_or(String::new(), |h| format!(", did you mean `{h}`?"));
            let names = names.join(", ");
            return Err(CliError::Usage(format!(
                "--out {name}: there is no such kind{hint} (known: {names})"
            )));
        };
        let path = PathBuf::from(path);
        Ok(Output { kind, path })
    };
    specs.iter().map(one).collect()
}

/// Writes a file so that it is either the old one or the whole new one.
pub fn write_atomically(path: &Path, text: impl AsRef<[u8]>) -> Result<(), CliError> {
    let io = |error| CliError::Io {
        path: path.into(),
        error,
    };
    if path == Path::new("-") {
        return std::io::stdout().write_all(text.as_ref()).map_err(io);
    }
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let written = std::fs::write(&temporary, text).and_then(|()| std::fs::rename(&temporary, path));
    written.map_err(|error| {
        // Nothing half-written stays; whether it was there at all does not matter.
        let _ = std::fs::remove_file(&temporary);
        io(error)
    })
}

/// Writes numbered scripts into a folder, which is made where it is missing.
pub fn write_scripts(dir: &Path, scripts: &[String]) -> Result<(), CliError> {
    std::fs::create_dir_all(dir).map_err(|error| CliError::Io {
        path: dir.into(),
        error,
    })?;
    for (n, script) in scripts.iter().enumerate() {
        write_atomically(&dir.join(format!("{:04}.smt2", n + 1)), script)?;
    }
    Ok(())
}
