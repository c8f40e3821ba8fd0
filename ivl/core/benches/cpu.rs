//! CPU time of the benchmark's own thread, which a busy machine does not change much.

use std::time::{Duration, Instant};

/// What the kernel has given this thread so far; wall time where it does not say.
fn spent(since: Instant) -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    match stat.split(' ').next().and_then(|n| n.parse().ok()) {
        Some(nanoseconds) => Duration::from_nanos(nanoseconds),
        None => since.elapsed(),
    }
}

/// Runs `work`: its CPU time and its result.
pub fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let before = spent(start);
    let result = work();
    (spent(start) - before, result)
}
