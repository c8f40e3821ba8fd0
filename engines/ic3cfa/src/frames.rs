//! Delta-encoded frames per location (Een, Mishchenko, Brayton, FMCAD'11, lifted to locations).
//!
//! A lemma is a cube that no execution of at most `level` edges reaches at its location; it stands at the
//! highest level known. F(i, l) is the conjunction of the negated cubes at levels i and above, F(0, l) is
//! false, and a delta frame is empty at level i when F(i, l) and F(i+1, l) are the same.

use trellis_plugin_sdk::ivl::cranelift_entity::SecondaryMap;
use trellis_plugin_sdk::ivl::{Loc, Term};

/// The level of what holds in every execution.
pub const FOREVER: u32 = u32::MAX;

/// A blocked cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lemma {
    /// Literals, by number.
    pub cube: Vec<Term>,
    /// The negation of their conjunction.
    pub clause: Term,
    /// The highest level known.
    pub level: u32,
}

/// The frame of one location.
#[derive(Clone, Default)]
struct Frame {
    lemmas: Vec<Lemma>,
    /// Every clause ever learnt with its level, in order: what sessions have to be told.
    log: Vec<(u32, Term)>,
}

/// All frames.
#[derive(Default)]
pub struct Frames {
    frames: SecondaryMap<Loc, Frame>,
    top: u32,
}

/// Whether all literals of `small` are in `large`; both are sorted.
pub fn is_subset(small: &[Term], large: &[Term]) -> bool {
    let mut rest = large.iter();
    small.len() <= large.len() && small.iter().all(|t| rest.any(|u| u == t))
}

impl Frames {
    /// Learns `cube` (sorted) up to `level`; `false` where that was known.
    pub fn block(&mut self, l: Loc, level: u32, cube: &[Term], clause: Term) -> bool {
        if self.covering(l, level, cube).is_some() {
            return false;
        }
        let frame = &mut self.frames[l];
        frame
            .lemmas
            .retain(|old| old.level > level || !is_subset(cube, &old.cube));
        frame.log.push((level, clause));
        frame.lemmas.push(Lemma {
            cube: cube.to_vec(),
            clause,
            level,
        });
        if level != FOREVER {
            self.top = self.top.max(level);
        }
        true
    }

    /// A lemma of F(level, l) with no other literals than `cube`.
    pub fn covering(&self, l: Loc, level: u32, cube: &[Term]) -> Option<&Lemma> {
        let lemmas = self.frames[l].lemmas.iter();
        let mut found = lemmas.filter(|old| old.level >= level && is_subset(&old.cube, cube));
        found.next()
    }

    /// The lemmas of F(level, l), in the order learnt.
    pub fn lemmas(&self, l: Loc, level: u32) -> impl Iterator<Item = &Lemma> {
        let lemmas = self.frames[l].lemmas.iter();
        lemmas.filter(move |lemma| lemma.level >= level)
    }

    /// The lemmas whose highest level is `level`.
    pub fn delta(&self, l: Loc, level: u32) -> impl Iterator<Item = &Lemma> {
        let lemmas = self.frames[l].lemmas.iter();
        lemmas.filter(move |lemma| lemma.level == level)
    }

    /// Whether F(level, l) and F(level + 1, l) are the same, for a location that is not the entry.
    pub fn is_delta_empty(&self, l: Loc, level: u32) -> bool {
        if level == 0 {
            return self.covering(l, 1, &[]).is_some();
        }
        self.delta(l, level).next().is_none()
    }

    /// Whether F(low, l) and F(high, l) are the same.
    pub fn are_equal(&self, l: Loc, low: u32, high: u32) -> bool {
        let mut lemmas = self.frames[l].lemmas.iter();
        let between = |lemma: &Lemma| (low..high).contains(&lemma.level);
        (low > 0 || self.is_delta_empty(l, 0)) && !lemmas.any(between)
    }

    /// What was learnt at `l` since the first `seen` clauses.
    pub fn news(&self, l: Loc, seen: usize) -> &[(u32, Term)] {
        &self.frames[l].log[seen..]
    }

    /// The highest level of any lemma.
    pub fn top(&self) -> u32 {
        self.top
    }

    /// How many lemmas there are.
    pub fn count(&self) -> usize {
        self.frames.values().map(|f| f.lemmas.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn t(n: u32) -> Term {
        Term::from_u32(n)
    }

    /// Smaller cubes at higher levels replace larger ones below them, and nothing else.
    #[test]
    fn subsumption() {
        let l = Loc::from_u32(1);
        let mut frames = Frames::default();
        assert!(frames.block(l, 2, &[t(1), t(2)], t(9)));
        assert!(!frames.block(l, 1, &[t(1), t(2), t(3)], t(9)), "known");
        assert!(frames.block(l, 3, &[t(1), t(3)], t(9)));
        assert!(!frames.is_delta_empty(l, 2));
        assert!(frames.block(l, 2, &[t(1)], t(9)));
        assert_eq!(frames.delta(l, 2).count(), 1, "the larger cube is gone");
        assert_eq!(frames.delta(l, 3).count(), 1, "a higher level stays");
        assert_eq!(frames.lemmas(l, 3).count(), 1);
        assert!(!frames.is_delta_empty(l, 0));
        assert!(frames.block(l, 1, &[], t(9)));
        assert!(frames.is_delta_empty(l, 0), "F(1) is false like F(0)");
    }
}
