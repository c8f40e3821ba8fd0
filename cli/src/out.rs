//! `--out KIND=FILE`: what a check may write besides its verdict line.
//!
//! A new kind is a row of [`KINDS`] and a case where `check` writes it.

use crate::plain::plain;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use trellis::Error;
use trellis::proofs::Evidence;
use trellis_ivl::nearest::nearest;
use trellis_solver_lrat::{Formula, text};

/// A kind of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The whole result, for machines.
    Json,
    /// The steps to the error, for people.
    Trace,
    /// A C file that leads the program to the error.
    Harness,
    /// A page for people.
    Html,
    /// For whoever shows the results of tests.
    Junit,
    /// For code hosts and editors.
    Sarif,
    /// SV-COMP's witness, format 2.0; for hardware the stimulus.
    Witness,
    /// A witness circuit, for hardware.
    Certificate,
    /// A folder with every obligation of the proof as a script.
    Smt2,
    /// A folder with every obligation as clauses, and the proof that they have no model.
    Proof,
    /// The waves of a hardware model's run to a bad state.
    Vcd,
}

/// Every kind by its name.
const KINDS: &[(&str, Kind)] = &[
    ("certificate", Kind::Certificate),
    ("harness", Kind::Harness),
    ("html", Kind::Html),
    ("json", Kind::Json),
    ("junit", Kind::Junit),
    ("proof", Kind::Proof),
    ("sarif", Kind::Sarif),
    ("smt2", Kind::Smt2),
    ("trace", Kind::Trace),
    ("vcd", Kind::Vcd),
    ("witness", Kind::Witness),
];

impl Kind {
    /// Its name.
    pub fn name(self) -> &'static str {
        let named = KINDS.iter().find(|(_, kind)| *kind == self);
        named.map_or("", |(name, _)| name)
    }
}

/// One output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// What.
    pub kind: Kind,
    /// Where; `-` is standard output.
    pub path: PathBuf,
}

/// Reads `KIND=FILE`.
pub fn parse(specs: &[String]) -> Result<Vec<Output>, Error> {
    let one = |spec: &String| {
        let (name, path) = spec
            .split_once('=')
            .filter(|(_, path)| !path.is_empty())
            .ok_or_else(|| {
                Error::Usage(format!(
                    "--out {spec}: KIND=FILE is expected, such as json=FILE; nothing is compiled"
                ))
            })?;
        let known = KINDS.iter().find(|(known, _)| *known == name);
        let Some(&(_, kind)) = known else {
            let names: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
            let hint = nearest(name, names.iter().copied());
            let hint = hint.map_or(String::new(), |h| format!(", did you mean `{h}`?"));
            let names = names.join(", ");
            return Err(Error::Usage(format!(
                "--out {name}: there is no such kind{hint} (known: {names})"
            )));
        };
        let path = PathBuf::from(path);
        Ok(Output { kind, path })
    };
    specs.iter().map(one).collect()
}

/// Prints to standard output. Nobody has to read it; anything else that goes wrong ends the process, because what
/// is asked for cannot be given.
pub fn print(text: std::fmt::Arguments<'_>) {
    let text = text.to_string();
    let mut out = std::io::stdout().lock();
    match out
        .write_all(plain(&text).as_bytes())
        .and_then(|()| out.flush())
    {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            eprintln!("trellis: standard output: {e}");
            std::process::exit(2);
        }
        _ => {}
    }
}

/// Prints to standard error, whether or not anybody reads it.
pub fn eprint(text: std::fmt::Arguments<'_>) {
    let _ = std::io::stderr().write_all(plain(&text.to_string()).as_bytes());
}

/// Writes a file so that it is either the old one or the whole new one. What is no file (a pipe, a
/// terminal, `/dev/null`) is written to and never replaced; a link stays a link.
pub fn write_atomically(path: &Path, text: impl AsRef<[u8]>) -> Result<(), Error> {
    let io = |error| Error::Io {
        path: path.into(),
        error,
    };
    if path == Path::new("-") {
        return std::io::stdout().write_all(text.as_ref()).map_err(io);
    }
    if std::fs::metadata(path).is_ok_and(|m| !m.is_file()) {
        let opened = std::fs::OpenOptions::new().write(true).open(path);
        return opened
            .and_then(|mut file| file.write_all(text.as_ref()))
            .map_err(io);
    }
    let path = &std::fs::canonicalize(path).unwrap_or_else(|_| path.into());
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    // Never through a link that somebody has put there.
    let mut file = std::fs::File::create_new(&temporary).map_err(io)?;
    let written = file
        .write_all(text.as_ref())
        .and_then(|()| std::fs::rename(&temporary, path));
    written.map_err(|error| {
        // Nothing half-written stays; whether it was there at all does not matter.
        let _ = std::fs::remove_file(&temporary);
        io(error)
    })
}

/// Writes numbered scripts into a folder, which is made where it is missing.
pub fn write_scripts(dir: &Path, scripts: &[String]) -> Result<(), Error> {
    std::fs::create_dir_all(dir).map_err(|error| Error::Io {
        path: dir.into(),
        error,
    })?;
    for (n, script) in scripts.iter().enumerate() {
        write_atomically(&dir.join(format!("{:04}.smt2", n + 1)), script)?;
    }
    Ok(())
}

/// Writes numbered formulas and proofs into a folder, which is made where it is missing. The numbers are those of the
/// scripts.
pub fn write_proofs(dir: &Path, evidence: &[Evidence]) -> Result<(), Error> {
    let io = |error| Error::Io {
        path: dir.into(),
        error,
    };
    std::fs::create_dir_all(dir).map_err(io)?;
    for (one, n) in evidence.iter().zip(1..) {
        let mut contradiction = Formula::default();
        contradiction.add_clause([]);
        let (formula, proof, comment) = match one {
            Evidence::Proof(formula, proof) => (formula, proof.as_slice(), ""),
            Evidence::Circuit => {
                let comment = "the circuit of this obligation is constant";
                (&contradiction, &[][..], comment)
            }
            Evidence::TooLong => {
                eprintln!(
                    "trellis: --out proof: the proof of obligation {n} was accepted, and is too long to be written"
                );
                continue;
            }
        };
        let mut clauses = Vec::new();
        text::write_dimacs(formula, comment, &mut clauses).map_err(io)?;
        write_atomically(&dir.join(format!("{n:04}.cnf")), clauses)?;
        write_atomically(&dir.join(format!("{n:04}.lrat")), proof)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced_and_nothing_else_is() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = |name: &str| dir.path().join(name);
        std::os::unix::fs::symlink("target", path("link")).expect("a link");
        for name in ["target", "link", "link"] {
            write_atomically(&path(name), name).expect("written");
        }
        assert!(path("link").is_symlink());
        assert_eq!(
            std::fs::read_to_string(path("target")).ok(),
            Some("link".into())
        );
        // A socket cannot be opened for writing, and must not be replaced either.
        let _socket = std::os::unix::net::UnixListener::bind(path("socket")).expect("bound");
        assert!(write_atomically(&path("socket"), "text").is_err());
        assert!(!path("socket").is_file() && path("socket").exists());
        assert!(write_atomically(dir.path(), "text").is_err());
        let names = std::fs::read_dir(dir.path()).expect("a folder").count();
        assert_eq!(names, 3, "nothing half-written stays");
    }
}
