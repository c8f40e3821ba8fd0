//! Checks a witness by simulation.

use super::{Assignment, Property, Witness};
use crate::error::Error;
use crate::model::Model;
use crate::sim::Simulator;
use trellis_ivl::Value;

/// Checks that a witness is a run of the model that reaches every property it names, with all
/// constraints satisfied up to there. Returns the step, from 0, of the last one reached.
pub fn check(model: &Model, witness: &Witness) -> Result<usize, Error> {
    let refuted = |problem: String| Err(Error::Refuted(problem));
    let mut waiting = Vec::new();
    for &property in &witness.properties {
        match property {
            Property::Bad(i) if (i as usize) < model.bads.len() => waiting.push(i),
            Property::Bad(i) => return refuted(format!("the model has no property b{i}")),
            Property::Justice(i) => {
                return refuted(format!(
                    "j{i} is a justice property: checking these is not supported"
                ));
            }
        }
    }
    if waiting.is_empty() {
        return refuted("it names no property".into());
    }
    let mut simulator = Simulator::new(model);
    for (step, frame) in witness.frames.iter().enumerate() {
        let inputs = place(model, step, "input", &model.inputs, &frame.inputs)?;
        let nodes: Vec<u32> = model.states.iter().map(|state| state.node).collect();
        let states = place(model, step, "state", &nodes, &frame.states)?;
        let choose = |state: usize| states[state].clone();
        if step == 0 {
            simulator.start(&inputs, choose);
        } else {
            simulator.advance(&inputs, choose);
        }
        for a in &frame.states {
            let agrees = match (simulator.state(a.position as usize), &a.index) {
                (Value::Array(array), Some(index)) => *array.select(index) == a.value,
                (value, _) => value.as_bv() == Some(&a.value),
            };
            if !agrees {
                return refuted(format!(
                    "the model determines another value for state {} in step {step}",
                    a.position
                ));
            }
        }
        let failed = |c: &crate::Property| !simulator.holds(c.value);
        if let Some(i) = model.constraints.iter().position(failed) {
            return refuted(format!("step {step} violates constraint {i}"));
        }
        waiting.retain(|&i| !simulator.holds(model.bads[i as usize].value));
        if waiting.is_empty() {
            return Ok(step);
        }
    }
    refuted(format!("its run does not reach b{}", waiting[0]))
}

/// The values that assignments give to states or inputs, zero where they give none.
fn place(
    model: &Model,
    step: usize,
    kind: &str,
    nodes: &[u32],
    assignments: &[Assignment],
) -> Result<Vec<Value>, Error> {
    let mut values: Vec<Value> = nodes.iter().map(|&node| model.zero(node)).collect();
    for a in assignments {
        let refuted = |problem: &str| {
            Error::Refuted(format!("{kind} {} in step {step} {problem}", a.position))
        };
        let Some(value) = values.get_mut(a.position as usize) else {
            return Err(refuted("does not exist"));
        };
        let elem = &a.value;
        *value = match (&*value, &a.index) {
            (Value::Bv(old), None) if old.width() == elem.width() => elem.clone().into(),
            (Value::Array(array), Some(index))
                if index.width() == array.index_width()
                    && elem.width() == array.default().width() =>
            {
                array.store(index.clone(), elem.clone()).into()
            }
            _ => return Err(refuted("is given a value of another sort")),
        };
    }
    Ok(values)
}
