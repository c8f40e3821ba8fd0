//! Delta frames: each lemma stands at the highest level where it is known to hold.
//!
//! `F(i)` is the conjunction of the lemmas at levels `i` and above; the last list, at level
//! [`INFINITE`], holds for ever. (Eén, Mishchenko, Brayton, FMCAD'11.)

use crate::cube::Cube;
use crate::stuck::Stuck;
use std::rc::Rc;

/// The level of lemmas that are inductive by themselves.
pub const INFINITE: usize = usize::MAX;

/// A blocked cube.
#[derive(Clone)]
pub struct Lemma {
    /// What is blocked.
    pub cube: Rc<Cube>,
    /// The obligation that it came from, if one.
    pub obligation: Option<usize>,
    /// Its number in the order in which lemmas were added; given by [`Frames::add`].
    pub birth: u64,
    /// Why it was not pushed the last time.
    pub stuck: Option<Stuck>,
}

impl Lemma {
    /// A new one.
    pub fn new(cube: Rc<Cube>, obligation: Option<usize>) -> Lemma {
        Lemma {
            cube,
            obligation,
            birth: 0,
            stuck: None,
        }
    }
}

/// The frames.
#[derive(Default)]
pub struct Frames {
    levels: Vec<Vec<Lemma>>,
    infinite: Vec<Lemma>,
    /// The lowest level whose lemmas may be pushed since the last propagation.
    pub earliest: usize,
    /// How many lemmas were added.
    pub births: u64,
}

/// What adding a lemma did.
pub struct Added {
    /// Its clause is new to the solvers from this level on.
    pub from: usize,
    /// A level became empty: the frames above it are an inductive invariant.
    pub fixpoint: Option<usize>,
}

impl Frames {
    /// One more level.
    pub fn extend(&mut self) {
        self.levels.push(Vec::new());
    }

    /// The lemmas at a level.
    pub fn at(&self, level: usize) -> &[Lemma] {
        match level {
            INFINITE => &self.infinite,
            _ => &self.levels[level],
        }
    }

    /// Sorts a level, shortest first.
    pub fn sort(&mut self, level: usize) {
        self.levels[level].sort_by(|a, b| {
            let key = |l: &Lemma| l.cube.len();
            key(a).cmp(&key(b))
        });
    }

    /// All lemmas that hold at a level.
    pub fn from(&self, level: usize) -> impl Iterator<Item = &Lemma> {
        let first = level.min(self.levels.len());
        self.levels[first..].iter().flatten().chain(&self.infinite)
    }

    /// The highest level at or above `level` with a lemma that blocks the cube.
    pub fn blocking_level(&self, level: usize, cube: &Cube) -> Option<usize> {
        let blocks = |l: &Lemma| l.cube.subsumes(cube);
        if self.infinite.iter().any(blocks) {
            return Some(INFINITE);
        }
        let first = level.min(self.levels.len());
        (first..self.levels.len()).find(|&i| self.levels[i].iter().any(blocks))
    }

    /// A lemma exactly at `level` that blocks the cube.
    pub fn parent(&self, level: usize, cube: &Cube) -> Option<Rc<Cube>> {
        let list = self.levels.get(level)?;
        let parent = list.iter().find(|l| l.cube.subsumes(cube))?;
        Some(parent.cube.clone())
    }

    /// Some lemmas exactly at `level` that block the cube, the longest first.
    pub fn parents(&self, level: usize, cube: &Cube, most: usize) -> Vec<Rc<Cube>> {
        let list = self.levels.get(level).map_or(&[][..], Vec::as_slice);
        let blocking = list.iter().filter(|l| l.cube.subsumes(cube));
        let mut parents: Vec<Rc<Cube>> = blocking.map(|l| l.cube.clone()).collect();
        parents.sort_by_key(|c| std::cmp::Reverse(c.len()));
        parents.truncate(most);
        parents
    }

    /// Whether the very cube stands at a level.
    pub fn contains(&self, level: usize, cube: &Rc<Cube>) -> bool {
        self.levels[level].iter().any(|l| Rc::ptr_eq(&l.cube, cube))
    }

    /// Notes why a lemma was not pushed.
    pub fn set_stuck(&mut self, level: usize, cube: &Rc<Cube>, stuck: Stuck) {
        let mut list = self.levels[level].iter_mut();
        if let Some(lemma) = list.find(|l| Rc::ptr_eq(&l.cube, cube)) {
            lemma.stuck = Some(stuck);
        }
    }

    /// Adds a lemma that holds up to `level`; weaker ones at these levels go.
    pub fn add(&mut self, level: usize, mut lemma: Lemma) -> Added {
        self.births += 1;
        lemma.birth = self.births;
        let top = level.min(self.levels.len() - 1);
        let (mut from, mut fixpoint) = (None, None);
        for i in (1..=top).rev() {
            let list = &mut self.levels[i];
            if from.is_none() && list.iter().any(|l| l.cube.subsumes(&lemma.cube)) {
                // The solvers up to this level know as much already.
                from = Some(i + 1);
            }
            let before = list.len();
            list.retain(|l| !lemma.cube.subsumes(&l.cube));
            if list.is_empty() && before > 0 && i < top {
                fixpoint = Some(i);
            }
        }
        if level == INFINITE {
            self.infinite.retain(|l| !lemma.cube.subsumes(&l.cube));
            self.infinite.push(lemma);
        } else {
            self.levels[level].push(lemma);
        }
        let from = from.unwrap_or(1);
        self.earliest = self.earliest.min(from);
        Added { from, fixpoint }
    }

    /// Number of lemmas at each level, for reports.
    pub fn sizes(&self) -> Vec<usize> {
        let levels = self.levels.iter().skip(1).chain([&self.infinite]);
        levels.map(Vec::len).collect()
    }
}
