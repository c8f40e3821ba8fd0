//! Folders for runs, which go when the run ends, or when the next benchmark begins if this one is killed.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const PREFIX: &str = "trellis-bench-";
/// Its lock is held as long as the benchmark lives.
const LOCK: &str = ".lock";

/// The folder of a benchmark, with a folder for each run.
pub struct Scratch {
    dir: TempDir,
    _lock: File,
}

impl Scratch {
    /// A new folder. Those of benchmarks that were killed are removed; what cannot be removed
    /// belongs to somebody else.
    pub fn new() -> io::Result<Scratch> {
        Scratch::below(&std::env::temp_dir())
    }

    fn below(parent: &Path) -> io::Result<Scratch> {
        for abandoned in abandoned(parent) {
            let _ = std::fs::remove_dir_all(abandoned);
        }
        let dir = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
        // Under its name it is locked already, so that nobody takes the folder for abandoned.
        let unlocked = dir.path().join("lock");
        let lock = File::create(&unlocked)?;
        lock.lock()?;
        std::fs::rename(unlocked, dir.path().join(LOCK))?;
        Ok(Scratch { dir, _lock: lock })
    }

    /// A folder for one run.
    pub fn folder(&self) -> io::Result<TempDir> {
        tempfile::tempdir_in(self.dir.path())
    }
}

/// Folders of benchmarks whose lock nobody holds.
fn abandoned(parent: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(parent).into_iter().flatten().flatten();
    let own = entries.filter(|e| e.file_name().to_string_lossy().starts_with(PREFIX));
    let is_free =
        |dir: &PathBuf| File::open(dir.join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok());
    own.map(|e| e.path()).filter(is_free).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_benchmark_left_is_removed() {
        let parent = tempfile::tempdir().expect("a temporary folder");
        let running = Scratch::below(parent.path()).expect("writable");
        let folder = running.folder().expect("writable");
        // A process that is killed drops its locks and nothing else.
        let killed = Scratch::below(parent.path()).expect("writable");
        let Scratch { dir, _lock } = killed;
        let left = dir.keep();
        drop(_lock);
        let next = Scratch::below(parent.path()).expect("writable");
        assert!(!left.exists());
        assert!(folder.path().exists() && next.dir.path().exists());
    }
}
