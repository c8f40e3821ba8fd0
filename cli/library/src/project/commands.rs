//! `compile_commands.json`: how each file of a project is compiled, as build tools write it.

use super::Unit;
use serde::Deserialize;
use std::path::{Component, Path, PathBuf};

/// An entry of the file.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    command: String,
}

/// Flags whose value is a path, in the next argument or right behind.
const PATHS: [&str; 5] = ["-isystem", "-iquote", "-idirafter", "-include", "-I"];

/// The C files and their flags.
pub fn units(text: &str, root: &Path) -> Result<Vec<Unit>, String> {
    let entries: Vec<Entry> = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let is_c = |e: &Entry| e.file.extension().is_some_and(|e| e == "c");
    let mut units: Vec<Unit> = Vec::new();
    for entry in entries.iter().filter(|e| is_c(e)) {
        let arguments = match entry.arguments.is_empty() {
            true => split(&entry.command)?,
            false => entry.arguments.clone(),
        };
        let directory = plain(&root.join(&entry.directory));
        let file = plain(&directory.join(&entry.file));
        let unit = Unit {
            flags: flags(&arguments, &entry.file, &directory),
            file: file
                .strip_prefix(root)
                .map_or(file.clone(), Path::to_path_buf),
        };
        // A file may be compiled twice, for two programs.
        if !units.contains(&unit) {
            units.push(unit);
        }
    }
    Ok(units)
}

/// A path without `.` and `..`, as far as the text of it tells.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(out.components().next_back(), Some(Component::Normal(_))) =>
            {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

/// What of a compiler's arguments says how a file is read.
fn flags(arguments: &[String], file: &Path, directory: &Path) -> Vec<String> {
    let mut flags = Vec::new();
    let mut rest = arguments.iter().skip(1);
    let absolute = |path: &str| plain(&directory.join(path)).display().to_string();
    while let Some(argument) = rest.next() {
        if argument == "-o" {
            rest.next();
        } else if let Some(flag) = PATHS.iter().find(|f| argument == *f) {
            if let Some(path) = rest.next() {
                flags.extend([flag.to_string(), absolute(path)]);
            }
        } else if let Some((flag, path)) = (PATHS.iter())
            .find_map(|f| Some((f, argument.strip_prefix(f).filter(|p| !p.is_empty())?)))
        {
            flags.extend([flag.to_string(), absolute(path)]);
        } else if !argument.starts_with("-o")
            && Path::new(argument) != file
            && argument.starts_with('-')
        {
            flags.push(argument.clone());
            if ["-D", "-U", "-x", "-MF", "-MT", "-MQ"].contains(&argument.as_str()) {
                flags.extend(rest.next().cloned());
            }
        }
    }
    flags
}

/// The words of a command line, as a shell would read them without variables.
fn split(command: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = command.chars();
    while let Some(c) = rest.next() {
        match c {
            ' ' | '\t' | '\n' => words.extend(word.take()),
            '\\' => word.get_or_insert_default().extend(rest.next()),
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match rest.next() {
                        None => return Err(format!("a quote is open in `{command}`")),
                        Some(end) if end == c => break,
                        Some('\\') if c == '"' => word.extend(rest.next()),
                        Some(other) => word.push(other),
                    }
                }
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_a_build() {
        let text = r#"[
          {"directory": "/p/build", "file": "../src/a.c",
           "command": "cc -Iinc -I /abs -DX=\\\"a\\ b\\\" -O2 -o a.o -c ../src/a.c"},
          {"directory": "/p", "file": "b.c", "arguments": ["gcc", "-std=c99", "-include", "c.h", "-c", "b.c"]},
          {"directory": "/p", "file": "x.cpp", "command": "c++ x.cpp"}
        ]"#;
        let units = units(text, Path::new("/p")).expect("well-formed");
        let shown: Vec<String> = (units.iter())
            .map(|u| format!("{} {}", u.file.display(), u.flags.join(" ")))
            .collect();
        assert_eq!(
            shown,
            [
                "src/a.c -I /p/build/inc -I /abs -DX=\"a b\" -O2 -c",
                "b.c -std=c99 -include /p/c.h -c"
            ]
        );
        assert!(split("cc 'a").is_err());
    }
}
