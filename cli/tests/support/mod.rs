//! A folder of programs and plugins, and `trellis` run in it.

#![allow(dead_code, reason = "each test uses a part")]

pub mod files;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A counter that hits 7.
pub const UNSAFE: &str = "ivl 1;
var x: bv4;
proc main() {
  loc l0 entry; loc l1; loc l2 error \"unreach-call\";
  l0 -> l1 { x := 0bv4 };
  l1 -> l1 { assume x <u 10bv4; x := x + 1bv4 };
  l1 -> l2 { assume x == 7bv4 };
}
main main;
";

/// One that jumps over 7.
pub fn safe() -> String {
    UNSAFE.replace("+ 1bv4", "+ 2bv4")
}

/// The folder, with `unsafe.ivl`, `safe.ivl` (a counter that jumps over 7) and the engine in C.
pub struct Bench {
    dir: tempfile::TempDir,
}

impl Bench {
    pub fn new() -> Bench {
        let dir = tempfile::tempdir().expect("a temporary folder");
        trellis_engine_explicit_c::build(dir.path()).expect("the C compiler works");
        let bench = Bench { dir };
        bench.write("unsafe.ivl", UNSAFE);
        bench.write("safe.ivl", &safe());
        bench
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("writable");
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// The names in the folder.
    pub fn names(&self) -> BTreeSet<String> {
        let entries = std::fs::read_dir(self.dir.path()).expect("a folder");
        let name = |e: std::io::Result<std::fs::DirEntry>| e.expect("an entry").file_name();
        entries
            .map(|e| name(e).to_string_lossy().into_owned())
            .collect()
    }

    /// The command, to be run in the folder.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trellis"));
        command
            .args(args)
            .current_dir(self.dir.path())
            .env("TRELLIS_PLUGIN_PATH", self.dir.path())
            .env("TMPDIR", self.dir.path())
            // Naming the frames of a debug build takes more memory than the tests allow an engine.
            .env("RUST_BACKTRACE", "0");
        command
    }

    pub fn trellis(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("trellis starts")
    }

    /// Exit code, last line and standard error of `trellis check`.
    pub fn check(&self, args: &[&str]) -> (i32, String, String) {
        let mut all = vec!["check"];
        all.extend(args);
        ending(&self.trellis(&all))
    }

    /// Processes that work in the folder.
    pub fn processes(&self) -> Vec<u32> {
        let here = self.dir.path().canonicalize().expect("it is there");
        let entries = std::fs::read_dir("/proc").expect("a Linux system");
        let pids = entries.filter_map(|e| e.ok()?.file_name().to_str()?.parse::<u32>().ok());
        pids.filter(|pid| {
            let cwd = std::fs::read_link(format!("/proc/{pid}/cwd"));
            cwd.is_ok_and(|cwd| cwd == here)
        })
        .collect()
    }
}

/// Exit code, last line and standard error.
pub fn ending(output: &Output) -> (i32, String, String) {
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let last = stdout.lines().last().unwrap_or_default().to_string();
    let code = output.status.code().expect("an exit code");
    assert!(
        last.starts_with("VERDICT: ") || code == 2,
        "{stdout}\n{stderr}"
    );
    (code, last, stderr)
}
