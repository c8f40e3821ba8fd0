//! What is particular to hardware models: the competition's answers, stimuli, witness circuits, and
//! checking those of any tool.

use crate::error::Error;
use crate::justice::{Just, JustStatus};
use crate::load::{Loaded, Lowered};
use crate::validate::{Deciders, Outcome};
use std::collections::BTreeMap;
use trellis_circuit::Error as CircuitError;
use trellis_frontend_aiger as aiger;
use trellis_frontend_btor2 as btor2;
use trellis_ivl::{Loc, Program, Term, Trace};
use trellis_solver_api::Limits;

/// What was found about the properties of a model.
pub struct Findings<'a> {
    /// The model and its program.
    pub loaded: &'a Loaded,
    /// Runs to bad states, of different properties.
    pub violated: Vec<&'a Trace>,
    /// Whether the other bad states are unreachable.
    pub holds: bool,
    /// What became of justice properties.
    pub justice: &'a [Just],
}

/// What only hardware models have was asked for.
fn not_hardware(what: &str) -> Error {
    Error::Usage(format!("{what} are for AIGER and BTOR2 models"))
}

fn unwritable(e: &dyn std::fmt::Display) -> Error {
    Error::Input(e.to_string())
}

fn internal(e: &dyn std::fmt::Display) -> Error {
    Error::Internal(e.to_string())
}

impl<'a> Findings<'a> {
    fn properties(&self) -> usize {
        match &self.loaded.lowered {
            Lowered::Aiger(model, _) => model.properties().1.len(),
            Lowered::Btor2(model, _) => model.bads.len(),
            Lowered::Program(_) => 0,
        }
    }

    /// The justice properties that are violated: number, trace, and how many of its steps are the stem.
    fn lassos(&self) -> impl Iterator<Item = (u32, &'a Trace, usize)> + use<'a> {
        let lasso = |(i, just): (u32, &'a Just)| match &just.status {
            JustStatus::Violated { trace, start, .. } => Some((i, trace, *start)),
            _ => None,
        };
        (0..).zip(self.justice).filter_map(lasso)
    }

    /// The answer as the hardware model checking competition writes it.
    pub fn competition(&self) -> Result<String, Error> {
        let some_violated = !self.violated.is_empty() || self.lassos().next().is_some();
        let all_hold = self.holds && self.justice.iter().all(|j| j.verdict() == "true");
        match &self.loaded.lowered {
            Lowered::Aiger(model, lowered) => self.aiger(model, lowered),
            Lowered::Btor2(model, lowered) if some_violated => self.btor2(model, lowered),
            Lowered::Btor2(..) if all_hold => Ok("unsat\n".into()),
            Lowered::Btor2(..) => Ok("unknown\n".into()),
            Lowered::Program(_) => Err(not_hardware("answers of the competition")),
        }
    }

    /// The runs to bad states and the lassos, as other tools check them.
    pub fn witness(&self) -> Result<String, Error> {
        match &self.loaded.lowered {
            Lowered::Aiger(model, lowered) => self.stimuli(model, lowered).map(|all| print(&all)),
            Lowered::Btor2(model, lowered) => self.btor2(model, lowered),
            Lowered::Program(_) => Err(not_hardware("stimuli")),
        }
    }

    fn stimuli(
        &self,
        model: &aiger::Model,
        lowered: &aiger::Lowered,
    ) -> Result<Vec<aiger::witness::Answer>, Error> {
        let mut answers = Vec::new();
        for trace in &self.violated {
            let (property, stimulus) = lowered.stimulus(trace).map_err(|e| internal(&e))?;
            answers.push(aiger::witness::Answer {
                status: aiger::witness::Status::Reached(stimulus),
                properties: vec![property],
            });
        }
        for (i, trace, start) in self.lassos() {
            let stimulus = lowered.steps(trace).map_err(|e| internal(&e))?;
            // The first step of a trace is no step of the model.
            let closed = aiger::witness::close(model, &stimulus, start - 1);
            let closed = closed.map_err(|e| unwritable(&e))?;
            let properties = vec![aiger::witness::Property::Justice(i)];
            let checked = aiger::witness::check(model, &closed, &properties);
            checked.map_err(|e| internal(&e))?;
            answers.push(aiger::witness::Answer {
                status: aiger::witness::Status::Reached(closed),
                properties,
            });
        }
        Ok(answers)
    }

    fn aiger(&self, model: &aiger::Model, lowered: &aiger::Lowered) -> Result<String, Error> {
        use aiger::witness::{Property, Status};
        let mut answers = self.stimuli(model, lowered)?;
        let reached: Vec<_> = answers.iter().flat_map(|a| a.properties.clone()).collect();
        let bads = (0..self.properties() as u32).map(|i| (Property::Bad(i), self.holds));
        let justice = (0..).zip(self.justice);
        let justice = justice.map(|(i, just)| (Property::Justice(i), just.verdict() == "true"));
        let rest = bads.chain(justice).filter(|(p, _)| !reached.contains(p));
        let (hold, open): (Vec<_>, Vec<_>) = rest.partition(|(_, holds)| *holds);
        for (status, properties) in [(Status::Unreachable, hold), (Status::Unknown, open)] {
            let properties: Vec<_> = properties.into_iter().map(|(p, _)| p).collect();
            if !properties.is_empty() {
                answers.push(aiger::witness::Answer { status, properties });
            }
        }
        Ok(print(&answers))
    }

    fn btor2(&self, model: &btor2::Model, lowered: &btor2::Lowered) -> Result<String, Error> {
        let mut text = String::new();
        for trace in &self.violated {
            let (property, run) = lowered.run(trace).map_err(|e| internal(&e))?;
            let witness = btor2::witness::from_run_to(model, &run, property);
            text += &witness.map_err(|e| internal(&e))?.to_string();
        }
        for (i, trace, start) in self.lassos() {
            let run = lowered.steps(trace).map_err(|e| internal(&e))?;
            let closed = btor2::witness::close(model, &run, start - 1);
            let closed = closed.map_err(|e| unwritable(&e))?;
            let witness = btor2::witness::from_lasso(model, &closed, i);
            text += &witness.map_err(|e| unwritable(&e))?.to_string();
        }
        Ok(text)
    }
}

fn print(answers: &[aiger::witness::Answer]) -> String {
    answers.iter().map(ToString::to_string).collect()
}

/// The witness circuit of a proof whose terms are those of `small`.
pub fn certificate(
    loaded: &Loaded,
    small: &Program,
    (invariants, k): (&BTreeMap<Loc, Term>, u32),
    ascii: bool,
) -> Result<Vec<u8>, Error> {
    if k > 1 {
        return Err(Error::Input(format!(
            "the proof is {k}-inductive, and witness circuits are made of inductive invariants; choose \
              an engine that finds them, such as ic3"
        )));
    }
    let unwritable = |e: CircuitError| Error::Input(e.to_string());
    match &loaded.lowered {
        Lowered::Aiger(model, lowered) => {
            let invariant = invariants.get(&lowered.graph.main_loop).copied();
            let circuit = trellis_circuit::make::make(model, lowered, &small.pool, invariant);
            let circuit = circuit.map_err(unwritable)?;
            Ok(match ascii {
                true => aiger::write_ascii(&circuit),
                false => aiger::write_binary(&circuit),
            })
        }
        Lowered::Btor2(model, lowered) => {
            let invariant = invariants.get(&lowered.graph.main_loop).copied();
            let circuit = trellis_circuit::word::make(model, lowered, &small.pool, invariant);
            Ok(btor2::write(&circuit.map_err(unwritable)?).into_bytes())
        }
        Lowered::Program(_) => Err(not_hardware("witness circuits")),
    }
}

/// Checks a stimulus or a witness circuit of a model.
pub(crate) fn validate(loaded: &Loaded, bytes: &[u8], by: &Deciders, limits: Limits) -> Outcome {
    match &loaded.lowered {
        Lowered::Aiger(model, _) => {
            if bytes.starts_with(b"aag ") || bytes.starts_with(b"aig ") {
                return match aiger::parse(bytes) {
                    Err(e) => Outcome::Invalid(format!("malformed: {e}")),
                    Ok(witness) => circuit(trellis_circuit::check::check(
                        model, &witness, &*by.sat, limits,
                    )),
                };
            }
            match aiger::witness::parse(bytes) {
                Err(e) => Outcome::Invalid(e.to_string()),
                Ok(answers) => stimuli(model, &answers),
            }
        }
        Lowered::Btor2(model, _) => {
            if bytes.trim_ascii_start().starts_with(b"sat") {
                return match word_stimuli(model, bytes) {
                    Ok(how) => Outcome::Valid(how),
                    Err(e) => Outcome::Invalid(e.to_string()),
                };
            }
            match btor2::parse(bytes) {
                Err(e) => Outcome::Invalid(format!("malformed: {e}")),
                Ok(witness) => circuit(trellis_circuit::word::check(
                    model, &witness, &*by.smt, limits,
                )),
            }
        }
        Lowered::Program(_) => Outcome::Unknown("this is no hardware model".into()),
    }
}

fn circuit(result: Result<(), CircuitError>) -> Outcome {
    match result {
        Ok(()) => {
            Outcome::Valid("the circuit simulates the model and its property is inductive".into())
        }
        Err(
            e @ (CircuitError::Undecided(..)
            | CircuitError::Solver(_)
            | CircuitError::Unsupported(_)),
        ) => Outcome::Unknown(e.to_string()),
        Err(e) => Outcome::Invalid(e.to_string()),
    }
}

fn stimuli(model: &aiger::Model, answers: &[aiger::witness::Answer]) -> Outcome {
    let mut shown = Vec::new();
    for answer in answers {
        let aiger::witness::Status::Reached(stimulus) = &answer.status else {
            let why = "an answer without a stimulus shows nothing; a proof is a witness circuit";
            return Outcome::Unknown(why.into());
        };
        match aiger::witness::check(model, stimulus, &answer.properties) {
            Ok(found) => {
                let names: String = answer.properties.iter().map(ToString::to_string).collect();
                let reached = found
                    .reached
                    .map(|step| format!("{names} is reached in step {step}"));
                let again = found
                    .loop_from
                    .map(|step| format!("{names} is met again and again from step {step} on"));
                shown.extend(reached.into_iter().chain(again));
            }
            Err(e) => return Outcome::Invalid(e.to_string()),
        }
    }
    match shown.is_empty() {
        true => Outcome::Unknown("it has no answer".into()),
        false => Outcome::Valid(shown.join(", ")),
    }
}

/// Several witnesses may stand in one file, each ending with its dot.
fn word_stimuli(model: &btor2::Model, bytes: &[u8]) -> Result<String, btor2::Error> {
    let text = String::from_utf8_lossy(bytes);
    let mut shown = 0;
    for part in text
        .split_inclusive("\n.\n")
        .filter(|p| !p.trim().is_empty())
    {
        let witness = btor2::witness::parse(part.as_bytes())?;
        btor2::witness::check(model, &witness)?;
        shown += 1;
    }
    Ok(format!("{shown} runs reach what they say"))
}
