//! How many queries of each kind were asked, and how many were spared.

use std::collections::BTreeMap;
use trellis_plugin_sdk::solver::Answer;
use trellis_plugin_sdk::solver::smt::QueryKind;

/// Does an obligation hold back?
pub const INDUCTION: QueryKind = "induction";
/// Does a weaker cube?
pub const GENERALISE: QueryKind = "generalise";
/// Does a lemma hold at another level or location?
pub const PUSH: QueryKind = "push";
/// What does a predecessor look like; does a cube imply a literal?
pub const PREDECESSOR: QueryKind = "predecessor";
/// Does a step leave the spaces of linear equations?
pub const EQUATIONS: QueryKind = "equations";
/// Are the frames inductive?
pub const CERTIFY: QueryKind = "certify";

/// Queries of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    asked: u64,
    sat: u64,
    remembered: u64,
}

/// Queries by kind.
#[derive(Default)]
pub struct Counts {
    kinds: BTreeMap<QueryKind, Count>,
}

impl Counts {
    /// A query that the solver answered.
    pub fn asked(&mut self, kind: QueryKind, answer: &Answer) {
        let count = self.kinds.entry(kind).or_default();
        count.asked += 1;
        count.sat += u64::from(*answer == Answer::Sat);
    }

    /// A query that was answered from memory.
    pub fn remembered(&mut self, kind: QueryKind) {
        self.kinds.entry(kind).or_default().remembered += 1;
    }

    /// How many queries the solver answered.
    pub fn total(&self) -> u64 {
        self.kinds.values().map(|count| count.asked).sum()
    }

    /// One line per kind, then the sum.
    pub fn lines(&self) -> Vec<String> {
        let kinds = self.kinds.iter().map(|(kind, count)| {
            format!(
                "queries for {kind}: {} ({} satisfiable, {} more remembered)",
                count.asked, count.sat, count.remembered
            )
        });
        let mut lines: Vec<String> = kinds.collect();
        lines.push(format!("queries: {}", self.total()));
        lines
    }
}
