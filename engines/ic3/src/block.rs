//! Blocking obligations, lowest level first.

use crate::Stop;
use crate::cube::Cube;
use crate::frames::INFINITE;
use crate::ic3::{Ic3, Kind, Outcome};
use crate::obligation::Obligation;
use crate::stats::Phase;
use std::rc::Rc;

impl Ic3<'_> {
    /// Blocks all obligations at the present level; an outcome when the run is over.
    pub(crate) fn block(&mut self) -> Result<Option<Outcome>, Stop> {
        while let Some(id) = self.obligations.pop(self.level()) {
            let (level, cube, wide) = {
                let o = self.obligations.get(id);
                (o.level, o.cube.clone(), o.wide.clone())
            };
            if self.meets_initial(cube.lits()) {
                return Ok(Some(self.counterexample(id)));
            }
            debug_assert!(level > 0, "only initial states are in frame 0");
            match self
                .frames
                .blocking_level(level, wide.as_ref().unwrap_or(&cube))
            {
                Some(INFINITE) => continue,
                Some(blocked) => {
                    self.obligations.push_to(id, blocked + 1);
                    continue;
                }
                None => {}
            }
            self.obligations.bump(id);
            self.timer.enter(Phase::Block);
            if self.is_blocked(level, cube.lits())? {
                if let Some(level) = self.generalise(id, level, &cube, wide.as_deref())? {
                    return Ok(Some(self.safe(level)));
                }
                continue;
            }
            let target: Vec<_> = cube.lits().iter().map(|&l| self.primed(l)).collect();
            let (predecessor, inputs) = self.lift(level - 1, &target);
            let depth = self.obligations.get(id).depth + 1;
            let wide = self.wide(&predecessor);
            self.obligations.push_to(id, level);
            self.obligations.add(Obligation {
                cube: Rc::new(Cube::new(predecessor)),
                wide,
                level: level - 1,
                depth,
                inputs,
                next: Some(id),
                activity: 0.0,
            });
        }
        Ok(None)
    }

    /// Makes a lemma of an obligation that was just found blocked; the level that became empty, if
    /// one did.
    fn generalise(
        &mut self,
        id: usize,
        level: usize,
        cube: &Cube,
        wide: Option<&Cube>,
    ) -> Result<Option<usize>, Stop> {
        let mut core = self.inductive_core(level, cube.lits());
        if let Some(wide) = wide.filter(|w| w.len() > cube.len()) {
            let mut lits = wide.lits().to_vec();
            lits.sort_by_key(|l| self.kind[l.at()] == Kind::Latch);
            if self.is_blocked_in_order(level, &lits)? {
                core = self.inductive_core(level, &lits);
            }
        }
        let effort = self.effort(id);
        self.timer.enter(Phase::Generalise);
        let lemma = self.lemma(level, core, effort)?;
        self.timer.enter(Phase::Push);
        let (level, lemma) = self.push_lemma(level, lemma)?;
        self.obligations.push_to(id, level + 1);
        Ok(self.add_lemma(level, lemma, Some(id)))
    }

    /// The run from an obligation that contains an initial state.
    fn counterexample(&self, id: usize) -> Outcome {
        let first = self.obligations.get(id).cube.clone();
        let (mut inputs, mut at) = (Vec::new(), Some(id));
        while let Some(id) = at {
            let o = self.obligations.get(id);
            inputs.push(o.inputs.clone());
            at = o.next;
        }
        Outcome::Unsafe(first, inputs)
    }
}
