//! The assertions a session wants, and how much of them its solver has.
//!
//! A backend that changes its solver only in `check` hides what a solver refuses (a push onto an
//! unsatisfiable context), saves levels nobody asks about, and can start a solver again with nothing.

use trellis_ivl::Term;
use trellis_solver_api::Result;
use trellis_solver_api::smt::require_levels;

struct Level {
    /// Never used twice.
    id: u64,
    asserted: Vec<Term>,
}

#[derive(Default)]
struct Had {
    id: u64,
    asserted: usize,
    refuted: bool,
}

/// Wanted and present levels.
pub struct AssertionStack {
    wanted: Vec<Level>,
    had: Vec<Had>,
    next_id: u64,
}

impl Default for AssertionStack {
    fn default() -> AssertionStack {
        AssertionStack {
            wanted: vec![Level {
                id: 0,
                asserted: Vec::new(),
            }],
            had: vec![Had::default()],
            next_id: 1,
        }
    }
}

impl AssertionStack {
    /// Wants `t` on the current level.
    pub fn assert(&mut self, t: Term) {
        let level = self.wanted.last_mut().expect("level 0 is never closed");
        level.asserted.push(t);
    }

    /// Wants one more level.
    pub fn push(&mut self) {
        self.wanted.push(Level {
            id: self.next_id,
            asserted: Vec::new(),
        });
        self.next_id += 1;
    }

    /// Wants `levels` levels less; an error when there are not as many.
    pub fn pop(&mut self, levels: usize) -> Result<()> {
        require_levels(self.level(), levels)?;
        self.wanted.truncate(self.wanted.len() - levels);
        Ok(())
    }

    /// Number of wanted levels above the first.
    pub fn level(&self) -> usize {
        self.wanted.len() - 1
    }

    /// All that is wanted, the oldest first.
    pub fn terms(&self) -> impl Iterator<Item = Term> {
        self.wanted.iter().flat_map(|l| l.asserted.iter().copied())
    }

    /// What the solver does not have yet. Counts terms of superfluous levels as not had.
    pub fn pending(&self) -> impl Iterator<Item = Term> {
        let had = |i: usize| match (self.had.get(i), self.wanted.get(i)) {
            (Some(had), Some(want)) if had.id == want.id => had.asserted,
            _ => 0,
        };
        let levels = self.wanted.iter().enumerate();
        levels.flat_map(move |(i, level)| level.asserted[had(i)..].iter().copied())
    }

    /// How many levels the solver has to close.
    pub fn superfluous(&self) -> usize {
        let same = |(had, want): &(&Had, &Level)| had.id == want.id;
        let common = self.had.iter().zip(&self.wanted).take_while(same).count();
        self.had.len() - common
    }

    /// The solver has closed `levels`.
    pub fn popped(&mut self, levels: usize) {
        self.had.truncate(self.had.len() - levels);
    }

    /// The next term for the solver's current level. Requires that no level is superfluous.
    pub fn next_assertion(&self) -> Option<Term> {
        let had = self.had.last()?;
        let want = &self.wanted[self.had.len() - 1];
        want.asserted.get(had.asserted).copied()
    }

    /// The solver has asserted the term that `next_assertion` named.
    pub fn asserted(&mut self) {
        self.had
            .last_mut()
            .expect("level 0 is never closed")
            .asserted += 1;
    }

    /// Number of levels that the solver has above the first.
    pub fn had_level(&self) -> usize {
        self.had.len() - 1
    }

    /// Whether the solver has to open a level.
    pub fn missing_level(&self) -> bool {
        self.had.len() < self.wanted.len()
    }

    /// The solver has opened a level.
    pub fn pushed(&mut self) {
        let id = self.wanted[self.had.len()].id;
        self.had.push(Had {
            id,
            ..Had::default()
        });
    }

    /// What the solver has is unsatisfiable without assumptions, and stays so until its last level is closed.
    pub fn refute(&mut self) {
        self.had
            .last_mut()
            .expect("level 0 is never closed")
            .refuted = true;
    }

    /// Whether what is wanted is known to be unsatisfiable. Requires that no level is superfluous.
    pub fn refuted(&self) -> bool {
        self.had.iter().any(|had| had.refuted)
    }

    /// The solver has been replaced by one that has nothing.
    pub fn restarted(&mut self) {
        self.had = vec![Had::default()];
    }
}
