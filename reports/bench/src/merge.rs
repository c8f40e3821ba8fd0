//! One file of results from several, made on several machines.

use crate::error::BenchError;
use crate::store::{Header, Key, Place, Record, Results, incomparable};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What came of it.
pub struct Merged {
    /// All results.
    pub results: Results,
    /// Runs that are in more than one file; the first one counts.
    pub duplicates: Vec<Duplicate>,
}

/// A run that was made twice.
pub struct Duplicate {
    /// The one that counts.
    pub kept: Record,
    /// The other one.
    pub other: Record,
    /// Where the other one is.
    pub path: PathBuf,
}

impl Duplicate {
    /// Whether both say the same.
    pub fn agrees(&self) -> bool {
        self.kept.verdict == self.other.verdict
    }

    /// Whether they cannot both be right.
    pub fn contradicts(&self) -> bool {
        self.kept.verdict.contradicts(&self.other.verdict)
    }
}

/// Puts files together that were made with the same versions, commands and limits. Each run keeps the machine it ran on.
pub fn merge(files: &[(PathBuf, Results)]) -> Result<Merged, BenchError> {
    let Some((_, first)) = files.first() else {
        return Err(BenchError::Nothing("nothing to merge".into()));
    };
    let header = Header {
        on: Some("merge".into()),
        jobs: 0,
        sets: Vec::new(),
        ..first.header.clone()
    };
    let mut results = Results {
        header,
        records: Vec::new(),
    };
    let mut at: BTreeMap<Key, usize> = BTreeMap::new();
    let mut duplicates = Vec::new();
    for (path, file) in files {
        if let Some(what) = incomparable(&first.header, &file.header) {
            let path = path.clone();
            return Err(BenchError::Changed { path, what });
        }
        for set in &file.header.sets {
            if !results.header.sets.contains(set) {
                results.header.sets.push(set.clone());
            }
        }
        for record in &file.records {
            let record = placed(record, &file.header, path);
            if let Some(kept) = at.get(&record.key()) {
                duplicates.push(Duplicate {
                    kept: results.records[*kept].clone(),
                    other: record,
                    path: path.clone(),
                });
                continue;
            }
            at.insert(record.key(), results.records.len());
            results.records.push(record);
        }
    }
    Ok(Merged {
        results,
        duplicates,
    })
}

/// A record that says where it comes from.
fn placed(record: &Record, header: &Header, path: &Path) -> Record {
    let version = header.tools.iter().find(|t| t.name == record.tool);
    let of_header = || Place {
        host: path
            .file_name()
            .map_or(String::new(), |n| n.to_string_lossy().into_owned()),
        machine: header.machine.clone(),
        version: version.map_or(String::new(), |t| t.version.clone()),
    };
    let place = record.place.clone().unwrap_or_else(of_header);
    Record {
        place: Some(place),
        ..record.clone()
    }
}
