//! Skipping (Alg. 12 to 14, Lemma 3): a kept obligation was refuted one level lower by the frames F(i-2); where these
//! equal F(i-1) at a predecessor *now*, asking again gives the same answer.
//!
//! What the earlier queries have shown is about the lemma they led to, so that lemma is what is learnt again. Edges from
//! the entry never change.

use crate::obligation::Id;
use crate::run::Run;
use trellis_plugin_sdk::ivl::{Edge, Term};

impl Run<'_> {
    /// Blocks obligation `id` without a query, if no predecessor's frame has changed.
    pub(crate) fn skip(&mut self, id: Id) -> bool {
        let Some((level, lemma)) = self.earlier(id) else {
            return false;
        };
        let loc = self.obligations.get(id).loc;
        let edges = self.cfa.inc(loc);
        let unchanged = |&e: &Edge| self.is_unchanged(e, level);
        if !edges.iter().all(unchanged) && !self.faults.skip {
            return false;
        }
        self.skipped += edges.len() as u64;
        self.block(loc, level, &lemma);
        self.blocked(id, level, lemma);
        true
    }

    /// The incoming edges of an obligation that need not be asked again, with the literals that refute them.
    pub(crate) fn unchanged_edges(&self, id: Id) -> Vec<(Edge, Vec<Term>)> {
        let Some((level, lemma)) = self.earlier(id) else {
            return Vec::new();
        };
        let edges = self.cfa.inc(self.obligations.get(id).loc).iter();
        let unchanged = edges.filter(|&&e| self.is_unchanged(e, level));
        unchanged.map(|&e| (e, lemma.clone())).collect()
    }

    /// The level of an obligation and the lemma that blocked it one level lower, if it is still there.
    fn earlier(&self, id: Id) -> Option<(u32, Vec<Term>)> {
        let o = self.obligations.get(id);
        let (level, lemma) = o.blocked.as_ref()?;
        let known = self.options.skip
            && level + 1 == o.level
            && self.frames.covering(o.loc, *level, lemma).is_some();
        known.then(|| (o.level, lemma.clone()))
    }

    fn is_unchanged(&self, e: Edge, level: u32) -> bool {
        let from = self.cfa.from(e);
        from == self.cfa.entry || self.frames.is_delta_empty(from, level - 2)
    }
}
