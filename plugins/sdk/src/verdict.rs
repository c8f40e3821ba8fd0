//! What an engine answers, and what it tells others on the way.

use std::collections::BTreeMap;
use trellis_ivl::termination::Lasso;
use trellis_ivl::{Contracts, Edge, Loc, Script, Term, Trace, Var};

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
    /// No error and no incomplete location is reachable in a program with procedures, by what each of them requires and ensures.
    Contracts(ContractProof),
    /// An error location is reachable, by this execution.
    Unsafe(Trace),
    /// No execution stays for ever in these loops. Of some loops is better than nothing: the host has others try the rest.
    Terminates(Vec<Ending>),
    /// Some execution does not end.
    Diverges(Divergence),
    /// The same by what the execution is given alone: for executions that are too long to be listed. Where passes are between
    /// the program of the engine and that of the front end, only short ones find the way back.
    Scripted(Script),
    /// The engine gave up, with the reason in words for the user.
    Unknown(String),
}

/// Why no execution stays in a loop for ever, ready for the border.
///
/// Its terms are over the variables of a program that watches the loop, which differ from loop to loop, so it is words from the beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The head of the loop.
    pub head: Loc,
    /// As [`write_ending`](crate::wire::termination::write_ending) has them.
    pub words: Vec<u32>,
}

/// Why an execution does not end; see the checkers of the same names for what has to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Divergence {
    /// It comes back to where it was.
    Lasso(Lasso),
    /// It need never leave a set of states.
    Recurrent(Recurrent),
}

/// A set of states at a location that is never left. Terms are of the task's pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recurrent {
    /// An execution into the set.
    pub stem: Trace,
    /// The set.
    pub set: Term,
    /// Ways from the set back into it.
    pub cases: Vec<Way>,
}

/// A way from a location back to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// When it is taken.
    pub guard: Term,
    /// Its edges, each with the branch taken at each choice.
    pub steps: Vec<(Edge, Vec<u32>)>,
    /// A term for each input on it, in order, over the state at its beginning.
    pub inputs: Vec<Term>,
}

/// Why a program is safe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// What holds whenever a location is reached, as terms of the task's pool over the variables of
    /// the program. A location without one is unconstrained.
    pub invariants: BTreeMap<Loc, Term>,
    /// `Some(k)` when the invariants are k-inductive only.
    pub k: Option<u32>,
    /// Variables of the pool that are none of the program's and stand for all values: an invariant in which they occur
    /// holds whatever they are. See [`Certificate::for_all`].
    pub ghosts: Vec<Var>,
    /// Terms over the variables of the program and the ghosts, at whose values invariants are worth using where they are
    /// assumed. The checker tries the ghosts and the indices of arrays by itself.
    pub hints: Vec<Term>,
}

impl Certificate {
    /// Invariants that are `k`-inductive together, counting visits of loop heads.
    pub fn inductive(k: u32, invariants: BTreeMap<Loc, Term>) -> Certificate {
        Certificate {
            invariants,
            k: Some(k),
            ..Certificate::default()
        }
    }

    /// The same where `ghosts` in the invariants stand for all values.
    pub fn for_all(mut self, ghosts: Vec<Var>) -> Certificate {
        self.ghosts = ghosts;
        self
    }
}

/// Why a program with procedures is safe, without expanding calls.
///
/// Terms are of the task's pool, over the variables of the program and of old values, which
/// [`Modules::new`](trellis_ivl::Modules::new) adds to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContractProof {
    /// What procedures require and ensure.
    pub contracts: Contracts,
    /// Invariants at loop heads.
    pub invariants: BTreeMap<Loc, Term>,
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
