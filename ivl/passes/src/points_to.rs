//! `points-to`: objects that no address can confuse get memories or variables of their own.
//!
//! A front end that has one byte memory for everything says by *regions*
//! ([`RegionData`](trellis_ivl::RegionData)) which objects lie in it, and promises that every access
//! is within an object whose base has flowed into the address.
//!
//! Phases
//! 1. [`classes`]: unification-based points-to analysis over the terms. Objects that one address may
//!    mean are in one class.
//! 2. [`plan`]: an object is *promoted* when it is alone in its class, has a fixed address and a
//!    small size, and every access is at a known element ([`exact`]). Its elements become variables,
//!    those that are accessed together one ([`words`]). Every other class gets an array of its own.
//! 3. [`split`]: commands are rewritten from memories to these parts. Indices stay addresses, so a
//!    class with many objects works as the memory did.
//!
//! Cost: almost linear in the terms of the program, and nothing without regions.
//!
//! The way back ([`back`]) reads parts as what the memory holds. The promise is relied on and not
//! checked: where a program breaks it, its traces do not replay and its invariants are not inductive
//! on the program before, which costs the answer and not its soundness.

mod back;
mod classes;
mod exact;
mod plan;
mod split;
mod words;

use crate::pass::{Outcome, Pass, PassError, Property};
use back::PartsBack;
use cranelift_entity::PrimaryMap;
use plan::Plan;
use split::Splitter;
use trellis_ivl::{Action, Program};

/// The pass.
#[derive(Clone, Copy, Debug, Default)]
pub struct PointsTo;

impl Pass for PointsTo {
    fn name(&self) -> &'static str {
        "points-to"
    }

    fn requires(&self) -> &'static [Property] {
        &[Property::Flat, Property::RegionBases]
    }

    fn destroys(&self) -> &'static [Property] {
        &[Property::RegionBases]
    }

    fn run(&self, program: &mut Program) -> Result<Outcome, PassError> {
        if program.regions.is_empty() {
            return Ok(Outcome::unchanged());
        }
        let Some(mut plan) = Plan::new(program) else {
            return Ok(Outcome::unchanged());
        };
        let mut splitter = Splitter::new(&mut plan);
        let mut commands = PrimaryMap::with_capacity(program.edges.len());
        for e in program.edges.keys() {
            let old = program.edge_cmd(e).expect("a flat program has no calls");
            let new = splitter.command(program, old);
            program.edges[e].action = Action::Cmd(new);
            commands.push(new);
        }
        Ok(Outcome::changed(PartsBack {
            parts: plan.parts,
            commands,
        }))
    }
}
