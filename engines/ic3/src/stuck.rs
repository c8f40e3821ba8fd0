//! Why a lemma was not pushed: the state before the step into its cube.
//!
//! As long as no later lemma excludes that state, the step is still there, and asking again is
//! needless. (Known as counterexamples to propagation; here kept as bits, so that looking costs a
//! fraction of a query.)

use crate::cube::Cube;
use crate::lit::Lit;
use std::rc::Rc;

/// A state, as far as the model of the query had values, and when it was found.
#[derive(Clone)]
pub struct Stuck {
    /// Per literal of a latch, by its place: whether the state satisfies it.
    bits: Rc<[u64]>,
    /// Lemmas up to this one did not exclude it.
    pub since: u64,
}

/// Where the literals of latches stand in the bits.
pub struct Places(Vec<u32>);

impl Places {
    /// For these latches among so many variables.
    pub fn new(vars: usize, latches: impl Iterator<Item = u32>) -> Places {
        let mut places = vec![0; vars];
        for (i, var) in latches.enumerate() {
            places[var as usize] = i as u32;
        }
        Places(places)
    }

    fn of(&self, lit: Lit) -> (usize, u64) {
        let at = 2 * self.0[lit.at()] + u32::from(lit.is_positive());
        (at as usize / 64, 1 << (at % 64))
    }
}

impl Stuck {
    /// The state of these literals, out of so many latches.
    pub fn new(
        places: &Places,
        latches: usize,
        state: impl Iterator<Item = Lit>,
        since: u64,
    ) -> Stuck {
        let mut bits = vec![0; latches / 32 + 1];
        for lit in state {
            let (word, bit) = places.of(lit);
            bits[word] |= bit;
        }
        Stuck {
            bits: bits.into(),
            since,
        }
    }

    /// Whether the state is surely outside of the cube.
    pub fn avoids(&self, places: &Places, cube: &Cube) -> bool {
        cube.lits().iter().any(|&lit| {
            let (word, bit) = places.of(!lit);
            self.bits[word] & bit != 0
        })
    }
}
