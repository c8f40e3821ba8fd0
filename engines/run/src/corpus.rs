//! What has been reached, and the executions that reached it first.

use crate::guide::{Given, Record};
use rustc_hash::FxHashSet;
use trellis_ivl::rng::Rng;
use trellis_ivl::{Compiled, Input, Loc};

/// Executions that are kept.
const MOST: usize = 256;
/// Inputs of an execution that is kept.
const MOST_INPUTS: usize = 4096;

/// An execution that reached something new.
pub struct Entry {
    /// What it was given.
    pub record: Record,
    /// How often it has been changed and tried again.
    pub tried: u32,
    /// Whether it stopped only because of its number of steps.
    pub is_open: bool,
    /// Whether a solver has been asked about it.
    pub asked: bool,
}

/// Branches by how often they were passed in one execution, in classes.
pub struct Corpus {
    /// For each branch and side a bit for each class that was seen.
    seen: Vec<[u32; 2]>,
    /// The executions.
    pub entries: Vec<Entry>,
    /// Sides of branches that were passed at least once.
    pub sides: usize,
}

/// Numbers of passes that count as the same.
fn class(hits: u32) -> u32 {
    match hits {
        0..=3 => hits,
        4..=7 => 4,
        8..=15 => 5,
        16..=127 => 6,
        _ => 7 + hits.ilog2() / 4,
    }
}

impl Corpus {
    /// Nothing reached yet.
    pub fn new(branches: usize) -> Corpus {
        Corpus {
            seen: vec![[0; 2]; branches],
            entries: Vec::new(),
            sides: 0,
        }
    }

    /// Files what an execution has passed: how many sides of branches were never passed before, and whether anything else is new.
    pub fn file(&mut self, hits: &[[u32; 2]]) -> (usize, bool) {
        let (mut sides, mut is_new) = (0, false);
        for (seen, hits) in self.seen.iter_mut().zip(hits) {
            for (seen, &hits) in seen.iter_mut().zip(hits) {
                if hits > 0 {
                    let bit = 1 << class(hits);
                    sides += usize::from(*seen == 0);
                    is_new |= *seen & bit == 0;
                    *seen |= bit;
                }
            }
        }
        self.sides += sides;
        (sides, is_new)
    }

    /// The locations with a branch of which one side was passed and the other was not.
    pub fn open(&self, compiled: &Compiled) -> FxHashSet<Loc> {
        let branches = (0..).zip(&self.seen);
        let open = branches.filter(|(_, seen)| (seen[0] == 0) != (seen[1] == 0));
        open.map(|(b, _)| compiled.branch_loc(b)).collect()
    }

    /// Keeps an execution.
    pub fn keep(&mut self, record: Record, is_open: bool) {
        let is_given = !record.inputs.is_empty() || !record.initial.is_empty();
        if !is_given || record.inputs.len() > MOST_INPUTS {
            return;
        }
        if self.entries.len() == MOST {
            // The one that was tried most has had its chance.
            let worst = (0..MOST).max_by_key(|&i| self.entries[i].tried);
            self.entries.swap_remove(worst.unwrap_or(0));
        }
        self.entries.push(Entry {
            record,
            tried: 0,
            is_open,
            asked: false,
        });
    }

    /// An execution to change: the less tried the likelier.
    pub fn pick(&mut self, random: &mut Rng) -> Option<&mut Entry> {
        if self.entries.is_empty() {
            return None;
        }
        let n = self.entries.len();
        let candidates = [
            random.below(n),
            random.below(n),
            n - 1 - random.below(n.min(8)),
        ];
        let best = candidates
            .into_iter()
            .min_by_key(|&i| self.entries[i].tried)?;
        let entry = &mut self.entries[best];
        entry.tried += 1;
        Some(entry)
    }
}

/// The inputs of an execution with a few changes: numbers near by, other bits, dictionary words (`word`), the rest cut off.
pub fn changed(
    inputs: &[(Input, Given)],
    random: &mut Rng,
    word: impl Fn(Input, &mut Rng) -> u64,
) -> Vec<(Input, Given)> {
    let mut tape = inputs.to_vec();
    if tape.is_empty() {
        return tape;
    }
    if random.one_in(3) {
        // What comes after is chosen anew.
        let len = random.range(0, tape.len());
        tape.truncate(len);
        return tape;
    }
    for _ in 0..random.range(1, 3) {
        let at = random.below(tape.len());
        let input = tape[at].0;
        if let Given::Word(old) = &mut tape[at].1 {
            *old = match random.below(5) {
                0 => old.wrapping_add(1),
                1 => old.wrapping_sub(1),
                2 => *old ^ (1 << random.below(64)),
                _ => word(input, random),
            };
        }
    }
    if random.one_in(6) {
        let (from, to) = (random.below(tape.len()), random.below(tape.len()));
        let given = tape[from].1.clone();
        let same_kind = tape[from].0 == tape[to].0;
        if same_kind {
            tape[to].1 = given;
        }
    }
    tape
}
