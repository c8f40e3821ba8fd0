//! How often latches occur in lemmas: the order in which literals are dropped and assumed.

use crate::lit::Lit;

/// Activities by variable, those of the past counting less and less.
pub struct Activity {
    values: Vec<f64>,
    bump: f64,
}

impl Activity {
    /// All zero.
    pub fn new(vars: usize) -> Activity {
        Activity {
            values: vec![0.0; vars],
            bump: 1.0,
        }
    }

    /// The literals occur in a lemma.
    pub fn bump(&mut self, lits: &[Lit]) {
        for lit in lits {
            self.values[lit.at()] += self.bump;
        }
        self.bump *= 1.05;
        if self.bump > 1e50 {
            for value in &mut self.values {
                *value *= 1e-50;
            }
            self.bump *= 1e-50;
        }
    }

    /// Sorts by activity, then number.
    pub fn ascending(&self, lits: &mut [Lit]) {
        lits.sort_by(|a, b| {
            let (x, y) = (self.values[a.at()], self.values[b.at()]);
            x.total_cmp(&y).then(a.cmp(b))
        });
    }

    /// Sorts the other way round.
    pub fn descending(&self, lits: &mut [Lit]) {
        self.ascending(lits);
        lits.reverse();
    }
}
