//! Stopping a running query, from another thread or by the clock.
//!
//! An interrupt is sticky: it stops the running query, or the next one when none is running, and
//! every later one until it is cleared. So a cancellation that races with the start of a query is
//! never lost.

use crate::{Limits, UnknownReason};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// A handle that stops the queries of one session; may be cloned and sent to other threads.
#[derive(Clone)]
pub struct Interrupter {
    shared: Arc<Shared>,
}

struct Shared {
    set: AtomicBool,
    /// Called after the flag is set, for solvers that do not poll.
    wake: Option<Box<dyn Fn() + Send + Sync>>,
}

impl Interrupter {
    /// A flag for solvers that poll it.
    pub fn new() -> Interrupter {
        Interrupter {
            shared: Arc::new(Shared {
                set: AtomicBool::new(false),
                wake: None,
            }),
        }
    }

    /// A flag and a call for solvers that have to be told. `wake` may be called from any thread, more
    /// than once and when no query is running.
    pub fn with_wake(wake: impl Fn() + Send + Sync + 'static) -> Interrupter {
        let wake: Option<Box<dyn Fn() + Send + Sync>> = Some(Box::new(wake));
        Interrupter {
            shared: Arc::new(Shared {
                set: AtomicBool::new(false),
                wake,
            }),
        }
    }

    /// Stops the running query within 100 ms, and every later one until [`clear`](Self::clear).
    /// A solver that needs longer than that to come to rest is waited for when its session is used or dropped next.
    pub fn interrupt(&self) {
        self.shared.set.store(true, Ordering::SeqCst);
        if let Some(wake) = &self.shared.wake {
            wake();
        }
    }

    /// Allows queries again.
    pub fn clear(&self) {
        self.shared.set.store(false, Ordering::SeqCst);
    }

    /// Whether queries are stopped.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.shared.set.load(Ordering::Relaxed)
    }
}

impl Default for Interrupter {
    fn default() -> Interrupter {
        Interrupter::new()
    }
}

impl fmt::Debug for Interrupter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interrupter")
            .field("set", &self.is_set())
            .finish()
    }
}

/// Where an interrupter passes interrupts on to: the session inside another one, which may change.
#[derive(Debug)]
pub struct Relay(Arc<Mutex<Interrupter>>);

impl Relay {
    /// A relay to `inner`, and the interrupter that it serves.
    pub fn to(inner: Interrupter) -> (Relay, Interrupter) {
        let relay = Relay(Arc::new(Mutex::new(inner)));
        let forward = Relay(relay.0.clone());
        (
            relay,
            Interrupter::with_wake(move || forward.inner().interrupt()),
        )
    }

    /// Passes on to another one from now on.
    pub fn turn_to(&self, inner: Interrupter) {
        *self.inner() = inner;
    }

    /// The one that is passed on to. A panic elsewhere cannot leave it half written.
    pub fn inner(&self) -> MutexGuard<'_, Interrupter> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The clock and the flag of one query, for backends that poll.
#[derive(Clone, Debug)]
pub struct StopClock {
    interrupter: Interrupter,
    deadline: Option<Instant>,
}

impl StopClock {
    /// Starts the wall time of `limits` now.
    pub fn start(interrupter: Interrupter, limits: &Limits) -> StopClock {
        // A wall limit beyond the range of `Instant` is no limit.
        let deadline = limits
            .wall
            .and_then(|wall| Instant::now().checked_add(wall));
        StopClock {
            interrupter,
            deadline,
        }
    }

    /// Why the query has to stop now, if it has to.
    #[inline]
    pub fn stop_reason(&self) -> Option<UnknownReason> {
        if self.interrupter.is_set() {
            return Some(UnknownReason::Interrupted);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Some(UnknownReason::Time),
            _ => None,
        }
    }

    /// Why a query ended that was told to stop.
    pub fn why_stopped(&self) -> UnknownReason {
        // The interrupt may have been cleared since.
        self.stop_reason().unwrap_or(UnknownReason::Interrupted)
    }

    /// What is left of `limits` for a part of the query.
    pub fn remaining(&self, limits: &Limits) -> Limits {
        let wall = self
            .deadline
            .map(|d| d.saturating_duration_since(Instant::now()));
        Limits { wall, ..*limits }
    }
}
