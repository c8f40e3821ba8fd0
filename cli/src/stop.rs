//! When a check has to stop: its wall time is over, its memory is used up, or the user says so (Ctrl-C, SIGTERM).
//!
//! Whatever may take long looks at one [`Stop`]: workers through the host, solver sessions of the
//! checker through [`Stop::interrupting`], and what knows of no interruption at all (front ends, passes, the
//! checker's encoding) through [`Stop::guard`], which ends the process in order.

use crate::error::CliError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};
use trellis_plugin_host::run::Stopped;
use trellis_plugin_sdk::solver::Interrupter;

/// How often the flag and the clock are looked at.
const TICK: Duration = Duration::from_millis(20);
/// How long what can be interrupted may take to end.
const PATIENCE: Duration = Duration::from_secs(5);

/// Whether and why to stop.
#[derive(Clone)]
pub struct Stop {
    signal: Arc<AtomicBool>,
    deadline: Option<Instant>,
    /// The most pages of memory that this process may have.
    pages: u64,
}

impl Stop {
    /// Stops `wall` after now, when this process itself has more than `memory` bytes (by default nearly all that the
    /// machine has), and at the first signal. A second signal ends the process at once.
    pub fn new(wall: Option<Duration>, memory: Option<u64>) -> Result<Stop, CliError> {
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
                .map_err(|e| CliError::Internal(e.to_string()))?;
        }
        Ok(Stop {
            signal,
            deadline: wall.and_then(|wall| Instant::now().checked_add(wall)),
            pages: memory.map_or_else(most_pages, |bytes| bytes / PAGE),
        })
    }

    /// When the time is over, if it is limited.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Set by a signal.
    pub fn flag(&self) -> &AtomicBool {
        &self.signal
    }

    /// Why to stop, if so.
    pub fn why(&self) -> Option<&'static str> {
        if self.signal.load(Ordering::Relaxed) {
            return Some("interrupted");
        }
        self.left()
            .is_some_and(|left| left.is_zero())
            .then_some("out of time")
    }

    /// The time that is left, where it is limited.
    pub fn left(&self) -> Option<Duration> {
        let end = self.deadline?;
        Some(end.saturating_duration_since(Instant::now()))
    }

    /// Until the guard is dropped, a reason to stop is given to `end`, on another thread.
    pub fn guard(&self, end: impl FnOnce(&str) + Send + 'static) -> Result<Guard, CliError> {
        let stop = self.clone();
        let (alive, gone) = channel::<()>();
        let patient = Arc::new(AtomicBool::new(false));
        let waits = patient.clone();
        let watch = move || {
            let mut since: Option<Instant> = None;
            while gone.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if pages() > stop.pages {
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
        thread.map_err(|e| CliError::Limit(format!("cannot start a thread: {e}")))?;
        Ok(Guard {
            _alive: alive,
            patient,
        })
    }

    /// Does `work` on a session whose queries are interrupted when it is time to stop.
    pub fn interrupting<T>(&self, session: Interrupter, work: impl FnOnce() -> T) -> T {
        interrupting(session, &|| self.why().is_some(), work)
    }
}

/// See [`Stop::guard`].
pub struct Guard {
    _alive: Sender<()>,
    patient: Arc<AtomicBool>,
}

impl Guard {
    /// From now on what is under way can be interrupted, and is given some time to end by itself.
    pub fn be_patient(&self) {
        self.patient.store(true, Ordering::Relaxed);
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

/// Does `work` on a session whose queries are interrupted once `stopped` holds.
pub fn interrupting<T>(session: Interrupter, stopped: Stopped<'_>, work: impl FnOnce() -> T) -> T {
    std::thread::scope(|scope| {
        let (alive, gone) = channel::<()>();
        let watch = move || {
            while gone.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if stopped() {
                    return session.interrupt();
                }
            }
        };
        // Without it the guard of the whole check has to do.
        let _ = std::thread::Builder::new().spawn_scoped(scope, watch);
        let result = work();
        drop(alive);
        result
    })
}
