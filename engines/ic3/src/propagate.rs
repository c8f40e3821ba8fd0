//! Pushing lemmas to higher frames, from the earliest that changed, shortest first.

use crate::Stop;
use crate::frames::Lemma;
use crate::ic3::Ic3;
use crate::lit::Lit;
use crate::stats::Phase;
use crate::stuck::Stuck;

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
                if self.is_still_stuck(level, &lemma) {
                    continue;
                }
                if self.is_blocked(level + 1, lemma.cube.lits())? {
                    let core = self.inductive_core(level + 1, lemma.cube.lits());
                    if let Some(id) = lemma.obligation {
                        self.obligations.raise(id, level + 2);
                    }
                    self.add_lemma(level + 1, core, lemma.obligation);
                } else {
                    self.note_stuck(level, &lemma);
                }
            }
            if self.frames.at(level).is_empty() {
                return Ok(Some(level));
            }
        }
        self.frames.earliest = self.level();
        Ok(None)
    }

    /// Whether the step that kept a lemma from being pushed is still there.
    fn is_still_stuck(&mut self, level: usize, lemma: &Lemma) -> bool {
        let Some(stuck) = &lemma.stuck else {
            return false;
        };
        let still = self
            .frames
            .from(level)
            .filter(|l| l.birth > stuck.since)
            .all(|l| stuck.avoids(&self.places, &l.cube));
        if still {
            let mut stuck = stuck.clone();
            stuck.since = self.frames.births;
            self.frames.set_stuck(level, &lemma.cube, stuck);
        }
        still
    }

    /// Keeps the state before the step that the last query found.
    fn note_stuck(&mut self, level: usize, lemma: &Lemma) {
        let solver = &self.solvers[level];
        let latches = self.model.latches.iter().map(|l| l.var);
        let vars = latches.chain(self.model.signals.iter().map(|s| s.var));
        let state = vars.filter_map(|var| {
            let value = solver.value(Lit::of(var))?;
            Some(Lit::new(var, value))
        });
        let births = self.frames.births;
        let places = self.model.latches.len() + self.model.signals.len();
        let stuck = Stuck::new(&self.places, places, state, births);
        self.frames.set_stuck(level, &lemma.cube, stuck);
    }
}
