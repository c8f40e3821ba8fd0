//! A project: the files that belong together, how each is compiled, and what became of them when they were last checked.
//!
//! `trellis.toml` at the root says what is checked; `compile_commands.json`, which build tools write, says how. Each file is a unit
//! of its own. Results are kept by content ([`cache`]): of a unit whose files, flags and options are those of
//! a result, nothing is run.

pub mod cache;
pub mod commands;

use crate::error::Error;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The name of a project's file.
pub const FILE: &str = "trellis.toml";
/// What build tools write.
pub const COMMANDS: &str = "compile_commands.json";
/// The folder of results, below the root.
pub const FOLDER: &str = ".trellis";
/// Files that a project has at most.
const MOST_FILES: usize = 100_000;

/// What `trellis.toml` says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// C files by name or pattern (`src/*.c`, `src/**/*.c`).
    #[serde(default)]
    pub files: Vec<String>,
    /// Those that are left out.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// Flags of the compiler for all files.
    #[serde(default)]
    pub flags: Vec<String>,
    /// Where the commands of the build are, below the root.
    pub compile_commands: Option<PathBuf>,
    /// As `--check`.
    pub check: Option<String>,
    /// As `--pipeline`; a file is below the root.
    pub pipeline: Option<String>,
    /// As `--timeout`, for each function that is checked.
    pub timeout: Option<String>,
    /// As `--assume`.
    #[serde(default)]
    pub assume: Vec<String>,
    /// As `--baseline`: a SARIF log of known errors, below the root.
    pub baseline: Option<PathBuf>,
    /// Where to begin in files without `main`; without this at every function that other files may call.
    #[serde(default)]
    pub functions: Vec<String>,
}

/// A file and how it is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The file, below the root where it is there.
    pub file: PathBuf,
    /// Flags of the compiler; paths in them are absolute, or below the root.
    pub flags: Vec<String>,
}

/// A project.
pub struct Project {
    /// Its folder.
    pub root: PathBuf,
    /// What its file says.
    pub config: Config,
    /// Its files, in the order of their names.
    pub units: Vec<Unit>,
}

impl Project {
    /// Whether a folder is the root of a project.
    pub fn is_at(root: &Path) -> bool {
        root.join(FILE).is_file() || root.join(COMMANDS).is_file()
    }

    /// The project in a folder.
    pub fn load(root: &Path) -> Result<Project, Error> {
        let file = root.join(FILE);
        let config = match file.is_file() {
            true => parse(&read(&file)?)?,
            false => Config::default(),
        };
        let commands = match &config.compile_commands {
            Some(path) => Some(root.join(path)),
            None => Some(root.join(COMMANDS)).filter(|c| c.is_file()),
        };
        let mut units = match commands {
            Some(path) => commands::units(&read(&path)?, root)
                .map_err(|e| Error::Input(format!("{}: {e}", path.display())))?,
            None => Vec::new(),
        };
        if units.is_empty() || !config.files.is_empty() {
            let patterns = match config.files.is_empty() {
                true => vec!["**/*.c".to_string()],
                false => config.files.clone(),
            };
            let known: Vec<PathBuf> = units.iter().map(|u| u.file.clone()).collect();
            let matching = |file: &Path| patterns.iter().any(|p| matches(p, file));
            match known.is_empty() {
                true => units = plain_units(root, matching)?,
                false => units.retain(|u| matching(&u.file)),
            }
        }
        units.retain(|u| !config.exclude.iter().any(|p| matches(p, &u.file)));
        for unit in &mut units {
            unit.flags.extend(config.flags.iter().cloned());
        }
        units.sort_by(|a, b| a.file.cmp(&b.file));
        units.dedup();
        if units.is_empty() {
            return Err(Error::Input(format!(
                "{}: no C file belongs to the project",
                root.display()
            )));
        }
        Ok(Project {
            root: root.into(),
            config,
            units,
        })
    }
}

fn read(path: &Path) -> Result<String, Error> {
    crate::files::read_text(path)
}

/// What a project's file says.
fn parse(text: &str) -> Result<Config, Error> {
    toml::from_str(text).map_err(|e| Error::Input(format!("{FILE}: {}", e.to_string().trim_end())))
}

/// The C files below a folder that somebody wants, in folders that are not hidden.
fn plain_units(root: &Path, wanted: impl Fn(&Path) -> bool) -> Result<Vec<Unit>, Error> {
    let mut found = Vec::new();
    let mut todo = vec![PathBuf::new()];
    while let Some(below) = todo.pop() {
        let dir = root.join(&below);
        let io = |error| Error::Io {
            path: dir.clone(),
            error,
        };
        for entry in std::fs::read_dir(&dir).map_err(io)? {
            let entry = entry.map_err(io)?;
            let name = entry.file_name();
            if name.to_string_lossy().starts_with('.') {
                continue;
            }
            let path = below.join(&name);
            let kind = entry.file_type().map_err(io)?;
            if kind.is_dir() {
                todo.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|e| e == "c") && wanted(&path)
            {
                found.push(Unit {
                    file: path,
                    flags: Vec::new(),
                });
            }
            if found.len() > MOST_FILES {
                return Err(Error::Limit(format!("more than {MOST_FILES} files")));
            }
        }
    }
    Ok(found)
}

/// Whether a path is one of a pattern: `*` is part of a name, `**` any number of folders.
fn matches(pattern: &str, path: &Path) -> bool {
    let pattern: Vec<&str> = pattern.trim_start_matches("./").split('/').collect();
    let path: Vec<String> = (path.components())
        .map(|c| c.as_os_str().to_string_lossy().into_owned())
        .collect();
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    fn parts(pattern: &[&str], path: &[&str]) -> bool {
        match (pattern, path) {
            ([], []) => true,
            (["**", rest @ ..], _) => {
                parts(rest, path) || (!path.is_empty() && parts(pattern, &path[1..]))
            }
            ([first, pattern @ ..], [name, path @ ..]) => {
                part(first.as_bytes(), name.as_bytes()) && parts(pattern, path)
            }
            _ => false,
        }
    }
    fn part(pattern: &[u8], name: &[u8]) -> bool {
        match (pattern, name) {
            ([], []) => true,
            ([b'*', rest @ ..], _) => {
                part(rest, name) || (!name.is_empty() && part(pattern, &name[1..]))
            }
            ([a, pattern @ ..], [b, name @ ..]) => a == b && part(pattern, name),
            _ => false,
        }
    }
    parts(&pattern, &path)
}

/// What `trellis init` writes: a file for what is found in a folder.
pub fn proposed(root: &Path) -> Result<String, Error> {
    let mut text = String::from(
        "# What `trellis check` checks here; see the chapter on projects of the book.\n",
    );
    let commands = [COMMANDS, "build/compile_commands.json"];
    match commands.iter().find(|c| root.join(c).is_file()) {
        Some(&path) => text += &format!("compile-commands = {}\n", quoted(path)),
        None => {
            let units = plain_units(root, |_| true)?;
            if units.is_empty() {
                let text = format!("{}: there is no C file and no {COMMANDS}", root.display());
                return Err(Error::Input(text));
            }
            let mut patterns: Vec<String> = (units.iter())
                .map(|u| u.file.with_file_name("*.c").to_string_lossy().into_owned())
                .collect();
            patterns.sort();
            patterns.dedup();
            let patterns: Vec<String> = patterns.iter().map(|p| quoted(p)).collect();
            text += &format!("files = [{}]\n", patterns.join(", "));
            let headers = ["include", "inc"];
            let headers = headers.iter().filter(|h| root.join(h).is_dir());
            let headers: Vec<String> = headers.map(|h| quoted(&format!("-I{h}"))).collect();
            if !headers.is_empty() {
                text += &format!("flags = [{}]\n", headers.join(", "));
            }
        }
    }
    Ok(
        text + "# check = \"all\"\n# timeout = \"60s\"\n# functions = []  # where to begin in files without main; all of them otherwise\n"
    )
}

/// A string of TOML.
fn quoted(text: &str) -> String {
    toml::Value::String(text.into()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let check = |pattern: &str, path: &str, expected: bool| {
            assert_eq!(
                matches(pattern, Path::new(path)),
                expected,
                "{pattern} {path}"
            );
        };
        check("a.c", "a.c", true);
        check("*.c", "a.c", true);
        check("*.c", "d/a.c", false);
        check("**/*.c", "a.c", true);
        check("**/*.c", "d/e/a.c", true);
        check("src/**/*_test.c", "src/x/y_test.c", true);
        check("src/**/*_test.c", "src/x/test.c", false);
    }

    #[test]
    fn a_file_says_what_it_may_say() {
        let config = parse("files = ['a.c']\ncompile-commands = 'b.json'\n").expect("well-formed");
        assert_eq!(config.files, ["a.c"]);
        let error = parse("filse = []").expect_err("no such key").to_string();
        assert!(error.contains("unknown field `filse`"), "{error}");
    }
}
