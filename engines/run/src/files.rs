//! Inputs kept in a folder: a file for each execution that reached something new.
//!
//! A file is the bytes of the inputs in the order in which they are read, the lowest byte of each first; what is read after its
//! end is chosen as if there were no file, and so are initial values. Fuzzers for C (AFL, libFuzzer) keep the same.

use crate::dictionary::{Dictionary, width};
use crate::guide::{Given, Record};
use rustc_hash::FxHasher;
use std::fs;
use std::hash::Hasher;
use std::io;
use std::path::{Path, PathBuf};

/// Files that are read.
const MOST_FILES: usize = 10_000;
/// Bytes of a file; larger ones are neither read nor written.
const MOST_BYTES: usize = 1 << 20;

/// The folder.
pub struct Folder {
    path: PathBuf,
    /// Why a file could not be written; no more are tried then.
    pub error: Option<String>,
}

impl Folder {
    /// Opens the folder, which is made where there is none; what its files say, in the order of their names.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn open(path: &str) -> Result<(Folder, Vec<Vec<u8>>), String> {
        let folder = Folder {
            path: path.into(),
            error: None,
        };
        let files = folder.read();
        let files = files.map_err(|e| format!("the corpus {path} cannot be read: {e}"))?;
        Ok((folder, files))
    }

    fn read(&self) -> io::Result<Vec<Vec<u8>>> {
        fs::create_dir_all(&self.path)?;
        let mut paths = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            let path = entry?.path();
            // A pipe would never end, a folder is no input.
            let found = fs::metadata(&path)?;
            if found.is_file() && found.len() <= MOST_BYTES as u64 {
                paths.push(path);
            }
        }
        paths.sort_unstable();
        paths.truncate(MOST_FILES);
        paths.iter().map(fs::read).collect()
    }

    /// Writes what an execution was given, where a file can say that.
    pub fn keep(&mut self, record: &Record, dictionary: &Dictionary) {
        if self.error.is_some() {
            return;
        }
        let Some(bytes) = bytes(record, dictionary) else {
            return;
        };
        let mut hasher = FxHasher::default();
        hasher.write(&bytes);
        let path = self.path.join(format!("{:016x}", hasher.finish()));
        if let Err(e) = write(&path, &bytes) {
            self.error = Some(format!("{} cannot be written: {e}", path.display()));
        }
    }
}

/// A name that is taken is that of the same bytes.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if path.exists() {
        return Ok(());
    }
    // Whoever reads meanwhile gets all of it or nothing.
    let unfinished = path.with_extension(std::process::id().to_string());
    fs::write(&unfinished, bytes)?;
    fs::rename(&unfinished, path)
}

fn bytes(record: &Record, dictionary: &Dictionary) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for (input, given) in &record.inputs {
        let Given::Word(word) = given else {
            return None;
        };
        bytes.extend(&word.to_le_bytes()[..size(width(dictionary.ty(*input)))]);
        if bytes.len() > MOST_BYTES {
            return None;
        }
    }
    (!bytes.is_empty()).then_some(bytes)
}

/// Bytes of a word of so many bits.
pub fn size(width: u32) -> usize {
    width.div_ceil(8).clamp(1, 8) as usize
}
