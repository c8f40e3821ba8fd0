//! Pruning of the obligation tree (Lemma 9): what a learnt cube covers at the next level need not be kept, and neither
//! need be what was derived from it.

use crate::obligation::Id;
use crate::run::Run;
use std::collections::BTreeSet;

impl Run<'_> {
    /// The obligations of `kept` that neither are covered at the next level nor derive from one that is.
    pub(crate) fn prune(&self, kept: Vec<Id>) -> Vec<Id> {
        let covered = |id: &&Id| {
            let o = self.obligations.get(**id);
            self.frames.covering(o.loc, o.level + 1, &o.cube).is_some()
        };
        let pruned: BTreeSet<Id> = kept.iter().filter(covered).copied().collect();
        let lives = |id: &Id| {
            let path = self.obligations.path(*id);
            !path.iter().any(|ancestor| pruned.contains(ancestor))
        };
        kept.into_iter().filter(lives).collect()
    }
}
