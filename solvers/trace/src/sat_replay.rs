//! `inccnf` files on any SAT session; every model is held to the clauses and assumptions.

use crate::TraceError;
use trellis_solver_api::sat::{Lit, SatSession};
use trellis_solver_api::{Answer, SolverError};

enum Line {
    Clause(Vec<Lit>),
    /// Assumptions, and what was answered.
    Query(Vec<Lit>, Option<bool>),
}

/// A recorded SAT session.
pub struct Clauses {
    lines: Vec<Line>,
}

/// What a replay has seen.
#[derive(Clone, Debug, Default)]
pub struct SatReplay {
    /// The answers, in order.
    pub answers: Vec<Answer>,
    /// Queries, from 0, that were answered differently when they were recorded.
    pub differences: Vec<usize>,
}

impl Clauses {
    /// Reads an `inccnf` file, or a plain DIMACS file, which gets one query at its end.
    pub fn read(text: &str) -> Result<Clauses, TraceError> {
        let mut lines = Vec::new();
        let mut open: Vec<Lit> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let syntax = |message: String| TraceError::Syntax {
                line: number + 1,
                message,
            };
            let mut words = line.split_ascii_whitespace().peekable();
            match words.peek() {
                None => continue,
                Some(&"c") => {
                    answer(&mut lines, words);
                    continue;
                }
                Some(&"p") => {
                    let format = words.nth(1).unwrap_or_default();
                    if !matches!(format, "inccnf" | "cnf") {
                        return Err(syntax(format!("`{format}` is not inccnf or cnf")));
                    }
                    continue;
                }
                _ => {}
            }
            let is_query = words.next_if(|&word| word == "a").is_some();
            for word in words {
                let number: i32 = word
                    .parse()
                    .map_err(|_| syntax(format!("`{word}` is no literal")))?;
                if number != 0 {
                    let lit = Lit::from_dimacs(number);
                    open.push(lit.ok_or_else(|| syntax(format!("`{word}` is too large")))?);
                    continue;
                }
                let lits = std::mem::take(&mut open);
                lines.push(match is_query {
                    true => Line::Query(lits, None),
                    false => Line::Clause(lits),
                });
            }
            if is_query && !open.is_empty() {
                return Err(syntax("assumptions end with 0 on their line".into()));
            }
        }
        if !open.is_empty() {
            return Err(TraceError::Syntax {
                line: text.lines().count(),
                message: "the last clause does not end with 0".into(),
            });
        }
        if !lines.iter().any(|line| matches!(line, Line::Query(..))) {
            lines.push(Line::Query(Vec::new(), None));
        }
        Ok(Clauses { lines })
    }

    /// Runs the queries on a session without clauses. A model that violates a clause or an assumption is an
    /// error.
    pub fn replay(&self, session: &mut dyn SatSession) -> Result<SatReplay, TraceError> {
        let mut replay = SatReplay::default();
        let mut clauses: Vec<&[Lit]> = Vec::new();
        for (number, line) in self.lines.iter().enumerate() {
            let solver = |error| TraceError::Solver {
                command: number + 1,
                error,
            };
            match line {
                Line::Clause(lits) => {
                    session.add_clause(lits);
                    clauses.push(lits);
                }
                Line::Query(assumed, expected) => {
                    for &lit in assumed {
                        session.assume(lit);
                    }
                    let answer = session.solve().map_err(solver)?;
                    if answer.is_sat() {
                        check_model(session, &clauses, assumed).map_err(solver)?;
                    }
                    let known = (answer.is_sat() || answer.is_unsat()).then(|| answer.is_sat());
                    if expected.is_some() && known.is_some() && *expected != known {
                        replay.differences.push(replay.answers.len());
                    }
                    replay.answers.push(answer);
                }
            }
        }
        Ok(replay)
    }
}

/// A comment `c answer sat` belongs to the last query.
fn answer<'a>(lines: &mut [Line], words: impl Iterator<Item = &'a str>) {
    let words: Vec<&str> = words.collect();
    if let (Some(Line::Query(_, recorded)), ["c", "answer", answer, ..]) =
        (lines.last_mut(), words.as_slice())
    {
        *recorded = match *answer {
            "sat" => Some(true),
            "unsat" => Some(false),
            _ => None,
        };
    }
}

fn check_model(
    session: &dyn SatSession,
    clauses: &[&[Lit]],
    assumed: &[Lit],
) -> Result<(), SolverError> {
    let units = assumed.iter().map(std::slice::from_ref);
    for clause in clauses.iter().copied().chain(units) {
        let mut satisfied = clause.iter().any(|&lit| clause.contains(&!lit));
        for &lit in clause {
            satisfied = satisfied || session.value(lit)? == Some(true);
        }
        if !satisfied {
            return Err(SolverError::Backend {
                solver: session.signature().into(),
                message: format!("its model violates {clause:?}"),
            });
        }
    }
    Ok(())
}
