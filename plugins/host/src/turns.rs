//! When the members of a race begin: those that are not wanted at once wait until the race has spent so much CPU time, or until nobody
//! is left who runs. So whoever was thought to be of no use still gets his turn.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How many times as long as its CPU time a member waits by the clock at most: processes that nobody accounts for may do the work.
const LATE: u32 = 4;

/// The turns of one race.
pub(crate) struct Turns {
    state: Mutex<State>,
    is_accounted: bool,
}

struct State {
    running: usize,
    waiting: BTreeSet<(Duration, usize)>,
}

impl Turns {
    /// A race of members that begin after so much CPU time; `is_accounted` says whether that is known while they run.
    pub(crate) fn new(after: &[Duration], is_accounted: bool) -> Turns {
        let members = after.iter().copied().zip(0..);
        let waiting: BTreeSet<_> = members.filter(|(after, _)| !after.is_zero()).collect();
        let state = State {
            running: after.len() - waiting.len(),
            waiting,
        };
        Turns {
            state: Mutex::new(state),
            is_accounted,
        }
    }

    /// Whether it is the turn of a member, after the race has spent so much CPU time and lasted so long. From then on it runs.
    pub(crate) fn begins(
        &self,
        turn: (Duration, usize),
        spent: Duration,
        lasted: Duration,
    ) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !state.waiting.contains(&turn) {
            return true;
        }
        let late = turn.0 * if self.is_accounted { LATE } else { 1 };
        let is_next = state.running == 0 && state.waiting.first() == Some(&turn);
        let begins = is_next || spent >= turn.0 || lasted >= late;
        if begins {
            state.waiting.remove(&turn);
            state.running += 1;
        }
        begins
    }

    /// A member that has begun is over.
    pub(crate) fn ends(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.running -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::ZERO;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn members_wait_for_work_and_not_for_the_clock() {
        let after = [NOW, ms(500), ms(2000)];
        let turns = Turns::new(&after, true);
        assert!(turns.begins((NOW, 0), NOW, NOW));
        assert!(!turns.begins((ms(500), 1), ms(499), ms(1999)));
        assert!(turns.begins((ms(500), 1), ms(500), ms(600)));
        assert!(!turns.begins((ms(2000), 2), ms(1000), ms(7999)));
        // What others do is perhaps not accounted for.
        assert!(turns.begins((ms(2000), 2), ms(1000), ms(8000)));
        let elsewhere = Turns::new(&after, false);
        assert!(elsewhere.begins((ms(500), 1), NOW, ms(500)));
    }

    #[test]
    fn one_begins_when_nobody_is_left() {
        let turns = Turns::new(&[ms(900), NOW, ms(300), ms(300)], true);
        let (last, first, second) = ((ms(900), 0), (ms(300), 2), (ms(300), 3));
        assert!(!turns.begins(first, ms(10), ms(20)));
        turns.ends();
        assert!(!turns.begins(last, ms(10), ms(20)));
        assert!(!turns.begins(second, ms(10), ms(20)));
        assert!(turns.begins(first, ms(10), ms(20)));
        assert!(!turns.begins(second, ms(10), ms(20)));
        turns.ends();
        assert!(turns.begins(second, ms(10), ms(20)));
        turns.ends();
        assert!(turns.begins(last, ms(10), ms(20)));
    }
}
