//! The process between the caller and a job: starts it, watches its tree, and leaves nothing behind.

use crate::tree::{self, Stat};
use crate::{Ending, Job, Limits, Outcome};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, WaitOptions, WaitStatus, kill_process_group,
    pidfd_open, set_child_subreaper, setrlimit, wait,
};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Error, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// How often the tree is looked at.
const TICK: Duration = Duration::from_millis(25);
/// How long processes may take to die of SIGKILL; only the kernel can delay them.
const BURIAL: Duration = Duration::from_secs(10);

/// Reads a job from standard input, runs it, and writes its outcome to standard output.
///
/// Must be called while the process has one thread and no children.
pub fn keeper_main() -> ExitCode {
    let outcome = match read_job() {
        Ok(job) => keep(&job),
        Err(e) => not_started(&e),
    };
    // Fails when the caller is gone, and then nobody cares.
    let told = serde_json::to_string(&outcome)
        .map_err(Error::other)
        .and_then(|text| writeln!(std::io::stdout(), "{text}"));
    match told {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// The first line of standard input. Read byte by byte: what follows is not ours to buffer.
fn read_job() -> Result<Job, Error> {
    let mut line = Vec::new();
    let mut stdin = std::io::stdin().lock();
    let mut byte = [0];
    while stdin.read(&mut byte)? == 1 && byte[0] != b'\n' {
        line.push(byte[0]);
    }
    serde_json::from_slice(&line).map_err(Error::other)
}

fn not_started(e: &Error) -> Outcome {
    Outcome {
        ending: Ending::NotStarted(e.to_string()),
        wall: Duration::ZERO,
        cpu: Duration::ZERO,
        memory: 0,
        processes: 0,
        left_behind: 0,
    }
}

fn keep(job: &Job) -> Outcome {
    let start = Instant::now();
    let (pid, exit) = match start_job(job) {
        Ok(started) => started,
        Err(e) => return not_started(&e),
    };
    let mut watch = Watch {
        job,
        me: std::process::id() as i32,
        pid,
        start,
        tick: Duration::from_secs(1).div_f64(rustix::param::clock_ticks_per_second() as f64),
        page: rustix::param::page_size() as u64,
        memory: 0,
        processes: 1,
    };
    let stopped = watch.until_end(&exit);
    let wall = start.elapsed();
    let left_behind = match stopped {
        None => watch.tree().values().filter(|s| !s.zombie).count(),
        Some(_) => 0,
    };
    let status = watch.bury();
    Outcome {
        ending: stopped.unwrap_or_else(|| ending(status)),
        wall,
        cpu: tree::reaped(),
        memory: watch.memory.max(tree::reaped_memory()),
        processes: watch.processes,
        left_behind,
    }
}

fn ending(status: Option<WaitStatus>) -> Ending {
    match status {
        Some(status) => match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Ending::Exited(code),
            (None, signal) => Ending::Signal(signal.unwrap_or(0)),
        },
        None => Ending::NotStarted("its end was not seen".into()),
    }
}

fn start_job(job: &Job) -> Result<(Pid, OwnedFd), Error> {
    let own = Pid::from_raw(std::process::id() as i32);
    set_child_subreaper(own)?;
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    setrlimit(Resource::Core, none)?;
    let Some((program, arguments)) = job.command.split_first() else {
        return Err(Error::other("the command is empty"));
    };
    let mut command = Command::new(program);
    for name in &job.unset {
        command.env_remove(name);
    }
    let child = command
        .args(arguments)
        .envs(job.env.iter().map(|(k, v)| (k, v)))
        .current_dir(&job.dir)
        .stdin(Stdio::null())
        .stdout(File::create(&job.stdout)?)
        .stderr(File::create(&job.stderr)?)
        .process_group(0)
        .spawn()
        .map_err(|e| Error::new(e.kind(), format!("{}: {e}", program.display())))?;
    let pid = Pid::from_raw(child.id() as i32).ok_or_else(|| Error::other("no process id"))?;
    let exit = pidfd_open(pid, PidfdFlags::empty())?;
    Ok((pid, exit))
}

struct Watch<'a> {
    job: &'a Job,
    me: i32,
    /// The command.
    pid: Pid,
    start: Instant,
    /// Length of a clock tick.
    tick: Duration,
    page: u64,
    memory: u64,
    processes: usize,
}

impl Watch<'_> {
    /// Waits for the end of the command; `Some` when a limit or the caller ends it.
    fn until_end(&mut self, exit: &OwnedFd) -> Option<Ending> {
        let stdin = std::io::stdin();
        loop {
            let mut fds = [
                PollFd::new(exit, PollFlags::IN),
                PollFd::from_borrowed_fd(stdin.as_fd(), PollFlags::IN),
            ];
            let timeout = Timespec {
                tv_sec: 0,
                tv_nsec: TICK.as_nanos() as i64,
            };
            // Interrupted by a signal is as good as a timeout.
            let _ = poll(&mut fds, Some(&timeout));
            if !fds[0].revents().is_empty() {
                return None;
            }
            // Nothing ever follows the job, so this is the end of the feed.
            if !fds[1].revents().is_empty() {
                return Some(Ending::Stopped);
            }
            if let Some(exceeded) = self.look() {
                return Some(exceeded);
            }
        }
    }

    /// One look at the tree: what does it use too much of?
    fn look(&mut self) -> Option<Ending> {
        let tree = self.tree();
        self.reap_orphans(&tree);
        let Limits {
            cpu,
            wall,
            memory,
            processes,
            output,
        } = self.job.limits;
        let alive = tree.values().filter(|s| !s.zombie).count();
        self.processes = self.processes.max(alive);
        let ticks: u64 = tree.values().map(|s| s.ticks).sum();
        let used = tree::reaped() + self.tick * u32::try_from(ticks).unwrap_or(u32::MAX);
        let resident = self.resident(&tree, memory.unwrap_or(u64::MAX));
        self.memory = self.memory.max(resident);
        let written = |path| std::fs::metadata(path).map_or(0, |m| m.len());
        if memory.is_some_and(|most| resident > most) {
            Some(Ending::Memory)
        } else if cpu.is_some_and(|most| used > most) {
            Some(Ending::Cpu)
        } else if wall.is_some_and(|most| self.start.elapsed() > most) {
            Some(Ending::Wall)
        } else if alive > processes {
            Some(Ending::Processes)
        } else if written(&self.job.stdout).max(written(&self.job.stderr)) > output {
            Some(Ending::Output)
        } else {
            None
        }
    }

    /// Resident memory of the tree. Pages that a fork shares are counted for each process, which
    /// is cheap to know and too much; so it is looked at closely before it exceeds `most`.
    fn resident(&self, tree: &BTreeMap<i32, Stat>, most: u64) -> u64 {
        let all: u64 = tree.values().map(|s| s.pages).sum::<u64>() * self.page;
        if all > most && tree.len() > 1 {
            return tree::proportional(tree.keys().copied()).unwrap_or(all);
        }
        all
    }

    /// Orphans that have ended would otherwise pile up. The command itself stays unreaped until
    /// the end, so that its process group keeps its name.
    fn reap_orphans(&self, tree: &BTreeMap<i32, Stat>) {
        let orphans = tree.iter().filter(|(_, s)| s.zombie && s.parent == self.me);
        for pid in orphans.filter_map(|(&pid, _)| Pid::from_raw(pid)) {
            if pid != self.pid {
                let _ = rustix::process::waitpid(Some(pid), WaitOptions::NOHANG);
            }
        }
    }

    /// Kills and reaps everything; the status of the command.
    fn bury(&mut self) -> Option<WaitStatus> {
        let mut status = None;
        let deadline = Instant::now() + BURIAL;
        // First the group that most jobs stay in, before it grows while the tree is walked.
        let _ = kill_process_group(self.pid, Signal::KILL);
        loop {
            tree::kill(&self.tree());
            loop {
                match wait(WaitOptions::NOHANG) {
                    Ok(Some((reaped, how))) if reaped == self.pid => status = Some(how),
                    Ok(Some(_)) => {}
                    Ok(None) => break,
                    Err(_) => return status,
                }
            }
            if Instant::now() > deadline {
                return status;
            }
            std::thread::sleep(Duration::from_micros(200));
        }
    }

    fn tree(&self) -> BTreeMap<i32, Stat> {
        tree::below(self.me, self.job.limits.processes)
    }
}
