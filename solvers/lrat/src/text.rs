//! Formulas and proofs as files that every other checker reads: DIMACS, and LRAT in its text form.
//!
//! A line of a proof is `ID literals 0 hints 0` for a clause, or `ID d ids 0` for deletions, where ID is the last
//! clause before. Lines that begin with `c` are comments.

use crate::check::Rejection;
use crate::formula::Formula;
use crate::step::Step;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Writes a formula, with `comment` (which may have several lines) in front.
pub fn write_dimacs(formula: &Formula, comment: &str, out: &mut dyn Write) -> io::Result<()> {
    for line in comment.lines() {
        writeln!(out, "c {line}")?;
    }
    writeln!(out, "p cnf {} {}", formula.variables(), formula.len())?;
    let mut line = String::new();
    for clause in formula.clauses() {
        line.clear();
        for lit in clause {
            // Writing to a string does not fail.
            let _ = write!(line, "{lit} ");
        }
        writeln!(out, "{line}0")?;
    }
    Ok(())
}

/// Appends lines of a proof.
#[derive(Debug)]
pub struct ProofWriter {
    last: u64,
}

impl ProofWriter {
    /// For a proof about `formula`.
    pub fn new(formula: &Formula) -> ProofWriter {
        ProofWriter {
            last: formula.len() as u64,
        }
    }

    /// Appends a step.
    pub fn write(&mut self, step: Step<'_>, out: &mut Vec<u8>) {
        let mut line = String::new();
        // Writing to a string does not fail.
        let _ = match step {
            Step::Add { id, clause, hints } => {
                self.last = id;
                let lits = clause.iter().map(i32::to_string);
                let hints = hints.iter().map(i64::to_string);
                let numbers = lits.chain(["0".into()]).chain(hints);
                let all: Vec<String> = numbers.collect();
                write!(line, "{id} {}", all.join(" "))
            }
            Step::Delete { ids } => {
                let all: Vec<String> = ids.iter().map(u64::to_string).collect();
                write!(line, "{} d {}", self.last, all.join(" "))
            }
        };
        out.extend_from_slice(line.as_bytes());
        out.extend_from_slice(b" 0\n");
    }
}

/// Reads a formula.
pub fn read_dimacs(text: &str) -> Result<Formula, Rejection> {
    let malformed = Rejection::Malformed;
    let mut lines = text.lines().filter(|l| !is_comment(l));
    let header = lines.next().unwrap_or_default();
    let mut words = header.split_whitespace();
    if (words.next(), words.next()) != (Some("p"), Some("cnf")) {
        return Err(malformed("no header `p cnf VARIABLES CLAUSES`"));
    }
    let mut count = || words.next().and_then(|w| w.parse::<usize>().ok());
    let (Some(variables), Some(clauses)) = (count(), count()) else {
        return Err(malformed("no header `p cnf VARIABLES CLAUSES`"));
    };
    let mut formula = Formula::default();
    let mut open = Vec::new();
    for word in lines.flat_map(str::split_whitespace) {
        match word.parse::<i32>() {
            Ok(0) => formula.add_clause(open.drain(..)),
            Ok(lit) if lit.unsigned_abs() as usize <= variables => open.push(lit),
            _ => return Err(malformed("what is no literal of the formula")),
        }
    }
    if !open.is_empty() || formula.len() != clauses {
        return Err(malformed("not as many clauses as the header says"));
    }
    Ok(formula)
}

/// Reads the lines of a proof, and gives each step to `take`.
pub fn read_proof<E: From<Rejection>>(
    text: &str,
    mut take: impl FnMut(Step<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let (mut clause, mut hints, mut ids) = (Vec::new(), Vec::new(), Vec::new());
    for line in text.lines().filter(|l| !is_comment(l)) {
        let mut words = line.split_whitespace().peekable();
        let id = positive(words.next())?;
        if words.next_if_eq(&"d").is_some() {
            list(&mut words, &mut ids, |n| u64::try_from(n).ok())?;
            take(Step::Delete { ids: &ids })?;
        } else {
            list(&mut words, &mut clause, |n| {
                i32::try_from(n).ok().filter(|&lit| lit != i32::MIN)
            })?;
            list(&mut words, &mut hints, Some)?;
            let (clause, hints) = (&clause, &hints);
            take(Step::Add { id, clause, hints })?;
        }
        if words.next().is_some() {
            return Err(Rejection::Malformed("a line that goes on after its end").into());
        }
    }
    Ok(())
}

fn is_comment(line: &str) -> bool {
    line.trim().is_empty() || line.starts_with('c')
}

fn positive(word: Option<&str>) -> Result<u64, Rejection> {
    let number = word.and_then(|w| w.parse().ok()).filter(|&n| n > 0);
    number.ok_or(Rejection::Malformed("a line without a clause number"))
}

/// Reads numbers up to a 0.
fn list<'a, T>(
    words: &mut impl Iterator<Item = &'a str>,
    out: &mut Vec<T>,
    convert: impl Fn(i64) -> Option<T>,
) -> Result<(), Rejection> {
    out.clear();
    for word in words {
        match word.parse::<i64>() {
            Ok(0) => return Ok(()),
            Ok(n) => match convert(n) {
                Some(item) => out.push(item),
                None => return Err(Rejection::Malformed("a number out of range")),
            },
            Err(_) => return Err(Rejection::Malformed("what is no number")),
        }
    }
    Err(Rejection::Malformed("a list without its 0"))
}
