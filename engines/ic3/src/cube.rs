//! Cubes: sets of states, as conjunctions of literals of latches.

use crate::lit::Lit;

/// A cube: distinct literals in order, with a signature that refuses most subsumption tests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cube {
    lits: Box<[Lit]>,
    signature: u64,
}

fn signature_of(lits: &[Lit]) -> u64 {
    let bit = |l: &Lit| 1 << (l.0.wrapping_mul(0x9e37_79b1) >> 26);
    lits.iter().fold(0, |set, l| set | bit(l))
}

impl Cube {
    /// The cube of these literals.
    pub fn new(mut lits: Vec<Lit>) -> Cube {
        lits.sort_unstable();
        lits.dedup();
        Cube {
            signature: signature_of(&lits),
            lits: lits.into(),
        }
    }

    /// The literals, in order.
    pub fn lits(&self) -> &[Lit] {
        &self.lits
    }

    /// Number of literals.
    pub fn len(&self) -> usize {
        self.lits.len()
    }

    /// Whether it is the cube of all states.
    pub fn is_empty(&self) -> bool {
        self.lits.is_empty()
    }

    /// Whether every literal of this one is in the other, so that it includes the other's states.
    pub fn subsumes(&self, other: &Cube) -> bool {
        if self.lits.len() > other.lits.len() || self.signature & !other.signature != 0 {
            return false;
        }
        let mut rest = other.lits.iter();
        self.lits.iter().all(|l| rest.any(|o| o == l))
    }

    /// The negation: a clause.
    pub fn negated(&self) -> Vec<Lit> {
        self.lits.iter().map(|&l| !l).collect()
    }
}
