//! Concrete runs, and how to write them down as witnesses.

use super::check::comes_back;
use super::{Assignment, Frame, Property, Witness, check};
use crate::error::Error;
use crate::model::Model;
use crate::op::Op;
use crate::sim::Simulator;
use std::collections::BTreeSet;
use trellis_ivl::{Bv, Value};

/// A concrete run: the values of all inputs, and of the states that the model leaves open (others
/// are ignored), step by step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Per step, one value per state.
    pub states: Vec<Vec<Value>>,
    /// Per step, one value per input.
    pub inputs: Vec<Vec<Value>>,
}

/// How many elements of one array a witness may list.
const MAX_ELEMENTS: usize = 1 << 16;

/// Writes a run down as a witness of the bad states that it reaches.
///
/// What a witness leaves out is zero, so for an array that is not zero almost everywhere the
/// elements that matter are listed: those that the run reads or writes. The result is checked.
pub fn from_run(model: &Model, run: &Run) -> Result<Witness, Error> {
    write_down(model, run, None)
}

/// The same for this bad state, whatever others the run passes on the way.
pub fn from_run_to(model: &Model, run: &Run, bad: u32) -> Result<Witness, Error> {
    write_down(model, run, Some(bad))
}

/// The same for a run whose end comes back to an earlier step, as [`close`] makes it, and this justice property.
pub fn from_lasso(model: &Model, run: &Run, justice: u32) -> Result<Witness, Error> {
    let mut touched = BTreeSet::new();
    follow(model, run, &mut |simulator, _| {
        touch(model, simulator, &mut touched);
        false
    })?;
    let properties = vec![Property::Justice(justice)];
    frames(model, run, properties, run.inputs.len(), &touched)
}

fn write_down(model: &Model, run: &Run, wanted: Option<u32>) -> Result<Witness, Error> {
    let mut touched = BTreeSet::new();
    let mut reached = Vec::new();
    let steps = follow(model, run, &mut |simulator, _| {
        touch(model, simulator, &mut touched);
        reached = (0..model.bads.len() as u32)
            .filter(|&i| wanted.is_none_or(|bad| bad == i))
            .filter(|&i| simulator.holds(model.bads[i as usize].value))
            .map(Property::Bad)
            .collect();
        !reached.is_empty()
    })?;
    match reached.is_empty() {
        true => Err(Error::Refuted("the run reaches no bad state".into())),
        false => frames(model, run, reached, steps, &touched),
    }
}

/// The first steps of a run as a witness.
fn frames(
    model: &Model,
    run: &Run,
    properties: Vec<Property>,
    steps: usize,
    touched: &BTreeSet<Bv>,
) -> Result<Witness, Error> {
    let mut witness = Witness {
        properties,
        frames: Vec::new(),
    };
    for step in 0..steps {
        let mut frame = Frame::default();
        for (i, state) in model.states.iter().enumerate() {
            let open = if step == 0 { state.init } else { state.next };
            if open.is_none() {
                let value = &run.states[step][i];
                list(model, &mut frame.states, i, state.node, value, touched)?;
            }
        }
        for (i, &node) in model.inputs.iter().enumerate() {
            let value = &run.inputs[step][i];
            list(model, &mut frame.inputs, i, node, value, touched)?;
        }
        witness.frames.push(frame);
    }
    check(model, &witness).map_err(|error| {
        Error::Unwritable(format!(
            "with only the elements listed that it touches, {error}"
        ))
    })?;
    Ok(witness)
}

/// Simulates a run to its end, or to the step at which `visit` says so; how many steps that are.
fn follow<'m>(
    model: &'m Model,
    run: &Run,
    visit: &mut dyn FnMut(&Simulator<'m>, usize) -> bool,
) -> Result<usize, Error> {
    let mut simulator = Simulator::new(model);
    for (step, (inputs, states)) in run.inputs.iter().zip(&run.states).enumerate() {
        let choose = |state: usize| states[state].clone();
        if step == 0 {
            simulator.start(inputs, choose);
        } else {
            simulator.advance(inputs, choose);
        }
        if !simulator.constraints_hold() {
            return Err(Error::Refuted(format!("step {step} violates a constraint")));
        }
        if visit(&simulator, step) {
            return Ok(step + 1);
        }
    }
    Ok(run.inputs.len())
}

/// Adds the array indices that the current step uses.
fn touch(model: &Model, simulator: &Simulator<'_>, touched: &mut BTreeSet<Bv>) {
    for node in &model.nodes {
        if matches!(node.op, Op::Read | Op::Write)
            && let Value::Bv(index) = simulator.value(node.args[1])
        {
            touched.insert(index);
        }
    }
}

/// The most steps of a lasso that is written down.
const MAX_STEPS: usize = 1 << 14;

/// A run whose steps from `start` on can be repeated for ever, with as many rounds as it takes until all states come back: those that decide
/// nothing may take longer than those that do.
pub fn close(model: &Model, run: &Run, start: usize) -> Result<Run, Error> {
    let round = run.inputs.len().saturating_sub(start);
    if round == 0 {
        return Err(Error::Refuted("the run has no loop".into()));
    }
    let mut closed = run.clone();
    loop {
        // The states before each round, and after the last.
        let mut seen: Vec<Vec<Value>> = Vec::new();
        let mut end = Vec::new();
        let all = || 0..model.states.len();
        follow(model, &closed, &mut |simulator, step| {
            if step >= start && (step - start).is_multiple_of(round) {
                seen.push(all().map(|i| simulator.state(i).clone()).collect());
            }
            end = all().map(|i| simulator.next_state(i)).collect();
            false
        })?;
        if seen.iter().any(|earlier| comes_back(&end, earlier)) {
            return Ok(closed);
        }
        // Twice as many rounds, so that all of them together cost little more than the last.
        let rounds = seen.len();
        if start + 2 * rounds * round > MAX_STEPS {
            return Err(Error::Unwritable(format!(
                "what decides how it goes on comes back, but not all states within {MAX_STEPS} steps"
            )));
        }
        for _ in 0..rounds {
            closed.states.extend_from_slice(&run.states[start..]);
            closed.inputs.extend_from_slice(&run.inputs[start..]);
        }
    }
}

fn list(
    model: &Model,
    out: &mut Vec<Assignment>,
    position: usize,
    node: u32,
    value: &Value,
    touched: &BTreeSet<Bv>,
) -> Result<(), Error> {
    let mut push = |index: Option<Bv>, value: &Bv| {
        out.push(Assignment {
            position: position as u32,
            index,
            value: value.clone(),
            symbol: model.name(node).map(str::to_string),
        });
    };
    match value {
        Value::Bv(bits) => push(None, bits),
        Value::Bool(_) => unreachable!("the model is well-typed: no truth values"),
        Value::Array(array) => {
            let width = array.index_width();
            let mut indices: BTreeSet<Bv> = array.entries().map(|(i, _)| i.clone()).collect();
            if !array.default().is_zero() {
                if width <= MAX_ELEMENTS.ilog2() {
                    indices.extend((0..1 << width).map(|i| Bv::new(width, i)));
                } else {
                    indices.extend(touched.iter().filter(|i| i.width() == width).cloned());
                }
            }
            if indices.len() > MAX_ELEMENTS {
                return Err(Error::Unwritable(format!(
                    "{} has more than {MAX_ELEMENTS} elements to list",
                    model.label(node)
                )));
            }
            for index in indices {
                let elem = array.select(&index).clone();
                push(Some(index), &elem);
            }
        }
    }
    Ok(())
}
