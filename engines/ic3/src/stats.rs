//! Where the time goes.

use crate::sat::Stats;
use std::time::{Duration, Instant};

/// What the algorithm is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Looking for bad states.
    Bad,
    /// Asking whether an obligation is blocked.
    Block,
    /// Lifting predecessors.
    Lift,
    /// Generalising.
    Generalise,
    /// Pushing a new lemma.
    Push,
    /// Propagating all lemmas.
    Propagate,
}

const PHASES: [Phase; 6] = [
    Phase::Bad,
    Phase::Block,
    Phase::Lift,
    Phase::Generalise,
    Phase::Push,
    Phase::Propagate,
];

/// A clock that runs for one phase at a time.
pub struct Timer {
    phase: Phase,
    since: Instant,
    sums: [Duration; PHASES.len()],
    counts: [u64; PHASES.len()],
}

impl Default for Timer {
    fn default() -> Timer {
        Timer {
            phase: Phase::Bad,
            since: Instant::now(),
            sums: Default::default(),
            counts: Default::default(),
        }
    }
}

impl Timer {
    /// Goes to another phase; returns the one before.
    pub fn enter(&mut self, phase: Phase) -> Phase {
        let now = Instant::now();
        self.sums[self.phase as usize] += now - self.since;
        self.since = now;
        self.counts[phase as usize] += 1;
        std::mem::replace(&mut self.phase, phase)
    }

    /// Seconds by phase.
    pub fn report(&mut self) -> String {
        self.enter(self.phase);
        let parts = PHASES.iter().map(|&p| {
            let (time, count) = (self.sums[p as usize], self.counts[p as usize]);
            format!("{p:?} {:.2} s ({count})", time.as_secs_f64()).to_lowercase()
        });
        parts.collect::<Vec<_>>().join(", ")
    }
}

impl Stats {
    /// Adds the figures of another solver.
    pub fn add(&mut self, other: &Stats) {
        self.queries += other.queries;
        self.conflicts += other.conflicts;
        self.decisions += other.decisions;
        self.propagations += other.propagations;
        self.domain += other.domain;
    }
}
