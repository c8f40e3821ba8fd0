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
//!
//! Of a justice property the run is a lasso: the state after the last step is that of an earlier one, and from there on every condition of
//! the property and every fairness constraint is met. Where the loop begins is not written; as in `aigsim` it is the earliest
//! such state.

use crate::error::{Error, Place};
use crate::model::{Item, Latch, Lit, Model, Reset};
use crate::sim::Simulator;
use std::collections::BTreeSet;
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

/// What a stimulus shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// The step, from 0, in which the last of the bad states is reached.
    pub reached: Option<usize>,
    /// The step with which the loop begins that meets all conditions of the justice properties.
    pub loop_from: Option<usize>,
}

/// Checks that a stimulus is a run of the model that reaches every one of `properties`: bad states with all constraints satisfied up
/// to there, justice properties by a loop, with all constraints satisfied to its end.
pub fn check(model: &Model, stimulus: &Stimulus, properties: &[Property]) -> Result<Shown, Error> {
    let refuted = |problem: String| Err(Error::Refuted(problem));
    let Claims {
        mut bads,
        mut conditions,
        needs_loop,
    } = Claims::new(model, properties)?;
    let mut shown = Shown::default();
    let mut run = Run::new(model, stimulus)?;
    let mut states = Vec::new();
    for (step, inputs) in stimulus.inputs.iter().enumerate() {
        run.step(inputs, step)?;
        let open = !bads.is_empty();
        bads.retain(|&(_, lit)| !run.simulator.value(lit));
        if open && bads.is_empty() {
            shown.reached = Some(step);
        }
        if !needs_loop && bads.is_empty() {
            return Ok(shown);
        }
        for (_, lit, last) in &mut conditions {
            if run.simulator.value(*lit) {
                *last = Some(step);
            }
        }
        if needs_loop {
            states.push(run.simulator.latches().to_vec());
        }
        run.simulator.advance();
    }
    if let Some((i, _)) = bads.first() {
        return refuted(format!("its run does not reach b{i}"));
    }
    let end = run.simulator.latches();
    let Some(start) = states.iter().position(|state| state == end) else {
        return refuted("its run does not come back to a state it was in".into());
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

/// What a witness claims to reach.
struct Claims {
    bads: Vec<(u32, Lit)>,
    /// What a loop has to meet, in words, and the last step that met it.
    conditions: Vec<(String, Lit, Option<usize>)>,
    needs_loop: bool,
}

impl Claims {
    fn new(model: &Model, properties: &[Property]) -> Result<Claims, Error> {
        let mut claims = Claims {
            bads: Vec::new(),
            conditions: Vec::new(),
            needs_loop: false,
        };
        let unknown = |p: &Property| Error::Refuted(format!("the model has no property {p}"));
        for property in properties {
            match *property {
                Property::Bad(i) => {
                    let bad = model.properties().1.get(i as usize);
                    claims
                        .bads
                        .push((i, *bad.ok_or_else(|| unknown(property))?));
                }
                Property::Justice(j) => {
                    let set = model.justice.get(j as usize);
                    let set = set.ok_or_else(|| unknown(property))?.iter().enumerate();
                    let set = set.map(|(i, &lit)| (format!("condition {i} of j{j}"), lit, None));
                    claims.conditions.extend(set);
                    claims.needs_loop = true;
                }
            }
        }
        if properties.is_empty() {
            return Err(Error::Refuted("it names no property".into()));
        }
        if claims.needs_loop {
            let fairness = model.fairness.iter().enumerate();
            let fairness = fairness.map(|(i, &lit)| (format!("the fairness f{i}"), lit, None));
            claims.conditions.extend(fairness);
        }
        Ok(claims)
    }
}

/// A run by a stimulus.
struct Run<'m> {
    model: &'m Model,
    simulator: Simulator<'m, bool>,
}

impl<'m> Run<'m> {
    fn new(model: &'m Model, stimulus: &Stimulus) -> Result<Run<'m>, Error> {
        let initial = initial_state(model, stimulus)?;
        let mut simulator = Simulator::new(model);
        simulator.load(&initial);
        Ok(Run { model, simulator })
    }

    /// Does a step with these inputs, up to the next state.
    fn step(&mut self, inputs: &[Option<bool>], step: usize) -> Result<(), Error> {
        let refuted = |problem: String| Err(Error::Refuted(problem));
        let model = self.model;
        if inputs.len() != model.count(Item::Input) {
            return refuted(format!(
                "step {step} has {} bits for {} inputs",
                inputs.len(),
                model.inputs
            ));
        }
        let inputs: Vec<bool> = inputs.iter().map(|bit| bit.unwrap_or(false)).collect();
        self.simulator.step(&inputs);
        let simulator = &self.simulator;
        if step == 0 && !simulator.resets_hold() {
            let value = |lit| simulator.value(lit);
            let wrong = |(i, latch): (u32, &Latch)| value(model.latch(i)) != value(latch.reset);
            let wrong = (0..).zip(&model.latches).position(wrong).unwrap_or(0);
            return refuted(format!("latch {wrong} does not start with its reset value"));
        }
        let failed = |lit: &Lit| !simulator.value(*lit);
        match model.constraints.iter().position(failed) {
            Some(i) => refuted(format!("step {step} violates constraint {i}")),
            None => Ok(()),
        }
    }
}

/// The most steps of a lasso that is written down.
const MAX_STEPS: usize = 1 << 16;

/// A stimulus whose steps from `start` on can be repeated for ever, with as many rounds as it takes until the whole state comes back: latches that
/// decide nothing may take longer than those that do.
pub fn close(model: &Model, stimulus: &Stimulus, start: usize) -> Result<Stimulus, Error> {
    let mut closed = stimulus.clone();
    let Some(around) = stimulus.inputs.get(start..).filter(|r| !r.is_empty()) else {
        return Err(Error::Refuted("it has no loop".into()));
    };
    let mut run = Run::new(model, stimulus)?;
    for (step, inputs) in stimulus.inputs[..start].iter().enumerate() {
        run.step(inputs, step)?;
        run.simulator.advance();
    }
    let mut seen = BTreeSet::new();
    let mut rounds = 0;
    while seen.insert(run.simulator.latches().to_vec()) {
        if start + (rounds + 1) * around.len() > MAX_STEPS {
            return Err(Error::Unwritable(format!(
                "what decides how it goes on comes back, but not the whole state within {MAX_STEPS} steps"
            )));
        }
        for (ahead, inputs) in around.iter().enumerate() {
            run.step(inputs, start + rounds * around.len() + ahead)?;
            run.simulator.advance();
        }
        if rounds > 0 {
            closed.inputs.extend_from_slice(around);
        }
        rounds += 1;
    }
    Ok(closed)
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
