//! Compilers under limits: a [`Runner`] that has a keeper watch what it starts, so that a program which never lets
//! the preprocessor end (it includes a pipe, or itself) ends with the check, and takes everything it started along.

use std::ffi::{OsStr, OsString};
use std::io::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use trellis_confine::{Ending, Job, Limits, Running};
use trellis_frontend_c::compiler::{Ran, Runner, SET, UNSET};

/// The most that a compiler may take, whatever the check may.
const WALL: Duration = Duration::from_secs(300);
const MEMORY: u64 = 4 << 30;
/// The most that it may write.
const OUTPUT: u64 = 512 << 20;
/// The most of its messages that is kept.
const MESSAGES: u64 = 1 << 20;

/// Runs compilers under a keeper.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The executable that is a keeper when asked to be.
    pub keeper: PathBuf,
    /// When the check ends, if its time is limited.
    pub deadline: Option<Instant>,
}

impl Runner for Kept {
    fn run(&self, program: &OsStr, arguments: &[OsString]) -> Result<Ran, Error> {
        let scratch = tempfile::tempdir()?;
        let left = self
            .deadline
            .map(|end| end.saturating_duration_since(Instant::now()));
        let mut command = vec![program.to_owned()];
        command.extend_from_slice(arguments);
        let job = Job {
            command,
            dir: ".".into(),
            env: SET.map(|(k, v)| (k.into(), v.into())).to_vec(),
            unset: UNSET.map(Into::into).to_vec(),
            stdout: scratch.path().join("stdout"),
            stderr: scratch.path().join("stderr"),
            limits: Limits {
                wall: Some(left.map_or(WALL, |left| left.min(WALL))),
                memory: Some(MEMORY),
                output: OUTPUT,
                ..Limits::default()
            },
        };
        let ending = Running::start(&self.keeper, &job)?.wait()?.ending;
        let (success, stopped) = match ending {
            Ending::Exited(code) => (code == 0, None),
            Ending::NotStarted(why) => return Err(Error::other(why)),
            ending => (false, Some(reason(&ending))),
        };
        let read = |path: &Path, limit| trellis_input::bytes(path, limit);
        Ok(Ran {
            success,
            stopped,
            stdout: read(&job.stdout, 2 * OUTPUT)?,
            stderr: read(&job.stderr, MESSAGES).unwrap_or_default(),
        })
    }
}

fn reason(ending: &Ending) -> String {
    match ending {
        Ending::Wall | Ending::Cpu => "out of time".into(),
        Ending::Memory => format!("it used more than {} GiB of memory", MEMORY >> 30),
        Ending::Output => format!("it wrote more than {} MiB", OUTPUT >> 20),
        Ending::Signal(signal) => format!("it ended by signal {signal}"),
        other => format!("{other:?}"),
    }
}
