//! Generalising a blocked cube: minimal inductive clauses, with counterexamples to generalisation.
//!
//! Literals are dropped one by one while the cube stays inductive relative to the frame below
//! (Bradley and Manna, FMCAD'07), the least active first and those of the parent lemma last (Xia
//! et al., CAV'23). A state that prevents it is first tried to be blocked itself, one level lower,
//! and otherwise joined with the cube (Hassan, Bradley, Somenzi, "Better generalization in IC3",
//! FMCAD'13). Pairs of states that refuted one drop refuse others without a query.

use crate::cube::Cube;
use crate::ic3::{Ic3, Kind};
use crate::lit::Lit;
use crate::{Effort, Stop};

/// Two states of a step: from outside of a candidate into it.
struct Pair {
    from: Vec<Lit>,
    to: Vec<Lit>,
}

impl Ic3<'_> {
    /// How hard to try for an obligation: the more often those after it were tried, the harder.
    pub(crate) fn effort(&self, id: usize) -> Effort {
        let options = self.options;
        if !options.dynamic {
            return Effort {
                depth: options.ctg_depth,
                ctgs: options.ctgs,
            };
        }
        let heat = self.obligations.heat(id);
        if heat < 10.0 {
            Effort { depth: 0, ctgs: 0 }
        } else {
            Effort {
                depth: 1,
                ctgs: 2 + ((heat - 10.0) / 10.0) as u32,
            }
        }
    }

    /// A lemma that blocks the cube at `level`: guessed, or by dropping literals.
    pub(crate) fn lemma(
        &mut self,
        level: usize,
        cube: Vec<Lit>,
        effort: Effort,
    ) -> Result<Vec<Lit>, Stop> {
        if self.options.predict
            && let Some(lemma) = self.predict(level, &cube)?
        {
            self.activity.bump(&lemma);
            return Ok(lemma);
        }
        self.mic(level, cube, effort)
    }

    /// A smaller cube that is blocked at `level`, like the one given.
    pub(crate) fn mic(
        &mut self,
        level: usize,
        cube: Vec<Lit>,
        effort: Effort,
    ) -> Result<Vec<Lit>, Stop> {
        let mut cube = cube;
        self.activity.ascending(&mut cube);
        // Signals are there to replace latches.
        cube.sort_by_key(|l| self.kind[l.at()] != Kind::Latch);
        if let Some(parent) = self.frames.parent(level - 1, &Cube::new(cube.clone())) {
            cube.sort_by_key(|l| parent.lits().binary_search(l).is_ok());
        }
        let mut keep: Vec<Lit> = Vec::new();
        let mut pairs: Vec<Pair> = Vec::new();
        let mut i = 0;
        while i < cube.len() {
            let lit = cube[i];
            let without: Vec<Lit> = cube.iter().copied().filter(|&l| l != lit).collect();
            match self.down(level, without, &keep, &mut pairs, effort)? {
                Some(smaller) => {
                    // The order stays; what is before position i must be kept.
                    cube.retain(|l| smaller.contains(l));
                    i = keep.iter().filter(|l| cube.contains(l)).count();
                    keep.retain(|l| cube.contains(l));
                }
                None => {
                    keep.push(lit);
                    i += 1;
                }
            }
        }
        self.activity.bump(&cube);
        Ok(cube)
    }

    /// The largest inductive subset that the search finds; it keeps the literals of `keep`.
    fn down(
        &mut self,
        level: usize,
        cube: Vec<Lit>,
        keep: &[Lit],
        pairs: &mut Vec<Pair>,
        effort: Effort,
    ) -> Result<Option<Vec<Lit>>, Stop> {
        let mut cube = cube;
        let mut ctgs = 0;
        loop {
            if self.meets_initial(&cube) {
                return Ok(None);
            }
            let refuted = |p: &Pair| {
                cube.iter().all(|l| p.to.contains(l)) && !cube.iter().all(|l| p.from.contains(l))
            };
            if effort.depth == 0 && pairs.iter().any(refuted) {
                return Ok(None);
            }
            if self.is_blocked(level, &cube)? {
                return Ok(Some(self.inductive_core(level, &cube)));
            }
            let solver = &self.solvers[level - 1];
            if keep.iter().any(|&l| solver.value(l) == Some(false)) {
                self.remember(level, &cube, pairs);
                return Ok(None);
            }
            if effort.depth > 0 && ctgs < effort.ctgs && level > 1 {
                // What the join keeps has to be read before the solver moves on.
                let joined = self.joined(level, &cube);
                let target: Vec<Lit> = cube.iter().map(|&l| self.primed(l)).collect();
                let (state, _) = self.lift(level - 1, &target);
                if !self.meets_initial(&state) && self.is_blocked(level - 1, &state)? {
                    ctgs += 1;
                    self.block_ctg(level - 1, &state, effort)?;
                    continue;
                }
                ctgs = 0;
                cube = joined;
            } else {
                self.remember(level, &cube, pairs);
                cube = self.joined(level, &cube);
            }
            if keep.iter().any(|l| !cube.contains(l)) {
                return Ok(None);
            }
        }
    }

    fn block_ctg(&mut self, level: usize, state: &[Lit], effort: Effort) -> Result<(), Stop> {
        let core = self.inductive_core(level, state);
        let lower = Effort {
            depth: effort.depth - 1,
            ..effort
        };
        let lemma = self.lemma(level, core, lower)?;
        let (level, lemma) = self.push_lemma(level, lemma)?;
        // An emptied level shows at the next propagation.
        self.add_lemma(level, lemma, None);
        Ok(())
    }

    /// The literals of the cube that the predecessor in the last model satisfies.
    fn joined(&self, level: usize, cube: &[Lit]) -> Vec<Lit> {
        let solver = &self.solvers[level - 1];
        let holds = |l: &Lit| solver.value(*l) == Some(true);
        cube.iter().copied().filter(holds).collect()
    }

    /// Notes the literals of the step in the last model, as far as this generalisation can ask.
    fn remember(&self, level: usize, cube: &[Lit], pairs: &mut Vec<Pair>) {
        let solver = &self.solvers[level - 1];
        let from = self.joined(level, cube);
        let to = cube.iter().copied();
        let to = to.filter(|&l| solver.value(self.primed(l)) == Some(true));
        pairs.push(Pair {
            from,
            to: to.collect(),
        });
    }

    /// Pushes a lemma that is blocked at `level` as far as it goes, shrinking on the way.
    pub(crate) fn push_lemma(
        &mut self,
        level: usize,
        lemma: Vec<Lit>,
    ) -> Result<(usize, Vec<Lit>), Stop> {
        let mut lemma = lemma;
        for next in level + 1..=self.level() {
            if !self.is_blocked(next, &lemma)? {
                return Ok((next - 1, lemma));
            }
            lemma = self.inductive_core(next, &lemma);
        }
        Ok((self.level().max(level), lemma))
    }
}
