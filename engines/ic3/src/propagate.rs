//! Pushing lemmas to higher frames, from the earliest that changed, shortest first.

use crate::Stop;
use crate::ic3::Ic3;
use crate::stats::Phase;

impl Ic3<'_> {
    /// Pushes all lemmas one level up where they hold; a level that became empty ends the run.
    pub(crate) fn propagate(&mut self) -> Result<Option<usize>, Stop> {
        self.timer.enter(Phase::Propagate);
        for level in 1..self.level() {
            let unchanged = level < self.frames.earliest;
            self.frames.sort(level);
            for lemma in self.frames.at(level).to_vec() {
                if unchanged || !self.frames.contains(level, &lemma.cube) {
                    continue; // Nothing new below, or subsumed meanwhile.
                }
                if self.is_blocked(level + 1, lemma.cube.lits())? {
                    let core = self.inductive_core(level + 1, lemma.cube.lits());
                    if let Some(id) = lemma.obligation {
                        self.obligations.raise(id, level + 2);
                    }
                    self.add_lemma(level + 1, core, lemma.obligation);
                }
            }
            if self.frames.at(level).is_empty() {
                return Ok(Some(level));
            }
        }
        self.frames.earliest = self.level();
        Ok(None)
    }
}
