//! Checks a witness by simulation.

use super::{Assignment, Frame, Property, Witness};
use crate::error::Error;
use crate::model::{Model, Ref};
use crate::sim::Simulator;
use trellis_ivl::Value;

/// What a witness shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// The step, from 0, in which the last of the bad states is reached.
    pub reached: Option<usize>,
    /// The step with which the loop begins that meets all conditions of the justice properties.
    pub loop_from: Option<usize>,
}

/// Checks that a witness is a run of the model that reaches every property it names: bad states with all constraints satisfied
/// up to there, justice properties by a loop, with all constraints satisfied to its end.
pub fn check(model: &Model, witness: &Witness) -> Result<Shown, Error> {
    let refuted = |problem: String| Err(Error::Refuted(problem));
    let Claims {
        mut bads,
        mut conditions,
        needs_loop,
    } = Claims::new(model, &witness.properties)?;
    let mut shown = Shown::default();
    let mut simulator = Simulator::new(model);
    let mut states: Vec<Vec<Value>> = Vec::new();
    for (step, frame) in witness.frames.iter().enumerate() {
        enter(model, &mut simulator, step, frame)?;
        let failed = |c: &crate::Property| !simulator.holds(c.value);
        if let Some(i) = model.constraints.iter().position(failed) {
            return refuted(format!("step {step} violates constraint {i}"));
        }
        let open = !bads.is_empty();
        bads.retain(|&i| !simulator.holds(model.bads[i as usize].value));
        if open && bads.is_empty() {
            shown.reached = Some(step);
        }
        if !needs_loop && bads.is_empty() {
            return Ok(shown);
        }
        for (_, condition, last) in &mut conditions {
            if simulator.holds(*condition) {
                *last = Some(step);
            }
        }
        if needs_loop {
            let all = 0..model.states.len();
            states.push(all.map(|i| simulator.state(i).clone()).collect());
        }
    }
    if let Some(i) = bads.first() {
        return refuted(format!("its run does not reach b{i}"));
    }
    let end = next_states(model, &simulator, !witness.frames.is_empty());
    let back = |state: &Vec<Value>| comes_back(&end, state);
    let Some(start) = states.iter().position(back) else {
        return refuted("its run does not come back to states it was in".into());
    };
    match conditions.iter().find(|(_, _, last)| *last < Some(start)) {
        Some((what, ..)) => refuted(format!(
            "its loop, from step {start} on, does not meet {what}"
        )),
        None => {
            shown.loop_from = Some(start);
            Ok(shown)
        }
    }
}

/// What the states get in the next step, as far as the model says; before the first step it says nothing.
fn next_states(model: &Model, simulator: &Simulator<'_>, started: bool) -> Vec<Option<Value>> {
    let all = 0..model.states.len();
    all.map(|i| started.then(|| simulator.next_state(i)).flatten())
        .collect()
}

/// Whether these next values are, or may be, those of an earlier step.
pub(super) fn comes_back(next: &[Option<Value>], earlier: &[Value]) -> bool {
    let mut both = next.iter().zip(earlier);
    both.all(|(next, earlier)| next.as_ref().is_none_or(|next| next == earlier))
}

/// Enters a step with what its frame gives.
fn enter(
    model: &Model,
    simulator: &mut Simulator<'_>,
    step: usize,
    frame: &Frame,
) -> Result<(), Error> {
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
            return Err(Error::Refuted(format!(
                "the model determines another value for state {} in step {step}",
                a.position
            )));
        }
    }
    Ok(())
}

/// What a witness claims to reach.
struct Claims {
    bads: Vec<u32>,
    /// What a loop has to meet, in words, and the last step that met it.
    conditions: Vec<(String, Ref, Option<usize>)>,
    needs_loop: bool,
}

impl Claims {
    fn new(model: &Model, properties: &[Property]) -> Result<Claims, Error> {
        let mut claims = Claims {
            bads: Vec::new(),
            conditions: Vec::new(),
            needs_loop: false,
        };
        let refuted = |problem: String| Err(Error::Refuted(problem));
        for &property in properties {
            match property {
                Property::Bad(i) if (i as usize) < model.bads.len() => claims.bads.push(i),
                Property::Bad(i) => return refuted(format!("the model has no property b{i}")),
                Property::Justice(j) => {
                    let Some(justice) = model.justice.get(j as usize) else {
                        return refuted(format!("the model has no property j{j}"));
                    };
                    let values = justice.values.iter().enumerate();
                    let values = values.map(|(i, &r)| (format!("condition {i} of j{j}"), r, None));
                    claims.conditions.extend(values);
                    claims.needs_loop = true;
                }
            }
        }
        if properties.is_empty() {
            return refuted("it names no property".into());
        }
        if claims.needs_loop {
            let fairs = model.fairs.iter().enumerate();
            let fairs = fairs.map(|(i, f)| (format!("the fairness f{i}"), f.value, None));
            claims.conditions.extend(fairs);
        }
        Ok(claims)
    }
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
