//! Predicting a lemma from one that almost holds (Su et al., "Predicting lemmas in generalization of IC3",
//! DAC'24).
//!
//! A lemma one level lower that blocks the cube, its *parent*, was not pushed because of a step into its own
//! cube. One literal of the cube that the state after that step contradicts may be all that is missing: then
//! parent and literal are a lemma, found by one or two queries in place of one per literal. The paper keeps
//! the step from the last propagation; here it is asked for, since frames have grown since, and the
//! answer may even be that the parent holds now.

use crate::Stop;
use crate::cube::Cube;
use crate::ic3::Ic3;
use crate::lit::Lit;
use std::rc::Rc;

/// How many parents are asked.
const PARENTS: usize = 2;
/// How many literals are tried with each.
const TRIES: usize = 3;

impl Ic3<'_> {
    /// A lemma that blocks the cube at `level` and was guessed, if one is.
    pub(crate) fn predict(&mut self, level: usize, cube: &[Lit]) -> Result<Option<Vec<Lit>>, Stop> {
        if level < 2 {
            return Ok(None);
        }
        let whole = Cube::new(cube.to_vec());
        for parent in self.frames.parents(level - 1, &whole, PARENTS) {
            if let Some(lemma) = self.predict_from(level, &parent, cube)? {
                return Ok(Some(lemma));
            }
        }
        Ok(None)
    }

    fn predict_from(
        &mut self,
        level: usize,
        parent: &Rc<Cube>,
        cube: &[Lit],
    ) -> Result<Option<Vec<Lit>>, Stop> {
        let mut candidates: Vec<Lit> = cube.to_vec();
        candidates.retain(|l| parent.lits().binary_search(l).is_err());
        self.activity.ascending(&mut candidates);
        let mut guess = parent.lits().to_vec();
        for tried in 0..=TRIES {
            if self.is_blocked_watching(level, &guess, &candidates)? {
                self.predicted += 1;
                return Ok(Some(self.inductive_core(level, &guess)));
            }
            // Only what the state after the step contradicts can exclude it.
            let solver = &self.solvers[level - 1];
            candidates.retain(|&l| solver.value(self.primed(l)) == Some(false));
            guess.truncate(parent.len());
            match candidates.pop() {
                Some(lit) if tried < TRIES => guess.push(lit),
                _ => break,
            }
        }
        Ok(None)
    }
}
