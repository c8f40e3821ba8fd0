//! Learning: the first unique implication point, minimised, and the core of failed assumptions.

use super::{ClauseRef, NO_REASON, Solver};
use crate::lit::Lit;

impl Solver {
    /// The clause to learn from a conflict, its asserting literal first and one of the level to go
    /// back to second, and that level.
    pub(super) fn analyze(&mut self, conflict: ClauseRef) -> (Vec<Lit>, u32) {
        let mut learnt = vec![Lit::FALSE];
        let mut cleanup: Vec<Lit> = Vec::new();
        let (mut open, mut at) = (0u32, self.trail.len());
        let (mut clause, mut pivot) = (conflict, None);
        let top = self.level();
        loop {
            if self.arena.is_learnt(clause) {
                self.improve(clause);
            }
            for i in 0..self.arena.len(clause) {
                let lit = self.arena.lit(clause, i);
                if Some(lit) == pivot || self.seen[lit.at()] {
                    continue;
                }
                let level = self.assigned[lit.at()].level;
                if level == 0 {
                    continue;
                }
                self.seen[lit.at()] = true;
                cleanup.push(lit);
                self.bump(lit);
                if level == top {
                    open += 1;
                } else {
                    learnt.push(lit);
                }
            }
            loop {
                at -= 1;
                if self.seen[self.trail[at].at()] {
                    break;
                }
            }
            let lit = self.trail[at];
            open -= 1;
            if open == 0 {
                learnt[0] = !lit;
                break;
            }
            pivot = Some(lit);
            clause = self.assigned[lit.at()].reason;
        }
        self.minimise(&mut learnt, &mut cleanup);
        for lit in cleanup {
            self.seen[lit.at()] = false;
        }
        let mut back = 0;
        if learnt.len() > 1 {
            let level = |i: usize| self.assigned[learnt[i].at()].level;
            let second = (1..learnt.len()).max_by_key(|&i| level(i)).unwrap_or(1);
            back = level(second);
            learnt.swap(1, second);
        }
        (learnt, back)
    }

    /// Drops literals that the others imply.
    fn minimise(&mut self, learnt: &mut Vec<Lit>, cleanup: &mut Vec<Lit>) {
        let levels = learnt[1..]
            .iter()
            .fold(0u32, |set, l| set | 1 << (self.assigned[l.at()].level & 31));
        let mut kept = 1;
        for i in 1..learnt.len() {
            let lit = learnt[i];
            if self.assigned[lit.at()].reason == NO_REASON || !self.is_implied(lit, levels, cleanup)
            {
                learnt[kept] = lit;
                kept += 1;
            }
        }
        learnt.truncate(kept);
    }

    /// Whether literals that were seen imply the negation of `lit`, directly or through others.
    fn is_implied(&mut self, lit: Lit, levels: u32, cleanup: &mut Vec<Lit>) -> bool {
        let before = cleanup.len();
        let mut stack = vec![lit];
        while let Some(lit) = stack.pop() {
            let reason = self.assigned[lit.at()].reason;
            for i in 0..self.arena.len(reason) {
                let below = self.arena.lit(reason, i);
                let data = self.assigned[below.at()];
                if below.var() == lit.var() || self.seen[below.at()] || data.level == 0 {
                    continue;
                }
                if data.reason == NO_REASON || levels & 1 << (data.level & 31) == 0 {
                    for undo in cleanup.drain(before..) {
                        self.seen[undo.at()] = false;
                    }
                    return false;
                }
                self.seen[below.at()] = true;
                cleanup.push(below);
                stack.push(below);
            }
        }
        true
    }

    /// Finds the assumptions that make `failed`, itself one, false.
    pub(super) fn analyze_final(&mut self, failed: Lit) {
        self.core.clear();
        self.core.push(failed);
        if self.assigned[failed.at()].level == 0 {
            self.core.retain(|l| l.var() != self.activation);
            return;
        }
        self.seen[failed.at()] = true;
        let from = self.limits[0];
        for at in (from..self.trail.len()).rev() {
            let lit = self.trail[at];
            if !self.seen[lit.at()] {
                continue;
            }
            self.seen[lit.at()] = false;
            let reason = self.assigned[lit.at()].reason;
            if reason == NO_REASON {
                // Below the assumptions there are no other decisions.
                if lit != failed {
                    self.core.push(lit);
                }
                continue;
            }
            for i in 0..self.arena.len(reason) {
                let below = self.arena.lit(reason, i);
                if below.var() != lit.var() && self.assigned[below.at()].level > 0 {
                    self.seen[below.at()] = true;
                }
            }
        }
        self.core.retain(|l| l.var() != self.activation);
    }

    #[inline]
    fn bump(&mut self, lit: Lit) {
        let activity = &mut self.activity[lit.at()];
        *activity += self.bump;
        if *activity > 1e100 {
            for a in &mut self.activity {
                *a *= 1e-100;
            }
            self.bump *= 1e-100;
        }
    }

    fn improve(&mut self, clause: ClauseRef) {
        let quality = self.quality_of(self.arena.lits(clause));
        self.arena.improve(clause, quality);
    }

    /// The number of decision levels among the literals (Audemard and Simon, IJCAI'09), for up to
    /// 64 levels; more are as good as none.
    pub(super) fn quality_of(&self, lits: impl Iterator<Item = Lit>) -> u32 {
        let mut levels = 0u64;
        for lit in lits {
            levels |= 1 << (self.assigned[lit.at()].level & 63);
        }
        levels.count_ones()
    }
}
