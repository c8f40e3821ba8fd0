//! The programs of `corpus/c` with the verdicts that are expected of them.
//!
//! The first lines of each program are comments: what it is about, then a line per property,
//! `// verdict(PROPERTY): true` or `// verdict(PROPERTY): false`, the latter with ` at LINE:COLUMN` where the
//! place of the violation is part of what is expected. All programs are written for ILP32 and need no
//! preprocessor.

use std::path::{Path, PathBuf};

/// What is expected of one program for one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The program.
    pub path: PathBuf,
    /// `unreach-call`, `valid-deref`, ...
    pub property: String,
    /// Whether the property holds.
    pub expected: bool,
    /// Line and column of the violation, where the program says so.
    pub place: Option<(u32, u32)>,
}

impl Task {
    /// The file's name without extension.
    pub fn name(&self) -> String {
        self.path
            .file_stem()
            .map_or_else(String::new, |s| s.to_string_lossy().into_owned())
    }
}

/// The folder of the programs.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/c")
}

/// All tasks, in order of the programs' names.
///
/// # Panics
/// When a program's first lines do not say what is expected: the corpus is part of the sources.
pub fn all() -> Vec<Task> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("the corpus is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    paths.sort();
    paths.iter().flat_map(|path| tasks(path)).collect()
}

/// The programs of `corpus/ivl` that say `// verdict: VERDICT`, with that, in order of their paths.
///
/// # Panics
/// When the corpus cannot be read.
pub fn ivl() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/ivl");
    let mut found = Vec::new();
    for dir in ["loops", "2ls", "pdr"] {
        let files = std::fs::read_dir(root.join(dir)).expect("a folder of the corpus");
        for file in files {
            let path = file.expect("a file").path();
            let text = std::fs::read_to_string(&path).expect("a text");
            let verdict = text.lines().find_map(|l| l.strip_prefix("// verdict: "));
            if let Some(verdict) = verdict {
                found.push((path, verdict.trim().to_string()));
            }
        }
    }
    found.sort();
    found
}

fn tasks(path: &Path) -> Vec<Task> {
    let text = std::fs::read_to_string(path).expect("a text");
    let tasks: Vec<Task> = text
        .lines()
        .map_while(|line| line.strip_prefix("// "))
        .filter_map(|line| line.strip_prefix("verdict("))
        .map(|rest| parse(path, rest).unwrap_or_else(|| panic!("{}: {rest}", path.display())))
        .collect();
    assert!(!tasks.is_empty(), "{}: no verdict", path.display());
    tasks
}

/// `PROPERTY): VERDICT[ at LINE:COLUMN]`
fn parse(path: &Path, text: &str) -> Option<Task> {
    let (property, rest) = text.split_once("): ")?;
    let (verdict, place) = match rest.split_once(" at ") {
        Some((verdict, place)) => {
            let (line, column) = place.split_once(':')?;
            (verdict, Some((line.parse().ok()?, column.parse().ok()?)))
        }
        None => (rest, None),
    };
    let expected = match verdict {
        "true" => true,
        "false" => false,
        _ => return None,
    };
    Some(Task {
        path: path.into(),
        property: property.into(),
        expected,
        place,
    })
}
