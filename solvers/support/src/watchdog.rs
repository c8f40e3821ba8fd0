//! A thread that stops the query of a solver which does not poll.
//!
//! Solvers offer one call from another thread to stop a search, but a call that comes just before the
//! search starts is lost. So the watchdog repeats it until the query has returned. The thread looks
//! every 10 ms while queries are coming and sleeps when none has come for a while, so that a query costs
//! two uncontended locks.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use trellis_solver_api::StopClock;

const TICK: Duration = Duration::from_millis(10);
/// Ticks without a query after which the thread waits to be woken.
const IDLE_TICKS: u32 = 20;

struct State {
    clock: Option<StopClock>,
    sleeping: bool,
    closed: bool,
}

struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    stop: Box<dyn Fn() + Send + Sync>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is valid between any two statements, also after a panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stops the queries of one session.
pub struct Watchdog {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    /// A watchdog that calls `stop` while a query is watched and has to stop. `stop` is never called
    /// outside of [`watch`](Self::watch).
    pub fn new(stop: impl Fn() + Send + Sync + 'static) -> Watchdog {
        Watchdog {
            shared: Arc::new(Shared {
                state: Mutex::new(State {
                    clock: None,
                    sleeping: false,
                    closed: false,
                }),
                wake: Condvar::new(),
                stop: Box::new(stop),
            }),
            thread: None,
        }
    }

    /// Runs `query`, which the watchdog stops as `clock` says.
    pub fn watch<R>(&mut self, clock: &StopClock, query: impl FnOnce() -> R) -> R {
        {
            let mut state = self.shared.lock();
            state.clock = Some(clock.clone());
            if state.sleeping {
                self.shared.wake.notify_one();
            }
        }
        if self.thread.is_none() {
            let shared = self.shared.clone();
            let thread = std::thread::Builder::new().name("solver-watchdog".into());
            self.thread = thread.spawn(move || patrol(&shared)).ok();
        }
        let result = query();
        self.shared.lock().clock = None;
        result
    }
}

fn patrol(shared: &Shared) {
    let mut idle = 0;
    let mut state = shared.lock();
    while !state.closed {
        match &state.clock {
            Some(clock) => {
                idle = 0;
                // Called under the lock: after `watch` has taken the clock away, no call can follow.
                if clock.stop_reason().is_some() {
                    (shared.stop)();
                }
            }
            None => idle += 1,
        }
        if idle > IDLE_TICKS {
            state.sleeping = true;
            state = (shared.wake.wait(state)).unwrap_or_else(PoisonError::into_inner);
            state.sleeping = false;
            idle = 0;
        } else {
            state = (shared.wake.wait_timeout(state, TICK))
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.wake.notify_one();
        if let Some(thread) = self.thread.take() {
            // A panic of `stop` has been printed already and has stopped nothing else.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};
    use trellis_solver_api::{Interrupter, Limits};

    /// The first stop is lost, as with a solver that has not started yet.
    #[test]
    fn stops_again_until_the_query_returns() {
        let calls = Arc::new(Mutex::new(0));
        let stopped = Arc::new(AtomicBool::new(false));
        let (c, s) = (calls.clone(), stopped.clone());
        let mut watchdog = Watchdog::new(move || {
            let mut calls = c.lock().expect("no panic in this test");
            *calls += 1;
            s.store(*calls >= 3, Ordering::SeqCst);
        });
        for _ in 0..2 {
            stopped.store(false, Ordering::SeqCst);
            *calls.lock().expect("no panic in this test") = 0;
            let interrupter = Interrupter::new();
            let clock = StopClock::start(interrupter.clone(), &Limits::NONE);
            watchdog.watch(&clock, || {
                interrupter.interrupt();
                while !stopped.load(Ordering::SeqCst) {
                    std::thread::yield_now();
                }
            });
        }
        let after = *calls.lock().expect("no panic in this test");
        watchdog.watch(&StopClock::start(Interrupter::new(), &Limits::NONE), || {});
        drop(watchdog);
        assert_eq!(*calls.lock().expect("no panic in this test"), after);
    }
}
