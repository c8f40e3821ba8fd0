//! How fast a session stops.
//!
//! Other processes may hold the processor while a test measures, so one prompt stop of many shows what the
//! backend can do, and only a backend that is late every time fails.

use crate::Interrupter;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How often to try.
const TRIES: usize = 20;

/// Some measurement is below `limit`.
pub(super) fn assert_prompt(limit: Duration, mut measure: impl FnMut() -> Duration) {
    let mut late = Vec::new();
    while late.len() < TRIES {
        match measure() {
            delay if delay < limit => return,
            delay => late.push(delay),
        }
    }
    panic!("late every time: {late:?}, {limit:?} allowed");
}

/// Interrupts `run` after `head_start` from another thread; how long it goes on then.
pub(super) fn interrupt_delay(
    interrupter: Interrupter,
    head_start: Duration,
    run: impl FnOnce(),
) -> Duration {
    interrupter.clear();
    let (done, on_done) = mpsc::channel::<()>();
    let thread = std::thread::spawn(move || {
        // The sender is dropped only after the run, so this waits until it is well under way.
        let _ = on_done.recv_timeout(head_start);
        let now = Instant::now();
        interrupter.interrupt();
        now
    });
    run();
    let end = Instant::now();
    drop(done);
    let interrupted = thread
        .join()
        .expect("the interrupting thread does not panic");
    end.saturating_duration_since(interrupted)
}
