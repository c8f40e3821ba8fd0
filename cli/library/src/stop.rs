//! When a check has to stop: its wall time is over, or somebody says so.
//!
//! Whatever may take long and can be interrupted looks at one [`Stop`]: workers through the host, solver sessions of the
//! checker through [`Stop::interrupting`]. Front ends and passes know of no interruption; after them it is looked at.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use trellis_plugin_host::run::Stopped;
use trellis_plugin_sdk::solver::Interrupter;

/// How often the flag and the clock are looked at.
const TICK: Duration = Duration::from_millis(20);

/// Whether and why to stop.
#[derive(Clone, Default)]
pub struct Stop {
    flag: Arc<AtomicBool>,
    deadline: Option<Instant>,
}

impl Stop {
    /// Stops `wall` after now, and when `flag` is set.
    pub fn new(wall: Option<Duration>, flag: Arc<AtomicBool>) -> Stop {
        Stop {
            flag,
            deadline: wall.and_then(|wall| Instant::now().checked_add(wall)),
        }
    }

    /// The same, but no later than `wall` after now.
    pub fn within(&self, wall: Duration) -> Stop {
        let early = Instant::now().checked_add(wall);
        Stop {
            flag: self.flag.clone(),
            deadline: [early, self.deadline].into_iter().flatten().min(),
        }
    }

    /// When the time is over, if it is limited.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Set by whoever wants an end.
    pub fn flag(&self) -> &AtomicBool {
        &self.flag
    }

    /// The same, to keep.
    pub fn shared_flag(&self) -> Arc<AtomicBool> {
        self.flag.clone()
    }

    /// Why to stop, if so.
    pub fn why(&self) -> Option<&'static str> {
        if self.flag.load(Ordering::Relaxed) {
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

    /// Does `work` on a session whose queries are interrupted when it is time to stop.
    pub fn interrupting<T>(&self, session: Interrupter, work: impl FnOnce() -> T) -> T {
        interrupting(session, &|| self.why().is_some(), work)
    }
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
        // Without it queries go on until they are over, or the process is ended by whoever embeds this.
        let _ = std::thread::Builder::new().spawn_scoped(scope, watch);
        let result = work();
        drop(alive);
        result
    })
}
