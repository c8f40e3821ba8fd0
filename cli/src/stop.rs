//! When a check has to stop: its wall time is over, or the user says so (Ctrl-C, SIGTERM).
//!
//! Whatever may take long looks at one [`Stop`]: workers through the host, solver sessions of the
//! checker through [`Stop::interrupting`], and what knows of no interruption at all (front ends and passes)
//! through [`Stop::guard`], which ends the process in order.

use crate::error::CliError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};
use trellis_plugin_host::run::Stopped;
use trellis_plugin_sdk::solver::Interrupter;

/// How often the flag and the clock are looked at.
const TICK: Duration = Duration::from_millis(20);

/// Whether and why to stop.
#[derive(Clone)]
pub struct Stop {
    signal: Arc<AtomicBool>,
    deadline: Option<Instant>,
}

impl Stop {
    /// Stops `wall` after now, and at the first signal. A second signal ends the process at once.
    pub fn new(wall: Option<Duration>) -> Result<Stop, CliError> {
        let signal = Arc::new(AtomicBool::new(false));
        for number in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            let exit = i32::from(crate::error::EXIT_UNKNOWN);
            // In this order: the first signal finds the flag unset.
            signal_hook::flag::register_conditional_shutdown(number, exit, signal.clone())
                .and_then(|_| signal_hook::flag::register(number, signal.clone()))
                .map_err(|e| CliError::Internal(e.to_string()))?;
        }
        Ok(Stop {
            signal,
            deadline: wall.and_then(|wall| Instant::now().checked_add(wall)),
        })
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
    pub fn guard(&self, end: impl FnOnce(&str) + Send + 'static) -> Guard {
        let stop = self.clone();
        let (alive, gone) = channel::<()>();
        std::thread::spawn(move || {
            while gone.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if let Some(why) = stop.why() {
                    return end(why);
                }
            }
        });
        Guard { _alive: alive }
    }

    /// Does `work` on a session whose queries are interrupted when it is time to stop.
    pub fn interrupting<T>(&self, session: Interrupter, work: impl FnOnce() -> T) -> T {
        interrupting(session, &|| self.why().is_some(), work)
    }
}

/// See [`Stop::guard`].
pub struct Guard {
    _alive: Sender<()>,
}

/// Does `work` on a session whose queries are interrupted once `stopped` holds.
pub fn interrupting<T>(session: Interrupter, stopped: Stopped<'_>, work: impl FnOnce() -> T) -> T {
    std::thread::scope(|scope| {
        let (alive, gone) = channel::<()>();
        scope.spawn(move || {
            while gone.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if stopped() {
                    return session.interrupt();
                }
            }
        });
        let result = work();
        drop(alive);
        result
    })
}
