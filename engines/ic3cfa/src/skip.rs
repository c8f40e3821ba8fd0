//! Skipping (Alg. 12 to 14, Lemma 3): a kept obligation was refuted at a lower level i by the frames F(i-1); where these
//! equal those one below its level at a predecessor *now*, asking again gives the same answer.
//!
//! What the earlier queries have shown is about the lemma they led to, so that lemma is what is learnt again. Edges from
//! the entry never change.

use crate::obligation::Id;
use crate::run::Run;
use trellis_plugin_sdk::ivl::{Edge, Term};

/// The level at which an obligation was blocked and the one it has now, and the lemma that blocked it.
struct Earlier {
    then: u32,
    now: u32,
    lemma: Vec<Term>,
}

impl Run<'_> {
    /// Blocks obligation `id` without a query, if no predecessor's frame has changed.
    pub(crate) fn skip(&mut self, id: Id) -> bool {
        let Some(earlier) = self.earlier(id) else {
            return false;
        };
        let loc = self.obligations.get(id).loc;
        let edges = self.cfa.inc(loc);
        let unchanged = |&e: &Edge| self.is_unchanged(e, &earlier);
        if !edges.iter().all(unchanged) && !self.faults.skip {
            return false;
        }
        self.skipped += edges.len() as u64;
        let Earlier { now, lemma, .. } = earlier;
        self.block(loc, now, &lemma);
        self.blocked(id, now, lemma);
        true
    }

    /// The incoming edges of an obligation that need not be asked again, with the literals that refute them.
    pub(crate) fn unchanged_edges(&self, id: Id) -> Vec<(Edge, Vec<Term>)> {
        let Some(earlier) = self.earlier(id) else {
            return Vec::new();
        };
        let edges = self.cfa.inc(self.obligations.get(id).loc).iter();
        let unchanged = edges.filter(|&&e| self.is_unchanged(e, &earlier));
        unchanged.map(|&e| (e, earlier.lemma.clone())).collect()
    }

    /// How an obligation was blocked before, if the lemma is still there.
    fn earlier(&self, id: Id) -> Option<Earlier> {
        let o = self.obligations.get(id);
        let (then, lemma) = o.blocked.as_ref()?;
        let known = self.options.skip
            && *then < o.level
            && self.frames.covering(o.loc, *then, lemma).is_some();
        known.then(|| Earlier {
            then: *then,
            now: o.level,
            lemma: lemma.clone(),
        })
    }

    fn is_unchanged(&self, e: Edge, earlier: &Earlier) -> bool {
        let from = self.cfa.from(e);
        let (then, now) = (earlier.then - 1, earlier.now - 1);
        from == self.cfa.entry || self.frames.are_equal(from, then, now)
    }
}
