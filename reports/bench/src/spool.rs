//! The folder through which a benchmark and its runs on other machines talk, on a file system that all of them see.
//!
//! Nothing in it depends on who hands the runs out, or on whether he lives: a run is done when its record is in `done`,
//! and being made while somebody holds its lock. So a run that is handed out twice is made once, and what
//! is finished stays so whoever dies.
//!
//! ```text
//! header.json        how the results are to be made, to tell whether a folder that is found is ours
//! conduct.json       limits, environment, tools
//! runs/NNN.json      what to run, a hundred runs each
//! batches/N.json     which runs each job of a submission makes
//! locks/N, tries/N   who makes a run is its lock's holder; how often it was begun is the length of the file
//! done/N.json        its record
//! hosts/NAME.json    what a machine is, and its versions of the tools
//! refused/NAME       why a machine makes no runs
//! stop               whoever sees it ends
//! ```

use crate::error::BenchError;
use crate::machine::{self, Machine};
use crate::runner::{Conduct, Leashes, locked, one};
use crate::scratch::Scratch;
use crate::store::{Header, Key, Place, Record};
use crate::task::Task;
use crate::tool::Tool;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Runs in one file.
const CHUNK: usize = 100;
/// How often a run looks whether it is to stop.
const LOOK: Duration = Duration::from_millis(250);
/// What a run gets of the environment of whoever began the benchmark: what tools and solvers are found by.
const ENVIRONMENT: [&str; 2] = ["PATH", "LD_LIBRARY_PATH"];

/// A run by its number.
pub type Id = usize;

/// One thing to run.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Run {
    task: Task,
    tool: String,
}

impl Run {
    fn key(&self) -> Key {
        let task = &self.task;
        (task.name.clone(), task.property.clone(), self.tool.clone())
    }
}

/// How runs are made.
#[derive(Serialize, Deserialize)]
struct Orders {
    conduct: Conduct,
    tools: Vec<Tool>,
    /// The versions that the header names.
    versions: BTreeMap<String, String>,
}

/// A machine.
#[derive(Serialize, Deserialize)]
struct Host {
    machine: Machine,
    versions: BTreeMap<String, String>,
}

/// The folder, as whoever hands out the runs sees it.
pub struct Spool {
    dir: PathBuf,
    ids: BTreeMap<Key, Id>,
    /// Held as long as he lives: there is one at a time.
    _lock: File,
}

/// The variables of this process that runs elsewhere have to get.
pub fn environment() -> Vec<(String, String)> {
    let wanted = |name: &str| name.starts_with("TRELLIS_") || ENVIRONMENT.contains(&name);
    std::env::vars_os()
        .filter_map(|(k, v)| Some((k.into_string().ok()?, v.into_string().ok()?)))
        .filter(|(name, _)| wanted(name))
        .collect()
}

impl Spool {
    /// The folder of a file of results.
    pub fn path(results: &Path) -> PathBuf {
        let mut name = results.file_name().unwrap_or_default().to_os_string();
        name.push(".spool");
        results.with_file_name(name)
    }

    /// Makes the folder, or takes over what an earlier one that was killed has left. `fresh`: nothing of it counts.
    pub fn open(
        results: &Path,
        header: &Header,
        conduct: &Conduct,
        tools: &[Tool],
        fresh: bool,
    ) -> Result<Spool, BenchError> {
        let dir = std::path::absolute(Spool::path(results)).map_err(BenchError::io(results))?;
        if fresh && dir.exists() {
            discard(&dir)?;
        }
        for part in [
            "runs", "batches", "locks", "tries", "done", "hosts", "refused",
        ] {
            let part = dir.join(part);
            std::fs::create_dir_all(&part).map_err(BenchError::io(part))?;
        }
        let path = dir.join("client.lock");
        let lock = File::create(&path).map_err(BenchError::io(&path))?;
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            let what = "another `trellis bench --on` works on these results";
            return Err(BenchError::malformed(results.display(), what));
        }
        if let Some(earlier) = read::<Header>(&dir.join("header.json"))?
            && let Some(what) = crate::store::differs(&earlier, header)
        {
            return Err(BenchError::Changed { path: dir, what });
        }
        // What was refused or stopped then may be right now.
        let _ = std::fs::remove_file(dir.join("stop"));
        for part in ["refused", "hosts", "tries"] {
            let part = dir.join(part);
            for name in names(&part)? {
                let _ = std::fs::remove_file(part.join(name));
            }
        }
        write(&dir.join("header.json"), header)?;
        let versions = header.tools.iter();
        let orders = Orders {
            conduct: conduct.clone(),
            tools: tools.to_vec(),
            versions: versions
                .map(|t| (t.name.clone(), t.version.clone()))
                .collect(),
        };
        write(&dir.join("conduct.json"), &orders)?;
        let mut spool = Spool {
            dir,
            ids: BTreeMap::new(),
            _lock: lock,
        };
        let mut chunk = 0;
        while let Some(runs) = spool.chunk(chunk)? {
            for (n, run) in runs.iter().enumerate() {
                spool.ids.insert(run.key(), chunk * CHUNK + n);
            }
            chunk += 1;
        }
        Ok(spool)
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    fn chunk(&self, n: usize) -> Result<Option<Vec<Run>>, BenchError> {
        read(&self.dir.join(format!("runs/{n:03}.json")))
    }

    /// The numbers of these runs, in order; those that are new are written down.
    pub fn enlist(&mut self, runs: &[(&Task, &Tool)]) -> Result<Vec<Id>, BenchError> {
        let mut chunks: BTreeMap<usize, Vec<Run>> = BTreeMap::new();
        let mut all = Vec::new();
        for (task, tool) in runs {
            let mut task = Task::clone(task);
            for file in task.files.iter_mut().chain(task.property_file.as_mut()) {
                *file = std::path::absolute(&file).map_err(BenchError::io(&*file))?;
            }
            let run = Run {
                task,
                tool: tool.name.clone(),
            };
            let next = self.ids.len();
            let key = run.key();
            if let Some(id) = self.ids.get(&key) {
                all.push(*id);
                continue;
            }
            let chunk = next / CHUNK;
            if let std::collections::btree_map::Entry::Vacant(entry) = chunks.entry(chunk) {
                let there = read(&self.dir.join(format!("runs/{chunk:03}.json")))?;
                entry.insert(there.unwrap_or_default());
            }
            chunks.entry(chunk).or_default().push(run);
            self.ids.insert(key, next);
            all.push(next);
        }
        for (n, runs) in chunks {
            write(&self.dir.join(format!("runs/{n:03}.json")), &runs)?;
        }
        Ok(all)
    }

    /// The number of a run, once it is enlisted.
    pub fn id(&self, key: &Key) -> Option<Id> {
        self.ids.get(key).copied()
    }

    /// Writes down what each job of a submission makes; the number of the submission.
    pub fn batch(&self, shares: &[Vec<Id>]) -> Result<usize, BenchError> {
        let number = names(&self.dir.join("batches"))?.len();
        write(&self.dir.join(format!("batches/{number}.json")), &shares)?;
        Ok(number)
    }

    /// The records that are there of `wanted`, which they are taken out of.
    pub fn collect(&self, wanted: &mut BTreeSet<Id>) -> Result<Vec<Record>, BenchError> {
        let mut found = Vec::new();
        for name in names(&self.dir.join("done"))? {
            let id = name.strip_suffix(".json").and_then(|n| n.parse().ok());
            let Some(id) = id.filter(|id| wanted.contains(id)) else {
                continue;
            };
            let path = self.dir.join("done").join(&name);
            match read(&path) {
                Ok(Some(record)) => {
                    wanted.remove(&id);
                    found.push(record);
                }
                // The machine stopped before it was on the disk: it is made again.
                Err(BenchError::Malformed { .. }) => _ = std::fs::remove_file(&path),
                Ok(None) => {}
                Err(e) => return Err(e),
            }
        }
        Ok(found)
    }

    /// Whether somebody makes this run just now.
    pub fn is_held(&self, id: Id) -> bool {
        let file = File::open(self.dir.join(format!("locks/{id}")));
        file.is_ok_and(|f| matches!(f.try_lock(), Err(TryLockError::WouldBlock)))
    }

    /// How often this run was begun.
    pub fn tries(&self, id: Id) -> u64 {
        let file = std::fs::metadata(self.dir.join(format!("tries/{id}")));
        file.map_or(0, |m| m.len())
    }

    /// What a machine says that makes no runs.
    pub fn refusal(&self) -> Result<Option<String>, BenchError> {
        let dir = self.dir.join("refused");
        let name = names(&dir)?.into_iter().find(|n| !n.ends_with(".tmp"));
        Ok(name.map(|name| {
            let why = std::fs::read_to_string(dir.join(&name)).unwrap_or_default();
            format!("{name}: {}", why.trim())
        }))
    }

    /// Has all runs end.
    pub fn stop(&self) -> Result<(), BenchError> {
        let path = self.dir.join("stop");
        File::create(&path).map(drop).map_err(BenchError::io(path))
    }

    /// All is done: the folder goes.
    pub fn remove(self) -> Result<(), BenchError> {
        discard(&self.dir)
    }
}

/// Takes a folder away at once, also from runs that are still in it.
fn discard(dir: &Path) -> Result<(), BenchError> {
    let _ = File::create(dir.join("stop"));
    let mut name = dir.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.old", std::process::id()));
    let aside = dir.with_file_name(name);
    std::fs::rename(dir, &aside).map_err(BenchError::io(dir))?;
    // A run that ends just now may write into it once more.
    for _ in 0..5 {
        if std::fs::remove_dir_all(&aside).is_ok() {
            break;
        }
        std::thread::sleep(LOOK);
    }
    Ok(())
}

/// The job `index` of submission `batch`, on whatever machine: makes its runs, one after the other, and leaves their records.
/// What is made already, or by somebody else just now, is left out.
pub fn serve(dir: &Path, batch: usize, index: usize) -> Result<(), BenchError> {
    // Without its folder a benchmark is over, and this job is late.
    let Some(orders) = read::<Orders>(&dir.join("conduct.json"))? else {
        return Ok(());
    };
    let shares: Option<Vec<Vec<Id>>> = read(&dir.join(format!("batches/{batch}.json")))?;
    let share = shares.unwrap_or_default().get(index).cloned();
    let Some(share) = share else {
        let what = format!("submission {batch} has no job {index}");
        return Err(BenchError::malformed(dir.display(), what));
    };
    let name = machine::host_name();
    let host = match host(dir, &name, &orders) {
        Ok(host) => host,
        Err(e) => {
            let path = dir.join("refused").join(&name);
            std::fs::write(&path, e.to_string()).map_err(BenchError::io(path))?;
            return Err(e);
        }
    };
    let scratch = Scratch::new().map_err(BenchError::Keeper)?;
    for id in share {
        if dir.join("stop").exists() {
            break;
        }
        make(dir, id, &orders, &name, &host, &scratch)?;
    }
    Ok(())
}

fn make(
    dir: &Path,
    id: Id,
    orders: &Orders,
    name: &str,
    host: &Host,
    scratch: &Scratch,
) -> Result<(), BenchError> {
    let done = dir.join(format!("done/{id}.json"));
    if done.exists() {
        return Ok(());
    }
    let path = dir.join(format!("locks/{id}"));
    let lock = match File::create(&path) {
        Ok(lock) => lock,
        // The folder has just gone.
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(BenchError::io(path)(e)),
    };
    match lock.try_lock() {
        Err(TryLockError::WouldBlock) => return Ok(()),
        // A file system without locks: the worst is a run that is made twice.
        Err(TryLockError::Error(_)) | Ok(()) => {}
    }
    // Whoever held the lock until now may have finished.
    if done.exists() {
        return Ok(());
    }
    let chunk: Option<Vec<Run>> = read(&dir.join(format!("runs/{:03}.json", id / CHUNK)))?;
    let Some(run) = chunk.and_then(|runs| runs.into_iter().nth(id % CHUNK)) else {
        return Ok(());
    };
    let missing = || BenchError::malformed(dir.display(), format!("no tool {}", run.tool));
    let tool = orders.tools.iter().find(|t| t.name == run.tool);
    let tool = tool.ok_or_else(missing)?;
    let tries = dir.join(format!("tries/{id}"));
    let begun = OpenOptions::new().create(true).append(true).open(&tries);
    let begun = begun.and_then(|mut f| f.write_all(b"x"));
    begun.map_err(BenchError::io(tries))?;

    let leashes = Leashes::default();
    let over = AtomicBool::new(false);
    let record = std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            while !over.load(Ordering::SeqCst) {
                if !dir.exists() || dir.join("stop").exists() {
                    locked(&leashes).clear();
                }
                std::thread::park_timeout(LOOK);
            }
        });
        let record = one(&orders.conduct, 0, scratch, &run.task, tool, &leashes);
        over.store(true, Ordering::SeqCst);
        watch.thread().unpark();
        record
    })?;
    let Some(mut record) = record else {
        return Ok(());
    };
    record.place = Some(Place {
        host: name.into(),
        machine: host.machine.clone(),
        version: host.versions.get(&run.tool).cloned().unwrap_or_default(),
    });
    // It is on the disk when it is in the file of results; until then a machine that stops costs the run.
    match write_whole(&done, &record, false) {
        Err(BenchError::Io { error, .. }) if error.kind() == ErrorKind::NotFound => Ok(()),
        written => written,
    }
}

/// This machine. Asked once on each, because it takes longer than a short run; a machine whose tools are others than those
/// of the results makes none.
fn host(dir: &Path, name: &str, orders: &Orders) -> Result<Host, BenchError> {
    let path = dir.join(format!("hosts/{name}.json"));
    if let Some(host) = read(&path)? {
        return Ok(host);
    }
    let lock = dir.join(format!("locks/{name}.host"));
    let lock = File::create(&lock).map_err(BenchError::io(lock))?;
    let _ = lock.lock();
    if let Some(host) = read(&path)? {
        return Ok(host);
    }
    let mut versions = BTreeMap::new();
    for tool in &orders.tools {
        let here = tool.version(&orders.conduct.env);
        let there = orders.versions.get(&tool.name);
        if there != Some(&here) {
            let what = format!(
                "{} is `{here}` on this machine, and `{}` in the results",
                tool.name,
                there.map_or("", String::as_str)
            );
            return Err(BenchError::Cluster(what));
        }
        versions.insert(tool.name.clone(), here);
    }
    let host = Host {
        machine: Machine::this(),
        versions,
    };
    write(&path, &host)?;
    Ok(host)
}

/// The names in a folder; none where there is no folder.
fn names(dir: &Path) -> Result<Vec<String>, BenchError> {
    let entries = match std::fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(BenchError::io(dir)(e)),
    };
    let names = entries.flatten().map(|e| e.file_name());
    Ok(names.map(|n| n.to_string_lossy().into_owned()).collect())
}

/// A file; `None` where it is not there.
fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, BenchError> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(BenchError::io(path)(e)),
    };
    let value = serde_json::from_slice(&bytes);
    let value = value.map_err(|e| BenchError::malformed(path.display(), e))?;
    Ok(Some(value))
}

/// Writes a file so that it is there whole and on the disk, or not at all.
fn write(path: &Path, value: &impl Serialize) -> Result<(), BenchError> {
    write_whole(path, value, true)
}

/// The same; whether it waits for the disk, which takes longer than a short run.
fn write_whole(path: &Path, value: &impl Serialize, to_disk: bool) -> Result<(), BenchError> {
    let text = serde_json::to_vec(value).map_err(|e| BenchError::malformed(path.display(), e))?;
    let dir = path.parent().unwrap_or(Path::new("."));
    let all = || {
        let mut file = tempfile::Builder::new()
            .prefix(".")
            .suffix(".tmp")
            .tempfile_in(dir)?;
        file.write_all(&text)?;
        if to_disk {
            file.as_file().sync_data()?;
        }
        file.persist(path).map_err(|e| e.error)?;
        Ok(())
    };
    all().map_err(BenchError::io(path))
}
