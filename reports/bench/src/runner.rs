//! The loop over tasks and tools.

use crate::error::BenchError;
use crate::scratch::Scratch;
use crate::store::{Record, Store};
use crate::task::{Task, Verdict};
use crate::tool::{Said, Shown, Tool};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::process::ChildStdin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use trellis_confine::{Ending, Job, Limits, Outcome, Running};

/// How much of an output is searched for a verdict: its end.
const OUTPUT_READ: u64 = 1 << 20;
/// Longest reason that is kept.
const REASON_KEPT: usize = 500;

/// What to run.
pub struct Plan {
    /// The tasks.
    pub tasks: Vec<Task>,
    /// The tools.
    pub tools: Vec<Tool>,
    /// How each is run.
    pub conduct: Conduct,
    /// Runs at a time.
    pub jobs: usize,
}

/// How a run is made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Conduct {
    /// The executable that becomes a keeper.
    pub keeper: PathBuf,
    /// Limits per run.
    pub limits: Shown,
    /// Variables added to the environment.
    pub env: Vec<(String, String)>,
    /// Where to keep the output of each run.
    pub logs: Option<PathBuf>,
}

impl Plan {
    /// The runs that are not in `store` yet.
    pub(crate) fn missing(&self, store: &Store) -> Vec<(&Task, &Tool)> {
        let all = self
            .tasks
            .iter()
            .flat_map(|task| self.tools.iter().map(move |tool| (task, tool)));
        let is_new = |(task, tool): &(&Task, &Tool)| {
            let key = (task.name.clone(), task.property.clone(), tool.name.clone());
            !store.done.contains_key(&key)
        };
        all.filter(is_new).collect()
    }
}

/// Hears of each finished run.
pub trait Observer {
    /// A run has ended; `left` are still to do.
    fn finished(&mut self, record: &Record, left: usize);
    /// Whoever hands out runs is away, which costs nothing but time.
    fn waits(&mut self, _why: &str) {}
    /// These runs have left no record, however often they were begun.
    fn lost(&mut self, _names: &[String]) {}
}

/// The leashes of runs under way: dropping one stops its run.
pub(crate) type Leashes = Mutex<BTreeMap<usize, ChildStdin>>;

/// Runs what `store` does not have yet, until all is done or `stop` is set. Whether all is done.
pub fn run(
    plan: &Plan,
    store: &mut Store,
    stop: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<bool, BenchError> {
    let scratch = Scratch::new().map_err(BenchError::Keeper)?;
    let queue = VecDeque::from(plan.missing(store));
    let mut left = queue.len();
    let queue = Mutex::new(queue);
    let leashes = Leashes::default();
    let (report, reports) = channel();
    std::thread::scope(|scope| {
        for slot in 0..plan.jobs.clamp(1, left.max(1)) {
            let (queue, leashes, report) = (&queue, &leashes, report.clone());
            let scratch = &scratch;
            scope.spawn(move || work(plan, slot, scratch, queue, leashes, stop, &report));
        }
        drop(report);
        let result = (|| {
            loop {
                match reports.recv_timeout(Duration::from_millis(50)) {
                    Ok(Ok(record)) => {
                        left -= 1;
                        observer.finished(&record, left);
                        store.add(record)?;
                    }
                    Ok(Err(e)) => return Err(e),
                    Err(RecvTimeoutError::Disconnected) => return Ok(left == 0),
                    Err(RecvTimeoutError::Timeout) => {}
                }
                if stop.load(Ordering::SeqCst) {
                    locked(&leashes).clear();
                }
            }
        })();
        if result.is_err() {
            // Nobody listens any more: let the workers end.
            locked(&queue).clear();
            locked(&leashes).clear();
        }
        result
    })
}

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn work<'a>(
    plan: &Plan,
    slot: usize,
    scratch: &Scratch,
    queue: &Mutex<VecDeque<(&'a Task, &'a Tool)>>,
    leashes: &Leashes,
    stop: &AtomicBool,
    report: &Sender<Result<Record, BenchError>>,
) {
    while !stop.load(Ordering::SeqCst) {
        let Some((task, tool)) = locked(queue).pop_front() else {
            return;
        };
        let record = match one(&plan.conduct, slot, scratch, task, tool, leashes) {
            Ok(Some(record)) => Ok(record),
            // Stopped: it counts as not done.
            Ok(None) => return,
            Err(e) => Err(e),
        };
        if report.send(record).is_err() {
            return;
        }
    }
}

/// One run; `None` when it was stopped.
pub(crate) fn one(
    conduct: &Conduct,
    slot: usize,
    scratch: &Scratch,
    task: &Task,
    tool: &Tool,
    leashes: &Leashes,
) -> Result<Option<Record>, BenchError> {
    let scratch = scratch.folder().map_err(BenchError::Keeper)?;
    let command = match tool.command(task, &conduct.limits, scratch.path()) {
        Ok(command) => command,
        Err(why) => return Ok(Some(record(task, tool, None, not_tried(why)))),
    };
    let log = |kind: &str| match &conduct.logs {
        Some(dir) => dir.join(log_name(task, tool, kind)),
        None => scratch.path().join(kind),
    };
    let job = Job {
        command: command.into_iter().map(Into::into).collect(),
        dir: scratch.path().into(),
        env: conduct.env.clone(),
        unset: Vec::new(),
        stdout: log("stdout"),
        stderr: log("stderr"),
        limits: Limits {
            cpu: Some(conduct.limits.cpu),
            wall: Some(conduct.limits.wall),
            memory: Some(conduct.limits.memory),
            ..Limits::default()
        },
    };
    let mut running = Running::start(&conduct.keeper, &job).map_err(BenchError::Keeper)?;
    if let Some(leash) = running.leash() {
        locked(leashes).insert(slot, leash);
    }
    let outcome = running.wait().map_err(BenchError::Keeper)?;
    locked(leashes).remove(&slot);
    if outcome.ending == Ending::Stopped {
        return Ok(None);
    }
    let exit = match outcome.ending {
        Ending::Exited(code) => Some(code),
        _ => None,
    };
    let (stdout, stderr) = (tail(&job.stdout), tail(&job.stderr));
    let mut said = tool.said(&stdout, &stderr, exit, scratch.path());
    if let Ending::NotStarted(why) = &outcome.ending {
        said.reason.clone_from(why);
    }
    Ok(Some(record(task, tool, Some(&outcome), said)))
}

fn not_tried(why: String) -> Said {
    Said {
        reason: why,
        ..Said::default()
    }
}

/// A file name for the output of a run, unique and without folders.
fn log_name(task: &Task, tool: &Tool, kind: &str) -> String {
    let plain = |text: &str| text.replace(['/', '\0'], "_");
    format!(
        "{}.{}.{}.{kind}",
        plain(&task.name),
        plain(&task.property),
        plain(&tool.name)
    )
}

/// The end of a file as text.
fn tail(path: &Path) -> String {
    use std::io::{Read, Seek, SeekFrom};
    let read = || {
        let mut file = std::fs::File::open(path)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(OUTPUT_READ)))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok::<_, std::io::Error>(bytes)
    };
    String::from_utf8_lossy(&read().unwrap_or_default()).into_owned()
}

fn record(task: &Task, tool: &Tool, outcome: Option<&Outcome>, said: Said) -> Record {
    let in_time = matches!(outcome.map(|o| &o.ending), Some(Ending::Exited(_)));
    let status = match outcome.map(|o| &o.ending) {
        None => "not tried".to_string(),
        Some(Ending::Exited(_)) if said.verdict.is_some() => "done".into(),
        Some(Ending::Exited(code)) => format!("no verdict, exit code {code}"),
        Some(Ending::Signal(signal)) => format!("signal {signal}"),
        Some(Ending::Cpu) => "cpu limit".into(),
        Some(Ending::Wall) => "wall limit".into(),
        Some(Ending::Memory) => "memory limit".into(),
        Some(Ending::Processes) => "process limit".into(),
        Some(Ending::Output) => "output limit".into(),
        Some(Ending::Stopped) => "stopped".into(),
        Some(Ending::NotStarted(_)) => "not started".into(),
    };
    // An answer of a run that was stopped does not count, even if it was printed before.
    let verdict = said.verdict.filter(|_| in_time).unwrap_or(Verdict::Unknown);
    let mut reason = said.reason;
    if let Some((end, _)) = reason.char_indices().nth(REASON_KEPT) {
        reason.truncate(end);
    }
    Record {
        task: task.name.clone(),
        property: task.property.clone(),
        category: task.category.clone(),
        tool: tool.name.clone(),
        expected: task.expected.clone(),
        verdict,
        status,
        reason,
        decided_by: said.decided_by,
        cpu_seconds: outcome.map_or(0.0, |o| o.cpu.as_secs_f64()),
        wall_seconds: outcome.map_or(0.0, |o| o.wall.as_secs_f64()),
        memory_bytes: outcome.map_or(0, |o| o.memory),
        queries: said.queries,
        solver_seconds: said.solver_seconds,
        figures: said.figures,
        place: None,
    }
}
