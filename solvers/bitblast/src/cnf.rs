//! From gates to clauses, incrementally and only where a query reaches.
//!
//! Tseitin's encoding with the polarities of Plaisted and Greenbaum (1986): a gate gets a variable and
//! clauses when it lies in the cone of something asserted or assumed, and, unless `full` is chosen, only
//! the clauses of the direction that is needed there; the other direction follows when it is. Trees of
//! ANDs whose inner gates have no other user become one AND of many; exclusive or, majority and
//! if-then-else have clauses of their own, so a full adder costs 14 clauses and two variables.

use crate::aig::{Aig, AigLit, Gate};
use trellis_solver_api::sat::{Lit, SatSession};

/// Which implications between a gate and its function are needed.
type Direction = u32;
/// Gate implies function.
const DOWN: Direction = 1;
/// Function implies gate.
const UP: Direction = 2;
const BOTH: Direction = 3;

/// Gates between two looks at whether to go on.
const POLL_INTERVAL: usize = 1024;
/// The longest clause that is written out although some of its gates are shared.
const MAX_SHARED_LEAVES: usize = 256;

/// What a use of `lit` as true needs of its gate.
fn when_true(lit: AigLit) -> Direction {
    if lit.is_inverted() { UP } else { DOWN }
}

/// What a gate with directions `d` needs of an argument in which it is monotone.
fn monotone(lit: AigLit, d: Direction) -> Direction {
    if lit.is_inverted() {
        (d & DOWN) << 1 | d >> 1
    } else {
        d
    }
}

/// The clauses of one gate graph in one SAT session.
pub struct Cnf {
    /// By gate: variable and the directions that have clauses, `var << 2 | directions`; 0 for none.
    slots: Vec<u32>,
    /// Gates whose clauses are still to be added, with the directions missing.
    pending: Vec<(u32, Direction)>,
    /// A literal that is true, made when needed.
    truth: Option<Lit>,
    /// Whether every gate gets both directions at once.
    full: bool,
    /// Reused buffers.
    leaves: Vec<AigLit>,
    open: Vec<AigLit>,
    clause: Vec<Lit>,
}

impl Cnf {
    /// No clauses yet. With `full`, both directions of each gate are added together: more clauses, but
    /// more propagation and exact values of all gates in a model.
    pub fn new(full: bool) -> Cnf {
        Cnf {
            slots: Vec::new(),
            pending: Vec::new(),
            truth: None,
            full,
            leaves: Vec::new(),
            open: Vec::new(),
            clause: Vec::new(),
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u32>()
    }

    /// The variable of gate `node`, if it has one.
    #[inline]
    pub fn variable(&self, node: u32) -> Option<Lit> {
        let slot = self.slots.get(node as usize).copied().unwrap_or(0);
        Lit::positive(slot >> 2)
    }

    /// The variable of gate `node`, if its value in a model is the value of the gate.
    #[inline]
    pub fn exact_variable(&self, node: u32) -> Option<Lit> {
        let slot = self.slots.get(node as usize).copied().unwrap_or(0);
        if slot & BOTH == BOTH {
            Lit::positive(slot >> 2)
        } else {
            None
        }
    }

    /// The literal of `lit`, to be used as true (in an assumption or a clause). Its gates are queued for
    /// [`complete`](Self::complete).
    pub fn literal(&mut self, aig: &Aig, lit: AigLit, sat: &mut dyn SatSession) -> Lit {
        self.reach(aig, lit, when_true(lit), sat)
    }

    /// Adds clauses that make `lit` true, where `guard` is true if given. The gates of `lit` are queued for
    /// [`complete`](Self::complete).
    pub fn assert(&mut self, aig: &Aig, lit: AigLit, guard: Option<Lit>, sat: &mut dyn SatSession) {
        let mut roots = vec![lit];
        while let Some(root) = roots.pop() {
            let gate = aig.gate(root.node());
            let known = self.slots.get(root.node() as usize).copied().unwrap_or(0);
            let is_and = matches!(gate, Gate::And(..)) && known & when_true(root) == 0;
            let single = guard.is_none() || aig.used_once(root.node());
            if is_and && !root.is_inverted() && single {
                let Gate::And(a, b) = gate else { continue };
                roots.extend([b, a]);
                continue;
            }
            let mut clause = std::mem::take(&mut self.clause);
            clause.clear();
            clause.extend(guard.map(|g| !g));
            let mut satisfied = root == AigLit::TRUE;
            if is_and && root.is_inverted() {
                // Written out, a lemma stays one clause and leaves no gates behind when its level is popped.
                self.flatten(aig, root.node(), true);
                let leaves = std::mem::take(&mut self.leaves);
                satisfied = contradictory(&leaves);
                if !satisfied {
                    clause.extend(
                        leaves
                            .iter()
                            .map(|&leaf| self.reach(aig, !leaf, when_true(!leaf), sat)),
                    );
                }
                self.leaves = leaves;
            } else if root != AigLit::FALSE && !satisfied {
                clause.push(self.reach(aig, root, when_true(root), sat));
            }
            if !satisfied {
                sat.add_clause(&clause);
            }
            self.clause = clause;
        }
    }

    /// The literal of `lit`, whose gate is queued for what it lacks of `directions`.
    fn reach(
        &mut self,
        aig: &Aig,
        lit: AigLit,
        directions: Direction,
        sat: &mut dyn SatSession,
    ) -> Lit {
        if let Some(value) = lit.as_constant() {
            let truth = *self.truth.get_or_insert_with(|| {
                let truth = sat.new_var();
                sat.add_clause(&[truth]);
                truth
            });
            return if value { truth } else { !truth };
        }
        let node = lit.node() as usize;
        if self.slots.len() <= node {
            self.slots.resize(aig.len(), 0);
        }
        let slot = &mut self.slots[node];
        if *slot == 0 {
            *slot = sat.new_var().var() << 2;
            if aig.gate(lit.node()) == Gate::Input {
                *slot |= BOTH;
            }
        }
        let wanted = if self.full { BOTH } else { directions };
        let missing = wanted & !*slot;
        if missing != 0 {
            *slot |= missing;
            self.pending.push((lit.node(), missing));
        }
        let var = Lit::positive(*slot >> 2).expect("a variable of the session");
        if lit.is_inverted() { !var } else { var }
    }

    /// Adds the clauses of all gates queued, as long as `go_on` says so; whether all have theirs. What is
    /// left stays queued: no query may be asked before this has come to its end.
    pub fn complete(
        &mut self,
        aig: &Aig,
        sat: &mut dyn SatSession,
        go_on: impl Fn() -> bool,
    ) -> bool {
        let mut defined = 0usize;
        while let Some((node, directions)) = self.pending.pop() {
            self.define(aig, node, directions, sat);
            defined += 1;
            if defined.is_multiple_of(POLL_INTERVAL) && !go_on() {
                return self.pending.is_empty();
            }
        }
        true
    }

    /// The arguments of the AND `node`, looking through ANDs without a variable that only it uses (or, as
    /// long as there are few arguments, that `shared` gates use too); sorted, each once.
    fn flatten(&mut self, aig: &Aig, node: u32, shared: bool) {
        self.leaves.clear();
        self.open.clear();
        let mut next = aig.gate(node);
        loop {
            if let Gate::And(a, b) = next {
                self.open.extend([a, b]);
            }
            let Some(lit) = self.open.pop() else { break };
            next = aig.gate(lit.node());
            let inner = matches!(next, Gate::And(..)) && !lit.is_inverted();
            let few = shared && self.leaves.len() + self.open.len() < MAX_SHARED_LEAVES;
            let alone = few || aig.used_once(lit.node());
            if !(inner && alone && self.variable(lit.node()).is_none()) {
                self.leaves.push(lit);
                next = Gate::False;
            }
        }
        self.leaves.sort_unstable();
        self.leaves.dedup();
    }

    /// Adds the clauses of gate `node` in `directions`.
    fn define(&mut self, aig: &Aig, node: u32, directions: Direction, sat: &mut dyn SatSession) {
        let n = self.variable(node).expect("queued gates have a variable");
        let (down, up) = (directions & DOWN != 0, directions & UP != 0);
        match aig.gate(node) {
            Gate::False | Gate::Input => {}
            Gate::And(..) => self.define_and(aig, node, directions, sat),
            Gate::Xor(a, b) => {
                let a = self.reach(aig, a, BOTH, sat);
                let b = self.reach(aig, b, BOTH, sat);
                if down {
                    sat.add_clause(&[!n, a, b]);
                    sat.add_clause(&[!n, !a, !b]);
                }
                if up {
                    sat.add_clause(&[n, !a, b]);
                    sat.add_clause(&[n, a, !b]);
                }
            }
            Gate::Xor3(a, b, c) => {
                let [a, b, c] = [a, b, c].map(|lit| self.reach(aig, lit, BOTH, sat));
                if down {
                    sat.add_clause(&[!n, a, b, c]);
                    sat.add_clause(&[!n, a, !b, !c]);
                    sat.add_clause(&[!n, !a, b, !c]);
                    sat.add_clause(&[!n, !a, !b, c]);
                }
                if up {
                    sat.add_clause(&[n, !a, !b, !c]);
                    sat.add_clause(&[n, !a, b, c]);
                    sat.add_clause(&[n, a, !b, c]);
                    sat.add_clause(&[n, a, b, !c]);
                }
            }
            Gate::Maj(a, b, c) => {
                let [a, b, c] =
                    [a, b, c].map(|lit| self.reach(aig, lit, monotone(lit, directions), sat));
                for (x, y) in [(a, b), (a, c), (b, c)] {
                    if down {
                        sat.add_clause(&[!n, x, y]);
                    }
                    if up {
                        sat.add_clause(&[n, !x, !y]);
                    }
                }
            }
            Gate::Ite(c, t, e) => {
                let c = self.reach(aig, c, BOTH, sat);
                let [t, e] = [t, e].map(|lit| self.reach(aig, lit, monotone(lit, directions), sat));
                // The third of each is implied, but lets equal branches decide without the condition.
                if down {
                    sat.add_clause(&[!n, !c, t]);
                    sat.add_clause(&[!n, c, e]);
                    sat.add_clause(&[!n, t, e]);
                }
                if up {
                    sat.add_clause(&[n, !c, !t]);
                    sat.add_clause(&[n, c, !e]);
                    sat.add_clause(&[n, !t, !e]);
                }
            }
        }
    }

    fn define_and(
        &mut self,
        aig: &Aig,
        node: u32,
        directions: Direction,
        sat: &mut dyn SatSession,
    ) {
        let n = self.variable(node).expect("queued gates have a variable");
        self.flatten(aig, node, false);
        let leaves = std::mem::take(&mut self.leaves);
        if contradictory(&leaves) {
            sat.add_clause(&[!n]);
            self.leaves = leaves;
            return;
        }
        let mut clause = std::mem::take(&mut self.clause);
        clause.clear();
        clause.push(n);
        for &leaf in &leaves {
            let lit = self.reach(aig, leaf, monotone(leaf, directions), sat);
            if directions & DOWN != 0 {
                sat.add_clause(&[!n, lit]);
            }
            clause.push(!lit);
        }
        if directions & UP != 0 {
            sat.add_clause(&clause);
        }
        self.clause = clause;
        self.leaves = leaves;
    }
}

/// Whether sorted literals contain one and its inverse, which are neighbours.
fn contradictory(leaves: &[AigLit]) -> bool {
    leaves.windows(2).any(|pair| pair[0] == !pair[1])
}

#[cfg(test)]
mod tests;
