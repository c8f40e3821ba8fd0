//! The checker: each step is a clause that follows from clauses before it by unit propagation, along its hints.
//!
//! # What is checked
//! Let F be the formula. Clauses 1 to n are those of F; each step adds a clause under a larger number, or deletes
//! clauses. A clause C with hints h1 ... hm is accepted when, with all literals of C false, each of the clauses h1 to
//! h(m-1) has at most one literal that is not false, which is then taken to be true, until one has none. So no
//! assignment that makes all earlier clauses true makes C false: by induction every clause that is accepted follows
//! from F. Deleting loses clauses to derive from, never soundness. Where the empty clause is accepted, F has no model.
//!
//! # How
//! Clauses lie in one vector behind each other, in the order of their numbers, and are moved together when half of it
//! is dead. Which literals are true is a stamp per literal, so that nothing has to be undone between steps.

use crate::formula::Formula;
use crate::step::Step;
use std::fmt;

/// Why a proof is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// What was read is no step.
    Malformed(&'static str),
    /// A clause has a number that is not larger than all before.
    Order {
        /// The number.
        id: u64,
    },
    /// A literal of a variable that the formula does not have, or no literal at all.
    Literal {
        /// The clause.
        id: u64,
        /// The literal.
        lit: i32,
    },
    /// A clause that has a literal and its negation.
    Tautology {
        /// The clause.
        id: u64,
    },
    /// A hint, or a clause to delete, that is not there.
    Missing {
        /// The clause with the hint; none when it is to be deleted.
        id: Option<u64>,
        /// What is missing.
        hint: i64,
    },
    /// A hint with more than one literal that is not false.
    NotUnit {
        /// The clause with the hint.
        id: u64,
        /// The hint.
        hint: u64,
    },
    /// The hints of a clause end without a contradiction.
    NoConflict {
        /// The clause.
        id: u64,
    },
    /// The proof ends before the empty clause.
    Unfinished,
    /// The clauses that are alive need more memory than allowed.
    Memory {
        /// The limit in bytes.
        limit: usize,
    },
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejection::Malformed(why) => write!(f, "malformed: {why}"),
            Rejection::Order { id } => write!(f, "clause {id}: its number is taken"),
            Rejection::Literal { id, lit } => {
                write!(f, "clause {id}: {lit} is no literal of the formula")
            }
            Rejection::Tautology { id } => {
                write!(f, "clause {id}: it has a literal and its negation")
            }
            Rejection::Missing { id: Some(id), hint } => {
                write!(f, "clause {id}: there is no clause {hint}, its hint")
            }
            Rejection::Missing { id: None, hint } => {
                write!(f, "there is no clause {hint} to be deleted")
            }
            Rejection::NotUnit { id, hint } => write!(f, "clause {id}: hint {hint} is not unit"),
            Rejection::NoConflict { id } => write!(f, "clause {id} does not follow by its hints"),
            Rejection::Unfinished => f.write_str("it ends before the empty clause"),
            Rejection::Memory { limit } => {
                write!(f, "it needs more than {} MiB to be checked", limit >> 20)
            }
        }
    }
}

impl std::error::Error for Rejection {}

/// No clause: position 0 of the vector of clauses is not used.
const NOWHERE: u32 = 0;
/// Dead entries below which clauses are not moved together.
const FEW: usize = 1 << 16;

/// The state of a check.
pub struct Checker {
    /// Per clause its length and its literals.
    arena: Vec<i32>,
    /// By clause number, where the clause is in `arena`.
    place: Vec<u32>,
    /// Entries of `arena` whose clause is deleted.
    dead: usize,
    /// By literal: true in the current round, when it has its number.
    stamp: Vec<u32>,
    round: u32,
    variables: u32,
    refuted: bool,
    limit: usize,
}

impl Checker {
    /// A checker of refutations of `formula`, which needs about `limit` bytes at most.
    pub fn new(formula: &Formula, limit: usize) -> Result<Checker, Rejection> {
        let variables = formula.variables();
        let mut checker = Checker {
            arena: Vec::with_capacity(formula.literals().len() + 1),
            place: Vec::with_capacity(formula.len() + 1),
            dead: 0,
            stamp: vec![0; 2 * (variables as usize + 1)],
            round: 0,
            variables,
            refuted: false,
            limit,
        };
        checker.arena.push(0);
        checker.place.push(NOWHERE);
        for (clause, id) in formula.clauses().zip(1..) {
            checker.insert(id, clause)?;
        }
        Ok(checker)
    }

    /// Whether the empty clause has been derived: the formula has no model.
    pub fn is_refuted(&self) -> bool {
        self.refuted
    }

    /// The end of the proof: accepted, if the empty clause has been derived.
    pub fn conclude(&self) -> Result<(), Rejection> {
        match self.refuted {
            true => Ok(()),
            false => Err(Rejection::Unfinished),
        }
    }

    /// Takes a step, or rejects it. What comes after the empty clause does not matter.
    pub fn take(&mut self, step: Step<'_>) -> Result<(), Rejection> {
        if self.refuted {
            return Ok(());
        }
        match step {
            Step::Add { id, clause, hints } => {
                if id < self.place.len() as u64 {
                    return Err(Rejection::Order { id });
                }
                self.assume_false(id, clause)?;
                self.propagate(id, hints)?;
                self.insert(id, clause)
            }
            Step::Delete { ids } => ids.iter().try_for_each(|&id| self.delete(id)),
        }
    }

    /// Begins a round in which all literals of `clause` are false.
    fn assume_false(&mut self, id: u64, clause: &[i32]) -> Result<(), Rejection> {
        if self.round == u32::MAX {
            self.stamp.fill(0);
            self.round = 0;
        }
        self.round += 1;
        for &lit in clause {
            if lit == 0 || lit.unsigned_abs() > self.variables {
                return Err(Rejection::Literal { id, lit });
            }
            if self.is_true(lit) {
                return Err(Rejection::Tautology { id });
            }
            self.set_true(-lit);
        }
        Ok(())
    }

    /// Follows the hints until one of them has no literal left.
    fn propagate(&mut self, id: u64, hints: &[i64]) -> Result<(), Rejection> {
        for &hint in hints {
            // A hint that is not positive would begin a RAT step.
            let number = u64::try_from(hint).unwrap_or(0);
            let Some(clause) = self.clause(number) else {
                let id = Some(id);
                return Err(Rejection::Missing { id, hint });
            };
            let mut unit = None;
            for &lit in clause {
                if self.is_true(-lit) || unit == Some(lit) {
                    continue;
                }
                if unit.is_some() {
                    return Err(Rejection::NotUnit { id, hint: number });
                }
                unit = Some(lit);
            }
            match unit {
                Some(lit) => self.set_true(lit),
                None => return Ok(()),
            }
        }
        Err(Rejection::NoConflict { id })
    }

    fn is_true(&self, lit: i32) -> bool {
        self.stamp[index(lit)] == self.round
    }

    fn set_true(&mut self, lit: i32) {
        self.stamp[index(lit)] = self.round;
    }

    /// The literals of a clause that is alive.
    fn clause(&self, id: u64) -> Option<&[i32]> {
        let place = *self.place.get(usize::try_from(id).ok()?)?;
        if place == NOWHERE {
            return None;
        }
        let (&len, rest) = self.arena[place as usize..].split_first()?;
        rest.get(..len as usize)
    }

    /// Adds a clause under a number that is larger than all before.
    fn insert(&mut self, id: u64, clause: &[i32]) -> Result<(), Rejection> {
        let limit = self.limit;
        let (place, len) = (self.arena.len(), clause.len());
        let entries = (place + len + 1) as u64;
        // A number may be as large as a proof likes.
        let bytes = entries
            .saturating_add(id)
            .saturating_mul(size_of::<i32>() as u64);
        if bytes > limit as u64 || entries > u64::from(u32::MAX) || len > i32::MAX as usize {
            return Err(Rejection::Memory { limit });
        }
        // Fits: it is below the limit.
        self.place.resize(id as usize, NOWHERE);
        self.place.push(place as u32);
        self.arena.push(len as i32);
        self.arena.extend_from_slice(clause);
        self.refuted |= clause.is_empty();
        Ok(())
    }

    fn delete(&mut self, id: u64) -> Result<(), Rejection> {
        let Some(len) = self.clause(id).map(<[i32]>::len) else {
            let hint = id as i64;
            return Err(Rejection::Missing { id: None, hint });
        };
        self.place[id as usize] = NOWHERE;
        self.dead += len + 1;
        if self.dead > FEW && 2 * self.dead > self.arena.len() {
            self.compact();
        }
        Ok(())
    }

    /// Moves the clauses that are alive together. They lie in the order of their numbers, so each moves down.
    fn compact(&mut self) {
        let mut end = 1;
        for place in self.place.iter_mut().filter(|p| **p != NOWHERE) {
            let from = *place as usize;
            let entries = self.arena[from] as usize + 1;
            self.arena.copy_within(from..from + entries, end);
            *place = end as u32;
            end += entries;
        }
        self.arena.truncate(end);
        self.dead = 0;
    }
}

/// Where the stamp of a literal is.
fn index(lit: i32) -> usize {
    2 * lit.unsigned_abs() as usize + usize::from(lit < 0)
}
