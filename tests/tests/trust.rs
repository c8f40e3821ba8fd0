//! docs/src/trust.md says how many lines each part has that a verdict rests on; here they are counted.

use std::path::{Path, PathBuf};

/// How far a figure may be from what is counted, before it has to be written anew.
const TOLERANCE: f64 = 0.2;

fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.parent().expect("tests/ lies in the workspace");
    root.to_path_buf()
}

/// Lines of code of a source: what is neither empty nor a comment, up to its tests.
fn code_lines(text: &str) -> usize {
    text.lines()
        .map(str::trim)
        .take_while(|line| *line != "#[cfg(test)]")
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
        .count()
}

/// Lines of code in a file, or in all sources below a folder. Files of tests do not count.
fn lines_at(path: &Path) -> usize {
    if path.is_file() {
        return code_lines(&std::fs::read_to_string(path).expect("readable"));
    }
    let entries = std::fs::read_dir(path);
    let entries = entries.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let counted = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_source = name.ends_with(".rs") || name.ends_with(".lalrpop");
        path.is_dir() && name != "tests" || is_source && name != "tests.rs"
    };
    entries
        .map(|entry| entry.expect("readable").path())
        .filter(counted)
        .map(|path| lines_at(&path))
        .sum()
}

/// The rows `| part | paths | lines |` of a page: a path in backquotes counts, one after `without` does not.
fn rows(page: &str) -> Vec<(String, usize, usize)> {
    let mut found = Vec::new();
    for row in page.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [part, paths, lines] = cells[..] else {
            continue;
        };
        let Ok(said) = lines.replace(',', "").parse::<usize>() else {
            continue;
        };
        let (with, without) = paths.split_once("without").unwrap_or((paths, ""));
        let sum = |paths: &str| -> usize {
            let names = paths.split('`').skip(1).step_by(2);
            names.map(|name| lines_at(&root().join(name))).sum()
        };
        found.push((part.to_string(), said, sum(with) - sum(without)));
    }
    found
}

#[test]
fn the_figures_of_the_trusted_parts_are_right() {
    let page = std::fs::read_to_string(root().join("docs/src/trust.md")).expect("readable");
    let rows = rows(&page);
    assert!(rows.len() >= 8, "the table was not found");
    let wrong: Vec<String> = rows
        .iter()
        .filter(|(_, said, counted)| {
            (*said as f64 - *counted as f64).abs() > TOLERANCE * *counted as f64
        })
        .map(|(part, said, counted)| format!("{part}: {counted} lines, not {said}"))
        .collect();
    assert!(wrong.is_empty(), "docs/src/trust.md: {wrong:#?}");
}

#[test]
fn comments_and_tests_are_not_code() {
    let text = "//! What.\n\nfn f() {} // here\n/// That.\nfn g() {}\n#[cfg(test)]\nmod tests {}\n";
    assert_eq!(code_lines(text), 2);
}
