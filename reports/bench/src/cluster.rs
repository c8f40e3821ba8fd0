//! Runs on other machines: who hands them out, and the loop that sees to it that all of them are made.
//!
//! Handing out is left to those who do it well, HyperQueue and Slurm, and of them no more is asked than to start commands. What is
//! done, and what has to be handed out again, is seen from the [`spool`](crate::spool) alone.

use crate::error::BenchError;
use crate::runner::{Observer, Plan};
use crate::spool::{Id, Spool};
use crate::store::Store;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The first argument of a process that makes runs of a spool; then the spool, the submission and perhaps the job.
pub const RUN_COMMAND: &str = "__bench-run";
/// Where it finds which job it is, when no argument says so.
const INDEX: [&str; 2] = ["SLURM_ARRAY_TASK_ID", "HQ_TASK_ID"];

/// How often is looked for records, at least.
const LOOK: Duration = Duration::from_millis(50);
/// How often a run is begun that leaves no record, because it, its worker or its machine dies.
const TRIES: u64 = 5;
/// Submissions in a row in which nothing is begun.
const IDLE: usize = 3;
/// How long a server may be away.
const PATIENCE: Duration = Duration::from_secs(600);
/// Slurm's limit for the jobs of an array, unless it is configured otherwise.
const ARRAY: usize = 1000;

/// Who hands out runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dispatcher {
    /// A HyperQueue server, by the program `hq` or the Python package.
    HyperQueue,
    /// Slurm, by arrays of `sbatch`.
    Slurm,
}

impl FromStr for Dispatcher {
    type Err = String;

    fn from_str(text: &str) -> Result<Dispatcher, String> {
        match text {
            "hyperqueue" | "hq" => Ok(Dispatcher::HyperQueue),
            "slurm" => Ok(Dispatcher::Slurm),
            _ => Err(format!("`{text}`: hyperqueue and slurm are known")),
        }
    }
}

impl Dispatcher {
    /// Its name in results and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Dispatcher::HyperQueue => "hyperqueue",
            Dispatcher::Slurm => "slurm",
        }
    }
}

/// What of a cluster is wanted.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// Who hands out.
    pub dispatcher: Dispatcher,
    /// Processors for each run.
    pub cores: usize,
    /// Runs at a time, where that is limited.
    pub jobs: Option<usize>,
    /// Further arguments for who hands out.
    pub args: Vec<String>,
}

impl Cluster {
    fn says(&self, what: impl std::fmt::Display) -> BenchError {
        BenchError::Cluster(format!("{}: {what}", self.dispatcher.name()))
    }

    /// The runs of each job.
    fn shares(&self, ids: &[Id]) -> Vec<Vec<Id>> {
        let most = match self.dispatcher {
            Dispatcher::HyperQueue => ids.len(),
            Dispatcher::Slurm => ARRAY,
        };
        let jobs = ids.len().min(most);
        let share = |n| ids.iter().skip(n).step_by(jobs).copied().collect();
        (0..jobs).map(share).collect()
    }

    /// Hands out; the process ends when all jobs are over.
    fn submit(&self, plan: &Plan, spool: &Spool, ids: &[Id]) -> Result<Submission, BenchError> {
        let shares = self.shares(ids);
        let longest = shares.iter().map(Vec::len).max().unwrap_or(1);
        let batch = spool.batch(&shares)?;
        let run = [
            plan.conduct.keeper.display().to_string(),
            RUN_COMMAND.into(),
            spool.dir().display().to_string(),
            batch.to_string(),
        ];
        let (mut command, request) = match self.dispatcher {
            Dispatcher::Slurm => (self.sbatch(plan, &run, shares.len(), longest), None),
            Dispatcher::HyperQueue => self.hyperqueue("trellis-bench", &run, shares.len())?,
        };
        let file = |name: &str| {
            let path = spool.dir().join(name);
            let file = File::create(&path).map_err(BenchError::io(&path));
            file.map(|file| (path, file))
        };
        let (said, stdout) = file("submission.out")?;
        let (complaint, stderr) = file("submission.err")?;
        let stdin = match request {
            Some(_) => Stdio::piped(),
            None => Stdio::null(),
        };
        command.stdin(stdin).stdout(stdout).stderr(stderr);
        let program = command.get_program().display().to_string();
        let mut child = command
            .spawn()
            .map_err(|e| self.says(format!("{program}: {e}")))?;
        if let (Some(mut stdin), Some(request)) = (child.stdin.take(), request) {
            // Who does not read it says why.
            let _ = stdin.write_all(request.as_bytes());
        }
        Ok(Submission {
            child,
            said,
            complaint,
        })
    }

    /// What hands a command to HyperQueue as so many jobs and ends with them, and what it wants to read. The number of the job is
    /// in the environment, or a further argument.
    pub fn hyperqueue(
        &self,
        name: &str,
        run: &[String],
        jobs: usize,
    ) -> Result<(Command, Option<String>), BenchError> {
        if on_path("hq") {
            return Ok((self.hq(name, run, jobs), None));
        }
        if !self.args.is_empty() {
            return Err(self.says("--on-args are for the program `hq`, which is not here"));
        }
        let python = std::env::var_os("TRELLIS_PYTHON").unwrap_or("python3".into());
        let mut command = Command::new(python);
        command.args(["-c", include_str!("hyperqueue.py")]);
        command.env("RUST_BACKTRACE", "0");
        let request = serde_json::json!({
            "name": name, "command": run, "jobs": jobs, "cores": self.cores,
        });
        Ok((command, Some(request.to_string())))
    }

    /// By the program of HyperQueue.
    fn hq(&self, name: &str, run: &[String], jobs: usize) -> Command {
        let mut command = Command::new("hq");
        command.args(["submit", "--name", name, "--wait"]);
        command.args(["--array", &format!("0-{}", jobs - 1)]);
        command.args(["--cpus", &self.cores.to_string(), "--crash-limit", "100"]);
        command.args(["--stdout", "none", "--stderr", "none"]);
        command.args(&self.args).arg("--").args(run);
        command
    }

    fn sbatch(&self, plan: &Plan, run: &[String], jobs: usize, longest: usize) -> Command {
        let limits = &plan.conduct.limits;
        // Our own limits hold inside of Slurm's.
        let memory = limits.memory + limits.memory / 8 + (256 << 20);
        let wall = (limits.wall + Duration::from_secs(30)) * u32::try_from(longest).unwrap_or(1);
        let throttle = self.jobs.map_or(String::new(), |n| format!("%{n}"));
        let mut command = Command::new("sbatch");
        command.args(["--wait", "--requeue", "--job-name=trellis-bench"]);
        command.arg(format!("--array=0-{}{throttle}", jobs - 1));
        command.arg(format!("--cpus-per-task={}", self.cores));
        command.arg(format!("--mem={}M", memory >> 20));
        command.arg(format!("--time={}", wall.as_secs() / 60 + 1));
        command.args(["--output=/dev/null", "--error=/dev/null"]);
        command.args(&self.args);
        let words: Vec<String> = run.iter().map(|w| quoted(w)).collect();
        command.arg(format!("--wrap=exec {}", words.join(" ")));
        command
    }
}

/// A word of a shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|dir| dir.join(program).is_file())
}

/// What a process has said, as far as it can be read.
fn text(path: &Path) -> String {
    trellis_input::text(path, trellis_input::TEXT).unwrap_or_default()
}

/// A submission under way.
struct Submission {
    child: Child,
    said: PathBuf,
    complaint: PathBuf,
}

impl Submission {
    /// Whether somebody took it.
    fn was_taken(&self) -> bool {
        let said = text(&self.said);
        said.to_lowercase().contains("submitted")
    }

    fn complaint(&self) -> String {
        let complaint = text(&self.complaint);
        let lines: Vec<&str> = complaint.lines().filter(|l| !l.trim().is_empty()).collect();
        // A program says what is wrong in its first line, a traceback in its last but for its causes.
        let error = lines.iter().find(|l| l.contains("Error"));
        let line = error.or(lines.first()).copied();
        line.unwrap_or("no reason was given").trim().to_string()
    }

    /// Waits no longer, and has what is still queued taken out, where that can be asked for: it would end at once, but it would
    /// be started first.
    fn end(&mut self, dispatcher: Dispatcher, jobs_too: bool) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let said = text(&self.said);
        let mut numbers = said.split(|c: char| !c.is_ascii_digit());
        let cancel: &[&str] = match dispatcher {
            Dispatcher::Slurm => &["scancel"],
            Dispatcher::HyperQueue => &["hq", "job", "cancel"],
        };
        if let Some(id) = numbers.find(|n| !n.is_empty())
            && jobs_too
            && on_path(cancel[0])
        {
            let mut command = Command::new(cancel[0]);
            command.args(&cancel[1..]).arg(id);
            let _ = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        }
    }
}

/// What a process with [`RUN_COMMAND`] does; the arguments behind it.
pub fn serve(args: &[String]) -> Result<(), BenchError> {
    let bad = || BenchError::malformed(RUN_COMMAND, "SPOOL SUBMISSION [JOB] is expected");
    let number = |text: &String| text.parse::<usize>().ok();
    let index = args.get(2).and_then(number).or_else(|| {
        let mut set = INDEX.iter().filter_map(|name| std::env::var(name).ok());
        set.find_map(|text| number(&text))
    });
    let dir = args.first().ok_or_else(bad)?;
    let batch = args.get(1).and_then(number).ok_or_else(bad)?;
    crate::spool::serve(Path::new(dir), batch, index.ok_or_else(bad)?)
}

/// Has everything made that `store` does not have yet. Whether all is done; otherwise `stop` was set, or some runs
/// left no record however often they were begun.
pub fn run(
    plan: &Plan,
    cluster: &Cluster,
    mut spool: Spool,
    store: &mut Store,
    stop: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<bool, BenchError> {
    let ids = spool.enlist(&plan.missing(store))?;
    let mut left: BTreeSet<Id> = ids.into_iter().collect();
    let mut lost = BTreeSet::new();
    let mut under_way: Option<Submission> = None;
    let mut was_taken = false;
    let mut idle = 0;
    let mut before = (left.len(), 0);
    let mut away: Option<Instant> = None;
    let mut next = Instant::now();
    let result = loop {
        let begun = Instant::now();
        for record in spool.collect(&mut left)? {
            observer.finished(&record, left.len());
            store.add(record)?;
        }
        if let Some(why) = spool.refusal()? {
            break Err(cluster.says(why));
        }
        if left.is_empty() {
            break Ok(lost.is_empty());
        }
        if stop.load(Ordering::SeqCst) {
            break Ok(false);
        }
        if let Some(submission) = &mut under_way {
            let ended = submission.child.try_wait();
            let ended = ended.map_err(|e| cluster.says(e))?.is_some();
            if submission.was_taken() {
                (was_taken, away) = (true, None);
            }
            if ended {
                if !submission.was_taken() {
                    let why = submission.complaint();
                    let since = *away.get_or_insert_with(Instant::now);
                    if !was_taken || since.elapsed() > PATIENCE {
                        break Err(cluster.says(why));
                    }
                    observer.waits(&why);
                    next = Instant::now() + Duration::from_secs(1);
                } else {
                    // What has ended without a record has to be made again. Nothing at all begun, time and again, has a
                    // reason that does not go away.
                    let tried = left.iter().map(|id| spool.tries(*id)).sum();
                    idle = if before == (left.len(), tried) {
                        idle + 1
                    } else {
                        0
                    };
                    before = (left.len(), tried);
                    if idle >= IDLE {
                        let why = submission.complaint();
                        break Err(cluster.says(format!("jobs end before they begin: {why}")));
                    }
                    next = Instant::now() + Duration::from_millis(200);
                }
                under_way = None;
            }
        } else if Instant::now() >= next {
            for id in left.iter().filter(|id| !spool.is_held(**id)) {
                if spool.tries(*id) >= TRIES {
                    lost.insert(*id);
                }
            }
            left.retain(|id| !lost.contains(id));
            let free = left.iter().copied().filter(|id| !spool.is_held(*id));
            let free: Vec<Id> = free.collect();
            if free.is_empty() {
                // The others are being made, by jobs of a submission that nobody waits for any more.
                next = Instant::now() + Duration::from_secs(1);
            } else {
                under_way = Some(cluster.submit(plan, &spool, &free)?);
            }
        }
        // Looking takes its share of the time and no more, however many there are.
        std::thread::sleep(LOOK.max(20 * begun.elapsed()).min(Duration::from_secs(5)));
    };
    if !matches!(result, Ok(true)) {
        spool.stop()?;
    }
    if let Some(submission) = &mut under_way {
        submission.end(cluster.dispatcher, !matches!(result, Ok(true)));
    }
    if !lost.is_empty() {
        let names = names_of(plan, &lost, &spool);
        observer.lost(&names);
    }
    if matches!(result, Ok(true)) {
        spool.remove()?;
    }
    result
}

/// Runs by their names, for people.
fn names_of(plan: &Plan, ids: &BTreeSet<Id>, spool: &Spool) -> Vec<String> {
    let all = plan.tasks.iter().flat_map(|task| {
        let of = plan.tools.iter().map(move |tool| (task, tool));
        of.map(|(task, tool)| (task.name.clone(), task.property.clone(), tool.name.clone()))
    });
    let named = all.filter(|key| spool.id(key).is_some_and(|id| ids.contains(&id)));
    named
        .map(|(task, _, tool)| format!("{task} {tool}"))
        .collect()
}
