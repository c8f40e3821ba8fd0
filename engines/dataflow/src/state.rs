//! Abstract states behind a trait, and their product.

use trellis_ivl::{Term, TermPool, Var};

/// What an edge assigns to a variable, if it does.
pub type Updates<'a> = &'a dyn Fn(Var) -> Option<Term>;

/// An abstract state of a location: a set of concrete states, never empty.
///
/// Edges come as a guard and parallel updates over the state and the edge's inputs; an input that the
/// state does not know is arbitrary. Widening happens at loop heads only.
pub trait AbstractState: Clone + PartialEq {
    /// Restricts to states in which `cond` is `value`, as far as the domain understands it without looking
    /// at cases ([`crate::condition`] does that); false where it sees that there are none.
    fn assume_atom(&mut self, pool: &mut TermPool, cond: Term, value: bool) -> bool;

    /// The state after all `updates` at once, with values of `live` variables only.
    fn update(&self, pool: &mut TermPool, updates: Updates<'_>, live: &[Var]) -> Self;

    /// Adds the states of `other`.
    fn join(&mut self, pool: &TermPool, other: &Self);

    /// Adds the states of `newer`, giving up what still grows; `thresholds` are values to stop at.
    fn widen(&mut self, pool: &TermPool, newer: &Self, thresholds: &[u64]);

    /// What holds in all states, over the program's variables.
    fn facts(&self, pool: &mut TermPool) -> Vec<Term>;
}

/// The direct product.
impl<A: AbstractState, B: AbstractState> AbstractState for (A, B) {
    fn assume_atom(&mut self, pool: &mut TermPool, cond: Term, value: bool) -> bool {
        self.0.assume_atom(pool, cond, value) && self.1.assume_atom(pool, cond, value)
    }

    fn update(&self, pool: &mut TermPool, updates: Updates<'_>, live: &[Var]) -> Self {
        (
            self.0.update(pool, updates, live),
            self.1.update(pool, updates, live),
        )
    }

    fn join(&mut self, pool: &TermPool, other: &Self) {
        self.0.join(pool, &other.0);
        self.1.join(pool, &other.1);
    }

    fn widen(&mut self, pool: &TermPool, newer: &Self, thresholds: &[u64]) {
        self.0.widen(pool, &newer.0, thresholds);
        self.1.widen(pool, &newer.1, thresholds);
    }

    fn facts(&self, pool: &mut TermPool) -> Vec<Term> {
        let mut facts = self.0.facts(pool);
        facts.extend(self.1.facts(pool));
        facts
    }
}
