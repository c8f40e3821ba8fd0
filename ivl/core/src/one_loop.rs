//! Programs of one loop, which is what models of hardware become.
//!
//! At the loop location the state is that before a step. The entry edge sets the initial state, the step
//! edge goes round, and each property has an edge to an error location of its own.

use crate::{Cmd, Edge, File, Loc, Machine, Program, ReplayError, Span, Term};

/// What may fail between a model and its program, whatever the model is written in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A limit: the model has nothing but justice properties, which cannot be checked.
    #[error(
        "the model has {0} justice properties and no safety property: only safety is supported"
    )]
    OnlyLiveness(usize),
    /// Our bug: a trace that the lowered program does not have.
    #[error("the trace is not one of the lowered program: {0}")]
    Replay(#[from] ReplayError),
    /// Our bug: a trace that ends elsewhere than at an error location.
    #[error("the trace reaches no property")]
    NoViolation,
}

/// Fails if there is no property to check but liveness: a program without error locations would pass as safe.
pub fn require_safety(bads: usize, justice: usize) -> Result<(), Error> {
    if bads == 0 && justice > 0 {
        return Err(Error::OnlyLiveness(justice));
    }
    Ok(())
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
    /// A property of the model, of this kind and name, that is not about safety.
    pub fn not_checked(span: Span, kind: &str, name: &str) -> Warning {
        let message = format!("the {kind} {name} is not checked: only safety is supported");
        Warning { span, message }
    }

    /// A model without properties.
    pub fn no_property(file: File) -> Warning {
        Warning {
            span: Span::new(file, 1, 1),
            message: "the model has no property".into(),
        }
    }
}
