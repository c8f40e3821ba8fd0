//! The order of decisions: variables in buckets by the magnitude of their activity.
//!
//! A query decides a few variables of thousands, so sorting them in a heap costs more than the
//! decisions themselves; which of two variables of nearly equal activity comes first matters
//! little ("Deeply Optimizing the SAT Solver for the IC3 Algorithm", CAV'25, where the bucket follows from the place in a
//! heap; here from the exponents of activity and bump). Variables without activity are in no bucket when a query begins: they come
//! last, in the order of the domain.

use crate::lit::Var;

/// As many as a word has bits; each is half a power of two wide.
const BUCKETS: usize = 64;

/// The buckets. A variable may be in several: whoever takes it out looks whether it is still open.
#[derive(Clone)]
pub struct Order {
    buckets: Vec<Vec<Var>>,
    /// Which buckets are not empty.
    used: u64,
}

impl Default for Order {
    fn default() -> Order {
        Order {
            buckets: vec![Vec::new(); BUCKETS],
            used: 0,
        }
    }
}

impl Order {
    /// Removes all.
    pub fn clear(&mut self) {
        while self.used != 0 {
            self.buckets[self.used.trailing_zeros() as usize].clear();
            self.used &= self.used - 1;
        }
    }

    /// Puts in a variable of this activity, where `bump` is what a conflict adds now.
    #[inline]
    pub fn insert(&mut self, v: Var, activity: f64, bump: f64) {
        // Exponent and first bit of the mantissa of positive numbers; zero is in the last bucket.
        let magnitude = |x: f64| x.to_bits() >> 51;
        let below = magnitude(bump).saturating_sub(magnitude(activity)) as usize;
        let bucket = below.min(BUCKETS - 1);
        self.buckets[bucket].push(v);
        self.used |= 1 << bucket;
    }

    /// Removes and returns a variable of the first bucket.
    #[inline]
    pub fn pop(&mut self) -> Option<Var> {
        if self.used == 0 {
            return None;
        }
        let at = self.used.trailing_zeros() as usize;
        let bucket = &mut self.buckets[at];
        let v = bucket.pop();
        if bucket.is_empty() {
            self.used &= !(1 << at);
        }
        v
    }
}
