//! The file of results: JSON lines, a header and then one record per finished run, appended and
//! synchronised one by one, so that nothing done is lost whatever happens.

use crate::error::BenchError;
use crate::machine::Machine;
use crate::task::{Verdict, Worth};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Changes when a reader of the lines has to.
pub const SCHEMA: &str = "trellis-bench/1";

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`SCHEMA`].
    pub schema: String,
    /// The sets, as given.
    pub sets: Vec<String>,
    /// The tools, in order.
    pub tools: Vec<ToolLine>,
    /// CPU seconds per task.
    pub cpu_limit_seconds: f64,
    /// Wall seconds per task.
    pub wall_limit_seconds: f64,
    /// Bytes of memory per task.
    pub memory_limit_bytes: u64,
    /// Runs at a time.
    pub jobs: usize,
    /// Where; for runs on a cluster, where its user sat.
    pub machine: Machine,
    /// What handed the runs to other machines, where something did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<String>,
}

/// A tool in the header.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolLine {
    /// Its name.
    pub name: String,
    /// Its command.
    pub command: Vec<String>,
    /// What it says of its version.
    pub version: String,
}

/// One run of one tool on one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The task.
    pub task: String,
    /// The property.
    pub property: String,
    /// The part of the set.
    pub category: String,
    /// The tool.
    pub tool: String,
    /// The known answer.
    pub expected: Option<Verdict>,
    /// The answer.
    pub verdict: Verdict,
    /// How the run ended: `done`, `cpu limit`, `signal 11`, ...
    pub status: String,
    /// Why there is no answer.
    pub reason: String,
    /// The engine that decided.
    pub decided_by: String,
    /// CPU time of the whole tree of processes.
    pub cpu_seconds: f64,
    /// Wall time.
    pub wall_seconds: f64,
    /// Largest memory of the whole tree.
    pub memory_bytes: u64,
    /// Solver queries, where the tool says.
    pub queries: Option<u64>,
    /// Time in solvers, where the tool says.
    pub solver_seconds: Option<f64>,
    /// Further numbers that it said, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub figures: BTreeMap<String, f64>,
    /// Where it ran, if not on the machine of the header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

/// Where a run of a cluster was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The name of the machine.
    pub host: String,
    /// What it is.
    pub machine: Machine,
    /// What the tool says of its version there.
    pub version: String,
}

/// What makes a run different from others.
pub type Key = (String, String, String);

impl Record {
    /// Task, property and tool.
    pub fn key(&self) -> Key {
        (self.task.clone(), self.property.clone(), self.tool.clone())
    }

    /// What the answer is worth.
    pub fn worth(&self) -> Worth {
        Worth::of(&self.verdict, self.expected.as_ref())
    }
}

/// All that a file holds.
#[derive(Clone, Debug)]
pub struct Results {
    /// How it was made.
    pub header: Header,
    /// In the order of the file.
    pub records: Vec<Record>,
}

impl Results {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Results, BenchError> {
        let text =
            trellis_input::bytes(path, trellis_input::PROGRAM).map_err(BenchError::io(path))?;
        match parse(path, &text)? {
            Some((results, _)) => Ok(results),
            None => Err(BenchError::malformed(path.display(), "no results in it")),
        }
    }

    /// The text of a file.
    pub fn text(&self) -> Result<String, serde_json::Error> {
        let mut text = serde_json::to_string(&self.header)? + "\n";
        for record in &self.records {
            text += &(serde_json::to_string(record)? + "\n");
        }
        Ok(text)
    }
}

/// Header, records, and how many bytes they take. A line that was being written when the
/// machine stopped has no end and does not count; any other malformed line is an error.
fn parse(path: &Path, text: &[u8]) -> Result<Option<(Results, usize)>, BenchError> {
    let whole = text
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |at| at + 1);
    let mut lines = text[..whole].split_inclusive(|&b| b == b'\n').enumerate();
    let bad = |n: usize, e: &dyn std::fmt::Display| {
        BenchError::malformed(format!("{}:{}", path.display(), n + 1), e)
    };
    let Some((_, first)) = lines.next() else {
        return Ok(None);
    };
    let header: Header = serde_json::from_slice(first).map_err(|e| bad(0, &e))?;
    if header.schema != SCHEMA {
        return Err(bad(
            0,
            &format!("schema '{}', expected '{SCHEMA}'", header.schema),
        ));
    }
    let mut records = Vec::new();
    for (n, line) in lines {
        records.push(serde_json::from_slice(line).map_err(|e| bad(n, &e))?);
    }
    Ok(Some((Results { header, records }, whole)))
}

/// A file of results that grows.
pub struct Store {
    path: PathBuf,
    file: File,
    /// What is in it already.
    pub done: BTreeMap<Key, Record>,
}

impl Store {
    /// Opens `path` to go on where an earlier run with the same header stopped, or begins it.
    pub fn open(path: &Path, header: &Header, fresh: bool) -> Result<Store, BenchError> {
        let io = || BenchError::io(path);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(io())?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(io())?;
        if fresh {
            // Only what is ours is begun anew: the name may be a mistake.
            let first = text.split(|c| *c == b'\n').next().unwrap_or_default();
            let is_ours = String::from_utf8_lossy(first).contains(SCHEMA);
            if !text.is_empty() && !is_ours {
                let why = "no file of results, so it is not overwritten";
                return Err(BenchError::malformed(path.display(), why));
            }
            file.set_len(0).map_err(io())?;
            file.seek(SeekFrom::Start(0)).map_err(io())?;
            text.clear();
        }
        let (records, whole) = match parse(path, &text)? {
            Some((earlier, whole)) => {
                if let Some(what) = differs(&earlier.header, header) {
                    let path = path.into();
                    return Err(BenchError::Changed { path, what });
                }
                (earlier.records, whole)
            }
            None => (Vec::new(), 0),
        };
        file.set_len(whole as u64).map_err(io())?;
        file.seek(SeekFrom::End(0)).map_err(io())?;
        let mut store = Store {
            path: path.into(),
            file,
            done: records.into_iter().map(|r| (r.key(), r)).collect(),
        };
        if whole == 0 {
            store.write(header)?;
        }
        Ok(store)
    }

    /// Adds a record, which is on the disk when this returns.
    pub fn add(&mut self, record: Record) -> Result<(), BenchError> {
        self.write(&record)?;
        self.done.insert(record.key(), record);
        Ok(())
    }

    fn write(&mut self, value: &impl Serialize) -> Result<(), BenchError> {
        let line = serde_json::to_string(value)
            .map_err(|e| BenchError::malformed(self.path.display(), e))?;
        let io = BenchError::io(&self.path);
        let all = || {
            self.file.write_all((line + "\n").as_bytes())?;
            self.file.sync_data()
        };
        all().map_err(io)
    }
}

/// What of a header makes results incomparable. Sets may grow and the number of jobs may change.
pub(crate) fn differs(old: &Header, new: &Header) -> Option<String> {
    if old.on.is_some() != new.on.is_some() {
        return Some("made with --on, or without".into());
    }
    // Each run of a cluster says itself where it was.
    if old.on.is_none() && old.machine != new.machine {
        return Some("another machine".into());
    }
    incomparable(old, new)
}

/// The same, wherever it ran.
pub(crate) fn incomparable(old: &Header, new: &Header) -> Option<String> {
    let limits = |h: &Header| {
        (
            h.cpu_limit_seconds,
            h.wall_limit_seconds,
            h.memory_limit_bytes,
        )
    };
    if limits(old) != limits(new) {
        return Some("other limits".into());
    }
    for tool in &old.tools {
        match new.tools.iter().find(|t| t.name == tool.name) {
            None => return Some(format!("the tool {} was in it", tool.name)),
            Some(now) if now.version != tool.version => {
                return Some(format!(
                    "another version of {}: {}",
                    tool.name, tool.version
                ));
            }
            Some(now) if now != tool => return Some(format!("another command of {}", tool.name)),
            Some(_) => {}
        }
    }
    let names = |h: &Header| h.tools.iter().map(|t| t.name.clone()).collect::<Vec<_>>();
    (names(old) != names(new)).then(|| "other tools".into())
}
