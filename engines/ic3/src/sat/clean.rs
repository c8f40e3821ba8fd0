//! What goes again: temporary clauses, satisfied ones, learnt ones that are of little use.

use super::{BINARY, ClauseRef, Solver};

/// Learnt clauses kept without a look at their quality, at first.
pub(super) const LEARNTS: usize = 2000;
/// Queries between removals of satisfied clauses.
const PERIOD: u32 = 500;

impl Solver {
    /// Removes the temporary clause and all that was learnt with it.
    pub(super) fn drop_temporary(&mut self) {
        while let Some(c) = self.temporary.pop() {
            for i in 0..2 {
                let lit = self.arena.lit(c, i);
                let list = &mut self.watches[(!lit).index()];
                // It was added late, so it is near the end.
                if let Some(at) = list.iter().rposition(|w| w.clause & !BINARY == c) {
                    list.remove(at);
                }
            }
            self.arena.kill(c);
        }
    }

    /// Cleans up between queries, where it pays.
    pub(super) fn clean(&mut self) {
        self.queries_since_clean += 1;
        let forced = self.trail.len() > self.cleaned_at && self.queries_since_clean >= PERIOD;
        let first = self.cleaned_at == 0 && self.trail.len() > 1;
        if forced || first {
            self.remove_satisfied();
        }
        if self.learnts.len() > self.learnts_limit {
            self.reduce();
        }
        if self.arena.is_wasteful() {
            self.compact();
        }
    }

    fn remove_satisfied(&mut self) {
        self.cleaned_at = self.trail.len();
        self.queries_since_clean = 0;
        for c in self.arena.refs() {
            if self.arena.lits(c).any(|l| self.value(l) == Some(true)) {
                self.arena.kill(c);
            }
        }
        self.sweep();
    }

    /// Drops the worse half of the learnt clauses.
    fn reduce(&mut self) {
        let mut learnts = std::mem::take(&mut self.learnts);
        // Later ones are worth more among equals.
        learnts.sort_by_key(|&c| (self.arena.quality(c), std::cmp::Reverse(c)));
        let half = learnts.len() / 2;
        for c in learnts.drain(half..) {
            if self.arena.quality(c) > 2 {
                self.arena.kill(c);
            } else {
                self.learnts.push(c);
            }
        }
        self.learnts.extend(learnts);
        self.sweep();
        // The good ones stay however many they are: without room for others every query would sort them.
        self.learnts_limit = LEARNTS.max(self.learnts.len() + LEARNTS / 2);
    }

    /// Removes the watches of dead clauses. On level 0 no reason is ever looked at.
    fn sweep(&mut self) {
        debug_assert!(self.limits.is_empty());
        let arena = &self.arena;
        for list in &mut self.watches {
            list.retain(|w| !arena.is_dead(w.clause & !BINARY));
        }
        self.learnts.retain(|&c| !arena.is_dead(c));
    }

    fn compact(&mut self) {
        let mut moves: Vec<(ClauseRef, ClauseRef)> = Vec::new();
        self.arena.compact(|from, to| moves.push((from, to)));
        let moved = |c: ClauseRef| {
            let at = moves.binary_search_by_key(&c, |m| m.0);
            moves[at.expect("watched clauses are alive")].1
        };
        for list in &mut self.watches {
            for w in list {
                w.clause = moved(w.clause & !BINARY) | (w.clause & BINARY);
            }
        }
        for c in &mut self.learnts {
            *c = moved(*c);
        }
    }
}
