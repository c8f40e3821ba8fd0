//! What an engine answers, and what it tells others on the way.

use std::collections::BTreeMap;
use trellis_ivl::{Loc, Script, Term, Trace};

/// The answer of an engine. Nothing here is trusted: the host checks it before anybody sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No error and no incomplete location is reachable, with the reason.
    Safe(Certificate),
    /// The same, because every execution that can still reach one is over within so many visits of loop heads. No
    /// invariant is needed; the number is how far the host unwinds the program itself.
    Unwound {
        /// How many visits of loop heads the longest execution makes, or more.
        visits: u32,
    },
    /// An error location is reachable, by this execution.
    Unsafe(Trace),
    /// The same by what the execution is given alone: for executions that are too long to be listed. Where passes are between
    /// the program of the engine and that of the front end, only short ones find the way back.
    Scripted(Script),
    /// The engine gave up, with the reason in words for the user.
    Unknown(String),
}

/// Why a program is safe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// What holds whenever a location is reached, as terms of the task's pool over the variables of
    /// the program. A location without one is unconstrained.
    pub invariants: BTreeMap<Loc, Term>,
    /// `Some(k)` when the invariants are k-inductive only.
    pub k: Option<u32>,
}

impl Certificate {
    /// Invariants that are `k`-inductive together, counting visits of loop heads.
    pub fn inductive(k: u32, invariants: BTreeMap<Loc, Term>) -> Certificate {
        let k = Some(k);
        Certificate { invariants, k }
    }
}

/// A fact at a location, shared between engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lemma {
    /// Where it holds.
    pub loc: Loc,
    /// What holds there.
    pub term: Term,
    /// How certain it is.
    pub kind: LemmaKind,
}

impl Lemma {
    /// What somebody thinks holds at `loc`.
    pub fn candidate(loc: Loc, term: Term) -> Lemma {
        let kind = LemmaKind::Candidate;
        Lemma { loc, term, kind }
    }
}

/// How certain a lemma is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LemmaKind {
    /// Somebody thinks that it holds whenever its location is reached.
    Candidate,
    /// Somebody thinks that it holds in every execution of at most this many edges.
    Bounded(u32),
    /// The checker has shown that it holds whenever its location is reached.
    Proved,
}
