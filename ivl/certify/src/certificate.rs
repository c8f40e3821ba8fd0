//! Why an engine claims that a program is safe. (Why it claims the opposite is a
//! [`Trace`](trellis_ivl::Trace).)

use std::collections::{BTreeMap, BTreeSet};
use trellis_ivl::{Contracts, FlattenOptions, Loc, Term, Var};

/// Why no error is reachable: invariants and lemmas of the flat program, k-inductive together.
///
/// Locations and variables are those of the program's expansion by [`trellis_ivl::flatten()`] with
/// the given limits (a program that is flat already is its own expansion). Terms live in a pool of
/// the claimant, which is not trusted: the checker copies them into its own, by variable number.
#[derive(Clone)]
pub struct SafetyCertificate {
    /// Invariants at the cutpoints of the proof. What an engine says at other locations than loop
    /// heads is left out first, by [`at_heads`](crate::at_heads) on the program it worked on.
    pub invariants: BTreeMap<Loc, Term>,
    /// What holds at the heads of loops that have no invariant. Such a loop is not cut: whoever
    /// enters it keeps what is known of all that the loop does not change, and what it changes is
    /// arbitrary but for the lemma.
    pub lemmas: BTreeMap<Loc, Term>,
    /// How many consecutive visits of annotated locations the induction step assumes, at least 1.
    pub k: u32,
    /// Limits of the expansion.
    pub expansion: FlattenOptions,
    /// Variables in invariants and lemmas that stand for all values.
    pub ghosts: Ghosts,
}

/// Variables that stand for all values: an invariant in which they occur holds whatever they are. See
/// [`universal`](crate::universal) for what that means to the checker.
#[derive(Clone, Debug, Default)]
pub struct Ghosts {
    /// The variables, of the claimant's pool. A variable of the program that is named here is none of it any more.
    pub vars: Vec<Var>,
    /// Terms over the program's variables and the ghosts at whose values invariants are worth using, besides those that
    /// the checker finds by itself.
    pub hints: Vec<Term>,
}

impl SafetyCertificate {
    /// Plain inductive invariants with the default expansion.
    pub fn inductive(invariants: BTreeMap<Loc, Term>) -> SafetyCertificate {
        SafetyCertificate {
            invariants,
            lemmas: BTreeMap::new(),
            k: 1,
            expansion: FlattenOptions::default(),
            ghosts: Ghosts::default(),
        }
    }
}

/// The other reason why no error is reachable: every execution is over within so many visits of loop heads, and none
/// of them reaches an error. Nothing has to be known about the loops.
///
/// Locations and terms are as in [`SafetyCertificate`].
#[derive(Clone)]
pub struct Unwinding {
    /// The locations whose visits count. A loop without any of them is not unwound: what it changes is arbitrary
    /// but for the lemmas.
    pub heads: BTreeSet<Loc>,
    /// What holds at the heads of loops that are not unwound.
    pub lemmas: BTreeMap<Loc, Term>,
    /// No execution that can still reach an error makes more visits.
    pub visits: u32,
    /// Limits of the expansion.
    pub expansion: FlattenOptions,
}

/// Why no error is reachable in a program with procedures: what each of them requires and ensures, and invariants of their
/// loops. Calls are not expanded.
///
/// Terms are over the program's variables and those of old values, in a pool of the claimant, as in [`SafetyCertificate`].
#[derive(Clone, Default)]
pub struct ContractCertificate {
    /// What procedures require and ensure.
    pub contracts: Contracts,
    /// Invariants at locations of the program, over the variables of the procedure they belong to, global variables and old
    /// values.
    pub invariants: BTreeMap<Loc, Term>,
    /// As in [`SafetyCertificate`].
    pub k: u32,
}
