//! Frames per location: clauses over the predicates that hold in all states reachable within so many edges.

use std::collections::BTreeMap;
use trellis_ivl::{Loc, Term};

/// The negation of a cube, learnt up to a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lemma {
    /// Literals, sorted.
    pub cube: Vec<Term>,
    pub level: u32,
}

/// Delta frames: F(i) of a location is all lemmas of level i and above. Frame 0 is false but at the entry, whose
/// frames are true.
#[derive(Default)]
pub(crate) struct Frames {
    lemmas: BTreeMap<Loc, Vec<Lemma>>,
}

impl Frames {
    /// The lemmas of a location.
    pub fn at(&self, loc: Loc) -> &[Lemma] {
        self.lemmas.get(&loc).map_or(&[], Vec::as_slice)
    }

    /// All lemmas of exactly this level.
    pub fn of_level(&self, level: u32) -> Vec<(Loc, Vec<Term>)> {
        let all = self.lemmas.iter();
        all.flat_map(|(&loc, lemmas)| lemmas.iter().map(move |l| (loc, l)))
            .filter(|(_, lemma)| lemma.level == level)
            .map(|(loc, lemma)| (loc, lemma.cube.clone()))
            .collect()
    }

    /// Whether a lemma blocks `cube` at `level`.
    pub fn blocks(&self, loc: Loc, level: u32, cube: &[Term]) -> bool {
        let stronger = |l: &&Lemma| l.level >= level;
        let mut lemmas = self.at(loc).iter().filter(stronger);
        lemmas.any(|l| l.cube.iter().all(|t| cube.binary_search(t).is_ok()))
    }

    /// Learns a lemma; `false` where one that is as strong is known.
    pub fn learn(&mut self, loc: Loc, level: u32, cube: &[Term]) -> bool {
        if self.blocks(loc, level, cube) {
            return false;
        }
        let lemmas = self.lemmas.entry(loc).or_default();
        lemmas.retain(|l| {
            let weaker = cube.iter().all(|t| l.cube.binary_search(t).is_ok());
            l.level > level || !weaker
        });
        lemmas.push(Lemma {
            cube: cube.to_vec(),
            level,
        });
        true
    }

    /// Number of lemmas.
    pub fn len(&self) -> usize {
        self.lemmas.values().map(Vec::len).sum()
    }
}
