//! Asking a plugin about itself, in a worker of its own: a library that crashes when it is loaded
//! does so there.

use crate::error::{Fault, HostError};
use crate::message::{FromWorker, PluginInfo, ToWorker};
use crate::process::{Heard, Worker};
use crate::warden::{Ending, Limits};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How long a library may take to load.
const PATIENCE: Duration = Duration::from_secs(10);

/// What the library at `path` says about itself.
pub fn probe(executable: &Path, path: &Path) -> Result<PluginInfo, HostError> {
    let failed = |fault| HostError::Probe {
        path: path.into(),
        fault,
    };
    let limits = Limits {
        cpu_seconds: PATIENCE.as_secs(),
        memory: 1 << 30,
    };
    let mut worker = Worker::start(executable, limits).map_err(failed)?;
    let plugin = path.into();
    worker.send(ToWorker::Probe { plugin }, Arc::default());
    match worker.hear(PATIENCE) {
        Some(Heard::Message(FromWorker::Info(info), _)) => Ok(*info),
        // The worker's message names the library already.
        Some(Heard::Message(FromWorker::LoadFailed(text), _)) => Err(failed(Fault::Load(
            text.strip_prefix(&format!("{}: ", path.display()))
                .unwrap_or(&text)
                .to_string(),
        ))),
        Some(Heard::Message(..)) => Err(failed(Fault::NoVerdict)),
        Some(Heard::Garbage(e)) => Err(failed(Fault::Protocol(e))),
        None => Err(failed(Fault::IgnoredCancellation)),
        Some(Heard::End) => Err(failed(match worker.bury(PATIENCE).0 {
            Ending::Exited(code) => Fault::Exited(code),
            Ending::Signal(signal) => Fault::Crashed(signal),
            Ending::Memory => Fault::MemoryLimit(limits.memory),
            Ending::Cpu => Fault::CpuLimit(PATIENCE),
        })),
    }
}
