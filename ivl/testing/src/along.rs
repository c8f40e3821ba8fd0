//! A program taken along chosen edges with chosen inputs, so that a lowering can be compared with the simulator of its
//! source language, step by step.

use std::collections::BTreeMap;
use trellis_ivl::{Edge, Input, Machine, Oracle, Program, Trace, Type, Value};

/// Gives each input of a program its value.
pub struct Script(pub BTreeMap<Input, Value>);

impl Oracle for Script {
    fn input(&mut self, input: Input, _: Type) -> Value {
        self.0
            .remove(&input)
            .expect("an input of the script, read once")
    }

    fn pick(&mut self, _: usize) -> usize {
        0
    }
}

/// The program after the steps of a trace, which is one of its.
pub fn along<'p>(program: &'p Program, trace: &Trace) -> Machine<'p> {
    let mut machine = Machine::for_trace(program, trace).expect("a trace of the program");
    for step in &trace.steps {
        machine.replay(step).expect("a trace of the program");
    }
    machine
}

/// Whether `edge` can be taken after the steps of a trace; the step is added if so.
pub fn extend(program: &Program, trace: &mut Trace, edge: Edge, mut script: Script) -> bool {
    let step = along(program, trace).try_edge(edge, &mut script);
    let taken = step.is_some();
    trace.steps.extend(step);
    taken
}
