//! Why an engine claims that a program is safe. (Why it claims the opposite is a
//! [`Trace`](trellis_ivl::Trace).)

use std::collections::BTreeMap;
use trellis_ivl::{FlattenOptions, Loc, Term};

/// Why no error is reachable: invariants of the flat program, k-inductive together.
///
/// Locations and variables are those of the program's expansion by [`trellis_ivl::flatten`] with
/// the given limits (a program that is flat already is its own expansion). Terms live in a pool of
/// the claimant, which is not trusted: the checker copies them into its own, by variable number.
#[derive(Clone)]
pub struct SafetyCertificate {
    /// Invariants at locations; only those at loop heads count, the rest is recomputed.
    pub invariants: BTreeMap<Loc, Term>,
    /// How many consecutive visits of annotated loop heads the induction step assumes, at least 1.
    pub k: u32,
    /// Limits of the expansion.
    pub expansion: FlattenOptions,
}

impl SafetyCertificate {
    /// Plain inductive invariants with the default expansion.
    pub fn inductive(invariants: BTreeMap<Loc, Term>) -> SafetyCertificate {
        SafetyCertificate {
            invariants,
            k: 1,
            expansion: FlattenOptions::default(),
        }
    }
}
