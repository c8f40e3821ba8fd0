//! Answers in the competition's witness format: written, read and checked by simulation.
//!
//! ```text
//! 1        the status: 1 reached, 0 unreachable, 2 unknown
//! b0       the properties it speaks of
//! 010      the initial state, one character per latch
//! 01x      the inputs of each step, one line per step
//! .
//! ```
//! An `x` is a value that does not matter; as in `aigsim` the check sets it to 0, and to the reset
//! value where a latch has a constant one. Lines that start with `c` or `u` (bounds that solvers
//! print on the way) are skipped.

use crate::error::{Error, Place};
use crate::model::{Item, Latch, Lit, Model, Reset};
use crate::sim::Simulator;
use std::fmt;

/// A property of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// The bad state of this index (an output, see [`Model::properties`]).
    Bad(u32),
    /// The justice property of this index.
    Justice(u32),
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Property::Bad(i) => write!(f, "b{i}"),
            Property::Justice(i) => write!(f, "j{i}"),
        }
    }
}

/// The bits of a run; `None` is a value that does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stimulus {
    /// The latches in the first step.
    pub initial: Vec<Option<bool>>,
    /// The inputs in each step.
    pub inputs: Vec<Vec<Option<bool>>>,
}

/// What is said about the properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// `0`: no run reaches them.
    Unreachable,
    /// `1`: this run does.
    Reached(Stimulus),
    /// `2`.
    Unknown,
}

/// One answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What is said.
    pub status: Status,
    /// Of which properties.
    pub properties: Vec<Property>,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = match self.status {
            Status::Unreachable => '0',
            Status::Reached(_) => '1',
            Status::Unknown => '2',
        };
        writeln!(f, "{status}")?;
        for property in &self.properties {
            write!(f, "{property}")?;
        }
        writeln!(f)?;
        if let Status::Reached(stimulus) = &self.status {
            for vector in std::iter::once(&stimulus.initial).chain(&stimulus.inputs) {
                let bit = |b: &Option<bool>| b.map_or('x', |b| if b { '1' } else { '0' });
                let line: String = vector.iter().map(bit).collect();
                writeln!(f, "{line}")?;
            }
        }
        writeln!(f, ".")
    }
}

/// Reads a file of answers.
pub fn parse(bytes: &[u8]) -> Result<Vec<Answer>, Error> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = (text.lines().enumerate())
        .map(|(i, line)| (i + 1, line.trim_end_matches('\r')))
        .filter(|(_, line)| !line.starts_with(['c', 'u']));
    let mut answers = Vec::new();
    while let Some((line, status)) = lines.next() {
        // Status lines are alone and never empty; empty lines between answers are harmless.
        if !status.is_empty() {
            answers.push(answer(line, status, &mut lines)?);
        }
    }
    Ok(answers)
}

fn wrong(line: usize, problem: impl Into<String>) -> Error {
    Error::Witness {
        place: Place::Line(line),
        problem: problem.into(),
    }
}

fn answer<'t>(
    start: usize,
    status: &str,
    lines: &mut impl Iterator<Item = (usize, &'t str)>,
) -> Result<Answer, Error> {
    if !["0", "1", "2"].contains(&status) {
        return Err(wrong(
            start,
            format!("expected a status 0, 1 or 2, found '{status}'"),
        ));
    }
    let mut end = start;
    let mut take = |what: &str| match lines.next() {
        Some(line) => {
            end = line.0;
            Ok(line)
        }
        None => Err(wrong(
            end + 1,
            format!("the answer ends where {what} should be"),
        )),
    };
    let (line, names) = take("the list of properties")?;
    let properties = properties(line, names)?;
    if status != "1" {
        let (line, dot) = take("'.'")?;
        if dot != "." {
            return Err(wrong(line, format!("expected '.', found '{dot}'")));
        }
        let status = match status {
            "0" => Status::Unreachable,
            _ => Status::Unknown,
        };
        return Ok(Answer { status, properties });
    }
    let (line, initial) = take("the initial state")?;
    let initial = bits(line, initial)?;
    let mut inputs = Vec::new();
    loop {
        let (line, vector) = take("an input vector or '.'")?;
        if vector == "." {
            break;
        }
        inputs.push(bits(line, vector)?);
    }
    let status = Status::Reached(Stimulus { initial, inputs });
    Ok(Answer { status, properties })
}

fn properties(line: usize, names: &str) -> Result<Vec<Property>, Error> {
    let mut properties = Vec::new();
    let mut rest = names;
    while let Some(kind) = rest.chars().next() {
        if !matches!(kind, 'b' | 'j') {
            return Err(wrong(
                line,
                format!("expected a property b or j, found '{kind}'"),
            ));
        }
        let digits = &rest[1..];
        let end = digits.find(|c: char| !c.is_ascii_digit());
        let (digits, tail) = digits.split_at(end.unwrap_or(digits.len()));
        let index = digits
            .parse()
            .map_err(|_| wrong(line, format!("expected an index after '{kind}'")))?;
        properties.push(match kind {
            'b' => Property::Bad(index),
            _ => Property::Justice(index),
        });
        rest = tail.trim_start_matches(' ');
    }
    if properties.is_empty() {
        return Err(wrong(line, "the list of properties is empty"));
    }
    Ok(properties)
}

fn bits(line: usize, vector: &str) -> Result<Vec<Option<bool>>, Error> {
    let bit = |c| match c {
        '0' => Ok(Some(false)),
        '1' => Ok(Some(true)),
        'x' => Ok(None),
        other => Err(wrong(line, format!("expected 0, 1 or x, found '{other}'"))),
    };
    vector.chars().map(bit).collect()
}

/// Checks that a stimulus is a run of the model that reaches every one of `properties` with all
/// constraints satisfied up to there. Returns the step, from 0, of the last one reached.
pub fn check(model: &Model, stimulus: &Stimulus, properties: &[Property]) -> Result<usize, Error> {
    let refuted = |problem: String| Err(Error::Refuted(problem));
    let mut waiting = claims(model, properties)?;
    let initial = initial_state(model, stimulus)?;
    let mut simulator = Simulator::new(model);
    simulator.load(&initial);
    for (step, inputs) in stimulus.inputs.iter().enumerate() {
        if inputs.len() != model.count(Item::Input) {
            return refuted(format!(
                "step {step} has {} bits for {} inputs",
                inputs.len(),
                model.inputs
            ));
        }
        let inputs: Vec<bool> = inputs.iter().map(|bit| bit.unwrap_or(false)).collect();
        if step > 0 {
            simulator.advance();
        }
        simulator.step(&inputs);
        if step == 0 && !simulator.resets_hold() {
            let value = |lit| simulator.value(lit);
            let wrong = |(i, latch): (u32, &Latch)| value(model.latch(i)) != value(latch.reset);
            let wrong = (0..).zip(&model.latches).position(wrong).unwrap_or(0);
            return refuted(format!("latch {wrong} does not start with its reset value"));
        }
        let failed = |lit: &Lit| !simulator.value(*lit);
        if let Some(i) = model.constraints.iter().position(failed) {
            return refuted(format!("step {step} violates constraint {i}"));
        }
        waiting.retain(|&(_, lit)| !simulator.value(lit));
        if waiting.is_empty() {
            return Ok(step);
        }
    }
    refuted(format!("its run does not reach b{}", waiting[0].0))
}

/// The bad states that a witness claims to reach.
fn claims(model: &Model, properties: &[Property]) -> Result<Vec<(u32, Lit)>, Error> {
    let bads = model.properties().1;
    let claim = |&property: &Property| match property {
        Property::Bad(i) => match bads.get(i as usize) {
            Some(&lit) => Ok((i, lit)),
            None => Err(Error::Refuted(format!("the model has no property b{i}"))),
        },
        Property::Justice(i) => Err(Error::Refuted(format!(
            "j{i} is a justice property: checking these is not supported"
        ))),
    };
    if properties.is_empty() {
        return Err(Error::Refuted("it names no property".into()));
    }
    properties.iter().map(claim).collect()
}

/// The initial state with a value for each bit that does not matter.
fn initial_state(model: &Model, stimulus: &Stimulus) -> Result<Vec<bool>, Error> {
    let (given, latches) = (stimulus.initial.len(), model.latches.len());
    if given != latches {
        return Err(Error::Refuted(format!(
            "the initial state has {given} bits for {latches} latches"
        )));
    }
    let value = |(bit, latch): (&Option<bool>, u32)| match (bit, model.reset(latch)) {
        (Some(bit), _) => *bit,
        (None, Reset::Constant(value)) => value,
        (None, _) => false,
    };
    Ok(stimulus.initial.iter().zip(0..).map(value).collect())
}
