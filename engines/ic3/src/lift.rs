//! Lifting: from one state with its inputs to a cube of states that do the same by these inputs.
//!
//! State and inputs determine the next state, so assuming both together with the negation of the
//! target is contradictory; the state literals in the core are the cube (Chockler et al.,
//! FMCAD'11). The constraints belong to the target: every state of the cube must satisfy them with
//! the inputs.

use crate::ic3::{Ic3, Kind};
use crate::lit::Lit;
use crate::stats::Phase;

impl Ic3<'_> {
    /// After a satisfiable query to the solver of `frame` that assumed `target`: the cube of states
    /// that satisfy the target by the inputs of the model, and these inputs.
    pub(crate) fn lift(&mut self, frame: usize, target: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let before = self.timer.enter(Phase::Lift);
        let mut refuted: Vec<Lit> = target.iter().map(|&l| !l).collect();
        refuted.extend(self.model.constraints.iter().map(|&c| !c));
        self.lifter.begin(&[], Some(&refuted), &[]);
        let (mut inputs, mut latches) = (Vec::new(), Vec::new());
        for var in self.lifter.domain() {
            let list = match self.kind[var as usize] {
                Kind::Gate => continue,
                Kind::Input => &mut inputs,
                Kind::Latch => &mut latches,
            };
            // Everything that the target reads is in the domain of the query; anything else
            // would be free to choose.
            if let Some(value) = self.solvers[frame].value(Lit::of(var)) {
                list.push(Lit::new(var, value));
            }
        }
        self.activity.descending(&mut latches);
        let rounds = self.options.lift_rounds.max(1);
        for round in 0..rounds {
            if round > 0 {
                latches.reverse();
                self.lifter.begin(&[], Some(&refuted), &[]);
            }
            self.lifter.assume(inputs.iter().copied());
            self.lifter.assume(latches.iter().copied());
            let answer = self.lifter.search(u64::MAX);
            debug_assert_eq!(answer, Some(false), "state and inputs determine the target");
            let kind = &self.kind;
            let core: Vec<Lit> = self
                .lifter
                .core()
                .iter()
                .copied()
                .filter(|l| kind[l.at()] == Kind::Latch)
                .collect();
            let shrunk = core.len() < latches.len();
            latches.retain(|l| core.contains(l));
            if !shrunk {
                break;
            }
        }
        self.timer.enter(before);
        (latches, inputs)
    }
}
