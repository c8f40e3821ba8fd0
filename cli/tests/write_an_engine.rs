//! The chapter "Write an engine", command by command, outside the repository.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The lines of the chapter's shell blocks.
fn commands() -> Vec<String> {
    let chapter = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/write-an-engine.md");
    let text = std::fs::read_to_string(chapter).expect("the chapter is there");
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

#[test]
fn the_chapter_works() {
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
    let share = format!(
        "cp {} my-engine/Cargo.lock && ln -s {} my-engine/target",
        lock.display(),
        target.display()
    );
    let mut script = vec!["set -eux".to_string()];
    for command in commands() {
        let makes = command == "trellis plugin new my-engine";
        script.push(command);
        if makes {
            script.push(share.clone());
        }
    }
    let script = script.join("\n");
    assert!(script.contains(&share), "{script}");
    assert!(script.contains("make check") && script.contains("cargo test"));
    let output = Command::new("sh")
        .arg("-c")
        .arg(&script)
        .current_dir(dir.path())
        .env("PATH", path)
        .env_remove("CARGO_TARGET_DIR")
        .output()
        .expect("a shell");
    for file in [
        "libtrellis_engine_my_engine.so",
        "libtrellis_engine_my_engine.rlib",
        "libtrellis_engine_my_engine.d",
    ] {
        // Beside our own plugins it would be one of them.
        for folder in ["debug", "debug/deps"] {
            let _ = std::fs::remove_file(target.join(folder).join(file));
        }
    }
    let (stdout, stderr) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{stdout}\n{stderr}");
    let verdicts = stdout.lines().filter(|l| *l == "VERDICT: true").count();
    assert_eq!(verdicts, 2, "{stdout}\n{stderr}");
    assert!(
        stderr.contains("libtrellis_engine_my_engine.so"),
        "{stderr}"
    );
}
