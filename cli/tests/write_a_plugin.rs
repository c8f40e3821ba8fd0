//! The chapters about plugins, command by command, outside the repository.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The lines of a chapter's shell blocks.
fn commands(chapter: &str) -> Vec<String> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src");
    let text = std::fs::read_to_string(docs.join(chapter)).expect("the chapter is there");
    let mut commands = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match line {
            "```sh" => inside = true,
            "```" => inside = false,
            _ if inside => commands.push(line.to_string()),
            _ => {}
        }
    }
    commands
}

/// The crate that a command makes, if it makes one.
fn new_crate(command: &str) -> Option<&str> {
    let arguments = command.strip_prefix("trellis plugin new ")?;
    (!arguments.contains("--lang c")).then(|| arguments.rsplit(' ').next().unwrap_or(arguments))
}

/// Does what a chapter says; what came out.
fn follow(chapter: &str, library: &str) -> (String, String) {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let trellis = PathBuf::from(env!("CARGO_BIN_EXE_trellis"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let own = trellis.parent().expect("an executable is in a folder");
    let dirs = std::iter::once(own.to_path_buf()).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(dirs).expect("no colons in paths");
    // What was built for this test serves the new crate, too: the same versions, the same folder. That
    // saves a minute and the network, and changes nothing else.
    let target = own.parent().expect("a profile is in a folder");
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    let mut script = vec!["set -eux".to_string()];
    for command in commands(chapter) {
        let made = new_crate(&command).map(|name| {
            let (lock, target) = (lock.display(), target.display());
            format!("cp {lock} {name}/Cargo.lock && ln -s {target} {name}/target")
        });
        script.push(command);
        script.extend(made);
    }
    let script = script.join("\n");
    assert!(script.contains("cargo test"), "{script}");
    let output = Command::new("sh")
        .arg("-c")
        .arg(&script)
        .current_dir(dir.path())
        .env("PATH", path)
        .env("CARGO_NET_OFFLINE", "true")
        .env_remove("CARGO_TARGET_DIR")
        .output()
        .expect("a shell");
    for extension in ["so", "rlib", "d"] {
        // Beside our own plugins it would be one of them.
        for folder in ["debug", "debug/deps"] {
            let file = target.join(folder).join(format!("{library}.{extension}"));
            let _ = std::fs::remove_file(file);
        }
    }
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{stdout}\n{stderr}");
    (stdout, stderr)
}

fn verdicts(stdout: &str) -> usize {
    let is_verdict = |l: &&str| l.starts_with("VERDICT: true");
    stdout.lines().filter(is_verdict).count()
}

#[test]
fn an_engine() {
    let library = "libtrellis_engine_my_engine";
    let (stdout, stderr) = follow("write-an-engine.md", library);
    assert_eq!(verdicts(&stdout), 2, "{stdout}\n{stderr}");
    assert!(
        stderr.contains("libtrellis_engine_my_engine.so"),
        "{stderr}"
    );
}

#[test]
fn an_engine_with_a_solver() {
    let (stdout, stderr) = follow("cookbook.md", "libtrellis_engine_my_smt_engine");
    assert_eq!(verdicts(&stdout), 1, "{stdout}\n{stderr}");
}

#[test]
fn a_pass() {
    let (stdout, stderr) = follow("pass.md", "libtrellis_pass_my_pass");
    assert_eq!(verdicts(&stdout), 1, "{stdout}\n{stderr}");
    assert!(stderr.contains("pass my-pass: "), "{stderr}");
}

#[test]
fn a_solver() {
    let (stdout, stderr) = follow("write-a-solver.md", "libtrellis_backend_my_solver");
    assert_eq!(verdicts(&stdout), 2, "{stdout}\n{stderr}");
}

#[test]
fn a_front_end() {
    let (stdout, stderr) = follow("write-a-front-end.md", "libtrellis_frontend_counter");
    assert_eq!(verdicts(&stdout), 3, "{stdout}\n{stderr}");
    assert!(stdout.contains("1 assumption"), "{stdout}\n{stderr}");
}
