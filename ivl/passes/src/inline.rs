//! `inline`: expands all calls, so that engines get one flat automaton.
//!
//! The expansion itself is [`trellis_ivl::flatten`], which is also the checker's reading of calls;
//! invariants therefore need no translation (the checker flattens by itself), while traces go back
//! to the procedures and are replayed with a call stack.

use crate::back::{BackError, BackMap, ControlMap, Invariants, Walk};
use crate::pass::{Outcome, Pass, PassError, Property};
use cranelift_entity::EntityRef;
use trellis_ivl::{FlattenOptions, Program, Trace, flatten};

/// The pass; the options are the expansion's limits.
#[derive(Clone, Copy, Default)]
pub struct Inline {
    /// Limits of the expansion.
    pub options: FlattenOptions,
}

impl Pass for Inline {
    fn name(&self) -> &'static str {
        "inline"
    }

    fn ensures(&self) -> &'static [Property] {
        &[Property::Flat]
    }

    fn run(&self, program: &mut Program) -> Result<Outcome, PassError> {
        if program.is_flat() {
            return Ok(Outcome::unchanged());
        }
        let own_vars = program.pool.vars().len();
        let map = flatten(program, &self.options);
        let mut back = ControlMap::default();
        for origin in map.edges.values() {
            back.walks.push(match origin {
                Some(e) => Walk::Edge(*e),
                None => Walk::Empty,
            });
        }
        Ok(Outcome::changed(Expansion {
            control: back,
            own_vars,
            options: self.options,
        }))
    }
}

/// Traces return to the procedures; invariants stay those of the flat program.
struct Expansion {
    control: ControlMap,
    /// How many variables the program had; later ones are copies of locals.
    own_vars: usize,
    options: FlattenOptions,
}

impl BackMap for Expansion {
    fn trace(&self, program: &Program, mut trace: Trace) -> Result<Trace, BackError> {
        // A call assigns every copy before anything reads it.
        trace.initial.retain(|v, _| v.index() < self.own_vars);
        self.control.trace(program, trace)
    }

    fn invariants(&self, _: &mut Program, invariants: Invariants) -> Invariants {
        invariants
    }

    fn expansion(&self) -> Option<FlattenOptions> {
        Some(self.options)
    }
}
