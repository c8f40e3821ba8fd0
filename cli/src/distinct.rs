//! No output of a check replaces what the check reads, nor another output.

use crate::out::Output;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use trellis::Error;
use trellis_input::Identity;

/// Which file a path means: the file itself where there is one, else where it would be made.
#[derive(PartialEq, Eq)]
enum Target {
    There(Identity),
    NotYet(PathBuf, OsString),
    Stdout,
    /// A device or a folder: nothing is replaced.
    Other,
}

impl Target {
    fn of(path: &Path) -> Target {
        if path == Path::new("-") {
            return Target::Stdout;
        }
        if let Some(there) = Identity::of(path) {
            return Target::There(there);
        }
        if path.exists() {
            return Target::Other;
        }
        let folder = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.into());
        Target::NotYet(folder, path.file_name().unwrap_or_default().into())
    }
}

/// Complains about an output that is one of `inputs`, or the same file as another output.
pub fn check(outputs: &[Output], inputs: &[PathBuf]) -> Result<(), Error> {
    let read: Vec<(Identity, &PathBuf)> = inputs
        .iter()
        .filter_map(|path| Some((Identity::of(path)?, path)))
        .collect();
    let mut seen: Vec<(Target, &Path)> = Vec::new();
    for output in outputs {
        let target = Target::of(&output.path);
        let path = output.path.display();
        if let Target::There(file) = &target
            && let Some((_, input)) = read.iter().find(|(read, _)| read == file)
        {
            return Err(Error::Usage(format!(
                "--out {path}: this would overwrite {}, which is read",
                input.display()
            )));
        }
        if target != Target::Other
            && let Some((_, other)) = seen.iter().find(|(seen, _)| *seen == target)
        {
            return Err(Error::Usage(format!(
                "--out {path}: another output, {}, goes to the same file",
                other.display()
            )));
        }
        seen.push((target, &output.path));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::out::Kind;

    #[test]
    fn inputs_and_other_outputs_are_kept() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = |name: &str| dir.path().join(name);
        std::fs::write(path("a.c"), "").expect("written");
        std::fs::write(path("old"), "").expect("written");
        std::fs::hard_link(path("a.c"), path("hard")).expect("linked");
        std::os::unix::fs::symlink("a.c", path("soft")).expect("linked");
        let fits = |names: &[&str]| {
            let output = |name: &&str| Output {
                kind: Kind::Json,
                path: match name.starts_with(['/', '-']) {
                    true => PathBuf::from(name),
                    false => path(name),
                },
            };
            let outputs: Vec<Output> = names.iter().map(output).collect();
            check(&outputs, &[path("a.c"), path("nowhere")]).is_ok()
        };
        assert!(fits(&["old", "new", "-", "/dev/null", "/dev/null"]));
        for input in ["a.c", "hard", "soft", "./a.c"] {
            assert!(!fits(&[input]), "{input}");
        }
        assert!(!fits(&["new", "./new"]) && !fits(&["old", "./old"]) && !fits(&["-", "-"]));
    }
}
