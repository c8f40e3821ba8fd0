//! A folder with a C program, and `trellis` run in it.

use std::path::PathBuf;
use std::process::{Command, Output};

/// The folder; the program is `p.c`.
pub struct Files(tempfile::TempDir);

impl Files {
    pub fn new(program: &str) -> Files {
        let files = Files(tempfile::tempdir().expect("a folder"));
        files.write("p.c", program);
        files
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("written");
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("written")
    }

    pub fn trellis(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_trellis"))
            .args(args)
            .current_dir(self.0.path())
            .output()
            .expect("trellis starts")
    }
}
