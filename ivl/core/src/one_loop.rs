//! Programs of one loop, which is what models of hardware become.
//!
//! At the loop location the state is that before a step. The entry edge sets the initial state, the step
//! edge goes round, and each property has an edge to an error location of its own.

use crate::{Cmd, Edge, File, Loc, Machine, Program, ReplayError, Span, Term};

/// What may fail between a model and its program, whatever the model is written in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Our bug: a trace that the lowered program does not have.
    #[error("the trace is not one of the lowered program: {0}")]
    Replay(#[from] ReplayError),
    /// Our bug: a trace that ends elsewhere than at an error location.
    #[error("the trace reaches no property")]
    NoViolation,
}

/// What the edges do.
pub struct Parts {
    /// Sets the initial state.
    pub init: Cmd,
    /// Chooses inputs that satisfy the constraints.
    pub inputs: Cmd,
    /// Sets the next state after `inputs`.
    pub next: Cmd,
    /// Per property: its name, what violates it after `inputs`, and its place.
    pub bads: Vec<(String, Term, Span)>,
}

/// Where things are in a program of one loop.
#[derive(Clone, Debug)]
pub struct OneLoop {
    /// The loop location.
    pub main_loop: Loc,
    /// The edge that sets the initial state.
    pub init: Edge,
    /// The edge that does a step.
    pub step: Edge,
    /// The two halves of a step: it chooses inputs, and sets the next state.
    pub inputs: Cmd,
    /// The second half.
    pub next: Cmd,
    /// Per property: its error location and the edge there.
    pub bads: Vec<(Loc, Edge)>,
}

impl OneLoop {
    /// Makes the locations and edges of a program that has none; its variables and inputs are declared.
    pub fn build(program: &mut Program, file: File, parts: Parts) -> OneLoop {
        let start = Span::new(file, 1, 1);
        let main = program.add_proc("main", start);
        let main_loop = program.add_loc(main, start);
        program.locs[main_loop].name = Some("loop".into());
        let entry = program.entry();
        // No line of the file says initial states or the step.
        let init = program.add_edge(entry, main_loop, parts.init, Span::NONE);
        let step = program.cmds.seq(&[parts.inputs, parts.next]);
        let step = program.add_edge(main_loop, main_loop, step, Span::NONE);
        let mut bads = Vec::with_capacity(parts.bads.len());
        for (name, bad, span) in parts.bads {
            let bad = program.cmds.assume(bad);
            let cmd = program.cmds.seq(&[parts.inputs, bad]);
            let loc = program.add_error(main, name, span);
            bads.push((loc, program.add_edge(main_loop, loc, cmd, span)));
        }
        OneLoop {
            main_loop,
            init,
            step,
            inputs: parts.inputs,
            next: parts.next,
            bads,
        }
    }

    /// The property at whose error location the machine stands.
    pub fn violated(&self, machine: &Machine<'_>) -> Result<u32, Error> {
        let at = self.bads.iter().position(|bad| bad.0 == machine.loc());
        at.and_then(|at| u32::try_from(at).ok())
            .ok_or(Error::NoViolation)
    }
}

/// Something in a model that its program says nothing about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Its place.
    pub span: Span,
    /// What it is.
    pub message: String,
}

impl Warning {
    /// Fairness constraints of a model without justice properties.
    pub fn idle_fairness(file: File) -> Warning {
        Warning {
            span: Span::new(file, 1, 1),
            message: "fairness constraints say something of justice properties only, and the model has none".into(),
        }
    }

    /// A model without properties.
    pub fn no_property(file: File) -> Warning {
        Warning {
            span: Span::new(file, 1, 1),
            message: "the model has no property".into(),
        }
    }
}
