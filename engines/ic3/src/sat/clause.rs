//! Clauses in one array: a header word, a quality word, then the literals.

use crate::lit::Lit;

/// Where a clause begins in the arena.
pub type ClauseRef = u32;

const HEADER: usize = 2;
const LEARNT: u32 = 1;
const DEAD: u32 = 2;

/// The arena.
#[derive(Clone, Default)]
pub struct Arena {
    words: Vec<u32>,
    wasted: usize,
}

impl Arena {
    /// Stores a clause; `quality` orders learnt ones, smaller is better.
    pub fn add(&mut self, lits: &[Lit], learnt: bool, quality: u32) -> ClauseRef {
        let at = self.words.len() as ClauseRef;
        self.words
            .push(((lits.len() as u32) << 2) | (u32::from(learnt) * LEARNT));
        self.words.push(quality);
        self.words.extend(lits.iter().map(|l| l.0));
        at
    }

    /// Number of literals.
    #[inline]
    pub fn len(&self, c: ClauseRef) -> usize {
        (self.words[c as usize] >> 2) as usize
    }

    /// Literal `i` of a clause.
    #[inline]
    pub fn lit(&self, c: ClauseRef, i: usize) -> Lit {
        Lit(self.words[c as usize + HEADER + i])
    }

    /// The literals as words.
    #[inline]
    pub fn words_mut(&mut self, c: ClauseRef) -> &mut [u32] {
        let at = c as usize;
        let len = (self.words[at] >> 2) as usize;
        &mut self.words[at + HEADER..at + HEADER + len]
    }

    /// The literals.
    #[inline]
    pub fn lits(&self, c: ClauseRef) -> impl Iterator<Item = Lit> + '_ {
        let at = c as usize;
        let len = (self.words[at] >> 2) as usize;
        self.words[at + HEADER..at + HEADER + len]
            .iter()
            .map(|&w| Lit(w))
    }

    /// Its quality.
    pub fn quality(&self, c: ClauseRef) -> u32 {
        self.words[c as usize + 1]
    }

    /// Improves its quality.
    #[inline]
    pub fn improve(&mut self, c: ClauseRef, quality: u32) {
        let word = &mut self.words[c as usize + 1];
        *word = quality.min(*word);
    }

    /// Whether it was learnt.
    #[inline]
    pub fn is_learnt(&self, c: ClauseRef) -> bool {
        self.words[c as usize] & LEARNT != 0
    }

    /// Whether it was removed.
    #[inline]
    pub fn is_dead(&self, c: ClauseRef) -> bool {
        self.words[c as usize] & DEAD != 0
    }

    /// Removes it; its words stay until the next [`Arena::compact`].
    pub fn kill(&mut self, c: ClauseRef) {
        debug_assert!(!self.is_dead(c));
        self.words[c as usize] |= DEAD;
        self.wasted += HEADER + self.len(c);
    }

    /// Whether a third of the arena is dead.
    pub fn is_wasteful(&self) -> bool {
        self.wasted * 3 > self.words.len()
    }

    /// All clauses that are alive, in order.
    pub fn refs(&self) -> Vec<ClauseRef> {
        let (mut refs, mut at) = (Vec::new(), 0);
        while at < self.words.len() {
            let c = at as ClauseRef;
            if !self.is_dead(c) {
                refs.push(c);
            }
            at += HEADER + self.len(c);
        }
        refs
    }

    /// Moves the clauses together, and tells each move in order.
    pub fn compact(&mut self, mut moved: impl FnMut(ClauseRef, ClauseRef)) {
        let (mut from, mut to) = (0, 0);
        while from < self.words.len() {
            let c = from as ClauseRef;
            let size = HEADER + self.len(c);
            if !self.is_dead(c) {
                self.words.copy_within(from..from + size, to);
                moved(c, to as ClauseRef);
                to += size;
            }
            from += size;
        }
        self.words.truncate(to);
        self.wasted = 0;
    }
}
