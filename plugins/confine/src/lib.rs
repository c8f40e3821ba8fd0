//! Runs a command under limits on CPU time, wall time, memory, processes and output that hold for
//! everything the command starts, however it detaches itself.
//!
//! The caller re-executes its own executable as a *keeper* ([`KEEPER_COMMAND`]), which starts the
//! command. The keeper is a subreaper: a process that loses its parent becomes the keeper's child, so the
//! tree below the keeper is complete, and all CPU time is accounted to it in the end. When the
//! caller dies, the keeper's standard input ends and it kills the tree.
//!
//! Open first: [`Job`] and [`Outcome`] here, then [`keeper`] (the watching loop) and [`tree`]
//! (what the kernel says about a tree of processes). [`last_words`] is for the caller itself.
//!
//! Deliberately absent: control groups (they need privileges that a user may not have) and limits
//! of the kernel per process (they do not add up over a tree).

#![allow(unsafe_code)]

pub mod keeper;
pub mod last_words;
pub mod tree;

use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io::{Error, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The first argument under which the caller's executable must run [`keeper::keeper_main`].
pub const KEEPER_COMMAND: &str = "__keeper";

/// What a command and everything it starts may use together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// CPU time.
    pub cpu: Option<Duration>,
    /// Wall time.
    pub wall: Option<Duration>,
    /// Bytes of resident memory.
    pub memory: Option<u64>,
    /// Processes at one time.
    pub processes: usize,
    /// Bytes of standard output, and of standard error.
    pub output: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            cpu: None,
            wall: None,
            memory: None,
            // A bomb must be noticed before it starves whoever looks for it.
            processes: 200,
            output: 64 << 20,
        }
    }
}

/// A command, where its output goes, and its limits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// Where it runs.
    pub dir: PathBuf,
    /// Variables added to its environment.
    pub env: Vec<(String, String)>,
    /// Variables taken out of it.
    #[serde(default)]
    pub unset: Vec<String>,
    /// File for its standard output.
    pub stdout: PathBuf,
    /// File for its standard error.
    pub stderr: PathBuf,
    /// What it may use.
    pub limits: Limits,
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// With an exit code.
    Exited(i32),
    /// By a signal.
    Signal(i32),
    /// Stopped: too much CPU time.
    Cpu,
    /// Stopped: too much wall time.
    Wall,
    /// Stopped: too much memory.
    Memory,
    /// Stopped: too many processes.
    Processes,
    /// Stopped: too much output.
    Output,
    /// Stopped by the caller.
    Stopped,
    /// It could not be started, for this reason.
    NotStarted(String),
}

/// How a job ended and what it used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// How it ended.
    pub ending: Ending,
    /// Wall time, without the keeper's own start.
    pub wall: Duration,
    /// CPU time of the tree.
    pub cpu: Duration,
    /// Largest resident memory of the tree, as sampled, in bytes.
    pub memory: u64,
    /// Largest number of processes, as sampled.
    pub processes: usize,
    /// Processes that were still there when the command had ended by itself.
    pub left_behind: usize,
}

/// A job under way.
pub struct Running {
    keeper: Child,
}

impl Running {
    /// Starts `job` under a keeper, which is `executable` called with [`KEEPER_COMMAND`].
    pub fn start(executable: &Path, job: &Job) -> Result<Running, Error> {
        let mut keeper = Command::new(executable)
            .arg(KEEPER_COMMAND)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()?;
        let line = serde_json::to_string(job).map_err(Error::other)? + "\n";
        if let Some(stdin) = &mut keeper.stdin {
            stdin.write_all(line.as_bytes())?;
        }
        Ok(Running { keeper })
    }

    /// The end of the feed is the order to stop; whoever holds it may drop it.
    pub fn leash(&mut self) -> Option<std::process::ChildStdin> {
        self.keeper.stdin.take()
    }

    /// Waits for the end of the job.
    pub fn wait(mut self) -> Result<Outcome, Error> {
        let mut report = String::new();
        if let Some(stdout) = &mut self.keeper.stdout {
            stdout.read_to_string(&mut report)?;
        }
        let status = self.keeper.wait()?;
        serde_json::from_str(&report).map_err(|e| {
            let what = format!("the keeper ended with {status} and no report: {e}");
            Error::new(ErrorKind::InvalidData, what)
        })
    }
}
