//! Error traces in BTOR2's witness format: written, read and checked by simulation.
//!
//! ```text
//! sat
//! b0                  the properties reached
//! #0                  states of a step: those that the model leaves open
//! 0 0101 counter#0      position, value, symbol
//! 1 [01] 0011           position, index, element of an array
//! @0                  inputs of a step
//! 0 1 enable@0
//! @1
//! .
//! ```
//! Of a justice property the run is a lasso, as in AIGER: the states after the last step are those of an earlier one, and from there on every
//! condition of the property and every fairness constraint is met. States whose next values the model leaves open come back
//! if one wants.
//!
//! What a witness does not mention is zero. Values of states that the model determines may be
//! given, and must then be right.

use crate::error::{Error, Place};
use std::fmt;
use trellis_ivl::{Bv, Type};

mod check;
mod run;

pub use check::{Shown, check};
pub use run::{Run, close, from_lasso, from_run, from_run_to};

/// A property of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// The bad state of this index.
    Bad(u32),
    /// The justice property of this index.
    Justice(u32),
}

/// A value given to a state or input, or to one element of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The position among the states or inputs.
    pub position: u32,
    /// The index, for an array.
    pub index: Option<Bv>,
    /// The value or element.
    pub value: Bv,
    /// The symbol, for people.
    pub symbol: Option<String>,
}

/// One step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Given to states.
    pub states: Vec<Assignment>,
    /// Given to inputs.
    pub inputs: Vec<Assignment>,
}

/// A trace that reaches bad states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    /// The properties reached.
    pub properties: Vec<Property>,
    /// The steps.
    pub frames: Vec<Frame>,
}

fn binary(value: &Bv) -> String {
    let bit = |i| if value.bit(i) { '1' } else { '0' };
    (0..value.width()).rev().map(bit).collect()
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "sat")?;
        for (i, property) in self.properties.iter().enumerate() {
            let space = if i == 0 { "" } else { " " };
            match property {
                Property::Bad(i) => write!(f, "{space}b{i}")?,
                Property::Justice(i) => write!(f, "{space}j{i}")?,
            }
        }
        writeln!(f)?;
        for (step, frame) in self.frames.iter().enumerate() {
            if step == 0 || !frame.states.is_empty() {
                part(f, '#', step, &frame.states)?;
            }
            part(f, '@', step, &frame.inputs)?;
        }
        writeln!(f, ".")
    }
}

fn part(
    f: &mut fmt::Formatter<'_>,
    sign: char,
    step: usize,
    assignments: &[Assignment],
) -> fmt::Result {
    writeln!(f, "{sign}{step}")?;
    for a in assignments {
        write!(f, "{}", a.position)?;
        if let Some(index) = &a.index {
            write!(f, " [{}]", binary(index))?;
        }
        write!(f, " {}", binary(&a.value))?;
        if let Some(symbol) = &a.symbol {
            write!(f, " {symbol}{sign}{step}")?;
        }
        writeln!(f)?;
    }
    Ok(())
}

/// Reads a witness.
pub fn parse(bytes: &[u8]) -> Result<Witness, Error> {
    let text = String::from_utf8_lossy(bytes);
    let mut witness = Witness::default();
    let mut stage = Stage::Status;
    let mut last = 0;
    for (i, line) in text.lines().enumerate() {
        last = i + 1;
        let at = |problem: String| wrong(last, 1, problem);
        let line = line.trim_end();
        if line.is_empty() || line.starts_with(';') {
            continue;
        }
        stage = match (stage, line) {
            (Stage::Status, "sat") => Stage::Properties,
            (Stage::Status, _) => return Err(at(format!("expected 'sat', found '{line}'"))),
            (Stage::Properties, _) => {
                witness.properties = properties(last, line)?;
                Stage::Frame
            }
            (Stage::Done, _) => return Err(at(format!("'{line}' follows the end '.'"))),
            // A step is its inputs; the states before it say only what is open about them.
            (Stage::States, _) if line == "." || line.starts_with('#') => {
                let step = witness.frames.len() - 1;
                return Err(at(format!("expected the inputs '@{step}', found '{line}'")));
            }
            (_, ".") if !witness.frames.is_empty() => Stage::Done,
            (_, ".") => return Err(at("the witness has no step".into())),
            (_, _) if line.starts_with(['#', '@']) => header(last, line, &mut witness.frames)?,
            (Stage::States | Stage::Inputs, _) => {
                let assignment = assignment(last, line)?;
                if let Some(frame) = witness.frames.last_mut() {
                    match stage {
                        Stage::States => frame.states.push(assignment),
                        _ => frame.inputs.push(assignment),
                    }
                }
                stage
            }
            (Stage::Frame, _) => return Err(at(format!("expected '#0' or '@0', found '{line}'"))),
        };
    }
    match stage {
        Stage::Done => Ok(witness),
        _ => Err(wrong(last + 1, 1, "the witness ends without '.'".into())),
    }
}

#[derive(Clone, Copy)]
enum Stage {
    Status,
    Properties,
    Frame,
    States,
    Inputs,
    Done,
}

fn wrong(line: usize, column: usize, problem: String) -> Error {
    Error::Witness {
        place: Place { line, column },
        problem,
    }
}

fn properties(line: usize, text: &str) -> Result<Vec<Property>, Error> {
    let property = |word: &str| {
        let index = word.get(1..).and_then(|digits| digits.parse().ok());
        match (word.as_bytes()[0], index) {
            (b'b', Some(index)) => Ok(Property::Bad(index)),
            (b'j', Some(index)) => Ok(Property::Justice(index)),
            _ => {
                let problem = format!("expected a property such as b0 or j0, found '{word}'");
                Err(wrong(line, 1, problem))
            }
        }
    };
    text.split_ascii_whitespace().map(property).collect()
}

/// `#k` opens a step (or step 0 without states opens with `@0`), `@k` goes on with its inputs.
fn header(line: usize, text: &str, frames: &mut Vec<Frame>) -> Result<Stage, Error> {
    let states = text.starts_with('#');
    let step: Option<usize> = text[1..].parse().ok();
    let open = frames.len();
    if step == Some(open) {
        frames.push(Frame::default());
    } else if states || step.is_none() || step.map(|k| k + 1) != Some(open) {
        let problem = format!("expected the header of step {open}, found '{text}'");
        return Err(wrong(line, 1, problem));
    }
    Ok(if states { Stage::States } else { Stage::Inputs })
}

fn assignment(line: usize, text: &str) -> Result<Assignment, Error> {
    let at = |problem: String| wrong(line, 1, problem);
    let mut words = text.split_ascii_whitespace();
    let position = words.next().unwrap_or("");
    let position = position
        .parse()
        .map_err(|_| at(format!("expected a position, found '{position}'")))?;
    let mut value = words.next();
    let mut index = None;
    if let Some(inner) = value.and_then(|word| word.strip_prefix('[')) {
        // Some tools write no space between index and element.
        let (inner, rest) = inner
            .split_once(']')
            .ok_or_else(|| at("the index lacks its ']'".into()))?;
        index = Some(bits(inner).ok_or_else(|| at(format!("'{inner}' is no index")))?);
        value = if rest.is_empty() {
            words.next()
        } else {
            Some(rest)
        };
    }
    let value = value.unwrap_or("");
    let value =
        bits(value).ok_or_else(|| at(format!("expected binary digits, found '{value}'")))?;
    let symbol = words.next().map(|symbol| {
        let end = symbol.rfind(['#', '@']);
        symbol[..end.unwrap_or(symbol.len())].to_string()
    });
    Ok(Assignment {
        position,
        index,
        value,
        symbol,
    })
}

/// A value from binary digits, the most significant first.
fn bits(text: &str) -> Option<Bv> {
    let bit = |c| match c {
        b'0' => Some(false),
        b'1' => Some(true),
        _ => None,
    };
    let bits: Option<Vec<bool>> = text.bytes().rev().map(bit).collect();
    bits.filter(|bits| (1..=Type::MAX_WIDTH as usize).contains(&bits.len()))
        .map(|bits| Bv::from_bits(&bits))
}
