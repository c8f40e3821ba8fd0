//! The lemma board: what this engine learns is offered to others, and what was proved is used.

use crate::frames::FOREVER;
use crate::run::Run;
use std::collections::BTreeSet;
use trellis_plugin_sdk::ivl::{Loc, LocKind, Term};
use trellis_plugin_sdk::{Lemma, LemmaKind};

/// What was offered already.
#[derive(Default)]
pub struct Published {
    candidates: BTreeSet<(Loc, Term)>,
    bounded: BTreeSet<(Loc, Term, u32)>,
}

impl Run<'_> {
    /// Offers the lemmas learnt since the last call: those beyond iteration `k` as candidates, the others as facts about
    /// executions up to their level.
    pub(crate) fn publish(&mut self, k: u32) {
        if !self.options.share {
            return;
        }
        let mut news = Vec::new();
        for &loc in &self.cfa.locs {
            for lemma in self.frames.lemmas(loc, 1) {
                let term = lemma.clause;
                let kind = if lemma.level == FOREVER {
                    continue;
                } else if lemma.level > k {
                    if !self.published.candidates.insert((loc, term)) {
                        continue;
                    }
                    LemmaKind::Candidate
                } else {
                    if !self.published.bounded.insert((loc, term, lemma.level)) {
                        continue;
                    }
                    LemmaKind::Bounded(lemma.level)
                };
                news.push(Lemma { loc, term, kind });
            }
        }
        if !news.is_empty() {
            self.host.publish(&self.program.pool, &news);
        }
    }

    /// Takes what others have proved into the frames of all levels.
    pub(crate) fn use_proved(&mut self) {
        if !self.options.share {
            return;
        }
        for lemma in self.host.new_lemmas(&mut self.program.pool) {
            let Lemma { loc, term, kind } = lemma;
            let known = self.program.locs.is_valid(loc);
            let plain = known && self.program.locs[loc].kind == LocKind::Plain;
            if kind == LemmaKind::Proved && plain && loc != self.cfa.entry {
                let literal = self.program.pool.not(term);
                self.frames.block(loc, FOREVER, &[literal], term);
            }
        }
    }
}
