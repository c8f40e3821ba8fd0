//! `--on` of a check: the engines of a race as jobs on other machines.
//!
//! `srun` carries the streams of what it starts, so it starts workers as they are. HyperQueue carries none: between host and worker
//! stands a relay, a process of this executable (`plugins/host/src/elsewhere.rs`).

use std::io::{Error as IoError, ErrorKind};
use std::path::PathBuf;
use std::process::ExitCode;
use trellis::worker::Worker;
use trellis_bench::cluster::{Cluster, Dispatcher};
use trellis_plugin_host::elsewhere::{Relay, SERVE_COMMAND};

/// The hidden first argument of a relay: then arguments for `hq submit`, `--`, and the command of a worker.
pub const RELAY_COMMAND: &str = "__relay";

/// The worker, started by `on`.
pub fn launched(worker: Worker, on: Dispatcher, args: &str) -> Worker {
    let executable = worker.executable().display().to_string();
    let mut launcher: Vec<String> = match on {
        Dispatcher::HyperQueue => vec![executable, RELAY_COMMAND.into()],
        Dispatcher::Slurm => [
            "srun",
            "--quiet",
            "--unbuffered",
            "--ntasks=1",
            "--cpus-per-task=1",
            "--job-name=trellis-check",
        ]
        .map(String::from)
        .into(),
    };
    launcher.extend(args.split_whitespace().map(String::from));
    if on == Dispatcher::HyperQueue {
        launcher.push("--".into());
    }
    worker.launched_by(launcher)
}

/// A relay; its exit code is that of the worker.
pub fn relay(args: &[String]) -> ExitCode {
    match carry(args) {
        Ok(code) => ExitCode::from(code),
        Err(e) => {
            eprintln!("{e}");
            ExitCode::from(1)
        }
    }
}

fn carry(args: &[String]) -> Result<u8, IoError> {
    let wrong = || IoError::new(ErrorKind::InvalidInput, "a command is expected after --");
    let end = args.iter().rposition(|a| a == "--").ok_or_else(wrong)?;
    let [executable, _, limits @ ..] = &args[end + 1..] else {
        return Err(wrong());
    };
    let cluster = Cluster {
        dispatcher: Dispatcher::HyperQueue,
        cores: 1,
        jobs: None,
        args: args[..end].to_vec(),
    };
    let relay = Relay::open(&folder()?)?;
    let mut job = vec![
        executable.clone(),
        SERVE_COMMAND.into(),
        relay.file().display().to_string(),
    ];
    job.extend_from_slice(limits);
    let (submit, request) = cluster
        .hyperqueue("trellis-check", &job, 1)
        .map_err(IoError::other)?;
    relay.run(submit, request)
}

/// A folder of the user's that other machines see as well.
fn folder() -> Result<PathBuf, IoError> {
    let of = |name: &str| {
        std::env::var_os(name)
            .filter(|v| !v.is_empty())
            .map(PathBuf::from)
    };
    let cache = of("XDG_CACHE_HOME").or_else(|| Some(of("HOME")?.join(".cache")));
    let cache = cache.ok_or_else(|| IoError::other("neither HOME nor XDG_CACHE_HOME is set"))?;
    Ok(cache.join("trellis/elsewhere"))
}
