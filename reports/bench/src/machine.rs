//! The machine that results come from.

use serde::{Deserialize, Serialize};
use std::fs;

/// What matters for times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor.
    pub cpu: String,
    /// Processors that may be used.
    pub cores: usize,
    /// Memory in bytes.
    pub memory_bytes: u64,
    /// Kernel and its version.
    pub system: String,
}

impl Machine {
    /// This one.
    pub fn this() -> Machine {
        let read = |path| fs::read_to_string(path).unwrap_or_default();
        let after = |text: &str, key: &str| {
            let line = text.lines().find(|l| l.starts_with(key))?;
            Some(line.split_once(':')?.1.trim().to_string())
        };
        let total = after(&read("/proc/meminfo"), "MemTotal");
        let kib = total.and_then(|t| t.strip_suffix("kB")?.trim().parse::<u64>().ok());
        let release = read("/proc/sys/kernel/osrelease");
        Machine {
            cpu: after(&read("/proc/cpuinfo"), "model name").unwrap_or_default(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory_bytes: kib.unwrap_or(0) << 10,
            system: format!("{} {}", std::env::consts::OS, release.trim()),
        }
    }

    /// In one line.
    pub fn line(&self) -> String {
        let gib = self.memory_bytes as f64 / f64::from(1 << 30);
        format!(
            "{}, {} cores, {gib:.1} GiB, {}",
            self.cpu, self.cores, self.system
        )
    }
}

/// The name of this machine, as a name of a file.
pub(crate) fn host_name() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = name.trim().replace('/', "_");
    match name.is_empty() {
        true => "unnamed".into(),
        false => name,
    }
}
