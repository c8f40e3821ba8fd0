//! The part of an invariant that the proof needs.
//!
//! The last frames hold thousands of lemmas, many of them for the sake of others that were replaced since. Checking a certificate takes
//! longer the more of them there are, so the proof is done again from nothing: a lemma is taken in when a state that it excludes
//! is bad or steps out of those taken. What is left at the end is an inductive subset that excludes the bad states.

use crate::Stop;
use crate::cube::Cube;
use crate::ic3::Ic3;
use crate::lit::Lit;
use std::rc::Rc;

impl Ic3<'_> {
    /// An inductive part of these cubes that suffices; all of them when there is no time for that.
    pub(crate) fn shrink(&mut self, cubes: Vec<Rc<Cube>>) -> Vec<Rc<Cube>> {
        match self.needed(&cubes) {
            Ok(needed) => needed,
            Err(Stop) => cubes,
        }
    }

    fn needed(&mut self, cubes: &[Rc<Cube>]) -> Result<Vec<Rc<Cube>>, Stop> {
        let mut left = cubes.to_vec();
        left.sort_by_key(|c| c.len());
        let mut solver = self.blank();
        let mut needed: Vec<Rc<Cube>> = Vec::new();
        let mut proved = 0;
        loop {
            // The bad condition first, then the lemmas in the order in which they were taken.
            let (target, clause) = match proved {
                0 => (vec![self.model.bad], None),
                _ => {
                    let cube = &needed[proved - 1];
                    let target = cube.lits().iter().map(|&l| self.primed(l)).collect();
                    (target, Some(cube.negated()))
                }
            };
            solver.begin(&target, clause.as_deref(), &[]);
            while self.answer(&mut solver)? {
                let at = excluding(&left, |l| solver.value(l));
                let cube = left.remove(at.expect("all of them suffice"));
                solver.add_lemma(&cube.negated());
                needed.push(cube);
                solver.begin(&target, clause.as_deref(), &[]);
            }
            if proved == needed.len() {
                return Ok(needed);
            }
            proved += 1;
        }
    }
}

/// The cube that contains most of a state of which only a part may be known, among those that may contain it: the
/// one with the fewest literals open, the first of these.
fn excluding(cubes: &[Rc<Cube>], value: impl Fn(Lit) -> Option<bool>) -> Option<usize> {
    let open = |cube: &Cube| {
        let mut open = 0;
        for &lit in cube.lits() {
            match value(lit) {
                Some(true) => {}
                Some(false) => return None,
                None => open += 1,
            }
        }
        Some(open)
    };
    let mut best: Option<(usize, usize)> = None;
    for (at, cube) in cubes.iter().enumerate() {
        match open(cube) {
            Some(0) => return Some(at),
            Some(open) if best.is_none_or(|(fewest, _)| open < fewest) => best = Some((open, at)),
            _ => {}
        }
    }
    best.map(|(_, at)| at)
}
