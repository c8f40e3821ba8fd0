//! Unit propagation with two watched literals and blockers.

use super::{BINARY, ClauseRef, FALSE, OPEN, Solver, TRUE, Watch};
use crate::lit::Lit;

impl Solver {
    /// Propagates all that is on the trail; the clause that became false, if one did.
    ///
    /// On level 0 everywhere, above it within the domain: there a clause with an open literal
    /// outside can never become false.
    pub(super) fn propagate(&mut self) -> Option<ClauseRef> {
        match self.limits.is_empty() {
            true => self.propagate_in::<true>(),
            false => self.propagate_in::<false>(),
        }
    }

    fn propagate_in<const EVERYWHERE: bool>(&mut self) -> Option<ClauseRef> {
        while self.head < self.trail.len() {
            let lit = self.trail[self.head];
            self.head += 1;
            self.stats.propagations += 1;
            let mut watches = std::mem::take(&mut self.watches[lit.index()]);
            let conflict = self.visit::<EVERYWHERE>(lit, &mut watches);
            self.watches[lit.index()] = watches;
            if conflict.is_some() {
                self.head = self.trail.len();
                return conflict;
            }
        }
        None
    }

    /// Visits the clauses that watch the negation of `lit`, which has become true.
    #[inline]
    fn visit<const EVERYWHERE: bool>(
        &mut self,
        lit: Lit,
        watches: &mut Vec<Watch>,
    ) -> Option<ClauseRef> {
        let (mut conflict, mut kept, mut next) = (None, 0, 0);
        'clauses: while next < watches.len() {
            let watch = watches[next];
            next += 1;
            let blocked = self.values[watch.blocker.index()];
            if blocked == TRUE
                || !EVERYWHERE && blocked == OPEN && !self.domain.contains(watch.blocker.var())
            {
                watches[kept] = watch;
                kept += 1;
                continue;
            }
            if watch.clause & BINARY != 0 {
                watches[kept] = watch;
                kept += 1;
                let clause = watch.clause & !BINARY;
                if blocked == FALSE {
                    conflict = Some(clause);
                    break;
                }
                if self.may_assign::<EVERYWHERE>(watch.blocker) {
                    self.assign(watch.blocker, clause);
                }
                continue;
            }
            let words = self.arena.words_mut(watch.clause);
            let falsified = (!lit).0;
            if words[0] == falsified {
                words.swap(0, 1);
            }
            let first = Lit(words[0]);
            let value = self.values[first.index()];
            if value != TRUE {
                for k in 2..words.len() {
                    let other = Lit(words[k]);
                    if self.values[other.index()] != FALSE {
                        words.swap(1, k);
                        self.watches[(!other).index()].push(Watch {
                            clause: watch.clause,
                            blocker: first,
                        });
                        continue 'clauses;
                    }
                }
            }
            watches[kept] = Watch {
                clause: watch.clause,
                blocker: first,
            };
            kept += 1;
            if value == FALSE {
                conflict = Some(watch.clause);
                break;
            }
            if value == OPEN && self.may_assign::<EVERYWHERE>(first) {
                self.assign(first, watch.clause);
            }
        }
        // What was not visited moves up.
        if kept != next {
            watches.copy_within(next.., kept);
        }
        let rest = watches.len() - next;
        watches.truncate(kept + rest);
        conflict
    }

    /// On level 0 all but the activation variable, which is for one query only: its clause stays
    /// false until the variable is assumed.
    #[inline]
    fn may_assign<const EVERYWHERE: bool>(&self, lit: Lit) -> bool {
        match EVERYWHERE {
            true => lit.var() != self.activation,
            false => self.domain.contains(lit.var()),
        }
    }
}
