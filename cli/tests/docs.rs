//! What the book says about using Trellis, done to the letter: its commands run, its pipeline is
//! well-formed, its table of keys is the program's.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn chapter(name: &str) -> String {
    let path = root().join("docs/src").join(name);
    std::fs::read_to_string(path).expect("the chapter is there")
}

/// The lines of a chapter's code blocks in one language.
fn blocks(chapter: &str, language: &str) -> String {
    let (mut all, mut inside) = (String::new(), false);
    for line in chapter.lines() {
        match line.strip_prefix("```") {
            Some(begin) => inside = !inside && begin == language,
            None if inside => all += &format!("{line}\n"),
            None => {}
        }
    }
    all
}

/// Runs the commands of a chapter in a folder with the examples.
fn follow(name: &str) {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let examples = dir.path().join("examples");
    std::fs::create_dir(&examples).expect("a new folder");
    for entry in std::fs::read_dir(root().join("examples")).expect("examples") {
        let from = entry.expect("an entry").path();
        let to = examples.join(from.file_name().expect("a name"));
        // A folder is an example of a repository, in which no chapter works.
        if from.is_file() {
            std::fs::copy(from, to).expect("a file");
        }
    }
    let text = chapter(name);
    std::fs::write(dir.path().join("mine.toml"), blocks(&text, "toml")).expect("writable");
    let trellis = PathBuf::from(env!("CARGO_BIN_EXE_trellis"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let own = trellis.parent().expect("an executable is in a folder");
    let dirs = std::iter::once(own.to_path_buf()).chain(std::env::split_paths(&path));
    let script = blocks(&text, "sh");
    assert!(script.contains("trellis check"), "{script}");
    let output = Command::new("sh")
        .args(["-eux", "-c", &script])
        .current_dir(dir.path())
        .env(
            "PATH",
            std::env::join_paths(dirs).expect("no colons in paths"),
        )
        .output()
        .expect("a shell");
    let (stdout, stderr) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{stdout}\n{stderr}");
    // What the chapter shows of its commands is what they say, in this order.
    let shown = blocks(&text, "output");
    let mut said = stdout.lines();
    for line in shown.lines() {
        assert!(said.any(|l| l == line), "no `{line}` in {stdout}\n{stderr}");
    }
    let unknown = |text: &str| text.matches("VERDICT: unknown").count();
    assert_eq!(unknown(&stdout), unknown(&shown), "{stdout}\n{stderr}");
}

#[test]
fn first_steps() {
    follow("first-steps.md");
}

#[test]
fn trust() {
    follow("trust.md");
}

#[test]
fn pipelines() {
    follow("pipelines.md");
}

/// `TRELLIS_BLESS=1` writes the table anew.
#[test]
fn the_table_of_keys_is_the_programs() {
    let (begin, end) = ("<!-- keys -->\n", "<!-- end of keys -->");
    let text = chapter("pipelines.md");
    let (before, rest) = text.split_once(begin).expect("the table begins");
    let (table, after) = rest.split_once(end).expect("the table ends");
    let output = Command::new(env!("CARGO_BIN_EXE_trellis"))
        .args(["pipelines", "keys"])
        .output()
        .expect("trellis starts");
    let keys = String::from_utf8(output.stdout).expect("text");
    let right = format!("```text\n{keys}```\n");
    if std::env::var_os("TRELLIS_BLESS").is_some() {
        let path = root().join("docs/src/pipelines.md");
        let text = format!("{before}{begin}{right}{end}{after}");
        std::fs::write(path, text).expect("writable");
        return;
    }
    assert_eq!(table, right, "run with TRELLIS_BLESS=1");
}
