//! The lemma board: candidates from engines, of which only the caller's checker makes proved ones.
//!
//! The board itself knows no terms. It counts batches of words that were proved, hands each engine
//! those it has not seen, and keeps figures per engine.

use crate::run::Promotion;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A batch of proved lemmas.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Who published them.
    pub from: String,
    /// How many.
    pub count: u64,
    /// They themselves.
    pub words: Arc<Vec<u32>>,
}

/// What became of an engine's lemmas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Published.
    pub published: u64,
    /// Shown to be inductive.
    pub proved: u64,
}

/// The board, shared by the threads of a run.
#[derive(Debug, Default)]
pub struct Board {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    batches: Vec<Batch>,
    figures: BTreeMap<String, Figures>,
}

impl Board {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts lemmas of an engine.
    pub fn published(&self, from: &str, count: u64) {
        let mut inner = self.inner();
        inner.figures.entry(from.to_string()).or_default().published += count;
    }

    /// Adds what was proved of an engine's lemmas.
    pub fn proved(&self, promotion: Promotion) {
        let Promotion {
            engine: from,
            count,
            words,
        } = promotion;
        if count == 0 {
            return;
        }
        let mut inner = self.inner();
        inner.figures.entry(from.clone()).or_default().proved += count;
        inner.batches.push(Batch {
            from,
            count,
            words: Arc::new(words),
        });
    }

    /// The batches from number `seen` on, and the number after the last.
    pub fn since(&self, seen: usize) -> (Vec<Batch>, usize) {
        let inner = self.inner();
        let new = inner.batches.get(seen..).unwrap_or_default().to_vec();
        (new, inner.batches.len())
    }

    /// What became of each engine's lemmas.
    pub fn figures(&self) -> BTreeMap<String, Figures> {
        self.inner().figures.clone()
    }
}
