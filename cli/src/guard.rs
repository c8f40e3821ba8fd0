//! What the process as a whole is watched for: signals (Ctrl-C, SIGTERM), its memory, and a check whose time is over while
//! it does what nothing can interrupt (front ends, passes, the checker's encoding). [`Guard`] then ends the process in
//! order.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};
use trellis::Error;
use trellis::stop::Stop;

/// How often the flag, the clock and the memory are looked at.
const TICK: Duration = Duration::from_millis(20);
/// How long what can be interrupted may take to end.
const PATIENCE: Duration = Duration::from_secs(3);

/// Set by the first signal. A second signal ends the process at once.
pub fn signals() -> Result<Arc<AtomicBool>, Error> {
    let signal = Arc::new(AtomicBool::new(false));
    let signals = [
        signal_hook::consts::SIGINT,
        signal_hook::consts::SIGTERM,
        signal_hook::consts::SIGXCPU,
    ];
    for number in signals {
        let exit = i32::from(crate::error::EXIT_UNKNOWN);
        // In this order: the first signal finds the flag unset.
        signal_hook::flag::register_conditional_shutdown(number, exit, signal.clone())
            .and_then(|_| signal_hook::flag::register(number, signal.clone()))
            .map_err(|e| Error::Internal(e.to_string()))?;
    }
    Ok(signal)
}

/// Watches until it is dropped.
pub struct Guard {
    _alive: Sender<()>,
    patient: Arc<AtomicBool>,
}

impl Guard {
    /// A reason to stop is given to `end`, on another thread: that of `stop`, or that this process has more than `memory`
    /// bytes (by default nearly all that the machine has).
    pub fn new(
        stop: &Stop,
        memory: Option<u64>,
        end: impl FnOnce(&str) + Send + 'static,
    ) -> Result<Guard, Error> {
        let stop = stop.clone();
        let most = memory.map_or_else(most_pages, |bytes| bytes / PAGE);
        let (alive, gone) = channel::<()>();
        let patient = Arc::new(AtomicBool::new(false));
        let waits = patient.clone();
        let watch = move || {
            let mut since: Option<Instant> = None;
            while gone.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if pages() > most {
                    return end("out of memory");
                }
                let Some(why) = stop.why() else { continue };
                let waited = since.get_or_insert_with(Instant::now).elapsed();
                if !waits.load(Ordering::Relaxed) || waited > PATIENCE {
                    return end(why);
                }
            }
        };
        let thread = std::thread::Builder::new().name("guard".into());
        let thread = thread.spawn(watch);
        thread.map_err(|e| Error::Limit(format!("cannot start a thread: {e}")))?;
        Ok(Guard {
            _alive: alive,
            patient,
        })
    }

    /// Set where what is under way can be interrupted, and is given some time to end by itself.
    pub fn patience(&self) -> Arc<AtomicBool> {
        self.patient.clone()
    }
}

/// The unit of [`pages`]; systems with larger ones allow more.
const PAGE: u64 = 4096;

/// Resident pages of this process.
fn pages() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let resident = text.split(' ').nth(1).and_then(|n| n.parse().ok());
    resident.unwrap_or(0)
}

/// Seven eighths of the machine's memory: beyond that the system chooses whom to kill.
fn most_pages() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = text.lines().find_map(|l| l.strip_prefix("MemTotal:"));
    let kibi = total.and_then(|t| t.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kibi.map_or(u64::MAX, |kibi| kibi / 8 * 7 * 1024 / PAGE)
}
