//! The executable meaning of a model: one run with `bool`, 64 at once with `u64`.
//!
//! A step is: set the inputs, evaluate the gates, read constraints and properties, then
//! [`Simulator::advance`] to the next state. The first state satisfies the resets, which may read
//! the first step's inputs; [`Simulator::start`] makes such a state, [`Simulator::load`] takes one
//! that is given (from a witness), and [`Simulator::resets_hold`] checks it.

use crate::model::{Lit, Model, Reset};
use crate::reset::ResetPlan;
use std::ops::{BitAnd, BitXor};

/// A value of a literal in one or many parallel runs.
pub trait Word: Copy + BitAnd<Output = Self> + BitXor<Output = Self> {
    /// False in all runs.
    const FALSE: Self;
    /// True in all runs.
    const TRUE: Self;

    /// The same value in all runs.
    fn splat(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }
}

impl Word for bool {
    const FALSE: bool = false;
    const TRUE: bool = true;
}

impl Word for u64 {
    const FALSE: u64 = 0;
    const TRUE: u64 = u64::MAX;
}

/// A simulator of one model.
pub struct Simulator<'m, W> {
    model: &'m Model,
    plan: ResetPlan,
    values: Vec<W>,
    next: Vec<W>,
}

impl<'m, W: Word> Simulator<'m, W> {
    /// All values are false before the first call of [`Self::start`] or [`Self::load`].
    pub fn new(model: &'m Model) -> Self {
        Simulator {
            model,
            plan: ResetPlan::new(model),
            values: vec![W::FALSE; model.max_var() as usize + 1],
            next: vec![W::FALSE; model.latches.len()],
        }
    }

    /// Whether the initial value of a latch is chosen: it is uninitialised, or its reset function
    /// depends on itself.
    pub fn is_free(&self, latch: u32) -> bool {
        match self.model.reset(latch) {
            Reset::Constant(_) => false,
            Reset::Uninitialised => true,
            Reset::Function(_) => self.plan.cyclic.binary_search(&latch).is_ok(),
        }
    }

    /// Enters the first step: latches take their resets, free ones the value that `choose` gives,
    /// and the gates are evaluated. Returns in which runs that is a legal start.
    pub fn start(&mut self, inputs: &[W], mut choose: impl FnMut(u32) -> W) -> W {
        self.set_inputs(inputs);
        for i in 0..self.model.latches.len() as u32 {
            let value = match self.model.reset(i) {
                Reset::Constant(value) => W::splat(value),
                Reset::Uninitialised => choose(i),
                Reset::Function(_) => W::FALSE,
            };
            self.values[self.model.latch(i).var() as usize] = value;
        }
        for &i in &self.plan.cyclic {
            self.values[self.model.latch(i).var() as usize] = choose(i);
        }
        for i in 0..self.plan.order.len() {
            let var = self.plan.order[i];
            self.values[var as usize] = match var.checked_sub(self.model.first_and()) {
                Some(gate) => self.gate(gate as usize),
                None => {
                    let latch = var - self.model.first_latch();
                    self.value(self.model.latches[latch as usize].reset)
                }
            };
        }
        self.evaluate();
        self.resets_hold()
    }

    /// Puts the model in a given state; a step follows with [`Self::step`].
    pub fn load(&mut self, latches: &[W]) {
        let first = self.model.first_latch() as usize;
        self.values[first..first + latches.len()].copy_from_slice(latches);
    }

    /// Sets the inputs and evaluates the gates in the current state.
    pub fn step(&mut self, inputs: &[W]) {
        self.set_inputs(inputs);
        self.evaluate();
    }

    /// Moves to the next state; a step follows with [`Self::step`].
    pub fn advance(&mut self) {
        for (i, latch) in self.model.latches.iter().enumerate() {
            self.next[i] = self.value(latch.next);
        }
        let first = self.model.first_latch() as usize;
        self.values[first..first + self.next.len()].copy_from_slice(&self.next);
    }

    /// The value of a literal in the current step.
    pub fn value(&self, lit: Lit) -> W {
        self.values[lit.var() as usize] ^ W::splat(lit.is_negated())
    }

    /// The current state.
    pub fn latches(&self) -> &[W] {
        let first = self.model.first_latch() as usize;
        &self.values[first..first + self.model.latches.len()]
    }

    /// Whether the current step agrees with all resets, as the first one must.
    pub fn resets_hold(&self) -> W {
        let mut holds = W::TRUE;
        for (i, latch) in self.model.latches.iter().enumerate() {
            let differs = self.value(self.model.latch(i as u32)) ^ self.value(latch.reset);
            holds = holds & (differs ^ W::TRUE);
        }
        holds
    }

    /// Whether all constraints hold in the current step.
    pub fn constraints_hold(&self) -> W {
        let lits = self.model.constraints.iter();
        lits.fold(W::TRUE, |all, &lit| all & self.value(lit))
    }

    fn set_inputs(&mut self, inputs: &[W]) {
        self.values[1..1 + inputs.len()].copy_from_slice(inputs);
    }

    fn gate(&self, index: usize) -> W {
        let gate = self.model.ands[index];
        self.value(gate.left) & self.value(gate.right)
    }

    fn evaluate(&mut self) {
        let first = self.model.first_and() as usize;
        for i in 0..self.model.ands.len() {
            self.values[first + i] = self.gate(i);
        }
    }
}
