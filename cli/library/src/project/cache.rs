//! Results by content: what became of a unit, with the hashes of all files that were read for it.
//!
//! An entry is one file, whose name is the hash of what was asked: the unit, its flags, the options, the version of Trellis. It is
//! written beside and renamed, so whoever reads sees a whole one; of two runs that write the same, the last one stays, and both are
//! right. An entry counts only as long as every file that it names has the content that it says.

use crate::error::Error;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use trellis_input::{PROGRAM, bytes};
use trellis_witness::hash::sha256;

/// Changes when entries of before are none any more.
const VERSION: u32 = 1;

/// What became of one function of a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Where the check began.
    pub function: String,
    /// The exit code of the check.
    pub code: i32,
    /// What it printed.
    pub text: String,
    /// Its report, in each format by name.
    pub reports: BTreeMap<String, String>,
}

/// What became of a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    version: u32,
    /// The hashes of what was read.
    read: BTreeMap<PathBuf, String>,
    /// What became of its functions.
    pub outcomes: Vec<Outcome>,
}

/// What is known of a unit.
pub enum Known {
    /// Everything is as it was.
    Same(Entry),
    /// Something has changed.
    Changed,
    /// It was never checked so.
    New,
}

/// The results of a project.
pub struct Cache {
    folder: PathBuf,
    /// Hashes of files that were looked at in this run.
    hashes: BTreeMap<PathBuf, Option<String>>,
}

impl Cache {
    /// Results below a folder, which is made when the first is kept.
    pub fn at(folder: PathBuf) -> Cache {
        Cache {
            folder,
            hashes: BTreeMap::new(),
        }
    }

    /// The file of what is asked.
    fn path(&self, asked: &str) -> PathBuf {
        self.folder
            .join(format!("{}.json", sha256(asked.as_bytes())))
    }

    /// What is known of what is asked.
    pub fn known(&mut self, asked: &str) -> Known {
        let Ok(text) = bytes(&self.path(asked), PROGRAM) else {
            return Known::New;
        };
        // An entry that is none is as good as no entry.
        let Ok(entry) = serde_json::from_slice::<Entry>(&text) else {
            return Known::New;
        };
        if entry.version != VERSION {
            return Known::New;
        }
        let same = |(path, hash): (&PathBuf, &String)| self.hash(path).as_ref() == Some(hash);
        match entry.read.iter().all(same) {
            true => Known::Same(entry),
            false => Known::Changed,
        }
    }

    fn hash(&mut self, path: &Path) -> Option<String> {
        if let Some(hash) = self.hashes.get(path) {
            return hash.clone();
        }
        let hash = bytes(path, PROGRAM).ok().map(|text| sha256(&text));
        self.hashes.insert(path.into(), hash.clone());
        hash
    }

    /// Keeps what became of a unit for which these files were read, by a check that began then. Where one of them has changed
    /// since, nobody knows which content the result is of, and nothing is kept.
    pub fn keep(
        &mut self,
        asked: &str,
        files: &[PathBuf],
        began: SystemTime,
        outcomes: Vec<Outcome>,
    ) -> Result<(), Error> {
        let modified = |f: &PathBuf| std::fs::metadata(f).and_then(|m| m.modified());
        if !files
            .iter()
            .all(|f| modified(f).is_ok_and(|at| at <= began))
        {
            return Ok(());
        }
        let read = files.iter().map(|f| Some((f.clone(), self.hash(f)?)));
        let Some(read) = read.collect() else {
            return Ok(());
        };
        let entry = Entry {
            version: VERSION,
            read,
            outcomes,
        };
        let io = |error| Error::Io {
            path: self.folder.clone(),
            error,
        };
        std::fs::create_dir_all(&self.folder).map_err(io)?;
        let mut file = tempfile::NamedTempFile::new_in(&self.folder).map_err(io)?;
        let text = serde_json::to_vec(&entry).map_err(|e| Error::Internal(e.to_string()))?;
        std::io::Write::write_all(&mut file, &text).map_err(io)?;
        file.persist(self.path(asked)).map_err(|e| io(e.error))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_of_contents() {
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join("a.h");
        std::fs::write(&file, "1").expect("written");
        let mut cache = Cache::at(dir.path().join("cache"));
        assert!(matches!(cache.known("q"), Known::New));
        let outcome = Outcome {
            function: "main".into(),
            code: 0,
            text: "VERDICT: true\n".into(),
            reports: BTreeMap::new(),
        };
        let began = SystemTime::now();
        let keep = |cache: &mut Cache, asked: &str, began| {
            let files = std::slice::from_ref(&file);
            cache.keep(asked, files, began, vec![outcome.clone()])
        };
        keep(&mut cache, "q", began).expect("kept");
        // A file that was changed during the check.
        keep(&mut cache, "late", SystemTime::UNIX_EPOCH).expect("not kept");
        assert!(matches!(cache.known("late"), Known::New));
        let mut later = Cache::at(dir.path().join("cache"));
        let Known::Same(entry) = later.known("q") else {
            panic!("nothing has changed")
        };
        assert_eq!(entry.outcomes, [outcome]);
        assert!(matches!(later.known("other"), Known::New));
        std::fs::write(&file, "2").expect("written");
        let mut later = Cache::at(dir.path().join("cache"));
        assert!(matches!(later.known("q"), Known::Changed));
        std::fs::remove_file(&file).expect("removed");
        let mut later = Cache::at(dir.path().join("cache"));
        assert!(matches!(later.known("q"), Known::Changed));
        for entry in std::fs::read_dir(dir.path().join("cache")).expect("a folder") {
            std::fs::write(entry.expect("an entry").path(), "{").expect("written");
        }
        assert!(matches!(later.known("q"), Known::New));
    }
}
