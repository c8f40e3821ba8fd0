//! Obligations of one iteration as the beginning of the next, as much higher as its bound (Alg. 9 to 11).
//!
//! They are regions from which a target is reached, so nothing is lost or gained but the queries that would derive them
//! again. Equal regions are kept once, at the highest level.

use crate::run::Run;
use rustc_hash::FxHashMap;
use trellis_plugin_sdk::ivl::{Loc, Term};

impl Run<'_> {
    /// Lifts the obligations that were blocked in this iteration, or forgets them.
    pub(crate) fn keep_obligations(&mut self) {
        let mut kept = std::mem::take(&mut self.obligations.kept);
        if !self.options.reuse {
            return;
        }
        if self.options.prune {
            kept = self.prune(kept);
        }
        let stride = self.stride();
        let mut highest: FxHashMap<(Loc, Vec<Term>), u32> = FxHashMap::default();
        for &id in &kept {
            let o = self.obligations.get(id);
            let level = highest.entry((o.loc, o.cube.clone())).or_default();
            *level = o.level.max(*level);
        }
        for id in kept {
            let o = self.obligations.get_mut(id);
            let key = (o.loc, o.cube.clone());
            if highest.get(&key) == Some(&o.level) {
                highest.remove(&key);
                o.level += stride;
                self.obligations.enqueue(id);
            }
        }
    }
}
