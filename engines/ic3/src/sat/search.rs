//! A query: assumptions, decisions, conflicts.

use super::{NO_REASON, OPEN, Solver};
use crate::lit::{Lit, Var};

/// Conflicts before the first restart; later ones after multiples by Luby's sequence.
const RESTART: u64 = 64;

impl Solver {
    /// Begins a query: are the clauses, `clause` for this query, and the assumptions satisfiable?
    /// [`Self::search`] answers it, with values for `watched` as well.
    pub fn begin(&mut self, assumptions: &[Lit], clause: Option<&[Lit]>, watched: &[Lit]) {
        self.stats.queries += 1;
        self.reset();
        self.clean();
        let extra = clause.unwrap_or_default().iter();
        let roots = assumptions.iter().chain(extra).chain(watched);
        let roots = roots.map(|l| l.var());
        self.domain.begin(roots);
        self.stats.domain += self.domain.len() as u64;
        self.assumptions.clear();
        if let Some(clause) = clause {
            self.add_temporary(clause);
        }
        self.assumptions.extend_from_slice(assumptions);
        self.order.clear();
        self.looked = 0;
        for v in self.domain.iter() {
            let activity = self.activity[v as usize];
            if activity > 0.0 && self.values[Lit::of(v).index()] == OPEN {
                self.order.insert(v, activity, self.bump);
            }
        }
    }

    /// Assumes more, after [`Self::begin`] and within the domain of the query.
    pub fn assume(&mut self, lits: impl IntoIterator<Item = Lit>) {
        self.assumptions.extend(lits);
    }

    /// The variables that the query depends on.
    pub fn domain(&self) -> impl Iterator<Item = Var> + '_ {
        self.domain.iter()
    }

    fn add_temporary(&mut self, clause: &[Lit]) {
        let mut lits = vec![Lit::new(self.activation, false)];
        for &lit in clause {
            match self.value(lit) {
                Some(true) => return,
                Some(false) => {}
                None if lits.contains(&!lit) => return,
                None => lits.push(lit),
            }
        }
        self.assumptions.push(Lit::of(self.activation));
        if lits.len() == 1 {
            // Nothing satisfies the clause: a clause that the activation contradicts.
            self.assumptions.push(Lit::new(self.activation, false));
            return;
        }
        let c = self.arena.add(&lits, true, 0);
        self.attach(c);
        self.temporary.push(c);
    }

    /// Goes on with the query for at most about so many conflicts; `None` when they were not enough.
    pub fn search(&mut self, conflicts: u64) -> Option<bool> {
        let (mut used, mut round, mut until) = (0, 1, RESTART);
        loop {
            if self.broken {
                self.core.clear();
                return Some(false);
            }
            if let Some(conflict) = self.propagate() {
                used += 1;
                self.stats.conflicts += 1;
                if self.level() == 0 {
                    self.broken = true;
                    continue;
                }
                if !self.learn(conflict) {
                    self.core.clear();
                    return Some(false);
                }
                continue;
            }
            if used >= until {
                if used >= conflicts {
                    return None;
                }
                round += 1;
                until = used + RESTART * luby(round);
                self.backtrack(self.assumptions.len() as u32);
            }
            match self.next_decision() {
                Next::Decide(lit) => self.decide(lit),
                Next::Failed(lit) => {
                    self.analyze_final(lit);
                    return Some(false);
                }
                Next::Done => return Some(true),
            }
        }
    }

    /// Learns from a conflict; false when it is due to the temporary clause alone.
    fn learn(&mut self, conflict: super::ClauseRef) -> bool {
        let (learnt, back) = self.analyze(conflict);
        self.bump *= 1.0 / 0.95;
        if let [unit] = learnt[..] {
            self.backtrack(0);
            if unit.var() == self.activation {
                return false;
            }
            self.assign(unit, NO_REASON);
            return true;
        }
        let quality = self.quality_of(learnt.iter().copied());
        self.backtrack(back);
        let c = self.arena.add(&learnt, true, quality);
        self.attach(c);
        let temporary = Lit::new(self.activation, false);
        match learnt.contains(&temporary) {
            true => self.temporary.push(c),
            false => self.learnts.push(c),
        }
        self.assign(learnt[0], c);
        true
    }

    fn next_decision(&mut self) -> Next {
        while (self.level() as usize) < self.assumptions.len() {
            let lit = self.assumptions[self.level() as usize];
            match self.value(lit) {
                Some(true) => self.limits.push(self.trail.len()),
                Some(false) => return Next::Failed(lit),
                None => return Next::Decide(lit),
            }
        }
        while let Some(var) = self.order.pop() {
            let lit = Lit::of(var);
            if self.values[lit.index()] == OPEN && self.domain.contains(var) {
                return self.decision(var);
            }
        }
        while let Some(var) = self.domain.get(self.looked) {
            self.looked += 1;
            if self.values[Lit::of(var).index()] == OPEN {
                return self.decision(var);
            }
        }
        Next::Done
    }

    fn decision(&mut self, var: Var) -> Next {
        self.stats.decisions += 1;
        Next::Decide(Lit::new(var, self.phase[var as usize]))
    }
}

enum Next {
    Decide(Lit),
    Failed(Lit),
    Done,
}

/// 1 1 2 1 1 2 4 ...
fn luby(mut i: u64) -> u64 {
    loop {
        let bits = 64 - i.leading_zeros();
        if i == (1 << bits) - 1 {
            return 1 << (bits - 1);
        }
        i -= (1 << (bits - 1)) - 1;
    }
}
