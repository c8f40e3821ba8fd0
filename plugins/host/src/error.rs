//! What may go wrong between host and plugins.

use crate::discover::PluginKind;
use crate::frame::FrameError;
use std::path::PathBuf;
use std::time::Duration;
use trellis_plugin_abi::HandshakeError;

/// Why the host cannot do what it is asked.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// No library has the name. (User's input.)
    #[error("there is no {kind} `{id}`{}: no {file} in {}", hint.as_ref().map(|h| format!(", did you mean `{h}`?")).unwrap_or_default(), dirs.iter().map(|d| d.display().to_string()).collect::<Vec<_>>().join(", "))]
    NotFound {
        /// What was looked for.
        kind: PluginKind,
        /// The id looked for.
        id: String,
        /// The nearest id there is.
        hint: Option<String>,
        /// What its library would be called.
        file: String,
        /// Where it was looked for.
        dirs: Vec<PathBuf>,
    },
    /// The library cannot be loaded. (User's environment, or the plugin's bug.)
    #[error("{}: cannot be loaded: {message}", path.display())]
    Load {
        /// The library.
        path: PathBuf,
        /// The loader's words.
        message: String,
    },
    /// The library is no plugin for this host. (The plugin's bug, or its version.)
    #[error("{}: {error}", path.display())]
    Handshake {
        /// The library.
        path: PathBuf,
        /// What is wrong.
        error: HandshakeError,
    },
    /// The plugin is another than its file name promises. (The plugin's bug.)
    #[error("{}: calls itself `{found}`, not `{wanted}`", path.display())]
    WrongId {
        /// The library.
        path: PathBuf,
        /// What it calls itself.
        found: String,
        /// What was wanted.
        wanted: String,
    },
    /// The plugin failed while it was asked about itself.
    #[error("{}: {fault}", path.display())]
    Probe {
        /// The library.
        path: PathBuf,
        /// What happened.
        fault: Fault,
    },
}

/// What one plugin did wrong, or what befell it. Its name is with whoever reports.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The worker process cannot be started. (The system's limit.)
    #[error("its process or a thread for it cannot be started: {0}")]
    Spawn(std::io::Error),
    /// The plugin cannot be loaded or its handshake fails.
    #[error("{0}")]
    Load(String),
    /// It was killed by a signal of its own making.
    #[error("crashed ({})", signal_name(*.0))]
    Crashed(i32),
    /// It ended the process.
    #[error("ended its process with exit code {0} instead of answering")]
    Exited(i32),
    /// It panicked.
    #[error("panicked: {0}")]
    Panicked(String),
    /// It returned an error.
    #[error("failed: {0}")]
    Failed(String),
    /// It returned without an answer.
    #[error("returned without an answer")]
    NoVerdict,
    /// Something that is no message came out of the worker.
    #[error("wrote garbage to the protocol: {0}")]
    Protocol(FrameError),
    /// A pass does not fit the program, or a front end does not understand its source.
    #[error("{0}")]
    Refused(String),
    /// Its answer cannot be used.
    #[error("{0}")]
    Malformed(String),
    /// It used more CPU time than allowed.
    #[error("used up its {} s of CPU time", .0.as_secs())]
    CpuLimit(Duration),
    /// It used more memory than allowed.
    #[error("used more than its {} MiB of memory", .0 >> 20)]
    MemoryLimit(u64),
    /// A pass or a front end did not end in its time.
    #[error("did not end within its {:.1} s", .0.as_secs_f64())]
    OutOfTime(Duration),
    /// The user stopped the run.
    #[error("was stopped")]
    Stopped,
    /// It did not stop when told to.
    #[error("ignored its cancellation and was killed")]
    IgnoredCancellation,
}

fn signal_name(signal: i32) -> String {
    let name = match signal {
        libc::SIGSEGV => "segmentation fault",
        libc::SIGABRT => "aborted",
        libc::SIGBUS => "bus error",
        libc::SIGFPE => "arithmetic exception",
        libc::SIGILL => "illegal instruction",
        libc::SIGKILL => "killed",
        libc::SIGTERM => "terminated",
        libc::SIGTRAP => "trap",
        libc::SIGPIPE => "broken pipe",
        _ => return format!("signal {signal}"),
    };
    format!("{name}, signal {signal}")
}
